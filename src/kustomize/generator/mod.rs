//! kustomize's generators: ConfigMaps and Secrets from literals and files.
//!
//! An entry passes through three steps:
//! 1. [`check`](check()) parses an entry when the configuration is read: literals, paths and
//!    options (`check`, `literal`).
//! 2. [`apply`](apply()) reads its files (`values`, `env_file`), and adds an object (`object`) or
//!    edits the existing one (`edit`; `absorbed` computes what kustomize keeps of it). With
//!    `mergeValues`, the documents in its values are merged too (`merge_values`).
//! 3. At the end of a run, [`add_suffixes`](super::add_suffixes) appends the hash of the final object
//!    to its name. If an earlier run already added a suffix, the object is recognized as the same
//!    object (`earlier`).

mod absorbed;
mod apply;
mod check;
mod config;
mod context;
mod earlier;
mod edit;
mod env_file;
mod ignored;
mod literal;
mod merge_values;
mod model;
mod object;
#[cfg(test)]
mod tests;
mod values;

use crate::typed::FieldComments;

pub use apply::apply;
pub use check::check;
pub use config::{GeneratorConfig, GeneratorOptionsConfig};
pub use context::{GeneratorContext, PluginRole, TextOverlays};
pub use model::{Generator, GeneratorKind};

/// The documentation of the types of an entry, for schemas.
pub const DOCUMENTED: &[FieldComments] = &[
    config::GeneratorConfig::DOCUMENTATION,
    config::GeneratorOptionsConfig::DOCUMENTATION,
    config::MergeValueConfig::DOCUMENTATION,
];
