//! Where a value stands in block context, cut into the pieces that another value can take over.
//!
//! A value begins on the line of its key, dash or marker, or on one below it, and may go on over further lines. Whatever
//! takes its place writes its own first line over the old one and its own further lines over the old further lines, so
//! that a comment at the end of the first line stays where it is.

use super::{Holder, Printer};
use crate::source::Span;
use crate::yaml::block_scalar;
use crate::yaml::node::{CollectionStyle, Node};

/// The place of a value in block context.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    /// After the colon, the dash or the marker; at the value, if it is a root on a line of its own.
    pub(super) head: usize,
    /// Whether the head still lacks its colon, as an explicit key without a value does.
    pub(super) wants_colon: bool,
    /// What the first line of another value takes the place of: tag, anchor, and as much of the value as is not below.
    /// Empty, and at the head, where there is nothing of that kind.
    pub(super) first: Span,
    /// The lines of the value below the first one, from the break before them to the break after them, which is not
    /// included. Empty, and at the end of the first line, where there are none.
    pub(super) below: Span,
    /// Whether the value is a block collection on lines of its own below the head.
    pub(super) is_below: bool,
}

impl Printer<'_> {
    /// The place of `value` in `holder`, which is in block context.
    pub(super) fn slot(&self, value: &Node, holder: &Holder) -> Slot {
        let (start, end) = (value.full_start(), value.full_end());
        let (head, wants_colon) = match *holder {
            Holder::BlockEntry {
                start: Some(start), ..
            }
            | Holder::BlockItem { start, .. } => (start, false),
            Holder::BlockEntry { start: None, .. } => {
                (self.text.line_end(self.text.before_break(end)), true)
            }
            _ if self.begins_line(start) => (start, false),
            _ => (
                self.text
                    .slice(0, start)
                    .trim_end_matches([' ', '\t'])
                    .len(),
                false,
            ),
        };
        let content = value
            .origin
            .as_ref()
            .map_or(start, |origin| origin.span.start());
        let is_below = is_block_collection(value) && !self.text.same_line(head, content);
        let first = if is_below {
            value
                .properties
                .as_ref()
                .map_or(Span::at(head), |properties| properties.span)
        } else if is_block_scalar(value) {
            Span::new(
                start,
                content + block_scalar::header(self.text.slice(content, end)).length,
            )
        } else if is_block_collection(value) {
            Span::new(
                start,
                self.text.before_break(end).min(self.text.line_end(start)),
            )
        } else if start == end {
            Span::at(head)
        } else {
            Span::new(start, end)
        };
        let below = self.text.line_end(first.end());
        let below = Span::new(
            below,
            self.text.line_end(self.text.before_break(end)).max(below),
        );
        Slot {
            head,
            wants_colon,
            first,
            below,
            is_below,
        }
    }
}

/// Whether a node is a literal or folded scalar.
pub(super) fn is_block_scalar(node: &Node) -> bool {
    node.as_scalar()
        .is_some_and(|scalar| scalar.style.is_block())
}

fn is_block_collection(node: &Node) -> bool {
    node.collection_style() == Some(CollectionStyle::Block)
}
