//! kustomize's structured edits of Kubernetes objects.
//!
//! Each folder is one field of a kustomization: [`generator`], [`patch`] and [`replacement`]. Each
//! has the same parts: the entry as written (`config`), the entry with everything parsed (created
//! by `check`), and `apply`. The files beside them are what kustomize does at the end of a build:
//! names get the hash of their object as a suffix, and references follow the names.
//!
//! What kustomize documents works as documented, with its words in the errors. What it silently
//! ignores is an error here.

pub mod generator;
mod kept_annotations;
mod name_hash;
mod name_reference;
pub mod patch;
pub mod replacement;
mod rules;
mod suffix;

pub use kept_annotations::with_kept_annotations;
pub use rules::EditRules;
pub use suffix::add_suffixes;
