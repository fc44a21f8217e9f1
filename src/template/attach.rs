//! Which node each comment belongs to.
//!
//! A comment belongs to the last node that starts on its line; else to the first node on the next line where one
//! starts; else to the next document. What follows the last document belongs to none, but its code runs.

use std::collections::HashSet;

use super::comment::{self, Comment, CommentKind};
use super::tree::Tree;
use super::{Options, document_span};
use crate::source::{Result, Source, Span};
use crate::yaml::{Content, Node, ScalarStyle, Stream};

/// The documents of a template with their comments.
pub(super) struct Attached {
    /// For each document its tree; `None` for a document that can be shared whole.
    pub(super) trees: Vec<Option<Tree>>,
    /// The comments after the last document.
    pub(super) rest: Vec<Comment>,
}

/// Attaches all comments of a stream.
///
/// # Errors
/// See [`comment::read`] and [`Tree::of`].
pub(super) fn attach(stream: &Stream, options: &Options) -> Result<Attached> {
    let mut comments = stream.comments.iter().copied().peekable();
    let mut trees = Vec::with_capacity(stream.documents.len());
    let mut handed_on: Vec<Comment> = Vec::new();
    for (index, document) in stream.documents.iter().enumerate() {
        let end = stream
            .documents
            .get(index + 1)
            .map_or(usize::MAX, |next| line_of(stream, document_span(next)));
        let mut own = Vec::new();
        while let Some(span) = comments.next_if(|span| span.start() < end) {
            own.push(span);
        }
        let needs_tree = !own.is_empty()
            || !handed_on.is_empty()
            || stream.has_aliases
            || !is_distinct(&document.root);
        if !needs_tree {
            trees.push(None);
            continue;
        }
        let mut tree = Tree::of(document)?;
        tree.nodes[0].comments = std::mem::take(&mut handed_on);
        handed_on = attach_to(&mut tree, stream, own, options)?;
        trees.push(Some(tree));
    }
    let mut rest = handed_on;
    for span in comments {
        rest.extend(comment::read(&stream.source, span, options)?);
    }
    Ok(Attached { trees, rest })
}

/// The start of the line of a place.
fn line_of(stream: &Stream, place: Span) -> usize {
    line_start(&stream.source, place.start())
}

fn line_start(source: &Source, offset: usize) -> usize {
    source
        .text()
        .get(..offset)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |at| at + 1)
}

/// Whether each mapping holds each key once, and no merge key.
fn is_distinct(node: &Node) -> bool {
    match &node.content {
        Content::Mapping(mapping) => {
            let texts = mapping.entries.iter().map(|entry| entry.key.text());
            let mut seen = HashSet::with_capacity(mapping.entries.len());
            let mut has_distinct_keys = true;
            for text in texts {
                has_distinct_keys &= text.is_none_or(|text| text != "<<" && seen.insert(text));
            }
            has_distinct_keys
                && mapping
                    .entries
                    .iter()
                    .all(|entry| is_distinct(&entry.value))
        }
        Content::Sequence(sequence) => sequence.items.iter().all(|item| is_distinct(&item.value)),
        _ => true,
    }
}

/// Attaches the comments of one document and returns those that belong to the next.
fn attach_to(
    tree: &mut Tree,
    stream: &Stream,
    comments: Vec<Span>,
    options: &Options,
) -> Result<Vec<Comment>> {
    let source = &stream.source;
    let mut order: Vec<usize> = (0..tree.nodes.len())
        .filter(|node| tree.nodes[*node].has_line)
        .collect();
    // A node that an alias stands for comes again, with the line it stands on.
    order.sort_by_key(|node| line_start_if(stream, tree.nodes[*node].place.start()));
    let mut handed_on = Vec::new();
    for span in comments {
        let line = line_start(source, span.start());
        let first = order.partition_point(|node| tree.nodes[*node].place.start() < line);
        let on_line = order.get(first..).unwrap_or_default();
        let on_line = on_line
            .iter()
            .take_while(|node| tree.nodes[**node].place.start() < span.start());
        let owner = on_line.copied().last();
        if owner.is_some_and(|owner| is_in_header(tree, owner, span)) {
            continue;
        }
        let Some(mut comment) = comment::read(source, span, options)? else {
            continue;
        };
        if comment.kind == CommentKind::Short {
            comment.kind = if owner.is_some() {
                CommentKind::Value
            } else {
                CommentKind::Code
            };
        }
        match owner.or_else(|| next_owner(tree, &order, span)) {
            Some(owner) => tree.nodes[owner].comments.push(comment),
            None => handed_on.push(comment),
        }
    }
    Ok(handed_on)
}

/// Nodes are in the order of the text already, unless aliases are written out.
fn line_start_if(stream: &Stream, offset: usize) -> usize {
    if stream.has_aliases {
        line_start(&stream.source, offset)
    } else {
        0
    }
}

/// The first node below a comment.
fn next_owner(tree: &Tree, order: &[usize], span: Span) -> Option<usize> {
    let next = order.partition_point(|node| tree.nodes[*node].place.start() < span.end());
    order.get(next).copied()
}

/// Whether a comment stands in the header of a block scalar, where YAML has comments and templates do not.
fn is_in_header(tree: &Tree, owner: usize, span: Span) -> bool {
    let value = &tree.nodes[owner].value;
    let is_block = value
        .as_scalar()
        .is_some_and(|scalar| matches!(scalar.style, ScalarStyle::Literal | ScalarStyle::Folded));
    let place = value.origin.as_ref().map(|origin| origin.span);
    is_block
        && place.is_some_and(|place| place.start() <= span.start() && span.end() <= place.end())
}
