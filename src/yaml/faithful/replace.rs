//! A value that takes the place of another one.

use std::sync::Arc;

use super::slot::Slot;
use super::{Holder, Printer};
use crate::source::Span;
use crate::yaml::node::Syntax;
use crate::yaml::node::{Content, Node, Scalar, ScalarStyle, Text};
use crate::yaml::spelling::{self, Place};
use crate::yaml::text_edit::TextEdit;
use crate::yaml::value::is_plain_string;

impl Printer<'_> {
    /// Writes `after` in the place of `before`.
    pub(super) fn replace(&mut self, before: &Arc<Node>, after: &Arc<Node>, holder: &Holder) {
        if self.splice(before, after) {
            return;
        }
        if let Holder::FlowItem | Holder::FlowEntry { .. } = holder {
            self.replace_in_flow(before, after, holder);
            return;
        }
        let slot = self.slot(before, holder);
        if self.is_block(after) {
            self.put_lines(before, after, holder, &slot);
        } else {
            self.put_inline(before, after, holder, &slot);
        }
    }

    /// Changes only parts of a scalar's text, where it holds a document that was edited.
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
        if !Arc::ptr_eq(derived.base(), before) || old.style != *style {
            return false;
        }
        let edits = spelling::splice(before, &**derived, self.syntax, self.layout.newline());
        edits.map(|edits| self.edits.extend(edits)).is_some()
    }

    /// Writes a value between brackets, where the old one was or, if nothing was written, after its colon.
    fn replace_in_flow(&mut self, before: &Arc<Node>, after: &Arc<Node>, holder: &Holder) {
        let text = format!(
            "{}{}",
            self.anchor(after),
            self.inline_text(before, after, self.flow_place())
        );
        let span = Span::new(before.full_start(), before.full_end());
        let (span, colon) = match *holder {
            Holder::FlowEntry { start: Some(start) } if span.is_empty() => {
                (Span::at(start.max(span.end())), "")
            }
            Holder::FlowEntry { start: None } => (span, ":"),
            _ => (span, ""),
        };
        let apart = !span.is_empty() || colon.is_empty() && self.follows_blank(span.start());
        let space = if apart { "" } else { " " };
        self.edits
            .push(TextEdit::replace(span, format!("{colon}{space}{text}")));
    }

    /// Writes a value that begins on the line of its head; a block scalar goes on below it.
    fn put_inline(&mut self, before: &Arc<Node>, after: &Arc<Node>, holder: &Holder, slot: &Slot) {
        let text = self.inline_text(before, after, self.place(before, holder, slot));
        let (first, lines) = match text.split_once('\n') {
            Some((header, lines)) if text.starts_with('|') => {
                (header.trim_end_matches('\r'), Some(lines))
            }
            _ => (text.as_str(), None),
        };
        let colon = self.missing_colon(holder, slot);
        let space = if colon.is_empty() && self.follows_blank(slot.first.start()) {
            ""
        } else {
            " "
        };
        self.edits.push(TextEdit::replace(
            slot.first,
            format!("{colon}{space}{}{first}", self.anchor(after)),
        ));
        let lines =
            lines.map(|lines| format!("{}{}", self.layout.newline(), self.fitted(lines, slot)));
        self.put(slot.below, lines.unwrap_or_default());
    }

    /// Writes a block collection.
    fn put_lines(&mut self, before: &Arc<Node>, after: &Arc<Node>, holder: &Holder, slot: &Slot) {
        let rest = self.text.after_line(slot.below.end());
        let tail = self
            .text
            .slice(slot.first.end(), self.text.line_end(slot.first.end()))
            .trim_end();
        let behind_head = match *holder {
            Holder::BlockItem { .. } => !slot.is_below,
            _ => !slot.is_below && self.begins_line(slot.first.start()),
        };
        if behind_head && tail.trim_start().is_empty() && after.anchor().is_none() {
            let space = if self.follows_blank(slot.first.start()) {
                ""
            } else {
                " "
            };
            let column = self.text.column(slot.first.start()) + space.len();
            let lines = self.block(after, column, rest);
            let span = Span::new(slot.first.start(), slot.below.end());
            self.edits.push(TextEdit::replace(
                span,
                format!("{space}{}", self.fitted(&lines, slot)),
            ));
            return;
        }
        let column = match *holder {
            _ if slot.is_below && before.is_same_kind_of_collection(after) => {
                self.text.column(before.content_start())
            }
            Holder::BlockEntry { indent, .. } => self.value_indent(after, indent),
            Holder::BlockItem { indent, .. } => indent + 2,
            _ => 0,
        };
        let lines = self.block(after, column, rest);
        self.put_head(after, holder, slot, tail);
        let below = Span::new(self.below_start(before, slot, tail), slot.below.end());
        let margin = " ".repeat(column);
        self.put(
            below,
            format!(
                "{}{margin}{}",
                self.layout.newline(),
                self.fitted(&lines, slot)
            ),
        );
    }

    /// Leaves of the first line what stands there before a block collection on lines below: the anchor and the comment,
    /// which `tail` has with the white space before it.
    fn put_head(&mut self, after: &Node, holder: &Holder, slot: &Slot, tail: &str) {
        let comment = tail.trim_start();
        let own_line = !self.text.same_line(slot.head, slot.first.start());
        let span = match own_line {
            true if comment.is_empty() => Span::at(slot.head),
            true => Span::new(slot.first.start(), slot.below.start()),
            false => Span::new(slot.head, slot.below.start()),
        };
        let anchor = self.anchor(after);
        let mut text = self.missing_colon(holder, slot);
        let begins = |text: &str| text.is_empty() && self.begins_line(span.start());
        if !anchor.is_empty() {
            text.push_str(if begins(&text) { "" } else { " " });
            text.push_str(anchor.trim_end());
        }
        if !comment.is_empty() {
            // A tab behind a dash or a colon may not be followed by lines of a block.
            let apart = &tail[..tail.len() - comment.len()];
            let is_kept = !apart.is_empty() && apart.bytes().all(|byte| byte == b' ');
            let apart = if is_kept { apart } else { " " };
            text.push_str(if begins(&text) { "" } else { apart });
            text.push_str(comment);
        }
        if !slot.is_below || !slot.first.is_empty() || !anchor.is_empty() {
            self.put(span, text);
        }
    }

    /// Where the lines of a block collection begin, at the break before them. Comments between the head and an old
    /// collection stay.
    fn below_start(&self, before: &Node, slot: &Slot, tail: &str) -> usize {
        let own_line = !self.text.same_line(slot.head, slot.first.start());
        let first_line = match slot.is_below && before.properties.is_none() {
            true => before.content_start(),
            false if own_line && tail.trim_start().is_empty() => slot.first.start(),
            false => return slot.below.start(),
        };
        self.text.before_break(self.text.line_start(first_line))
    }

    /// Writes `text` over a span, if that is a change.
    fn put(&mut self, span: Span, text: String) {
        if !span.is_empty() || !text.is_empty() {
            self.edits.push(TextEdit::replace(span, text));
        }
    }

    /// `lines` without their final line break, if there is one after the slot.
    fn fitted<'t>(&self, lines: &'t str, slot: &Slot) -> &'t str {
        if slot.below.end() == self.text.len() {
            lines
        } else {
            without_break(lines)
        }
    }

    /// The line with the colon that an explicit key still lacks.
    fn missing_colon(&self, holder: &Holder, slot: &Slot) -> String {
        match *holder {
            Holder::BlockEntry { indent, .. } if slot.wants_colon => {
                format!("{}{}:", self.layout.newline(), " ".repeat(indent))
            }
            _ => String::new(),
        }
    }

    /// Whether a value can stand at `offset` without a space before it.
    fn follows_blank(&self, offset: usize) -> bool {
        let before = self.text.slice(0, offset);
        before.ends_with([' ', '\t', '\n', '[', ',', '\u{feff}']) || before.is_empty()
    }

    /// Whether nothing but white space stands before `offset` on its line.
    pub(super) fn begins_line(&self, offset: usize) -> bool {
        self.text
            .slice(self.text.line_start(offset), offset)
            .trim_matches([' ', '\t', '\u{feff}'])
            .is_empty()
    }

    /// The anchor to write before a value, with a space; JSON has none.
    fn anchor(&self, node: &Node) -> String {
        match node.anchor() {
            Some(name) if self.syntax == Syntax::Yaml => format!("&{name} "),
            _ => String::new(),
        }
    }

    /// The text of a value that starts on the holder's line.
    fn inline_text(&self, before: &Arc<Node>, after: &Arc<Node>, place: Place<'_>) -> String {
        let restyled = match (&before.content, &after.content) {
            // A string that takes the place of a string is written as that one was.
            (Content::Scalar(old), Content::Scalar(new))
                if before.as_str().is_some() && after.as_str().is_some() =>
            {
                let is_new = self.is_foreign(after) && !matches!(new.text, Text::Derived(_));
                // Where it cannot be without quotes as that one was, it has those that it came with.
                let needs_own = old.style == ScalarStyle::Plain
                    && after.origin.is_some()
                    && !after
                        .text()
                        .is_some_and(|text| is_plain_string(text, place.flow));
                is_new.then_some(if needs_own { new.style } else { old.style })
            }
            _ => None,
        };
        match (restyled, after.as_str()) {
            (Some(ScalarStyle::Plain), Some(text)) if text.contains('\n') && !place.flow => {
                spelling::encode(text, ScalarStyle::Literal, &place)
            }
            (Some(style), Some(text)) => spelling::encode(text, style, &place),
            _ => self.inline(after, &place, self.spread_indent(before)),
        }
    }

    /// The indentation for a flow collection that takes the place of one that stood over several lines.
    fn spread_indent(&self, before: &Node) -> Option<&str> {
        let origin = before.origin.as_ref()?;
        let spread = self.syntax == Syntax::Json && self.layout.flow().step.is_some();
        spread.then(|| self.text.indentation(origin.span.start()))
    }

    /// Where a scalar stands that takes the place of `before` in block context.
    fn place(&self, before: &Node, holder: &Holder, slot: &Slot) -> Place<'_> {
        let indent = match *holder {
            Holder::BlockEntry { indent, .. } | Holder::BlockItem { indent, .. } => indent,
            _ => 0,
        };
        let mut place = Place {
            rest: self.text.after_line(slot.below.end()),
            ..self.block_place(indent)
        };
        if let (Some(origin), Some(scalar)) = (&before.origin, before.as_scalar())
            && scalar.style.is_block()
        {
            let raw = self.text.slice(origin.span.start(), origin.span.end());
            let content = spelling::content_indent(raw, scalar.style, before.text().unwrap_or(""));
            place.step = content.saturating_sub(indent).clamp(1, 9);
        }
        place
    }
}

/// A text without the line break at its end.
pub(super) fn without_break(text: &str) -> &str {
    text.strip_suffix('\n')
        .map_or(text, |text| text.strip_suffix('\r').unwrap_or(text))
}
