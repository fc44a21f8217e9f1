//! A range of bytes in one [`Source`](super::Source).

use std::ops::Range;

/// A half-open range of byte offsets into the text of one source.
///
/// Line and column are worked out only when a diagnostic is printed, so a span is all that a node carries.
/// Offsets are 32 bits wide: [`Source::new`](super::Source::new) refuses a text of 4 GiB or more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` up to, not including, `end`.
    pub fn new(start: usize, end: usize) -> Span {
        debug_assert!(start <= end, "span runs backwards: {start}..{end}");
        Span {
            start: clamp(start),
            end: clamp(end.max(start)),
        }
    }

    /// The empty span at `offset`.
    pub fn at(offset: usize) -> Span {
        Span::new(offset, offset)
    }

    /// The offsets as a range that can index a string.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The offset of the first byte.
    pub fn start(self) -> usize {
        self.start as usize
    }

    /// The offset after the last byte.
    pub fn end(self) -> usize {
        self.end as usize
    }

    /// Whether the span covers no byte.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The number of bytes covered.
    pub fn len(self) -> usize {
        self.range().len()
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// Sources are shorter than 4 GiB, so the clamp never changes an offset of a real source.
fn clamp(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}
