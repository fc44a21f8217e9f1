//! Writes a child that moves to another collection, or to another key of its own collection.
//!
//! Its bytes move with it, and so do its comments. Only the key changes, and the indentation:
//!
//! ```text
//! a:                       a:
//!   # about x                z: 3
//!   x: # on x              b:
//!     k: 1 # one             # about x
//!   z: 3                     y: # on x
//! b:                           k: 1 # one
//!   q: 1                     q: 1
//! ```
//!
//! Between a block collection and one in brackets, only the comments move, and the value is written
//! from scratch.
//!
//! `removed_children` finds the child that moved, `flow_transfer` writes one that moves between
//! collections in brackets.

use std::sync::Arc;

use super::align::{Child, children};
use super::block::{ChildStyle, absorbs};
use super::moved_comments::MovedComments;
use super::printer::FaithfulPrinter;
use super::shape::Siblings;
use crate::source::Span;
use crate::yaml::node::{CollectionStyle, Node};
use crate::yaml::text_edit;

impl FaithfulPrinter<'_> {
    /// Returns the lines of a new child of a block collection that moved there from another one.
    /// Returns `None` if the child was not moved, or if its lines cannot be moved to another place.
    /// `rest` is the text that will follow.
    pub(super) fn transferred_lines(
        &mut self,
        child: &Child<'_>,
        neighbour: &Child<'_>,
        style: &ChildStyle<'_>,
        rest: &str,
    ) -> Option<String> {
        let removed = self.take_removed(child.value)?;
        let list = children(&removed.collection, &self.text)?;
        let old = list.children[removed.place];
        let lines = match list.style {
            CollectionStyle::Block if !absorbs(child.end_node(), rest, style.indent) => {
                self.lines_at_new_place(&old, child, neighbour, style)
            }
            _ => None,
        };
        if lines.is_some() {
            return lines;
        }
        let comments = self.moved_comments(&removed, &list, &old);
        self.commented_lines(child, neighbour, style, comments, rest)
    }

    /// Returns the lines of a child that moves between block collections. `old` is the child as it
    /// was. Returns `None` if the lines cannot be moved as they are.
    fn lines_at_new_place(
        &mut self,
        old: &Child<'_>,
        child: &Child<'_>,
        neighbour: &Child<'_>,
        style: &ChildStyle<'_>,
    ) -> Option<String> {
        let indent = style.indent;
        // The lines of a collection that was empty until now are written for a dash or for a key.
        let is_filled = old.value.is_empty_collection() && !child.value.is_empty_collection();
        if is_filled && old.key.is_some() != child.key.is_some() {
            return None;
        }
        // The result consists of the comments above, the new key or dash, and the bytes after the
        // old key or dash (`body`), which include the comments below:
        //
        //     # about x         <- comments, at the new indentation
        //     y: # on x         <- the new key, then `body`
        //       k: 1 # one
        let column = self.text.column(old.start);
        let head_end = match old.key {
            Some(_) => old.value_start?,
            None => old.start + 1,
        };
        let span = Span::new(head_end, self.end_with_comments(old, column));
        let body = self.edited_within(span, old, child.value, &Siblings::default())?;

        let mut lines = String::new();
        let margin = " ".repeat(indent);
        for comment in self.comments_on_lines_above(old, column).lines() {
            lines.extend([&margin, comment.trim_start(), self.layout.newline()]);
        }
        lines.push_str(&margin);
        match child.key {
            Some(key) => lines.extend([&*self.key(key, neighbour.key, false), ":"]),
            None => lines.push('-'),
        }
        let columns = ColumnChange {
            from: column,
            to: indent,
        };
        self.push_body(&body, old, child, columns, &mut lines);
        Some(lines)
    }

    /// Writes a block collection as `block` does, but children that were moved into it keep their own
    /// lines and comments. Returns `None` if there are no such children.
    pub(super) fn block_with_moved(
        &mut self,
        collection: &Arc<Node>,
        indent: usize,
        rest: &str,
    ) -> Option<String> {
        let children = children(collection, &self.text).map_or_else(Vec::new, |list| list.children);
        // Each child serves as its own neighbour, because there are no old children whose style it
        // could copy.
        let siblings = Siblings::default();
        let style = ChildStyle {
            indent,
            quotes: None,
            siblings: &siblings,
        };
        let mut moved = Vec::with_capacity(children.len());
        for (number, child) in children.iter().enumerate() {
            let is_last = number + 1 == children.len();
            let rest = if is_last { rest } else { "" };
            moved.push(self.transferred_lines(child, child, &style, rest));
        }
        if moved.iter().all(Option::is_none) {
            return None;
        }
        let margin = " ".repeat(indent);
        let mut lines = String::new();
        for (number, (child, moved)) in children.iter().zip(moved).enumerate() {
            if number > 0 && !lines.ends_with('\n') {
                lines.push_str(self.layout.newline());
            }
            let is_last = number + 1 == children.len();
            match moved {
                Some(moved) => lines.push_str(&moved),
                None => {
                    lines.push_str(&margin);
                    let rest = if is_last { rest } else { "" };
                    lines.push_str(&self.child_lines(child, child, &style, rest));
                }
            }
        }
        // The caller writes the indentation of the first line.
        Some(lines.split_off(margin.len()))
    }

    /// Returns the lines of a child that is written anew, with its comments; `None` if it has no
    /// comments.
    fn commented_lines(
        &self,
        child: &Child<'_>,
        neighbour: &Child<'_>,
        style: &ChildStyle<'_>,
        mut comments: MovedComments<'_>,
        rest: &str,
    ) -> Option<String> {
        if comments.is_empty() {
            return None;
        }
        let own = self.child_lines(child, neighbour, style, rest);
        if own.contains('\n') {
            comments = comments.all_above();
        }
        let margin = " ".repeat(style.indent);
        let mut lines = String::new();
        for comment in comments.above {
            lines.extend([&margin, comment, self.layout.newline()]);
        }
        lines.extend([&margin, &*own]);
        if let Some(comment) = comments.trailing {
            lines.extend([" ", comment]);
        }
        Some(lines)
    }

    /// Adds the text after the colon or the dash of a child, which moves from one column to
    /// another.
    ///
    /// ```text
    /// - n: 1         key:            x:           - k: 1
    ///   m: 2    ->     n: 1            k: 1   ->    l: 2
    ///                  m: 2            l: 2
    /// ```
    fn push_body(
        &self,
        body: &str,
        old: &Child<'_>,
        new: &Child<'_>,
        columns: ColumnChange,
        lines: &mut String,
    ) {
        let is_block = old.value.collection_style() == Some(CollectionStyle::Block);
        match (old.key, new.key) {
            (None, Some(_)) if is_block => self.push_below_key(body, old, new, columns, lines),
            (Some(_), None) if is_block => self.push_after_dash(body, old, columns, lines),
            // Between two keys or two dashes, the distance of the value from its parent stays the
            // same.
            _ => push_shifted(body, columns, lines),
        }
    }

    /// Adds the value of an item that becomes the value of a key: the first line after the dash
    /// moves below the key.
    fn push_below_key(
        &self,
        body: &str,
        old: &Child<'_>,
        new: &Child<'_>,
        columns: ColumnChange,
        lines: &mut String,
    ) {
        let value_start = old.value.content_start();
        if !self.text.same_line(old.start, value_start) {
            push_shifted(body, columns, lines);
            return;
        }
        let inner = ColumnChange {
            from: self.text.column(value_start),
            to: self.value_indent(new.value, columns.to),
        };
        lines.push_str(self.layout.newline());
        lines.push_str(&" ".repeat(inner.to));
        push_shifted(body.trim_start_matches(' '), inner, lines);
    }

    /// Adds the value of a key that becomes an item: the first line of the value moves to the line
    /// of the dash, unless there is a comment in between.
    fn push_after_dash(
        &self,
        body: &str,
        old: &Child<'_>,
        columns: ColumnChange,
        lines: &mut String,
    ) {
        let inner = ColumnChange {
            from: self.text.column(old.value.content_start()),
            to: columns.to + "- ".len(),
        };
        let (after_colon, below) = body.split_once('\n').unwrap_or((body, ""));
        // The line break makes the first line below move too.
        let mut shifted = String::new();
        push_shifted(&format!("\n{below}"), inner, &mut shifted);
        let shifted = &shifted[1..];
        if after_colon.trim().is_empty() && !shifted.trim_start().starts_with('#') {
            lines.push(' ');
            lines.push_str(shifted.trim_start_matches(' '));
        } else {
            lines.extend([after_colon, "\n", shifted]);
        }
    }

    /// Returns the comments on the lines directly above a block child.
    fn comments_on_lines_above(&self, child: &Child<'_>, indent: usize) -> &str {
        if !self.begins_line(child.start) {
            return "";
        }
        let start = self.start_of_removal(child, indent);
        self.text.slice(start, self.text.line_start(child.start))
    }

    /// Returns the text of `span`, which contains the value of the block child `child`, with
    /// `value` instead. `None` if an edit reaches beyond the span.
    pub(super) fn edited_within(
        &mut self,
        span: Span,
        child: &Child<'_>,
        value: &Arc<Node>,
        siblings: &Siblings<'_>,
    ) -> Option<String> {
        let parent = self.parent_of(CollectionStyle::Block, child);
        // The edits of the value are applied to this copy of the lines, not to the whole text.
        let outer = std::mem::take(&mut self.edits);
        self.compare(child.value, value, parent, siblings);
        let mut edits = std::mem::replace(&mut self.edits, outer);
        if let Some(scalar) = &self.open_scalar
            && span.contains(scalar.span())
        {
            scalar.add_strip_indicator(&mut edits);
        }
        text_edit::apply_within(self.text.text(), span, edits)
    }
}

/// The column in which lines begin, and the one to which they move.
#[derive(Clone, Copy)]
struct ColumnChange {
    from: usize,
    to: usize,
}

/// Adds text whose lines, after the first, move from one column to another:
///
/// ```text
/// from 0, to 2     # on x     ->     # on x        the first line follows a key or a dash
///                    k: 1               k: 1      the others get two more spaces
/// ```
fn push_shifted(text: &str, columns: ColumnChange, result: &mut String) {
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let spaces = line.len() - line.trim_start_matches(' ').len();
        if number == 0 || line.trim_ascii().is_empty() {
            result.push_str(line);
        } else {
            let shifted = (spaces + columns.to).saturating_sub(columns.from);
            result.extend(std::iter::repeat_n(' ', shifted));
            result.push_str(&line[spaces..]);
        }
    }
}
