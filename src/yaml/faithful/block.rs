//! Adds children to a block collection and removes them, by whole lines.
//!
//! Comments belong to the child below them (at its indentation) or above them (deeper than it):
//!
//! ```text
//! a: 1
//! # about b
//! b: 2
//!   # still about b
//! c: 3
//! ```
//!
//! Removing `b` removes its three lines. Inserting after `b` inserts before `c`.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::align::{AlignStep, Child};
use super::flow_moves::moved_children;
use super::lines::without_break;
use super::printer::FaithfulPrinter;
use super::shape::{FlowLines, Siblings};
use crate::source::Span;
use crate::yaml::block_scalar::{self, Chomping};
use crate::yaml::node::{CollectionStyle, Content, Node, ScalarStyle};
use crate::yaml::text_edit;

/// A child that stays.
#[derive(Clone, Copy)]
pub(super) struct KeptChild<'p> {
    pub(super) before: &'p Child<'p>,
    pub(super) after: &'p Child<'p>,
    /// Whether the text ends with this child, without a line break, once the children after it are
    /// removed.
    becomes_end: bool,
}

/// The style in which the children of one collection are written.
pub(super) struct ChildStyle<'p> {
    /// The column of keys or dashes.
    pub(super) indent: usize,
    /// The quotes that new strings get.
    pub(super) quotes: Option<ScalarStyle>,
    /// The collections among the old children.
    pub(super) siblings: &'p Siblings<'p>,
}

/// An edited block collection that keeps at least one child.
struct BlockEdit<'e> {
    old: &'e [Child<'e>],
    new: &'e [Child<'e>],
    steps: &'e [AlignStep],
    /// The first of the old children that stays.
    first_kept: &'e Child<'e>,
    style: ChildStyle<'e>,
}

impl BlockEdit<'_> {
    /// Returns whether the first of the old children stays.
    fn keeps_first(&self) -> bool {
        self.first_kept.start == self.old[0].start
    }

    /// Returns the run of consecutive old children that are removed, if the step `number` is the
    /// first of the run.
    fn removed_run(&self, number: usize) -> Option<Range<usize>> {
        let AlignStep::Remove { old: first } = self.steps[number] else {
            return None;
        };
        let is_inside = number > 0 && self.steps[number - 1].is_remove();
        if is_inside {
            return None;
        }
        let rest = &self.steps[number..];
        let count = rest.iter().take_while(|step| step.is_remove()).count();
        Some(first..first + count)
    }
}

