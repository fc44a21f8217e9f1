//! Maps offsets in a text to offsets in another text that spells it.
//!
//! The *inner* text is the meaning of a scalar, the *outer* text is its spelling in a file. They
//! differ in escapes, folded lines and indentation:
//!
//! ```text
//! outer:  k: "say \"hi\"\n"          inner:  say "hi"⏎
//!
//! outer   … s a y ␣ \ " h i \ " \ n …
//! runs      └──┬──┘ └┬┘ └┬┘ └┬┘ └┬┘   verbatim, spelled, verbatim, spelled, spelled
//! inner     s a y ␣  "  h i  "   ⏎
//! ```
//!
//! A *verbatim* run has the same bytes on both sides, so any offset in it maps by adding a
//! constant. A *spelled* run is a piece that is written differently. It maps only as a whole: half
//! of `\n` is not a place in the file.
//!
//! The same map connects a generated program to its template, and a document inside a string to the
//! file (through several maps if strings nest).
//!
//! Invariants:
//!
//! - Runs are in the order of the inner text and cover it without overlap. So a binary search finds
//!   the run of an inner offset. Outer text without a meaning (quotes, the indentation of a block
//!   scalar) is between runs.
//! - A spelled run may be empty on the inner side: an escaped line break (`\` at the end of a line)
//!   has no meaning. Such a run never contains an offset, but an edit of the text around it must
//!   not lose it.
//! - Outer spans are in order too if the outer text is a spelling. In generated programs they need
//!   not be: code that the compiler adds at one place can belong to an annotation further up.

use super::Span;

/// Maps spans of an inner text to the outer text that spells it. See the start of this file.
///
/// Looking up a span takes time logarithmic in the number of runs. A text without escapes is a
/// single run of any length.
#[derive(Clone, Debug, Default)]
pub struct OffsetMap {
    runs: Vec<MappedRun>,
}

/// A piece of inner text and the outer text that spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MappedRun {
    inner: Span,
    outer: Span,
    /// Whether both sides have the same bytes.
    is_verbatim: bool,
}

/// The run that an offset on the border of two runs belongs to.
///
/// ```text
/// inner    a b │ ⏎ │ c d        offset 2:  after `b`  = end of run 1    = Previous
/// outer    a b │ \n │ c d                  before `⏎` = start of run 2  = Next
/// ```
///
/// In a spelling without gaps both are the same outer offset. They differ if there is outer text
/// without a meaning between them, such as the indentation between two lines of a block scalar.
#[derive(Clone, Copy)]
enum BorderSide {
    Previous,
    Next,
}

impl OffsetMap {
    /// Creates the map of a text to an equal text that starts at the offset `outer`.
    pub fn identity(outer: usize, length: usize) -> OffsetMap {
        let mut map = OffsetMap::default();
        map.push_verbatim(0, outer, length);
        map
    }

    /// Adds `length` bytes that are the same inside and outside. Runs must be added in the order of
    /// the inner text.
    pub fn push_verbatim(&mut self, inner: usize, outer: usize, length: usize) {
        if length == 0 {
            return;
        }
        // Decoders report a text in small pieces. Joining neighbours keeps the map as short as the
        // number of escapes.
        if let Some(last) = self.runs.last_mut()
            && last.is_verbatim
            && last.inner.end() == inner
            && last.outer.end() == outer
        {
            last.inner = Span::new(last.inner.start(), inner + length);
            last.outer = Span::new(last.outer.start(), outer + length);
            return;
        }
        self.runs.push(MappedRun {
            inner: Span::new(inner, inner + length),
            outer: Span::new(outer, outer + length),
            is_verbatim: true,
        });
    }

    /// Adds inner text with a different spelling outside. Runs must be added in the order of the
    /// inner text.
    pub fn push_spelled(&mut self, inner: Span, outer: Span) {
        self.runs.push(MappedRun {
            inner,
            outer,
            is_verbatim: false,
        });
    }

