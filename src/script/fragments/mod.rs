//! What a template builds while it runs.
//!
//! A template is a linear program. Its nodes are [`Part`]s, numbered; the program says with instructions which part
//! comes next, and the static parent of each part says where it belongs. [`Context`] puts them together: one for a
//! file, and one for each call of a function that holds nodes.

mod annotation;
mod context;
mod fill;
mod instructions;
mod located;
mod mapping;
mod part;
mod replacement;

pub use annotation::{Annotation, Annotations, ArgumentsId};
pub use located::located;
pub use part::{Built, Part, PartKey, PartKind, Parts, Pattern, Shape};

pub(super) use context::{Context, Outcome};
pub(super) use instructions::Instructions;
pub(super) use replacement::Replacement;
pub(super) use replacement::ReplacementGen;
