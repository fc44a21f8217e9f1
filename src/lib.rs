//! Inlay builds declarative Kubernetes configuration and edits it byte for byte, also inside strings.
//!
//! The rooms, from the bottom up:
//!
//! - [`source`] holds text and messages, [`regexp`] Go's patterns, [`yaml`] the tree, [`golang`] what Go's libraries
//!   answer, [`edit`] paths and embedded documents, [`kubernetes`] what is known of objects;
//! - [`script`] is the Starlark host, [`template`] holds ytt's templates, [`overlay`] its overlays, [`schema`] types and
//!   rules of data values;
//! - [`kustomize`] makes the structured edits, [`workspace`] builds files in phases;
//! - [`pipeline`] holds the order of the steps, [`krm`] the doors of KRM and kustomize, [`cli`] the commands.
//!
//! `docs/architecture.md` tells the whole house.

pub mod cli;
pub mod dialect;
pub mod edit;
pub mod formats;
pub mod golang;
pub mod krm;
pub mod kubernetes;
pub mod kustomize;
pub mod modules;
pub mod overlay;
pub mod pipeline;
pub mod regexp;
pub mod schema;
pub mod script;
pub mod source;
pub mod template;
pub mod typed;
pub mod workspace;
pub mod yaml;
