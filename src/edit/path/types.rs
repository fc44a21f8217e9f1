//! The parsed form of a path, which the walk follows.
//!
//! All of these types are in one file because they refer to each other: a path can contain a
//! JSONPath query, a query can contain a filter, and a filter paths.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use regex::Regex;

use super::json_path;
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::Node;

/// A path to values, such as `spec.containers.[name=web].image` or `data.config\.json.server.port`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldPath {
    text: Box<str>,
    segments: Vec<PathSegment>,
    /// The end of each segment in `text`.
    ends: Vec<usize>,
}

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathSegment {
    /// A key of a mapping. In a list, an index, or `-` for the last item (or the place after it, if
    /// items may be created). In a string with several documents, the index of a document.
    Name(Box<str>),
    /// `[key]`: a key, even if it looks like an index.
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
    /// A segment that only a JSONPath can express: an index from the end, a slice, a filter,
    /// several of them, or `..`.
    Query(Arc<Query>),
}

impl FieldPath {
    /// Creates a path from the segments of another language. `ends` are the ends of the segments in
    /// `text`.
    pub(in crate::edit) fn new(
        text: &str,
        segments: Vec<PathSegment>,
        ends: Vec<usize>,
    ) -> FieldPath {
        FieldPath {
            text: text.into(),
            segments,
            ends,
        }
    }

    /// Returns the path that consists of the first `count` segments.
    pub(in crate::edit) fn first(&self, count: usize) -> FieldPath {
        let count = count.min(self.segments.len());
        FieldPath::new(
            self.prefix(count),
            self.segments[..count].to_vec(),
            self.ends[..count].to_vec(),
        )
    }

    /// Returns the path without its last segment, and that segment; `None` for the path to the
    /// root.
    pub(in crate::edit) fn split_last(&self) -> Option<(FieldPath, &PathSegment)> {
        let (last, rest) = self.segments.split_last()?;
        Some((self.first(rest.len()), last))
    }

    /// Returns whether this is a JSONPath, or a path in a filter of a JSONPath.
    pub fn is_json_path(&self) -> bool {
        json_path::begins_with(&self.text, '$') || json_path::begins_with(&self.text, '@')
    }

    /// Returns whether the path may lead to several values: it has a wildcard, or a query of a
    /// JSONPath.
    pub fn branches(&self) -> bool {
        self.segments
            .iter()
            .any(|segment| matches!(segment, PathSegment::Wildcard | PathSegment::Query(_)))
    }

    /// Checks that values can be written at the path, and not only read.
    ///
    /// # Errors
    /// [`Code::PathSyntax`] for a path with several `..`, which may lead to the same value in
    /// several ways.
    pub fn check_writable(&self) -> Result<()> {
        if self.descents() <= 1 {
            return Ok(());
        }
        let message =
            format!("expected one `..` at most in a path to write to, found several in `{self}`");
        Err(Diagnostic::error(Code::PathSyntax, message)
            .note("two of them may lead to one value in several ways, and it would be written several times"))
    }

    /// Returns the number of segments that descend to any depth.
    pub(in crate::edit) fn descents(&self) -> usize {
        self.segments
            .iter()
            .filter(|segment| matches!(segment, PathSegment::Query(query) if query.descends()))
            .count()
    }

    /// Returns the path into the document of the string that this path leads to.
    pub(in crate::edit) fn opened(mut self) -> FieldPath {
        self.segments.push(PathSegment::Document);
        self.ends.push(self.text.len());
        self
    }

    /// Returns the segments in order. The path to the root, which only a JSON pointer or a JSONPath
    /// can express, has none.
    pub fn segments(&self) -> &[PathSegment] {
        &self.segments
    }

    /// Returns whether a segment is a `[field=value]` whose field has a dot that is not escaped.
    /// kustomize reads the field as one key, but its author mostly means a field within a field.
    pub(in crate::edit) fn looks_nested(&self, index: usize) -> bool {
        let Some(PathSegment::Match { field, .. }) = self.segments.get(index) else {
            return false;
        };
        let raw = self.text.get(self.prefix(index).len()..).unwrap_or("");
        let raw = raw.split('=').next().unwrap_or("").trim_start_matches('.');
        field.contains('.') && raw.matches('.').count() > raw.matches("\\.").count()
    }

    /// Returns the text of the first `count` segments.
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

impl PathSegment {
    /// Returns the key that the segment addresses in a mapping.
    pub fn as_key(&self) -> Option<&str> {
        match self {
            PathSegment::Name(name) | PathSegment::Key(name) => Some(name),
            _ => None,
        }
    }

    /// Returns the index that the segment addresses in a list.
    pub fn as_index(&self) -> Option<usize> {
        match self {
            PathSegment::Name(name) if name.bytes().all(|byte| byte.is_ascii_digit()) => {
                name.parse().ok()
            }
            PathSegment::Query(query) => query.as_index(),
            _ => None,
        }
    }

    /// Returns whether this is `-`, the last item of a list.
    pub fn is_last(&self) -> bool {
        matches!(self, PathSegment::Name(name) if &**name == "-")
    }
}

impl fmt::Display for PathSegment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathSegment::Name(name) => f.write_str(name),
            PathSegment::Key(key) => write!(f, "[{key}]"),
            PathSegment::Match { field, value } => write!(f, "[{field}={value}]"),
            PathSegment::Item(value) => write!(f, "[={value}]"),
            PathSegment::Wildcard => f.write_str("*"),
            PathSegment::Document => Ok(()),
            PathSegment::Query(query) => query.fmt(f),
        }
    }
}

