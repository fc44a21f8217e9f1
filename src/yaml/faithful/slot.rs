//! Divides the bytes of a value in block context into the pieces that another value can replace.
//!
//! ```text
//! key: |  # note        first: `|`          ─ the indicators of the header, without the comment
//!   a                   below: from the line break before `a`
//!   b                          to before the line break after `b`
//! next: 1
//! ```
//!
//! A new value replaces `first` by its first line and `below` by its further lines. The comment
//! between them, at the end of the first line, belongs to neither and stays in its place.

use super::printer::{FaithfulPrinter, ValueParent};
use crate::source::Span;
use crate::yaml::block_scalar;
use crate::yaml::node::{CollectionStyle, Node};

/// The place of a value in block context. The *head* is the part that the value follows: a key with
/// its colon, a dash, or the marker of a document.
///
/// ```text
/// value                  head         first               below
/// key: x # note          after `:`    `x`                 empty, at the end of the line
/// key: # note            after `:`    empty, at the head  empty, at the end of the line
/// key: # note            after `:`    empty, at the head  the mapping and the comments above it
///   a: 1
/// key: !tag              after `:`    `!tag`              the lines of the mapping
///   a: 1
/// - a: 1 # note          after `-`    `a: 1 # note`       the other lines of the mapping
///   b: 2
/// ```
///
/// Invariant: `head <= first <= below`, and `first` begins on the line of the head or below it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValueSlot {
    /// The offset after the colon, the dash or the marker; at the value itself if it is a root at
    /// the start of a line.
    pub(super) head: usize,
    /// Whether the head has no colon yet, as in an explicit key (`? key`) without a value.
    pub(super) wants_colon: bool,
    /// The bytes that the first line of another value replaces: the tag, the anchor, and the part
    /// of the value that is not below. If there are none, this is an empty span at the head.
    pub(super) first: Span,
    /// The lines of the value below the first one, from the line break before them to the line
    /// break after them, which is excluded. If there are none, this is an empty span at the end of
    /// the first line.
    pub(super) below: Span,
    /// The start of the lines that stay below the value. Comments that are removed with the value
    /// come before it.
    pub(super) rest: usize,
    /// Whether the value is a block collection on lines of its own below the head.
    pub(super) is_below: bool,
    /// The comments below a block collection that belong to its last child.
    pub(super) comments_of_last: Option<Span>,
}

impl FaithfulPrinter<'_> {
    /// Returns the place of `value`, whose parent is in block context.
    pub(super) fn slot(&self, value: &Node, parent: ValueParent) -> ValueSlot {
        let head = self.head(value, parent);
        let is_block_collection = value.collection_style() == Some(CollectionStyle::Block);
        let is_below = is_block_collection && !self.text.same_line(head, value.content_start());
        let first = if is_below {
            let properties = value.properties.as_ref();
            properties.map_or(Span::at(head), |properties| properties.span)
        } else {
            self.first_line(value, head)
        };
        // A block scalar includes its last line break. It separates the scalar from the next line
        // and is not part of `below`, so that any value can be written over it.
        let first_line_end = self.text.line_end(first.end());
        let last_line_end = self.text.line_end(self.text.before_break(value.full_end()));
        let below = Span::new(first_line_end, last_line_end.max(first_line_end));
        let comments_of_last = self.comments_of_last(value);
        let rest = match comments_of_last {
            Some(comments) => comments.end(),
            None => self.text.next_line(below.end()).unwrap_or(self.text.len()),
        };
        ValueSlot {
            head,
            wants_colon: matches!(parent, ValueParent::BlockEntry { start: None, .. }),
            first,
            below,
            rest,
            is_below,
            comments_of_last,
        }
    }

    fn head(&self, value: &Node, parent: ValueParent) -> usize {
        match parent {
            ValueParent::BlockItem { start, .. }
            | ValueParent::BlockEntry {
                start: Some(start), ..
            } => start,
            // The colon comes on a line of its own, after the line of the key.
            ValueParent::BlockEntry { start: None, .. } => {
                self.text.line_end(self.text.before_break(value.full_end()))
            }
            ValueParent::Document | ValueParent::FlowItem | ValueParent::FlowEntry { .. } => {
                let start = value.full_start();
                if self.begins_line(start) {
                    return start;
                }
                let before = self.text.slice(0, start);
                before.trim_end_matches([' ', '\t']).len()
            }
        }
    }

    /// Returns the bytes of a value that are not on lines below it. A plain or quoted scalar and a
    /// flow collection are replaced as a whole, even if they have several lines.
    fn first_line(&self, value: &Node, head: usize) -> Span {
        let (start, end) = (value.full_start(), value.full_end());
        if value.is_block_scalar() {
            let content = value.content_start();
            // Excludes the comment after the indicators: `|- # comment`.
            let header = block_scalar::header(self.text.slice(content, end));
            return Span::new(start, content + header.length);
        }
        if value.collection_style() == Some(CollectionStyle::Block) {
            let last = self.text.before_break(end);
            return Span::new(start, last.min(self.text.line_end(start)));
        }
        // Nothing is written there, so the replacement comes directly after the head.
        if start == end {
            return Span::at(head);
        }
        Span::new(start, end)
    }
}
