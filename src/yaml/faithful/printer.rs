//! The state of faithful printing, and queries of the text that every step needs.

use std::sync::Arc;

use super::final_break::OpenScalar;
use super::layout::TextLayout;
use super::lines::SourceLines;
use super::removed_children::RemovedChildren;
use crate::source::{Source, Span};
use crate::yaml::lenient_place::{LenientKind, LenientPlace};
use crate::yaml::node::{Content, Node, Stream, Syntax};
use crate::yaml::text_edit::TextEdit;

/// Compares trees with the text they were read from and collects edits.
///
/// Edits are found in the order of the trees, not of the text: a value is compared before its
/// siblings are added or removed. They are sorted at the end.
pub(super) struct FaithfulPrinter<'a> {
    pub(super) source: &'a Arc<Source>,
    pub(super) text: SourceLines<'a>,
    pub(super) syntax: Syntax,
    pub(super) layout: TextLayout<'a>,
    pub(super) edits: Vec<TextEdit>,
    /// Whether the text has aliases.
    pub(super) has_aliases: bool,
    /// The places at which the text is not YAML 1.2, in their order.
    lenient: &'a [LenientPlace],
    /// The block scalar at the end of the text, if its last line has no line break.
    pub(super) open_scalar: Option<OpenScalar>,
    /// The root of the document before and after.
    pub(super) versions: Option<(Arc<Node>, Arc<Node>)>,
    /// The children that were removed from the document. They are found when they are first needed.
    pub(super) removed: Option<RemovedChildren>,
}

/// The parent of a value. It decides how another value can replace it.
#[derive(Clone, Copy, Debug)]
pub(super) enum ValueParent {
    /// No parent: the value is the root of a document.
    Document,
    /// A block mapping whose keys are at `indent`. `start` is the offset after the colon of the
    /// value's entry; `None` if the entry is an explicit key without one.
    BlockEntry { indent: usize, start: Option<usize> },
    /// A block sequence whose dashes are at `indent`. `start` is the offset after the dash of the
    /// value's item.
    BlockItem { indent: usize, start: usize },
    /// A flow sequence.
    FlowItem,
    /// A flow mapping. `entry` is the offset of the value's entry, and `start` the offset after its
    /// colon, if it has one.
    FlowEntry { entry: usize, start: Option<usize> },
}

impl ValueParent {
    /// Returns whether the value is inside brackets or braces.
    pub(super) fn is_flow(self) -> bool {
        matches!(self, ValueParent::FlowItem | ValueParent::FlowEntry { .. })
    }
}

impl<'a> FaithfulPrinter<'a> {
    /// Returns a printer for the text of `stream`, without edits. `text` is this text, possibly with
    /// a line break at its end.
    pub(super) fn new(stream: &'a Stream, text: &'a str) -> FaithfulPrinter<'a> {
        FaithfulPrinter {
            source: &stream.source,
            text: SourceLines::new(text),
            syntax: stream.syntax,
            layout: TextLayout::new(stream),
            edits: Vec::new(),
            has_aliases: stream.has_aliases,
            lenient: &stream.lenient,
            open_scalar: OpenScalar::of(stream),
            versions: None,
            removed: None,
        }
    }

    /// Prepares the comparison of the versions of a document.
    pub(super) fn begin_document(&mut self, before: &Arc<Node>, after: &Arc<Node>) {
        self.versions = Some((Arc::clone(before), Arc::clone(after)));
        self.removed = None;
    }

    /// Adds an edit that replaces a span by `text`.
    pub(super) fn replace_text(&mut self, span: Span, text: impl Into<String>) {
        self.edits.push(TextEdit::replace(span, text));
    }

    /// Adds an edit that inserts `text` at an offset.
    pub(super) fn insert_text(&mut self, offset: usize, text: impl Into<String>) {
        self.edits.push(TextEdit::insert(offset, text));
    }

    /// Returns whether an offset is inside a scalar of the document, so that a `#` there begins no
    /// comment:
    ///
    /// ```text
    /// a: 'x
    /// # y'        a line of the text in quotes
    /// # z         a comment
    /// b: 1
    /// ```
    pub(super) fn is_in_scalar(&self, offset: usize) -> bool {
        let Some((before, _)) = &self.versions else {
            return false;
        };
        let mut node = before;
        // Children are in the order of the text, so the one around the offset is the last one that
        // begins before it.
        loop {
            let child = match &node.content {
                Content::Scalar(_) => {
                    let span = node.origin.as_ref().map(|origin| origin.span);
                    return span.is_some_and(|span| span.start() < offset && offset < span.end());
                }
                Content::Alias(_) => return false,
                Content::Mapping(mapping) => {
                    let after = mapping
                        .entries
                        .partition_point(|entry| entry.key.full_start() < offset);
                    let entry = after.checked_sub(1).and_then(|at| mapping.entries.get(at));
                    entry.map(|entry| match entry.value.full_start() < offset {
                        true => &entry.value,
                        false => &entry.key,
                    })
                }
                Content::Sequence(sequence) => {
                    let after = sequence
                        .items
                        .partition_point(|item| item.value.full_start() < offset);
                    let item = after.checked_sub(1).and_then(|at| sequence.items.get(at));
                    item.map(|item| &item.value)
                }
            };
            match child {
                Some(child) => node = child,
                None => return false,
            }
        }
    }

    /// Returns whether a value at `offset` needs no space before it.
    pub(super) fn follows_blank(&self, offset: usize) -> bool {
        let before = self.text.slice(0, offset);
        before.is_empty() || before.ends_with([' ', '\t', '\n', '[', ',', '\u{feff}'])
    }

    /// Returns the span of the dash without quotes that is a whole scalar between brackets and ends
    /// at `end`, if there is one. It can only be followed by a comma or a bracket, without a blank:
    /// `[-, a]` has the item `-`, but `[- ]` is an error.
    pub(super) fn bare_dash(&self, end: usize) -> Option<Span> {
        let next = self.lenient.partition_point(|place| place.span.end() < end);
        let place = self.lenient.get(next)?;
        let is_dash = place.kind == LenientKind::DashInBrackets;
        (is_dash && place.span.end() == end).then_some(place.span)
    }

    /// Returns whether only white space is before `offset` on its line.
    pub(super) fn begins_line(&self, offset: usize) -> bool {
        let before = self.text.slice(self.text.line_start(offset), offset);
        before.trim_matches([' ', '\t', '\u{feff}']).is_empty()
    }

    /// Returns the anchor to write before a value, with a space after it; JSON has none.
    pub(super) fn anchor(&self, node: &Node) -> String {
        match node.anchor() {
            Some(name) if self.syntax == Syntax::Yaml => format!("&{name} "),
            _ => String::new(),
        }
    }

    /// Returns whether a node was not parsed from the text that is printed.
    pub(super) fn is_foreign(&self, node: &Node) -> bool {
        match &node.origin {
            Some(origin) => !Arc::ptr_eq(&origin.source, self.source),
            None => true,
        }
    }
}
