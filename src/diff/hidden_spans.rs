//! The parts of a file that must not be shown, to be asked about many values.

use std::sync::Arc;

use crate::source::{Source, Span};
use crate::yaml::Node;

/// The hidden parts of a source, sorted.
#[derive(Clone, Debug, Default)]
pub(super) struct HiddenSpans(Arc<[Span]>);

impl HiddenSpans {
    /// Returns the parts that are hidden now.
    pub(super) fn new(source: &Source) -> HiddenSpans {
        HiddenSpans(source.hidden().into())
    }

    /// Whether a part of a value must not be shown.
    pub(super) fn touch(&self, node: &Node) -> bool {
        let Some(origin) = node.origin.as_ref().filter(|_| !self.0.is_empty()) else {
            return false;
        };
        // Values nest and do not overlap otherwise, so only the parts that begin in the value, and
        // the one before them, can touch it.
        let end = self
            .0
            .partition_point(|part| part.start() < origin.span.end());
        let parts = self.0[..end].iter().rev();
        let mut near = parts.take_while(|part| part.start() >= origin.span.start());
        near.next().is_some()
            || self.0[..end]
                .iter()
                .rev()
                .any(|part| part.start() <= origin.span.start() && part.end() > origin.span.start())
    }
}
