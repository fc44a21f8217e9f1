//! Prints nodes as lines in canonical form. A budget bounds the depth and the expansion of aliases.

use std::sync::Arc;

use super::entries::has_ordinary_keys;
use super::scalar;
use super::string::{STEP, push_spaces};
use crate::source::Result;
use crate::source::limits::check_output;
use crate::yaml::limits::{AliasBudget, check_derived_text};
use crate::yaml::node::{Content, Mapping, Node, Sequence};

/// The line between two documents.
pub(super) const SEPARATOR: &str = "---\n";

/// The number of bytes that are printed between two checks of the limit.
const UNCHECKED: usize = 64 * 1024;

/// Prints documents, one after the other.
pub(in crate::yaml) struct CanonicalPrinter {
    text: String,
    /// The length of the text at the last check of the limit.
    checked: usize,
    /// Whether an entry was left out because a later one has an equal key.
    pub(super) has_repeated_keys: bool,
    pub(super) budget: AliasBudget,
}

/// The text before a node on its line, which decides where a collection begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PrintPosition {
    /// Nothing: the node is the document.
    Start,
    /// A key and its colon: a collection begins on the next line.
    AfterKey,
    /// `-`, `?`, or the `:` of a key that is not simple: a collection begins on the same line.
    AfterIndicator,
}

impl CanonicalPrinter {
    /// Creates a printer with room for a text of `size` bytes.
    pub(in crate::yaml) fn with_capacity(size: usize) -> CanonicalPrinter {
        CanonicalPrinter {
            text: String::with_capacity(size),
            checked: 0,
            has_repeated_keys: false,
            budget: AliasBudget::default(),
        }
    }

    /// Prints a document and returns its number of bytes. The caller checks the limit. Only a
    /// document that is far above the limit is refused here.
    pub(in crate::yaml) fn document(&mut self, node: &Arc<Node>) -> Result<usize> {
        // The limits apply to each document.
        self.budget = AliasBudget::default();
        let start = self.text.len();
        self.node(node, 0, PrintPosition::Start)?;
        Ok(self.text.len() - start)
    }

    /// Prints the line between two documents.
    pub(in crate::yaml) fn separate(&mut self) {
        self.text.push_str(SEPARATOR);
    }

    /// Returns whether an entry was left out because a later one has an equal key.
    pub(in crate::yaml) fn has_repeated_keys(&self) -> bool {
        self.has_repeated_keys
    }

    /// Returns the text of all documents.
    pub(in crate::yaml) fn into_text(self) -> String {
        self.text
    }

    /// Prints a key that is a collection, after `?` in a mapping at `indent`, and
    /// returns the text instead of adding it.
    pub(super) fn aside(&mut self, node: &Arc<Node>, indent: usize) -> Result<String> {
        let before = std::mem::take(&mut self.text);
        let printed = self.node(node, indent, PrintPosition::AfterIndicator);
        let text = std::mem::replace(&mut self.text, before);
        printed.map(|()| text.strip_prefix(' ').unwrap_or(&text).to_owned())
    }

    /// Counts a printed node with the number of bytes of its text.
    pub(super) fn spend(&mut self, node: &Arc<Node>, bytes: usize) -> Result<()> {
        self.budget.spend(bytes, || node.location())
    }

    /// Compares the length of the text with the limit, after every few thousand bytes.
    fn check_length(&mut self, more: usize) -> Result<()> {
        let length = self.text.len() + more;
        if length < self.checked + UNCHECKED {
            return Ok(());
        }
        self.checked = length;
        check_output(length)
    }

