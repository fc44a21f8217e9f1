//! Overlays that call no function of a program, applied to many documents in parallel.
//!
//! The parts of an overlay contain Starlark values, which belong to one thread. Most overlays need
//! these values only once: `by="name"` and `expects="1+"` mean the same for every document. Such
//! parts are converted to a tree of plain data, which threads can share:
//!
//! ```text
//! OverlayPart                                 PreparedPart
//!
//! #@overlay/match by="name"                   matcher: Key("name"), counts: [1..=1]
//! - name: server                              operation: Merge
//! ```
//!
//! This is a faster way to the same result, not a second definition of it. Everything that is not
//! plain, errors above all, is left to `apply`, which is complete: either for the whole overlay,
//! when it is read, or for one document, when it is changed.
//!
//! Invariant: a document that is changed here equals the result of `apply`. The test
//! `tests/prepared_overlays.rs` applies overlays both ways.

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

/// The error for an overlay or a document that needs the complete algorithm.
#[derive(Clone, Copy, Debug)]
struct Unprepared;

type Prepared<T> = Result<T, Unprepared>;

/// The number of documents for each task of a thread. Each document takes a few microseconds.
const DOCUMENTS_PER_THREAD: usize = 128;

/// The outcome for one document.
pub(super) enum PreparedChange {
    /// Nothing changes.
    None,
    /// The new root.
    Root(Arc<Node>),
    /// Not decided here; the complete algorithm must decide.
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
