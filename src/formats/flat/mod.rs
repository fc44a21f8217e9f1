//! Texts of keys and values, one a line: Java's `.properties` and environment files.
//!
//! They say a mapping of strings. What a line looks like is the business of the dialect; what edits do to lines is the
//! same in both.

mod env;
mod properties;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use super::lines::{LineEdits, Lines};
use crate::source::{Code, Diagnostic, Location, OffsetMap, Result, Source, Span};
use crate::yaml::{
    self, CollectionStyle, Content, DerivedText, Mapping, Node, Origin, Scalar, ScalarStyle, Text,
};
use crate::yaml::{TextEdit, Value, apply};

/// Which language a text of keys and values is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Java's properties.
    Properties,
    /// Environment files, as kustomize reads them.
    Env,
}

/// A text of keys and values: what it says, and where.
#[derive(Debug)]
pub struct Flat {
    pub source: Arc<Source>,
    pub dialect: Dialect,
    /// What the text says: a mapping of strings, with an entry for each of `lines`.
    pub root: Arc<Node>,
    lines: Vec<Line>,
    /// Where each value ends, in order.
    ends: Vec<usize>,
}

/// A key and its value, which may go over several lines of the text.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// Where the key begins, or what stands before it on its line (`export`).
    start: usize,
    key: Span,
    value: Span,
}

/// A text and where each byte of it is spelled.
struct Spelled {
    text: String,
    map: OffsetMap,
}

impl Dialect {
    fn is_comment(self) -> fn(&str) -> bool {
        match self {
            Dialect::Properties => |line| line.starts_with(['#', '!']),
            Dialect::Env => |line| line.starts_with('#'),
        }
    }

    /// The text that `raw`, which stands at the offset `base`, spells; `None` where an escape is none.
    fn decode(self, raw: &str, base: usize) -> Option<Spelled> {
        match self {
            Dialect::Properties => properties::decode(raw, base),
            Dialect::Env => Some(Spelled {
                text: raw.to_owned(),
                map: OffsetMap::identity(base, raw.len()),
            }),
        }
    }

    /// What messages call the language.
    fn name(self) -> &'static str {
        match self {
            Dialect::Properties => "a properties file",
            Dialect::Env => "an environment file",
        }
    }
}

/// Reads a text.
///
/// # Errors
/// An escape of properties that is none, and a carriage return without a line feed.
pub(super) fn read(source: &Arc<Source>, dialect: Dialect) -> Result<Flat> {
    let text = source.text();
    let lone = || {
        text.match_indices('\r')
            .find(|(at, _)| !text[at + 1..].starts_with('\n'))
    };
    if let Some((at, _)) = lone() {
        return Err(Diagnostic::error(
            Code::NotADocument,
            "expected lines that end with a line feed, found a lone carriage return",
        )
        .at(Location::new(source, Span::new(at, at + 1)), "here"));
    }
    let lines = match dialect {
        Dialect::Properties => properties::lines(text),
        Dialect::Env => env::lines(text),
    };
    let entries = lines.iter().map(|line| {
        Ok(yaml::Entry {
            key: string(source, dialect, line.key)?,
            value: string(source, dialect, line.value)?,
        })
    });
    let entries = entries.collect::<Result<Vec<_>>>()?;
    let content = Content::Mapping(Mapping {
        style: CollectionStyle::Block,
        entries: entries.into(),
    });
    let origin = Some(Origin {
        source: Arc::clone(source),
        span: Span::new(0, text.len()),
    });
    let root = Arc::new(Node {
        origin,
        properties: None,
        content,
    });
    let ends = lines.iter().map(|line| line.value.end()).collect();
    Ok(Flat {
        source: Arc::clone(source),
        dialect,
        root,
        lines,
        ends,
    })
}

fn string(source: &Arc<Source>, dialect: Dialect, span: Span) -> Result<Arc<Node>> {
    let origin = Origin {
        source: Arc::clone(source),
        span,
    };
    let Some(Spelled { text, .. }) = dialect.decode(source.slice(span), 0) else {
        return Err(Diagnostic::error(
            Code::NotADocument,
            "expected four hexadecimal digits after `\\u`",
        )
        .at(Location::new(source, span), "an escape without them")
        .help("write `\\\\u` for a backslash before a `u`"));
    };
    let scalar = Scalar {
        style: ScalarStyle::DoubleQuoted,
        text: Text::Owned(text.into()),
    };
    Ok(Arc::new(Node {
        origin: Some(origin),
        properties: None,
        content: Content::Scalar(scalar),
    }))
}

