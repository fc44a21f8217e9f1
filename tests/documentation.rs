//! Runs the commands in the documents and compares their output; checks links, paths and lists.
//!
//! `tests/common/console.rs` describes the notation for commands and their output. All commands of
//! one document run in one fresh copy of the examples. If a command calls a client that is not on
//! `PATH`, it and the rest of its block are skipped.
//!
//! `UPDATE=1 cargo test --test documentation` writes the output into the documents.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

mod common {
    pub(crate) mod clients;
    pub(crate) mod console;
    pub(crate) mod workspace;
}

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use common::clients::{clients_of, lacks_a_client};
use common::console::{check, commands};
use common::workspace::{repository, terminal, workspace};

#[test]
fn every_command_of_the_documentation_prints_what_is_shown() {
    let faults: Vec<String> = documents()
        .iter()
        .flat_map(|document| check_document(document))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// The first command compiles the program, so it is not among those that the other test runs.
#[test]
fn the_first_command_of_the_readme_prints_the_diff_above_it() {
    let text = read(&repository().join("README.md"));
    let (above, rest) = text
        .split_once("cargo run --locked -- ")
        .expect("the readme shows how to try a checkout");
    let (arguments, _) = rest.split_once("\n```").expect("the block ends");
    let (_, diff) = above
        .split_once("--diff\n")
        .and_then(|(_, shown)| shown.split_once("\n+++ "))
        .expect("the readme shows a diff");
    let (diff, _) = diff.split_once("\n```").expect("the block ends");
    let is_edit = |line: &&str| line.starts_with(['-', '+']);
    let edited: Vec<&str> = diff.lines().filter(is_edit).collect();
    assert_eq!(edited.len(), 2, "one line of the diff changes: {edited:?}");

    let workspace = workspace("first-command");
    let outcome = terminal(&workspace, &workspace, &format!("inlay {arguments}"));
    assert_eq!(outcome.code, 0, "{}", outcome.stdout);
    for line in edited {
        assert!(
            outcome.stdout.lines().any(|printed| printed == line),
            "`{line}` is not in:\n{}",
            outcome.stdout
        );
    }
}

#[test]
fn every_example_has_a_document_with_a_command() {
    for entry in fs::read_dir(repository().join("kustomization-examples"))
        .expect("the examples can be listed")
    {
        let folder = entry.expect("an entry can be read").path();
        if folder.is_dir() {
            let text = fs::read_to_string(folder.join("README.md")).unwrap_or_default();
            let lines: Vec<&str> = text.lines().collect();
            assert!(
                !commands(&lines).is_empty(),
                "{}: README.md shows no command",
                folder.display()
            );
        }
    }
}

#[test]
fn every_link_leads_to_a_file_and_to_a_heading_in_it() {
    let mut faults = Vec::new();
    for document in documents() {
        let text = read(&document);
        let folder = document.parent().expect("a document is in a folder");
        for target in link_targets(&text) {
            let (path, heading) = target.split_once('#').unwrap_or((target, ""));
            let file = if path.is_empty() {
                document.clone()
            } else {
                folder.join(path)
            };
            let leads = file.exists()
                && (heading.is_empty() || headings(&read(&file)).contains(&heading.to_owned()));
            if !leads {
                faults.push(format!("{}: {target}", document.display()));
            }
        }
    }
    assert!(faults.is_empty(), "broken links:\n{}", faults.join("\n"));
}

/// Paths into the repository become outdated silently, so each path in backticks has to exist.
/// `<name>` matches any name.
#[test]
fn every_path_in_the_documents_for_developers_exists() {
    let mut faults = Vec::new();
    for document in ["CONTRIBUTING.md", "docs/architecture.md", "docs/testing.md"] {
        let text = read(&repository().join(document));
        // The parts at odd indexes are in backticks.
        for path in text.split('`').skip(1).step_by(2) {
            let is_path = ["src/", "tests/", "testdata/", "docs/", "fuzz/"]
                .iter()
                .any(|folder| path.starts_with(folder));
            let is_pattern = path.contains(['<', '*', ' ', '…']);
            if is_path && !is_pattern && !repository().join(path).exists() {
                faults.push(format!("{document}: {path}"));
            }
        }
    }
    assert!(
        faults.is_empty(),
        "paths that do not exist:\n{}",
        faults.join("\n")
    );
}

/// The lists of points that experience in the field has shown to need tests: the letter of each
/// list, and its number of points.
const LISTS: [(char, usize); 6] = [('R', 8), ('F', 5), ('H', 5), ('O', 4), ('K', 7), ('P', 12)];

/// A renamed test leaves its old name in the documents, which then prove nothing.
#[test]
fn every_point_of_the_lists_names_a_test_that_exists() {
    let root = repository();
    let mut code = read(&root.join("Cargo.toml"));
    for folder in ["src", "tests"] {
        read_all(&root.join(folder), &mut code);
    }
    let mut faults = Vec::new();
    let mut points = BTreeSet::new();
    for document in ["docs/testing.md", "docs/security.md"] {
        let text = read(&root.join(document));
        for row in text.lines().filter(|line| line.starts_with('|')) {
            // The parts at odd indexes are in backticks.
            let named: Vec<&str> = row.split('`').skip(1).step_by(2).collect();
            let is_name = |name: &&str| {
                let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
                name.matches('_').count() > 1 && name.chars().all(is_word)
            };
            for name in named.iter().copied().filter(is_name) {
                let is_known = code.contains(&format!("fn {name}("))
                    || code.contains(&format!("{name} = \"deny\""));
                if !is_known {
                    faults.push(format!("{document}: {name}"));
                }
            }
            let id = row.split('|').nth(1).unwrap_or_default().trim();
            if named.iter().any(|name| is_name(name) || name.contains('/')) {
                points.extend(id.split(", ").map(str::to_owned));
            }
        }
    }
    for (letter, count) in LISTS {
        let all = (1..=count).map(|number| format!("{letter}{number}"));
        let missing = all.filter(|point| !points.contains(point));
        faults.extend(missing.map(|point| format!("{point} names no test")));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Appends the text of every Rust file below a folder.
fn read_all(folder: &Path, text: &mut String) {
    for path in entries(folder) {
        if path.is_dir() {
            read_all(&path, text);
        } else if path.extension().is_some_and(|end| end == "rs") {
            text.push_str(&read(&path));
        }
    }
}

#[test]
fn every_document_example_and_test_is_listed() {
    let mut faults = Vec::new();
    let mut listed = |list: &str, folder: &str, shown: fn(&str) -> String| {
        let text = read(&repository().join(list));
        for path in entries(&repository().join(folder)) {
            let name = path
                .file_name()
                .expect("an entry has a name")
                .to_string_lossy()
                .into_owned();
            let is_listed = path.is_dir() || name.ends_with(".md") || name.ends_with(".rs");
            if is_listed
                && !["README.md", "common", "pictures", "schemas"].contains(&name.as_str())
                && !text.contains(&shown(&name))
            {
                faults.push(format!("{list}: {folder}/{name}"));
            }
        }
    };
    listed("README.md", "docs", |name| format!("](docs/{name})"));
    listed(
        "kustomization-examples/README.md",
        "kustomization-examples",
        |name| format!("]({name}/README.md)"),
    );
    listed("docs/testing.md", "tests", |name| {
        format!(
            "`tests/{}`",
            if name.ends_with(".rs") {
                name.to_owned()
            } else {
                format!("{name}/")
            }
        )
    });
    assert!(faults.is_empty(), "not in the list:\n{}", faults.join("\n"));
}

#[test]
fn the_site_has_every_document_once() {
    let summary = read(&repository().join("site/SUMMARY.md"));
    let mut chapters = link_targets(&summary);
    let mut expected: Vec<String> = documents().iter().map(|path| name_of(path)).collect();
    chapters.sort_unstable();
    expected.sort_unstable();
    assert_eq!(chapters, expected);
}

#[test]
fn the_badges_of_the_readme_are_true() {
    let readme = read(&repository().join("README.md"));
    let url = env!("CARGO_PKG_REPOSITORY");
    let license = env!("CARGO_PKG_LICENSE").replace('-', "--");
    let rust = env!("CARGO_PKG_RUST_VERSION");
    let expected = [
        format!("{url}/actions/workflows/ci.yml/badge.svg"),
        format!("/badge/license-{license}-"),
        format!("[Rust {rust} or newer]"),
        format!("/badge/rust-{rust}%2B-"),
    ];
    for text in expected {
        assert!(readme.contains(&text), "README.md lacks {text}");
    }
    assert!(repository().join(".github/workflows/ci.yml").is_file());
}

#[test]
fn the_clients_of_a_command_are_its_first_words() {
    assert_eq!(
        clients_of("kpt fn source . | inlay | kpt fn sink out"),
        ["kpt"]
    );
    assert_eq!(
        clients_of("KUSTOMIZE_PLUGIN_HOME=x kubectl kustomize --enable-alpha-plugins ."),
        ["kubectl"]
    );
    assert!(clients_of("inlay run kustomize/inlay.yaml - < kpt").is_empty());
}

/// Returns every document whose commands run and whose links are checked.
fn documents() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = [
        "README.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "CHANGELOG.md",
        "plugin/README.md",
        "bazel/README.md",
    ]
    .map(|name| repository().join(name))
    .into();
    let markdown = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "md");
    found.extend(
        entries(&repository().join("docs"))
            .into_iter()
            .filter(markdown),
    );
    found.extend(
        entries(&repository().join("kustomization-examples"))
            .into_iter()
            .filter(markdown),
    );
    for folder in entries(&repository().join("kustomization-examples")) {
        found.extend(entries(&folder).into_iter().filter(markdown));
    }
    found
}

/// Returns the entries of a folder, sorted by name; nothing for a file.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry can be read").path())
        .collect();
    paths.sort();
    paths
}

