//! How the offsets of a string's content relate to the offsets of its spelling.

use super::Span;

/// Maps offsets of an inner text to the outer text that spells it.
///
/// The map is a list of runs in order. Within a *verbatim* run inner and outer bytes are the same; any other run is a
/// piece of inner text spelled differently (an escape, a line break with the indentation after it), which maps as a
/// whole. Text that stands only outside (quotes, indentation) lies between runs.
#[derive(Clone, Debug, Default)]
pub struct OffsetMap {
    runs: Vec<Run>,
}

/// A piece of inner text and the outer text that spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    inner: Span,
    outer: Span,
    verbatim: bool,
}

impl OffsetMap {
    /// The map of a text onto an equal text that starts at `outer`.
    pub fn identity(outer: usize, length: usize) -> OffsetMap {
        let mut map = OffsetMap::default();
        map.push_verbatim(0, outer, length);
        map
    }

    /// Adds `length` bytes that are the same inside and outside. Runs must be added in order.
    pub fn push_verbatim(&mut self, inner: usize, outer: usize, length: usize) {
        if length == 0 {
            return;
        }
        if let Some(last) = self.runs.last_mut()
            && last.verbatim
            && last.inner.end() == inner
            && last.outer.end() == outer
        {
            last.inner = Span::new(last.inner.start(), inner + length);
            last.outer = Span::new(last.outer.start(), outer + length);
            return;
        }
        let (inner, outer) = (
            Span::new(inner, inner + length),
            Span::new(outer, outer + length),
        );
        self.runs.push(Run {
            inner,
            outer,
            verbatim: true,
        });
    }

    /// Adds inner text that is spelled differently outside. Runs must be added in order.
    pub fn push_spelled(&mut self, inner: Span, outer: Span) {
        self.runs.push(Run {
            inner,
            outer,
            verbatim: false,
        });
    }

    /// Gives back the memory that was set aside for more runs.
    pub fn shrink(&mut self) {
        self.runs.shrink_to_fit();
    }

    /// Forgets what lies at or after the inner offset `length`.
    pub fn truncate(&mut self, length: usize) {
        while let Some(last) = self.runs.last_mut() {
            if last.inner.start() < length {
                let cut = last.inner.end().saturating_sub(length);
                if last.verbatim && cut > 0 {
                    last.inner = Span::new(last.inner.start(), length);
                    last.outer = Span::new(last.outer.start(), last.outer.end() - cut);
                }
                return;
            }
            self.runs.pop();
        }
    }

    /// The outer bytes that spell the inner bytes `span`.
    ///
    /// Returns `None` when `span` cuts through a run that is not verbatim, or lies outside the map. An empty span maps
    /// to the place where text inserted there would be spelled: the end of the run before it if there is one.
    pub fn outer_span(&self, span: Span) -> Option<Span> {
        if span.is_empty() {
            return self
                .outer_offset(span.start(), Side::After)
                .or_else(|| self.outer_offset(span.start(), Side::Before))
                .map(Span::at);
        }
        let start = self.outer_offset(span.start(), Side::Before)?;
        let end = self.outer_offset(span.end(), Side::After)?;
        (start <= end).then(|| Span::new(start, end))
    }

    /// The outer bytes of everything that `span` touches: of a run that is not verbatim all, also where `span` covers a
    /// part of it. `None` where it touches nothing that stands outside.
    pub fn enclosing(&self, span: Span) -> Option<Span> {
        let first = self
            .runs
            .partition_point(|run| run.inner.end() <= span.start() && !run.inner.is_empty());
        let after = self
            .runs
            .partition_point(|run| run.inner.start() < span.end().max(span.start() + 1));
        let (first_run, last_run) = (self.runs.get(first)?, self.runs.get(after.checked_sub(1)?)?);
        if first >= after {
            return None;
        }
        let start = match first_run.verbatim {
            true => first_run.outer.start() + span.start().saturating_sub(first_run.inner.start()),
            false => first_run.outer.start(),
        };
        let end = match last_run.verbatim {
            true => last_run.outer.end() - last_run.inner.end().saturating_sub(span.end()),
            false => last_run.outer.end(),
        };
        Some(Span::new(start.min(end), start.max(end)))
    }

    /// Where `inner` stands outside; at a border between runs, `side` says whether the place is the start of the run
    /// that follows ([`Side::Before`] that run) or the end of the one that ends there ([`Side::After`] it).
    fn outer_offset(&self, inner: usize, side: Side) -> Option<usize> {
        let index = match side {
            Side::Before => self.runs.partition_point(|run| run.inner.end() <= inner),
            Side::After => self.runs.partition_point(|run| run.inner.end() < inner),
        };
        let run = self.runs.get(index)?;
        let (start, end) = (run.inner.start(), run.inner.end());
        match side {
            Side::Before if inner == start => Some(run.outer.start()),
            Side::After if inner == end => Some(run.outer.end()),
            _ if run.verbatim && (start..=end).contains(&inner) => {
                Some(run.outer.start() + (inner - start))
            }
            _ => None,
        }
    }
}

/// Which of two neighbouring runs a border offset belongs to.
#[derive(Clone, Copy)]
enum Side {
    Before,
    After,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The content `ab\ncd` of `"ab\ncd"`, spelled at offset 10.
    fn escaped_newline() -> OffsetMap {
        let mut map = OffsetMap::default();
        map.push_verbatim(0, 11, 2);
        map.push_spelled(Span::new(2, 3), Span::new(13, 15));
        map.push_verbatim(3, 15, 2);
        map
    }

    #[test]
    fn a_verbatim_range_maps_byte_by_byte() {
        assert_eq!(
            escaped_newline().outer_span(Span::new(1, 2)),
            Some(Span::new(12, 13))
        );
    }

    #[test]
    fn a_range_over_an_escape_covers_the_whole_escape() {
        assert_eq!(
            escaped_newline().outer_span(Span::new(1, 4)),
            Some(Span::new(12, 16))
        );
        assert_eq!(
            escaped_newline().outer_span(Span::new(2, 3)),
            Some(Span::new(13, 15))
        );
    }

    #[test]
    fn an_insertion_stands_after_the_text_before_it() {
        assert_eq!(
            escaped_newline().outer_span(Span::at(3)),
            Some(Span::at(15))
        );
        assert_eq!(
            escaped_newline().outer_span(Span::at(0)),
            Some(Span::at(11))
        );
        assert_eq!(
            escaped_newline().outer_span(Span::at(5)),
            Some(Span::at(17))
        );
    }

    #[test]
    fn what_a_range_touches_is_covered_whole() {
        let map = escaped_newline();
        for (inner, outer) in [
            ((1, 2), Some((12, 13))),
            ((2, 3), Some((13, 15))),
            ((1, 4), Some((12, 16))),
            ((9, 9), None),
        ] {
            let outer = outer.map(|(start, end)| Span::new(start, end));
            assert_eq!(
                map.enclosing(Span::new(inner.0, inner.1)),
                outer,
                "{inner:?}"
            );
        }
    }

    #[test]
    fn a_cut_through_a_spelled_run_has_no_place() {
        let mut map = OffsetMap::default();
        map.push_spelled(Span::new(0, 4), Span::new(0, 10));
        assert_eq!(map.outer_span(Span::new(1, 2)), None);
        assert_eq!(map.outer_span(Span::new(0, 9)), None);
    }
}
