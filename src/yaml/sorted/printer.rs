//! Prints nodes as lines in sorted form.

use std::sync::Arc;

use super::entries::SortedEntry;
use super::fold::push_folded;
use super::number::json_float;
use super::refold::refolded;
use crate::source::limits::check_output;
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::canonical::scalar::{is_simple_key, tag_error};
use crate::yaml::canonical::string::{STEP, StringStyle, push_literal};
use crate::yaml::limits::{AliasBudget, printable_text};
use crate::yaml::node::{CollectionStyle, Content, Mapping, Node, ScalarStyle, Sequence};
use crate::yaml::value::{CoreValue, core_value};

/// Prints one document at the end of a text.
pub(super) struct SortedPrinter<'a, 'o> {
    output: &'o mut String,
    /// The entries of all mappings that are being printed, the innermost on top. A shared stack
    /// avoids a list for each mapping.
    pub(super) entries: Vec<SortedEntry<'a>>,
    pub(super) budget: AliasBudget,
}

/// The place at which a node is printed.
#[derive(Clone, Copy)]
struct Place {
    /// The indentation of the collection that contains the node.
    indent: usize,
    /// The text before the node on its line.
    position: PrintPosition,
    /// Whether the node was written in brackets or braces.
    in_flow: bool,
}

/// The text before a node on its line, which decides where a collection begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PrintPosition {
    /// Nothing: the node is the document.
    Start,
    /// A key and its colon: a collection begins on the next line.
    AfterKey,
    /// `-`, or the `:` of a key that is not simple: a collection begins on the same line.
    AfterIndicator,
}

impl<'a, 'o> SortedPrinter<'a, 'o> {
    pub(super) fn new(output: &'o mut String) -> SortedPrinter<'a, 'o> {
        SortedPrinter {
            output,
            entries: Vec::new(),
            budget: AliasBudget::default(),
        }
    }

    /// Prints a document.
    pub(super) fn document(mut self, node: &'a Arc<Node>) -> Result<()> {
        let place = Place {
            indent: 0,
            position: PrintPosition::Start,
            in_flow: false,
        };
        self.node(node, place)
    }

    /// Prints a node and ends its line.
    fn node(&mut self, node: &'a Arc<Node>, place: Place) -> Result<()> {
        let target = node.resolved();
        let is_alias = !Arc::ptr_eq(node, target);
        if is_alias {
            self.budget.enter_alias();
        }
        match &target.content {
            Content::Sequence(sequence) if !sequence.items.is_empty() => {
                self.budget.enter(|| node.location())?;
                self.budget.spend(0, || node.location())?;
                self.sequence(sequence, place)?;
                self.budget.leave();
            }
            Content::Mapping(mapping) if !mapping.entries.is_empty() => {
                self.budget.enter(|| node.location())?;
                self.budget.spend(0, || node.location())?;
                self.mapping(mapping, place)?;
                self.budget.leave();
            }
            Content::Sequence(_) => self.word("[]", place),
            Content::Mapping(_) => self.word("{}", place),
            Content::Scalar(_) | Content::Alias(_) => {
                let bytes = printable_text(target)?;
                self.budget.spend(bytes, || node.location())?;
                check_output(self.output.len() + bytes)?;
                self.scalar(target, place)?;
            }
        }
        if is_alias {
            self.budget.leave_alias();
        }
        Ok(())
    }

    fn sequence(&mut self, sequence: &'a Sequence, place: Place) -> Result<()> {
        // A sequence in a mapping is not indented; its dashes show that it is one.
        let indent = match place.position {
            PrintPosition::AfterIndicator => place.indent + STEP,
            PrintPosition::Start | PrintPosition::AfterKey => place.indent,
        };
        self.begin_collection(place);
        let inner = Place {
            indent,
            position: PrintPosition::AfterIndicator,
            in_flow: place.in_flow || sequence.style == CollectionStyle::Flow,
        };
        for (index, item) in sequence.items.iter().enumerate() {
            self.begin_line(indent, index, place);
            self.output.push('-');
            self.node(&item.value, inner)?;
        }
        Ok(())
    }

    fn mapping(&mut self, mapping: &'a Mapping, place: Place) -> Result<()> {
        let is_root = place.position == PrintPosition::Start;
        let indent = if is_root {
            place.indent
        } else {
            place.indent + STEP
        };
        let in_flow = place.in_flow || mapping.style == CollectionStyle::Flow;
        let first = self.entries.len();
        self.push_entries(mapping, is_root)?;
        let end = self.entries.len();
        if first == end {
            // All its entries were merged from empty mappings.
            self.word("{}", place);
            return Ok(());
        }
        self.begin_collection(place);
        for index in first..end {
            let entry = self.entries[index];
            self.begin_line(indent, index - first, place);
            let position = self.key(entry.key, indent);
            if entry.is_aliased {
                self.budget.enter_alias();
            }
            let inner = Place {
                indent,
                position,
                in_flow,
            };
            self.node(entry.value, inner)?;
            if entry.is_aliased {
                self.budget.leave_alias();
            }
        }
        self.entries.truncate(first);
        Ok(())
    }

