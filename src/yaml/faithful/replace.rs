//! Replaces a value by another one.
//!
//! There are four ways, tried in this order:
//!
//! 1. [`splice`](FaithfulPrinter::splice): the string contains a document, and parts of the
//!    document were edited. Only these parts are written.
//! 2. [`replace_in_flow`](FaithfulPrinter::replace_in_flow): inside brackets, a value is a piece of
//!    a line.
//! 3. [`put_lines`](FaithfulPrinter::put_lines): the new value is a block collection and needs
//!    lines of its own.
//! 4. [`put_inline`](FaithfulPrinter::put_inline): the new value starts on the line of its key or
//!    dash.

use std::sync::Arc;

use super::lines::without_break;
use super::printer::{FaithfulPrinter, ValueParent};
use super::shape::{FlowLines, Siblings};
use super::slot::ValueSlot;
use crate::source::Span;
use crate::yaml::node::{Content, Node, Scalar, ScalarStyle, Syntax, Text};
use crate::yaml::spelling::{self, ScalarPlace};
use crate::yaml::value::{PlainContext, is_plain_string, is_plain_when_tagged};

impl<'t> FaithfulPrinter<'t> {
    /// Replaces `before` by `after`, in the style of its surroundings. `siblings` are the
    /// collections next to it.
    pub(super) fn replace(
        &mut self,
        before: &Arc<Node>,
        after: &Arc<Node>,
        parent: ValueParent,
        siblings: &Siblings<'_>,
    ) {
        if self.splice(before, after) {
            return;
        }
        let example = Self::example_for(before, after, siblings);
        let shape = FlowLines {
            indent: self.spread_indent(before, siblings),
            example,
        };
        if parent.is_flow() {
            self.replace_in_flow(before, after, parent, shape);
            return;
        }
        let slot = self.slot(before, parent);
        if let Some(comments) = slot.comments_of_last {
            self.replace_text(comments, "");
        }
        let after = &self.in_shape_of(after, example);
        if self.is_block(after) {
            self.put_lines(before, after, parent, &slot);
        } else {
            self.put_inline(before, after, parent, &slot, shape);
        }
    }

    /// Writes only the changed parts of a scalar whose text is a document that was edited:
    ///
    /// ```text
    /// config: '{"port": 80, "host": "a"}'     ->     config: '{"port": 81, "host": "a"}'
    ///                   ^^ the only bytes that are written
    /// ```
    ///
    /// Returns `false` and does nothing if the parts cannot be traced to bytes, or cannot be
    /// spelled in the scalar's style.
    fn splice(&mut self, before: &Arc<Node>, after: &Arc<Node>) -> bool {
        let (
            Content::Scalar(old),
            Content::Scalar(Scalar {
                style,
                text: Text::Derived(derived),
            }),
        ) = (&before.content, &after.content)
        else {
            return false;
        };
        // The edits refer to the text of the base. Another scalar, or the same text in other
        // quotes, is spelled differently.
        if !Arc::ptr_eq(derived.base(), before) || old.style != *style {
            return false;
        }
        let newline = self.layout.newline();
        match spelling::splice(before, &**derived, newline) {
            Some(edits) => {
                self.edits.extend(edits);
                true
            }
            None => false,
        }
    }

    /// Writes a value between brackets:
    ///
    /// ```text
    /// {a: x, b: y}     ->     {a: z, b: y}     over the old value
    /// {a: , b: y}      ->     {a: z, b: y}     after the colon of an empty value
    /// {a, b: y}        ->     {a: z, b: y}     with the missing colon of a key without a value
    /// {a               ->     {? a             a key of several lines also needs a `?` before its
    ///   b}                        b: z}        colon
    /// ```
    fn replace_in_flow(
        &mut self,
        before: &Arc<Node>,
        after: &Arc<Node>,
        parent: ValueParent,
        shape: FlowLines<'_>,
    ) {
        let mut span = Span::new(before.full_start(), before.full_end());
        let mut colon = "";
        match parent {
            ValueParent::FlowEntry {
                start: Some(start), ..
            } if span.is_empty() => {
                span = Span::at(start.max(span.end()));
            }
            ValueParent::FlowEntry { entry, start: None } => {
                colon = ":";
                self.mark_long_key(entry, span.start());
            }
            _ => {}
        }
        // The spaces around an old value are already right.
        let is_apart = !span.is_empty() || colon.is_empty() && self.follows_blank(span.start());
        let space = if is_apart { "" } else { " " };
        let anchor = self.properties(before, after);
        let value = self.inline_text(before, after, self.flow_place(), shape);
        let gap = self.gap_before_comment(&value, span.end());
        self.replace_text(span, format!("{colon}{space}{anchor}{value}{gap}"));
    }

