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
//! A removed child and a new one are the same if they have the same value. A value keeps its place
//! in the text in all its versions, so edited values are recognized too.

use std::collections::HashMap;
use std::sync::Arc;

use super::align::{AlignStep, Child, align, children};
use super::block::{ChildStyle, absorbs};
use super::compare::is_edited_version;
use super::flow::FlowChildren;
use super::flow_children::NewChildren;
use super::flow_moves::CommentedChild;
use super::lines::SourceLines;
use super::moved_comments::MovedComments;
use super::printer::FaithfulPrinter;
use super::shape::Siblings;
use crate::source::Span;
use crate::yaml::node::{CollectionStyle, Node, Syntax};
use crate::yaml::text_edit;

/// A child that was removed from its collection.
#[derive(Clone)]
pub(super) struct RemovedChild {
    pub(super) collection: Arc<Node>,
    pub(super) place: usize,
}

/// The children that were removed from the collections of a document, by the places of their
/// values.
#[derive(Default)]
pub(super) struct RemovedChildren(HashMap<Span, RemovedChild>);

impl RemovedChildren {
    /// Compares two versions of a document. Values without bytes are left out, because there is
    /// nothing to move.
    pub(super) fn of(before: &Arc<Node>, after: &Arc<Node>, text: &SourceLines<'_>) -> Self {
        let mut removed = RemovedChildren::default();
        removed.collect(before, after, text);
        removed
    }

    fn collect(&mut self, before: &Arc<Node>, after: &Arc<Node>, text: &SourceLines<'_>) {
        if Arc::ptr_eq(before, after) || !is_edited_version(before, after) {
            return;
        }
        let (Some(old), Some(new)) = (children(before, text), children(after, text)) else {
            return;
        };
        let (old, new) = (old.children, new.children);
        for step in align(&old, &new) {
            match step {
                AlignStep::Keep { old: i, new: j } => {
                    self.collect(old[i].value, new[j].value, text);
                }
                AlignStep::Remove { old: place } => {
                    let span =
                        Span::new(old[place].value.full_start(), old[place].value.full_end());
                    if !span.is_empty() {
                        let collection = Arc::clone(before);
                        self.0.insert(span, RemovedChild { collection, place });
                    }
                }
                AlignStep::Insert { .. } => {}
            }
        }
    }
}

