//! The functions that every program has.
//!
//! Most are the crate's. Some answer differently in ytt, and some would take unlimited memory: those are our own.

mod basics;
mod format;
mod methods;
mod operators;
mod percent;

use std::collections::HashMap;

use starlark::environment::{Globals, GlobalsBuilder, LibraryExtension};

pub(super) use operators::operators;

/// The names that are the crate's own.
const STANDARD: [&str; 24] = [
    "None",
    "True",
    "False",
    "any",
    "all",
    "bool",
    "chr",
    "dict",
    "enumerate",
    "fail",
    "float",
    "getattr",
    "hasattr",
    "hash",
    "int",
    "list",
    "max",
    "min",
    "ord",
    "reversed",
    "set",
    "sorted",
    "tuple",
    "zip",
];

/// All names that are defined from the start.
pub(super) fn globals() -> Globals {
    let standard = Globals::extended_by(&[LibraryExtension::SetType]);
    let values: HashMap<&str, _> = standard.iter().collect();
    let mut builder = GlobalsBuilder::new();
    builder.frozen_heap().add_reference(standard.heap());
    for name in STANDARD {
        if let Some(value) = values.get(name) {
            builder.set(name, *value);
        }
    }
    builder.with(basics::functions).with(methods::functions).with(operators::functions).build()
}
