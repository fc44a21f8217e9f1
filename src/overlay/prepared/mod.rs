//! Overlays that call no function of a program, applied to many documents at the same time.
//!
//! The parts of an overlay contain values of Starlark, which belong to one thread. Most overlays
//! need them only once: `by="name"` and `expects="1+"` mean the same for every document. So the
//! parts are read to a tree of plain data, which threads can share:
//!
//! ```text
//! OverlayPart                                 PreparedPart
//!
//! #@overlay/match by="name"                   matcher: Key("name"), counts: [1..=1]
//! - name: server                              operation: Merge
//! ```
//!
//! This is a shorter way to the same result, and not a second definition of it. Whatever is not
//! plain, an error above all, is left to `apply`, which is complete: an overlay as a whole while it
//! is read, or one document while it is changed.
//!
//! Invariant: a document that is changed here is what `apply` makes of it. The test of
//! `tests/overlays.rs` applies overlays both ways.

mod collection;
mod merge;
mod overlays;
mod part;

pub use overlays::{MatchCounts, PreparedOverlays};
pub(super) use part::PreparedPart;

use std::sync::Arc;

use crate::script::fragments::Annotations;
use crate::source::parallel;
use crate::yaml::Node;
use merge::Merging;

/// The overlay, or the document, needs the complete algorithm.
#[derive(Clone, Copy, Debug)]
struct Unprepared;

type Prepared<T> = Result<T, Unprepared>;

/// So many documents are worth a thread. Each of them takes some microseconds.
const DOCUMENTS_PER_THREAD: usize = 128;

/// What becomes of one document.
pub(super) enum PreparedChange {
    /// Nothing changes.
    None,
    /// The new root.
    Root(Arc<Node>),
    /// The complete algorithm has to decide.
    Unknown,
}

/// Merges a document of an overlay into each of `roots`, in order.
pub(super) fn merge_into_each(
    part: &PreparedPart,
    roots: &[&Arc<Node>],
    annotations: &Annotations,
) -> Vec<PreparedChange> {
    let merging = Merging { annotations };
    let groups: Vec<&[&Arc<Node>]> = roots.chunks(DOCUMENTS_PER_THREAD).collect();
    let changes = parallel::map(&groups, |group| {
        let changes = group.iter().map(|root| match merging.merge(root, part) {
            Ok(None) => PreparedChange::None,
            Ok(Some(root)) => PreparedChange::Root(root),
            Err(Unprepared) => PreparedChange::Unknown,
        });
        changes.collect::<Vec<_>>()
    });
    changes.into_iter().flatten().collect()
}
