//! `patches`: changes to the objects that a selector chooses, or that the patch itself names.
//!
//! An entry passes through three types:
//! 1. [`PatchConfig`] is the entry as written (`config`).
//! 2. [`Patch`] is the entry with its text parsed and checked (`model`, `check`). A list is a JSON
//!    patch, a mapping is a strategic merge patch, unless the options say that it is a plain merge
//!    patch.
//! 3. [`mod@apply`] applies it to the objects of a [`PatchRun`]: `json6902`, `strategic` and
//!    `merge_patch` each implement one language.
//!
//! Every patch continues below strings that contain documents.

mod apply;
mod check;
mod config;
mod history;
mod json6902;
mod merge_patch;
mod merge_tree;
mod metadata_texts;
mod model;
mod reprint;
mod run;
mod strategic;

use std::sync::Arc;

use self::strategic::StrategicRules;
use crate::edit::EditOptions;
use crate::kustomize::EditRules;
use crate::source::Result;
use crate::typed::FieldComments;
use crate::yaml::Node;

pub use apply::apply_all;
pub use check::check;
pub use config::{PatchConfig, PatchOptions, PatchType};
pub use model::Patch;
pub use run::PatchRun;

/// Merges values over others as kustomize merges the values of a chart: like a strategic merge
/// patch of an object without merge keys.
///
/// # Errors
/// The values at one path are of different kinds.
pub fn merge_values(values: &Arc<Node>, over: &Arc<Node>) -> Result<Arc<Node>> {
    let rules = StrategicRules::new(EditRules::Kustomize);
    let merged = strategic::merge(values, over, rules, &EditOptions::default(), &mut |_| {})?;
    let merged = merged.unwrap_or_else(|| Node::mapping(Vec::new()));
    let rules = strategic::rules_of_object(&merged, None);
    Ok(strategic::with_settled_values(
        &merged,
        rules,
        false,
        &mut |_| {},
    ))
}

/// Returns a value of a kustomization file as kustomize reads it: by YAML 1.1, as JSON.
///
/// # Errors
/// A key is null or a collection.
pub fn value_as_json(value: &Arc<Node>) -> Result<Arc<Node>> {
    json6902::as_json(value)
}

/// The documentation of the types of an entry, for schemas.
pub const DOCUMENTED: &[FieldComments] = &[
    config::PatchConfig::DOCUMENTATION,
    config::PatchOptions::DOCUMENTATION,
];
