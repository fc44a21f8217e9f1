//! Entries and items that come into a block collection or leave it.

use std::sync::Arc;

use super::Printer;
use super::align::{Part, Step};
use super::replace::without_break;
use super::slot::is_block_scalar;
use crate::source::Span;
use crate::yaml::block_scalar::{self, Chomping};
use crate::yaml::node::{Content, Node, ScalarStyle};
use crate::yaml::text_edit::TextEdit;

/// A part that stays: as it was, and as it becomes.
type Kept<'p> = (&'p Part<'p>, &'p Part<'p>);

impl Printer<'_> {
    /// Carries out the steps of an edited block collection of which something stays, but for the values of what stays.
    pub(super) fn block_steps(&mut self, old: &[Part<'_>], new: &[Part<'_>], steps: &[Step]) {
        let mut previous: Option<Kept<'_>> = None;
        let kept = steps.iter().find_map(|step| {
            if let Step::Keep { old, .. } = *step {
                Some(old)
            } else {
                None
            }
        });
        let Some(first) = kept.and_then(|index| old.get(index)) else {
            return;
        };
        let inserts = steps.iter().any(|step| matches!(step, Step::Insert { .. }));
        let quotes = if inserts {
            self.habitual_quotes(old)
        } else {
            None
        };
        for step in steps {
            match *step {
                Step::Keep { old: i, new: j } => previous = Some((&old[i], &new[j])),
                Step::Insert { new: index, .. } => {
                    self.insert_lines(&new[index], previous, first, quotes)
                }
                Step::Remove { old: index } => match previous {
                    None if !self.begins_line(old[0].start) => {
                        // The first part shares its line with a dash or a key: the next one takes over its place.
                        let next = old.get(index + 1).map_or(first.start, |next| next.start);
                        self.edits
                            .push(TextEdit::replace(Span::new(old[index].start, next), ""));
                    }
                    None => self.remove_lines(&old[index], None),
                    Some((_, kept)) => self.remove_lines(&old[index], Some(kept)),
                },
            }
        }
    }

    /// Puts a part on lines of its own, after the part `previous` or before `first`, the first one that stays.
    fn insert_lines(
        &mut self,
        part: &Part<'_>,
        previous: Option<Kept<'_>>,
        first: &Part<'_>,
        quotes: Option<ScalarStyle>,
    ) {
        let indent = self.text.column(first.start);
        let newline = self.layout.newline();
        let spaces = " ".repeat(indent);
        let Some((previous, now)) = previous else {
            let line = self.text.line_start(first.start);
            let own = self.comments_of_first(line, indent);
            if self.begins_line(first.start) && own < line {
                // What stands right above the first part is said of it, and goes on to stand there.
                let lines = self.part_lines(
                    part,
                    first,
                    indent,
                    self.text.slice(own, self.text.len()),
                    quotes,
                );
                let lines = without_break(&lines);
                self.edits
                    .push(TextEdit::insert(own, format!("{spaces}{lines}{newline}")));
                return;
            }
            // The first part may stand behind a dash, so what comes before it takes over its place in the line.
            let lines = self.part_lines(part, first, indent, "", quotes);
            let lines = without_break(&lines);
            self.edits.push(TextEdit::insert(
                first.start,
                format!("{lines}{newline}{spaces}"),
            ));
            return;
        };
        match self.line_after(previous.end) {
            Some(offset) => {
                let offset = self.comments_below(offset, indent);
                let lines = self.part_lines(
                    part,
                    previous,
                    indent,
                    self.text.slice(offset, self.text.len()),
                    quotes,
                );
                let lines = without_break(&lines);
                self.edits.push(TextEdit::insert(
                    offset,
                    format!("{spaces}{lines}{newline}"),
                ));
            }
            None => {
                self.end_block_scalar(previous.value, now.value);
                let lines = self.part_lines(part, previous, indent, "", quotes);
                self.edits.push(TextEdit::insert(
                    self.text.len(),
                    format!("{newline}{spaces}{lines}"),
                ));
            }
        }
    }

    /// The start of the line after the one that ends what ends at `end`; `None` where the text ends without a break.
    fn line_after(&self, end: usize) -> Option<usize> {
        if self.text.slice(0, end).ends_with('\n') {
            Some(end)
        } else {
            self.text.next_line(end)
        }
    }

    /// A block scalar that ends with the text, and not with a line break, has none in its value. It gets none either
    /// from the line break that now follows, however many parts are added.
    fn end_block_scalar(&mut self, before: &Arc<Node>, after: &Arc<Node>) {
        if self.has_ended_block {
            return;
        }
        let scalar = last_node(before);
        let Some(origin) = scalar.origin.as_ref().filter(|_| is_block_scalar(scalar)) else {
            return;
        };
        let header = block_scalar::header(self.text.slice(origin.span.start(), origin.span.end()));
        if Arc::ptr_eq(scalar, last_node(after)) && header.chomping != Chomping::Strip {
            let start = origin.span.start();
            let indicator = header
                .indicator
                .map_or(String::new(), |indicator| indicator.to_string());
            let span = Span::new(start + 1, start + header.length);
            self.edits
                .push(TextEdit::replace(span, format!("{indicator}-")));
            self.has_ended_block = true;
        }
    }

    fn part_lines(
        &self,
        part: &Part<'_>,
        neighbour: &Part<'_>,
        indent: usize,
        rest: &str,
        quotes: Option<ScalarStyle>,
    ) -> String {
        let mut lines = String::new();
        let quoted = self.quoted(part.value, quotes, &self.block_place(indent));
        match part.key {
            Some(key) => {
                lines.push_str(&self.key(key, neighbour.key, false));
                lines.push(':');
                match quoted {
                    Some(quoted) => lines.extend([" ", &quoted]),
                    None => self.entry_value(part.value, indent, rest, &mut lines),
                }
            }
            None => {
                let gap = self.gap_after_dash(neighbour);
                lines.push('-');
                lines.push_str(gap);
                match quoted {
                    Some(quoted) => lines.push_str(&quoted),
                    None => self.item_value(part.value, indent, gap.len(), rest, &mut lines),
                }
            }
        }
        lines
    }

    /// What stands between the dash of an item and its value, where both are on one line.
    fn gap_after_dash(&self, item: &Part<'_>) -> &str {
        /// Nobody means more than so many.
        const WIDEST: usize = 8;
        let gap = self.text.slice(item.start + 1, item.value.full_start());
        let is_gap = (1..=WIDEST).contains(&gap.len()) && gap.bytes().all(|byte| byte == b' ');
        if is_gap { gap } else { " " }
    }

    /// Takes out the lines of a part with the comments right above it and those that are indented below it. `previous` is
    /// the part that stays before it; a block scalar at its end takes no blank lines over.
    fn remove_lines(&mut self, part: &Part<'_>, previous: Option<&Part<'_>>) {
        let line = self.text.line_start(part.start);
        let indent = self.text.column(part.start);
        let start = match previous {
            Some(_) => self.comments_above(line, indent),
            None => self
                .comments_of_first(line, indent)
                .max(self.text.text_start()),
        };
        let end = self
            .line_after(part.end)
            .map_or(self.text.len(), |end| self.comments_below(end, indent));
        let end = match previous {
            Some(previous) if is_block_scalar(last_node(previous.value)) => {
                self.blank_lines_below(end)
            }
            _ => end,
        };
        self.edits
            .push(TextEdit::replace(Span::new(start, end), ""));
    }

    /// The same for the first part of a collection: what stands above it at the top of a document is said of the document.
    fn comments_of_first(&self, line: usize, indent: usize) -> usize {
        let start = self.comments_above(line, indent);
        let above = self.text.slice(0, start);
        let head = above
            .trim_end_matches(['\n', '\r'])
            .rsplit('\n')
            .next()
            .unwrap_or("");
        let is_top = head.trim_matches(['\u{feff}', ' ']).is_empty()
            || head.starts_with("---")
            || head.starts_with('%');
        let is_apart = above.ends_with("\n\n") || above.ends_with("\n\r\n");
        if is_top || is_apart || head.trim_start().starts_with('#') {
            line
        } else {
            start
        }
    }

    /// The start of the comment lines that stand right above the line `line` at the indentation `indent`.
    fn comments_above(&self, line: usize, indent: usize) -> usize {
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

    /// The end of the comment lines that stand right below, at the line `line`, and deeper than `indent`.
    fn comments_below(&self, line: usize, indent: usize) -> usize {
        self.lines_below_that(line, |text, spaces| {
            text.starts_with('#') && text.ends_with('\n') && spaces > indent
        })
    }

    fn blank_lines_below(&self, line: usize) -> usize {
        self.lines_below_that(line, |text, _| text.trim_end().is_empty())
    }

    /// The end of the lines from `line` on for which `wanted` holds, given the text of each and the spaces before it.
    fn lines_below_that(&self, line: usize, wanted: impl Fn(&str, usize) -> bool) -> usize {
        let lines = self.text.slice(line, self.text.len()).split_inclusive('\n');
        let wanted = lines.take_while(|line| {
            let text = line.trim_start_matches(' ');
            wanted(text, line.len() - text.len())
        });
        line + wanted.map(str::len).sum::<usize>()
    }
}

/// The last node in the text of `node`.
fn last_node(node: &Arc<Node>) -> &Arc<Node> {
    let mut last = node;
    loop {
        let inner = match &last.content {
            Content::Mapping(mapping) => mapping.entries.last().map(|entry| &entry.value),
            Content::Sequence(sequence) => sequence.items.last().map(|item| &item.value),
            Content::Scalar(_) | Content::Alias(_) => None,
        };
        match inner {
            Some(inner) => last = inner,
            None => return last,
        }
    }
}
