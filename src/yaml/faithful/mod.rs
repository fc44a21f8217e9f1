//! Faithful printing: keeps the bytes of everything that was not edited, and writes new text only
//! for the changes.
//!
//! A tree before and a tree after are compared from the root down. The same node means "unchanged".
//! An edited collection is compared child by child. A new value is written in the style of its
//! neighbours: their indentation, their quotes, block or flow, the spacing of their commas and
//! colons. The result is a list of [`TextEdit`](super::TextEdit)s. A tree that was not edited has none, and its text
//! is the text that was read.
//!
//! ```text
//! before             after                    edit
//! a: 1  # one        a: 2  # one              the byte `1` becomes `2`
//! b: 'x'             b: 'x'
//!                    c: 'y'                   an inserted line, in the quotes of its neighbour
//! ```
//!
//! The files, in the order of the work:
//!
//! - `compare` finds what changed;
//! - `align` pairs the children of two versions of a collection;
//! - `block`, `block_removal`, `flow`, `flow_moves` and `flow_removal` write children that were
//!   added, moved or removed;
//! - `transfer` writes children that moved to another collection, and `moved_comments` finds their
//!   comments if they cannot take their lines along;
//! - `kept_children` finds the children that stay when a collection is replaced;
//! - `slot` and `replace` replace a value by another one;
//! - `shape` finds the collection that a new one is laid out like;
//! - `write` writes values that have no text yet, and `layout` detects the layout of the text
//!   around them;
//! - `final_break` treats a text without a line break at its end like any other.
//! - `documents` adds and removes whole documents, `separate` prints documents and items on their
//!   own.

mod align;
mod block;
mod block_removal;
mod compare;
mod documents;
mod final_break;
mod flow;
mod flow_children;
mod flow_moves;
mod flow_removal;
mod flow_transfer;
mod kept_children;
mod layout;
mod lines;
mod moved_comments;
mod printer;
mod removed_children;
mod replace;
mod separate;
mod shape;
mod slot;
mod transfer;
mod write;

use std::sync::Arc;

pub use self::compare::edits;
pub use self::documents::{add_documents, print_documents, print_kept};
pub use self::separate::SeparatedText;

use self::lines::{SourceLines, without_break};
use self::printer::FaithfulPrinter;
use self::shape::FlowLines;
use super::node::{CollectionStyle, Node, Stream, Syntax};
use super::text_edit::apply;
use crate::source::Source;

/// Prints `stream` with the root of each document replaced.
/// `roots` has one root for each document, in order. A root that is identical to that of its
/// document changes nothing.
pub fn print(stream: &Stream, roots: &[Arc<Node>]) -> String {
    apply(stream.source.written_text(), &edits(stream, roots))
}

/// Prints a value as a whole document of its own. YAML ends with a line break, JSON does not.
pub fn write(root: &Arc<Node>, syntax: Syntax) -> String {
    let stream = Stream {
        source: Source::empty(),
        syntax,
        documents: Vec::new(),
        comments: Vec::new(),
        has_aliases: false,
        lenient: Vec::new(),
    };
    let printer = FaithfulPrinter::new(&stream, stream.source.text());
    match syntax {
        Syntax::Json => printer.inline(root, &printer.flow_place(), FlowLines::ONE),
        Syntax::Yaml => format!("{}\n", without_break(&printer.block(root, 0, ""))),
    }
}

/// Returns a value as it is written in its file, moved to the left margin:
///
/// ```text
///     ports:         ports of this mapping:   - 80  # http
///       - 80  # http                          - 443
///       - 443
/// ```
///
/// The lines of a collection in brackets keep their indentation from the line of the bracket.
pub fn excerpt(node: &Arc<Node>) -> String {
    let Some(origin) = &node.origin else {
        return write(node, Syntax::Yaml);
    };
    let text = SourceLines::new(origin.source.text());
    let start = origin.span.start();
    let own = text.slice(start, origin.span.end());
    // Only lines after the first have indentation to remove. The column is not computed without
    // them, because thousands of values can be on one line.
    if !own.contains('\n') {
        return own.to_owned();
    }
    let column = match node.collection_style() {
        Some(CollectionStyle::Flow) => text.indentation(start).len(),
        _ => text.column(start),
    };
    let mut lines = own.split('\n');
    let mut result = String::from(lines.next().unwrap_or(""));
    for line in lines {
        let spaces = line.len() - line.trim_start_matches(' ').len();
        result.push('\n');
        result.push_str(&line[spaces.min(column)..]);
    }
    result
}
