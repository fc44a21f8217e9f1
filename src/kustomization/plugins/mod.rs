//! Plugins: what `generators`, `transformers` and `validators` list.
//!
//! Each entry is the configuration of a plugin as text, a file with configurations, or a folder
//! with a kustomization whose objects are configurations. [`load`] reads them;
//! `builtin` has kustomize's own kinds, and `program` runs those that are programs; `absorb` adds
//! what these generate.

mod absorb;
mod builtin;
mod iam_policy;
mod load;
mod program;
mod run;

pub(super) use program::ProgramPlugin;
pub use program::plugin_homes;
