//! File text, positions in it, and what Inlay says about them.
//!
//! The lowest room: it knows bytes, lines and messages, and nothing of YAML or Kubernetes.

mod code;
mod diagnostic;
mod diagnostics;
mod offset_map;
pub mod parallel;
mod render;
mod span;
pub mod suggest;
mod text;
pub mod world;

pub use code::Code;
pub use diagnostic::{Diagnostic, Label, ObjectReference, Result, Severity};
pub use diagnostics::{Diagnostics, ERROR_LIMIT, Reported};
pub use offset_map::OffsetMap;
pub use render::{DEFAULT_WIDTH, DiagnosticFormat, Renderer};
pub use span::Span;
pub use text::{LineColumn, Location, Outer, Source};
