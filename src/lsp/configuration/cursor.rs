//! Finds the key or value at a position of a text that is being typed.
//!
//! A line that is being typed is often not YAML yet, or its meaning is different from the final
//! one:
//!
//! ```text
//! source:
//!   kind: Service
//!   na|            part of the value `Service na`, and soon a key
//!   name: |        nothing, and soon a value
//! ```
//!
//! So the text is parsed unchanged, and then with a text that is probably missing at the position.
//! The first tree with a key or a value at the position is the result.

use std::sync::Arc;

use crate::lsp::code::line_around;
use crate::source::{Source, Span};
use crate::yaml::{Content, Node, ScalarStyle, Stream, parse_data};

/// A step from a collection to a value in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::lsp) enum TreeStep {
    Key(Box<str>),
    Item(usize),
}

/// The element at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::lsp) enum CursorPart {
    /// A key, or its typed part. The last step leads to its value.
    Key,
    /// A scalar in one line, or its typed part.
    Value,
    /// A scalar of several lines.
    Text,
}

/// A text that may be missing, and its place.
type Attempt = (usize, String);

/// Returns the insertions to try until a text parses, in order.
fn attempts(line: &str, span: Span, offset: usize) -> Vec<Attempt> {
    let mut found = vec![(offset, String::new())];
    // Quotes and brackets that are not closed yet.
    let mut quotes = vec![""];
    for quote in ["\"", "'"] {
        if line.matches(quote).count() % 2 == 1 {
            found.push((span.end(), quote.to_owned()));
            quotes.push(quote);
        }
    }
    for missing in ["x", ":", "x:"] {
        found.push((offset, missing.to_owned()));
    }
    let closing = closing_brackets(line);
    if !closing.is_empty() {
        for quote in quotes {
            found.push((span.end(), format!("{quote}{closing}")));
        }
        // A list ends with `, ]`, and what is typed next is an item.
        if offset == span.end() {
            found.push((offset, format!("x{closing}")));
        }
    }
    found
}

/// Returns the closing brackets for the brackets that a line opens.
fn closing_brackets(line: &str) -> String {
    let mut open = Vec::new();
    let mut quote = None;
    for character in line.chars() {
        match (quote, character) {
            (Some(own), _) if own == character => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(character),
            (None, '[') => open.push(']'),
            (None, '{') => open.push('}'),
            (None, ']' | '}') => drop(open.pop()),
            (None, _) => {}
        }
    }
    open.into_iter().rev().collect()
}

/// A position in a tree.
#[derive(Debug)]
pub(in crate::lsp) struct TreeCursor {
    pub(in crate::lsp) part: CursorPart,
    /// The steps from the root of the document.
    pub(super) steps: Vec<TreeStep>,
    /// The values before each step: the root first.
    holders: Vec<Arc<Node>>,
    /// The bytes of the key or value in the text of the editor, without quotes.
    pub(in crate::lsp) span: Span,
    /// The quote around it.
    pub(super) quote: Option<char>,
}

impl TreeCursor {
    /// Finds the element at `offset` of a text.
    pub(in crate::lsp) fn at(text: &str, offset: usize) -> Option<TreeCursor> {
        let line = line_around(text, offset);
        let attempts = attempts(text.get(line.range())?, line, offset);
        let mut found = attempts
            .iter()
            .find_map(|attempt| TreeCursor::with(text, offset, attempt));
        // The lines after it may not be YAML either, for example while lines are being moved.
        if found.is_none() {
            let above = text.get(..line.end())?;
            found = attempts
                .iter()
                .find_map(|attempt| TreeCursor::with(above, offset, attempt));
        }
        found
    }

