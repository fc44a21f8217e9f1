//! Edits a text that does not end with a line break as if it did.
//!
//! The lines of children can then be inserted, moved and removed at the end of the text as anywhere
//! else. Afterwards, the line break is taken away again:
//!
//! ```text
//! a: 1⏎        a: 1⏎        a: 1⏎          a: 1⏎
//! b: 2    ->   b: 2⏎   ->   b: 2⏎     ->   b: 2⏎
//!                           c: 3⏎          c: 3
//! ```
//!
//! It stays if a block scalar is at the end now: without it, the value of the scalar would have no
//! line break at its end.

use std::sync::Arc;

use super::block::last_node;
use super::compare::is_same_place;
use super::layout::newline;
use super::lines::{SourceLines, without_break};
use crate::source::Span;
use crate::yaml::node::{Content, Node, Stream, Syntax};
use crate::yaml::text_edit::{TextEdit, apply, apply_within};

/// Returns the text of `stream` with a line break at its end. `None` if it is edited as it is: if
/// it has one, or if a block scalar is at its end that is still in `roots`. Its value would get a
/// line break.
pub(super) fn with_final_break(stream: &Stream, roots: &[Arc<Node>]) -> Option<String> {
    let text = stream.source.text();
    if stream.syntax == Syntax::Json || text.is_empty() || text.ends_with('\n') {
        return None;
    }
    let last = last_node(&stream.documents.last()?.root);
    let stays = last.is_block_scalar() && roots.iter().any(|root| contains(root, last));
    (!stays).then(|| format!("{text}{}", newline(text)))
}

/// Returns whether a tree contains a node that was parsed from the same place as `node`.
fn contains(tree: &Node, node: &Node) -> bool {
    match &tree.content {
        Content::Mapping(mapping) => {
            let mut entries = mapping.entries.iter();
            entries.any(|entry| contains(&entry.key, node) || contains(&entry.value, node))
        }
        Content::Sequence(sequence) => {
            let mut items = sequence.items.iter();
            items.any(|item| contains(&item.value, node))
        }
        Content::Scalar(_) => is_same_place(tree, node),
        Content::Alias(_) => false,
    }
}

/// Turns the edits of `ended`, which are in order, into those of the text without the line break at
/// its end. `last` is the last document after the edits.
pub(super) fn without_final_break(
    mut edits: Vec<TextEdit>,
    ended: &str,
    last: &Arc<Node>,
) -> Vec<TextEdit> {
    if edits.is_empty() {
        return edits;
    }
    let end = without_break(ended).len();
    let keeps_break = ends_with_block_scalar(&edits, ended, last);
    let Some(first) = edits.iter().find(|edit| edit.span.end() > end) else {
        if keeps_break {
            edits.push(TextEdit::insert(end, &ended[end..]));
        }
        return edits;
    };
    // All edits from there on become one, which ends before the line break.
    let mut start = first.span.start().min(end);
    let at = edits.partition_point(|edit| edit.span.start() < start);
    let tail = edits.split_off(at);
    let Some(mut text) = apply_within(ended, Span::new(start, ended.len()), tail) else {
        // The span reaches to the end of the text, so no edit is beyond it.
        return edits;
    };
    if !keeps_break {
        // If the last lines are removed, the line above them loses its line break.
        let above = SourceLines::new(ended).before_break(start);
        let is_free = edits.last().is_none_or(|edit| edit.span.end() <= above);
        if text.is_empty() && is_free {
            start = above;
        }
        text.truncate(without_break(&text).len());
    }
    edits.push(TextEdit::replace(Span::new(start, end), text));
    edits
}

/// Returns whether the edited text ends with a block scalar whose value ends with a line break. Its
/// last line is then the last line of the value, and not a comment or a closing quote.
fn ends_with_block_scalar(edits: &[TextEdit], ended: &str, last: &Arc<Node>) -> bool {
    let Some(value) = last_node(last).as_str() else {
        return false;
    };
    if !value.ends_with('\n') {
        return false;
    }
    let edited = apply(ended, edits);
    let last_line = edited.trim_end_matches(['\n', '\r']).rsplit('\n').next();
    let last_line = last_line.unwrap_or("");
    match value.trim_end_matches('\n') {
        // A block scalar of blank lines ends with its header: `|+`, `|2+`.
        "" => last_line
            .trim_end_matches(['+', '-'])
            .trim_end_matches(char::is_numeric)
            .ends_with(['|', '>']),
        // The last line of a folded scalar is a part of a line of its value.
        text => text.ends_with(last_line.trim_start_matches(' ')),
    }
}
