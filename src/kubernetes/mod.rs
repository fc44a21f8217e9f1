//! The rules of Kubernetes and kustomize for objects: how they are identified, selected, merged and
//! linked.
//!
//! - [`Resource`] is one object; [`ResourceId`] identifies it among others, and [`History`]
//!   contains the facts that a build records about it.
//! - [`SourceSelector`] and [`TargetSelector`] choose objects. A target selector uses patterns and
//!   [`LabelSelector`]s. [`SelectorIndex`] finds the candidates of a selector without testing every
//!   object, and [`explain_no_match`] shows which field of a selector is probably wrong.
//! - [`ObjectPath`] is the notation for values of objects on the command line:
//!   `Deployment/web spec.replicas`.
//! - Two tables contain rules that depend only on the kind of an object: `merge_keys` (which lists
//!   are merged item by item; [`MergeRules`] also reads an [`OpenApiSchema`]) and [`mod@text_fields`]
//!   (which fields are strings, which of these are base64, and which are integers). [`KindOrder`]
//!   is the order in which kinds are printed.
//!
//! The tables are data without behavior. The modules above walk the trees.

mod hash_suffix;
mod history;
mod id;
mod kind_order;
mod label_selector;
mod merge_keys;
mod merge_rules;
mod no_match;
mod object_path;
mod open_api;
mod recorded;
mod resource;
mod scope;
mod secret_data;
mod secrets;
mod selector;
mod selector_index;
mod text_fields;

pub use hash_suffix::{HASH_DIGITS, HASH_LENGTH, without_hash};
pub use history::{ConfiguredBy, History, ObjectOrigin, PreviousId, SourceDocument};
pub use id::{ResourceId, split_api_version};
pub use kind_order::KindOrder;
pub use label_selector::LabelSelector;
pub use merge_rules::{MergeKeys, MergeRule, MergeRules, is_builtin_kind};
pub use no_match::explain_no_match;
pub use object_path::{ObjectPath, quotes_help};
pub use open_api::OpenApiSchema;
pub use recorded::{EntryRecorder, RecordedStep, record_all, start_records};
pub use resource::{CopiedSuffix, Resource};
pub use secret_data::plain_secret_values;
pub use secrets::{hide_secrets, hide_secrets_of, keep_secrets, keep_secrets_of_patch};
pub use selector::{SourceSelector, TargetSelector, TargetSelectorConfig, id_hints};
pub use selector_index::{HintValues, ObjectProperty, SelectorHint, SelectorIndex};
pub use text_fields::text_fields;

/// The possible names of a kustomization file, in the order in which kustomize looks for them.
pub const KUSTOMIZATION_FILES: [&str; 3] =
    ["kustomization.yaml", "kustomization.yml", "Kustomization"];
