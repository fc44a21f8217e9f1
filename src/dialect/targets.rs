//! Finds the indices that are targets of assignments, which cannot become calls.
//!
//! ```text
//! d[k[0]] = v              d[…] is a target, k[0] is not
//! a, (b[1], c) = 1, (2, 3) b[1] is a target
//! for x[0] in y            x[0] is a target, also in a comprehension
//! ```

use std::collections::HashSet;

use super::collections::{Assignment, entry_of_target};
use super::expressions::Expressions;

/// The brackets of entries that are targets, by the index of the opening bracket.
pub(super) struct AssignedEntries {
    /// The targets that [`stores`](super::collections::stores) has rewritten.
    rewritten: HashSet<usize>,
    /// The other targets.
    assigned: HashSet<usize>,
}

impl AssignedEntries {
    /// Finds the brackets of entries on the left of assignments.
    pub(super) fn new(
        assignments: &[Assignment],
        expressions: &Expressions<'_>,
    ) -> AssignedEntries {
        let mut entries = AssignedEntries {
            rewritten: HashSet::new(),
            assigned: HashSet::new(),
        };
        for assignment in assignments {
            match entry_of_target(assignment, expressions) {
                Some(open) => {
                    entries.rewritten.insert(open);
                }
                None => entries.collect(assignment.first, assignment.target_end, expressions),
            }
        }
        for at in 0..expressions.len() {
            if expressions.word(at) == "for" {
                let end = (at + 1..expressions.len()).find(|end| expressions.word(*end) == "in");
                entries.collect(at + 1, end.unwrap_or(at + 1), expressions);
            }
        }
        entries
    }

    /// Collects the entries between two tokens that are targets themselves: they are not inside an
    /// index or call, and nothing is selected from them.
    fn collect(&mut self, start: usize, end: usize, expressions: &Expressions<'_>) {
        let mut at = start;
        while at < end {
            let close = expressions.partner(at).filter(|close| *close > at);
            let Some(close) = close.filter(|_| at > start && expressions.ends_operand(at - 1))
            else {
                at += 1;
                continue;
            };
            let has_more = close + 1 < end
                && [b'.', b'[', b'(']
                    .into_iter()
                    .any(|mark| expressions.is(close + 1, mark));
            if !has_more {
                self.assigned.insert(at);
            }
            at = close + 1;
        }
    }

    /// Returns whether a call replaces the store into the entry whose bracket is at `open`.
    pub(super) fn is_rewritten(&self, open: usize) -> bool {
        self.rewritten.contains(&open)
    }

    /// Returns whether the entry whose bracket is at `open` is a target that stays an index.
    pub(super) fn is_assigned(&self, open: usize) -> bool {
        self.assigned.contains(&open)
    }
}
