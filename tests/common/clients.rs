//! The programs of others that Inlay works behind. The tests use those that are on `PATH`.

use std::env;
use std::io::{self, Write as _};

const CLIENTS: [&str; 4] = ["kustomize", "kubectl", "kpt", "ytt"];

/// Names the clients that must be there, separated by commas: their absence is then a failure.
const REQUIRED: &str = "INLAY_REQUIRE_CLIENTS";

/// The clients that a line of shell calls: the first words of its parts, after any `NAME=value`.
pub(crate) fn clients_of(line: &str) -> Vec<&'static str> {
    let parts = line.split(['|', ';', '&', '\n']);
    let called: Vec<&str> = parts
        .filter_map(|part| part.split_whitespace().find(|word| !word.contains('=')))
        .collect();
    CLIENTS
        .into_iter()
        .filter(|client| called.contains(client))
        .collect()
}

/// Whether a client that `line` calls is not on `PATH`. One that is demanded and absent fails the test.
pub(crate) fn lacks_a_client(line: &str) -> bool {
    let absent: Vec<&str> = clients_of(line)
        .into_iter()
        .filter(|client| !on_path(client))
        .collect();
    let required = required();
    for client in &absent {
        assert!(
            !required.iter().any(|name| name == client),
            "{REQUIRED} demands {client}, which is not on PATH"
        );
    }
    !absent.is_empty()
}

/// Says in one line, past the capture of the test runner, which clients are left out; fails on a demanded one, also on
/// one that no test here calls.
pub(crate) fn report_absent_clients(what: &str) {
    for client in required() {
        assert!(
            on_path(&client),
            "{REQUIRED} demands {client}, which is not on PATH"
        );
    }
    let absent: Vec<&str> = CLIENTS
        .into_iter()
        .filter(|client| !on_path(client))
        .collect();
    if !absent.is_empty() {
        // Nothing can be done where standard error itself is gone.
        let _ = writeln!(
            io::stderr(),
            "note: {what} left out what needs {}: not on PATH",
            absent.join(", ")
        );
    }
}

fn required() -> Vec<String> {
    let names = env::var(REQUIRED).unwrap_or_default();
    names
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

fn on_path(program: &str) -> bool {
    env::split_paths(&env::var_os("PATH").unwrap_or_default())
        .any(|folder| folder.join(program).is_file())
}
