//! What the program says, as a specification: each folder of `testdata/messages` has a `session.md` with commands and what
//! they print, and the files that the commands read. `UPDATE=1 cargo test --test messages` writes what they print now.
//!
//! How a command and its output are written, `tests/common/console.rs` says. Commands run in a copy of the folder.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

mod common {
    pub(crate) mod console;
    pub(crate) mod workspace;
}

use std::fs;
use std::path::{Path, PathBuf};

use common::console::check;
use common::workspace::{copy_folder, repository, shell, workspace};
use inlay::source::Code;

/// Where the goldens are whose text the program itself printed.
const GOLDENS: [&str; 3] = [
    "testdata/messages",
    "testdata/embedded-edits",
    "testdata/templates",
];

#[test]
fn every_command_prints_what_is_recorded() {
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
        let run = |line: &str| Some(shell(&workspace, &copy, &format!("exec 2>&1\n{line}")));
        faults.extend(check(&folder.join("session.md"), &name, run));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

#[test]
fn every_code_is_printed_by_a_golden() {
    let goldens: String = GOLDENS
        .iter()
        .flat_map(|folder| texts(&repository().join(folder)))
        .collect();
    let is_missing = |code: &&Code| !goldens.contains(&format!("[{}]: ", code.name()));
    let missing: Vec<&str> = Code::ALL
        .iter()
        .filter(is_missing)
        .map(|code| code.name())
        .collect();
    // A fault in the program itself: a case that prints it would be a mistake to mend, not to record.
    assert_eq!(missing, [Code::Internal.name()], "codes without a golden");
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of testdata can be read");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry can be read").path())
        .collect();
    paths.sort();
    paths
}

/// The texts of the goldens right in the folders of `folder`.
fn texts(folder: &Path) -> Vec<String> {
    let files = entries(folder).into_iter().flat_map(|case| entries(&case));
    let goldens = files.filter(|file| file.ends_with("session.md") || file.ends_with("error.txt"));
    goldens
        .map(|file| fs::read_to_string(file).expect("a golden can be read"))
        .collect()
}
