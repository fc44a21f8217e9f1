//! ytt's overlays: documents whose annotations describe changes to other documents.
//!
//! The *left* is the document that is changed, and the *right* is the overlay. Example:
//!
//! ```text
//! left                 right                                        result
//!
//! kind: Deployment     #@overlay/match by=overlay.subset({…})       kind: Deployment
//! spec:                ---                                          spec:
//!   replicas: 1        spec:                                          replicas: 3
//!   paused: true         replicas: 3
//!                        #@overlay/remove
//!                        paused:
//! ```
//!
//! A right document becomes a tree of [`part::OverlayPart`]s: the document, its map items and its
//! array items, each with the [`instruction`] that its annotations describe. The tree is read once,
//! lazily, and applied to any number of documents. [`operate`] applies the parts to the
//! [`elements`] of the left: documents, entries or items. An element that no part changes keeps its
//! node.
//!
//! The files, from the callers down: `module` (`@ytt:overlay`) → `apply` (the entry points) →
//! `operate` (finds the matches of a part and applies its operation) → `merge` (the next value of
//! an element) → `added` (new values) → `in_string` (documents in strings) → `overlaying` (the
//! state of one application).

mod added;
mod apply;
mod assertion;
mod comparison;
mod edits;
mod element_kind;
mod elements;
mod error;
mod in_string;
mod instruction;
mod key;
mod matcher;
mod merge;
mod module;
mod near_miss;
mod operate;
mod overlaying;
mod part;
mod place_in_object;
mod prepared;
mod strip;
mod text_keys;
mod trail;

pub use apply::{DocumentGroups, apply_to_one};
pub use elements::OverlaidRoot;
pub use module::module;
pub use overlaying::{EqualValues, OverlayOptions};
pub use prepared::{MatchCounts, PreparedOverlays};

pub use crate::edit::text_warnings;

use crate::script::fragments::Built;
use instruction::MATCH;

/// Returns whether a document is an overlay. Overlays are applied and not printed.
pub fn is_overlay(document: &Built) -> bool {
    document
        .annotations
        .iter()
        .any(|annotation| &*annotation.name == MATCH)
}
