//! The `inlay` program: see [`inlay::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    inlay::cli::main()
}
