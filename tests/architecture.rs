//! Holds the arrows of the house: which room of `src/` may use which other.
//!
//! A room is a folder of `src/`. It may name (`crate::…`) itself and the rooms that stand in its row of [`ARROWS`],
//! and nothing else; `src/main.rs` and `src/lib.rs` stand above all rooms. `docs/architecture.md` says why.

#![cfg(test)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Every room, from the bottom up, and the rooms that it may use.
const ARROWS: &[(&str, &[&str])] = &[
    ("regexp", &[]),
    ("source", &[]),
    ("yaml", &["source"]),
    ("golang", &["source", "yaml"]),
    ("typed", &["source", "yaml"]),
    ("formats", &["source", "yaml"]),
    ("edit", &["regexp", "source", "yaml", "formats"]),
    ("kubernetes", &["regexp", "source", "yaml", "typed", "edit"]),
    ("dialect", &["source"]),
    ("script", &["source", "yaml", "dialect"]),
    ("modules", &["regexp", "source", "yaml", "golang", "script"]),
    // Its tests load modules.
    (
        "template",
        &["source", "yaml", "dialect", "script", "modules"],
    ),
    (
        "overlay",
        &["source", "yaml", "edit", "kubernetes", "script"],
    ),
    (
        "schema",
        &["regexp", "source", "yaml", "golang", "script", "modules"],
    ),
    (
        "kustomize",
        &["source", "yaml", "golang", "typed", "edit", "kubernetes"],
    ),
    (
        "workspace",
        &[
            "source", "yaml", "golang", "script", "modules", "template", "overlay", "schema",
        ],
    ),
    (
        "pipeline",
        &[
            "source",
            "yaml",
            "typed",
            "kubernetes",
            "kustomize",
            "workspace",
        ],
    ),
    (
        "krm",
        &[
            "source",
            "yaml",
            "typed",
            "edit",
            "kubernetes",
            "kustomize",
            "workspace",
            "pipeline",
        ],
    ),
    (
        "cli",
        &[
            "source",
            "yaml",
            "schema",
            "golang",
            "edit",
            "kubernetes",
            "workspace",
            "pipeline",
            "krm",
        ],
    ),
];

#[test]
fn a_room_uses_only_the_rooms_that_its_row_names() {
    let mut faults = Vec::new();
    for file in sources() {
        let Some(room) = file.room() else { continue };
        let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == room) else {
            faults.push(format!(
                "{}: the room `{room}` has no row in the table of arrows",
                file.name
            ));
            continue;
        };
        for (line, target) in arrows(&file.text, file.depth()) {
            if target != room && !allowed.contains(&target.as_str()) {
                let row = if allowed.is_empty() {
                    "no other room".to_owned()
                } else {
                    allowed.join(", ")
                };
                faults.push(format!(
                    "{}:{line}: `{room}` uses `{target}`; it may use {row}",
                    file.name
                ));
            }
        }
    }
    assert!(
        faults.is_empty(),
        "arrows that are not in the table:\n{}",
        faults.join("\n")
    );
}

#[test]
fn every_arrow_of_the_table_is_used() {
    let mut used = BTreeSet::new();
    for file in sources() {
        let Some(room) = file.room() else { continue };
        used.extend(
            arrows(&file.text, file.depth())
                .into_iter()
                .map(|(_, target)| (room.to_owned(), target)),
        );
    }
    for (room, allowed) in ARROWS {
        for target in *allowed {
            let arrow = ((*room).to_owned(), (*target).to_owned());
            assert!(
                used.contains(&arrow),
                "the row of `{room}` names `{target}`, which no file there uses"
            );
        }
    }
}

/// Paths that lead to what is outside of the process.
const OUTSIDE: [&str; 4] = ["std::fs", "std::env", "std::net", "std::process::Command"];

