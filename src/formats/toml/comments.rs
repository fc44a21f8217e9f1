//! The comments of values that an edit moves from one place of a text to another. They go with
//! their values:
//!
//! ```text
//! # the port                   [server]
//! port = 80 # as a number      # the port
//!                       ->     port = 80 # as a number
//! [server]
//! ```
//!
//! The node of a moved value still has its origin in the text. A copied value has none.

use std::collections::HashMap;
use std::sync::Arc;

use super::document::{TableForm, TomlText};
use crate::formats::lines::Lines;
use crate::source::{Source, Span, steps};
use crate::yaml::Node;

/// The comments of the lines and headers that an edit removes.
#[derive(Debug)]
pub(super) struct RemovedComments<'a> {
    source: &'a Arc<Source>,
    /// By the start of the value, or of the header.
    comments: HashMap<usize, OwnComments<'a>>,
}

/// The comments that belong to a value or a header.
#[derive(Clone, Debug)]
pub(super) struct OwnComments<'a> {
    /// The lines directly above, without their indentation.
    pub(super) above: Vec<&'a str>,
    /// The comment on the same line with the blanks in front of it; empty if there is none.
    pub(super) beside: &'a str,
}

impl<'a> RemovedComments<'a> {
    /// Collects the comments of the lines and headers in `removed`, which is in order.
    pub(super) fn new(toml: &'a TomlText, lines: Lines<'a>, removed: &[Span]) -> Self {
        let mut comments = HashMap::new();
        for table in &toml.tables {
            steps::count(table.entries.len());
            let header = match table.kind {
                TableForm::Header(header) => Some((header.start(), header)),
                _ => None,
            };
            let statements = table.entries.iter().filter_map(|entry| entry.statement);
            let statements = statements.map(|statement| (statement.start, statement.value));
            for (start, place) in header.into_iter().chain(statements) {
                let next = removed.partition_point(|span| span.end() <= start);
                let is_removed = removed.get(next).is_some_and(|span| span.start() <= start);
                let own = OwnComments::around(lines, start, place.end());
                if is_removed && !(own.above.is_empty() && own.beside.is_empty()) {
                    comments.insert(place.start(), own);
                }
            }
        }
        RemovedComments {
            source: &toml.source,
            comments,
        }
    }

    /// Returns the comments of a value that comes from a removed place.
    pub(super) fn of(&self, value: &Node) -> Option<&OwnComments<'a>> {
        let origin = value.origin.as_ref()?;
        match Arc::ptr_eq(&origin.source, self.source) {
            true => self.comments.get(&origin.span.start()),
            false => None,
        }
    }
}

impl<'a> OwnComments<'a> {
    /// Returns the comments of the line that starts at `start` and ends, without its comment, at
    /// `end`.
    fn around(lines: Lines<'a>, start: usize, end: usize) -> OwnComments<'a> {
        let above = lines.slice(lines.own_comments(start), lines.start(start));
        let rest = lines.slice(end, lines.next(end)).trim_end();
        OwnComments {
            above: above.lines().map(str::trim).collect(),
            beside: match rest.trim_start().starts_with('#') {
                true => rest,
                false => "",
            },
        }
    }
}
