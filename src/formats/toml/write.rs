//! Writes values as TOML if there is no text to imitate yet.

use std::sync::Arc;

use super::comments::{OwnComments, RemovedComments};
use super::string::{TomlQuote, spell_key};
use super::{read, scalar, string};
use crate::formats::language::is_whole_text;
use crate::source::Source;
use crate::yaml::{CollectionStyle, Content, Mapping, Node, faithful};

/// The style of new text, taken from its neighbours.
#[derive(Clone, Copy, Debug)]
pub(super) struct TomlStyle<'a> {
    /// The quotes of strings on one line.
    pub(super) quote: TomlQuote,
    /// The separator of a key and its value.
    pub(super) equals: &'a str,
    /// The space between the braces of an inline table and its entries.
    pub(super) brace_gap: &'a str,
    /// The separator of a key and its value in an inline table.
    pub(super) brace_equals: &'a str,
    /// The indentation of the lines of a table.
    pub(super) indent: &'a str,
    pub(super) newline: &'a str,
    /// The text, whose values keep their bytes if they move to another place in it.
    pub(super) source: Option<&'a Arc<Source>>,
    /// The comments of values that move to another place.
    pub(super) removed: Option<&'a RemovedComments<'a>>,
}

impl<'a> TomlStyle<'a> {
    /// Adds the comments that a moved value brings to its lines.
    fn with_comments(self, value: &Node, line: &str) -> String {
        let Some(own) = self.comments(value) else {
            return line.to_owned();
        };
        let mut text = String::new();
        for comment in &own.above {
            text.push_str(&format!("{}{comment}{}", self.indent, self.newline));
        }
        format!("{text}{line}{}", own.beside)
    }

    fn comments(self, value: &Node) -> Option<&'a OwnComments<'a>> {
        self.removed?.of(value)
    }
}

impl Default for TomlStyle<'_> {
    fn default() -> Self {
        TomlStyle {
            quote: TomlQuote::Basic,
            equals: " = ",
            brace_gap: " ",
            brace_equals: " = ",
            indent: "",
            newline: "\n",
            source: None,
            removed: None,
        }
    }
}

/// Writes a new document. The root is a mapping that TOML can represent.
pub(super) fn write(root: &Arc<Node>) -> String {
    let Some(mapping) = root.resolved().as_mapping() else {
        return String::new();
    };
    let style = TomlStyle::default();
    let mut text = String::new();
    body(mapping, "", style, &mut text);
    text
}

/// The form of the value of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueForm {
    /// `key = value`
    Value,
    /// `[key]`
    Table,
    /// `[[key]]`
    Elements,
}

impl ValueForm {
    /// Returns the form in which a value has separate lines, if there is one.
    pub(super) fn of(value: &Arc<Node>) -> ValueForm {
        match &value.resolved().content {
            Content::Mapping(_) => ValueForm::Table,
            Content::Sequence(sequence) => {
                let is_table = |value: &Arc<Node>| value.resolved().as_mapping().is_some();
                let tables = !sequence.items.is_empty()
                    && sequence.items.iter().all(|item| is_table(&item.value));
                if tables {
                    ValueForm::Elements
                } else {
                    ValueForm::Value
                }
            }
            Content::Scalar(_) | Content::Alias(_) => ValueForm::Value,
        }
    }

    /// Returns the form in which a value is written to a new place. One that moves stays between its
    /// brackets.
    pub(super) fn of_new(value: &Arc<Node>, style: TomlStyle<'_>) -> ValueForm {
        match moved_bytes(value, style.source) {
            Some(_) => ValueForm::Value,
            None => ValueForm::of(value),
        }
    }
}

/// Returns the lines of a new table or list of tables under headers with the key `path`, without
/// the last line break.
pub(super) fn sections(path: &str, value: &Arc<Node>, style: TomlStyle<'_>) -> String {
    let mut text = String::new();
    add_sections(path, value, style, &mut text);
    without_break(&text).to_owned()
}

/// Returns the line `[[path]]` and the lines of a new element.
pub(super) fn element(path: &str, value: &Arc<Node>, style: TomlStyle<'_>) -> String {
    let mut text = String::new();
    add_element(path, value, style, &mut text);
    without_break(&text).to_owned()
}

fn without_break(text: &str) -> &str {
    let text = text.strip_suffix('\n').unwrap_or(text);
    text.strip_suffix('\r').unwrap_or(text)
}

fn add_sections(path: &str, value: &Arc<Node>, style: TomlStyle<'_>, text: &mut String) {
    match &value.resolved().content {
        Content::Mapping(mapping) => {
            let is_value = |value| ValueForm::of_new(value, style) == ValueForm::Value;
            if mapping.entries.is_empty()
                || style.comments(value).is_some()
                || mapping.entries.iter().any(|entry| is_value(&entry.value))
            {
                header(&format!("[{path}]"), value, style, text);
            }
            body(mapping, path, style, text);
        }
        Content::Sequence(sequence) => {
            sequence
                .items
                .iter()
                .for_each(|item| add_element(path, &item.value, style, text));
        }
        Content::Scalar(_) | Content::Alias(_) => {}
    }
}

fn add_element(path: &str, value: &Arc<Node>, style: TomlStyle<'_>, text: &mut String) {
    header(&format!("[[{path}]]"), value, style, text);
    if let Some(mapping) = value.resolved().as_mapping() {
        body(mapping, path, style, text);
    }
}

