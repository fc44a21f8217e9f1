//! Runs the one-time initialization of the crate while files are still being read.
//!
//! When the first program calls a method or a function, the crate registers the methods of all its
//! types and all its functions. It parses the documentation of each one, with regular expressions
//! that it compiles only for this purpose, and offers no way to avoid that. This takes some
//! milliseconds, which is more than the rest of many a build.
//!
//! A program that calls nothing never pays for it: the instructions of templates are neither
//! methods nor constants, see [`INSTRUCTIONS`](crate::dialect::INSTRUCTIONS).

use std::sync::Once;
use std::thread;

use starlark::environment::Module;
use starlark::eval::Evaluator;
use starlark::syntax::{AstModule, Dialect};

use super::builtins;
use crate::source::parallel;

/// Texts that show that a line of code calls something in the crate: `f(x)`, `x[i]`, `x + y` and
/// `x == y` are calls.
const SIGNS_OF_CALLS: [&str; 9] = ["(", "[", "+", "*", "%", "==", "!=", "<", ">"];

/// Starts to prepare the crate on another thread, if one is available. It is called as soon as some
/// code is known to call something. Further calls do nothing.
pub fn warm_up() {
    static STARTED: Once = Once::new();
    if parallel::threads() < 2 {
        return;
    }
    STARTED.call_once(|| {
        // If the thread cannot be started or fails, the first program does the same work.
        let _ = thread::Builder::new().spawn(|| drop(prepare()));
    });
}

/// Starts to prepare the crate if the code in a template seems to call something; see [`warm_up`].
/// Otherwise the work would be wasted.
pub fn warm_up_for_template(text: &str) {
    if text.match_indices("#@").any(|(at, _)| has_call(text, at)) {
        warm_up();
    }
}

/// Returns whether the code at `#@` seems to call something.
fn has_call(text: &str, at: usize) -> bool {
    let code = text[at..].lines().next().unwrap_or_default();
    let code = code.trim_start_matches(['#', '@', ' ']);
    // `load` is a statement, and often contains the only bracket of a small template.
    !code.starts_with("load(") && SIGNS_OF_CALLS.iter().any(|sign| code.contains(sign))
}

/// Makes the crate register everything that the first program needs.
fn prepare() -> starlark::Result<()> {
    let globals = builtins::globals();
    // The calls are compiled but not run: one calls a function, the other a method.
    let text = "def calls():\n    len([])\n    [].append(1)\n".to_owned();
    let program = AstModule::parse("warm-up", text, &Dialect::Standard)?;
    Module::with_temp_heap(|module| {
        Evaluator::new(&module).eval_module(program, &globals)?;
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_that_prepares_the_crate_runs() {
        assert!(prepare().is_ok());
        warm_up();
        warm_up();
    }

    #[test]
    fn code_that_calls_is_recognized() {
        for (text, calls) in [
            (
                "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.b\n",
                false,
            ),
            (
                "#@ for x in data.values.list:\n- #@ x.name\n#@ end\n",
                false,
            ),
            ("#@overlay/match missing_ok=True\na: b(c)\n", false),
            ("a: #@ str(1)\n", true),
            ("#@overlay/match by=overlay.subset({})\n", true),
            ("b: 1\n#@ if a == 1:\n", true),
            ("a: #@ data.values[\"b\"]", true),
        ] {
            let found = text.match_indices("#@").any(|(at, _)| has_call(text, at));
            assert_eq!(found, calls, "{text}");
        }
    }
}
