//! Entries and items that come into a block collection or leave it.

use super::Printer;
use super::align::{Part, Step};
use crate::source::Span;
use crate::yaml::text_edit::TextEdit;

impl Printer<'_> {
    /// Carries out one step of an edited block collection, but for the values of what stays.
    pub(super) fn block_step(&mut self, old: &[Part<'_>], new: &[Part<'_>], step: &Step) {
        match *step {
            Step::Keep { .. } => {}
            Step::Remove { old: index } => self.remove_lines(old, index),
            Step::Insert { new: index, after } => self.insert_lines(old, &new[index], after),
        }
    }

    /// Puts a part on lines of its own, after the part `after` or before the first.
    fn insert_lines(&mut self, old: &[Part<'_>], part: &Part<'_>, after: Option<usize>) {
        let Some(first) = old.first() else { return };
        let indent = self.text.column(first.start);
        let neighbour = after.and_then(|index| old.get(index)).unwrap_or(first);
        let lines = self.part_lines(part, neighbour, indent);
        let newline = self.layout.newline();
        let spaces = " ".repeat(indent);
        let edit = match after.and_then(|index| old.get(index)) {
            // The first part may stand behind a dash, so what comes before it takes over its place in the line.
            None => TextEdit::insert(first.start, format!("{lines}{newline}{spaces}")),
            Some(previous) => match self.line_after(previous.end) {
                Some(offset) => TextEdit::insert(offset, format!("{spaces}{lines}{newline}")),
                None => TextEdit::insert(self.text.len(), format!("{newline}{spaces}{lines}")),
            },
        };
        self.edits.push(edit);
    }

    /// The start of the line after the one that ends what ends at `end`; `None` where the text ends without a break.
    fn line_after(&self, end: usize) -> Option<usize> {
        if self.text.slice(0, end).ends_with('\n') { Some(end) } else { self.text.next_line(end) }
    }

    fn part_lines(&self, part: &Part<'_>, neighbour: &Part<'_>, indent: usize) -> String {
        let mut lines = String::new();
        match part.key {
            Some(key) => {
                lines.push_str(&self.key(key, neighbour.key, false));
                lines.push(':');
                self.entry_value(part.value, indent, &mut lines);
            }
            None => {
                lines.push_str("- ");
                self.item_value(part.value, indent, &mut lines);
            }
        }
        lines
    }

    /// Takes out the lines of a part with the comments right above it. A part that shares its first line with a dash or a
    /// key before it leaves its place to the next one.
    fn remove_lines(&mut self, old: &[Part<'_>], index: usize) {
        let part = &old[index];
        let start = self.text.line_start(part.start);
        let shares_line = !self.text.slice(start, part.start).trim_matches([' ', '\u{feff}']).is_empty();
        let span = match old.get(index + 1) {
            Some(next) if shares_line => Span::new(part.start, next.start),
            _ => {
                let start = if index == 0 { start } else { self.comments_above(start, part.start) };
                let end = self.line_after(part.end).unwrap_or(self.text.len());
                Span::new(start, end)
            }
        };
        self.edits.push(TextEdit::replace(span, ""));
    }

    /// The start of the comment lines that stand right above the line `line`, at the indentation of `offset`.
    fn comments_above(&self, line: usize, offset: usize) -> usize {
        let indent = self.text.column(offset);
        let mut start = line;
        while start > 0 {
            let above = self.text.line_start(start - 1);
            let text = self.text.slice(above, start);
            let spaces = text.len() - text.trim_start_matches(' ').len();
            if spaces != indent || !text[spaces..].starts_with('#') {
                break;
            }
            start = above;
        }
        start
    }
}