/// Runs the commands of a document and returns those whose output differs.
fn check_document(document: &Path) -> Vec<String> {
    let name = name_of(document);
    let workspace = workspace(&format!("documentation-{}", name.replace('/', "-")));
    let folder = working_folder(&workspace, &name);
    check(document, &name, |line| {
        if lacks_a_client(line) {
            return None;
        }
        let line = line.replace("cargo run --release -- ", "inlay ");
        Some(terminal(&workspace, &folder, &line))
    })
}

/// Returns the path of a document relative to the repository.
fn name_of(document: &Path) -> String {
    document
        .strip_prefix(repository())
        .expect("a document is in the repository")
        .display()
        .to_string()
}

/// Returns the folder in which a reader runs the commands of a document: an example's own folder,
/// or else the root.
fn working_folder(workspace: &Path, name: &str) -> PathBuf {
    match name.strip_suffix("/README.md") {
        Some(folder) => workspace.join(folder),
        None => workspace.to_path_buf(),
    }
}

fn read(document: &Path) -> String {
    fs::read_to_string(document).expect("a document can be read")
}

/// Returns the targets of the inline links that lead to a file or to a heading.
fn link_targets(text: &str) -> Vec<&str> {
    let after = text.split("](").skip(1);
    let targets = after.filter_map(|rest| rest.split_once(')').map(|(target, _)| target));
    targets.filter(|target| !target.contains("://")).collect()
}

/// Returns the anchor of each heading, as GitHub writes it: lower case, with `-` for spaces.
fn headings(text: &str) -> Vec<String> {
    let titles = text
        .lines()
        .filter(|line| line.starts_with('#'))
        .map(|line| line.trim_start_matches('#').trim());
    let is_kept = |c: &char| c.is_alphanumeric() || ['-', '_', ' '].contains(c);
    titles
        .map(|title| {
            title
                .to_lowercase()
                .chars()
                .filter(is_kept)
                .collect::<String>()
                .replace(' ', "-")
        })
        .collect()
}
