//! The programs that call Inlay, or that it is compared with. Tests use those that are on `PATH`.

#![allow(dead_code, reason = "each test uses a part of this module")]

use std::env;
use std::io::{self, Write as _};
use std::sync::Once;

const CLIENTS: [&str; 8] = [
    "kustomize",
    "kubectl",
    "kpt",
    "ytt",
    "helm",
    "nvim",
    "strace",
    "bazel",
];

/// The environment variable that lists the required clients, separated by commas.
const REQUIRED: &str = "INLAY_REQUIRE_CLIENTS";

/// Returns the clients that a shell command line calls: the first words of its commands, after any
/// `NAME=value`.
pub(crate) fn clients_of(line: &str) -> Vec<&'static str> {
    let commands = line.split(['|', ';', '&', '\n']);
    let called: Vec<&str> = commands
        .filter_map(|command| command.split_whitespace().find(|word| !word.contains('=')))
        .collect();
    CLIENTS
        .into_iter()
        .filter(|client| called.contains(client))
        .collect()
}

/// Returns whether a client that `line` calls is not on `PATH`. A required client that is missing
/// fails the test.
pub(crate) fn lacks_a_client(line: &str) -> bool {
    report_absent_clients();
    let absent: Vec<&str> = clients_of(line)
        .into_iter()
        .filter(|client| !is_on_path(client))
        .collect();
    let required = required();
    for client in &absent {
        assert!(
            !required.iter().any(|name| name == client),
            "{REQUIRED} contains {client}, which is not on PATH"
        );
    }
    !absent.is_empty()
}

/// Returns the required clients that are not on `PATH`.
pub(crate) fn missing_required_clients() -> Vec<String> {
    let mut clients = required();
    clients.retain(|client| !is_on_path(client));
    clients
}

/// Prints the names of the absent clients once per run, bypassing the output capture of the test
/// runner.
fn report_absent_clients() {
    static REPORTED: Once = Once::new();
    REPORTED.call_once(|| {
        let absent: Vec<&str> = CLIENTS
            .into_iter()
            .filter(|client| !is_on_path(client))
            .collect();
        if !absent.is_empty() {
            let names = absent.join(", ");
            // If standard error is closed, there is nowhere to report the problem.
            let _ = writeln!(
                io::stderr(),
                "note: skipped what needs {names}: not on PATH"
            );
        }
    });
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

fn is_on_path(program: &str) -> bool {
    env::split_paths(&env::var_os("PATH").unwrap_or_default())
        .any(|folder| folder.join(program).is_file())
}