    /// Finds the element at `offset` after an insertion.
    fn with(text: &str, offset: usize, (at, missing): &Attempt) -> Option<TreeCursor> {
        let (before, after) = text.split_at_checked(*at)?;
        let tried = format!("{before}{missing}{after}");
        let source = Source::new("", tried.as_str()).ok()?;
        let stream = parse_data(&source).ok()?;
        let mut found = TreeCursor::in_stream(&stream, source.text(), offset)?;
        // The inserted text is not in the text of the editor.
        let end = found.span.end();
        if end > *at {
            let end = end.saturating_sub(missing.len()).max(*at);
            found.span = Span::new(found.span.start().min(end), end);
        }
        Some(found)
    }

    fn in_stream(stream: &Stream, text: &str, offset: usize) -> Option<TreeCursor> {
        for document in &stream.documents {
            let mut cursor = TreeCursor {
                part: CursorPart::Value,
                steps: Vec::new(),
                holders: Vec::new(),
                span: Span::at(offset),
                quote: None,
            };
            if cursor.descend(&document.root, text, offset) {
                return Some(cursor);
            }
        }
        None
    }

    /// Searches the position in a value, and returns whether it was found. The parser bounds the
    /// depth.
    fn descend(&mut self, node: &Arc<Node>, text: &str, offset: usize) -> bool {
        match &node.content {
            Content::Scalar(scalar) => {
                let Some(span) = span_around(node, offset) else {
                    return false;
                };
                // An empty value is nothing that could be typed in.
                let is_one_line = !text[span.range()].contains('\n');
                self.part = match is_one_line {
                    true => CursorPart::Value,
                    false => CursorPart::Text,
                };
                self.set_span(span, scalar.style);
                let is_plain = scalar.style == ScalarStyle::Plain;
                !span.is_empty() && (is_one_line || !is_plain)
            }
            Content::Mapping(mapping) => mapping.entries.iter().any(|entry| {
                let key = entry.key.text().unwrap_or_default();
                self.enter(node, TreeStep::Key(key.into()));
                if let (Some(span), Some(scalar)) =
                    (span_around(&entry.key, offset), entry.key.as_scalar())
                {
                    self.part = CursorPart::Key;
                    self.set_span(span, scalar.style);
                    return !text[span.range()].contains('\n');
                }
                self.descend(&entry.value, text, offset) || self.leave()
            }),
            Content::Sequence(sequence) => {
                sequence.items.iter().enumerate().any(|(index, item)| {
                    self.enter(node, TreeStep::Item(index));
                    self.descend(&item.value, text, offset) || self.leave()
                })
            }
            Content::Alias(_) => false,
        }
    }

    fn enter(&mut self, holder: &Arc<Node>, step: TreeStep) {
        self.holders.push(Arc::clone(holder));
        self.steps.push(step);
    }

    /// Leaves a value that does not contain the position.
    fn leave(&mut self) -> bool {
        self.holders.pop();
        self.steps.pop();
        false
    }

    fn set_span(&mut self, span: Span, style: ScalarStyle) {
        self.quote = match style {
            ScalarStyle::DoubleQuoted => Some('"'),
            ScalarStyle::SingleQuoted => Some('\''),
            _ => None,
        };
        self.span = match self.quote {
            Some(_) if span.len() >= 2 => Span::new(span.start() + 1, span.end() - 1),
            _ => span,
        };
    }

    /// Returns the steps from the root to the mapping that the position is in.
    pub(in crate::lsp) fn mapping_steps(&self) -> &[TreeStep] {
        // A scalar that is typed instead of a mapping is at the place of the mapping.
        let own = usize::from(self.part == CursorPart::Key);
        &self.steps[..self.steps.len().saturating_sub(own)]
    }

    /// Returns the start of the value that the first `depth` steps lead to: its key, its dash, or
    /// the marker of its document.
    pub(in crate::lsp) fn start_of_value(&self, depth: usize, text: &str) -> Option<usize> {
        let Some(index) = depth.checked_sub(1) else {
            let root = self.holders.first()?.origin.as_ref()?.span.start();
            return Some(text.get(..root)?.rfind("---").unwrap_or(0));
        };
        match (self.steps.get(index)?, &self.holders.get(index)?.content) {
            (TreeStep::Key(name), Content::Mapping(mapping)) => {
                let mut entries = mapping.entries.iter();
                let entry = entries.find(|entry| entry.key.text() == Some(&**name))?;
                Some(entry.key.origin.as_ref()?.span.start())
            }
            (TreeStep::Item(item), Content::Sequence(sequence)) => {
                Some(sequence.items.at(*item)?.start? as usize)
            }
            _ => None,
        }
    }

