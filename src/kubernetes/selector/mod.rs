//! Selectors, which choose the objects that an edit reads from and writes to.
//!
//! kustomize has two kinds. A [`SourceSelector`] identifies one object by exact values. A
//! [`TargetSelector`] chooses any number of objects by regular expressions, labels and annotations.
//! Both match an object by its current id or by an id that it had before kustomize renamed it. A
//! field that is empty or missing matches everything.

mod pattern;
mod source;
mod target;
#[cfg(test)]
mod tests;

use super::no_match::IdPart;

pub use source::{SourceSelector, id_hints};
pub use target::{TargetSelector, TargetSelectorConfig};

/// The selector fields that match a part of an id, with that part.
const ID_FIELDS: [(&str, IdPart); 5] = [
    ("group", |id| id.group),
    ("version", |id| id.version),
    ("kind", |id| id.kind),
    ("name", |id| id.name),
    ("namespace", |id| id.namespace),
];
