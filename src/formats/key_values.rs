//! Lines with a key and a value: the common part of properties, environment files and INI.
//!
//! A language describes how it spells keys and values ([`KeyValueSyntax`]). Finding the changes,
//! replacing values, and adding and removing lines is the same for all languages and is done here.
//! An edit changes as few bytes as possible:
//!
//! ```text
//! # the port                  # the port
//! port = 8080        ->       port = 9090       only the value is replaced
//! # the host                  tls = on          a new key goes below the key it follows
//! host = web                                    a removed key takes the comments above it along
//! ```

use std::collections::HashMap;
use std::sync::Arc;

use super::lines::{LineEdits, Lines};
use super::moved_lines::{MovedLines, is_moved_over};
use crate::source::{Code, Diagnostic, Location, OffsetMap, Result, Source, Span, steps};
use crate::yaml::{
    Content, DerivedText, Entry, Node, Origin, Scalar, ScalarStyle, Text, TextEdit, Value, apply,
};

/// A key and its value. The value may continue on further lines of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyValueLine {
    /// The start of the statement: the key, or a word before it (`export`).
    pub(super) start: usize,
    /// The bytes of the key.
    pub(super) key: Span,
    /// The bytes of the value.
    pub(super) value: Span,
}

/// A text with a map to the bytes that spell it.
pub(super) struct SpelledText {
    pub(super) text: String,
    pub(super) map: OffsetMap,
}

/// The functions with which a language spells keys and values.
pub(super) struct KeyValueSyntax {
    /// Returns whether a line is a comment. The line is given without the blanks before it.
    pub(super) is_comment: fn(&str) -> bool,
    /// Returns the text of a spelled value, given the offset of its first byte. `None` for an
    /// invalid escape.
    pub(super) decode: fn(&str, usize) -> Option<SpelledText>,
    /// Spells a key.
    pub(super) spell_key: fn(&str, &LineStyle<'_>) -> String,
    /// Spells a whole value.
    pub(super) spell_value: fn(&str, &LineStyle<'_>) -> String,
    /// Spells a piece of a value, which is inserted between existing pieces.
    pub(super) spell_part: fn(&str, &LineStyle<'_>) -> String,
    /// Returns the text between key and value of a new line, given the text that its neighbour has
    /// there.
    pub(super) separator: fn(&str) -> &str,
    /// Returns whether the next line would continue the last value of this text.
    pub(super) is_open: fn(&str) -> bool,
    /// Whether a line that is indented deeper than the key above it continues its value. A new
    /// first line must then be indented at least as deep as the line that it precedes.
    pub(super) continues_by_indentation: bool,
}

/// The style of a new line, taken from its neighbour.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineStyle<'a> {
    /// The text before the key on its line.
    pub(super) lead: &'a str,
    /// The text between key and value.
    pub(super) separator: &'a str,
    /// The spelled value of the neighbour. A new value imitates its quotes and indentation.
    pub(super) neighbour: &'a str,
    /// Whether the text contains unescaped characters beyond ASCII.
    pub(super) is_unicode: bool,
    pub(super) newline: &'static str,
}

impl LineStyle<'_> {
    /// Returns the style of lines without neighbours.
    pub(super) fn plain(separator: &'static str) -> LineStyle<'static> {
        LineStyle {
            lead: "",
            separator,
            neighbour: "",
            is_unicode: false,
            newline: "\n",
        }
    }

    /// Returns a line without its line break.
    pub(super) fn line(&self, syntax: &KeyValueSyntax, key: &str, value: &str) -> String {
        let key = (syntax.spell_key)(key, self);
        let value = (syntax.spell_value)(value, self);
        format!("{}{key}{}{value}", self.lead, self.separator)
    }
}

/// A text of such lines. The style of its new lines depends on the whole text, so it is looked at
/// once and not for each line.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyValueText<'a> {
    pub(super) lines: Lines<'a>,
    /// Whether the text contains unescaped characters beyond ASCII.
    pub(super) is_unicode: bool,
}

impl<'a> KeyValueText<'a> {
    pub(super) fn new(lines: Lines<'a>) -> KeyValueText<'a> {
        steps::count(lines.text.len());
        KeyValueText {
            lines,
            is_unicode: !lines.text.is_ascii(),
        }
    }

    /// Returns the style of a line.
    pub(super) fn style_of(&self, syntax: &KeyValueSyntax, line: KeyValueLine) -> LineStyle<'a> {
        let lines = self.lines;
        let between = lines.slice(line.key.end(), line.value.start());
        LineStyle {
            lead: lines.slice(lines.start(line.start), line.key.start()),
            separator: (syntax.separator)(between),
            neighbour: lines.slice(line.value.start(), line.value.end()),
            is_unicode: self.is_unicode,
            newline: lines.newline,
        }
    }
}

/// An entry that needs a new line.
pub(super) struct NewEntry<'e> {
    /// The number of the line that it follows; `None` before the first line.
    after: Option<usize>,
    key: &'e str,
    value: &'e Arc<Node>,
}

