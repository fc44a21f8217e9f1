//! Values that an edit moves from one line of a text to another. They keep their bytes, and their
//! lines keep the comments above them:
//!
//! ```text
//! [old]                        [old]
//! # the greeting               x = 1
//! text = "hello"      ->       [new]
//! x = 1                        # the greeting
//! [new]                        text = "hello"
//! ```
//!
//! The node of a moved value still has its origin in the text. A copied value has none.

use std::collections::HashMap;
use std::sync::Arc;

use super::key_values::{KeyValueLine, KeyValueSyntax, LineStyle};
use super::lines::{LineEdits, Lines};
use crate::source::{Source, steps};
use crate::yaml::{Entry, Node};

/// The lines of a text from which values move to other lines.
pub(super) struct MovedLines<'a> {
    source: &'a Arc<Source>,
    syntax: &'static KeyValueSyntax,
    lines: Lines<'a>,
    /// The removed lines, by the start of their values.
    removed: HashMap<usize, KeyValueLine>,
}

impl<'a> MovedLines<'a> {
    /// Finds the lines that `edits` remove, among all lines of a text.
    pub(super) fn new(
        source: &'a Arc<Source>,
        syntax: &'static KeyValueSyntax,
        all: impl Iterator<Item = KeyValueLine>,
        edits: &LineEdits<'a>,
    ) -> MovedLines<'a> {
        let spans = edits.removed_spans();
        let mut removed = HashMap::new();
        for line in all.filter(|_| !spans.is_empty()) {
            steps::count(1);
            let next = spans.partition_point(|span| span.end() <= line.start);
            if spans
                .get(next)
                .is_some_and(|span| span.start() <= line.start)
            {
                removed.insert(line.value.start(), line);
            }
        }
        MovedLines {
            source,
            syntax,
            lines: edits.lines,
            removed,
        }
    }

    /// Returns a moved line with a new key, and with the comments above it. `None` for a value that
    /// was not moved, or whose bytes would have another meaning below the new key.
    pub(super) fn line(&self, key: &str, value: &Node, style: &LineStyle<'_>) -> Option<String> {
        let raw = spelling_in(self.source, self.syntax, value)?;
        let old = self.removed.get(&value.origin.as_ref()?.span.start())?;
        let own_lead = self.lines.slice(self.lines.start(old.start), old.start);
        let lead = &style.lead[..style.lead.len() - style.lead.trim_start().len()];
        // Further lines of the value are indented for the old place of the key.
        if raw.contains('\n') && lead != own_lead {
            return None;
        }
        let between = self.lines.slice(old.key.end(), old.value.start());
        if between.contains('\n') {
            return None;
        }
        let mut text = String::new();
        let comments = self.lines.own_comments(old.start);
        for comment in self
            .lines
            .slice(comments, self.lines.start(old.start))
            .lines()
        {
            text.push_str(lead);
            text.push_str(comment.trim_start());
            text.push_str(style.newline);
        }
        let before_key = self.lines.slice(old.start, old.key.start());
        let key = (self.syntax.spell_key)(key, style);
        text.push_str(&format!("{lead}{before_key}{key}{between}{raw}"));
        Some(text)
    }
}

/// Returns whether an edit moved the entry `after` to the key of `before`, whose line it replaces.
pub(super) fn is_moved_over(before: &Entry, after: &Entry, syntax: &KeyValueSyntax) -> bool {
    let (Some(old), Some(new)) = (&before.value.origin, &after.value.origin) else {
        return false;
    };
    !Arc::ptr_eq(&before.key, &after.key)
        && old.span != new.span
        && spelling_in(&old.source, syntax, &after.value).is_some()
}

/// Returns the bytes of a value that was moved within its text. `None` for any other value.
fn spelling_in<'s>(
    source: &'s Arc<Source>,
    syntax: &KeyValueSyntax,
    value: &Node,
) -> Option<&'s str> {
    let origin = value.origin.as_ref()?;
    if !Arc::ptr_eq(&origin.source, source) {
        return None;
    }
    let raw = source.slice(origin.span);
    // A value that was edited keeps its origin but not its text.
    let is_same =
        (syntax.decode)(raw, 0).is_some_and(|spelled| value.text() == Some(&spelled.text));
    // At the end of a text, a value may continue on a line that does not exist.
    (is_same && !raw.ends_with(['\n', '\r']) && !(syntax.is_open)(raw)).then_some(raw)
}
