//! Parses, checks, writes and edits a text that is one mapping of strings.

use std::collections::HashMap;
use std::sync::Arc;

use crate::formats::key_values::{
    self, KeyValueBody, KeyValueLine, KeyValueSyntax, KeyValueText, LineStyle, SpelledText,
    check_texts, not_representable,
};
use crate::formats::language::{DocumentFormat, Language, ParsedText};
use crate::formats::lines::{LineEdits, Lines};
use crate::formats::moved_lines::MovedLines;
use crate::source::{Code, Diagnostic, Location, Result, Source, Span};
use crate::yaml::{self, CollectionStyle, Content, Mapping, Node, Origin, TextEdit};

/// The separator of key and value if there is no neighbour to copy.
const SEPARATOR: &str = "=";

/// One of the languages of flat texts.
pub(super) struct FlatDialect {
    pub(super) language: &'static Language,
    pub(super) syntax: KeyValueSyntax,
    /// Finds the lines of a text.
    pub(super) lines: fn(&str) -> Vec<KeyValueLine>,
    /// Returns whether a line can represent this key (if it is new) and this value.
    pub(super) fits: fn(Option<&str>, &str) -> bool,
}

/// A parsed text of keys and values.
#[derive(Debug)]
pub(super) struct FlatText {
    source: Arc<Source>,
    dialect: &'static FlatDialect,
    /// A mapping of strings, with an entry for each of `lines`.
    pub(super) root: Arc<Node>,
    lines: Vec<KeyValueLine>,
    /// The end of each value, in order.
    ends: Vec<usize>,
}

impl std::fmt::Debug for FlatDialect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.language.name)
    }
}

/// Parses a text.
///
/// # Errors
/// An invalid escape, and a carriage return without a line feed.
pub(super) fn read(source: &Arc<Source>, dialect: &'static FlatDialect) -> Result<FlatText> {
    key_values::refuse_lone_carriage_returns(source)?;
    let lines = (dialect.lines)(source.text());
    let mut entries = Vec::with_capacity(lines.len());
    for line in &lines {
        entries.push(yaml::Entry {
            key: string(source, dialect, line.key)?,
            value: string(source, dialect, line.value)?,
        });
    }
    let root = Arc::new(Node {
        origin: Some(Origin {
            source: Arc::clone(source),
            span: Span::new(0, source.text().len()),
        }),
        properties: None,
        content: Content::Mapping(Mapping {
            is_computed: false,
            style: CollectionStyle::Block,
            entries: entries.into(),
        }),
    });
    let ends = lines.iter().map(|line| line.value.end()).collect();
    Ok(FlatText {
        source: Arc::clone(source),
        dialect,
        root,
        lines,
        ends,
    })
}

fn string(source: &Arc<Source>, dialect: &FlatDialect, span: Span) -> Result<Arc<Node>> {
    match (dialect.syntax.decode)(source.slice(span), 0) {
        Some(SpelledText { text, .. }) => Ok(key_values::string_node(source, span, text)),
        None => Err(Diagnostic::error(
            Code::NotADocument,
            "expected four hexadecimal digits after `\\u`",
        )
        .at(Location::new(source, span), "an escape without them")
        .help("write `\\\\u` for a backslash before a `u`")),
    }
}

/// Refuses a tree that keys and values cannot represent. Entries that it shares with `before` are
/// not checked again.
///
/// # Errors
/// A root that is not a mapping of texts, null, and an entry that no line of the dialect can
/// represent. Each error has the place of the value.
pub(super) fn check(before: &Arc<Node>, after: &Arc<Node>, dialect: &FlatDialect) -> Result<()> {
    let title = dialect.language.title;
    let root = after.resolved();
    let Some(mapping) = root.as_mapping() else {
        let found = root.described();
        let message = format!("{title} contains keys and values, found {found}");
        return Err(not_representable(root, message)
            .help("write a mapping, or name a key of the document in the path"));
    };
    let changed = mapping.changed_since(before.as_mapping());
    let mut known: HashMap<*const Node, &Arc<Node>> = HashMap::new();
    for entry in &changed.before {
        known.insert(Arc::as_ptr(&entry.key), &entry.value);
    }
    for entry in changed.new_elements() {
        let old = known.get(&Arc::as_ptr(entry.key.resolved()));
        if old.is_some_and(|old| Arc::ptr_eq(old, entry.value.resolved())) {
            continue;
        }
        let texts = check_texts(entry, title)?;
        // A key from the text can stay in it even if a new key could not be spelled that way.
        let new_key = match old {
            Some(_) => None,
            None => Some(texts.key),
        };
        if !(dialect.fits)(new_key, texts.value) {
            let message = format!(
                "{title} cannot contain this value on the line of `{}`",
                texts.key
            );
            return Err(not_representable(entry.value.resolved(), message));
        }
    }
    Ok(())
}

/// Writes a new document. The root is a mapping of texts.
pub(super) fn write(root: &Arc<Node>, dialect: &FlatDialect) -> String {
    let style = LineStyle::plain(SEPARATOR);
    let mut text = String::new();
    for entry in root
        .resolved()
        .as_mapping()
        .iter()
        .flat_map(|root| root.entries.iter())
    {
        let key = entry.key.resolved().text().unwrap_or("");
        let value = entry.value.resolved().text().unwrap_or("");
        text.push_str(&style.line(&dialect.syntax, key, value));
        text.push('\n');
    }
    text
}

/// Returns the separator of a neighbour, byte for byte, unless it continues on another line.
pub(super) fn separator(between: &str) -> &str {
    if between.is_empty() || between.contains(['\\', '\n']) {
        SEPARATOR
    } else {
        between
    }
}

impl ParsedText for FlatText {
    fn format(&self) -> DocumentFormat {
        DocumentFormat(self.dialect.language)
    }

    fn source(&self) -> &Arc<Source> {
        &self.source
    }

    fn roots(&self) -> Vec<Arc<Node>> {
        vec![Arc::clone(&self.root)]
    }

    fn edits(&self, roots: &[Arc<Node>]) -> Vec<TextEdit> {
        let after = roots.first().and_then(|root| root.resolved().as_mapping());
        let (Some(before), Some(after)) = (self.root.as_mapping(), after) else {
            return Vec::new();
        };
        let text = self.source.text();
        let syntax = &self.dialect.syntax;
        let text = KeyValueText::new(Lines::new(text, &self.ends, syntax.is_comment));
        let mut edits = LineEdits::new(text.lines);
        let body = KeyValueBody {
            text,
            syntax,
            lines: &self.lines,
            place_if_empty: text.lines.text.len(),
            style_if_empty: LineStyle {
                is_unicode: text.is_unicode,
                ..LineStyle::plain(SEPARATOR)
            },
        };
        let before: Vec<_> = before.entries.iter().collect();
        let after: Vec<_> = after.entries.iter().collect();
        let new = body.edit(&before, &after, &mut edits);
        let moved = MovedLines::new(&self.source, syntax, self.lines.iter().copied(), &edits);
        body.add(&new, &moved, &mut edits);
        edits.finish()
    }
}