/// Consecutive or scattered lines that together spell one mapping of strings.
pub(super) struct KeyValueBody<'a> {
    pub(super) text: KeyValueText<'a>,
    pub(super) syntax: &'static KeyValueSyntax,
    /// The lines, in the order of the mapping's entries.
    pub(super) lines: &'a [KeyValueLine],
    /// The place of a first line if there are no lines.
    pub(super) place_if_empty: usize,
    /// The style of a first line if there are no lines.
    pub(super) style_if_empty: LineStyle<'a>,
}

impl<'a> KeyValueBody<'a> {
    /// Collects the edits of the existing lines that change the mapping from `before` to `after`,
    /// and returns the entries that need new lines. The entries of `before` correspond to the lines.
    /// The language must be able to represent `after`.
    ///
    /// Entries are compared by key and not by position, because the order of keys has no meaning in
    /// these languages. A kept line stays in its place even if `after` comes from elsewhere and is
    /// sorted differently.
    pub(super) fn edit<'e>(
        &self,
        before: &[&Entry],
        after: &[&'e Entry],
        edits: &mut LineEdits<'_>,
    ) -> Vec<NewEntry<'e>> {
        // A key may be repeated. The first entry in `after` then corresponds to the first in the
        // text.
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, entry) in before.iter().enumerate().rev() {
            let key = entry.key.text().unwrap_or("");
            places.entry(key).or_default().push(at);
        }
        let mut is_kept = vec![false; self.lines.len()];
        let mut new = Vec::new();
        let mut last = None;
        for entry in after {
            let (key, value) = (entry.key.resolved(), entry.value.resolved());
            let key = key.text().unwrap_or("");
            let old = places.get_mut(key).and_then(Vec::pop);
            match old.filter(|&at| !is_moved_over(before[at], entry, self.syntax)) {
                Some(at) => {
                    is_kept[at] = true;
                    last = Some(at);
                    self.replace(at, &before[at].value, value, edits);
                }
                None => new.push(NewEntry {
                    after: last,
                    key,
                    value,
                }),
            }
        }
        for (line, is_kept) in self.lines.iter().zip(is_kept) {
            if !is_kept {
                edits.remove(line.start, line.value.end());
            }
        }
        new
    }

    /// Adds lines for new entries.
    pub(super) fn add(
        &self,
        new: &[NewEntry<'_>],
        moved: &MovedLines<'_>,
        edits: &mut LineEdits<'_>,
    ) {
        let mut is_open = self.ends_open();
        for entry in new {
            let style = self.style_after(entry.after);
            let line = moved
                .line(entry.key, entry.value, &style)
                .unwrap_or_else(|| {
                    style.line(self.syntax, entry.key, entry.value.text().unwrap_or(""))
                });
            let place = self.place_after(entry.after, edits);
            // If the last line of the text would continue on the next one, an empty line ends it
            // before the new line. Otherwise `b` would become part of the value of `a`:
            //
            //     a=x\⏎     ->     a=x\⏎⏎b=new⏎
            let continues = place == self.text.lines.text.len() && std::mem::take(&mut is_open);
            let above = if continues { style.newline } else { "" };
            edits.add(place, 0, format!("{above}{line}"));
        }
    }

    /// Returns whether a line after the text would continue the value of its last line.
    fn ends_open(&self) -> bool {
        let text = self.text.lines.text;
        // A comment that ends with a backslash does not continue.
        let mut ends = self.lines.iter().map(|line| line.value.end());
        (self.syntax.is_open)(text) && ends.any(|end| end == text.len())
    }

    /// Returns the place of a new line that follows the line `last`, or is the first.
    fn place_after(&self, last: Option<usize>, edits: &LineEdits<'_>) -> usize {
        match (last, self.lines.first()) {
            (Some(at), _) => edits.lines.next(self.lines[at].value.end()),
            (None, Some(first)) => edits.lines.own_comments(first.start),
            (None, None) => self.place_if_empty,
        }
    }

    /// Returns the style of a new line that follows the line `last`, or is the first.
    fn style_after(&self, last: Option<usize>) -> LineStyle<'a> {
        let neighbour = match last {
            Some(at) => self.lines.get(at),
            None if self.syntax.continues_by_indentation => self.lines.first(),
            None => self.lines.last(),
        };
        match neighbour {
            Some(line) => self.text.style_of(self.syntax, *line),
            None => self.style_if_empty,
        }
    }

    /// Replaces the value of the line `at`, or only the changed parts of it.
    fn replace(&self, at: usize, before: &Arc<Node>, after: &Arc<Node>, edits: &mut LineEdits<'_>) {
        let line = self.lines[at];
        // A merged tree has other nodes for equal values. Their spelling stays too.
        if Arc::ptr_eq(before, after) || before.text() == after.text() {
            return;
        }
        if let Some(inner) = self.splice(line, before, after) {
            edits.replaced.extend(inner);
            return;
        }
        let style = self.text.style_of(self.syntax, line);
        let value = (self.syntax.spell_value)(after.text().unwrap_or(""), &style);
        let text = self.text.lines.text;
        let is_last = line.value.end() == text.len();
        let separator = match line.value.start() == line.key.end() {
            // The value of a key alone is empty. If a backslash at the end of the text continues
            // the key, the separator has to be on the next line.
            true if is_last && text.ends_with('\\') && (self.syntax.is_open)(text) => "\n=",
            true => style.separator,
            false => "",
        };
        // A line that continues after the last line break contains it. The text keeps it.
        let whole = self.text.lines.slice(line.start, line.value.end());
        let end = whole.trim_end_matches(['\n', '\r']).len();
        let end = if is_last { &whole[end..] } else { "" };
        edits.replace(line.value, format!("{separator}{value}{end}"));
    }

    /// Returns the edits inside a value that contains an edited document. `None` if its text is not
    /// spelled piece by piece.
    ///
    /// ```text
    /// config = {"port": 80,\        the inner edit replaces `80`
    ///     "host": "web"}            -> the same two bytes of this line are replaced
    /// ```
    fn splice(
        &self,
        line: KeyValueLine,
        before: &Arc<Node>,
        after: &Arc<Node>,
    ) -> Option<Vec<TextEdit>> {
        let Content::Scalar(Scalar {
            text: Text::Derived(derived),
            ..
        }) = &after.content
        else {
            return None;
        };
        let derived: &dyn DerivedText = &**derived;
        if !Arc::ptr_eq(derived.base(), before) {
            return None;
        }
        let raw = self.text.lines.slice(line.value.start(), line.value.end());
        let map = (self.syntax.decode)(raw, 0)?.map;
        let style = self.text.style_of(self.syntax, line);
        let mut edits = Vec::new();
        for edit in derived.edits()? {
            let span = map.outer_span(edit.span)?;
            let text = (self.syntax.spell_part)(&edit.text, &style);
            edits.push(TextEdit::replace(span, text));
        }
        // The pieces may have another meaning together, such as a blank at the start of the value,
        // so read them back.
        if (self.syntax.decode)(&apply(raw, &edits), 0)?.text != derived.text() {
            return None;
        }
        let base = line.value.start();
        for edit in &mut edits {
            edit.span = Span::new(edit.span.start() + base, edit.span.end() + base);
        }
        Some(edits)
    }
}