/// Where the text of the value `node` is spelled in its source.
pub(super) fn offsets(node: &Node, dialect: Dialect) -> Option<OffsetMap> {
    let origin = node.origin.as_ref()?;
    let spelled = dialect.decode(origin.source.slice(origin.span), origin.span.start())?;
    (node.text() == Some(&spelled.text)).then_some(spelled.map)
}

/// Refuses a tree that keys and values cannot say. What is the same in the tree `before` was looked at before.
///
/// # Errors
/// What is no mapping of texts, null, and what no line of the dialect can hold; each with its place.
pub(super) fn check(before: &Arc<Node>, after: &Arc<Node>, dialect: Dialect) -> Result<()> {
    let root = after.resolved();
    let misfit = |node: &Arc<Node>, message: String| {
        Err(Diagnostic::error(Code::ValueDoesNotFit, message).at(node.location(), "the value"))
    };
    let Some(mapping) = root.as_mapping() else {
        return misfit(
            root,
            format!(
                "{} holds keys and values, found {}",
                dialect.name(),
                root.described()
            ),
        );
    };
    let known = before
        .as_mapping()
        .map(|mapping| &mapping.entries[..])
        .unwrap_or_default();
    let known: HashMap<*const Node, &Arc<Node>> = known
        .iter()
        .map(|entry| (Arc::as_ptr(&entry.key), &entry.value))
        .collect();
    for entry in &mapping.entries {
        let (key, value) = (entry.key.resolved(), entry.value.resolved());
        let old = known.get(&Arc::as_ptr(key));
        if old.is_some_and(|old| Arc::ptr_eq(old, value)) {
            continue;
        }
        let name = key.text().unwrap_or("");
        if value.value() == Some(Value::Null) {
            return misfit(
                value,
                format!("{} has no null, found one for `{name}`", dialect.name()),
            );
        }
        let (Some(_), Some(text)) = (key.text(), value.text()) else {
            return misfit(
                value,
                format!(
                    "{} holds texts alone, found {} for `{name}`",
                    dialect.name(),
                    value.described()
                ),
            );
        };
        let fits = env::can_hold(text) && (old.is_some() || env::can_hold_key(name));
        if dialect == Dialect::Env && !fits {
            let message =
                format!("a line of an environment file cannot hold `{name}` and this value");
            return misfit(value, message);
        }
    }
    Ok(())
}

/// A document of its own. The root is known to be a mapping of texts.
pub(super) fn write(root: &Arc<Node>, dialect: Dialect) -> String {
    let entries = root
        .resolved()
        .as_mapping()
        .map(|mapping| &mapping.entries[..])
        .unwrap_or_default();
    let lines = entries.iter().map(|entry| {
        let (key, value) = (entry.key.resolved(), entry.value.resolved());
        format!(
            "{}\n",
            Style::default().line(
                dialect,
                key.text().unwrap_or(""),
                value.text().unwrap_or("")
            )
        )
    });
    lines.collect()
}

/// How a new line is written: like its neighbour.
#[derive(Clone, Copy, Debug)]
struct Style<'a> {
    /// What stands before the key.
    lead: &'a str,
    /// What stands between key and value.
    equals: &'a str,
    /// Whether characters beyond ASCII stand as they are.
    is_unicode: bool,
}

impl Default for Style<'_> {
    fn default() -> Self {
        Style {
            lead: "",
            equals: "=",
            is_unicode: false,
        }
    }
}

impl Style<'_> {
    fn line(&self, dialect: Dialect, key: &str, value: &str) -> String {
        match dialect {
            Dialect::Env => format!("{}{key}{}{value}", self.lead, self.equals),
            Dialect::Properties => {
                let (key, value) = (
                    properties::spell_key(key, self.is_unicode),
                    properties::spell_value(value, self.is_unicode),
                );
                format!("{}{key}{}{value}", self.lead, self.equals)
            }
        }
    }
}