impl FaithfulPrinter<'_> {
    /// Returns the removed child that has the value of a new child. Each is returned once, so a
    /// value that is copied several times keeps its comments once.
    fn take_removed(&mut self, value: &Node) -> Option<RemovedChild> {
        if self.is_foreign(value) {
            return None;
        }
        if self.removed.is_none() {
            let (before, after) = self.versions.as_ref()?;
            self.removed = Some(RemovedChildren::of(before, after, &self.text));
        }
        let span = Span::new(value.full_start(), value.full_end());
        self.removed.as_mut()?.0.remove(&span)
    }

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
            CollectionStyle::Block if !absorbs(child.value, rest, style.indent) => {
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
        self.push_body(&body, old, child, (column, indent), &mut lines);
        Some(lines)
    }

    /// Writes a block collection as `block` does. Children that were moved into it keep their own
    /// lines and comments.
    pub(super) fn block_with_moved(
        &mut self,
        collection: &Arc<Node>,
        indent: usize,
        rest: &str,
    ) -> String {
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
            return self.block(collection, indent, rest);
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
        lines.split_off(margin.len())
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
        (column, indent): (usize, usize),
        lines: &mut String,
    ) {
        let is_block = old.value.collection_style() == Some(CollectionStyle::Block);
        if !is_block || old.key.is_some() == new.key.is_some() {
            // Between two keys or two dashes, the distance of the value from its parent stays the
            // same.
            push_shifted(body, column, indent, lines);
            return;
        }
        let start = old.value.content_start();
        let value_column = self.text.column(start);
        let (first, rest) = body.split_once('\n').unwrap_or((body, ""));
        if new.key.is_some() {
            // From a dash to a key: the first line after the dash moves below the key.
            if self.text.same_line(old.start, start) {
                let inner = self.value_indent(new.value, indent);
                lines.push_str(self.layout.newline());
                lines.push_str(&" ".repeat(inner));
                push_shifted(body.trim_start_matches(' '), value_column, inner, lines);
            } else {
                push_shifted(body, column, indent, lines);
            }
            return;
        }
        // From a key to a dash: the first line of the value moves to the line of the dash, unless
        // there is a comment in between.
        let inner = indent + 2;
        let mut shifted = String::new();
        push_shifted(&format!("\n{rest}"), value_column, inner, &mut shifted);
        let shifted = &shifted[1..];
        if first.trim().is_empty() && !shifted.trim_start().starts_with('#') {
            lines.push(' ');
            lines.push_str(shifted.trim_start_matches(' '));
        } else {
            lines.extend([first, "\n", shifted]);
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
            scalar.strip_in(&mut edits);
        }
        text_edit::apply_within(self.text.text(), span, edits)
    }

    /// Returns a new child of a flow collection that moved there from another one, with its
    /// comments. `separator` is the text between two children. Returns `None` if the child was not
    /// moved.
    ///
    /// ```text
    /// // about x
    /// "x":  {"k":1}, // on x      as it was: comments above, `head`, value, comment after the comma
    /// // about x
    /// "y": {"k":1}, // on x       under the key `y`: only the head is new
    /// ```
    pub(super) fn transferred_unit(
        &mut self,
        flow: &FlowChildren<'_>,
        child: &Child<'_>,
        style: &NewChildren,
        separator: &str,
    ) -> Option<CommentedChild> {
        let removed = self.take_removed(child.value)?;
        let list = children(&removed.collection, &self.text)?;
        let old = list.children[removed.place];
        if list.style != CollectionStyle::Flow || !self.has_brackets(&removed.collection) {
            let comments = self.moved_comments(&removed, &list, &old);
            return self.commented_unit(flow, child, style, separator, comments);
        }
        let gaps = self.gaps(&removed.collection, &list.children);
        let source = FlowChildren {
            collection: &removed.collection,
            example: None,
            is_on_one_line: false,
            old: &list.children,
            siblings: &Siblings::default(),
        };
        let unit = self.unit(&source, &gaps, removed.place, child.value, false);
        // The text consists of the comments above, `"key":`, and the value with the comments after
        // it. The key is replaced.
        let above = old.start - Self::start_with_comments(&gaps[removed.place], &old);
        let head = match old.key {
            Some(_) => old.value_start? - old.start,
            None => 0,
        };
        let (comments, rest) = unit.text.split_at_checked(above)?;
        let value = rest.get(head..)?.trim_start();
        let mut text = String::from(comments);
        if let Some(key) = child.key {
            let key = self.key(key, flow.old.last().and_then(|last| last.key), true);
            text.extend([&*key, ":", self.space_of(flow)]);
        }
        // A pair has no braces in a list, and needs them as a value: `[a: 1]`, `{x: {a: 1}}`.
        let is_pair = old.value.as_mapping().is_some() && !self.has_brackets(old.value);
        if is_pair && child.key.is_some() && !value.starts_with('{') {
            text.extend(["{", value, "}"]);
        } else {
            text.push_str(value);
        }
        let from = self.text.indentation(old.start);
        let mut unit = CommentedChild {
            text: reindented(&text, from, style.indent.as_deref()),
            trailing: unit.trailing,
        };
        unit.indent_marker(separator);
        let has_comments = unit.text.contains('\n') || !unit.trailing.is_empty();
        if separator.contains('\n') || !has_comments {
            return Some(unit);
        }
        match self.syntax {
            Syntax::Json => on_one_line(unit),
            Syntax::Yaml => {
                let comments = self.moved_comments(&removed, &list, &old);
                self.commented_unit(flow, child, style, separator, comments)
            }
        }
    }

    /// Returns a new child of a flow collection in YAML, with the given comments on lines of their
    /// own; `None` if there are no comments.
    ///
    /// ```text
    /// {q: 1}     ->     {q: 1,
    ///                     # about x
    ///                     x: 2}
    /// ```
    fn commented_unit(
        &self,
        flow: &FlowChildren<'_>,
        child: &Child<'_>,
        style: &NewChildren,
        separator: &str,
        mut comments: MovedComments<'_>,
    ) -> Option<CommentedChild> {
        if comments.is_empty() {
            return None;
        }
        let newline = self.layout.newline();
        let mut text = String::new();
        // If the children are on one line, nothing else could follow a comment there.
        let is_on_one_line = !separator.contains('\n');
        let indent = if is_on_one_line {
            comments = comments.all_above();
            text.push_str(newline);
            self.line_indent(flow)
        } else {
            style.indent.as_deref().unwrap_or("").to_owned()
        };
        for (number, comment) in comments.above.iter().enumerate() {
            if number > 0 || is_on_one_line {
                text.push_str(&indent);
            }
            text.extend([comment, newline]);
        }
        if !comments.above.is_empty() {
            text.push_str(&indent);
        }
        text.push_str(&self.child_text(flow, child, style));
        let trailing = comments
            .trailing
            .map_or_else(String::new, |comment| format!(" {comment}"));
        Some(CommentedChild { text, trailing })
    }
}

/// Returns a child of JSON in a form that another child can follow on the same line:
///
/// ```text
/// "x": 1 // on x     ->     "x": 1 /* on x */
/// ```
///
/// Returns `None` if the comment contains `*/`.
fn on_one_line(unit: CommentedChild) -> Option<CommentedChild> {
    if !ends_with_line_comment(&unit.trailing) {
        return Some(unit);
    }
    let comment = unit.trailing.trim_start().strip_prefix("//")?;
    let is_writable = !comment.contains("*/");
    is_writable.then(|| CommentedChild {
        trailing: format!(" /*{} */", comment.trim_end()),
        text: unit.text,
    })
}

/// Returns whether comments end with a line comment, so that nothing can follow on their line.
pub(super) fn ends_with_line_comment(comments: &str) -> bool {
    !comments.trim_end().is_empty() && !comments.trim_end().ends_with("*/")
}

/// Adds text whose lines, after the first, move from column `from` to column `to`:
///
/// ```text
/// from 0, to 2     # on x     ->     # on x        the first line follows a key or a dash
///                    k: 1               k: 1      the others get two more spaces
/// ```
fn push_shifted(text: &str, from: usize, to: usize, result: &mut String) {
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let spaces = line.len() - line.trim_start_matches(' ').len();
        if number == 0 || line.trim_ascii().is_empty() {
            result.push_str(line);
        } else {
            result.extend(std::iter::repeat_n(' ', (spaces + to).saturating_sub(from)));
            result.push_str(&line[spaces..]);
        }
    }
}

/// Returns text whose lines, after the first, start with the indentation `to` instead of `from`.
fn reindented(text: &str, from: &str, to: Option<&str>) -> String {
    let Some(to) = to else {
        return text.to_owned();
    };
    let mut result = String::with_capacity(text.len());
    for (number, line) in text.split_inclusive('\n').enumerate() {
        match line.strip_prefix(from) {
            Some(rest) if number > 0 => result.extend([to, rest]),
            _ => result.push_str(line),
        }
    }
    result
}
