//! What made each value: a journal of a build, for `inlay explain` and `-o annotated`.
//!
//! Nodes are immutable and shared, so a step of a build leaves everything that it does not change
//! as the same `Arc`. A [`Journal`] keeps, for each step that changed an object, who did it and the
//! roots before and after. That is enough to answer where a value comes from, also one that nobody
//! asked about while the build ran:
//!
//! ```text
//! step               root before → after      the value at `spec.replicas`
//! 3 images           C → D                    the same Arc: not touched
//! 2 patch            B → C                    2 → 5: the patch made it
//! 1 overlay          A → B                    1 → 2
//!   base             A                        1, parsed at base.yml:7
//! ```
//!
//! The steps of an object are linked by their roots: the step whose `after` is the root at hand is
//! the last one that changed it. So steps need no name or number of their object, which they may
//! change.
//!
//! Code has no tree to compare. What it computes is recorded where it enters a tree: a [`Hole`] is a
//! node that an expression of a template made, with the data values that were read meanwhile. Data
//! values have a separate record ([`ValuesRecord`]), with the documents that were merged.
//!
//! Nothing is recorded unless a command asks for it: a [`Recorder`] without a journal does nothing.
//! The answers are computed afterwards, in `explain`.

mod journal;
mod record;

pub use journal::{Journal, Recorder};
pub use record::{
    FieldRead, Hole, HoleRead, JournalStep, NodeCopy, OverlayMatch, OverlayMerge, Records,
    StepKind, ValuesMerge, ValuesRecord, ValuesSource, WrittenEdit,
};
