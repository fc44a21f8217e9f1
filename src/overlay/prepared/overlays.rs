//! All overlays of a build as plain data, for documents that are never in memory at the same time.
//!
//! An overlay decides about each document by that document alone. Only the number of matches
//! depends on all documents. So all overlays can be applied to the first document, then to the
//! second, and so on, if the matches are counted on the way and compared with the expected numbers
//! at the end:
//!
//! ```text
//!                 overlay 1 (expects="1+")     overlay 2 (expects=2)
//! document 1      matches, merged              matches, merged
//! document 2      matches, merged              -
//! matches         2: accepted                  1: the build uses the complete algorithm
//! ```

use std::sync::Arc;

use super::merge::Merging;
use super::part::{PreparedCount, PreparedPart};
use crate::overlay::comparison::mismatch;
use crate::overlay::instruction::MatchTarget;
use crate::overlay::matcher::ElementMatcher;
use crate::overlay::part::OverlayPart;
use crate::script::Caller;
use crate::script::fragments::{Annotations, Built};
use crate::yaml::Node;

/// The maximum number of overlays to prepare. Here each overlay is compared with each document.
/// More overlays use `apply`, which finds documents by an index.
const MOST_OVERLAYS: usize = 16;

/// Overlays that can be applied to one document after another.
pub struct PreparedOverlays {
    overlays: Vec<PreparedOverlay>,
}

/// A document of an overlay.
struct PreparedOverlay {
    condition: DocumentCondition,
    count: PreparedCount,
    part: PreparedPart,
}

/// A condition that selects the documents of an overlay.
enum DocumentCondition {
    All,
    Subset(Arc<Node>),
    And(Vec<DocumentCondition>),
    Or(Vec<DocumentCondition>),
    Not(Box<DocumentCondition>),
}

/// The number of documents that each overlay has matched.
#[derive(Debug, Default)]
pub struct MatchCounts(Vec<usize>);

impl PreparedOverlays {
    /// Prepares overlays. Returns `None` if one of them needs functions or all documents at once,
    /// if one cannot be read, or if there are too many.
    pub fn of<'d>(
        overlays: impl Iterator<Item = &'d Built>,
        caller: &Caller<'_, '_>,
    ) -> Option<PreparedOverlays> {
        let mut prepared = Vec::new();
        for overlay in overlays {
            if prepared.len() == MOST_OVERLAYS {
                return None;
            }
            prepared.push(PreparedOverlay::of(overlay, caller)?);
        }
        Some(PreparedOverlays { overlays: prepared })
    }

    /// Returns a document after all overlays; `None` if the complete algorithm must decide.
    pub fn apply(
        &self,
        root: &Arc<Node>,
        annotations: &Annotations,
        matches: &mut MatchCounts,
    ) -> Option<Arc<Node>> {
        let merging = Merging { annotations };
        matches.0.resize(self.overlays.len(), 0);
        let mut root = Arc::clone(root);
        for (overlay, count) in self.overlays.iter().zip(&mut matches.0) {
            if !overlay.condition.accepts(&root) {
                continue;
            }
            *count += 1;
            if let Some(changed) = merging.merge(&root, &overlay.part).ok()? {
                root = changed;
            }
        }
        Some(root)
    }

    /// Returns whether each overlay has matched as many documents as it expects. Each element of
    /// `matches` contains the counts for one part of the documents.
    pub fn accept(&self, matches: &[MatchCounts]) -> bool {
        self.overlays.iter().enumerate().all(|(index, overlay)| {
            let counts = matches.iter().filter_map(|counts| counts.0.get(index));
            overlay.count.accepts(counts.sum())
        })
    }
}

impl PreparedOverlay {
    fn of(overlay: &Built, caller: &Caller<'_, '_>) -> Option<PreparedOverlay> {
        let part = OverlayPart::document(overlay);
        let instruction = part.instruction(caller).ok()?;
        if instruction.structured.is_some() {
            return None;
        }
        let MatchTarget::By(matcher, count) = &instruction.target else {
            return None;
        };
        Some(PreparedOverlay {
            condition: DocumentCondition::of(matcher)?,
            count: PreparedCount::of(count).ok()?,
            part: PreparedPart::document(&part, instruction, caller)?,
        })
    }
}

impl DocumentCondition {
    fn of(matcher: &ElementMatcher<'_>) -> Option<DocumentCondition> {
        let each = |matchers: &[ElementMatcher<'_>]| {
            let conditions = matchers.iter().map(DocumentCondition::of);
            conditions.collect::<Option<Vec<_>>>()
        };
        Some(match matcher {
            ElementMatcher::All => DocumentCondition::All,
            ElementMatcher::Subset(target) => DocumentCondition::Subset(Arc::clone(target)),
            ElementMatcher::And(matchers) => DocumentCondition::And(each(matchers)?),
            ElementMatcher::Or(matchers) => DocumentCondition::Or(each(matchers)?),
            ElementMatcher::Not(matcher) => {
                DocumentCondition::Not(Box::new(DocumentCondition::of(matcher)?))
            }
            // The index of a document counts the documents of all files, and the other matchers may
            // fail.
            ElementMatcher::Index(_) | ElementMatcher::Key(_) | ElementMatcher::Function(_) => {
                return None;
            }
        })
    }

    fn accepts(&self, root: &Arc<Node>) -> bool {
        match self {
            DocumentCondition::All => true,
            DocumentCondition::Subset(target) => mismatch(root.resolved(), target).is_none(),
            DocumentCondition::And(all) => all.iter().all(|condition| condition.accepts(root)),
            DocumentCondition::Or(any) => any.iter().any(|condition| condition.accepts(root)),
            DocumentCondition::Not(condition) => !condition.accepts(root),
        }
    }
}
