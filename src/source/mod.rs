//! Source texts, positions in them, diagnostics, and access to the world outside the process.
//!
//! - A [`Source`] is a named text, a [`Span`] a range of its bytes, a [`Location`] both together.
//!   An [`OffsetMap`] maps a text inside a string to the file that contains the string.
//! - A [`Diagnostic`] is an error, a warning or a remark with its places. [`Diagnostics`] collects
//!   the diagnostics of a run, and [`Renderer`] prints them.
//! - [`world`] provides access to files, environment and standard input.
//!
//! This is the lowest module. It knows bytes, lines and messages, but nothing about YAML or
//! Kubernetes.

mod cancellation;
mod code;
mod diagnostic;
mod diagnostics;
mod hidden;
mod kept_files;
mod large_stack;
pub mod limits;
mod offset_map;
pub mod parallel;
mod rebased;
mod remedy;
mod render;
mod span;
pub mod steps;
pub mod suggest;
mod text;
pub mod world;

pub use cancellation::Cancellation;
pub use code::Code;
pub use diagnostic::{Diagnostic, Label, ObjectReference, Result, Severity};
pub use diagnostics::{Diagnostics, ERROR_LIMIT, Reported, collect_all};
pub use kept_files::KeptFiles;
pub use large_stack::on_large_stack;
pub use limits::Limit;
pub use offset_map::OffsetMap;
pub use rebased::Rebased;
pub use remedy::{Remedy, TextFix};
pub use render::{
    DEFAULT_WIDTH, DiagnosticFormat, Renderer, RepositoryPaths, quoted_name, visible_line,
};
pub use span::Span;
pub use text::{LineColumn, Location, Outer, Source};
