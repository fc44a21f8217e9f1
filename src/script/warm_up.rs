//! Runs the one-time initialization of the crate while files are still being read.
//!
//! The crate registers the methods of all its types and all its functions when it first compiles a
//! call of a function that it knows, or of a method. It parses the documentation of each one, with
//! regular expressions that it compiles only for this purpose, and offers no way to avoid that. This
//! takes some milliseconds, which is more than the rest of many a build.
//!
//! A template that defines no function and is not loaded by other files never pays for it:
//!
//! | what it calls | why the crate does not know the function |
//! | --- | --- |
//! | an instruction | it is a variable: [`INSTRUCTIONS`](crate::dialect::INSTRUCTIONS) |
//! | a predeclared function, an operator, a method of a string | also a variable: [`builtins`] |
//! | a member, as in `overlay.subset(…)` | it is the result of another call: `__ytt_member` |
//!
//! The functions and lambdas that a program defines are compiled a second time when its module is
//! frozen. All variables are known then.

use std::sync::Once;
use std::thread;

use starlark::environment::Module;
use starlark::eval::Evaluator;
use starlark::syntax::{AstModule, Dialect};

use super::builtins;
use crate::source::parallel;

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

/// Starts to prepare the crate if a template may define a function; see [`warm_up`]. Otherwise the
/// work would be wasted.
pub fn warm_up_for_template(text: &str) {
    if may_define_function(text) {
        warm_up();
    }
}

/// Returns whether the code of a template may define a function. The words may also be in data.
fn may_define_function(text: &str) -> bool {
    ["def ", "lambda"].iter().any(|word| text.contains(word))
}

/// Makes the crate register everything that the first program needs.
fn prepare() -> starlark::Result<()> {
    let globals = builtins::globals();
    // The call is compiled but not run.
    let text = "def calls():\n    len([])\n".to_owned();
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
    fn templates_that_define_functions_are_recognized() {
        for (text, defines) in [
            (
                "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.b\n",
                false,
            ),
            (
                "#@overlay/match by=overlay.subset({})\na: #@ str(1)\n",
                false,
            ),
            ("#@ def name(x):\n#@ return x.lower()\n#@ end\n", true),
            (
                "#@overlay/replace via=lambda left, right: left\na: 1\n",
                true,
            ),
        ] {
            assert_eq!(may_define_function(text), defines, "{text}");
        }
    }
}
