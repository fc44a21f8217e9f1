//! Answers where a value comes from, from the records of a build (`provenance`).
//!
//! The answer for a value is a chain of [`Link`]s, the newest first: each step that changed the
//! value, down to the file that the value was written in. A link has inputs of its own if the step
//! read values from elsewhere: data values, or fields of other objects. Each has a chain again.
//!
//! ```text
//! Deployment/web spec.replicas                    a question
//! ├─ overlay     overlay.yml:7    2 → 5           links of the value
//! └─ template    deploy.yml:9     data.values.n
//!    └─ data value n                              an input
//!       ├─ flag            --data-value-yaml n=2  links of the input
//!       └─ schema default  schema.yml:3    1
//! ```
//!
//! `answer` finds the values that a question selects. `history` follows each of them back through
//! the journal: at each step it looks for the value at the same place of the tree before the step.
//! Items of lists are followed when they move (`list_versions`).

mod annotate;
mod answer;
mod data_value;
mod descent;
mod given;
mod history;
mod human;
mod inner;
mod json;
mod link;
mod list_versions;
mod notes;
mod origin_names;
mod outline;
mod removed;
mod secrets;
mod variables;
mod versions;
mod written;

pub use annotate::annotate;
pub use answer::BuiltObject;
pub use history::Explainer;
pub use human::print as print_human;
pub use json::print as print_json;
pub use link::{ExplainedObject, Explanation, Input, InputKind, Link, LinkKind};
