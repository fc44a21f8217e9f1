//! The JSONPath parser (RFC 9535).
//!
//! A path that begins with `$` is parsed into the segments of a [`FieldPath`], so that one walk
//! follows both languages. It opens strings, follows aliases and merge keys, and remembers the
//! deepest dead end. A segment that kustomize's language cannot express, such as a filter or a
//! slice, becomes a [`Query`].
//!
//! `..` descends through mappings and lists, and into the string directly before it, but not into
//! every string below: a text is opened only if the path addresses it.

mod literal;
mod pattern;

use std::sync::Arc;

pub(in crate::edit) use pattern::compile_pattern;

use super::types::{
    Comparison, Expression, FieldPath, Operand, PathSegment, Query, QuerySelector, SubQuery,
    TextPattern,
};
use crate::source::suggest::did_you_mean;
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::Node;

/// The maximum nesting depth of brackets and parentheses.
const NESTING_LIMIT: usize = 64;

const FUNCTIONS: [&str; 5] = ["length", "count", "match", "search", "value"];

/// The blanks of RFC 9535.
const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];

/// Returns whether a path is a JSONPath: `$` alone, or followed by a segment. A key such as
/// `$schema` is not.
pub(super) fn is_json_path(text: &str) -> bool {
    text.strip_prefix('$')
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

    fn blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start_matches(BLANKS).len();
    }

    fn takes(&mut self, word: &str) -> bool {
        let found = self.rest().starts_with(word);
        self.at += if found { word.len() } else { 0 };
        found
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

    fn needs(&mut self, word: &str) -> Result<()> {
        if self.takes(word) {
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
            self.blanks();
            let start = self.at;
            let descends = self.takes("..");
            let dotted = !descends && self.takes(".");
            if !descends && !dotted && !self.rest().starts_with('[') {
                self.at = before;
                return Ok(parsed);
            }
            // `.[0]` is an error, and `..[0]` is not.
            let selectors = if !dotted && self.takes("[") {
                self.nested(Self::bracketed)?
            } else if self.takes("*") {
                vec![QuerySelector::Wildcard]
            } else {
                vec![QuerySelector::Name(self.shorthand()?.into())]
            };
            let is_singular = match selectors[..] {
                [QuerySelector::Name(_) | QuerySelector::Index(_)] => !descends,
                _ => false,
            };
            parsed.is_singular &= is_singular;
            // A segment that kustomize's language can express too is the same in both.
            parsed
                .segments
                .push(match (descends, selectors.as_slice()) {
                    (false, [QuerySelector::Name(name)]) => PathSegment::Key(name.clone()),
                    (false, [QuerySelector::Wildcard]) => PathSegment::Wildcard,
                    _ => PathSegment::Query(Arc::new(Query {
                        text: self.text[start..self.at].into(),
                        descends,
                        selectors,
                    })),
                });
            parsed.ends.push(self.at);
        }
    }

    /// Parses the selectors after an opening bracket.
    fn bracketed(&mut self) -> Result<Vec<QuerySelector>> {
        let mut selectors = Vec::new();
        loop {
            self.blanks();
            selectors.push(self.selector()?);
            self.blanks();
            if self.takes("]") {
                return Ok(selectors);
            }
            if !self.takes(",") {
                return Err(self.expected("`,` or `]`"));
            }
        }
    }

    /// Parses one selector: `*`, `?filter`, `'name'`, `1` or `1:9:2`.
    fn selector(&mut self) -> Result<QuerySelector> {
        if self.takes("*") {
            return Ok(QuerySelector::Wildcard);
        }
        if self.takes("?") {
            self.blanks();
            return self.or().map(QuerySelector::Filter);
        }
        if self.rest().starts_with(['\'', '"']) {
            return self.quoted().map(|name| QuerySelector::Name(name.into()));
        }
        // A number is an index, unless it is the start of a slice. Each part of a slice may be
        // missing: `[:]` selects all items.
        let start = self.integer()?;
        if !self.takes_colon() {
            return match start {
                Some(index) => Ok(QuerySelector::Index(index)),
                None => Err(self.expected("a name in quotes, an index, a slice, `*` or `?`")),
            };
        }
        let end = self.integer()?;
        let step = match self.takes_colon() {
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
    fn takes_colon(&mut self) -> bool {
        let before = self.at;
        self.blanks();
        if self.takes(":") {
            self.blanks();
            return true;
        }
        self.at = before;
        false
    }

    fn or(&mut self) -> Result<Expression> {
        self.joined("||", Self::and, Expression::Or)
    }

    fn and(&mut self) -> Result<Expression> {
        self.joined("&&", Self::basic, Expression::And)
    }

    fn joined(
        &mut self,
        word: &str,
        part: fn(&mut Self) -> Result<Expression>,
        join: fn(Vec<Expression>) -> Expression,
    ) -> Result<Expression> {
        let mut parts = vec![part(self)?];
        loop {
            let before = self.at;
            self.blanks();
            if !self.takes(word) {
                self.at = before;
                break;
            }
            self.blanks();
            parts.push(part(self)?);
        }
        Ok(match parts.len() {
            1 => parts.remove(0),
            _ => join(parts),
        })
    }

    fn basic(&mut self) -> Result<Expression> {
        let negated = self.takes("!");
        self.blanks();
        let expression = if self.takes("(") {
            self.nested(|parser| {
                parser.blanks();
                let inner = parser.or()?;
                parser.blanks();
                parser.needs(")")?;
                Ok(inner)
            })?
        } else {
            self.test(negated)?
        };
        Ok(if negated {
            Expression::Not(Box::new(expression))
        } else {
            expression
        })
    }

    /// Parses a comparison, or a path or function on its own.
    fn test(&mut self, negated: bool) -> Result<Expression> {
        let start = self.at;
        if let Some(whole) = self.pattern_function() {
            return self.fits(whole);
        }
        let left = self.operand()?;
        let after = self.at;
        self.blanks();
        let found = Comparison::ALL
            .into_iter()
            .find(|(word, _)| self.takes(word));
        let Some((_, comparison)) = found.filter(|_| !negated) else {
            self.at = after;
            return match left {
                Operand::Value(query) => Ok(Expression::Exists(query)),
                _ if negated => {
                    Err(self
                        .expected("a path, `match(…)` or `search(…)` after `!`, or parentheses"))
                }
                _ => {
                    self.blanks();
                    Err(self.expected("a comparison"))
                }
            };
        };
        self.blanks();
        let right_start = self.at;
        let right = self.operand()?;
        for (operand, at) in [(&left, start), (&right, right_start)] {
            self.comparable(operand, at)?;
        }
        Ok(Expression::Compare(left, comparison, right))
    }

    /// Refuses a path that may lead to several values, which cannot be compared.
    fn comparable(&self, operand: &Operand, at: usize) -> Result<()> {
        match operand {
            Operand::Value(SubQuery {
                singular: false, ..
            }) => {
                let place = JsonPathParser { at, ..*self };
                Err(place.expected("a path that leads to one value at most").help(
                    "compare what `value(…)`, `count(…)` or `length(…)` makes of it, or ask in a filter of its own",
                ))
            }
            _ => Ok(()),
        }
    }

    /// Returns whether the next word is a function that matches a pattern with the whole text
    /// (`match`, true) or with a part of it (`search`, false). `None` for any other word.
    fn pattern_function(&mut self) -> Option<bool> {
        match () {
            () if self.takes("match(") => Some(true),
            () if self.takes("search(") => Some(false),
            () => None,
        }
    }

    fn fits(&mut self, whole: bool) -> Result<Expression> {
        self.nested(|parser| {
            let text = parser.argument()?;
            parser.needs(",")?;
            parser.blanks();
            let pattern = parser.argument()?;
            parser.needs(")")?;
            let pattern = match pattern.fixed_text() {
                Some(text) => {
                    TextPattern::Fixed(compile_pattern(text, whole).map_err(|error| {
                        let message = format!("expected a pattern in `{}`: {error}", parser.text);
                        Diagnostic::error(Code::PathSyntax, message)
                    })?)
                }
                // A value that is not text matches nothing (RFC 9535, 2.4.6).
                None => TextPattern::Read(pattern),
            };
            Ok(Expression::Fits {
                text,
                pattern,
                whole,
            })
        })
    }

    /// Parses an argument that is a value, with the blanks around it.
    fn argument(&mut self) -> Result<Operand> {
        self.blanks();
        let start = self.at;
        let operand = self.operand()?;
        self.comparable(&operand, start)?;
        self.blanks();
        Ok(operand)
    }

    fn operand(&mut self) -> Result<Operand> {
        let rest = self.rest();
        match rest.chars().next() {
            Some('@' | '$') => self.query().map(Operand::Value),
            Some('\'' | '"') => self
                .quoted()
                .map(|text| Operand::Literal(Node::string(text))),
            Some('-' | '0'..='9') => match self.number() {
                Some(number) => Ok(Operand::Literal(Node::plain(number))),
                None => Err(self.expected("a number")),
            },
            Some('a'..='z') => self.word(),
            _ => Err(self.expected("a path, a value or a function")),
        }
    }

    /// Parses `true`, `false`, `null` or a function that returns a value.
    fn word(&mut self) -> Result<Operand> {
        let rest = self.rest();
        let end = rest
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        let word = &rest[..end];
        if matches!(word, "true" | "false" | "null") {
            self.at += end;
            return Ok(Operand::Literal(Node::plain(word)));
        }
        if !rest[end..].starts_with('(') {
            return Err(self.expected("a path, a value or a function"));
        }
        let read: fn(&mut Self) -> Result<Operand> = match word {
            "length" => |parser| {
                parser
                    .argument()
                    .map(|argument| Operand::Length(Box::new(argument)))
            },
            "count" => |parser| parser.path_argument().map(Operand::Count),
            "value" => |parser| parser.path_argument().map(Operand::One),
            _ => {
                return Err(self
                    .expected("a function")
                    .help_if(did_you_mean(word, FUNCTIONS)));
            }
        };
        self.at += end + 1;
        self.nested(|parser| {
            let operand = read(parser)?;
            parser.needs(")")?;
            Ok(operand)
        })
    }

    /// Parses an argument of a function that has to be a path.
    fn path_argument(&mut self) -> Result<SubQuery> {
        self.blanks();
        if !self.rest().starts_with(['@', '$']) {
            return Err(self.expected("a path"));
        }
        let query = self.query()?;
        self.blanks();
        Ok(query)
    }

    /// Parses a path in a filter.
    fn query(&mut self) -> Result<SubQuery> {
        let start = self.at;
        let absolute = self.rest().starts_with('$');
        self.at += 1;
        let parsed = self.nested(Self::segments)?;
        // The path in the filter has a text of its own, which begins at `start`.
        let ends = parsed.ends.into_iter().map(|end| end - start).collect();
        Ok(SubQuery {
            path: FieldPath::new(&self.text[start..self.at], parsed.segments, ends),
            absolute,
            singular: parsed.is_singular,
        })
    }
}
