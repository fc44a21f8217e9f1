//! Writes values that have no text yet, in the style of the text around them.
//!
//! A value is written in one of two forms. *Inline* it starts on a line that exists: a scalar, or a
//! collection in brackets. As a *block* it has lines of its own:
//!
//! ```text
//! key: [a, b]      inline, after `key: `
//! key:
//!   - a            a block; its first line comes without the indentation, which the caller writes,
//!   - b            the others with it
//! ```

use std::sync::Arc;

use super::align::{Child, children};
use super::layout::{FlowSpacing, gap_in_brackets};
use super::printer::FaithfulPrinter;
use super::shape::FlowLines;
use crate::yaml::json::{is_json_number, json_number};
use crate::yaml::node::{CollectionStyle, Content, Node, ScalarStyle, Syntax, Text};
use crate::yaml::spelling::{ScalarPlace, encode};
use crate::yaml::value::{PlainContext, Value, is_plain_string};

/// The indentation of the content of a block scalar relative to its parent, if nothing else
/// decides.
const BLOCK_SCALAR_STEP: usize = 2;

impl FaithfulPrinter<'_> {
    /// Returns the place of a scalar in a block collection at `indent`.
    pub(super) fn block_place(&self, indent: usize) -> ScalarPlace<'static> {
        ScalarPlace {
            syntax: self.syntax,
            flow: false,
            key: false,
            parent_indent: indent,
            step: BLOCK_SCALAR_STEP,
            newline: self.layout.newline(),
            rest: "",
        }
    }

    /// Returns the place of a scalar in a flow collection.
    pub(super) fn flow_place(&self) -> ScalarPlace<'static> {
        ScalarPlace {
            flow: true,
            ..self.block_place(0)
        }
    }

    /// Returns whether a value is written as a block: a block collection that is not empty.
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

    /// Writes a scalar: in its own style if it was parsed, otherwise as plainly as possible.
    pub(super) fn scalar(&self, node: &Node, place: &ScalarPlace<'_>) -> String {
        let text = node.text().unwrap_or("");
        match node.value() {
            None => String::new(),
            Some(Value::String(_)) => encode(text, scalar_style(node, text), place),
            Some(value) if self.syntax == Syntax::Json => json_spelling(value, text),
            // An empty text is null after a colon or a dash, but not in brackets.
            Some(Value::Null) if text.is_empty() => "null".to_owned(),
            Some(_) => text.to_owned(),
        }
    }

    /// Writes a key of a mapping, in the quotes of a neighbour's key if it has quotes.
    pub(super) fn key(&self, key: &Arc<Node>, neighbour: Option<&Arc<Node>>, flow: bool) -> String {
        let place = ScalarPlace {
            key: true,
            flow,
            ..self.block_place(0)
        };
        // The keys of JSON are always text, even if YAML reads them differently: `y: 8` becomes
        // `"y": 8`.
        if let (Syntax::Json, Some(text)) = (self.syntax, key.resolved().text()) {
            return encode(text, ScalarStyle::DoubleQuoted, &place);
        }
        // Nobody chose the quotes of a created key.
        let neighbour = neighbour.filter(|key| key.origin.is_some());
        let neighbour = neighbour.and_then(|key| key.as_scalar());
        // Unlike a value, a key copies the quotes of a single neighbour: few people quote only some
        // of their keys.
        match (neighbour, key.as_str()) {
            (Some(neighbour), Some(text)) if neighbour.style.is_quoted() => {
                encode(text, neighbour.style, &place)
            }
            _ => self.inline(key, &place, FlowLines::ONE),
        }
    }

    /// Returns the quotes that all strings among `siblings` have, if at least one of them does not
    /// need quotes. Then quotes are a habit of this collection, and a new string gets them too:
    ///
    /// ```text
    /// - "a"          - a            - "1"
    /// - "b"          - "1"          - "2"
    /// a habit        none           none: these strings need their quotes
    /// ```
    pub(super) fn habitual_quotes(&self, siblings: &[Child<'_>]) -> Option<ScalarStyle> {
        let mut habit = None;
        let mut by_choice = false;
        for value in siblings.iter().map(|child| child.value) {
            let Some(text) = value.as_str() else { continue };
            let style = value.as_scalar()?.style;
            if !style.is_quoted() || habit.is_some_and(|quotes| quotes != style) {
                return None;
            }
            habit = Some(style);
            by_choice |= is_plain_string(text, PlainContext::Block);
        }
        habit.filter(|_| by_choice)
    }

    /// Writes a new string in the given quotes. Returns `None` if there are none, or if the value
    /// has a style of its own: it is not a string, was quoted where it comes from, or has several
    /// lines.
    pub(super) fn quoted(
        &self,
        value: &Arc<Node>,
        quotes: Option<ScalarStyle>,
        place: &ScalarPlace<'_>,
    ) -> Option<String> {
        let quotes = quotes?;
        let text = value.as_str()?;
        let scalar = value.as_scalar()?;
        // The quotes of a parsed value were chosen for it. A plain or created value has no such
        // choice.
        let is_bare = value.origin.is_none() || scalar.style == ScalarStyle::Plain;
        let is_new = self.is_foreign(value) && !matches!(scalar.text, Text::Derived(_));
        if !is_bare || !is_new || text.contains('\n') {
            return None;
        }
        Some(encode(text, quotes, place))
    }

    /// Writes a value inline. Block collections become flow collections. These have one child a
    /// line if `lines` allows it and the example or the text does so.
    pub(super) fn inline(
        &self,
        node: &Arc<Node>,
        place: &ScalarPlace<'_>,
        lines: FlowLines<'_>,
    ) -> String {
        let mut text = String::new();
        self.inline_into(node, place, lines, &mut text);
        text
    }

    /// Adds a value as [`inline`](Self::inline) writes it. Every level adds to the same text, so a
    /// deep value is not copied at each level.
    fn inline_into(
        &self,
        node: &Arc<Node>,
        place: &ScalarPlace<'_>,
        lines: FlowLines<'_>,
        text: &mut String,
    ) {
        let flow = ScalarPlace {
            flow: true,
            ..*place
        };
        match &node.content {
            Content::Scalar(_) => text.push_str(&self.scalar(node, place)),
            // A new alias would need its anchor in this text, before it. The value is always
            // correct.
            Content::Alias(alias) => self.inline_into(&alias.target, place, lines, text),
            Content::Mapping(mapping) => {
                let inner = self.child_lines_of(lines);
                let (neighbour, quotes) = self.quotes_of(lines.example);
                let brackets = self.brackets('{', lines, inner.as_deref());
                for (at, entry) in mapping.entries.iter().enumerate() {
                    brackets.begin_child(at, text);
                    text.push_str(&self.key(&entry.key, neighbour, true));
                    text.extend([":", self.after_colon()]);
                    let lines = lines.child(inner.as_deref(), Some(&entry.key), &entry.value);
                    match self.quoted(&entry.value, quotes, &flow) {
                        Some(value) => text.push_str(&value),
                        None => self.inline_into(&entry.value, &flow, lines, text),
                    }
                }
                brackets.end(mapping.entries.len(), text);
            }
            Content::Sequence(sequence) => {
                let inner = self.child_lines_of(lines);
                let (_, quotes) = self.quotes_of(lines.example);
                let brackets = self.brackets('[', lines, inner.as_deref());
                for (at, item) in sequence.items.iter().enumerate() {
                    brackets.begin_child(at, text);
                    let lines = lines.child(inner.as_deref(), None, &item.value);
                    match self.quoted(&item.value, quotes, &flow) {
                        Some(value) => text.push_str(&value),
                        None => self.inline_into(&item.value, &flow, lines, text),
                    }
                }
                brackets.end(sequence.items.len(), text);
            }
        }
    }

    /// Returns the brackets of a new collection. If `inner` is given, its children have lines of
    /// their own with this indentation.
    fn brackets<'b>(
        &'b self,
        open: char,
        lines: FlowLines<'b>,
        inner: Option<&'b str>,
    ) -> Brackets<'b> {
        let newline = self.layout.newline();
        match (inner, lines.indent) {
            (Some(inner), Some(indent)) => Brackets {
                open,
                before_first: [newline, inner],
                before_next: [newline, inner],
                after_last: [newline, indent],
            },
            _ => {
                let gap = self.gap_in(open, lines.example);
                Brackets {
                    open,
                    before_first: [gap, ""],
                    before_next: [self.layout.flow().after_comma, ""],
                    after_last: [gap, ""],
                }
            }
        }
    }

    /// Returns the text between the brackets of a new collection on one line and its children: as
    /// in the example, or else as in other collections of the text.
    pub(super) fn gap_in(&self, open: char, example: Option<&Arc<Node>>) -> &'static str {
        let own = example.and_then(|example| {
            let list = children(example, &self.text)?;
            gap_in_brackets(example, list.children.first()?.start, &self.text)
        });
        let spacing = self.layout.flow();
        own.unwrap_or(match open {
            '{' => spacing.in_braces,
            _ => spacing.in_brackets,
        })
    }

    /// Returns a key of the example, whose quotes new keys copy, and the quotes of the example's
    /// strings.
    fn quotes_of<'e>(
        &self,
        example: Option<&'e Arc<Node>>,
    ) -> (Option<&'e Arc<Node>>, Option<ScalarStyle>) {
        let list = match (example, self.syntax) {
            (Some(example), Syntax::Yaml) => children(example, &self.text),
            _ => None,
        };
        let Some(list) = list else {
            return (None, None);
        };
        let key = list.children.first().and_then(|child| child.key);
        (key, self.habitual_quotes(&list.children))
    }

    /// Returns the text between a colon and the value in flow context. YAML requires a space after
    /// a plain key.
    pub(super) fn after_colon(&self) -> &'static str {
        match self.syntax {
            Syntax::Json => self.layout.flow().after_colon,
            Syntax::Yaml => " ",
        }
    }

    /// Writes a value as a block whose lines are at `indent`. The first line is not indented. There
    /// is a final line break only if it belongs to a block scalar at the end. `rest` contains the
    /// lines that will follow. A block scalar at the end must not absorb them.
    pub(super) fn block(&self, node: &Arc<Node>, indent: usize, rest: &str) -> String {
        let mut lines = String::new();
        self.block_into(node, indent, rest, &mut lines);
        lines
    }

    fn block_into(&self, node: &Arc<Node>, indent: usize, rest: &str, lines: &mut String) {
        match &node.resolved().content {
            Content::Mapping(mapping) if self.is_block(node) => {
                for (index, entry) in mapping.entries.iter().enumerate() {
                    // Every child but the last is followed by a line at `indent`, which no block
                    // scalar absorbs.
                    let is_last = index + 1 == mapping.entries.len();
                    self.separate(index, indent, lines);
                    lines.push_str(&self.key(&entry.key, None, false));
                    lines.push(':');
                    self.entry_value(&entry.value, indent, if is_last { rest } else { "" }, lines);
                }
            }
            Content::Sequence(sequence) if self.is_block(node) => {
                for (index, item) in sequence.items.iter().enumerate() {
                    let is_last = index + 1 == sequence.items.len();
                    self.separate(index, indent, lines);
                    lines.push_str("- ");
                    self.item_value(
                        &item.value,
                        indent,
                        1,
                        if is_last { rest } else { "" },
                        lines,
                    );
                }
            }
            _ => {
                let place = ScalarPlace {
                    rest,
                    ..self.block_place(indent)
                };
                lines.push_str(&self.inline(node, &place, FlowLines::ONE));
            }
        }
    }

    /// Begins the line of a child, unless it is the first.
    fn separate(&self, index: usize, indent: usize, lines: &mut String) {
        if index == 0 {
            return;
        }
        // A block scalar has already ended its last line.
        if !lines.ends_with('\n') {
            lines.push_str(self.layout.newline());
        }
        lines.extend(std::iter::repeat_n(' ', indent));
    }

    /// Writes a value after the colon of a key at `indent`.
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

    /// Writes a value after the dash of an item at `indent`, with `gap` spaces between them.
    pub(super) fn item_value(
        &self,
        value: &Arc<Node>,
        indent: usize,
        gap: usize,
        rest: &str,
        lines: &mut String,
    ) {
        // - a: 1        the entries of a mapping are after the dash and its gap
        //   b: 2
        let inner = if self.is_block(value) {
            indent + 1 + gap
        } else {
            indent
        };
        self.block_into(value, inner, rest, lines);
    }

    /// Returns the indentation of a block collection under a key at `indent`.
    pub(super) fn value_indent(&self, value: &Arc<Node>, indent: usize) -> usize {
        match &value.resolved().content {
            Content::Sequence(_) => indent + self.layout.sequence_step(),
            _ => indent + self.layout.mapping_step(),
        }
    }
}

