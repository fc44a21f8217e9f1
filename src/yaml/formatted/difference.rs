//! Checks that formatted text has the same values and comments as the texts that it was made from.

use std::sync::Arc;

use super::spelling::is_null;
use crate::yaml::node::{Content, Entry, Item};
use crate::yaml::node::{Node, Stream};
use crate::yaml::value::Value;

/// Finds a value or comment of `before` that differs in the formatted text `after`, and returns a
/// description of it.
///
/// This check proves that formatting damaged nothing, so it does not share code with the printer.
/// Empty documents do not count, because one at the start is left out.
pub fn differs_from_formatted<'s>(
    before: impl Iterator<Item = &'s Stream> + Clone,
    after: &Stream,
) -> Option<&'static str> {
    let ours: Vec<&Arc<Node>> = before.clone().flat_map(contents).collect();
    let theirs: Vec<&Arc<Node>> = contents(after).collect();
    if ours.len() != theirs.len() {
        return Some("the number of documents");
    }
    if !ours
        .iter()
        .zip(theirs)
        .all(|(one, other)| is_same(one, other))
    {
        return Some("a value");
    }
    let mut comments: Vec<&str> = before.flat_map(comments).collect();
    let mut formatted: Vec<&str> = self::comments(after).collect();
    // A comment may move after another one, such as one inside a key.
    comments.sort_unstable();
    formatted.sort_unstable();
    (comments != formatted).then_some("a comment")
}

/// Returns the documents that are not empty.
fn contents(stream: &Stream) -> impl Iterator<Item = &Arc<Node>> {
    let roots = stream.documents.iter().map(|document| &document.root);
    roots.filter(|root| !is_null(root))
}

fn comments(stream: &Stream) -> impl Iterator<Item = &str> {
    let spans = stream.comments.iter();
    spans.map(|&span| stream.source.slice(span).trim_ascii_end())
}

/// Compares two parsed trees, whose depth is bounded. Aliases are compared by name and not
/// followed, so the comparison takes time linear in the texts.
fn is_same(one: &Arc<Node>, other: &Arc<Node>) -> bool {
    if one.tag() != other.tag() || one.anchor() != other.anchor() {
        return false;
    }
    match (&one.content, &other.content) {
        (Content::Scalar(_), Content::Scalar(_)) => is_same_scalar(one, other),
        (Content::Alias(one), Content::Alias(other)) => one.name == other.name,
        (Content::Mapping(one), Content::Mapping(other)) => {
            let is_same_entry = |(one, other): (&Entry, &Entry)| {
                is_same(&one.key, &other.key) && is_same(&one.value, &other.value)
            };
            one.entries.len() == other.entries.len()
                && one.entries.iter().zip(&other.entries).all(is_same_entry)
        }
        (Content::Sequence(one), Content::Sequence(other)) => {
            let is_same_item = |(one, other): (&Item, &Item)| is_same(&one.value, &other.value);
            one.items.len() == other.items.len()
                && one.items.iter().zip(&other.items).all(is_same_item)
        }
        _ => false,
    }
}

/// Compares values and, except for strings, their spelling: `1.0` is not `1` to every reader.
fn is_same_scalar(one: &Node, other: &Node) -> bool {
    match (one.value(), other.value()) {
        (Some(Value::Null), Some(Value::Null)) => true,
        (Some(Value::String(one)), Some(Value::String(other))) => one == other,
        (Some(Value::String(_)), _) | (_, Some(Value::String(_))) => false,
        _ => one.text() == other.text(),
    }
}
