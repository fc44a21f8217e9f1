//! Faithful printing: the bytes of everything that was not touched, and new text only for what changed.
//!
//! A tree before and a tree after are compared by identity. What is the same node is left alone; a collection that was
//! edited is compared entry by entry; what is new is written in the style of its neighbours: their indentation, their
//! quotes, block or flow, the spacing of their commas and colons. The outcome is a list of [`TextEdit`]s, so a tree that
//! was not edited yields none and its text is the text that was read.

mod align;
mod block;
mod documents;
mod flow;
mod layout;
mod lines;
mod quotes;
mod replace;
mod slot;
mod write;

use std::sync::Arc;

pub use self::documents::{add_documents, print_documents, print_kept};

use self::align::{Part, Step, align, parts};
use self::layout::Layout;
use self::lines::Lines;
use self::replace::without_break;
use super::node::{CollectionStyle, Content, Node};
use super::node::{Stream, Syntax};
use super::relink::relink_document;
use super::text_edit::{TextEdit, apply};
use super::value::Value;
use crate::source::Source;

/// The text of `stream` with each document's root replaced by the one given.
///
/// `roots` has one root for each document, in order; a root that is the document's own changes nothing.
pub fn print(stream: &Stream, roots: &[Arc<Node>]) -> String {
    apply(stream.source.text(), &edits(stream, roots))
}

/// The changes to the text of `stream` that turn its documents into `roots`; in order, none overlapping.
pub fn edits(stream: &Stream, roots: &[Arc<Node>]) -> Vec<TextEdit> {
    let changed = stream
        .documents
        .iter()
        .zip(roots)
        .filter(|(document, root)| !Arc::ptr_eq(&document.root, root));
    let mut printer: Option<Printer<'_>> = None;
    for (document, root) in changed {
        let printer = printer.get_or_insert_with(|| Printer::new(stream));
        // An alias cannot outlive its anchor.
        let root = if stream.has_aliases {
            &relink_document(root)
        } else {
            root
        };
        printer.value(&document.root, root, &Holder::Document);
    }
    let mut edits = printer.map(|printer| printer.edits).unwrap_or_default();
    edits.sort_by_key(|edit| edit.span);
    edits
}

/// The text of a value that stands nowhere yet, as a whole document; YAML ends with a line break, JSON does not.
pub fn write(root: &Arc<Node>, syntax: Syntax) -> String {
    let stream = Stream {
        source: Source::empty(),
        syntax,
        documents: Vec::new(),
        comments: Vec::new(),
        has_aliases: false,
    };
    let printer = Printer::new(&stream);
    match syntax {
        Syntax::Json => printer.inline(root, &printer.flow_place(), None),
        Syntax::Yaml => format!("{}\n", without_break(&printer.block(root, 0, ""))),
    }
}

/// A value as it is written, moved to the left margin: what a person expects to see of a part of a file.
pub fn excerpt(node: &Arc<Node>) -> String {
    let Some(origin) = &node.origin else {
        return write(node, Syntax::Yaml);
    };
    let text = Lines::new(origin.source.text());
    let column = text.column(origin.span.start());
    let own = text.slice(origin.span.start(), origin.span.end());
    let mut lines = own.split('\n');
    let mut result = String::from(lines.next().unwrap_or(""));
    for line in lines {
        let spaces = line.len() - line.trim_start_matches(' ').len();
        result.push('\n');
        result.push_str(&line[spaces.min(column)..]);
    }
    result
}

/// Compares trees and collects edits.
struct Printer<'a> {
    source: &'a Arc<Source>,
    text: Lines<'a>,
    syntax: Syntax,
    layout: Layout<'a>,
    edits: Vec<TextEdit>,
    /// Whether the block scalar at the end of the text was told that it has no line break.
    has_ended_block: bool,
}

/// What a value stands in, which decides how another value can take its place.
#[derive(Clone, Copy, Debug)]
enum Holder {
    /// It is the root of a document.
    Document,
    /// It is the value of an entry of a block mapping whose keys stand at `indent`. `start` is the offset after the
    /// colon, if there is one.
    BlockEntry { indent: usize, start: Option<usize> },
    /// It is an item of a block sequence whose dashes stand at `indent`. `start` is the offset after the dash.
    BlockItem { indent: usize, start: usize },
    /// It is an item of a flow sequence.
    FlowItem,
    /// It is the value of an entry of a flow mapping; `start` is the offset after the colon, if there is one.
    FlowEntry { start: Option<usize> },
}

