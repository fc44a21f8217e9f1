//! Field paths: kustomize's language, which goes on inside strings, and JSONPath. `docs/field-paths.md` is the reference.

use std::fmt;
use std::sync::Arc;

use super::json_path::{self, Query};
use crate::source::{Code, Diagnostic, Result};

/// A path to values, such as `spec.containers.[name=web].image` or `data.config\.json.server.port`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldPath {
    text: Box<str>,
    segments: Vec<Segment>,
    /// Where each segment ends in `text`.
    ends: Vec<usize>,
}

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// A key of a mapping; on a list an index, or `-` for its last item (or the place after it, where it may be made);
    /// on a string with several documents the index of one.
    Name(Box<str>),
    /// `[key]`: a key, whatever it looks like.
    Key(Box<str>),
    /// `[field=value]`: the items of a list that are mappings with that field.
    Match {
        /// The field.
        field: Box<str>,
        /// The text of its value.
        value: Box<str>,
    },
    /// `[=value]`: the items of a list that are scalars with that text.
    Item(Box<str>),
    /// `*`: every item of a list, every value of a mapping.
    Wildcard,
    /// A dot at the end of the path: the whole document in the string before it.
    Document,
    /// What only a JSONPath can say: an index from the end, a slice, a filter, several of them, or `..`.
    Query(Arc<Query>),
}

impl FieldPath {
    /// A path of another language. `ends` says where each segment ends in `text`.
    pub(super) fn new(text: &str, segments: Vec<Segment>, ends: Vec<usize>) -> FieldPath {
        FieldPath {
            text: text.into(),
            segments,
            ends,
        }
    }

    /// The path of the first `count` segments.
    pub(super) fn first(&self, count: usize) -> FieldPath {
        let count = count.min(self.segments.len());
        FieldPath::new(
            self.prefix(count),
            self.segments[..count].to_vec(),
            self.ends[..count].to_vec(),
        )
    }

    /// The path without its last segment, and that segment; `None` for the path to the root.
    pub(super) fn split_last(&self) -> Option<(FieldPath, &Segment)> {
        let (last, rest) = self.segments.split_last()?;
        Some((self.first(rest.len()), last))
    }

    /// Whether it was read as a JSONPath, or stands in one.
    pub fn is_json_path(&self) -> bool {
        self.text.starts_with(['$', '@'])
    }

    /// How many of its segments go to any depth.
    pub(super) fn descents(&self) -> usize {
        self.segments
            .iter()
            .filter(|segment| matches!(segment, Segment::Query(query) if query.descends()))
            .count()
    }

    /// The path into the document of the string that it leads to.
    pub(super) fn opened(mut self) -> FieldPath {
        self.segments.push(Segment::Document);
        self.ends.push(self.text.len());
        self
    }

    /// Reads a path: a JSONPath where it begins as one, with `$`, `$.` or `$[`.
    ///
    /// # Errors
    /// An empty path, an empty segment in the middle, or a bracket without its partner.
    pub fn parse(text: &str) -> Result<FieldPath> {
        if json_path::is_json_path(text) {
            return json_path::parse(text);
        }
        let mut path = FieldPath {
            text: text.into(),
            segments: Vec::new(),
            ends: Vec::new(),
        };
        let body = text.strip_prefix('.').unwrap_or(text);
        let mut at = text.len() - body.len();
        if body.is_empty() {
            return Err(syntax(text, "a field path needs at least one field"));
        }
        loop {
            let end = segment_end(text, at)?;
            let raw = &text[at..end];
            let last = end == text.len();
            let segment = match raw {
                "" if last && !path.segments.is_empty() => Segment::Document,
                "" => {
                    return Err(syntax(text, "a field path has no empty field")
                        .help("write a key that is empty as `[]`"));
                }
                _ => segment(raw),
            };
            path.segments.push(segment);
            path.ends.push(end);
            if last {
                return Ok(path);
            }
            at = end + 1;
        }
    }

    /// The segments in order; none in the path to the root, which only a JSON pointer or a JSONPath can be.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Whether a segment is a `[field=value]` whose field has a dot that is not escaped: to kustomize that is one key, to
    /// who wrote it mostly a field within a field.
    pub(super) fn looks_nested(&self, index: usize) -> bool {
        let Some(Segment::Match { field, .. }) = self.segments.get(index) else {
            return false;
        };
        let raw = self.text.get(self.prefix(index).len()..).unwrap_or("");
        let raw = raw.split('=').next().unwrap_or("").trim_start_matches('.');
        field.contains('.') && raw.matches('.').count() > raw.matches("\\.").count()
    }

