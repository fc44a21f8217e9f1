//! Kubernetes objects, and kustomize's ways to select and edit them.
//!
//! What kustomize documents is done as documented, with its words in the errors; what it accepts in silence and then
//! ignores is an error here.

pub mod generator;
mod kept_annotations;
mod name_hash;
mod name_reference;
pub mod patch;
pub mod replacement;
mod suffix;

pub use kept_annotations::with_kept_annotations;
pub use name_hash::name_hash;
pub use name_reference::{Renamed, rename_references};
pub use suffix::add_suffixes;
