//! The examples through every entry point: the command line, and Inlay as called by kpt, kustomize
//! and kubectl.
//!
//! A test whose client is not on `PATH` passes without doing anything, and a line on standard error
//! names the client. `INLAY_REQUIRE_CLIENTS` makes a missing client a failure.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

#[path = "../common"]
mod common {
    pub(crate) mod clients;
    pub(crate) mod workspace;
}

mod command_line;
mod configurations;
mod function_folder;
mod kpt;
mod kustomize;

use std::fs;
use std::path::{Path, PathBuf};

use common::clients::{lacks_a_client, missing_required_clients};
use common::workspace::{Outcome, shell, workspace};

#[test]
fn every_required_client_is_on_the_path() {
    assert_eq!(missing_required_clients(), Vec::<String>::new());
}

#[test]
fn an_edit_that_finds_nothing_fails_the_client_and_loses_nothing() {
    let cases = [
        (
            "kpt-package",
            "notifications",
            "kpt fn eval notifications --exec inlay --fn-config notifications/inlay.yaml",
        ),
        (
            "kpt-package",
            "notifications",
            "kpt fn render notifications --allow-exec",
        ),
        (
            "kustomize-function",
            ".",
            "kustomize build --enable-alpha-plugins --enable-exec .",
        ),
        (
            "kustomize-plugin",
            ".",
            "KUSTOMIZE_PLUGIN_HOME=../../plugin kustomize build --enable-alpha-plugins .",
        ),
        (
            "kustomize-plugin",
            ".",
            "KUSTOMIZE_PLUGIN_HOME=../../plugin kubectl kustomize --enable-alpha-plugins .",
        ),
    ];
    for (name, package, line) in cases {
        if lacks_a_client(line) {
            continue;
        }
        let example = Example::new("edit-fails", name);
        let config = example.read(&format!("{package}/inlay.yaml"));
        let misspelt = config
            .replace("mail.sender", "mail.sendr")
            .replace("json.region", "json.regoin");
        assert_ne!(
            config, misspelt,
            "{name}: the configuration contains the path to misspell"
        );
        fs::write(example.folder.join(package).join("inlay.yaml"), misspelt)
            .expect("a configuration can be written");

        let before = snapshot(&example.folder);
        let outcome = example.shell(line);
        assert_ne!(outcome.code, 0, "{line}");
        assert_eq!(outcome.stdout, "", "{line}: nothing is built");
        let misspelt_key = if name == "kpt-package" {
            "sendr"
        } else {
            "regoin"
        };
        assert!(
            outcome.stderr.contains(misspelt_key),
            "{line}: the message names the path\n{}",
            outcome.stderr
        );
        assert_eq!(
            snapshot(&example.folder),
            before,
            "{line}: no file is changed"
        );
    }
}

/// A copy of an example that a test may change.
struct Example {
    workspace: PathBuf,
    folder: PathBuf,
}

impl Example {
    /// Copies the example `name` for one test.
    fn new(test: &str, name: &str) -> Example {
        let workspace = workspace(&format!("entry-points-{test}"));
        let folder = workspace.join("kustomization-examples").join(name);
        Example { workspace, folder }
    }

    fn shell(&self, line: &str) -> Outcome {
        shell(&self.workspace, &self.folder, line)
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.folder.join(file)).expect("a file of an example can be read")
    }
}

fn assert_output(outcome: &Outcome, expected: &str, what: &str) {
    assert_eq!(outcome.code, 0, "{what}: {}", outcome.stderr);
    assert_eq!(outcome.stdout, expected, "{what}");
}

/// Runs a command that builds a kustomization and compares its output with the example's
/// `expected.yaml`.
fn assert_build(example: &Example, line: &str) {
    if !lacks_a_client(line) {
        assert_output(&example.shell(line), &example.read("expected.yaml"), line);
    }
}

/// Returns every file below a folder with its text, sorted by name.
fn snapshot(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).expect("a folder can be read") {
            let path = entry.expect("an entry can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = fs::read_to_string(&path).expect("a file can be read");
                files.push((
                    path.strip_prefix(folder)
                        .expect("a file is below its folder")
                        .to_path_buf(),
                    text,
                ));
            }
        }
    }
    files.sort();
    files
}
