//! Finds the node that each comment belongs to, by lines alone, as ytt does:
//!
//! ```text
//! a: 1 #@ x            a node starts on the line: the last one that does, `a`
//! #@overlay/remove     none does: the first node on the next line where one starts, `b`
//! b:
//! - c: 1 #@ y          the item and `c` start here: the last one, `c`
//! #@ z                 no node below in this document: the next document
//! ---
//! d: 1
//! #@ end               after the last document: belongs to no node, but code and annotations count
//! ```

use std::collections::HashSet;

use super::comment::{self, CommentKind, TemplateComment, TemplateOptions};
use super::tree::{TemplateTree, document_span};
use crate::source::{Result, Source, Span};
use crate::yaml::{Content, Node, ScalarStyle, Stream};

/// The documents of a template with their comments.
pub(super) struct Attached {
    /// The tree of each document; `None` for a document that can be shared as a whole.
    pub(super) trees: Vec<Option<TemplateTree>>,
    /// The comments after the last document.
    pub(super) rest: Vec<TemplateComment>,
}

/// Attaches all comments of a stream.
///
/// # Errors
/// See [`comment::read`] and [`TemplateTree::of`].
pub(super) fn attach(stream: &Stream, options: &TemplateOptions) -> Result<Attached> {
    let mut comments = stream.comments.iter().copied().peekable();
    let mut trees = Vec::with_capacity(stream.documents.len());
    // The comments that belong to the next document.
    let mut passed_on: Vec<TemplateComment> = Vec::new();
    for (index, document) in stream.documents.iter().enumerate() {
        // A comment on the line of a marker belongs to the document of that marker. The limit is
        // therefore the start of the *line* of the next marker:
        //
        //    a: 1
        //    #@ x       <- belongs to this document, or is passed on
        //    --- #@ y   <- belongs to the next one
        let end = match stream.documents.get(index + 1) {
            Some(next) => line_start(&stream.source, document_span(next).start()),
            None => usize::MAX,
        };
        let mut own = Vec::new();
        while let Some(span) = comments.next_if(|span| span.start() < end) {
            own.push(span);
        }
        // Invariant: a document without code never enters Starlark. A tree is also needed to write
        // out aliases and to find repeated keys, which templates treat differently from YAML.
        let can_be_shared = own.is_empty()
            && passed_on.is_empty()
            && !stream.has_aliases
            && has_distinct_keys(&document.root);
        if can_be_shared {
            trees.push(None);
            continue;
        }
        let mut tree = TemplateTree::of(document)?;
        // Node 0 is the document itself. Comments that were passed on, because they had no node
        // below them, come before its own comments.
        tree.nodes[0].comments = std::mem::take(&mut passed_on);
        passed_on = attach_to(&mut tree, stream, &own, options)?;
        trees.push(Some(tree));
    }
    let mut rest = passed_on;
    for span in comments {
        rest.extend(comment::read(&stream.source, span, options)?);
    }
    Ok(Attached { trees, rest })
}

/// Returns the start of the line that contains an offset.
fn line_start(source: &Source, offset: usize) -> usize {
    let before = source.text().get(..offset).unwrap_or_default();
    match before.rfind('\n') {
        Some(line_break) => line_break + 1,
        None => 0,
    }
}

/// Returns whether no mapping inside has a merge key or a repeated key.
fn has_distinct_keys(node: &Node) -> bool {
    match &node.content {
        Content::Mapping(mapping) => {
            let mut seen = HashSet::with_capacity(mapping.entries.len());
            for entry in &mapping.entries {
                // A key without a text is a collection, and equals no other key.
                if let Some(text) = entry.key.text()
                    && (text == "<<" || !seen.insert(text))
                {
                    return false;
                }
            }
            mapping
                .entries
                .iter()
                .all(|entry| has_distinct_keys(&entry.value))
        }
        Content::Sequence(sequence) => sequence
            .items
            .iter()
            .all(|item| has_distinct_keys(&item.value)),
        Content::Scalar(_) | Content::Alias(_) => true,
    }
}

/// Attaches the comments of one document and returns those that belong to the next one.
fn attach_to(
    tree: &mut TemplateTree,
    stream: &Stream,
    comments: &[Span],
    options: &TemplateOptions,
) -> Result<Vec<TemplateComment>> {
    let source = &stream.source;
    let order = nodes_by_line(tree, stream);
    let mut passed_on = Vec::new();
    for &span in comments {
        let owner_on_line = last_on_line(tree, &order, source, span);
        // Check this before the comment is read, because `# note` is not a mistake there.
        if owner_on_line.is_some_and(|owner| is_in_block_scalar(tree, owner, span)) {
            continue;
        }
        let Some(mut comment) = comment::read(source, span, options)? else {
            continue;
        };
        if comment.kind == CommentKind::Short {
            // `#@ x` is the value of a node on its line, or code if it has its own line.
            comment.kind = match owner_on_line {
                Some(_) => CommentKind::Value,
                None => CommentKind::Code,
            };
        }
        match owner_on_line.or_else(|| first_below(tree, &order, span)) {
            Some(owner) => tree.nodes[owner].comments.push(comment),
            None => passed_on.push(comment),
        }
    }
    Ok(passed_on)
}

/// Returns the nodes that have a line, sorted by line.
fn nodes_by_line(tree: &TemplateTree, stream: &Stream) -> Vec<usize> {
    let mut order = Vec::with_capacity(tree.nodes.len());
    for (id, node) in tree.nodes.iter().enumerate() {
        if node.has_line {
            order.push(id);
        }
    }
    // Nodes are in the order of the text, unless aliases are written out: then the nodes of the
    // anchor are repeated, with the lines of the anchor. Only in that case is it worth computing
    // the line of each node.
    if stream.has_aliases {
        order.sort_by_key(|id| line_start(&stream.source, tree.nodes[*id].place.start()));
    }
    order
}

/// Returns the last node that starts on the line of a comment, before the comment.
fn last_on_line(
    tree: &TemplateTree,
    order: &[usize],
    source: &Source,
    comment: Span,
) -> Option<usize> {
    let line = line_start(source, comment.start());
    // Use bisection, because a template with 100,000 lines has about as many comments as nodes.
    let first = order.partition_point(|id| tree.nodes[*id].place.start() < line);
    let mut last = None;
    for &id in &order[first..] {
        if tree.nodes[id].place.start() >= comment.start() {
            break;
        }
        last = Some(id);
    }
    last
}

/// Returns the first node after a comment.
fn first_below(tree: &TemplateTree, order: &[usize], comment: Span) -> Option<usize> {
    let next = order.partition_point(|id| tree.nodes[*id].place.start() < comment.end());
    order.get(next).copied()
}

/// Returns whether a comment is in the header of a block scalar, where YAML allows comments and
/// templates do not:
///
/// ```text
/// a: | # a comment in YAML
///   text
/// ```
fn is_in_block_scalar(tree: &TemplateTree, owner: usize, comment: Span) -> bool {
    let value = &tree.nodes[owner].value;
    let (Some(scalar), Some(origin)) = (value.as_scalar(), &value.origin) else {
        return false;
    };
    matches!(scalar.style, ScalarStyle::Literal | ScalarStyle::Folded)
        && origin.span.start() <= comment.start()
        && comment.end() <= origin.span.end()
}
