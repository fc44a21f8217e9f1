//! Checks the architecture: which modules of `src/` may use which others, and what the source may
//! not do.
//!
//! Here, a module is a folder of `src/`. It may name (`crate::…`) itself and the modules in its row
//! of [`ARROWS`], and nothing else; `src/main.rs` and `src/lib.rs` may name all.
//! `docs/architecture.md` explains the layers.
//!
//! `tests/import-circles.txt` and `tests/shared-type-names.txt` list what is left to improve. The
//! lists may only shrink: `UPDATE=1 cargo test --test architecture` removes what is no longer
//! needed, and adds nothing.

#![cfg(test)]

#[path = "../common"]
mod common {
    pub(crate) mod rust_source;
    pub(crate) mod shrinking_list;
}

mod imports;
mod type_names;

use std::collections::BTreeSet;
use std::fs;

use common::rust_source::{SourceFile, root, sources};
use common::shrinking_list::ShrinkingList;
use imports::Imports;

/// All modules, from the bottom up, each with the modules that it may use.
const ARROWS: &[(&str, &[&str])] = &[
    ("regexp", &[]),
    ("source", &[]),
    ("yaml", &["source"]),
    ("golang", &["source", "yaml"]),
    ("typed", &["source", "yaml"]),
    ("formats", &["source", "yaml", "golang"]),
    ("edit", &["regexp", "source", "yaml", "formats"]),
    ("provenance", &["source", "yaml", "edit"]),
    (
        "kubernetes",
        &["regexp", "source", "yaml", "typed", "edit", "provenance"],
    ),
    ("dialect", &["source"]),
    (
        "explain",
        &[
            "source",
            "yaml",
            "golang",
            "edit",
            "provenance",
            "kubernetes",
            "dialect",
        ],
    ),
    ("diff", &["source", "yaml", "edit", "kubernetes"]),
    (
        "script",
        &["source", "yaml", "golang", "edit", "provenance", "dialect"],
    ),
    ("modules", &["regexp", "source", "yaml", "golang", "script"]),
    // The tests of `template` load modules.
    (
        "template",
        &["source", "yaml", "dialect", "script", "modules"],
    ),
    (
        "overlay",
        &[
            "source",
            "yaml",
            "edit",
            "provenance",
            "kubernetes",
            "script",
        ],
    ),
    (
        "schema",
        &["regexp", "source", "yaml", "golang", "script", "modules"],
    ),
    (
        "kustomize",
        &[
            "regexp",
            "source",
            "yaml",
            "golang",
            "typed",
            "edit",
            "provenance",
            "kubernetes",
        ],
    ),
    (
        "workspace",
        &[
            "source",
            "yaml",
            "typed",
            "provenance",
            "golang",
            "formats",
            "script",
            "modules",
            "template",
            "overlay",
            "schema",
        ],
    ),
    (
        "pipeline",
        &[
            "source",
            "yaml",
            "typed",
            "formats",
            "provenance",
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
            "provenance",
            "kubernetes",
            "kustomize",
            "workspace",
            "pipeline",
        ],
    ),
    (
        "kustomization",
        &[
            "source",
            "yaml",
            "typed",
            "edit",
            "provenance",
            "kubernetes",
            "kustomize",
            "pipeline",
            "krm",
        ],
    ),
    ("playground", &["source", "yaml", "edit", "kubernetes"]),
    (
        "lsp",
        &[
            "source",
            "yaml",
            "typed",
            "edit",
            "provenance",
            "kubernetes",
            "script",
            "modules",
            "template",
            "overlay",
            "schema",
            "workspace",
            "pipeline",
            "krm",
            "kustomization",
            "dialect",
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
            "provenance",
            "kubernetes",
            "explain",
            "diff",
            "workspace",
            "pipeline",
            "krm",
            "kustomization",
            "lsp",
            "playground",
        ],
    ),
];

#[test]
fn a_module_uses_only_the_modules_in_its_row() {
    let mut faults = Vec::new();
    for file in sources() {
        let Some(module) = file.top_module() else {
            continue;
        };
        let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == module) else {
            faults.push(format!(
                "{}: the module `{module}` has no row in ARROWS",
                file.name
            ));
            continue;
        };
        for (line, target) in arrows(&file.text, depth(&file)) {
            if target != module && !allowed.contains(&target.as_str()) {
                let row = if allowed.is_empty() {
                    "no other module".to_owned()
                } else {
                    allowed.join(", ")
                };
                faults.push(format!(
                    "{}:{line}: `{module}` uses `{target}`; it may use {row}",
                    file.name
                ));
            }
        }
    }
    assert!(
        faults.is_empty(),
        "dependencies that are not in ARROWS:\n{}",
        faults.join("\n")
    );
}

#[test]
fn every_arrow_of_the_table_is_used() {
    let mut used = BTreeSet::new();
    for file in sources() {
        let Some(module) = file.top_module() else {
            continue;
        };
        used.extend(
            arrows(&file.text, depth(&file))
                .into_iter()
                .map(|(_, target)| (module.to_owned(), target)),
        );
    }
    for (module, allowed) in ARROWS {
        for target in *allowed {
            let arrow = ((*module).to_owned(), (*target).to_owned());
            assert!(
                used.contains(&arrow),
                "the row of `{module}` names `{target}`, which no file there uses"
            );
        }
    }
}

/// Paths to modules of the standard library that reach outside the process.
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