impl Flat {
    /// The changes to the text that make it say `after`; in order, none overlapping. The dialect can hold what `after`
    /// says.
    pub fn edits(&self, after: &Arc<Node>) -> Vec<TextEdit> {
        let (Some(before), Some(after)) = (self.root.as_mapping(), after.resolved().as_mapping())
        else {
            return Vec::new();
        };
        let mut edits = LineEdits::new(Lines::new(
            self.source.text(),
            &self.ends,
            self.dialect.is_comment(),
        ));
        // A key may stand twice: the first stays the first.
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, entry) in before.entries.iter().enumerate().rev() {
            places
                .entry(entry.key.text().unwrap_or(""))
                .or_default()
                .push(at);
        }
        let mut stays = vec![false; self.lines.len()];
        let mut is_open = self.is_open();
        let mut last = None;
        for entry in &after.entries {
            let key = entry.key.resolved().text().unwrap_or("");
            if let Some(at) = places.get_mut(key).and_then(Vec::pop) {
                stays[at] = true;
                last = Some(at);
                self.replace(
                    at,
                    &before.entries[at].value,
                    entry.value.resolved(),
                    &mut edits,
                );
                continue;
            }
            let text = self.style(last).line(
                self.dialect,
                key,
                entry.value.resolved().text().unwrap_or(""),
            );
            let place = match (last, self.lines.first()) {
                (Some(at), _) => edits.lines.next(self.lines[at].value.end()),
                (None, Some(first)) => edits.lines.own_comments(first.start),
                (None, None) => edits.lines.text.len(),
            };
            // An empty line is what a line that goes on goes on with.
            let goes_on = place == self.source.text().len() && std::mem::take(&mut is_open);
            edits.add(place, 0, if goes_on { format!("\n{text}") } else { text });
        }
        for (line, _) in self.lines.iter().zip(&stays).filter(|(_, stays)| !**stays) {
            edits.remove(line.start, line.value.end());
        }
        edits.finish()
    }

    /// Whether the last line ends with a backslash, so that whatever comes after it is a part of it.
    fn is_open(&self) -> bool {
        let text = self.source.text();
        let backslashes = text.len() - text.trim_end_matches('\\').len();
        self.dialect == Dialect::Properties && backslashes % 2 == 1
    }

    fn replace(&self, at: usize, before: &Arc<Node>, after: &Arc<Node>, edits: &mut LineEdits<'_>) {
        let line = self.lines[at];
        if Arc::ptr_eq(before, after) || before.text() == after.text() {
            return;
        }
        if let Some(spliced) = self.splice(line, before, after) {
            edits.replaced.extend(spliced);
            return;
        }
        let text = after.text().unwrap_or("");
        let text = match self.dialect {
            Dialect::Env => text.to_owned(),
            Dialect::Properties => properties::spell_value(text, self.style(Some(at)).is_unicode),
        };
        let between = self
            .source
            .slice(Span::new(line.key.end(), line.value.start()));
        // A key alone has the empty value; one that a backslash ends goes on on the next line.
        let equals = match between {
            "" if self.is_open() && line.value.end() == self.source.text().len() => "\n=",
            "" => "=",
            _ => "",
        };
        edits.replace(line.value, format!("{equals}{text}"));
    }

    /// The changes of a value that holds a document which was edited.
    fn splice(&self, line: Line, before: &Arc<Node>, after: &Arc<Node>) -> Option<Vec<TextEdit>> {
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
        let raw = self.source.slice(line.value);
        let map = self.dialect.decode(raw, 0)?.map;
        let spell = |text: &str| match self.dialect {
            Dialect::Env => text.to_owned(),
            Dialect::Properties => properties::spell_part(text, self.style(None).is_unicode),
        };
        let inner = derived.edits()?.iter();
        let outer = inner.map(|edit| {
            Some(TextEdit::replace(
                map.outer_span(edit.span)?,
                spell(&edit.text),
            ))
        });
        let outer = outer.collect::<Option<Vec<_>>>()?;
        if self.dialect.decode(&apply(raw, &outer), 0)?.text != derived.text() {
            return None;
        }
        let base = line.value.start();
        let moved = |edit: TextEdit| {
            TextEdit::replace(
                Span::new(edit.span.start() + base, edit.span.end() + base),
                edit.text,
            )
        };
        Some(outer.into_iter().map(moved).collect())
    }

    /// The style of a line, or of the last one.
    fn style(&self, at: Option<usize>) -> Style<'_> {
        let text = self.source.text();
        let is_unicode = !text.is_ascii();
        let line = at
            .and_then(|at| self.lines.get(at))
            .or_else(|| self.lines.last());
        let Some(line) = line else {
            return Style {
                is_unicode,
                ..Style::default()
            };
        };
        let start = Lines::new(text, &self.ends, self.dialect.is_comment()).start(line.start);
        let between = self
            .source
            .slice(Span::new(line.key.end(), line.value.start()));
        let equals = match between {
            "" => "=",
            between if between.contains(['\\', '\n']) => "=",
            between => between,
        };
        Style {
            lead: text.get(start..line.key.start()).unwrap_or(""),
            equals,
            is_unicode,
        }
    }
}
