//! The JSONPath parser (RFC 9535).
//!
//! A path that begins with `$` is parsed into the segments of a [`FieldPath`], so that one walk
//! follows both languages. It opens strings, follows aliases and merge keys, and remembers the
//! deepest dead end. A segment that kustomize's language cannot express, such as a filter or a
//! slice, becomes a [`Query`].
//!
//! `..` descends through mappings and lists, and into the string directly before it, but not into
//! every string below: a text is opened only if the path addresses it.

mod filter;
mod literal;
mod pattern;

use std::sync::Arc;

pub(in crate::edit) use pattern::compile_pattern;

use super::types::{FieldPath, PathSegment, Query, QuerySelector};
use crate::source::{Code, Diagnostic, Result};

/// The maximum nesting depth of brackets and parentheses.
const NESTING_LIMIT: usize = 64;

/// The blanks of RFC 9535.
const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];

/// Returns whether a path is a JSONPath: `$` alone, or followed by a segment. A key such as
/// `$schema` is not.
pub(super) fn is_json_path(text: &str) -> bool {
    begins_with(text, '$')
}

/// Returns whether a path consists of a sign, which may be followed by a segment.
pub(super) fn begins_with(text: &str, sign: char) -> bool {
    text.strip_prefix(sign)
        .map(|rest| rest.trim_start_matches(BLANKS))
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// Parses a path that begins with `$`.
///
/// # Errors
/// [`Code::PathSyntax`] with the expected text and its place. This includes expressions that RFC
/// 9535 calls not well-typed.
pub(super) fn parse(text: &str) -> Result<FieldPath> {
    let mut parser = JsonPathParser {
        text,
        at: 1,
        depth: 0,
    };
    let parsed = parser.segments()?;
    if parser.at < text.len() {
        return Err(parser.expected("`.` or `[`"));
    }
    Ok(FieldPath::new(text, parsed.segments, parsed.ends))
}

/// The segments of a path or of a query in a filter.
struct ParsedSegments {
    segments: Vec<PathSegment>,
    /// The end of each segment in the text.
    ends: Vec<usize>,
    /// Whether they lead to at most one value, so that it can be compared (RFC 9535, 2.3.5.1).
    is_singular: bool,
}

/// Reads a text from its start to its end. `at` is the offset of the next character.
pub(super) struct JsonPathParser<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    depth: usize,
}

impl<'t> JsonPathParser<'t> {
    /// Returns the text that is not parsed yet.
    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Consumes the blanks that come next.
    fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start_matches(BLANKS).len();
    }

    /// Consumes `word` if it comes next. Returns whether it did.
    fn eat(&mut self, word: &str) -> bool {
        let is_next = self.rest().starts_with(word);
        if is_next {
            self.at += word.len();
        }
        is_next
    }

    /// Returns the error for an unexpected text; `what` describes the expected text.
    pub(super) fn expected(&self, what: &str) -> Box<Diagnostic> {
        let found = match self.rest().chars().next() {
            Some(c) => format!("`{c}`"),
            None => "the end".to_owned(),
        };
        let character = self.text[..self.at].chars().count() + 1;
        let message = format!(
            "expected {what} at character {character} of `{}`, found {found}",
            self.text
        );
        Diagnostic::error(Code::PathSyntax, message)
    }

    /// Consumes `word`, which must come next.
    fn expect(&mut self, word: &str) -> Result<()> {
        if self.eat(word) {
            Ok(())
        } else {
            Err(self.expected(&format!("`{word}`")))
        }
    }

    /// Calls `read` for a text that is nested one level deeper.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == NESTING_LIMIT {
            let message = format!("the path nests deeper than {NESTING_LIMIT} levels");
            return Err(Diagnostic::error(Code::Limit, message));
        }
        self.depth += 1;
        let outcome = read(self);
        self.depth -= 1;
        outcome
    }

    /// Parses segments until no segment follows.
    fn segments(&mut self) -> Result<ParsedSegments> {
        let mut parsed = ParsedSegments {
            segments: Vec::new(),
            ends: Vec::new(),
            is_singular: true,
        };
        loop {
            // Blanks may come before a segment. After the last segment they belong to the text that
            // follows.
            let before = self.at;
            self.skip_blanks();
            let start = self.at;
            let descends = self.eat("..");
            let dotted = !descends && self.eat(".");
            if !descends && !dotted && !self.rest().starts_with('[') {
                self.at = before;
                return Ok(parsed);
            }
            // `.[0]` is an error, and `..[0]` is not.
            let selectors = if !dotted && self.eat("[") {
                self.nested(Self::bracketed)?
            } else if self.eat("*") {
                vec![QuerySelector::Wildcard]
            } else {
                vec![QuerySelector::Name(self.shorthand()?.into())]
            };
            parsed.is_singular &= !descends && is_singular(&selectors);
            let text = &self.text[start..self.at];
            parsed.segments.push(segment(text, descends, selectors));
            parsed.ends.push(self.at);
        }
    }

    /// Parses the selectors after an opening bracket.
    fn bracketed(&mut self) -> Result<Vec<QuerySelector>> {
        let mut selectors = Vec::new();
        loop {
            self.skip_blanks();
            selectors.push(self.selector()?);
            self.skip_blanks();
            if self.eat("]") {
                return Ok(selectors);
            }
            if !self.eat(",") {
                return Err(self.expected("`,` or `]`"));
            }
        }
    }

    /// Parses one selector: `*`, `?filter`, `'name'`, `1` or `1:9:2`.
    fn selector(&mut self) -> Result<QuerySelector> {
        if self.eat("*") {
            return Ok(QuerySelector::Wildcard);
        }
        if self.eat("?") {
            self.skip_blanks();
            return self.logical_or().map(QuerySelector::Filter);
        }
        if self.rest().starts_with(['\'', '"']) {
            return self.quoted().map(|name| QuerySelector::Name(name.into()));
        }
        // A number is an index, unless it is the start of a slice. Each part of a slice may be
        // missing: `[:]` selects all items.
        let start = self.integer()?;
        if !self.eat_colon() {
            return match start {
                Some(index) => Ok(QuerySelector::Index(index)),
                None => Err(self.expected("a name in quotes, an index, a slice, `*` or `?`")),
            };
        }
        let end = self.integer()?;
        let step = match self.eat_colon() {
            true => self.integer()?,
            false => None,
        };
        Ok(QuerySelector::Slice {
            start,
            end,
            step: step.unwrap_or(1),
        })
    }

    /// Consumes a colon with the blanks around it, if it comes next. Returns whether it did.
    fn eat_colon(&mut self) -> bool {
        let before = self.at;
        self.skip_blanks();
        if self.eat(":") {
            self.skip_blanks();
            return true;
        }
        self.at = before;
        false
    }
}

/// Returns whether selectors select at most one child.
fn is_singular(selectors: &[QuerySelector]) -> bool {
    matches!(
        selectors,
        [QuerySelector::Name(_) | QuerySelector::Index(_)]
    )
}

/// Returns the segment with these selectors. A segment that kustomize's language can express too is
/// the same in both.
fn segment(text: &str, descends: bool, selectors: Vec<QuerySelector>) -> PathSegment {
    match (descends, selectors.as_slice()) {
        (false, [QuerySelector::Name(name)]) => PathSegment::Key(name.clone()),
        (false, [QuerySelector::Wildcard]) => PathSegment::Wildcard,
        _ => PathSegment::Query(Arc::new(Query {
            text: text.into(),
            descends,
            selectors,
        })),
    }
}
