//! Kubernetes objects, and kustomize's ways to select and edit them.
//!
//! What kustomize documents is done as documented, with its words in the errors; what it accepts in silence and then
//! ignores is an error here.

pub mod generator;
mod id;
mod kept_annotations;
mod label_selector;
mod name_hash;
mod name_reference;
mod names;
mod near_miss;
pub mod patch;
pub mod replacement;
mod resource;
mod selector;
mod suffix;

pub use crate::kubernetes::text_fields;
pub use id::{Id, split_api_version};
pub use kept_annotations::with_kept_annotations;
pub use label_selector::LabelSelector;
pub use name_hash::name_hash;
pub use name_reference::{Renamed, rename_references};
pub use names::Names;
pub use resource::Resource;
pub use selector::{Selector, SelectorConfig, SourceSelector};
pub use suffix::add_suffixes;
