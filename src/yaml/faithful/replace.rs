//! A value that takes the place of another one.

use std::sync::Arc;

use super::align::{full_end, full_start};
use super::{Holder, Printer};
use crate::source::Span;
use crate::yaml::node::{CollectionStyle, Content, Node, Scalar, ScalarStyle, Text};
use crate::yaml::spelling::{self, Place};
use crate::yaml::text_edit::TextEdit;

impl Printer<'_> {
    /// Writes `after` in the place of `before`.
    pub(super) fn replace(&mut self, before: &Arc<Node>, after: &Arc<Node>, holder: &Holder) {
        if self.splice(before, after) {
            return;
        }
        let in_flow = matches!(holder, Holder::FlowItem | Holder::FlowEntry { .. });
        if !in_flow && self.is_block(after) {
            self.replace_by_block(before, after, holder);
        } else {
            self.replace_by_inline(before, after, holder);
        }
    }

    /// Changes only parts of a scalar's text, where it holds a document that was edited.
    fn splice(&mut self, before: &Arc<Node>, after: &Arc<Node>) -> bool {
        let (Content::Scalar(old), Content::Scalar(Scalar { style, text: Text::Derived(derived) })) =
            (&before.content, &after.content)
        else {
            return false;
        };
        if !Arc::ptr_eq(derived.base(), before) || old.style != *style {
            return false;
        }
        let edits = spelling::splice(before, &**derived, self.syntax, self.layout.newline());
        edits.map(|edits| self.edits.extend(edits)).is_some()
    }

    /// Puts a value on the line (or, a block scalar, after the header on the line) where the old one was.
    fn replace_by_inline(&mut self, before: &Arc<Node>, after: &Arc<Node>, holder: &Holder) {
        let text = format!("{}{}", anchor(before), self.inline_text(before, after, holder));
        let span = Span::new(full_start(before), full_end(before));
        match before_form(before, self, holder) {
            Form::Empty => {
                // An empty value is placed at the end of its key, and its own place is after the colon.
                let (offset, colon) = match *holder {
                    Holder::BlockEntry { start, .. } | Holder::BlockItem { start, .. } => (start, ""),
                    Holder::FlowEntry { start: Some(start) } => (start, ""),
                    Holder::FlowEntry { start: None } => (span.end(), ":"),
                    Holder::FlowItem | Holder::Document => (span.end(), ""),
                };
                let offset = offset.max(span.end());
                let before = self.text.slice(0, offset);
                let spaced = colon.is_empty() && before.ends_with([' ', '\t', '\n', '[', ',']) || before.is_empty();
                let space = if spaced { "" } else { " " };
                self.put(offset, offset, &format!("{colon}{space}{text}"));
            }
            Form::Inline => self.put(span.start(), span.end(), &text),
            Form::BlockScalar => {
                let newline =
                    if self.text.slice(span.start(), span.end()).ends_with('\n') { self.layout.newline() } else { "" };
                let text = text.trim_end_matches(['\n', '\r']);
                self.edits.push(TextEdit::replace(span, format!("{text}{newline}")));
            }
            Form::BlockSameLine => {
                let end = self.text.before_break(span.end());
                self.put(span.start(), end, &text);
            }
            Form::BlockBelow { start } => {
                // The header line keeps its comment; the lines below go, with the comments among them.
                let key_line_end = self.text.line_end(start);
                let last_line_end = self.text.line_end(self.text.before_break(span.end()));
                self.edits.push(TextEdit::replace(Span::new(key_line_end, last_line_end), ""));
                let kept = before.properties.as_ref().map_or(start, |properties| properties.span.end().max(start));
                self.put(start, kept, &format!(" {text}"));
            }
        }
    }

    /// Writes `text` over a span. Where it is a block scalar, the rest of the line (a comment) stays behind its header.
    fn put(&mut self, start: usize, end: usize, text: &str) {
        let Some((header, body)) = text.split_once('\n') else {
            self.edits.push(TextEdit::replace(Span::new(start, end), text));
            return;
        };
        if !text.starts_with(['|', '>', '&']) {
            self.edits.push(TextEdit::replace(Span::new(start, end), text));
            return;
        }
        self.edits.push(TextEdit::replace(Span::new(start, end), header.trim_end_matches('\r')));
        let line_end = self.text.line_end(end);
        let at_end = line_end == self.text.len();
        let body = if at_end { body } else { body.strip_suffix('\n').unwrap_or(body).trim_end_matches('\r') };
        self.edits.push(TextEdit::insert(line_end, format!("{}{body}", self.layout.newline())));
    }

    /// The text of a value that starts on the holder's line.
    fn inline_text(&self, before: &Arc<Node>, after: &Arc<Node>, holder: &Holder) -> String {
        let place = self.place(before, holder);
        let restyled = match (&before.content, &after.content) {
            // A string that takes the place of a string is written as that one was.
            (Content::Scalar(old), Content::Scalar(new)) if before.as_str().is_some() && after.as_str().is_some() => {
                (after.origin.is_none() && !matches!(new.text, Text::Derived(_))).then_some(old.style)
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
        let spread = self.syntax == crate::yaml::stream::Syntax::Json && self.layout.flow().step.is_some();
        spread.then(|| self.text.indentation(origin.span.start()))
    }

    /// Where a scalar stands that takes the place of `before`.
    fn place(&self, before: &Node, holder: &Holder) -> Place<'static> {
        let mut place = match *holder {
            Holder::FlowItem | Holder::FlowEntry { .. } => self.flow_place(),
            Holder::Document => Place { parent_indent: 0, ..self.block_place(0) },
            Holder::BlockEntry { indent, .. } | Holder::BlockItem { indent, .. } => self.block_place(indent),
        };
        if let (Some(origin), Some(scalar)) = (&before.origin, before.as_scalar())
            && matches!(scalar.style, ScalarStyle::Literal | ScalarStyle::Folded)
        {
            let raw = self.text.slice(origin.span.start(), origin.span.end());
            let indent = spelling::content_indent(raw, scalar.style, before.text().unwrap_or(""));
            place.step = indent.saturating_sub(place.parent_indent).clamp(1, 9);
        }
        place
    }

    /// Puts a block collection under its key, behind its dash, or at the root.
    fn replace_by_block(&mut self, before: &Arc<Node>, after: &Arc<Node>, holder: &Holder) {
        let span = Span::new(full_start(before), full_end(before));
        let newline = self.layout.newline();
        let anchor = anchor(before);
        let form = before_form(before, self, holder);
        match *holder {
            Holder::BlockEntry { indent, start } => {
                let inner = self.value_indent(after, indent);
                let lines = format!(
                    "{newline}{}{}",
                    " ".repeat(inner),
                    self.block(after, inner).trim_end_matches(['\n', '\r'])
                );
                let header = if anchor.is_empty() { String::new() } else { format!(" {}", anchor.trim_end()) };
                if let Form::BlockScalar = form {
                    let end = self.text.before_break(span.end());
                    self.edits.push(TextEdit::replace(Span::new(start, end), format!("{header}{lines}")));
                    return;
                }
                let head_end = if let Form::BlockBelow { .. } = form {
                    full_start(before).min(self.text.line_end(start))
                } else {
                    span.end()
                };
                let head_end =
                    if let (Form::BlockBelow { .. }, None) = (form, &before.properties) { start } else { head_end };
                if head_end > start || !header.is_empty() {
                    self.edits.push(TextEdit::replace(Span::new(start, head_end.max(start)), header));
                }
                let line_end = self.text.line_end(head_end.max(start));
                let end = if let Form::BlockBelow { .. } = form {
                    self.text.line_end(self.text.before_break(span.end()))
                } else {
                    line_end
                };
                self.edits.push(TextEdit::replace(Span::new(line_end, end.max(line_end)), lines));
            }
            Holder::BlockItem { indent, start } => {
                let lines = self.block(after, indent + 2);
                let end = self.text.before_break(span.end()).max(start);
                self.edits.push(TextEdit::replace(
                    Span::new(start, end),
                    format!(" {anchor}{}", lines.trim_end_matches(['\n', '\r'])),
                ));
            }
            Holder::Document | Holder::FlowItem | Holder::FlowEntry { .. } => {
                let end = self.text.before_break(span.end()).max(span.start());
                let lines = self.block(after, 0);
                let lead =
                    if span.is_empty() && self.text.slice(0, span.start()).ends_with("---") { newline } else { "" };
                self.edits.push(TextEdit::replace(
                    Span::new(span.start(), end),
                    format!("{lead}{}", lines.trim_end_matches(['\n', '\r'])),
                ));
            }
        }
    }
}

