//! The functions that every program has.
//!
//! Most are the crate's. Ours are those that behave differently in ytt, those that could take
//! unlimited memory, and those that the program of a template calls (`__ytt_…`). They are written
//! as functions of the crate and not as [`Native`](super::Native): an operator runs for almost
//! every expression, and the crate passes a fixed number of positional arguments without an
//! allocation.

mod basics;
mod comparisons;
mod entry;
mod format;
mod methods;
mod operators;
mod percent;
mod slice;

use std::collections::HashMap;

use starlark::environment::{Globals, GlobalsBuilder, LibraryExtension};

pub(super) use operators::operator_functions;

use super::function::NativeFunction;
use super::limits::ArgumentLimit;

/// The names that are the crate's own.
const STANDARD: [&str; 11] = [
    "None", "True", "False", "any", "all", "bool", "chr", "getattr", "hasattr", "hash", "ord",
];

/// The functions of the crate whose results, or whose work, are as large as their arguments.
const LIMITED: [(&str, ArgumentLimit); 12] = [
    ("dict", ArgumentLimit::Entries),
    ("enumerate", ArgumentLimit::Items),
    ("float", ArgumentLimit::Digits),
    ("int", ArgumentLimit::Digits),
    ("list", ArgumentLimit::Items),
    ("max", ArgumentLimit::Walk),
    ("min", ArgumentLimit::Walk),
    ("reversed", ArgumentLimit::Items),
    ("set", ArgumentLimit::Walk),
    ("sorted", ArgumentLimit::Walk),
    ("tuple", ArgumentLimit::Items),
    ("zip", ArgumentLimit::AllItems),
];

/// Makes the names that every program has.
pub(super) fn globals() -> Globals {
    let standard = Globals::extended_by(&[LibraryExtension::SetType]);
    let values: HashMap<&str, _> = standard.iter().collect();
    let mut builder = GlobalsBuilder::new();
    builder.frozen_heap().add_reference(standard.heap());
    // A list of allowed names and not of forbidden ones: a new version of the crate must not add
    // functions that ytt does not have.
    for name in STANDARD {
        if let Some(value) = values.get(name) {
            builder.set(name, *value);
        }
    }
    for (name, limit) in LIMITED {
        if let Some(function) = values.get(name) {
            builder.set(name, NativeFunction::limited(name, *function, limit));
        }
    }
    builder
        .with(basics::functions)
        .with(methods::functions)
        .with(operators::functions)
        .with(comparisons::functions)
        .build()
}