    /// Writes the `?` before a key of several lines that gets a colon at `end`. Without it, readers
    /// based on libyaml find no key there.
    fn mark_long_key(&mut self, entry: usize, end: usize) {
        let key = self.text.slice(entry, end).trim_end();
        let is_marked = key
            .strip_prefix('?')
            .is_some_and(|rest| rest.starts_with([' ', '\t', '\n', '\r']));
        if key.contains('\n') && !is_marked {
            self.insert_text(entry, "? ");
        }
    }

    /// Writes a value that begins on the line of its key or dash. A block scalar continues below
    /// it:
    ///
    /// ```text
    /// key: x # note     ->     key: | # note       the header replaces `slot.first`
    ///                            a                 the lines replace `slot.below`
    ///                            b
    /// ```
    fn put_inline(
        &mut self,
        before: &Arc<Node>,
        after: &Arc<Node>,
        parent: ValueParent,
        slot: &ValueSlot,
        shape: FlowLines<'_>,
    ) {
        let place = self.scalar_place(before, parent, slot);
        let text = self.inline_text(before, after, place, shape);
        let (first, lines) = match text.split_once('\n') {
            Some((header, lines)) if text.starts_with('|') => {
                (header.trim_end_matches('\r'), Some(lines))
            }
            // Only a flow collection in JSON has other lines. They are written together with the
            // first.
            _ => (text.as_str(), None),
        };
        let colon = self.missing_colon(parent, slot);
        let is_apart = colon.is_empty() && self.follows_blank(slot.first.start());
        let space = if is_apart { "" } else { " " };
        let anchor = self.properties(before, after);
        let gap = self.gap_before_comment(first, slot.first.end());
        self.replace_text(slot.first, format!("{colon}{space}{anchor}{first}{gap}"));

        let below = match lines {
            Some(lines) => format!("{}{}", self.layout.newline(), self.fitted(lines, slot)),
            None if after.is_empty_collection() && before.is_same_kind_of_collection(after) => {
                self.free_comments(before, slot.below.start())
            }
            None => String::new(),
        };
        self.put(slot.below, below);
    }

    /// Writes a block collection. It begins on the line of its dash if it can, and otherwise below
    /// its head:
    ///
    /// ```text
    /// - x              ->     - a: 1
    ///                           b: 2
    /// - x # note       ->     - # note          the comment would otherwise be one on `a`
    ///                           a: 1
    ///                           b: 2
    /// key: x # note    ->     key: # note
    ///                           a: 1
    ///                           b: 2
    /// ```
    fn put_lines(
        &mut self,
        before: &Arc<Node>,
        after: &Arc<Node>,
        parent: ValueParent,
        slot: &ValueSlot,
    ) {
        let first_line_end = self.text.line_end(slot.first.end());
        // The rest of the line after the old value: white space, and possibly a comment.
        let tail = self.text.slice(slot.first.end(), first_line_end).trim_end();
        let has_comment = !tail.trim_start().is_empty();

        // After a dash, or at the start of a line, the first entry of the collection can start
        // where the old value started.
        let is_entry_place = match parent {
            ValueParent::BlockItem { .. } => !slot.is_below,
            _ => !slot.is_below && self.begins_line(slot.first.start()),
        };
        if is_entry_place && !has_comment && after.anchor().is_none() {
            self.put_lines_in_place(before, after, slot);
            return;
        }
        // The first line keeps the head, its anchor and its comment; everything else is on lines
        // below.
        let column = match parent {
            // A collection of the same kind keeps the indentation of the old one.
            _ if slot.is_below && before.is_same_kind_of_collection(after) => {
                self.text.column(before.content_start())
            }
            ValueParent::BlockEntry { indent, .. } => self.value_indent(after, indent),
            ValueParent::BlockItem { indent, start } => {
                indent + 1 + self.gap_after(start, slot.first.start()).len()
            }
            _ => 0,
        };
        let rest = self.text.from(slot.rest);
        let moved = self.block_with_moved(after, column, rest);
        let below_start = match moved {
            Some(_) => self.start_above_first_child(before, slot),
            None => None,
        }
        .unwrap_or_else(|| self.below_start(before, slot, has_comment));
        let lines = moved.unwrap_or_else(|| self.block(after, column, rest));
        self.put_head(after, parent, slot, tail);
        let below = Span::new(below_start, slot.below.end());
        let newline = self.layout.newline();
        let margin = " ".repeat(column);
        let lines = self.fitted(&lines, slot);
        self.put(below, format!("{newline}{margin}{lines}"));
    }

