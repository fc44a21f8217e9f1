//! Refuses numbers that JSON cannot represent, before an edited document is printed.

use std::collections::HashSet;
use std::sync::Arc;

use super::canonical::no_json_number;
use super::number::json_number;
use crate::source::Result;
use crate::yaml::node::{Content, Node, Stream, Syntax};
use crate::yaml::value::Value;

/// Refuses NaN and infinity, which JSON cannot spell.
///
/// A text that only YAML can read may already contain such numbers. These stay as they are: nodes
/// that `after` shares with `before`, the document before the edit, are not checked.
///
/// # Errors
/// Returns an error for the first of these numbers, with its place.
pub fn check_json(before: &Arc<Node>, after: &Arc<Node>) -> Result<()> {
    check(Some(before), after.resolved())
}

/// Refuses new numbers that the text of `stream` cannot spell, if it is JSON. `roots` has one root
/// for each of its documents; `None` is one that was removed.
///
/// # Errors
/// As [`check_json`].
pub fn check_spellable<'r>(
    stream: &Stream,
    roots: impl IntoIterator<Item = Option<&'r Arc<Node>>>,
) -> Result<()> {
    if stream.syntax == Syntax::Yaml {
        return Ok(());
    }
    for (document, root) in stream.documents.iter().zip(roots) {
        if let Some(root) = root {
            check_json(&document.root, root)?;
        }
    }
    Ok(())
}

/// Checks a tree, whose depth is bounded.
fn check(before: Option<&Arc<Node>>, after: &Arc<Node>) -> Result<()> {
    if before.is_some_and(|before| Arc::ptr_eq(before, after)) {
        return Ok(());
    }
    if let Content::Scalar(_) = after.content
        && let Some(value @ Value::Float(_)) = after.value()
        && json_number(value).is_none()
    {
        return Err(no_json_number(value, after.location()));
    }
    let (old, new) = changed_children(before, after);
    let known: HashSet<*const Node> = old.iter().map(|child| Arc::as_ptr(child)).collect();
    for (place, child) in new.into_iter().enumerate() {
        if !known.contains(&Arc::as_ptr(child)) {
            // The earlier version is most likely at the same position.
            check(old.get(place).copied(), child.resolved())?;
        }
    }
    Ok(())
}

type Children<'a> = Vec<&'a Arc<Node>>;

/// Returns the children before and after, without those that are certain to be the same.
fn changed_children<'a>(
    before: Option<&'a Arc<Node>>,
    after: &'a Arc<Node>,
) -> (Children<'a>, Children<'a>) {
    match &after.content {
        Content::Mapping(mapping) => {
            let changed = mapping.changed_since(before.and_then(|before| before.as_mapping()));
            (
                changed.before.iter().map(|entry| &entry.value).collect(),
                changed.new_elements().map(|entry| &entry.value).collect(),
            )
        }
        Content::Sequence(sequence) => {
            let changed = sequence.changed_since(before.and_then(|before| before.as_sequence()));
            (
                changed.before.iter().map(|item| &item.value).collect(),
                changed.new_elements().map(|item| &item.value).collect(),
            )
        }
        Content::Scalar(_) | Content::Alias(_) => (Vec::new(), Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::yaml::parse;

    #[test]
    fn refuses_new_numbers_without_a_spelling() {
        let read = |text: &str| {
            let stream = parse(&Source::new("test", text).unwrap()).unwrap();
            Arc::clone(&stream.documents[0].root)
        };
        let empty = read("{}");
        for text in ["a: .inf", "[[-.inf]]", "a: {b: .nan}", "!!float .inf"] {
            let new = read(text);
            assert!(check_json(&empty, &new).is_err(), "{text}");
            assert!(check_json(&new, &new).is_ok(), "{text} was there before");
        }
        for text in ["a: 1.5", "a: '.inf'", "[1e300, null, x]"] {
            assert!(check_json(&empty, &read(text)).is_ok(), "{text}");
        }
    }
}