/// Returns the node of a string that is spelled at `span`. The style of the node keeps it a string
/// even if it looks like another type.
pub(super) fn string_node(source: &Arc<Source>, span: Span, text: String) -> Arc<Node> {
    Arc::new(Node {
        origin: Some(Origin {
            source: Arc::clone(source),
            span,
        }),
        properties: None,
        content: Content::Scalar(Scalar {
            style: ScalarStyle::DoubleQuoted,
            text: Text::Owned(text.into()),
        }),
    })
}

/// Maps the text of the value `node` to the bytes that spell it.
pub(super) fn offsets(node: &Node, syntax: &KeyValueSyntax) -> Option<OffsetMap> {
    let origin = node.origin.as_ref()?;
    let spelled = (syntax.decode)(origin.source.slice(origin.span), origin.span.start())?;
    // A replaced value keeps its origin but not its text.
    (node.text() == Some(&spelled.text)).then_some(spelled.map)
}

/// Refuses a carriage return without a line feed: some programs end a line there, and others do
/// not.
///
/// # Errors
/// [`Code::NotADocument`] at the first of them.
pub(super) fn refuse_lone_carriage_returns(source: &Arc<Source>) -> Result<()> {
    let text = source.text();
    for (at, _) in text.match_indices('\r') {
        if !text[at + 1..].starts_with('\n') {
            let message = "expected lines that end with a line feed, found a lone carriage return";
            return Err(Diagnostic::error(Code::NotADocument, message)
                .at(Location::new(source, Span::new(at, at + 1)), "here")
                .help("end each line with a line feed: programs read this text differently"));
        }
    }
    Ok(())
}

/// A key and a value that passed [`check_texts`].
pub(super) struct CheckedTexts<'a> {
    pub(super) key: &'a str,
    pub(super) value: &'a str,
}

/// Refuses an entry whose key or value is not a text. `title` is the name of the language in
/// messages.
///
/// # Errors
/// [`Code::ValueDoesNotFit`] for null, a collection, and a key that is a collection.
pub(super) fn check_texts<'a>(entry: &'a Entry, title: &str) -> Result<CheckedTexts<'a>> {
    let (key, value) = (entry.key.resolved(), entry.value.resolved());
    let name = key.text().unwrap_or("");
    // An empty value would have another meaning: most programs distinguish it from a missing key.
    if value.value() == Some(Value::Null) {
        let message = format!("{title} has no null, found one for `{name}`");
        return Err(
            not_representable(value, message).help("write an empty text, or remove the key")
        );
    }
    match (key.text(), value.text()) {
        (Some(key), Some(value)) => Ok(CheckedTexts { key, value }),
        _ => {
            let found = value.described();
            let message = format!("{title} can only contain text, found {found} for `{name}`");
            Err(not_representable(value, message))
        }
    }
}

/// Returns the error about a value that a language cannot represent.
pub(super) fn not_representable(node: &Node, message: String) -> Box<Diagnostic> {
    Diagnostic::error(Code::ValueDoesNotFit, message).at(node.location(), "the value")
}