    /// Writes a block collection where the old value started, and indents its lines to there.
    fn put_lines_in_place(&mut self, before: &Node, after: &Arc<Node>, slot: &ValueSlot) {
        let mut start = slot.first.start();
        let mut space = if self.follows_blank(start) { "" } else { " " }.to_owned();
        let column = self.text.column(start) + space.len();
        let rest = self.text.from(slot.rest);
        let moved = self.block_with_moved(after, column, rest);
        if moved.is_some()
            && let Some(first) = self.comments_of_first_child(before)
        {
            start = first;
            space = " ".repeat(column);
        }
        let lines = moved.unwrap_or_else(|| self.block(after, column, rest));
        let lines = self.fitted(&lines, slot);
        let span = Span::new(start, slot.below.end());
        self.replace_text(span, format!("{space}{lines}"));
    }

    /// Returns the offset at which the lines of a block collection with moved children begin, as
    /// [`below_start`](Self::below_start) does. Comments above the first child of the old collection
    /// belong to that child. They are removed with it, or are written again with the child that
    /// moved:
    ///
    /// ```text
    /// key:               key:
    ///   # about a          # about a
    ///   a: 1        ->     b: 1          a moved over b
    ///   b: 2
    /// ```
    fn start_above_first_child(&self, before: &Node, slot: &ValueSlot) -> Option<usize> {
        if !slot.is_below || before.properties.is_some() {
            return None;
        }
        let start = self.comments_of_first_child(before)?;
        Some(self.text.before_break(start))
    }

    /// Rewrites the head line of a value that moves below it, keeping the comment and adding the
    /// anchor:
    ///
    /// ```text
    /// key: x # note     ->     key: &a # note
    ///     ^~~~~~~~~ span          a: 1
    /// ```
    ///
    /// The old value may be on a line of its own below the head. Its comment stays on that line:
    ///
    /// ```text
    /// key:              ->     key:
    ///   x # note                 # note
    ///   ^~~~~~~~ span            a: 1
    /// ```
    ///
    /// `tail` is the comment with the white space before it.
    fn put_head(&mut self, after: &Node, parent: ValueParent, slot: &ValueSlot, tail: &str) {
        let anchor = self.anchor(after);
        if slot.is_below && slot.first.is_empty() && anchor.is_empty() {
            // The old collection was below too, and nothing on the head line belongs to it.
            return;
        }
        let comment = tail.trim_start();
        let span = if self.has_own_line(slot) {
            if comment.is_empty() {
                Span::at(slot.head)
            } else {
                Span::new(slot.first.start(), slot.below.start())
            }
        } else {
            Span::new(slot.head, slot.below.start())
        };
        let begins_line = self.begins_line(span.start());
        let mut text = self.missing_colon(parent, slot);
        if !anchor.is_empty() {
            if !(text.is_empty() && begins_line) {
                text.push(' ');
            }
            text.push_str(anchor.trim_end());
        }
        if !comment.is_empty() {
            if !(text.is_empty() && begins_line) {
                // Spaces before a comment are kept, so that it stays aligned with others. A tab is
                // not kept: after a dash or a colon, YAML forbids it if lines of a block follow.
                let apart = &tail[..tail.len() - comment.len()];
                let is_spaces = !apart.is_empty() && apart.bytes().all(|byte| byte == b' ');
                text.push_str(if is_spaces { apart } else { " " });
            }
            text.push_str(comment);
        }
        self.put(span, text);
    }

    /// Returns the offset at which the lines of a new block collection begin, including the line
    /// break before them.
    fn below_start(&self, before: &Node, slot: &ValueSlot, has_comment: bool) -> usize {
        let first_line = if slot.is_below && before.properties.is_none() {
            // Comments between the head and the old collection stay.
            before.content_start()
        } else if self.has_own_line(slot) && !has_comment {
            // The line of the old value is removed with it.
            slot.first.start()
        } else {
            return slot.below.start();
        };
        self.text.before_break(self.text.line_start(first_line))
    }

    /// Returns whether the old value is on a line below its head.
    fn has_own_line(&self, slot: &ValueSlot) -> bool {
        !self.text.same_line(slot.head, slot.first.start())
    }

    /// Replaces a span by `text`, unless both are empty.
    fn put(&mut self, span: Span, text: String) {
        if !span.is_empty() || !text.is_empty() {
            self.replace_text(span, text);
        }
    }

