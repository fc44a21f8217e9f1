//! The parts of a file that must not be shown, sorted once so that many values can be checked
//! against them.

use std::sync::Arc;

use crate::source::{Source, Span};
use crate::yaml::Node;

/// The hidden parts of a source, sorted by their starts.
#[derive(Clone, Debug, Default)]
pub(super) struct HiddenSpans(Arc<[HiddenPart]>);

#[derive(Debug)]
struct HiddenPart {
    start: usize,
    /// The largest end of this part and all parts before it, because parts may be nested.
    furthest_end: usize,
}

impl HiddenSpans {
    /// Collects the parts that are currently hidden.
    pub(super) fn new(source: &Source) -> HiddenSpans {
        let mut furthest_end = 0;
        let parts = source.hidden().into_iter().map(|part: Span| {
            furthest_end = furthest_end.max(part.end());
            HiddenPart {
                start: part.start(),
                furthest_end,
            }
        });
        HiddenSpans(parts.collect())
    }

    /// Returns whether a part of a value must not be shown.
    pub(super) fn touch(&self, node: &Node) -> bool {
        let Some(origin) = node.origin.as_ref().filter(|_| !self.0.is_empty()) else {
            return false;
        };
        let (start, end) = (origin.span.start(), origin.span.end());
        // Of the parts that begin before the end of the value, the last one may begin inside it,
        // and any of them may extend into it.
        let before_end = self.0.partition_point(|part| part.start < end);
        let last = before_end.checked_sub(1).and_then(|last| self.0.get(last));
        last.is_some_and(|last| last.start >= start || last.furthest_end > start)
    }
}
