//! Kubernetes objects, and kustomize's ways to select and edit them.
//!
//! What kustomize documents is done as documented, with its words in the errors; what it accepts in silence and then
//! ignores is an error here.

mod id;
mod label_selector;
mod near_miss;
pub mod replacement;
mod resource;
mod selector;
mod text_fields;

pub use id::{Id, split_api_version};
pub use label_selector::LabelSelector;
pub use resource::Resource;
pub use selector::{Selector, SelectorConfig, SourceSelector};
pub use text_fields::text_fields;