    /// Frees the memory that is reserved for more runs. Maps of embedded documents live as long as
    /// their tree.
    pub fn shrink(&mut self) {
        self.runs.shrink_to_fit();
    }

    /// Removes everything from the inner offset `length` on.
    ///
    /// Folding needs this: the spaces before a line break are first added as verbatim text, and
    /// then turn out to have no meaning.
    pub fn truncate(&mut self, length: usize) {
        while let Some(last) = self.runs.last_mut() {
            if last.inner.start() >= length {
                self.runs.pop();
                continue;
            }
            // The last run begins before `length`. A spelled run cannot be cut, so it stays whole.
            let excess = last.inner.end().saturating_sub(length);
            if last.is_verbatim && excess > 0 {
                last.inner = Span::new(last.inner.start(), length);
                last.outer = Span::new(last.outer.start(), last.outer.end() - excess);
            }
            return;
        }
    }

    /// Returns the outer bytes that spell exactly the inner bytes `span`.
    ///
    /// Returns `None` if `span` cuts through a spelled run or is outside the map. Edits use this
    /// function: they must replace whole escapes, or otherwise the whole text.
    ///
    /// ```text
    /// outer      a \ n b        inner  a ⏎ b
    ///            0 1 2 3               0 1 2
    ///
    /// inner 0..2  ->  outer 0..3
    /// inner 2..2  ->  outer 3..3       (an insertion)
    /// ```
    ///
    /// An empty span maps to the place where inserted text would be spelled. At a border, this is
    /// the end of the previous run, so that text inserted after a line of a block scalar extends
    /// that line and not the indentation of the next one.
    pub fn outer_span(&self, span: Span) -> Option<Span> {
        if span.is_empty() {
            let offset = self
                .outer_offset(span.start(), BorderSide::Previous)
                .or_else(|| self.outer_offset(span.start(), BorderSide::Next));
            return offset.map(Span::at);
        }
        // The borders of a span belong to the runs inside it. So outer text between the span and
        // its neighbours (quotes, indentation) is not replaced.
        let start = self.outer_offset(span.start(), BorderSide::Next)?;
        let end = self.outer_offset(span.end(), BorderSide::Previous)?;
        (start <= end).then(|| Span::new(start, end))
    }

    /// Returns the outer bytes of everything that `span` touches, including whole spelled runs.
    ///
    /// Returns `None` if it touches nothing. Diagnostics use this function, because for them a
    /// place that is slightly too wide is better than none.
    ///
    /// ```text
    /// outer      a \ u 0 0 e 9 b        inner  a é b     (`é` has two bytes, 1 and 2)
    ///            0 1           7               0 1 3
    ///
    /// inner 2..3  ->  outer 1..7       (`outer_span` would return `None`)
    /// ```
    pub fn enclosing(&self, span: Span) -> Option<Span> {
        // The second condition keeps a run that is empty on the inner side and is exactly at the
        // start of the span.
        let first = self.runs.partition_point(|run| {
            run.inner.end() <= span.start() && run.inner.start() < span.start()
        });
        // An empty span touches the byte after it.
        let end = span.end().max(span.start() + 1);
        let end_run = self.runs.partition_point(|run| run.inner.start() < end);
        let touched = self.runs.get(first..end_run)?;
        let (first_run, last_run) = (touched.first()?, touched.last()?);

        let mut start = first_run.outer.start();
        if first_run.is_verbatim {
            start += span.start().saturating_sub(first_run.inner.start());
        }
        let mut end = last_run.outer.end();
        if last_run.is_verbatim {
            end -= last_run.inner.end().saturating_sub(span.end());
        }
        // In a generated program, the outer places may be in another order.
        Some(Span::new(start.min(end), start.max(end)))
    }