/// The text around the children of a collection in brackets.
struct Brackets<'b> {
    open: char,
    before_first: [&'b str; 2],
    /// The text between the comma and a child.
    before_next: [&'b str; 2],
    after_last: [&'b str; 2],
}

impl Brackets<'_> {
    /// Adds what comes before the child at an index.
    fn begin_child(&self, at: usize, text: &mut String) {
        if at == 0 {
            text.push(self.open);
            text.extend(self.before_first);
        } else {
            text.push(',');
            text.extend(self.before_next);
        }
    }

    /// Adds what comes after `count` children.
    fn end(&self, count: usize, text: &mut String) {
        if count == 0 {
            text.push(self.open);
        } else {
            text.extend(self.after_last);
        }
        text.push(if self.open == '{' { '}' } else { ']' });
    }
}

/// Returns the preferred style of a string. A created string has no style of its own and is plain
/// if it can be.
fn scalar_style(node: &Node, text: &str) -> ScalarStyle {
    let style = node
        .as_scalar()
        .map_or(ScalarStyle::Plain, |scalar| scalar.style);
    // Double quotes are the style of every created string, so they express no preference.
    if node.origin.is_some() || style != ScalarStyle::DoubleQuoted {
        return style;
    }
    if text.contains('\n') {
        ScalarStyle::Literal
    } else {
        ScalarStyle::Plain
    }
}

/// Joins the children of a flow collection on one line: `a, b`.
pub(super) fn on_one_line(children: &[String], spacing: &FlowSpacing) -> String {
    children.join(&format!(",{}", spacing.after_comma))
}

/// Joins the children of a flow collection with one child a line. `inner` is the indentation of
/// these lines, and `indent` the indentation of the line of the brackets.
pub(super) fn spread(children: &[String], inner: &str, indent: &str, newline: &str) -> String {
    if children.is_empty() {
        return String::new();
    }
    let children = children.join(&format!(",{newline}{inner}"));
    format!("{newline}{inner}{children}{newline}{indent}")
}

/// Returns a number, boolean or null as JSON spells it. A number that JSON cannot spell, such as
/// `.inf`, becomes a string. [`check_spellable`](crate::yaml::check_spellable) refuses new numbers
/// of this kind before anything is printed.
fn json_spelling(value: Value<'_>, text: &str) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        _ if is_json_number(text) => text.to_owned(),
        value => json_number(value).unwrap_or_else(|| crate::yaml::json::json_string(text)),
    }
}
