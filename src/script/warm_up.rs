//! What the crate does once in each process, done while files are still being read.
//!
//! The first program that calls a method makes the crate register the methods of all its types. It
//! parses the documentation of each, with regular expressions that it compiles for this alone, and
//! offers no way around that. It takes some milliseconds, more than many a build takes otherwise.

use std::sync::Once;
use std::thread;

use starlark::environment::Module;
use starlark::eval::Evaluator;
use starlark::syntax::{AstModule, Dialect};

use super::builtins;
use crate::source::parallel;

/// Begins to prepare the crate on another thread, if there is one to spare. Called as soon as it is
/// known that there is code; further calls do nothing.
pub fn warm_up() {
    static STARTED: Once = Once::new();
    if parallel::threads() < 2 {
        return;
    }
    STARTED.call_once(|| {
        // Without the thread, or if this fails, the first program does the same.
        let _ = thread::Builder::new().spawn(|| drop(prepare()));
    });
}

/// Makes the crate register everything that the first program needs.
fn prepare() -> starlark::Result<()> {
    let globals = builtins::globals();
    let program = AstModule::parse("warm-up", "[].append(1)".to_owned(), &Dialect::Standard)?;
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
}