    /// Prints a node whose collection is indented by `indent`, and ends its line.
    fn node(&mut self, node: &Arc<Node>, indent: usize, position: PrintPosition) -> Result<()> {
        let target = node.resolved();
        let is_alias = !Arc::ptr_eq(node, target);
        if is_alias {
            self.budget.enter_alias();
        }
        match &target.content {
            Content::Sequence(sequence) if !sequence.items.is_empty() => {
                self.budget.enter(|| node.location())?;
                self.spend(node, 0)?;
                self.sequence(sequence, indent, position)?;
                self.budget.leave();
            }
            Content::Mapping(mapping) if !mapping.entries.is_empty() => {
                self.budget.enter(|| node.location())?;
                self.spend(node, 0)?;
                self.mapping(mapping, indent, position)?;
                self.budget.leave();
            }
            Content::Sequence(_) => self.inline("[]", position),
            Content::Mapping(_) => self.inline("{}", position),
            Content::Scalar(_) | Content::Alias(_) => {
                check_derived_text(target)?;
                let spelling = scalar::scalar(target, indent)?;
                self.spend(node, spelling.text.len())?;
                self.check_length(spelling.text.len())?;
                self.inline(&spelling.text, position);
            }
        }
        if is_alias {
            self.budget.leave_alias();
        }
        Ok(())
    }

    fn sequence(
        &mut self,
        sequence: &Sequence,
        parent: usize,
        position: PrintPosition,
    ) -> Result<()> {
        // A sequence in a mapping is not indented; its dashes show that it is one.
        let indent = if position == PrintPosition::AfterIndicator {
            parent + STEP
        } else {
            parent
        };
        self.begin_collection(position);
        for (index, item) in sequence.items.iter().enumerate() {
            self.begin_line(indent, index, position);
            self.text.push('-');
            self.node(&item.value, indent, PrintPosition::AfterIndicator)?;
        }
        Ok(())
    }

    fn mapping(&mut self, mapping: &Mapping, parent: usize, position: PrintPosition) -> Result<()> {
        let indent = if position == PrintPosition::Start {
            parent
        } else {
            parent + STEP
        };
        if !self.budget.is_in_alias() && has_ordinary_keys(mapping) {
            return self.ordinary_mapping(mapping, indent, position);
        }
        let pairs = self.pairs(mapping, indent)?;
        if pairs.is_empty() {
            // All its entries were merged from empty mappings.
            self.inline("{}", position);
            return Ok(());
        }
        self.begin_collection(position);
        for (index, pair) in pairs.iter().enumerate() {
            self.begin_line(indent, index, position);
            let value_place = if pair.key.is_simple {
                self.text.push_str(&pair.key.text);
                PrintPosition::AfterKey
            } else {
                self.text.push('?');
                self.inline(&pair.key.text, PrintPosition::AfterIndicator);
                self.indent(indent);
                PrintPosition::AfterIndicator
            };
            self.text.push(':');
            if pair.aliased {
                self.budget.enter_alias();
            }
            self.node(pair.value, indent, value_place)?;
            if pair.aliased {
                self.budget.leave_alias();
            }
        }
        Ok(())
    }

    /// Prints a mapping whose keys are printed as their text.
    fn ordinary_mapping(
        &mut self,
        mapping: &Mapping,
        indent: usize,
        position: PrintPosition,
    ) -> Result<()> {
        self.begin_collection(position);
        for (index, entry) in mapping.entries.iter().enumerate() {
            self.begin_line(indent, index, position);
            self.text.push_str(entry.key.text().unwrap_or_default());
            self.text.push(':');
            self.node(&entry.value, indent, PrintPosition::AfterKey)?;
        }
        Ok(())
    }

    fn begin_collection(&mut self, position: PrintPosition) {
        match position {
            PrintPosition::Start => {}
            PrintPosition::AfterKey => self.text.push('\n'),
            PrintPosition::AfterIndicator => self.text.push(' '),
        }
    }

    /// Starts the line of an entry or item, unless it is on the line of the indicator before it.
    fn begin_line(&mut self, indent: usize, index: usize, position: PrintPosition) {
        if index > 0 || position != PrintPosition::AfterIndicator {
            self.indent(indent);
        }
    }

    fn indent(&mut self, indent: usize) {
        push_spaces(indent, &mut self.text);
    }

    /// Prints a value that starts on the current line, and ends its line.
    fn inline(&mut self, text: &str, position: PrintPosition) {
        if position != PrintPosition::Start {
            self.text.push(' ');
        }
        self.text.push_str(text);
        if !text.ends_with('\n') {
            self.text.push('\n');
        }
    }
}
