//! Inlay builds declarative Kubernetes configuration, and edits it byte for byte, even inside
//! strings.
//!
//! These are the layers, from the bottom up. A module uses only modules on its own line and on the
//! lines above it:
//!
//! - [`source`]: text, diagnostics and the outside world; [`regexp`]: Go's regular expressions;
//! - [`yaml`]: the lossless tree; [`golang`]: the output formats of Go's libraries; [`typed`]:
//!   typed configuration from a tree;
//! - [`formats`]: the languages of embedded documents; [`edit`]: paths and edits; [`kubernetes`]:
//!   ids, selectors and field tables of objects;
//! - [`diff`]: differences between versions of files;
//! - [`dialect`] and [`script`]: ytt's Starlark; [`modules`]: the `@ytt:` modules;
//! - [`template`], [`overlay`] and [`schema`]: ytt's templates, overlays and schemas;
//! - [`kustomize`]: structured edits; [`workspace`]: ytt builds;
//! - [`pipeline`]: the order of the steps; [`krm`]: functions and plugins;
//! - [`kustomization`]: builds of kustomizations; [`lsp`]: the language server; [`playground`]: a
//!   page in the browser; [`cli`]: commands.
//!
//! `docs/architecture.md` describes them, with their invariants.

pub mod cli;
pub mod dialect;
pub mod diff;
pub mod edit;
pub mod explain;
pub mod formats;
pub mod golang;
pub mod krm;
pub mod kubernetes;
pub mod kustomization;
pub mod kustomize;
pub mod lsp;
pub mod modules;
pub mod overlay;
pub mod pipeline;
pub mod playground;
pub mod provenance;
pub mod regexp;
pub mod schema;
pub mod script;
pub mod source;
pub mod template;
pub mod typed;
pub mod workspace;
pub mod yaml;