/// A segment that chooses among the children of a mapping or a list.
pub struct Query {
    pub(in crate::edit) text: Box<str>,
    pub(in crate::edit) descends: bool,
    pub(in crate::edit) selectors: Vec<QuerySelector>,
}

/// A rule for selecting children.
#[derive(Debug)]
pub(in crate::edit) enum QuerySelector {
    Name(Box<str>),
    Wildcard,
    Index(i64),
    Slice {
        start: Option<i64>,
        end: Option<i64>,
        step: i64,
    },
    Filter(Expression),
}

impl Query {
    /// Returns whether the query also selects among the children of all nodes below: `..`.
    pub(in crate::edit) fn descends(&self) -> bool {
        self.descends
    }

    /// Returns the index, if the query is a single index that counts from the start.
    pub(in crate::edit) fn as_index(&self) -> Option<usize> {
        match self.selectors.as_slice() {
            [QuerySelector::Index(index)] if !self.descends => usize::try_from(*index).ok(),
            _ => None,
        }
    }
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Two queries with the same text are equal.
impl PartialEq for Query {
    fn eq(&self, other: &Query) -> bool {
        self.text == other.text
    }
}

impl Eq for Query {}

/// A condition.
#[derive(Debug)]
pub(in crate::edit) enum Expression {
    Or(Vec<Expression>),
    And(Vec<Expression>),
    Not(Box<Expression>),
    /// Whether a path leads to a value.
    Exists(SubQuery),
    Compare(Operand, Comparison, Operand),
    /// `match(…)` and `search(…)`: whether a text matches a pattern.
    Matches {
        text: Operand,
        pattern: TextPattern,
        scope: MatchScope,
    },
}

impl Expression {
    /// Returns the keys and the text of `@.key.key == "text"`, or of a conjunction that begins with
    /// this comparison. Only mappings with this text below the keys can satisfy the expression.
    pub(in crate::edit) fn wanted_text(&self) -> Option<(Vec<&str>, &Arc<Node>)> {
        match self {
            Expression::And(parts) => parts.first()?.wanted_text(),
            Expression::Compare(
                Operand::Query(query),
                Comparison::Equal,
                Operand::Literal(text),
            ) => {
                let keys = query.path.segments().iter().map(PathSegment::as_key);
                let keys: Vec<&str> = keys.collect::<Option<_>>()?;
                let is_text = !query.absolute && !keys.is_empty() && text.as_str().is_some();
                is_text.then_some((keys, text))
            }
            _ => None,
        }
    }
}

/// A path in a filter.
#[derive(Debug)]
pub(in crate::edit) struct SubQuery {
    pub(in crate::edit) path: FieldPath,
    /// Whether it begins at the root, `$`, and not at the tested value, `@`.
    pub(in crate::edit) absolute: bool,
    /// Whether it leads to at most one value, so that it can be compared.
    pub(in crate::edit) singular: bool,
}

/// One side of a comparison.
#[derive(Debug)]
pub(in crate::edit) enum Operand {
    Literal(Arc<Node>),
    /// The value that a path leads to; there may be none.
    Query(SubQuery),
    /// `length(…)`: the length of a text, a list or a mapping.
    Length(Box<Operand>),
    /// `count(…)`: the number of values that a path leads to.
    Count(SubQuery),
    /// `value(…)`: the value that a path leads to, if there is exactly one.
    Value(SubQuery),
}

impl Operand {
    /// Returns the text of a string that is written in the path.
    pub(in crate::edit) fn literal_text(&self) -> Option<&str> {
        match self {
            Operand::Literal(node) => node.as_str(),
            _ => None,
        }
    }
}

/// How much of a text a pattern has to match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::edit) enum MatchScope {
    /// All of it: `match(…)`.
    Whole,
    /// Any part of it: `search(…)`.
    Part,
}

/// The pattern that a text is matched against.
#[derive(Debug)]
pub(in crate::edit) enum TextPattern {
    /// A pattern that is written in the path.
    Literal(Regex),
    /// A pattern that is the text of a value.
    Computed(Operand),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::edit) enum Comparison {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    /// The longer of two operators with the same start comes first.
    pub(in crate::edit) const ALL: [(&'static str, Comparison); 6] = [
        ("==", Comparison::Equal),
        ("!=", Comparison::Unequal),
        ("<=", Comparison::LessOrEqual),
        (">=", Comparison::GreaterOrEqual),
        ("<", Comparison::Less),
        (">", Comparison::Greater),
    ];

    /// Returns whether the comparison is true of values with this equality and this order. `order`
    /// is `None` if they have no order.
    pub(in crate::edit) fn holds(self, equal: bool, order: Option<Ordering>) -> bool {
        match self {
            Comparison::Equal => equal,
            Comparison::Unequal => !equal,
            Comparison::Less => order == Some(Ordering::Less),
            Comparison::LessOrEqual => equal || order == Some(Ordering::Less),
            Comparison::Greater => order == Some(Ordering::Greater),
            Comparison::GreaterOrEqual => equal || order == Some(Ordering::Greater),
        }
    }
}
