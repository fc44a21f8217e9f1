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

use super::align::{AlignStep, Child, end_node};
use super::flow_moves::moved_children;
use super::lines::without_break;
use super::printer::FaithfulPrinter;
use super::shape::{FlowLines, Siblings};
use crate::source::Span;
use crate::yaml::block_scalar::{self, Chomping};
use crate::yaml::node::{CollectionStyle, Content, Node, ScalarStyle};

/// A child that stays.
#[derive(Clone, Copy)]
pub(super) struct KeptChild<'p> {
    pub(super) before: &'p Child<'p>,
    pub(super) after: &'p Child<'p>,
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
pub(super) struct BlockEdit<'e> {
    pub(super) old: &'e [Child<'e>],
    new: &'e [Child<'e>],
    steps: &'e [AlignStep],
    /// The first of the old children that stays.
    first_kept: &'e Child<'e>,
    /// Whether an old child is removed, or moves.
    removes: bool,
    /// Whether a new child may end with a block scalar.
    pub(super) adds_block_scalar: bool,
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
        let may_end_with_scalar = |step: &AlignStep| match *step {
            AlignStep::Insert { new: place, .. } => {
                may_end_with_block_scalar(new[place].end_node())
            }
            _ => false,
        };
        let edit = BlockEdit {
            old,
            new,
            steps,
            first_kept,
            removes: steps.iter().any(AlignStep::is_remove),
            adds_block_scalar: steps.iter().any(may_end_with_scalar),
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
        let moved = self.moved_places(&edit);
        // The last child that stays, up to the current step.
        let mut previous: Option<KeptChild<'_>> = None;
        for (number, step) in steps.iter().enumerate() {
            match *step {
                AlignStep::Keep {
                    old: before,
                    new: after,
                } => {
                    previous = Some(KeptChild {
                        before: &old[before],
                        after: &new[after],
                    });
                }
                AlignStep::Insert { new: place, .. } => {
                    self.insert_child(&edit, place, moved.get(&place), previous);
                }
                AlignStep::Remove { .. } => {
                    if let Some(run) = edit.removed_run(number) {
                        let colon = self.missing_colon_above(&edit, number, &run, previous);
                        self.remove_run(&edit, &run, previous, &colon);
                    }
                }
            }
        }
    }

    /// Returns the line with the colon that an explicit key above a removed run needs. Without it,
    /// the colon of an entry below, whose key is empty, would be that of the explicit key:
    ///
    /// ```text
    /// ? x          ? x
    /// a: 1         :          <- this line
    /// : 2          : 2
    /// ```
    ///
    /// `number` is the first step of the run. The result is empty if no line is needed.
    fn missing_colon_above(
        &self,
        edit: &BlockEdit<'_>,
        number: usize,
        run: &Range<usize>,
        previous: Option<KeptChild<'_>>,
    ) -> String {
        let Some(KeptChild { before, after }) = previous else {
            return String::new();
        };
        let lacks_colon = before.key.is_some()
            && before.value_start.is_none()
            // Another value gets its colon when it is written.
            && Arc::ptr_eq(before.value, after.value);
        // A child that is inserted between them separates them as well.
        let are_neighbours = edit.steps[number - 1].is_keep()
            && (edit.steps.get(number + run.len())).is_some_and(AlignStep::is_keep);
        let begins_with_colon = || self.text.from(edit.old[run.end].start).starts_with(':');
        if lacks_colon && are_neighbours && begins_with_colon() {
            format!(
                "{}:{}",
                " ".repeat(edit.style.indent),
                self.layout.newline()
            )
        } else {
            String::new()
        }
    }

    /// Returns the old places of children that only change places, by their new places:
    ///
    /// ```text
    /// # about a          # about b
    /// - a   # one        - &x b
    /// # about b          # about a
    /// - &x b             - a   # one
    /// ```
    ///
    /// Their lines move with the comments that belong to them, and with their edits.
    fn moved_places(&self, edit: &BlockEdit<'_>) -> HashMap<usize, usize> {
        // A first child after a dash has no line of its own.
        if !self.begins_line(edit.old[0].start) {
            return HashMap::new();
        }
        moved_children(edit.old, edit.new, edit.steps)
            .into_iter()
            .collect()
    }

    /// Returns the lines of an old child with its value replaced by `value`. Returns `None` if the
    /// lines cannot be moved to another place. `rest` is the text that will follow there.
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
        rest: &str,
    ) -> Option<String> {
        let child = &old[index];
        let indent = self.text.column(child.start);
        let end = child.key.map_or(value, |key| end_node(key, value));
        if !self.begins_line(child.start) || absorbs(end, rest, indent) {
            return None;
        }
        let span = self.child_span(old, index, indent);
        self.edited_within(span, child, value, siblings)
    }

    /// Returns the lines of a child with the comments that belong to it.
    fn child_span(&self, old: &[Child<'_>], index: usize, indent: usize) -> Span {
        let child = &old[index];
        let line = self.text.line_start(child.start);
        let start = self.start_with_comments_above(line, index == 0, indent);
        Span::new(start, self.end_with_comments(child, indent))
    }

    /// Inserts a new child after `previous` and the comments that belong to it, or before the first
    /// child that stays. `moved_from` is its old place if it only changes places.
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
    fn insert_child(
        &mut self,
        edit: &BlockEdit<'_>,
        place: usize,
        moved_from: Option<&usize>,
        previous: Option<KeptChild<'_>>,
    ) {
        let style = &edit.style;
        let (child, first_old) = (&edit.new[place], &edit.old[0]);
        let newline = self.layout.newline();
        let spaces = " ".repeat(style.indent);
        let (offset, neighbour) = match previous {
            // Below the comments on `previous`, and above the blank lines that separate it from the
            // next child.
            Some(previous) => {
                let line = self.line_after(previous.before.end);
                (
                    self.deep_comments_below(line, style.indent),
                    previous.before,
                )
            }
            None if self.begins_line(first_old.start) => {
                (self.start_of_first_kept(edit), edit.first_kept)
            }
            None => {
                self.insert_after_dash(edit, child);
                return;
            }
        };
        // If lines below are removed, blank lines may follow then.
        let rest = match previous.is_some() && edit.removes {
            true => newline,
            false => self.text.from(offset),
        };
        // Lines that exist elsewhere in the text are copied with their comments.
        let mut lines = moved_from
            .and_then(|&from| self.lines_of(edit.old, from, child.value, style.siblings, rest));
        if lines.is_none() {
            lines = self.transferred_lines(child, first_old, style, rest);
        }
        let lines = lines.unwrap_or_else(|| {
            let lines = self.child_lines(child, neighbour, style, rest);
            format!("{spaces}{lines}")
        });
        self.insert_text(offset, format!("{}{newline}", without_break(&lines)));
    }

    /// Inserts a new child before the first one, which has no line of its own: the new one takes its
    /// place after the dash.
    fn insert_after_dash(&mut self, edit: &BlockEdit<'_>, child: &Child<'_>) {
        let style = &edit.style;
        let lines = self.child_lines(child, edit.first_kept, style, "");
        let newline = self.layout.newline();
        let spaces = " ".repeat(style.indent);
        let lines = without_break(&lines);
        self.insert_text(edit.old[0].start, format!("{lines}{newline}{spaces}"));
    }

    /// Returns the start of the first child that stays, with the comments that belong to it.
    fn start_of_first_kept(&self, edit: &BlockEdit<'_>) -> usize {
        let line = self.text.line_start(edit.first_kept.start);
        self.start_with_comments_above(line, edit.keeps_first(), edit.style.indent)
    }

    /// Returns the start of the next line after a child that ends at `end`.
    pub(super) fn line_after(&self, end: usize) -> usize {
        // A block scalar includes its last line break.
        if self.text.slice(0, end).ends_with('\n') {
            end
        } else {
            self.text.next_line(end).unwrap_or(self.text.len())
        }
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
            if self.is_in_scalar(above + spaces) {
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

    /// Returns the end of the comment lines from `line` on that are deeper than `indent`, and of the
    /// blank lines above them:
    ///
    /// ```text
    /// a: 1
    ///
    ///   # about a
    /// ```
    ///
    /// A block scalar above such a comment would absorb it.
    fn deep_comments_below(&self, line: usize, indent: usize) -> usize {
        let mut end = self.comments_below(line, indent);
        loop {
            let below = self.blank_lines_below(end);
            let next = self.comments_below(below, indent);
            if next == below {
                return end;
            }
            end = next;
        }
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
            Content::Mapping(mapping) => {
                let entry = mapping.entries.last();
                entry.map(|entry| end_node(&entry.key, &entry.value))
            }
            Content::Sequence(sequence) => sequence.items.last().map(|item| &item.value),
            Content::Scalar(_) | Content::Alias(_) => None,
        };
        match inner {
            Some(inner) => last = inner,
            None => return last,
        }
    }
}

/// Returns whether the value, whose key or dash is at `indent`, ends with a block scalar that would
/// absorb lines of `rest`, the text below it:
///
/// ```text
/// a: |+          a: |
///   text           text
///             <- a blank line that is above `b` now
/// b: 1               # a comment that is deeper than `a`
/// ```
pub(super) fn absorbs(value: &Arc<Node>, rest: &str, indent: usize) -> bool {
    if !may_end_with_block_scalar(value) {
        return false;
    }
    let keeps_blank_lines = keeps_blank_lines(value);
    for line in rest.split_inclusive('\n') {
        let text = line.trim_start_matches(' ');
        if !text.trim_ascii().is_empty() {
            return text.starts_with('#') && line.len() - text.len() > indent;
        }
        if keeps_blank_lines {
            return true;
        }
    }
    false
}

/// Returns whether a value ends with a block scalar, or with a string that would become one.
pub(super) fn may_end_with_block_scalar(value: &Arc<Node>) -> bool {
    let last = last_node(value);
    last.is_block_scalar() || last.as_str().is_some_and(|text| text.contains('\n'))
}

/// Returns whether a value ends with a block scalar to which the blank lines below it belong
/// (`|+`), or with a string that would become one.
pub(super) fn keeps_blank_lines(value: &Arc<Node>) -> bool {
    let last = last_node(value);
    let is_kept = last.origin.as_ref().is_some_and(|origin| {
        let raw = origin.source.slice(origin.span);
        let is_kept = block_scalar::header(raw).chomping == Chomping::Keep;
        // Without a line break, it is at the end of the text and gets a `-`.
        last.is_block_scalar() && is_kept && raw.ends_with('\n')
    });
    // A string that is in a text between quotes keeps them.
    let may_be_block = last.is_block_scalar() || last.origin.is_none();
    is_kept || may_be_block && last.as_str().is_some_and(|text| text.ends_with("\n\n"))
}
