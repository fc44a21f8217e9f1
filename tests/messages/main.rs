//! Messages as a specification: each folder of `testdata/messages` has a `session.md` with commands
//! and their output, and the files that the commands read. `UPDATE=1 cargo test --test messages`
//! records the current output.
//!
//! `tests/common/console.rs` describes the notation for commands and their output. Commands run in
//! a copy of the folder.
//!
//! - [`codes`] generates `docs/diagnostics.md`.
//! - [`unshown`] lists the messages that no test shows.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

#[path = "../common"]
mod common {
    pub(crate) mod console;
    pub(crate) mod rust_source;
    pub(crate) mod shrinking_list;
    pub(crate) mod workspace;
}

mod codes;
mod literals;
mod unshown;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use common::console::check;
use common::workspace::{copy_folder, repository, terminal, workspace};

/// The commands whose output differs from the sessions.
///
/// The sessions run once. With `UPDATE=1`, every test that reads them waits until they are
/// recorded.
static FAULTS: LazyLock<Vec<String>> = LazyLock::new(run_sessions);

#[test]
fn every_command_prints_what_is_recorded() {
    assert!(FAULTS.is_empty(), "{}", FAULTS.join("\n\n"));
}

/// Waits until the sessions are recorded, if `UPDATE=1` is set.
fn record_sessions() {
    if updates() {
        LazyLock::force(&FAULTS);
    }
}

/// Returns whether `UPDATE=1` is set.
fn updates() -> bool {
    std::env::var_os("UPDATE").is_some_and(|value| value == "1")
}

fn run_sessions() -> Vec<String> {
    let mut faults = Vec::new();
    for folder in entries(&repository().join("testdata/messages")) {
        let name = folder
            .file_name()
            .expect("a case has a name")
            .to_string_lossy()
            .into_owned();
        let workspace = workspace(&format!("messages-{name}"));
        let copy = workspace.join(&name);
        copy_folder(&folder, &copy);
        let run = |line: &str| Some(terminal(&workspace, &copy, line));
        faults.extend(check(&folder.join("session.md"), &name, run));
    }
    faults
}

/// Returns the entries of a folder, sorted by name.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder can be read");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry can be read").path())
        .collect();
    paths.sort();
    paths
}
