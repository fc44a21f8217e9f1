//! The nodes that a template builds while it runs.
//!
//! A template is compiled to a linear program and a table of numbered [`Part`]s: documents, entries
//! and items. The program's [`Instructions`] name the next part, and a [`Context`] assembles the
//! parts by their parents. There is one context for a file, and one for each call of a function
//! that contains nodes.

mod annotation;
pub(super) mod argument_store;
mod context;
mod fill;
mod instructions;
mod located;
mod mapping;
mod part;

pub use annotation::{Annotation, Annotations, ArgumentsId, MAP_KEY_OVERRIDE};
pub use located::located;
pub use part::{Built, Part, PartKey, PartKind, Parts, Pattern, Shape};

pub(super) use context::{Context, ContextValue, PendingReplacement};
pub(super) use instructions::Instructions;