impl<'a> Printer<'a> {
    fn new(stream: &'a Stream) -> Printer<'a> {
        Printer {
            source: &stream.source,
            text: Lines::new(stream.source.text()),
            syntax: stream.syntax,
            layout: Layout::new(stream),
            edits: Vec::new(),
            has_ended_block: false,
        }
    }

    /// Makes the text say `after` where it says `before`.
    fn value(&mut self, before: &Arc<Node>, after: &Arc<Node>, holder: &Holder) {
        if Arc::ptr_eq(before, after)
            || is_same_alias(before, after)
            || is_same_scalar(before, after)
        {
            return;
        }
        if !is_edited_version(before, after) {
            self.replace(before, after, holder);
        } else if self.unfolds(before, after, holder) {
            // The braces of an empty collection say nothing about how its first entry should be written.
            self.replace(before, &after.in_block_style(), holder);
        } else if !self.children(before, after) {
            self.replace(before, after, holder);
        }
    }

    /// Whether a collection was empty, is not so any more, and stands where its entries can have lines of their own.
    fn unfolds(&self, before: &Node, after: &Node, holder: &Holder) -> bool {
        let in_block = !matches!(holder, Holder::FlowItem | Holder::FlowEntry { .. });
        is_empty(before) && !is_empty(after) && in_block && self.syntax == Syntax::Yaml
    }

    /// Compares two versions of a collection. Returns `false`, with nothing done, where the new one has to be written
    /// whole: nothing is left of the old one.
    fn children(&mut self, before: &Arc<Node>, after: &Arc<Node>) -> bool {
        let (Some((style, old)), Some((_, new))) =
            (parts(before, &self.text), parts(after, &self.text))
        else {
            return false;
        };
        let steps = align(&old, &new);
        let kept = steps
            .iter()
            .filter(|step| matches!(step, Step::Keep { .. }))
            .count();
        let whole = match style {
            CollectionStyle::Block => kept == 0,
            // The one pair of a mapping without braces, which stands in a list, has no place for another.
            CollectionStyle::Flow => kept < steps.len() && !self.is_bracketed(before),
        };
        if whole {
            return false;
        }
        for step in &steps {
            if let &Step::Keep { old: i, new: j } = step {
                let holder = self.holder(style, &old[i]);
                self.value(old[i].value, new[j].value, &holder);
            }
        }
        match style {
            CollectionStyle::Block => self.block_steps(&old, &new, &steps),
            CollectionStyle::Flow => self.flow_steps(before, &old, &new, &steps),
        }
        true
    }

    fn is_bracketed(&self, flow: &Node) -> bool {
        let start = flow.origin.as_ref().map_or(0, |origin| origin.span.start());
        self.text
            .slice(start, self.text.len())
            .starts_with(['[', '{'])
    }

    /// What the value of `part` stands in.
    fn holder(&self, style: CollectionStyle, part: &Part<'_>) -> Holder {
        match (style, part.key) {
            (CollectionStyle::Flow, Some(_)) => Holder::FlowEntry {
                start: part.value_start,
            },
            (CollectionStyle::Flow, None) => Holder::FlowItem,
            (CollectionStyle::Block, Some(_)) => {
                let indent = self.text.column(part.start);
                Holder::BlockEntry {
                    indent,
                    start: part.value_start,
                }
            }
            (CollectionStyle::Block, None) => Holder::BlockItem {
                indent: self.text.column(part.start),
                start: part.start + 1,
            },
        }
    }
}

fn is_empty(collection: &Node) -> bool {
    match &collection.content {
        Content::Mapping(mapping) => mapping.entries.is_empty(),
        Content::Sequence(sequence) => sequence.items.is_empty(),
        Content::Scalar(_) | Content::Alias(_) => false,
    }
}

/// Whether both are the alias that stands at one place: what it stands for may have changed, its own bytes have not.
fn is_same_alias(before: &Node, after: &Node) -> bool {
    match (
        &before.content,
        &after.content,
        &before.origin,
        &after.origin,
    ) {
        (Content::Alias(_), Content::Alias(_), Some(before), Some(after)) => {
            Arc::ptr_eq(&before.source, &after.source) && before.span == after.span
        }
        _ => false,
    }
}

/// Whether both are scalars that say the same, in whatever style.
fn is_same_scalar(before: &Node, after: &Node) -> bool {
    let (Some(_), Some(_)) = (before.as_scalar(), after.as_scalar()) else {
        return false;
    };
    let same = match (before.value(), after.value()) {
        (Some(Value::Null), Some(Value::Null)) => true,
        (old, new) => old == new && before.text() == after.text(),
    };
    same && before.anchor() == after.anchor()
}

/// Whether `after` is the collection `before` with other children, so that the two can be compared child by child.
fn is_edited_version(before: &Node, after: &Node) -> bool {
    let same_place = match (&before.origin, &after.origin) {
        (Some(before), Some(after)) => {
            Arc::ptr_eq(&before.source, &after.source) && before.span == after.span
        }
        _ => false,
    };
    let same_kind = matches!(
        (&before.content, &after.content),
        (Content::Mapping(_), Content::Mapping(_)) | (Content::Sequence(_), Content::Sequence(_))
    );
    same_place && same_kind
}
