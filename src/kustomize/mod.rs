//! kustomize's structured edits of Kubernetes objects.
//!
//! [`generator`], [`patch`] and [`replacement`] are fields of a kustomization and of an Inlay
//! configuration. Each has the same parts: the entry as written (`config`), the entry with
//! everything parsed (created by `check`), and `apply`. The fields that only a kustomization has,
//! such as `namePrefix`, `labels` and `images`, are a transformer each; they find their places by
//! [`field_spec`]. The other files are what kustomize does at the end of a build: names get the
//! hash of their object as a suffix, and references follow the names.
//!
//! What kustomize documents works as documented, with its words in the errors. What it silently
//! ignores is an error here.

pub mod field_spec;
pub mod generator;
mod image;
mod json_spelling;
mod kept_annotations;
mod metadata;
mod name_affix;
mod name_hash;
mod name_reference;
mod namespace;
pub mod order;
pub mod output;
pub mod patch;
pub mod replacement;
mod replicas;
mod rules;
mod shared_values;
mod suffix;
#[cfg(test)]
mod test_objects;
mod value_add;
mod vars;

pub use image::{ImageConfig, ImageTransformer};
pub use kept_annotations::with_kept_annotations;
pub use metadata::{LabelConfig, MetadataTransformer};
pub use name_affix::{AffixSide, NameAffix};
pub use name_reference::update_references;
pub use namespace::{NamespaceTransformer, RoleBindingSubjects};
pub use replicas::{ReplicaConfig, ReplicaTransformer};
pub use rules::{EditRules, SuffixWriter};
pub use shared_values::separate_annotations;
pub use suffix::{add_suffixes, append_hashes};
pub use value_add::{ValueAddTargetConfig, ValueAddTargetFile, ValueAddTransformer};
pub use vars::{VarConfig, Variables};

use crate::source::{Code, Diagnostic, Location};
use crate::typed::FieldComments;

/// The documentation of the fields that only a kustomization has.
pub const DOCUMENTED: &[FieldComments] = &[
    LabelConfig::DOCUMENTATION,
    ReplicaConfig::DOCUMENTATION,
    ImageConfig::DOCUMENTATION,
];

/// Returns the error for a mistake in a configuration, at its place.
pub fn config_error(message: impl Into<String>, place: Option<Location>) -> Box<Diagnostic> {
    Diagnostic::error(Code::Config, message).at(place, "")
}
