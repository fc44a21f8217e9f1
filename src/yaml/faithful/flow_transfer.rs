//! Writes a child that moves between collections in brackets, or to another key of its own one.
//!
//! As in a block collection (`transfer`), its bytes and its comments move with it.

use super::align::{Child, children};
use super::flow::FlowChildren;
use super::flow_children::NewChildren;
use super::flow_moves::CommentedChild;
use super::flow_removal::FlowGap;
use super::moved_comments::MovedComments;
use super::printer::FaithfulPrinter;
use super::shape::Siblings;
use crate::yaml::node::{CollectionStyle, Syntax};

impl FaithfulPrinter<'_> {
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
        let mut unit = self.with_new_key(unit, &gaps[removed.place], &old, child, flow)?;
        let from = self.text.indentation(old.start);
        unit.text = reindented(&unit.text, from, style.indent.as_deref());
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

    /// Replaces the key of a child that moved. `gap` is the one before the child at its old place.
    ///
    /// The text of the child consists of the comments above, `"key":`, and the value with the
    /// comments after it.
    fn with_new_key(
        &self,
        moved: CommentedChild,
        gap: &FlowGap,
        old: &Child<'_>,
        new: &Child<'_>,
        flow: &FlowChildren<'_>,
    ) -> Option<CommentedChild> {
        let above = old.start - Self::start_with_comments(gap, old);
        let head = match old.key {
            Some(_) => old.value_start? - old.start,
            None => 0,
        };
        let (comments, rest) = moved.text.split_at_checked(above)?;
        let value = rest.get(head..)?.trim_start();
        let mut text = String::from(comments);
        if let Some(key) = new.key {
            let key = self.key(key, flow.old.last().and_then(|last| last.key), true);
            text.extend([&*key, ":", self.space_of(flow)]);
        }
        // A pair has no braces in a list, and needs them as a value: `[a: 1]`, `{x: {a: 1}}`.
        let is_pair = old.value.as_mapping().is_some() && !self.has_brackets(old.value);
        if is_pair && new.key.is_some() && !value.starts_with('{') {
            text.extend(["{", value, "}"]);
        } else {
            text.push_str(value);
        }
        Some(CommentedChild {
            text,
            trailing: moved.trailing,
        })
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
