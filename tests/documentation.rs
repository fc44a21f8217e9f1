//! Runs the commands that the documentation shows and compares what they print.
//!
//! In a block of Markdown marked `console`, a line that starts with `$ ` is a command, and the lines up to the next one
//! are what it prints, on standard output and standard error together. `? 1` as the first of these lines says that the
//! command exits with 1. In the output, a line `...` stands for any lines, and `[..]` for any text in a line; blanks at
//! the end of a line do not count.
//!
//! Each command runs in a shell of its own, all commands of one document in one fresh copy of the examples. A command
//! that calls a client that is not on `PATH` is left out with those that follow it in its block.
//!
//! `UPDATE=1 cargo test --test documentation` writes what the commands print into the documents.

#![cfg(unix)]
#![allow(clippy::expect_used, reason = "a test that cannot prepare its files has failed")]

mod common {
    pub(crate) mod clients;
    pub(crate) mod workspace;
}

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use common::clients::{clients_of, lacks_a_client, report_absent_clients};
use common::workspace::{repository, shell, workspace};

#[test]
fn every_command_of_the_documentation_prints_what_is_shown() {
    report_absent_clients("the tests of the documentation");
    let update = std::env::var_os("UPDATE").is_some_and(|value| value == "1");
    let faults: Vec<String> = documents().iter().flat_map(|document| check(document, update)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

#[test]
fn every_example_has_a_document_with_a_command() {
    for entry in fs::read_dir(repository().join("kustomization-examples")).expect("the examples can be listed") {
        let folder = entry.expect("an entry can be read").path();
        if folder.is_dir() {
            let text = fs::read_to_string(folder.join("README.md")).unwrap_or_default();
            let lines: Vec<&str> = text.lines().collect();
            assert!(!commands(&lines).is_empty(), "{}: README.md shows no command", folder.display());
        }
    }
}

#[test]
fn every_link_to_a_file_leads_to_one() {
    let mut faults = Vec::new();
    for document in documents() {
        let text = fs::read_to_string(&document).expect("a document can be read");
        let folder = document.parent().expect("a document is in a folder");
        for target in link_targets(&text) {
            if !folder.join(target).exists() {
                faults.push(format!("{}: {target}", document.display()));
            }
        }
    }
    assert!(faults.is_empty(), "links that lead nowhere:\n{}", faults.join("\n"));
}

#[test]
fn shown_output_may_leave_out_lines_and_parts_of_lines() {
    let cases: &[(&[&str], &str, bool)] = &[
        (&["a", "b"], "a\nb\n", true),
        (&["a"], "a\nb\n", false),
        (&["a", ""], "a  \n \n", true),
        (&["a", "..."], "a\nb\nc\n", true),
        (&["...", "c"], "a\nb\nc\n", true),
        (&["...", "b"], "a\nb\nc\n", false),
        (&["took [..] ms"], "took 12 ms\n", true),
        (&["took [..] ms"], "took 12 s\n", false),
        (&["[..]a[..]a"], "a\n", false),
        (&[], "", true),
        (&[], "a\n", false),
    ];
    for (shown, printed, expected) in cases {
        assert_eq!(lines_match(shown, &printed.lines().collect::<Vec<_>>()), *expected, "{shown:?} and {printed:?}");
    }
}

#[test]
fn a_command_is_known_by_the_clients_it_calls() {
    assert_eq!(clients_of("kpt fn source . | inlay | kpt fn sink out"), ["kpt"]);
    assert_eq!(clients_of("KUSTOMIZE_PLUGIN_HOME=x kubectl kustomize --enable-alpha-plugins ."), ["kubectl"]);
    assert!(clients_of("inlay run kustomize/inlay.yaml - < kpt").is_empty());
}

/// A command of a document.
struct Command {
    /// What to type, without `$ `.
    line: String,
    /// The number of the block that it stands in.
    block: usize,
    /// The lines of the document that show what it prints.
    shown: Range<usize>,
}

/// Every document whose commands run and whose links are followed.
fn documents() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "plugin/README.md"]
        .map(|name| repository().join(name))
        .into();
    let markdown = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "md");
    found.extend(entries(&repository().join("docs")).into_iter().filter(markdown));
    found.extend(entries(&repository().join("kustomization-examples")).into_iter().filter(markdown));
    for folder in entries(&repository().join("kustomization-examples")) {
        found.extend(entries(&folder).into_iter().filter(markdown));
    }
    found
}

/// What a folder holds, in order of the names; nothing for a file.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry can be read").path()).collect();
    paths.sort();
    paths
}