    /// Removes the final line break of `lines` if the text has one after the slot.
    fn fitted<'l>(&self, lines: &'l str, slot: &ValueSlot) -> &'l str {
        if slot.below.end() == self.text.len() {
            lines
        } else {
            without_break(lines)
        }
    }

    /// Returns the anchor and the tag to write before a value, each with a space after it. A scalar
    /// keeps the custom tag of the scalar that it replaces: `!Ref a` becomes `!Ref b`. A tag of
    /// YAML itself is removed with the value whose type it gave.
    fn properties(&self, before: &Node, after: &Node) -> String {
        let mut properties = self.anchor(after);
        if let Some(old) = before.properties.as_ref()
            && keeps_tag(before, after)
        {
            let written = self.text.slice(old.span.start(), old.span.end());
            let tag = written
                .split_whitespace()
                .find(|word| word.starts_with('!'));
            if let Some(tag) = tag {
                properties.push_str(tag);
                properties.push(' ');
            }
        }
        properties
    }

    /// Returns the blank that a comment at `end` needs after `value`. libyaml reads `"a"# note` as
    /// a value and a comment, but `1# note` is one plain scalar.
    pub(super) fn gap_before_comment(&self, value: &str, end: usize) -> &'static str {
        let is_comment = self.syntax == Syntax::Yaml && self.text.from(end).starts_with('#');
        let is_closed = value.ends_with(['"', '\'', ']', '}']);
        if is_comment && !is_closed { " " } else { "" }
    }

    /// Returns the line with the colon, for an explicit key without a value that has none yet.
    fn missing_colon(&self, parent: ValueParent, slot: &ValueSlot) -> String {
        match parent {
            ValueParent::BlockEntry { indent, .. } if slot.wants_colon => {
                format!("{}{}:", self.layout.newline(), " ".repeat(indent))
            }
            _ => String::new(),
        }
    }

    /// Returns the text of a value that starts on the line of its parent.
    fn inline_text(
        &self,
        before: &Arc<Node>,
        after: &Arc<Node>,
        place: ScalarPlace<'_>,
        shape: FlowLines<'_>,
    ) -> String {
        if let (true, Some(old), Some(text)) =
            (keeps_tag(before, after), before.as_scalar(), after.text())
        {
            // A custom tag makes every text a string, so `!Ref 1` needs no quotes either.
            let context = PlainContext::of(place.flow);
            if old.style == ScalarStyle::Plain && is_plain_when_tagged(text, context) {
                return text.to_owned();
            }
            if after.as_str().is_none() {
                return spelling::encode(text, old.style, &place);
            }
        }
        let style = self.inherited_style(before, after, PlainContext::of(place.flow));
        match (style, after.as_str()) {
            (Some(ScalarStyle::Plain), Some(text)) if text.contains('\n') && !place.flow => {
                spelling::encode(text, ScalarStyle::Literal, &place)
            }
            (Some(style), Some(text)) => spelling::encode(text, style, &place),
            _ => self.inline(after, &place, shape),
        }
    }

    /// Returns the style of a new string that replaces another string: the style of the old one.
    /// `None` if the new value has a style of its own.
    fn inherited_style(
        &self,
        before: &Node,
        after: &Node,
        context: PlainContext,
    ) -> Option<ScalarStyle> {
        let (old, new) = (before.as_scalar()?, after.as_scalar()?);
        let (_, text) = (before.as_str()?, after.as_str()?);
        if !self.is_foreign(after) || matches!(new.text, Text::Derived(_)) {
            return None;
        }
        // A string from elsewhere that needs quotes keeps the quotes that it has there.
        if old.style == ScalarStyle::Plain
            && after.origin.is_some()
            && !is_plain_string(text, context)
        {
            return Some(new.style);
        }
        Some(old.style)
    }

    /// Returns the indentation of the line of `before`, if a flow collection that replaces it may
    /// have one child a line. In YAML, the lines would need more indentation than the parent.
    fn spread_indent(&self, before: &Node, siblings: &Siblings<'_>) -> Option<&'t str> {
        let origin = before.origin.as_ref()?;
        let can_spread = self.syntax == Syntax::Json && !siblings.is_one_line;
        can_spread.then(|| self.text.indentation(origin.span.start()))
    }

    /// Returns the place of a scalar that replaces `before` in block context. A block scalar that
    /// replaces another one keeps its indentation.
    fn scalar_place(
        &self,
        before: &Node,
        parent: ValueParent,
        slot: &ValueSlot,
    ) -> ScalarPlace<'_> {
        let indent = match parent {
            ValueParent::BlockEntry { indent, .. } | ValueParent::BlockItem { indent, .. } => {
                indent
            }
            _ => 0,
        };
        let mut place = ScalarPlace {
            rest: self.text.from(slot.rest),
            ..self.block_place(indent)
        };
        if let (Some(origin), Some(scalar)) = (&before.origin, before.as_scalar())
            && scalar.style.is_block()
        {
            let raw = self.text.slice(origin.span.start(), origin.span.end());
            let content = spelling::content_indent(raw, scalar.style, before.text().unwrap_or(""));
            place.step = content.saturating_sub(indent).max(1);
        }
        place
    }
}

/// Returns whether a scalar keeps the tag of the scalar that it replaces. It keeps custom tags.
fn keeps_tag(before: &Node, after: &Node) -> bool {
    let are_scalars = before.as_scalar().is_some() && after.as_scalar().is_some();
    let tag = before.tag();
    are_scalars && tag.is_some_and(|tag| !tag.starts_with("tag:yaml.org,2002:"))
}
