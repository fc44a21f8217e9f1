//! Removes children from a block collection, by whole lines.
//!
//! Each comment is removed with the child that it belongs to:
//!
//! ```text
//! # about the file       apart from `a`: belongs to no child
//!
//! # about a              directly above `a`
//! a: 1  # on a           on its line
//!   # still about a      below `a` and deeper than it
//!
//! b: 2
//! ```
//!
//! Removing `a` leaves the first comment, one blank line, and `b`. A comment at the top of a
//! document that addresses an editor, or names a license, is about the document and stays.

use std::ops::Range;

use super::align::{Child, children};
use super::block::{BlockEdit, KeptChild, keeps_blank_lines, may_end_with_block_scalar};
use super::printer::{FaithfulPrinter, ValueParent};
use crate::source::Span;
use crate::yaml::node::{CollectionStyle, Node};

/// Words of a comment that is about a whole document.
const ABOUT_THE_DOCUMENT: [&str; 6] = [
    "yaml-language-server:",
    "SPDX-",
    "Copyright",
    "Licensed under",
    "vim:",
    "-*-",
];

impl FaithfulPrinter<'_> {
    /// Removes the children `run` of a block collection. `previous` is the child that stays before
    /// them; at least one child of the collection stays. `left` is the text that takes their place:
    /// nothing, or a whole line.
    pub(super) fn remove_run(
        &mut self,
        edit: &BlockEdit<'_>,
        run: &Range<usize>,
        previous: Option<KeptChild<'_>>,
        left: &str,
    ) {
        let old = edit.old;
        // Comments between two of these children that belong to neither stay, and divide the run.
        let mut start = run.start;
        for at in run.clone() {
            let indent = self.text.column(old[at].start);
            let end = self.end_with_comments(&old[at], indent);
            let is_divided = match old.get(at + 1) {
                Some(next) => {
                    let above = self.start_of_removal(next, indent);
                    !self.text.slice(end, above).trim_ascii().is_empty()
                }
                None => false,
            };
            let is_end = at + 1 == run.end;
            if is_end || is_divided {
                let left = if is_end { left } else { "" };
                self.remove_lines(edit, &(start..at + 1), previous, left);
                start = at + 1;
            }
        }
    }

    /// Removes the lines of the children `run` and the comments that belong to them. `left` takes
    /// their place.
    fn remove_lines(
        &mut self,
        edit: &BlockEdit<'_>,
        run: &Range<usize>,
        previous: Option<KeptChild<'_>>,
        left: &str,
    ) {
        let old = edit.old;
        let (first, last) = (&old[run.start], &old[run.end - 1]);
        if !self.begins_line(first.start) {
            self.remove_after_dash(old, run);
            return;
        }
        let indent = self.text.column(first.start);
        let mut start = self.start_of_removal(first, indent);
        let mut end = self.end_with_comments(last, indent);
        let below = self.blank_lines_below(end);
        let is_last = run.end == old.len();
        if previous.is_some_and(|previous| {
            edit.adds_block_scalar || may_end_with_block_scalar(previous.after.end_node())
        }) {
            self.shift_comments(below, indent);
        }
        match previous {
            Some(previous) if below > end && keeps_blank_lines(previous.after.end_node()) => {
                // This is an edit of its own, because lines may be inserted before the blank lines.
                self.replace_text(Span::new(end, below), "");
            }
            // Blank lines at the end of a block scalar (`|+`) are a part of it and were replaced with
            // it.
            Some(previous) if below > end || is_last => {
                start = self.blank_lines_above(start).max(previous.before.end);
            }
            None if !is_last => end = below,
            _ => {}
        }
        self.replace_text(Span::new(start, end), left);
    }

    /// Gives the comment lines from `line` on that are deeper than `indent` this indentation. They
    /// stay although the child above them is removed, and the block scalar that is now above them
    /// would absorb them:
    ///
    /// ```text
    /// a: |          a: |
    ///   text          text
    /// b: 1
    ///
    ///     # c       # c
    /// ```
    fn shift_comments(&mut self, line: usize, indent: usize) {
        let mut start = line;
        for line in self.text.from(line).split_inclusive('\n') {
            let text = line.trim_start_matches(' ');
            let spaces = line.len() - text.len();
            if text.starts_with('#') && spaces > indent {
                self.replace_text(Span::new(start, start + spaces - indent), "");
            } else if !text.trim_ascii().is_empty() {
                return;
            }
            start += line.len();
        }
    }

    /// Removes children if the first of them is after a dash. The next child, or the comments above
    /// it, move to this place and lose their indentation:
    ///
    /// ```text
    /// - a: 1        - b: 2
    ///   b: 2
    /// ```
    fn remove_after_dash(&mut self, old: &[Child<'_>], run: &Range<usize>) {
        let Some(next) = old.get(run.end) else {
            return;
        };
        let start = old[run.start].start;
        let line = self.text.line_start(next.start);
        let indent = self.text.column(next.start);
        let end = match self.comments_above(line, indent) {
            above if above < line => above + indent,
            _ => next.start,
        };
        self.replace_text(Span::new(start, end), "");
    }

    /// Writes empty brackets for a block collection that lost all its children, with their
    /// comments.
    ///
    /// ```text
    /// # about a               {}
    /// a: 1  # on a
    ///
    /// - a: 1  # on a          - {}
    /// ```
    ///
    /// Comments that belong to no child stay below the brackets.
    ///
    /// Returns `false` and does nothing if the collection is below a key or has a tag or an anchor.
    pub(super) fn write_emptied(
        &mut self,
        before: &Node,
        after: &Node,
        parent: ValueParent,
    ) -> bool {
        let is_place = matches!(
            parent,
            ValueParent::Document | ValueParent::BlockItem { .. }
        );
        let is_emptied = before.collection_style() == Some(CollectionStyle::Block)
            && before.is_same_kind_of_collection(after)
            && after.is_empty_collection();
        let has_properties = before.properties.is_some() || after.properties.is_some();
        if !is_place || !is_emptied || has_properties || self.slot(before, parent).is_below {
            return false;
        }
        let old = self.block_children(before);
        let (Some(first), Some(last)) = (old.first(), old.last()) else {
            return false;
        };
        let indent = self.text.column(first.start);
        // The brackets take the place of the first child.
        let mut start = first.start;
        let mut margin = String::new();
        // The comments above it are removed with it. They may have less indentation than the child.
        if self.begins_line(first.start) {
            let line = self.start_of_removal(first, indent);
            if line < self.text.line_start(first.start) {
                start = line;
                margin = " ".repeat(indent);
            }
        }
        let end = self.text.before_break(self.end_with_comments(last, indent));
        let brackets = if after.as_mapping().is_some() {
            "{}"
        } else {
            "[]"
        };
        let comments = self.free_comments(before, first.start);
        self.replace_text(
            Span::new(start, end.max(start)),
            format!("{margin}{brackets}{comments}"),
        );
        true
    }

    /// Returns the comments between `from` and the last child of a block collection that belong to
    /// no child. They stay when the collection loses all its children:
    ///
    /// ```text
    /// labels:                labels: {}
    ///   # about a
    ///   a: 1
    ///
    ///   # to be added        # to be added
    ///
    ///   b: 2
    /// ```
    ///
    /// Each group of these comments begins with the line break before it, and ends without one.
    pub(super) fn free_comments(&self, collection: &Node, from: usize) -> String {
        let mut comments = String::new();
        let mut end = from;
        for child in self.block_children(collection) {
            let indent = self.text.column(child.start);
            // The first child can be after a dash.
            let start = self.start_of_removal(&child, indent);
            let between = self.text.slice(end, start).trim_ascii_end();
            comments.push_str(between);
            end = self
                .text
                .before_break(self.end_with_comments(&child, indent));
        }
        comments
    }

    /// Returns the comments below a block collection that belong to its last child. They are removed
    /// with the collection, also if another value replaces it.
    pub(super) fn comments_of_last(&self, collection: &Node) -> Option<Span> {
        let old = self.block_children(collection);
        let last = old.last()?;
        let line = self.line_after(last.end);
        let end = self.comments_below(line, self.text.column(last.start));
        (end > line).then(|| Span::new(line, end))
    }

    /// Returns the start of the comment lines that belong to the first child of a block collection.
    /// Returns `None` if there are none.
    pub(super) fn comments_of_first_child(&self, collection: &Node) -> Option<usize> {
        let old = self.block_children(collection);
        let first = old.first()?;
        if !self.begins_line(first.start) {
            return None;
        }
        let start = self.start_of_removal(first, self.text.column(first.start));
        (start < self.text.line_start(first.start)).then_some(start)
    }

    /// Returns the children of a block collection; none for any other node.
    fn block_children<'p>(&self, node: &'p Node) -> Vec<Child<'p>> {
        match children(node, &self.text) {
            Some(list) if list.style == CollectionStyle::Block => list.children,
            _ => Vec::new(),
        }
    }

    /// Returns the start of a child's lines with the comments directly above it.
    pub(super) fn start_of_removal(&self, child: &Child<'_>, indent: usize) -> usize {
        let line = self.text.line_start(child.start);
        let mut start = line;
        while start > 0 {
            let above = self.text.line_start(start - 1);
            let text = self.text.slice(above, start);
            let text = text.trim_start_matches('\u{feff}');
            let comment = text.trim_start_matches(' ');
            // A comment that is indented deeper than the child belongs to the child above.
            if text.len() - comment.len() > indent || !comment.starts_with('#') {
                break;
            }
            if self.is_in_scalar(start - comment.len()) {
                break;
            }
            start = above;
        }
        let comments = self.text.slice(start, line);
        if self.is_top(start)
            && ABOUT_THE_DOCUMENT
                .iter()
                .any(|word| comments.contains(word))
        {
            start = line;
        }
        // A byte order mark stays at the start of the text.
        start.max(self.text.text_start())
    }

    /// Returns whether the line that starts at `start` is the first line of a document.
    pub(super) fn is_top(&self, start: usize) -> bool {
        let above = self.text.slice(0, start);
        let last_line = above.trim_end_matches(['\n', '\r']).rsplit('\n').next();
        let last_line = last_line.unwrap_or("");
        last_line.trim_matches(['\u{feff}', ' ']).is_empty()
            || last_line.starts_with("---")
            || last_line.starts_with('%')
    }

    /// Returns the end of the lines of a child and of the comments below it that belong to it.
    pub(super) fn end_with_comments(&self, child: &Child<'_>, indent: usize) -> usize {
        self.comments_below(self.line_after(child.end), indent)
    }

    /// Returns the start of the blank lines directly above the line that starts at `line`.
    fn blank_lines_above(&self, line: usize) -> usize {
        let mut start = line;
        while start > 0 {
            let above = self.text.line_start(start - 1);
            if !self.text.slice(above, start).trim_ascii().is_empty() {
                break;
            }
            start = above;
        }
        start
    }

    /// Returns the end of the blank lines from `line` on.
    pub(super) fn blank_lines_below(&self, line: usize) -> usize {
        let mut end = line;
        for line in self.text.from(line).split_inclusive('\n') {
            if !line.trim_ascii().is_empty() {
                break;
            }
            end += line.len();
        }
        end
    }
}