/// Differences between systems have names, and one place: `src/source/world/platform.rs` and what is
/// beside it.
#[test]
fn only_the_world_asks_for_the_system() {
    let mut faults = Vec::new();
    for file in sources()
        .iter()
        .filter(|file| !file.name.starts_with("src/source/world/") && file.name != "src/main.rs")
    {
        for (number, line) in without_comments(&file.text).lines().enumerate() {
            let mut words = [
                "cfg!(windows",
                "cfg!(unix",
                "cfg(windows",
                "cfg(unix",
                "target_os",
            ]
            .iter();
            if words.any(|word| line.contains(word)) {
                faults.push(format!("{}:{}", file.name, number + 1));
            }
        }
    }
    assert!(
        faults.is_empty(),
        "only src/source/world may depend on the system:\n{}",
        faults.join("\n")
    );
}

/// Modules that may name the crate `starlark`.
const STARLARK: [&str; 2] = ["script", "modules"];

/// The derives of the crate `starlark` generate `unsafe` code for value types, so files with such
/// types may allow it. No file contains handwritten `unsafe` code, and only the modules of
/// [`STARLARK`] name the crate.
#[test]
fn nothing_is_unsafe_and_only_the_script_layer_names_starlark() {
    // rustfmt breaks the attribute over several lines, so line breaks are ignored in the
    // comparison.
    let allowed = "#![allow( unsafe_code, reason = \"only the derives of `starlark` write unsafe code here\" )]";
    // This file has a function that runs before `main`, because the standard library hides that
    // standard output is closed.
    let before_main = [
        "#![allow( unsafe_code, reason = \"`ctor` marks functions that run before `main`; nothing else here is unsafe\" )]",
        "#[ctor::ctor(unsafe)]",
    ];
    let mut faults = Vec::new();
    for file in sources() {
        let is_script = file
            .top_module()
            .is_some_and(|module| STARLARK.contains(&module));
        let code = without_comments(&file.text);
        let code = code.split_whitespace().collect::<Vec<_>>().join(" ");
        let code = if is_script {
            code.replace(allowed, "")
        } else if file.name == "src/main.rs" {
            let before_main = before_main.iter();
            before_main.fold(code, |code, attribute| code.replace(attribute, ""))
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
    for (place, (module, allowed)) in ARROWS.iter().enumerate() {
        for target in *allowed {
            let below = ARROWS.iter().take(place).any(|(name, _)| name == target);
            assert!(
                below,
                "the row of `{module}` names `{target}`, which is not below it"
            );
        }
    }
}

#[test]
fn every_file_begins_with_a_description() {
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
fn the_architecture_document_describes_every_module() {
    let document = fs::read_to_string(root().join("docs/architecture.md"))
        .expect("docs/architecture.md can be read");
    for (module, _) in ARROWS {
        assert!(
            document.contains(&format!("## `src/{module}`")),
            "docs/architecture.md has no section on src/{module}"
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
            "use crate::{\n    edit::Path,\n    krm::Objects,\n};",
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
            .map(|(_, module)| module)
            .collect();
        assert_eq!(found, *expected, "in {text}");
    }
}

/// The largest permitted circle of imports.
///
/// Files that import each other in a circle cannot be read, or changed, one at a time. Small
/// circles are two halves of one thing; large ones are knots.
const LARGEST_CIRCLE: usize = 12;

#[test]
fn no_circle_of_imports_has_more_than_twelve_files() {
    let circles = Imports::new(&sources()).circles();
    let large = circles
        .iter()
        .filter(|circle| circle.len() > LARGEST_CIRCLE);
    ShrinkingList::read("tests/import-circles.txt", "Files in circles of imports with more than twelve files").check(
        &large.flatten().cloned().collect(),
        "these files import each other in a large circle: move what they share into a file of its own",
    );
}

#[test]
fn the_name_of_an_exported_type_is_unique() {
    let mut found = BTreeSet::new();
    for (name, files) in type_names::shared_names(&sources()) {
        let files: Vec<String> = files.into_iter().collect();
        found.insert(format!("{name} | {}", files.join(", ")));
    }
    ShrinkingList::read(
        "tests/shared-type-names.txt",
        "Exported types whose name another type has too",
    )
    .check(
        &found,
        "a type that leaves its top-level module needs a name that no other type has",
    );
}

/// Returns the number of `super` segments that lead from the file's own module to the root of the
/// crate.
fn depth(file: &SourceFile) -> usize {
    file.module().len()
}

/// Returns the first names of all paths that start at the root of the crate, with their lines.
/// `depth` is the number of `super` segments that lead to the root.
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
    // Inside an inline `mod`, such a chain leads only to the file's own parent, so a name counts
    // only if it is a module.
    for (start, tail) in tails(&code, &"super::".repeat(depth.max(1))) {
        let is_module = |name: &String| ARROWS.iter().any(|(module, _)| module == name);
        found.extend(
            first_names(tail)
                .into_iter()
                .filter(is_module)
                .map(|name| (line(start), name)),
        );
    }
    found
}

/// Returns the text without line comments, so that a link in a comment does not count as a
/// dependency.
fn without_comments(text: &str) -> String {
    text.lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Returns the text after every `head` that starts a path, with its offset.
fn tails<'a>(code: &'a str, head: &str) -> Vec<(usize, &'a str)> {
    let starts = code.match_indices(head).map(|(start, _)| start);
    let whole = starts.filter(|start| !code[..*start].chars().next_back().is_some_and(is_word));
    whole
        .map(|start| (start, &code[start + head.len()..]))
        .collect()
}

/// Returns `name` of `name::…`, or each first name of `{name::…, name, …}`; `*` is kept.
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