    /// Prints a key and its colon, and returns the position of the value.
    fn key(&mut self, key: &str, indent: usize) -> PrintPosition {
        let style = StringStyle::of(key);
        if is_simple_key(key) {
            // A key on the line of its value is never folded.
            push_folded(key, style, None, self.output);
            self.output.push(':');
            return PrintPosition::AfterKey;
        }
        self.output.push('?');
        let place = Place {
            indent,
            position: PrintPosition::AfterIndicator,
            in_flow: false,
        };
        self.string(key, style, place);
        self.indent(indent);
        self.output.push(':');
        PrintPosition::AfterIndicator
    }

    fn scalar(&mut self, node: &'a Arc<Node>, place: Place) -> Result<()> {
        if place.in_flow && is_quoted_in_flow(node) {
            let text = node.text().unwrap_or_default();
            self.string(text, StringStyle::of(text), place);
            return Ok(());
        }
        match core_value(node).map_err(|reason| tag_error(node, reason))? {
            CoreValue::Null => self.word("null", place),
            CoreValue::Bool(true) => self.word("true", place),
            CoreValue::Bool(false) => self.word("false", place),
            CoreValue::Int(number) => self.word(&number.to_string(), place),
            CoreValue::UInt(number) => self.word(&number.to_string(), place),
            CoreValue::Float(number) => match json_float(number) {
                Some(text) => self.word(&text, place),
                None => return Err(not_json(node, "infinity and NaN")),
            },
            CoreValue::Timestamp(text) => self.string(&text, StringStyle::DoubleQuoted, place),
            CoreValue::String(text) if is_folded(node) && !place.in_flow => {
                let text = refolded(&text);
                self.string(&text, StringStyle::of(&text), place);
            }
            CoreValue::String(text) => self.string(&text, StringStyle::of(&text), place),
            CoreValue::Binary(bytes) => match String::from_utf8(bytes) {
                Ok(text) => self.string(&text, StringStyle::of(&text), place),
                Err(_) => return Err(not_json(node, "bytes that are not UTF-8")),
            },
        }
        Ok(())
    }

    fn string(&mut self, text: &str, style: StringStyle, place: Place) {
        if place.position != PrintPosition::Start {
            self.output.push(' ');
        }
        if style == StringStyle::Literal {
            push_literal(text, place.indent + STEP, self.output);
        } else {
            push_folded(text, style, Some(place.indent + STEP), self.output);
        }
        if !self.output.ends_with('\n') {
            self.output.push('\n');
        }
    }

    /// Prints a word that needs no quotes and is never folded, and ends its line.
    fn word(&mut self, text: &str, place: Place) {
        if place.position != PrintPosition::Start {
            self.output.push(' ');
        }
        self.output.push_str(text);
        self.output.push('\n');
    }

    fn begin_collection(&mut self, place: Place) {
        match place.position {
            PrintPosition::Start => {}
            PrintPosition::AfterKey => self.output.push('\n'),
            PrintPosition::AfterIndicator => self.output.push(' '),
        }
    }

    /// Begins the line of an entry or item, except for the first one after an indicator.
    fn begin_line(&mut self, indent: usize, index: usize, place: Place) {
        if index > 0 || place.position != PrintPosition::AfterIndicator {
            self.indent(indent);
        }
    }

    fn indent(&mut self, indent: usize) {
        self.output.extend(std::iter::repeat_n(' ', indent));
    }
}

/// Returns whether kustomize puts a plain scalar between braces or brackets into quotes, which
/// makes it a string.
///
/// kustomize writes each object and reads it again before it prints it. In a flow collection it
/// quotes an empty value (`{a: }` becomes `{a: ''}`) and a text with a colon (`{a:
/// 2001-12-14T21:59:43Z}` becomes `{a: '2001-12-14T21:59:43Z'}`).
fn is_quoted_in_flow(node: &Node) -> bool {
    let is_plain = node
        .as_scalar()
        .is_some_and(|scalar| scalar.style == ScalarStyle::Plain);
    let is_quoted = |text: &str| text.is_empty() || text.contains(':');
    is_plain && node.tag().is_none() && node.text().is_some_and(is_quoted)
}

fn is_folded(node: &Node) -> bool {
    node.as_scalar()
        .is_some_and(|scalar| scalar.style == ScalarStyle::Folded)
}

fn not_json(node: &Node, what: &str) -> Box<Diagnostic> {
    let message = format!("expected a value that JSON can express, and it has no {what}");
    Diagnostic::error(Code::ValueDoesNotFit, message)
        .at(node.location(), "")
        .help("put the value in quotes")
}
