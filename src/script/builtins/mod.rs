//! The functions that are predeclared in every program.
//!
//! They check their arguments with ytt's messages
//! ([`BuiltinCall`](super::builtin_call::BuiltinCall)), and charge for their work. The functions
//! that rewritten programs call (`__ytt_…`) are not [`Native`](super::Native)s: an operator runs for
//! almost every expression, and an [`Operation`](super::builtin_call::Operation) takes a fixed
//! number of positional arguments without an allocation.
//!
//! # Functions as variables
//!
//! The crate registers all its functions and the methods of all its types when its compiler first
//! sees a call of a value that it knows, or of a method: it compares the value with its own
//! functions. It parses the documentation of each one, with regular expressions that it compiles
//! only for this purpose, and offers no way to avoid that. This takes some milliseconds, which is
//! more than the rest of many a build. So no program calls a value that the compiler knows:
//!
//! | what is called | why the compiler does not know the value |
//! | --- | --- |
//! | an instruction | it is a variable: [`INSTRUCTIONS`] |
//! | a predeclared function, an operator, a method of a string | also a variable: [`called_functions`] |
//! | a member, as in `overlay.subset(…)` | it is the result of another call: `__ytt_member` |
//! | a function that another file defines, or that is called after its file ended | it is a variable of the function around the program: [`in_function`](super::program::Program::in_function) |

mod basics;
mod collections;
mod entry;
mod extension;
mod format;
mod method_table;
mod methods;
mod numbers;
mod operators;
mod ordering;
mod percent;
mod rewritten;
mod sequences;
mod slice;
mod strings;

use std::sync::LazyLock;

use starlark::environment::{Globals, GlobalsBuilder, LibraryExtension};
use starlark::values::FrozenValue;

pub(super) use method_table::method_names;
pub(super) use operators::operator_functions;

use super::builtin_call::Builtin;
use super::function::NativeFunction;
use crate::dialect::INSTRUCTIONS;

/// A function that is predeclared in every program.
struct BuiltinFunction {
    name: &'static str,
    body: Builtin,
    /// Whether the function takes as long for a large value as for a small one.
    is_constant: bool,
}

/// Returns a row of the table below.
const fn function(name: &'static str, body: Builtin) -> BuiltinFunction {
    BuiltinFunction {
        name,
        body,
        is_constant: false,
    }
}

/// Returns a row for a function that takes as long for a large value as for a small one.
const fn constant(name: &'static str, body: Builtin) -> BuiltinFunction {
    BuiltinFunction {
        is_constant: true,
        ..function(name, body)
    }
}

/// The functions, except `set`.
const FUNCTIONS: [BuiltinFunction; 27] = [
    function("all", sequences::all),
    function("any", sequences::any),
    constant("bool", basics::bool),
    function("chr", numbers::chr),
    function("dict", sequences::dict),
    constant("dir", basics::dir),
    function("enumerate", sequences::enumerate),
    function("fail", basics::fail),
    function("float", numbers::float),
    constant("getattr", basics::getattr),
    constant("hasattr", basics::hasattr),
    function("hash", basics::hash),
    function("int", numbers::int),
    constant("len", sequences::len),
    function("list", sequences::list),
    function("max", ordering::max),
    function("min", ordering::min),
    constant("ord", numbers::ord),
    function("print", basics::print),
    constant("range", basics::range),
    function("repr", basics::repr),
    function("reversed", sequences::reversed),
    function("sorted", ordering::sorted),
    function("str", basics::str),
    function("tuple", sequences::tuple),
    constant("type", basics::r#type),
    function("zip", sequences::zip),
];

/// Creates the names that are predeclared in every program.
///
/// This starts from an empty environment and not from the crate's own. ytt does not have all of the
/// crate's functions, and registering them takes most of the time of a short run, because the crate
/// parses the documentation of each function.
pub(super) fn globals() -> Globals {
    let mut builder = GlobalsBuilder::new();
    builder.set("None", FrozenValue::new_none());
    builder.set("True", FrozenValue::new_bool(true));
    builder.set("False", FrozenValue::new_bool(false));
    for function in functions() {
        builder.set(function.name(), function);
    }
    builder.build()
}

/// Returns all functions that are predeclared in every program.
fn functions() -> impl Iterator<Item = NativeFunction> {
    let named = FUNCTIONS.iter().map(|function| {
        NativeFunction::builtin(function.name, function.body, function.is_constant)
    });
    // Only the crate can create a set.
    let set = NativeFunction::of_crate("set", crate_set, sequences::set_items);
    let operations = [
        rewritten::FUNCTIONS,
        methods::FUNCTIONS,
        operators::FUNCTIONS,
    ];
    let operations = operations
        .into_iter()
        .flatten()
        .map(|(name, body)| NativeFunction::operation(name, *body));
    named.chain([set]).chain(operations)
}

/// Returns the predeclared functions that a program may call or redefine. `text` is the program that
/// the crate parses, in which operators are not calls yet. A word in a string may add a function
/// that is not called. `defines` returns whether the program defines a name.
pub(super) fn called_functions(text: &str, defines: impl Fn(&str) -> bool) -> Vec<NativeFunction> {
    // A template calls `__ytt` for each of its nodes, so leave it out before sorting.
    let mut words: Vec<&str> = memchr::memchr_iter(b'(', text.as_bytes())
        .map(|bracket| callee(&text[..bracket]))
        .filter(|word| *word != INSTRUCTIONS)
        .collect();
    words.sort_unstable();
    words.dedup();
    let mut bytes = [false; 256];
    for byte in text.bytes() {
        bytes[usize::from(byte)] = true;
    }
    for operator in operators::possible_functions(&bytes) {
        words.push(operator);
    }
    functions()
        .filter(|function| words.contains(&function.name()) || defines(function.name()))
        .collect()
}

/// Returns the name at the end of a text, before any spaces. The result is empty if there is none.
fn callee(text: &str) -> &str {
    let text = text.trim_end_matches(' ');
    let before = text.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    &text[before.len()..]
}

/// Returns the crate's function `set`. It is registered when the first set is created.
fn crate_set() -> FrozenValue {
    static SETS: LazyLock<Globals> = LazyLock::new(|| {
        GlobalsBuilder::new()
            .with(|builder| LibraryExtension::SetType.add(builder))
            .build()
    });
    let set = SETS.iter().find(|(name, _)| *name == "set");
    set.map_or_else(FrozenValue::new_none, |(_, function)| function)
}