/// The anchor to write before a value: aliases of the old value follow the new one.
fn anchor(before: &Node) -> String {
    match before.anchor() {
        Some(name) => format!("&{name} "),
        None => String::new(),
    }
}

/// How a value stands in its holder.
#[derive(Clone, Copy)]
enum Form {
    /// Not at all: the value is null and nothing is written.
    Empty,
    /// On the holder's line, or on one of its own, within its span.
    Inline,
    /// A literal or folded scalar.
    BlockScalar,
    /// A block collection that starts on the holder's line, behind a dash.
    BlockSameLine,
    /// A block collection on the lines below its key; `start` is the offset after the colon.
    BlockBelow { start: usize },
}

fn before_form(before: &Node, printer: &Printer<'_>, holder: &Holder) -> Form {
    let Some(origin) = &before.origin else { return Form::Inline };
    let style = match &before.content {
        Content::Scalar(Scalar { style: ScalarStyle::Literal | ScalarStyle::Folded, .. }) => return Form::BlockScalar,
        Content::Scalar(_) if origin.span.is_empty() => return Form::Empty,
        Content::Scalar(_) | Content::Alias(_) => return Form::Inline,
        Content::Mapping(mapping) => mapping.style,
        Content::Sequence(sequence) => sequence.style,
    };
    match *holder {
        _ if style == CollectionStyle::Flow => Form::Inline,
        Holder::BlockEntry { start, .. } | Holder::BlockItem { start, .. }
            if !printer.text.same_line(start, origin.span.start()) =>
        {
            Form::BlockBelow { start }
        }
        _ => Form::BlockSameLine,
    }
}