    /// Returns the outer offset of an inner one; `None` if it is inside a spelled run or outside
    /// the map.
    fn outer_offset(&self, inner: usize, side: BorderSide) -> Option<usize> {
        let index = match side {
            BorderSide::Next => self.runs.partition_point(|run| run.inner.end() <= inner),
            BorderSide::Previous => self.runs.partition_point(|run| run.inner.end() < inner),
        };
        let run = self.runs.get(index)?;
        let (start, end) = (run.inner.start(), run.inner.end());
        match side {
            BorderSide::Next if inner == start => Some(run.outer.start()),
            BorderSide::Previous if inner == end => Some(run.outer.end()),
            _ if run.is_verbatim && (start..=end).contains(&inner) => {
                Some(run.outer.start() + (inner - start))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the map from the content `ab⏎cd` to its spelling `"ab\ncd"` at offset 10.
    fn escaped_newline() -> OffsetMap {
        let mut map = OffsetMap::default();
        map.push_verbatim(0, 11, 2);
        map.push_spelled(Span::new(2, 3), Span::new(13, 15));
        map.push_verbatim(3, 15, 2);
        map
    }

    #[test]
    fn maps_verbatim_text_byte_by_byte() {
        assert_eq!(
            escaped_newline().outer_span(Span::new(1, 2)),
            Some(Span::new(12, 13))
        );
    }

    #[test]
    fn maps_an_escape_as_a_whole() {
        let map = escaped_newline();
        assert_eq!(map.outer_span(Span::new(1, 4)), Some(Span::new(12, 16)));
        assert_eq!(map.outer_span(Span::new(2, 3)), Some(Span::new(13, 15)));
    }

    #[test]
    fn maps_an_insertion_to_the_end_of_the_text_before_it() {
        let map = escaped_newline();
        assert_eq!(map.outer_span(Span::at(3)), Some(Span::at(15)));
        assert_eq!(map.outer_span(Span::at(0)), Some(Span::at(11)));
        assert_eq!(map.outer_span(Span::at(5)), Some(Span::at(17)));
    }

    #[test]
    fn encloses_everything_that_a_span_touches() {
        let map = escaped_newline();
        for (inner, outer) in [
            ((1, 2), Some((12, 13))),
            ((2, 3), Some((13, 15))),
            ((1, 4), Some((12, 16))),
            ((9, 9), None),
        ] {
            let inner = Span::new(inner.0, inner.1);
            let outer = outer.map(|(start, end)| Span::new(start, end));
            assert_eq!(map.enclosing(inner), outer, "{inner:?}");
        }
    }

    #[test]
    fn encloses_nothing_before_an_empty_run() {
        // `ab\⏎cd\ne`: the escaped line break has no meaning.
        let mut map = OffsetMap::default();
        map.push_verbatim(0, 0, 2);
        map.push_spelled(Span::at(2), Span::new(2, 4));
        map.push_verbatim(2, 4, 2);
        map.push_spelled(Span::new(4, 5), Span::new(6, 8));
        map.push_verbatim(5, 8, 1);
        for (inner, outer) in [
            ((2, 3), (2, 5)),
            ((3, 4), (5, 6)),
            ((4, 5), (6, 8)),
            ((5, 6), (8, 9)),
        ] {
            assert_eq!(
                map.enclosing(Span::new(inner.0, inner.1)),
                Some(Span::new(outer.0, outer.1)),
                "{inner:?}"
            );
        }
    }

    #[test]
    fn finds_no_place_for_a_part_of_an_escape() {
        let mut map = OffsetMap::default();
        map.push_spelled(Span::new(0, 4), Span::new(0, 10));
        assert_eq!(map.outer_span(Span::new(1, 2)), None);
        assert_eq!(map.outer_span(Span::new(0, 9)), None);
    }

    #[test]
    fn truncates_verbatim_runs_and_keeps_escapes_whole() {
        let mut map = escaped_newline();
        map.truncate(4);
        assert_eq!(map.outer_span(Span::new(3, 4)), Some(Span::new(15, 16)));
        assert_eq!(map.outer_span(Span::new(3, 5)), None);
        map.truncate(3);
        assert_eq!(map.outer_span(Span::new(2, 3)), Some(Span::new(13, 15)));
    }
}
