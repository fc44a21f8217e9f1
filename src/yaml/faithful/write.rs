//! The text of values that are new.

use std::sync::Arc;

use super::Printer;
use super::layout::FlowHabits;
use crate::yaml::json::{is_json_number, json_number};
use crate::yaml::node::Syntax;
use crate::yaml::node::{CollectionStyle, Content, Node, ScalarStyle};
use crate::yaml::spelling::{Place, encode};
use crate::yaml::value::Value;

/// How far apart a block scalar's content and its parent stand, where nothing else decides.
const BLOCK_SCALAR_STEP: usize = 2;

impl Printer<'_> {
    /// The place of a scalar in block context whose collection stands at `indent`.
    pub(super) fn block_place(&self, indent: usize) -> Place<'static> {
        Place {
            syntax: self.syntax,
            flow: false,
            key: false,
            parent_indent: indent,
            step: BLOCK_SCALAR_STEP,
            newline: self.layout.newline(),
            rest: "",
        }
    }

    /// The place of a scalar in a flow collection.
    pub(super) fn flow_place(&self) -> Place<'static> {
        Place {
            flow: true,
            ..self.block_place(0)
        }
    }

    /// Whether a value stands on lines of its own: a block collection that is not empty.
    pub(super) fn is_block(&self, node: &Node) -> bool {
        if self.syntax == Syntax::Json {
            return false;
        }
        match &node.content {
            Content::Mapping(mapping) => {
                mapping.style == CollectionStyle::Block && !mapping.entries.is_empty()
            }
            Content::Sequence(sequence) => {
                sequence.style == CollectionStyle::Block && !sequence.items.is_empty()
            }
            Content::Alias(alias) => self.is_block(&alias.target),
            Content::Scalar(_) => false,
        }
    }

    /// A scalar, in its own style if it was parsed somewhere, else as plainly as it can be.
    pub(super) fn scalar(&self, node: &Node, place: &Place<'_>) -> String {
        let text = node.text().unwrap_or("");
        match node.value() {
            None => String::new(),
            Some(Value::String(_)) => encode(text, self.scalar_style(node, text), place),
            Some(value) if self.syntax == Syntax::Json => json_spelling(value, text),
            Some(Value::Null) if text.is_empty() => "null".to_owned(),
            Some(_) => text.to_owned(),
        }
    }

    fn scalar_style(&self, node: &Node, text: &str) -> ScalarStyle {
        let style = node
            .as_scalar()
            .map_or(ScalarStyle::Plain, |scalar| scalar.style);
        match (&node.origin, style) {
            (None, ScalarStyle::DoubleQuoted) if text.contains('\n') => ScalarStyle::Literal,
            (None, ScalarStyle::DoubleQuoted) => ScalarStyle::Plain,
            _ => style,
        }
    }

    /// A key of a mapping.
    pub(super) fn key(&self, key: &Arc<Node>, neighbour: Option<&Arc<Node>>, flow: bool) -> String {
        let place = Place {
            key: true,
            flow,
            ..self.block_place(0)
        };
        let quoted = neighbour
            .and_then(|key| key.as_scalar())
            .map(|scalar| scalar.style);
        match (quoted, key.as_str()) {
            (Some(style @ (ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted)), Some(text)) => {
                encode(text, style, &place)
            }
            _ => self.inline(key, &place, None),
        }
    }

    /// A value on one line (or over several in brackets, where `multiline` gives the indentation of the line it starts
    /// on). Block collections become flow collections.
    pub(super) fn inline(
        &self,
        node: &Arc<Node>,
        place: &Place<'_>,
        multiline: Option<&str>,
    ) -> String {
        match &node.content {
            Content::Scalar(_) => self.scalar(node, place),
            Content::Alias(alias) => self.inline(&alias.target, place, multiline),
            Content::Mapping(mapping) => {
                let flow = Place {
                    flow: true,
                    ..*place
                };
                let parts = mapping.entries.iter().map(|entry| {
                    let inner = multiline
                        .zip(self.layout.flow().step.as_deref())
                        .map(|(base, step)| format!("{base}{step}"));
                    let value = self.inline(&entry.value, &flow, inner.as_deref());
                    format!(
                        "{}:{}{value}",
                        self.key(&entry.key, None, true),
                        self.after_colon()
                    )
                });
                bracketed(
                    '{',
                    parts.collect(),
                    '}',
                    self.layout.flow(),
                    multiline,
                    self.layout.newline(),
                )
            }
            Content::Sequence(sequence) => {
                let flow = Place {
                    flow: true,
                    ..*place
                };
                let parts = sequence.items.iter().map(|item| {
                    let inner = multiline
                        .zip(self.layout.flow().step.as_deref())
                        .map(|(base, step)| format!("{base}{step}"));
                    self.inline(&item.value, &flow, inner.as_deref())
                });
                bracketed(
                    '[',
                    parts.collect(),
                    ']',
                    self.layout.flow(),
                    multiline,
                    self.layout.newline(),
                )
            }
        }
    }

    /// What stands after a colon in flow context: YAML wants a space after a plain key.
    pub(super) fn after_colon(&self) -> &'static str {
        match self.syntax {
            Syntax::Json => self.layout.flow().after_colon,
            Syntax::Yaml => " ",
        }
    }

    /// A value over several lines. The first line is not indented; the others stand at `indent` or deeper. There is a
    /// final line break only where it belongs to a block scalar at the end. `rest` are the lines that will follow.
    pub(super) fn block(&self, node: &Arc<Node>, indent: usize, rest: &str) -> String {
        let mut lines = String::new();
        self.block_into(node, indent, rest, &mut lines);
        lines
    }

    fn block_into(&self, node: &Arc<Node>, indent: usize, rest: &str, lines: &mut String) {
        // Only the last part has to mind what follows: the others are followed by the next.
        match &node.resolved().content {
            Content::Mapping(mapping) if self.is_block(node) => {
                for (index, entry) in mapping.entries.iter().enumerate() {
                    let rest = if index + 1 == mapping.entries.len() {
                        rest
                    } else {
                        ""
                    };
                    self.separate(index, indent, lines);
                    lines.push_str(&self.key(&entry.key, None, false));
                    lines.push(':');
                    self.entry_value(&entry.value, indent, rest, lines);
                }
            }
            Content::Sequence(sequence) if self.is_block(node) => {
                for (index, item) in sequence.items.iter().enumerate() {
                    let rest = if index + 1 == sequence.items.len() {
                        rest
                    } else {
                        ""
                    };
                    self.separate(index, indent, lines);
                    lines.push_str("- ");
                    self.item_value(&item.value, indent, 1, rest, lines);
                }
            }
            _ => lines.push_str(&self.inline(
                node,
                &Place {
                    rest,
                    ..self.block_place(indent)
                },
                None,
            )),
        }
    }

    fn separate(&self, index: usize, indent: usize, lines: &mut String) {
        if index > 0 {
            if !lines.ends_with('\n') {
                lines.push_str(self.layout.newline());
            }
            lines.extend(std::iter::repeat_n(' ', indent));
        }
    }

    /// A value after the colon of a key that stands at `indent`.
    pub(super) fn entry_value(
        &self,
        value: &Arc<Node>,
        indent: usize,
        rest: &str,
        lines: &mut String,
    ) {
        if !self.is_block(value) {
            lines.push(' ');
            self.block_into(value, indent, rest, lines);
            return;
        }
        let inner = self.value_indent(value, indent);
        lines.push_str(self.layout.newline());
        lines.extend(std::iter::repeat_n(' ', inner));
        self.block_into(value, inner, rest, lines);
    }

    /// A value after the dash of an item, which stands at `indent`, and `gap` spaces.
    pub(super) fn item_value(
        &self,
        value: &Arc<Node>,
        indent: usize,
        gap: usize,
        rest: &str,
        lines: &mut String,
    ) {
        let inner = if self.is_block(value) {
            indent + 1 + gap
        } else {
            indent
        };
        self.block_into(value, inner, rest, lines);
    }

    /// Where a block collection stands under a key at `indent`.
    pub(super) fn value_indent(&self, value: &Arc<Node>, indent: usize) -> usize {
        match &value.resolved().content {
            Content::Sequence(_) => indent + self.layout.sequence_step(),
            _ => indent + self.layout.mapping_step(),
        }
    }
}

/// Parts between brackets, on one line or one part a line.
fn bracketed(
    open: char,
    parts: Vec<String>,
    close: char,
    habits: &FlowHabits,
    multiline: Option<&str>,
    newline: &str,
) -> String {
    let mut result = String::from(open);
    match multiline.zip(habits.step.as_deref()) {
        Some((base, step)) if !parts.is_empty() => {
            let between = format!("{newline}{base}{step}");
            result.push_str(&between);
            result.push_str(&parts.join(&format!(",{between}")));
            result.push_str(newline);
            result.push_str(base);
        }
        _ => result.push_str(&parts.join(&format!(",{}", habits.after_comma))),
    }
    result.push(close);
    result
}

/// A number, boolean or null as JSON spells it.
fn json_spelling(value: Value<'_>, text: &str) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        _ if is_json_number(text) => text.to_owned(),
        value => json_number(value).unwrap_or_else(|| encode_json(text)),
    }
}

fn encode_json(text: &str) -> String {
    let place = Place {
        syntax: Syntax::Json,
        flow: true,
        key: false,
        parent_indent: 0,
        step: 0,
        newline: "\n",
        rest: "",
    };
    encode(text, ScalarStyle::DoubleQuoted, &place)
}
