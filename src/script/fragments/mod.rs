//! What a template builds while it runs.
//!
//! A template is a linear program. Its nodes are [`Part`]s, numbered; the program says with instructions which part
//! comes next, and the static parent of each part says where it belongs. A [`Context`] puts them together: one for a
//! file, and one for each call of a function that contains nodes.

mod annotation;
pub(super) mod argument_store;
mod context;
mod fill;
mod instructions;
mod located;
mod mapping;
mod part;

pub use annotation::{Annotation, Annotations, ArgumentsId};
pub use located::located;
pub use part::{Built, Part, PartKey, PartKind, Parts, Pattern, Shape};

pub(super) use context::{Context, ContextValue};
pub(super) use instructions::Instructions;