    /// The text of the first `count` segments.
    pub fn prefix(&self, count: usize) -> &str {
        match count.checked_sub(1).and_then(|index| self.ends.get(index)) {
            Some(&end) => &self.text[..end],
            None => "",
        }
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn syntax(text: &str, message: &str) -> Box<Diagnostic> {
    Diagnostic::error(Code::PathSyntax, format!("{message}, found `{text}`"))
}

/// Where the segment that starts at `start` ends: at the next dot that is neither escaped nor in brackets.
fn segment_end(text: &str, start: usize) -> Result<usize> {
    let rest = &text[start..];
    if rest.starts_with('[') {
        let mut ends = rest.match_indices(']').map(|(at, _)| start + at + 1);
        let end = ends.find(|&end| end == text.len() || text[end..].starts_with('.'));
        return end.ok_or_else(|| syntax(text, "expected `]` at the end of a segment in brackets"));
    }
    let mut escaped = false;
    for (at, c) in rest.char_indices() {
        match c {
            '\\' if !escaped => {
                escaped = true;
                continue;
            }
            '.' if !escaped => return Ok(start + at),
            _ => {}
        }
        escaped = false;
    }
    Ok(text.len())
}

fn segment(raw: &str) -> Segment {
    if raw == "*" {
        return Segment::Wildcard;
    }
    let Some(inside) = raw.strip_prefix('[').and_then(|raw| raw.strip_suffix(']')) else {
        return Segment::Name(unescape(raw).into());
    };
    match inside.split_once('=') {
        Some(("", value)) => Segment::Item(value.into()),
        Some((field, value)) => Segment::Match {
            field: unescape(field).into(),
            value: value.into(),
        },
        None => Segment::Key(inside.into()),
    }
}

/// `\.` is a dot; any other backslash stands for itself.
fn unescape(raw: &str) -> String {
    raw.replace("\\.", ".")
}

impl Segment {
    /// The key that the segment addresses in a mapping.
    pub fn as_key(&self) -> Option<&str> {
        match self {
            Segment::Name(name) | Segment::Key(name) => Some(name),
            _ => None,
        }
    }

    /// The index that the segment addresses in a list.
    pub fn as_index(&self) -> Option<usize> {
        match self {
            Segment::Name(name) if name.bytes().all(|byte| byte.is_ascii_digit()) => {
                name.parse().ok()
            }
            Segment::Query(query) => query.as_index(),
            _ => None,
        }
    }

    /// Whether it is `-`, the last item of a list.
    pub fn is_last(&self) -> bool {
        matches!(self, Segment::Name(name) if &**name == "-")
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Segment::Name(name) => f.write_str(name),
            Segment::Key(key) => write!(f, "[{key}]"),
            Segment::Match { field, value } => write!(f, "[{field}={value}]"),
            Segment::Item(value) => write!(f, "[={value}]"),
            Segment::Wildcard => f.write_str("*"),
            Segment::Document => Ok(()),
            Segment::Query(query) => query.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Segment {
        Segment::Name(text.into())
    }

    #[test]
    fn paths_are_read_segment_by_segment() {
        let matching = |field: &str, value: &str| Segment::Match {
            field: field.into(),
            value: value.into(),
        };
        let table = [
            ("metadata.name", vec![name("metadata"), name("name")]),
            (".metadata.name", vec![name("metadata"), name("name")]),
            (
                r"data.config\.json.a",
                vec![name("data"), name("config.json"), name("a")],
            ),
            (
                "metadata.annotations.[a.b/c]",
                vec![
                    name("metadata"),
                    name("annotations"),
                    Segment::Key("a.b/c".into()),
                ],
            ),
            (
                "x.[image=nginx:1.7.9].y",
                vec![name("x"), matching("image", "nginx:1.7.9"), name("y")],
            ),
            ("x.[=a.b]", vec![name("x"), Segment::Item("a.b".into())]),
            (
                "x.[k=[a]].y",
                vec![name("x"), matching("k", "[a]"), name("y")],
            ),
            (
                "x.*.0.-",
                vec![name("x"), Segment::Wildcard, name("0"), name("-")],
            ),
            (
                r"data.p\.yml.",
                vec![name("data"), name("p.yml"), Segment::Document],
            ),
            (r"a\b", vec![name(r"a\b")]),
            ("a.[]", vec![name("a"), Segment::Key("".into())]),
        ];
        for (text, segments) in table {
            assert_eq!(
                FieldPath::parse(text).unwrap().segments(),
                segments,
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_path_is_refused() {
        for text in ["", ".", "a..b", "a.[b", "a.[b=c.d"] {
            assert_eq!(
                FieldPath::parse(text).unwrap_err().code,
                Code::PathSyntax,
                "{text}"
            );
        }
    }

    #[test]
    fn a_dot_in_the_field_of_a_match_looks_like_a_nested_field_unless_it_is_escaped() {
        let path = FieldPath::parse(r"items.[metadata.name=a.b].[a\.b/c=x].[name=a.b]").unwrap();
        let nested: Vec<bool> = (0..4).map(|index| path.looks_nested(index)).collect();
        assert_eq!(nested, [false, true, false, false]);
    }

    #[test]
    fn a_prefix_is_printed_as_it_was_written() {
        let path = FieldPath::parse(r"data.config\.json.[name=x].y").unwrap();
        assert_eq!(path.prefix(0), "");
        assert_eq!(path.prefix(2), r"data.config\.json");
        assert_eq!(path.prefix(4), path.to_string());
    }
}