    /// Returns the root of the document.
    pub(super) fn root(&self) -> Option<&Arc<Node>> {
        self.holders.first()
    }

    /// Returns the names of the last steps, `*` for an item of a list.
    pub(super) fn last_names(&self, count: usize) -> Vec<&str> {
        let from = self.steps.len().saturating_sub(count);
        let names = self.steps[from..].iter().map(|step| match step {
            TreeStep::Key(key) => &**key,
            TreeStep::Item(_) => "*",
        });
        names.collect()
    }

    /// Returns the collection that a step starts from.
    pub(super) fn holder_before(&self, step: usize) -> Option<&Arc<Node>> {
        self.holders.get(step)
    }

    /// Returns the collection that the step `back` steps before the end starts from: 0 is the one
    /// directly around the position.
    pub(super) fn holder(&self, back: usize) -> Option<&Arc<Node>> {
        let index = self.holders.len().checked_sub(back + 1)?;
        self.holders.get(index)
    }
}

/// Returns the span of a parsed node if the position is in it or at its end.
fn span_around(node: &Node, offset: usize) -> Option<Span> {
    let span = node.origin.as_ref()?.span;
    (span.start()..=span.end())
        .contains(&offset)
        .then_some(span)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(marked: &str) -> Option<(String, CursorPart, String)> {
        let offset = marked.find('|').unwrap();
        let text = marked.replacen('|', "", 1);
        let cursor = TreeCursor::at(&text, offset)?;
        let path = cursor.last_names(9).join(" ");
        Some((path, cursor.part, text[cursor.span.range()].to_owned()))
    }

    #[test]
    fn finds_what_is_typed() {
        use CursorPart::{Key, Text, Value};
        let table: [(&str, &str, CursorPart, &str); 18] = [
            ("na|me: a\n", "name", Key, "name"),
            ("a: b\nna|", "na", Key, "na"),
            ("a:\n  b: c\n  na|", "a na", Key, "na"),
            ("a:\n  b: c\n  |\n", "a ", Key, ""),
            ("a: |\nb: 1\n", "a", Value, ""),
            ("a:\n- b|", "a *", Value, "b"),
            ("a:\n- |", "a *", Value, ""),
            ("a:\n- b: 'c|", "a * b", Value, "c"),
            ("a: {b: c, d: |}\n", "a d", Value, ""),
            ("a: {b: c, d|}\n", "a d", Key, "d"),
            ("a: \"x|y\"\n", "a", Value, "xy"),
            // Brackets and quotes that are not closed yet, in front of lines that are complete.
            ("a: {b: c, d: |\nb: 1\n", "a d", Value, ""),
            ("a: {b: c, d|\nb: 1\n", "a d", Key, "d"),
            ("a: [b.c|\nb: 1\n", "a *", Value, "b.c"),
            ("a: [b, |\nb: 1\n", "a *", Value, ""),
            ("- {a: \"b|\n- c\n", "* a", Value, "b"),
            // The lines after it are not YAML.
            ("a: b|\nc: [\nd: 1\n", "a", Value, "b"),
            ("a: >\n  text|\n  more\n", "a", Text, ">\n  text\n  more\n"),
        ];
        for (marked, path, part, span) in table {
            let expected = (path.to_owned(), part, span.to_owned());
            assert_eq!(at(marked), Some(expected), "{marked}");
        }
    }

    #[test]
    fn finds_nothing_in_a_text_that_is_not_yaml_elsewhere() {
        assert_eq!(at("a: [\nb|"), None);
    }
}