impl FaithfulPrinter<'_> {
    /// Adds and removes the children of an edited block collection. At least one child stays. The
    /// values of the children that stay were already compared.
    pub(super) fn block_steps(
        &mut self,
        old: &[Child<'_>],
        new: &[Child<'_>],
        steps: &[AlignStep],
        siblings: &Siblings<'_>,
    ) {
        let Some(first_kept) = first_kept(old, steps) else {
            return;
        };
        let edit = BlockEdit {
            old,
            new,
            steps,
            first_kept,
            style: ChildStyle {
                indent: self.text.column(first_kept.start),
                // Visiting all siblings is wasted work for an edit that inserts nothing.
                quotes: match steps.iter().any(AlignStep::is_insert) {
                    true => self.habitual_quotes(old),
                    false => None,
                },
                siblings,
            },
        };
        let existing = self.existing_lines(&edit);
        // The last child that stays, up to the current step.
        let mut previous: Option<KeptChild<'_>> = None;
        for (number, step) in steps.iter().enumerate() {
            match *step {
                AlignStep::Keep {
                    old: before,
                    new: after,
                } => {
                    let is_last = !steps[number + 1..].iter().any(AlignStep::is_keep);
                    previous = Some(KeptChild {
                        before: &old[before],
                        after: &new[after],
                        becomes_end: is_last && self.removal_takes_break(old, steps, &new[after]),
                    });
                }
                AlignStep::Insert { new: index, .. } => match (existing.get(&index), previous) {
                    (Some(lines), previous) => self.insert_lines(&edit, lines, previous),
                    (None, Some(previous)) => self.insert_below(&edit, &new[index], previous),
                    (None, None) => self.insert_before(&edit, &new[index]),
                },
                AlignStep::Remove { .. } => {
                    if let Some(run) = edit.removed_run(number) {
                        self.remove_run(old, &run, previous);
                    }
                }
            }
        }
    }

    /// Returns the lines of the inserted children that already exist elsewhere in the text, by
    /// their new positions. They are copied with their comments. Other children are written from
    /// scratch.
    fn existing_lines(&mut self, edit: &BlockEdit<'_>) -> HashMap<usize, String> {
        let mut lines = self.moved_lines(edit);
        if edit.steps.iter().any(AlignStep::is_insert) {
            self.add_transferred_lines(edit, &mut lines);
        }
        lines
    }

    /// Returns the lines of children that only change places, with the comments that belong to
    /// them, by their new position:
    ///
    /// ```text
    /// # about a          # about b
    /// - a   # one        - &x b
    /// # about b          # about a
    /// - &x b             - a   # one
    /// ```
    ///
    /// A child that was also edited moves with its edits.
    fn moved_lines(&mut self, edit: &BlockEdit<'_>) -> HashMap<usize, String> {
        let BlockEdit { old, new, .. } = *edit;
        let mut moved = HashMap::new();
        // A first child after a dash has no line of its own.
        if !self.begins_line(old[0].start) {
            return moved;
        }
        for (place, old_place) in moved_children(old, new, edit.steps) {
            let lines = self.lines_of(old, old_place, new[place].value, edit.style.siblings);
            moved.extend(lines.map(|lines| (place, lines)));
        }
        moved
    }

    /// Adds the lines of children that come from other collections of the text.
    fn add_transferred_lines(&mut self, edit: &BlockEdit<'_>, known: &mut HashMap<usize, String>) {
        let first = &edit.old[0];
        // A first child after a dash has no line of its own to replace.
        let mut has_line = self.begins_line(first.start);
        for step in edit.steps {
            has_line |= step.is_keep();
            if let AlignStep::Insert { new: place, .. } = *step
                && has_line
                && !known.contains_key(&place)
            {
                let lines = self.transferred_lines(&edit.new[place], first, &edit.style);
                known.extend(lines.map(|lines| (place, lines)));
            }
        }
    }

    /// Returns the lines of an old child with its value replaced by `value`. Returns `None` if the
    /// lines cannot be moved to another place.
    ///
    /// ```text
    /// a: 1
    /// # about b     ┐
    /// b: 2 # two    ┘ `span`; with the value 3 the result is `# about b⏎b: 3 # two⏎`
    /// c: 3
    /// ```
    fn lines_of(
        &mut self,
        old: &[Child<'_>],
        index: usize,
        value: &Arc<Node>,
        siblings: &Siblings<'_>,
    ) -> Option<String> {
        let child = &old[index];
        if !self.begins_line(child.start) {
            return None;
        }
        let indent = self.text.column(child.start);
        let span = self.child_span(old, index, indent);
        let text = self.text.slice(span.start(), span.end());
        // A block scalar at the end of the text has no final line break in its value. At any other
        // place it would get one.
        if !text.ends_with('\n') && last_node(child.value).is_block_scalar() {
            return None;
        }
        let parent = self.parent_of(CollectionStyle::Block, child);
        // The edits of the value are applied to this copy of the lines, not to the whole text.
        let outer = std::mem::take(&mut self.edits);
        self.compare(child.value, value, parent, siblings);
        let edits = std::mem::replace(&mut self.edits, outer);
        text_edit::apply_within(self.text.text(), span, edits)
    }

    /// Returns the lines of a child with the comments that belong to it.
    fn child_span(&self, old: &[Child<'_>], index: usize, indent: usize) -> Span {
        let child = &old[index];
        let line = self.text.line_start(child.start);
        let start = self.start_with_comments_above(line, index == 0, indent);
        Span::new(start, self.end_with_comments(child, indent))
    }

    /// Inserts whole lines after `previous`, or before the first child that stays.
    fn insert_lines(&mut self, edit: &BlockEdit<'_>, lines: &str, previous: Option<KeptChild<'_>>) {
        let newline = self.layout.newline();
        let lines = without_break(lines);
        let Some(previous) = previous else {
            // The same place as in `insert_before`, so that new and moved children follow the order
            // of the steps.
            let offset = self.start_of_first_kept(edit);
            self.insert_text(offset, format!("{lines}{newline}"));
            return;
        };
        match self.line_below(previous) {
            Some(line) => {
                let offset = self.comments_below(line, edit.style.indent);
                self.insert_text(offset, format!("{lines}{newline}"));
            }
            None => {
                self.strip_last_scalar(previous);
                self.insert_text(self.text.len(), format!("{newline}{lines}"));
            }
        }
    }

    /// Inserts a child before the first one that stays.
    ///
    /// ```text
    /// # about the file     # about the file
    ///
    /// # about a            new: 0               comments right above `a` stay with it
    /// a: 1                 # about a
    ///                      a: 1
    ///
    /// - a: 1               - new: 0             `a` begins no line: `new` takes its place
    ///                        a: 1
    ///
    /// - a: 1               - new: 0             the same if `a` is removed at the same time
    ///   # about b            # about b
    ///   b: 2                 b: 2
    /// ```
    fn insert_before(&mut self, edit: &BlockEdit<'_>, child: &Child<'_>) {
        let BlockEdit {
            first_kept, style, ..
        } = edit;
        let first_old = &edit.old[0];
        let newline = self.layout.newline();
        let spaces = " ".repeat(style.indent);
        if !self.begins_line(first_old.start) {
            let lines = self.child_lines(child, first_kept, style, "");
            let lines = without_break(&lines);
            self.insert_text(first_old.start, format!("{lines}{newline}{spaces}"));
            return;
        }
        let offset = self.start_of_first_kept(edit);
        let lines = self.child_lines(child, first_kept, style, self.text.from(offset));
        let lines = without_break(&lines);
        self.insert_text(offset, format!("{spaces}{lines}{newline}"));
    }

    /// Returns the start of the first child that stays, with the comments that belong to it.
    fn start_of_first_kept(&self, edit: &BlockEdit<'_>) -> usize {
        let line = self.text.line_start(edit.first_kept.start);
        self.start_with_comments_above(line, edit.keeps_first(), edit.style.indent)
    }

    /// Inserts a child after `previous` and the comments that belong to it.
    fn insert_below(&mut self, edit: &BlockEdit<'_>, child: &Child<'_>, previous: KeptChild<'_>) {
        let style = &edit.style;
        let newline = self.layout.newline();
        let spaces = " ".repeat(style.indent);
        match self.line_below(previous) {
            Some(line) => {
                // Below the comments on `previous`, and above the blank lines that separate it from
                // the next child.
                let offset = self.comments_below(line, style.indent);
                // If lines below are removed, blank lines may follow then.
                let rest = match edit.steps.iter().any(AlignStep::is_remove) {
                    true => newline,
                    false => self.text.from(offset),
                };
                let lines = self.child_lines(child, previous.before, style, rest);
                let lines = without_break(&lines);
                self.insert_text(offset, format!("{spaces}{lines}{newline}"));
            }
            // The text ends with `previous`, without a line break.
            None => {
                self.strip_last_scalar(previous);
                let lines = self.child_lines(child, previous.before, style, "");
                self.insert_text(self.text.len(), format!("{newline}{spaces}{lines}"));
            }
        }
    }

    /// Returns whether the last old children are removed together with the line break before them,
    /// because the text ends without one (see `remove_lines`):
    ///
    /// ```text
    /// a: 1¶     ->     a: 1
    /// b: 2
    /// ```
    ///
    /// `previous` is the last child that stays.
    fn removal_takes_break(
        &self,
        old: &[Child<'_>],
        steps: &[AlignStep],
        previous: &Child<'_>,
    ) -> bool {
        let last = old.len() - 1;
        let is_removed = steps
            .iter()
            .any(|step| matches!(*step, AlignStep::Remove { old } if old == last));
        if !is_removed || last_node(previous.value).is_block_scalar() {
            return false;
        }
        let end = self.end_with_comments(&old[last], self.text.column(old[last].start));
        end == self.text.len() && !self.text.slice(0, end).ends_with('\n')
    }

    /// Returns the start of the line below a child. `None` if the text ends with the child, without
    /// a line break.
    fn line_below(&self, child: KeptChild<'_>) -> Option<usize> {
        if child.becomes_end {
            return None;
        }
        self.line_after(child.before.end)
    }

    /// Returns the start of the next line after a child that ends at `end`. `None` if the text ends
    /// without a line break.
    pub(super) fn line_after(&self, end: usize) -> Option<usize> {
        // A block scalar includes its last line break.
        if self.text.slice(0, end).ends_with('\n') {
            Some(end)
        } else {
            self.text.next_line(end)
        }
    }

    /// Preserves the value of a block scalar at the end of a text without a final line break. Its
    /// value has no final line break, and must not get one from the line that follows now:
    ///
    /// ```text
    /// a: |        a: |-
    ///   x¶          x
    ///             b: 1
    /// ```
    ///
    /// This is done once, even if several children are inserted after it.
    fn strip_last_scalar(&mut self, last: KeptChild<'_>) {
        if self.has_stripped_last_scalar {
            return;
        }
        let scalar = last_node(last.before.value);
        // A replaced scalar was already written with the header that it needs.
        let is_unchanged = Arc::ptr_eq(scalar, last_node(last.after.value));
        let Some(origin) = &scalar.origin else { return };
        if !scalar.is_block_scalar() || !is_unchanged {
            return;
        }
        let start = origin.span.start();
        let header = block_scalar::header(self.text.slice(start, origin.span.end()));
        if header.chomping == Chomping::Strip {
            return;
        }
        let indicator = match header.indicator {
            Some(indicator) => indicator.to_string(),
            None => String::new(),
        };
        let indicators = Span::new(start + 1, start + header.length);
        self.replace_text(indicators, format!("{indicator}-"));
        self.has_stripped_last_scalar = true;
    }

    /// Writes a new child: `key: value` or `- value`, possibly on several lines. The first line has
    /// no indentation. The style is that of `neighbour`. `rest` is the text that will follow.
    ///
    /// ```text
    /// image: nginx        a value in one line, after the colon
    /// labels:             a block, on the lines below
    ///   app: web
    /// -   name: web       after a dash, with the gap of the neighbour
    ///     image: nginx
    /// ```
    pub(super) fn child_lines(
        &self,
        child: &Child<'_>,
        neighbour: &Child<'_>,
        style: &ChildStyle<'_>,
        rest: &str,
    ) -> String {
        let indent = style.indent;
        let example = style.siblings.example(child.value.resolved());
        let value = &self.in_shape_of(child.value, example);
        let on_line = self.text_on_line(child.value, value, style);
        let mut lines = String::new();
        match child.key {
            Some(key) => {
                lines.push_str(&self.key(key, neighbour.key, false));
                lines.push(':');
                match on_line {
                    Some(text) => lines.extend([" ", &text]),
                    None => self.entry_value(value, indent, rest, &mut lines),
                }
            }
            None => {
                let gap = self.gap_after_dash(neighbour);
                lines.push('-');
                lines.push_str(gap);
                match on_line {
                    Some(text) => lines.push_str(&text),
                    None => self.item_value(value, indent, gap.len(), rest, &mut lines),
                }
            }
        }
        lines
    }

    /// Returns the text of a new value if it belongs on the line of its key or dash, as its
    /// siblings do: a string in their quotes, or a flow collection like theirs. `shaped` is the
    /// value in the shape of its siblings.
    fn text_on_line(
        &self,
        value: &Arc<Node>,
        shaped: &Arc<Node>,
        style: &ChildStyle<'_>,
    ) -> Option<String> {
        let place = self.block_place(style.indent);
        if let Some(quoted) = self.quoted(value, style.quotes, &place) {
            return Some(quoted);
        }
        let example = style.siblings.example(value.resolved());
        if example.is_none() || shaped.collection_style() != Some(CollectionStyle::Flow) {
            return None;
        }
        let shape = FlowLines {
            indent: None,
            example,
        };
        Some(self.inline(shaped, &place, shape))
    }

    /// Returns the spaces between the dash of an item and its value: some people write `-   a`.
    fn gap_after_dash(&self, item: &Child<'_>) -> &str {
        self.gap_after(item.start + 1, item.value.full_start())
    }

    /// Returns the spaces from after a dash at `start` to the value at `end`, or one space if
    /// there are none or too many.
    pub(super) fn gap_after(&self, start: usize, end: usize) -> &str {
        /// More spaces than this are an alignment and not a habit.
        const WIDEST: usize = 8;
        let gap = self.text.slice(start, end);
        let is_gap = (1..=WIDEST).contains(&gap.len()) && gap.bytes().all(|byte| byte == b' ');
        if is_gap { gap } else { " " }
    }

    /// Returns the start of the comments above `line` that belong to the child on it. `is_first` is
    /// whether the child is the first of its collection. A byte order mark stays before them.
    fn start_with_comments_above(&self, line: usize, is_first: bool, indent: usize) -> usize {
        let start = if is_first {
            self.comments_of_first(line, indent)
        } else {
            self.comments_above(line, indent)
        };
        start.max(self.text.text_start())
    }

    /// Returns the start of the comments above `line` that belong to the first child of a
    /// collection. A comment at the top of a document, or separated from the child, is about more
    /// than the child; then the result is `line` itself.
    fn comments_of_first(&self, line: usize, indent: usize) -> usize {
        let start = self.comments_above(line, indent);
        let above = self.text.slice(0, start);
        let line_above = without_break(above).rsplit('\n').next().unwrap_or("");
        // A blank line, or another comment block further left, separates the comment from the lines
        // above it.
        let is_apart = above.ends_with("\n\n") || above.ends_with("\n\r\n");
        if self.is_top(start) || is_apart || line_above.trim_start().starts_with('#') {
            line
        } else {
            start
        }
    }

    /// Returns the start of the comment lines directly above `line` that are at `indent`.
    pub(super) fn comments_above(&self, line: usize, indent: usize) -> usize {
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

    /// Returns the end of the comment lines from `line` on that are deeper than `indent`.
    pub(super) fn comments_below(&self, line: usize, indent: usize) -> usize {
        let mut end = line;
        for line in self.text.from(line).split_inclusive('\n') {
            let text = line.trim_start_matches(' ');
            let is_deeper = line.len() - text.len() > indent;
            if !is_deeper || !text.starts_with('#') || !text.ends_with('\n') {
                break;
            }
            end += line.len();
        }
        end
    }
}

/// Returns the first old child that stays.
fn first_kept<'p>(old: &'p [Child<'p>], steps: &[AlignStep]) -> Option<&'p Child<'p>> {
    for step in steps {
        if let AlignStep::Keep { old: index, .. } = *step {
            return old.get(index);
        }
    }
    None
}

/// Returns the last node in the text of `node`.
pub(super) fn last_node(node: &Arc<Node>) -> &Arc<Node> {
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