/// Adds the header of the table `value`.
fn header(header: &str, value: &Node, style: TomlStyle<'_>, text: &mut String) {
    if !text.is_empty() {
        text.push_str(style.newline);
    }
    let header = format!("{}{header}", style.indent);
    text.push_str(&style.with_comments(value, &header));
    text.push_str(style.newline);
}

/// Writes the lines of a table: first its values, then the nested tables. A value after a header
/// would belong to the table of that header.
fn body(mapping: &Mapping, path: &str, style: TomlStyle<'_>, text: &mut String) {
    let (values, tables): (Vec<_>, Vec<_>) = mapping
        .entries
        .iter()
        .partition(|entry| ValueForm::of_new(&entry.value, style) == ValueForm::Value);
    for entry in values {
        let key = spell_key(entry.key.resolved().text().unwrap_or(""));
        text.push_str(&statement(&key, &entry.value, style));
        text.push_str(style.newline);
    }
    for entry in tables {
        let key = spell_key(entry.key.resolved().text().unwrap_or(""));
        add_sections(&below(path, &key), &entry.value, style, text);
    }
}

/// Appends a key to dotted keys.
pub(super) fn below(path: &str, key: &str) -> String {
    if path.is_empty() {
        key.to_owned()
    } else {
        format!("{path}.{key}")
    }
}

/// Returns the line `key = value`. A value that moves within its text brings its comments.
pub(super) fn statement(key: &str, value: &Arc<Node>, style: TomlStyle<'_>) -> String {
    let start = format!("{}{key}{}", style.indent, style.equals);
    if let Some(bytes) = moved_bytes(value, style.source) {
        return style.with_comments(value, &format!("{start}{bytes}"));
    }
    match value.resolved().as_str() {
        Some(text) if text.contains('\n') => {
            format!("{start}{}", string::encode(text, long(style.quote)))
        }
        _ => format!("{start}{}", inline(value, style)),
    }
}

fn long(quote: TomlQuote) -> TomlQuote {
    match quote {
        TomlQuote::Basic | TomlQuote::LongBasic => TomlQuote::LongBasic,
        TomlQuote::Literal | TomlQuote::LongLiteral => TomlQuote::LongLiteral,
    }
}

/// Writes a value on one line. One that moves within its text keeps its bytes, also if they are on
/// several lines.
pub(super) fn inline(value: &Arc<Node>, style: TomlStyle<'_>) -> String {
    if let Some(bytes) = moved_bytes(value, style.source) {
        return bytes.to_owned();
    }
    match &value.resolved().content {
        Content::Mapping(mapping) if mapping.entries.is_empty() => "{}".to_owned(),
        Content::Mapping(mapping) => {
            let entries = mapping.entries.iter().map(|entry| {
                let key = spell_key(entry.key.resolved().text().unwrap_or(""));
                format!("{key}{}{}", style.brace_equals, inline(&entry.value, style))
            });
            let gap = style.brace_gap;
            format!("{{{gap}{}{gap}}}", entries.collect::<Vec<_>>().join(", "))
        }
        Content::Sequence(sequence) => {
            let items = sequence.items.iter().map(|item| inline(&item.value, style));
            format!("[{}]", items.collect::<Vec<_>>().join(", "))
        }
        Content::Scalar(_) | Content::Alias(_) => scalar::spell(value.resolved(), style.quote),
    }
}

/// Returns the bytes of a value that comes from this text and was not edited. `None` for any other
/// value, and for a table or list with headers, whose bytes are not those of a value.
pub(super) fn moved_bytes<'s>(
    value: &Arc<Node>,
    source: Option<&'s Arc<Source>>,
) -> Option<&'s str> {
    let (origin, source) = (value.origin.as_ref()?, source?);
    if !Arc::ptr_eq(&origin.source, source)
        || value.collection_style() == Some(CollectionStyle::Block)
    {
        return None;
    }
    let bytes = source.slice(origin.span);
    // A collection that was edited keeps its origin but not its children, so read it again.
    let alone = Source::new("", format!("x = {bytes}")).ok()?;
    let read = read::read(&alone).ok()?;
    is_same(read.root.get("x")?, value).then_some(bytes)
}

/// Returns whether two values have the same scalars in the same order.
fn is_same(one: &Node, other: &Node) -> bool {
    match (&one.content, &other.content) {
        (Content::Scalar(_), Content::Scalar(_)) => scalar::is_same(one, other),
        (Content::Sequence(one), Content::Sequence(other)) => {
            let mut items = one.items.iter().zip(&other.items);
            one.items.len() == other.items.len()
                && items.all(|(one, other)| is_same(&one.value, &other.value))
        }
        (Content::Mapping(one), Content::Mapping(other)) => {
            let mut entries = one.entries.iter().zip(&other.entries);
            one.entries.len() == other.entries.len()
                && entries.all(|(one, other)| {
                    one.key.text() == other.key.text() && is_same(&one.value, &other.value)
                })
        }
        _ => false,
    }
}

/// Returns the source text of a value. The lines of a table may be anywhere in the text, so a table
/// below the root is written as a whole document, and a list of such tables as one value.
pub(super) fn excerpt(value: &Arc<Node>) -> String {
    match &value.content {
        _ if is_whole_text(value) => faithful::excerpt(value),
        Content::Mapping(mapping) if mapping.style == CollectionStyle::Block => write(value),
        Content::Sequence(sequence) if sequence.style == CollectionStyle::Block => {
            inline(value, TomlStyle::default())
        }
        _ => faithful::excerpt(value),
    }
}
