//! Gives each program that may change data values its own copy of them.
//!
//! ```text
//! load("@ytt:data", "data")   →   load("@ytt:data", "data"); data = __ytt_live(data)
//! ```
//!
//! Loaded values are frozen and shared by all programs. `__ytt_live` returns a module whose values
//! are copied when they are first used. A program keeps the shared values if it does not change a
//! collection and does not call a function of another file that might.

use super::collections::Assignment;
use super::lexer::{StarlarkToken, with_statement_ends};
use super::load::Load;
use super::rewrite::Rewrite;

/// The methods that change a list or a dictionary.
const CHANGING: [&str; 9] = [
    "append",
    "clear",
    "extend",
    "insert",
    "pop",
    "popitem",
    "remove",
    "setdefault",
    "update",
];

/// Adds the assignments after the loads of `@ytt:data`.
pub(super) fn rewrite(
    text: &str,
    tokens: &[StarlarkToken],
    assignments: &[Assignment],
    rewrites: &mut Vec<Rewrite>,
) {
    let code = with_statement_ends(tokens);
    let mut loads: Vec<Load<'_>> = Vec::new();
    for index in 0..code.len() {
        loads.extend(Load::at(text, &code[index..]));
    }
    let loads_data = loads.iter().any(|load| load.module == "@ytt:data");
    if !loads_data || !may_change(text, &code, assignments, &loads) {
        return;
    }
    // All names of the module refer to the same values: a change through one name is visible
    // through the others.
    let mut first = None;
    for load in loads.iter().filter(|load| load.module == "@ytt:data") {
        let mut copies = String::new();
        let names = load
            .symbols
            .iter()
            .filter(|symbol| symbol.exported == "data");
        for name in names.map(|symbol| symbol.local) {
            copies += &match first {
                None => format!("; {name} = __ytt_live({name})"),
                Some(first) => format!("; {name} = {first}"),
            };
            first = first.or(Some(name));
        }
        rewrites.push(Rewrite::close(load.arguments.end(), copies));
    }
}

fn may_change(
    text: &str,
    code: &[&StarlarkToken],
    assignments: &[Assignment],
    loads: &[Load<'_>],
) -> bool {
    // `x.append(y)`
    let has_method = code.windows(2).any(
        |pair| matches!(pair, [dot, name] if dot.is(b'.') && CHANGING.contains(&name.word(text))),
    );
    // `x += y`, `x[0] = y`
    let has_assignment = assignments.iter().any(|assignment| {
        assignment.operator == Some("+") || code[assignment.target_end - 1].is(b']')
    });
    // A function of another file may change its arguments.
    let loads_file = loads.iter().any(|load| !load.module.starts_with("@ytt:"));
    has_method || has_assignment || loads_file
}
