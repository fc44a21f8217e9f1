//! The origin of each value: a journal of a build, for `inlay explain` and `-o annotated`.
//!
//! Nodes are immutable and shared, so a step of a build keeps everything that it does not change as
//! the same `Arc`. For each step that changed an object, a [`Journal`] contains the kind of the
//! step and the roots before and after. That is enough to find the origin of any value, even of one
//! that was not known to be of interest while the build ran:
//!
//! ```text
//! step               root before → after      the value at `spec.replicas`
//! 3 images           C → D                    the same Arc: not changed
//! 2 patch            B → C                    2 → 5: set by the patch
//! 1 overlay          A → B                    1 → 2
//!   base             A                        1, parsed at base.yml:7
//! ```
//!
//! The steps of an object are linked by their roots: the step whose `after` is the current root is
//! the last one that changed it. Steps therefore do not store the name or index of their object,
//! which they may change.
//!
//! Code has no tree to compare. Its results are recorded where they enter a tree: a [`Hole`] is a
//! node that an expression of a template created, with the data values that the expression read.
//! Data values have a separate record ([`ValuesRecord`]), with the documents that were merged.
//!
//! Nothing is recorded unless a command requests it: a [`Recorder`] without a journal does nothing.
//! The origins are computed afterwards, in `explain`.

mod journal;
mod record;

pub use journal::{Journal, Recorder};
pub use record::{
    FieldRead, Hole, HoleRead, JournalStep, NodeCopy, OverlayMatch, OverlayMerge, Records,
    StepKind, ValuesMerge, ValuesRecord, ValuesSource, WrittenEdit,
};
