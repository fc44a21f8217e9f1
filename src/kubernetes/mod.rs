//! What Kubernetes and kustomize define about objects: how they are identified, selected, merged
//! and linked.
//!
//! - [`Resource`] is one object; [`ResourceId`] identifies it among others, and [`History`] contains
//!   what a build records about it.
//! - [`SourceSelector`] and [`TargetSelector`] choose objects, the latter with patterns and
//!   [`LabelSelector`]s. [`NameIndex`] finds the candidates of a selector without asking every
//!   object, and [`explain_no_match`] shows which field of a selector is probably wrong.
//! - Two tables contain what only the kind of an object determines: `merge_keys` (which lists are
//!   merged item by item; [`MergeRules`] also reads an [`OpenApiSchema`]) and [`text_fields`] (which fields are strings, which of these are base64,
//!   and which are whole numbers). [`KindOrder`] is the order in which kinds are printed.
//!
//! The tables are data without behavior. The modules above walk the trees.

mod history;
mod id;
mod kind_order;
mod label_selector;
mod merge_keys;
mod merge_rules;
mod name_index;
mod no_match;
mod open_api;
mod recorded;
mod resource;
mod scope;
mod secret_data;
mod secrets;
mod selector;
mod text_fields;

pub use history::{ConfiguredBy, History, ObjectOrigin, PreviousId, SourceDocument};
pub use id::{ResourceId, split_api_version};
pub use kind_order::KindOrder;
pub use label_selector::LabelSelector;
pub use merge_rules::{MergeKeys, MergeRule, MergeRules, is_builtin_kind};
pub use name_index::{NameIndex, SelectorHint};
pub use no_match::explain_no_match;
pub use open_api::OpenApiSchema;
pub use recorded::{RecordedStep, record_all, start_records};
pub use resource::Resource;
pub use secret_data::plain_secret_values;
pub use secrets::{hide_secrets, hide_secrets_of};
pub use selector::{SourceSelector, TargetSelector, TargetSelectorConfig};
pub use text_fields::text_fields;
