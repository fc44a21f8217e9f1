//! What Kubernetes defines about its objects: ids, selectors, merge keys, references between objects, and text fields.

mod id;
mod label_selector;
pub mod merge_keys;
pub mod name_references;
mod names;
pub mod near_miss;
mod resource;
mod selector;
mod text_fields;

pub use id::{Id, split_api_version};
pub use label_selector::LabelSelector;
pub use names::Names;
pub use resource::Resource;
pub use selector::{Selector, SelectorConfig, SourceSelector};
pub use text_fields::text_fields;