/// Runs the commands of a document in order and returns those that do not print what is shown, or writes what they
/// print into the document.
fn check(document: &Path, update: bool) -> Vec<String> {
    let name = document.strip_prefix(repository()).expect("a document is in the repository").display().to_string();
    let text = fs::read_to_string(document).expect("a document can be read");
    let mut lines: Vec<&str> = text.lines().collect();
    let commands = commands(&lines);
    if commands.is_empty() {
        return Vec::new();
    }
    let workspace = workspace(&format!("documentation-{}", name.replace('/', "-")));
    let folder = working_folder(&workspace, &name);
    let mut runs: Vec<(&Command, String)> = Vec::new();
    let mut left_out = None;
    for command in &commands {
        if left_out == Some(command.block) || lacks_a_client(&command.line) {
            left_out = Some(command.block);
            continue;
        }
        runs.push((command, printed(&workspace, &folder, &command.line)));
    }
    let differs = |(command, printed): &(&Command, String)| {
        !lines_match(&lines[command.shown.clone()], &printed.lines().collect::<Vec<_>>())
    };
    let wrong: Vec<(&Command, String)> = runs.into_iter().filter(differs).collect();
    if !update {
        return wrong.iter().map(|(command, printed)| fault(&name, &lines, command, printed)).collect();
    }
    for (command, printed) in wrong.iter().rev() {
        lines.splice(command.shown.clone(), printed.lines().map(str::trim_end));
    }
    fs::write(document, lines.join("\n") + "\n").expect("a document can be written");
    Vec::new()
}

/// The folder in which a reader types the commands of a document: beside it for an example, else the root.
fn working_folder(workspace: &Path, name: &str) -> PathBuf {
    match name.strip_suffix("/README.md") {
        Some(folder) => workspace.join(folder),
        None => workspace.to_path_buf(),
    }
}

/// What a command prints, with its exit code in front where that is not 0.
fn printed(workspace: &Path, folder: &Path, line: &str) -> String {
    let line = line.replace("cargo run --release -- ", "inlay ");
    let outcome = shell(workspace, folder, &format!("exec 2>&1\n{line}"));
    let mut printed = outcome.stdout + &outcome.stderr;
    if outcome.code != 0 {
        printed.insert_str(0, &format!("? {}\n", outcome.code));
    }
    printed
}

fn fault(name: &str, lines: &[&str], command: &Command, printed: &str) -> String {
    let shown = lines[command.shown.clone()].join("\n");
    let number = command.shown.start;
    format!("{name}:{number}: `{}` shows\n{shown}\n--- but prints\n{printed}---", command.line)
}

/// The commands of the `console` blocks among the lines of a document.
fn commands(lines: &[&str]) -> Vec<Command> {
    let mut commands: Vec<Command> = Vec::new();
    let mut block = 0;
    let mut inside = false;
    for (number, line) in lines.iter().enumerate() {
        if line.starts_with("```") {
            inside = !inside && *line == "```console";
            block += 1;
        } else if let Some(typed) = line.strip_prefix("$ ").filter(|_| inside) {
            commands.push(Command { line: typed.to_owned(), block, shown: number + 1..number + 1 });
        } else if let Some(command) = commands.last_mut().filter(|command| inside && command.block == block) {
            match line.strip_prefix("> ").filter(|_| command.shown.is_empty() && command.line.ends_with('\\')) {
                Some(continued) => {
                    command.line = format!("{}\n{continued}", command.line);
                    command.shown = number + 1..number + 1;
                }
                None => command.shown.end = number + 1,
            }
        }
    }
    commands
}

/// Whether the lines that are shown stand for the lines that were printed.
fn lines_match(shown: &[&str], printed: &[&str]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((&"...", rest)) => (0..=printed.len()).any(|skipped| lines_match(rest, &printed[skipped..])),
        Some((first, rest)) => match printed.split_first() {
            Some((line, others)) => line_matches(first, line) && lines_match(rest, others),
            None => false,
        },
    }
}

/// Whether a line that is shown stands for a line that was printed.
fn line_matches(shown: &str, printed: &str) -> bool {
    let Some((start, rest)) = shown.split_once("[..]") else { return shown.trim_end() == printed.trim_end() };
    let Some(tail) = printed.strip_prefix(start) else { return false };
    tail.char_indices().map(|(at, _)| at).chain([tail.len()]).any(|at| line_matches(rest, &tail[at..]))
}

/// The targets of the inline links of a document that lead to a file, without the part after `#`.
fn link_targets(text: &str) -> Vec<&str> {
    let after = text.split("](").skip(1);
    let targets = after.filter_map(|rest| rest.split_once(')').map(|(target, _)| target));
    let files = targets.filter(|target| !target.contains("://") && !target.starts_with('#'));
    files.map(|target| target.split('#').next().unwrap_or(target)).collect()
}
