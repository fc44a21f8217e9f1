//! JSONPath (RFC 9535), which goes on below a string as field paths do.
//!
//! A path that begins with `$` is read here into the segments of a [`FieldPath`](super::FieldPath), so that the one walk
//! follows both languages: with strings opened, aliases and merge keys followed, and the deepest dead end remembered. What
//! kustomize's language cannot say, such as a filter or a slice, is a [`Query`].
//!
//! `..` goes through mappings and lists, and into the string that it stands right behind, but not into every string below: a
//! text is opened only where the path says so.

mod compare;
mod expression;
mod function;
mod literal;
mod parser;
mod select;
mod session;
#[cfg(test)]
mod tests;

use std::fmt;

use self::expression::Expression;
pub(super) use self::parser::parse;
pub(super) use self::session::Session;

/// Whether a path is a JSONPath: `$` alone, or with a segment behind it. A key such as `$schema` is none.
pub(super) fn is_json_path(text: &str) -> bool {
    text.strip_prefix('$')
        .is_some_and(|rest| rest.is_empty() || rest.trim_start().starts_with(['.', '[']))
}

/// A segment that chooses among the children of a mapping or a list.
pub struct Query {
    text: Box<str>,
    descends: bool,
    selectors: Vec<Selector>,
}

/// One way to choose children.
#[derive(Debug)]
enum Selector {
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
    /// Whether it chooses among the children of all that is below, too: `..`.
    pub(super) fn descends(&self) -> bool {
        self.descends
    }

    /// The index, if it is nothing but one that is counted from the start.
    pub(super) fn as_index(&self) -> Option<usize> {
        match self.selectors.as_slice() {
            [Selector::Index(index)] if !self.descends => usize::try_from(*index).ok(),
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

/// What was written says all.
impl PartialEq for Query {
    fn eq(&self, other: &Query) -> bool {
        self.text == other.text
    }
}

impl Eq for Query {}
