//! A range of bytes in one [`Source`](super::Source).

use std::ops::Range;

/// A half-open range of byte offsets into the text of one source.
///
/// Line and column are computed only when a diagnostic is printed, so a node needs only a span.
///
/// Offsets have 32 bits because every node contains two of them, and a tree of a large file has
/// millions of nodes. [`Source::new`](super::Source::new) refuses a text of 4 GiB or more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Creates the span from `start` to `end`, exclusive.
    pub fn new(start: usize, end: usize) -> Span {
        debug_assert!(start <= end, "span runs backwards: {start}..{end}");
        Span {
            start: clamp(start),
            end: clamp(end.max(start)),
        }
    }

    /// Creates the empty span at `offset`.
    pub fn at(offset: usize) -> Span {
        Span::new(offset, offset)
    }

    /// Returns the offsets as a range that can index a string.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns the offset of the first byte.
    pub fn start(self) -> usize {
        self.start as usize
    }

    /// Returns the offset after the last byte.
    pub fn end(self) -> usize {
        self.end as usize
    }

    /// Returns whether the span is empty.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns the number of bytes.
    pub fn len(self) -> usize {
        self.range().len()
    }

    /// Returns whether all bytes of `other` are in this span.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Returns the smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// Converts an offset. Sources are shorter than 4 GiB, so the offset in a real source is never
/// changed.
fn clamp(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}
