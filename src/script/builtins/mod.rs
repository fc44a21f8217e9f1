//! The functions that every program has.
//!
//! Most are the crate's. Some answer differently in ytt, and some would take unlimited memory: those are our own.

mod basics;
mod comparisons;
mod format;
mod methods;
mod operators;
mod percent;
mod slice;

use std::collections::HashMap;

use starlark::environment::{Globals, GlobalsBuilder, LibraryExtension};

pub(in crate::script) use comparisons::check_walk;
pub(super) use operators::operators;

use super::bounded::{Bound, Bounded};

/// The names that are the crate's own.
const STANDARD: [&str; 11] = [
    "None", "True", "False", "any", "all", "bool", "chr", "getattr", "hasattr", "hash", "ord",
];

/// The functions of the crate whose results, or whose work, are as large as their arguments are long.
const BOUNDED: [(&str, Bound); 12] = [
    ("dict", Bound::Entries),
    ("enumerate", Bound::Items),
    ("float", Bound::Digits),
    ("int", Bound::Digits),
    ("list", Bound::Items),
    ("max", Bound::Walk),
    ("min", Bound::Walk),
    ("reversed", Bound::Items),
    ("set", Bound::Walk),
    ("sorted", Bound::Walk),
    ("tuple", Bound::Items),
    ("zip", Bound::AllItems),
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
    for (name, bound) in BOUNDED {
        if let Some(function) = values.get(name) {
            builder.set(
                name,
                Bounded {
                    name: name.to_owned(),
                    function: *function,
                    bound,
                },
            );
        }
    }
    builder
        .with(basics::functions)
        .with(methods::functions)
        .with(operators::functions)
        .with(comparisons::functions)
        .build()
}
