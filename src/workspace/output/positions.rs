//! Documents with the file and line of each value: `-o pos`.
//!
//! ```text
//! config.yml:1           | [doc]
//! config.yml:2           |   name: shop
//! ```
//!
//! A value created by code has no place in a file. It is shown at the line of the code.

use std::sync::Arc;

use crate::source::{Location, Result, Span, quoted_name};
use crate::yaml::{Content, Item, Node, canonical_node, expand};

/// The additional width of the column when it grows to fit a wider place.
const MARGIN: usize = 10;

const STEP: usize = 2;

/// Prints a line for each document, entry and item.
///
/// # Errors
/// Fails as [`expand`] does.
pub(super) fn print<'a>(documents: impl Iterator<Item = &'a Arc<Node>>) -> Result<String> {
    let mut printer = PositionPrinter {
        text: String::new(),
        width: 0,
    };
    for document in documents {
        let expanded = expand(document)?;
        let place = expanded
            .location()
            .map(|place| compact(&document_place(&place)))
            .unwrap_or_default();
        printer.line(&place, 0, "[doc]");
        match &expanded.content {
            Content::Mapping(_) | Content::Sequence(_) => {
                printer.children(&expanded, &place, STEP)?;
            }
            Content::Scalar(_) | Content::Alias(_) => printer.leaf(&expanded, STEP)?,
        }
    }
    Ok(printer.text)
}

struct PositionPrinter {
    text: String,
    /// The width of the places column.
    width: usize,
}

impl PositionPrinter {
    /// Prints the entries or items of a node at `around`. The recursion is safe because [`expand`]
    /// limits the depth.
    fn children(&mut self, node: &Node, around: &str, indent: usize) -> Result<()> {
        match &node.content {
            Content::Mapping(mapping) => {
                for entry in &mapping.entries {
                    let place = entry.key.location();
                    let place = place.map_or_else(|| around.to_owned(), |place| compact(&place));
                    // Print it as YAML for keys without a text, such as collections.
                    let key = canonical_node(&entry.key)?;
                    self.child(
                        &place,
                        indent,
                        &format!("{}:", entry.key.text().unwrap_or(key.trim_end())),
                        &entry.value,
                    )?;
                }
            }
            Content::Sequence(sequence) => {
                for (index, item) in sequence.items.iter().enumerate() {
                    let place = item_place(node, item);
                    let place = place.map_or_else(|| around.to_owned(), |place| compact(&place));
                    self.child(&place, indent, &format!("[{index}]"), &item.value)?;
                }
            }
            Content::Scalar(_) | Content::Alias(_) => {}
        }
        Ok(())
    }

    fn child(&mut self, place: &str, indent: usize, name: &str, value: &Arc<Node>) -> Result<()> {
        if value.as_scalar().is_none() {
            self.line(place, indent, name);
            return self.children(value, place, indent + STEP);
        }
        let leaf = canonical_node(value)?;
        match leaf.trim_end_matches('\n') {
            text if text.contains('\n') => {
                self.line(place, indent, name);
                self.leaf(value, indent + STEP)
            }
            text => {
                self.line(place, indent, &format!("{name} {text}"));
                Ok(())
            }
        }
    }

    fn leaf(&mut self, value: &Arc<Node>, indent: usize) -> Result<()> {
        let text = canonical_node(value)?;
        self.line("", indent, text.strip_suffix('\n').unwrap_or(&text));
        Ok(())
    }

    fn line(&mut self, place: &str, indent: usize, text: &str) {
        // The lines are printed one by one without looking ahead, so the column can only grow, as
        // in ytt.
        if place.len() > self.width {
            self.width = place.len() + MARGIN;
        }
        let width = self.width;
        self.text
            .push_str(&format!("{place:>width$} | {:indent$}{text}\n", ""));
    }
}

/// Returns the place of an item, which is its dash.
fn item_place(node: &Node, item: &Item) -> Option<Location> {
    match (&node.origin, item.start) {
        (Some(origin), Some(start)) => {
            Some(Location::new(&origin.source, Span::at(start as usize)))
        }
        _ => item.value.location(),
    }
}

fn compact(place: &Location) -> String {
    let place = place.in_file();
    format!(
        "{}:{}",
        quoted_name(place.source.name()),
        place.source.line(place.span.start())
    )
}

/// Returns the place of a document: the last `---` above its content, or the first line.
fn document_place(root: &Location) -> Location {
    let place = root.in_file();
    let before = place
        .source
        .text()
        .get(..place.span.start())
        .unwrap_or_default();
    // The tree does not contain the markers, so search the text.
    let marker = before.rfind("\n---").map_or(0, |at| at + 1);
    Location::new(&place.source, Span::at(marker))
}
