//! The functions that every program has.
//!
//! They check their arguments with the messages of ytt ([`BuiltinCall`](super::builtin_call::BuiltinCall)), and count what they cost.
//! Those that the program of a template calls (`__ytt_…`) are written as functions of the crate and
//! not as [`Native`](super::Native): an operator runs for almost every expression, and the crate
//! passes a fixed number of positional arguments without an allocation.

mod basics;
mod collections;
mod comparisons;
mod entry;
mod format;
mod methods;
mod numbers;
mod operators;
mod ordering;
mod percent;
mod rewritten;
mod sequences;
mod slice;
mod strings;

use std::collections::HashMap;

use starlark::environment::{Globals, GlobalsBuilder, LibraryExtension};

pub(super) use operators::operator_functions;

use super::builtin_call::Builtin;
use super::function::NativeFunction;

/// The constants, which are the crate's own.
const CONSTANTS: [&str; 3] = ["None", "True", "False"];

/// The functions, except `set`.
const FUNCTIONS: [(&str, Builtin); 27] = [
    ("all", sequences::all),
    ("any", sequences::any),
    ("bool", basics::bool),
    ("chr", numbers::chr),
    ("dict", sequences::dict),
    ("dir", basics::dir),
    ("enumerate", sequences::enumerate),
    ("fail", basics::fail),
    ("float", numbers::float),
    ("getattr", basics::getattr),
    ("hasattr", basics::hasattr),
    ("hash", basics::hash),
    ("int", numbers::int),
    ("len", sequences::len),
    ("list", sequences::list),
    ("max", ordering::max),
    ("min", ordering::min),
    ("ord", numbers::ord),
    ("print", basics::print),
    ("range", basics::range),
    ("repr", basics::repr),
    ("reversed", sequences::reversed),
    ("sorted", ordering::sorted),
    ("str", basics::str),
    ("tuple", sequences::tuple),
    ("type", basics::r#type),
    ("zip", sequences::zip),
];

/// The functions that take as long for a large value as for a small one.
const CONSTANT_TIME: [&str; 8] = [
    "bool", "dir", "getattr", "hasattr", "len", "ord", "range", "type",
];

/// Makes the names that every program has.
pub(super) fn globals() -> Globals {
    let standard = Globals::extended_by(&[LibraryExtension::SetType]);
    let values: HashMap<&str, _> = standard.iter().collect();
    let mut builder = GlobalsBuilder::new();
    builder.frozen_heap().add_reference(standard.heap());
    // A list of allowed names and not of forbidden ones: a new version of the crate must not add
    // functions that ytt does not have.
    for name in CONSTANTS {
        if let Some(value) = values.get(name) {
            builder.set(name, *value);
        }
    }
    // The crate alone can make a set.
    if let Some(set) = values.get("set") {
        let checked = NativeFunction::of_crate("set", *set, sequences::set_items);
        builder.set("set", checked);
    }
    for (name, body) in FUNCTIONS {
        let is_constant = CONSTANT_TIME.contains(&name);
        builder.set(name, NativeFunction::builtin(name, body, is_constant));
    }
    builder
        .with(rewritten::functions)
        .with(methods::functions)
        .with(operators::functions)
        .with(comparisons::functions)
        .build()
}