#[test]
fn only_the_world_touches_files_and_environment() {
    let mut faults = Vec::new();
    for file in sources()
        .iter()
        .filter(|file| !file.name.starts_with("src/source/world/"))
    {
        for (number, line) in without_comments(&file.text).lines().enumerate() {
            let found = OUTSIDE.iter().filter(|outside| line.contains(*outside));
            faults.extend(found.map(|outside| format!("{}:{}: {outside}", file.name, number + 1)));
        }
    }
    assert!(
        faults.is_empty(),
        "paths that only src/source/world may name:\n{}",
        faults.join("\n")
    );
}

/// The derives of the crate `starlark` write `unsafe` for the values of a program, so a file of `src/script` may allow
/// what they write. No file writes any itself, and no other room names the crate.
#[test]
fn nothing_is_unsafe_and_one_room_names_starlark() {
    // rustfmt breaks the attribute over several lines, so lines do not count here.
    let allowed = "#![allow( unsafe_code, reason = \"only the derives of `starlark` write unsafe code here\" )]";
    let mut faults = Vec::new();
    for file in sources() {
        let is_script = file.room() == Some("script");
        let code = without_comments(&file.text);
        let code = code.split_whitespace().collect::<Vec<_>>().join(" ");
        let code = if is_script {
            code.replace(allowed, "")
        } else {
            code
        };
        if code.contains("unsafe") {
            faults.push(format!("{}: names `unsafe`", file.name));
        }
        if !is_script
            && ["starlark::", "allocative::"]
                .iter()
                .any(|name| code.contains(name))
        {
            faults.push(format!("{}: names the crate `starlark`", file.name));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_row_uses_only_rows_below_it() {
    for (place, (room, allowed)) in ARROWS.iter().enumerate() {
        for target in *allowed {
            let below = ARROWS.iter().take(place).any(|(name, _)| name == target);
            assert!(
                below,
                "the row of `{room}` names `{target}`, which is not below it"
            );
        }
    }
}

#[test]
fn every_file_opens_with_what_it_is_for() {
    let silent: Vec<String> = sources()
        .into_iter()
        .filter(|file| !file.text.starts_with("//! "))
        .map(|file| file.name)
        .collect();
    assert!(
        silent.is_empty(),
        "files without a `//!` head:\n{}",
        silent.join("\n")
    );
}

#[test]
fn the_architecture_document_tells_every_room() {
    let document = fs::read_to_string(root().join("docs/architecture.md"))
        .expect("docs/architecture.md can be read");
    for (room, _) in ARROWS {
        assert!(
            document.contains(&format!("## `src/{room}`")),
            "docs/architecture.md has no section on src/{room}"
        );
    }
}

#[test]
fn arrows_are_found_in_every_form_of_a_path() {
    let cases: &[(&str, usize, &[&str])] = &[
        ("use crate::yaml::Node;", 2, &["yaml"]),
        (
            "use crate::{source::{Span, Text}, yaml};",
            2,
            &["source", "yaml"],
        ),
        (
            "use crate::{\n    edit::Path,\n    krm::Door,\n};",
            2,
            &["edit", "krm"],
        ),
        (
            "pub(crate) fn at(span: crate::source::Span) {}",
            2,
            &["source"],
        ),
        ("fn f() { $crate::cli::run() }", 2, &["cli"]),
        (
            "// see crate::cli\n//! [x](crate::cli::X)\nuse super::node::Node;",
            2,
            &[],
        ),
        ("use super::super::cli::Flags;", 2, &["cli"]),
        ("mod tests {\n    use super::super::node::Node;\n}", 3, &[]),
        ("let mycrate = subcrate::yaml;", 2, &[]),
        ("use crate::*;", 2, &["*"]),
        ("mod tests {\n    use super::*;\n}", 1, &[]),
    ];
    for (text, depth, expected) in cases {
        let found: Vec<String> = arrows(text, *depth)
            .into_iter()
            .map(|(_, room)| room)
            .collect();
        assert_eq!(found, *expected, "in {text}");
    }
}

/// A file of `src/`.
struct SourceFile {
    /// Its path from the root of the repository, with `/`.
    name: String,
    text: String,
}

impl SourceFile {
    /// The folder of `src/` that the file is in; `None` for `main.rs` and `lib.rs`.
    fn room(&self) -> Option<&str> {
        self.name
            .strip_prefix("src/")?
            .split_once('/')
            .map(|(room, _)| room)
    }

    /// How many `super` lead from the file's own module to the root of the crate.
    fn depth(&self) -> usize {
        let parts = self.name.split('/').count() - 1;
        if self.name.ends_with("/mod.rs") {
            parts - 1
        } else {
            parts
        }
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files of `src/`, in order of their names.
fn sources() -> Vec<SourceFile> {
    let mut folders = vec![root().join("src")];
    let mut paths: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of src can be read") {
            let path = entry.expect("an entry of src can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                paths.push(path);
            }
        }
    }
    paths.sort();
    paths.iter().map(|path| read_source(path)).collect()
}

fn read_source(path: &Path) -> SourceFile {
    let name = path
        .strip_prefix(root())
        .expect("a source is in the repository")
        .to_string_lossy()
        .replace('\\', "/");
    SourceFile {
        name,
        text: fs::read_to_string(path).expect("a source can be read"),
    }
}

/// The first names of all paths that start at the root of the crate, with the line they stand on. `depth` says how many
/// `super` lead there.
fn arrows(text: &str, depth: usize) -> Vec<(usize, String)> {
    let code = without_comments(text);
    let line = |start: usize| code[..start].matches('\n').count() + 1;
    let mut found = Vec::new();
    for (start, tail) in tails(&code, "crate::") {
        found.extend(
            first_names(tail)
                .into_iter()
                .map(|name| (line(start), name)),
        );
    }
    // Such a chain leads out of the room only if no `mod` of the file itself stands around it, so its names count
    // where they are rooms.
    for (start, tail) in tails(&code, &"super::".repeat(depth.max(1))) {
        let is_room = |name: &String| ARROWS.iter().any(|(room, _)| room == name);
        found.extend(
            first_names(tail)
                .into_iter()
                .filter(is_room)
                .map(|name| (line(start), name)),
        );
    }
    found
}

/// The text with every line comment cut off, so that a link in a document is not taken for an arrow.
fn without_comments(text: &str) -> String {
    text.lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Where `head` starts a path, and what follows on it there.
fn tails<'a>(code: &'a str, head: &str) -> Vec<(usize, &'a str)> {
    let starts = code.match_indices(head).map(|(start, _)| start);
    let whole = starts.filter(|start| !code[..*start].chars().next_back().is_some_and(is_word));
    whole
        .map(|start| (start, &code[start + head.len()..]))
        .collect()
}

/// `name` of `name::…`, or each first name of `{name::…, name, …}`; `*` as it stands.
fn first_names(tail: &str) -> Vec<String> {
    let Some(group) = tail.strip_prefix('{') else {
        return vec![
            tail.chars()
                .take_while(|c| is_word(*c) || *c == '*')
                .collect(),
        ];
    };
    let mut names = vec![String::new()];
    let mut nesting = 0;
    for c in group.chars() {
        match c {
            '{' => nesting += 1,
            '}' if nesting == 0 => break,
            '}' => nesting -= 1,
            ',' if nesting == 0 => names.push(String::new()),
            _ => {
                if let Some(name) = names.last_mut().filter(|_| nesting == 0) {
                    name.push(c);
                }
            }
        }
    }
    let first = |path: String| {
        path.trim()
            .split("::")
            .next()
            .unwrap_or_default()
            .trim()
            .to_owned()
    };
    names
        .into_iter()
        .map(first)
        .filter(|name| !name.is_empty())
        .collect()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
