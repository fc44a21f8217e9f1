//! The imports between the files of `src/`.
//!
//! A path is followed to the file that defines its item: through re-exports (`pub use`) and through
//! the imports of a parent that a child uses by `super`. A `mod.rs` that only collects the public
//! names of its folder therefore connects nothing, but a `mod.rs` that defines types which its
//! children import does.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenTree};

use crate::common::rust_source::{SourceFile, group, ident, is_ident, is_path_separator, is_punct};

/// A module: a file, and the names that its imports bring into scope.
struct Module {
    file: usize,
    /// Each imported name, with the absolute path that it refers to.
    imports: BTreeMap<String, Vec<String>>,
    /// Every absolute path that the file mentions.
    paths: Vec<Vec<String>>,
}

/// The imports between the files of the crate.
pub(crate) struct Imports {
    modules: BTreeMap<Vec<String>, Module>,
    names: Vec<String>,
}

impl Imports {
    pub(crate) fn new(files: &[SourceFile]) -> Imports {
        let mut modules = BTreeMap::new();
        for (file, source) in files.iter().enumerate() {
            let module = Module {
                file,
                imports: BTreeMap::new(),
                paths: Vec::new(),
            };
            modules.insert(source.module(), module);
        }
        let known: BTreeSet<Vec<String>> = modules.keys().cloned().collect();
        for source in files {
            let path = source.module();
            let mut reader = Reader {
                known: &known,
                module: path.clone(),
                found: Vec::new(),
            };
            reader.read(&source.program());
            let Some(module) = modules.get_mut(&path) else {
                continue;
            };
            for Found { path, name } in reader.found {
                if let Some(name) = name {
                    module.imports.insert(name, path.clone());
                }
                module.paths.push(path);
            }
        }
        Imports {
            modules,
            names: files.iter().map(|file| file.name.clone()).collect(),
        }
    }

    /// Returns the groups of two or more files that import each other in a circle, largest first.
    pub(crate) fn circles(&self) -> Vec<Vec<String>> {
        let edges = self.edges();
        let reachable: Vec<BTreeSet<usize>> = (0..self.names.len())
            .map(|file| reachable(&edges, file))
            .collect();
        let mut seen = BTreeSet::new();
        let mut circles = Vec::new();
        for file in 0..self.names.len() {
            let circle: Vec<usize> = reachable[file]
                .iter()
                .copied()
                .filter(|other| reachable[*other].contains(&file))
                .collect();
            if circle.len() > 1 && seen.insert(circle.clone()) {
                circles.push(
                    circle
                        .iter()
                        .map(|file| self.names[*file].clone())
                        .collect(),
                );
            }
        }
        circles.sort_by_key(|circle: &Vec<String>| std::cmp::Reverse(circle.len()));
        circles
    }

    fn edges(&self) -> Vec<BTreeSet<usize>> {
        let mut edges = vec![BTreeSet::new(); self.names.len()];
        for module in self.modules.values() {
            for path in &module.paths {
                if let Some(target) = self.file_of(path, 0)
                    && target != module.file
                {
                    edges[module.file].insert(target);
                }
            }
        }
        edges
    }

    /// Returns the file that defines the item at an absolute path.
    fn file_of(&self, path: &[String], depth: usize) -> Option<usize> {
        let mut at = self.modules.get(&Vec::new())?;
        for (index, name) in path.iter().enumerate() {
            if let Some(child) = self.modules.get(&path[..=index]) {
                at = child;
                continue;
            }
            // Imports can refer to each other in a circle, as two globs may. No chain in practice
            // is longer than this limit.
            if let Some(import) = at.imports.get(name).filter(|_| depth < 16) {
                let whole = [import, &path[index + 1..]].concat();
                if whole != path {
                    return self.file_of(&whole, depth + 1);
                }
            }
            break;
        }
        Some(at.file)
    }
}

fn reachable(edges: &[BTreeSet<usize>], start: usize) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut next: Vec<usize> = edges[start].iter().copied().collect();
    while let Some(file) = next.pop() {
        if found.insert(file) {
            next.extend(&edges[file]);
        }
    }
    found
}

/// A path in the source, and the name that it introduces if it is imported.
struct Found {
    path: Vec<String>,
    name: Option<String>,
}

/// Collects the paths of one file.
struct Reader<'a> {
    known: &'a BTreeSet<Vec<String>>,
    /// The module that contains the tokens, including inline modules.
    module: Vec<String>,
    found: Vec<Found>,
}

impl Reader<'_> {
    fn read(&mut self, tokens: &[TokenTree]) {
        let mut at = 0;
        while at < tokens.len() {
            if is_ident(&tokens[at], "use") {
                let end = end_of_statement(tokens, at);
                self.read_use(&tokens[at + 1..end], &[]);
                at = end;
            } else if let Some(end) = self.read_inline_module(tokens, at) {
                at = end;
            } else if let Some((names, end)) = path_at(tokens, at) {
                self.add(&names, None);
                at = end;
            } else {
                // `pub(in crate::yaml)` restricts visibility and imports nothing.
                if let TokenTree::Group(group) = &tokens[at] {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    if !inner.first().is_some_and(|first| is_ident(first, "in")) {
                        self.read(&inner);
                    }
                }
                at += 1;
            }
        }
    }

    /// Reads the content of `mod name { … }` at `at` and returns the index after it.
    fn read_inline_module(&mut self, tokens: &[TokenTree], at: usize) -> Option<usize> {
        if !is_ident(&tokens[at], "mod") {
            return None;
        }
        let name = ident(tokens.get(at + 1)?)?;
        let content = group(tokens.get(at + 2)?, Delimiter::Brace)?;
        self.module.push(name);
        self.read(&content);
        self.module.pop();
        Some(at + 3)
    }

    /// Reads the tree of a `use`: `a::{b, c::d as e}`.
    fn read_use(&mut self, tokens: &[TokenTree], prefix: &[String]) {
        let mut path = prefix.to_vec();
        let mut at = 0;
        while at < tokens.len() {
            if let Some(content) = group(&tokens[at], Delimiter::Brace) {
                for part in crate::common::rust_source::split_at_commas(&content) {
                    self.read_use(part, &path);
                }
                return;
            }
            if is_ident(&tokens[at], "as") {
                let name = tokens.get(at + 1).and_then(ident);
                self.add(&path, name);
                return;
            }
            if let Some(name) = ident(&tokens[at]) {
                path.push(name);
            }
            at += 1;
        }
        if path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let is_glob = tokens.last().is_some_and(|token| is_punct(token, '*'));
        let name = path.last().filter(|_| !is_glob).cloned();
        if !path.is_empty() {
            self.add(&path, name);
        }
    }

    /// Adds a path, made absolute; drops it if it leads to another crate.
    fn add(&mut self, written: &[String], name: Option<String>) {
        let mut base = self.module.clone();
        let mut rest = written;
        match rest.first().map(String::as_str) {
            Some("crate") => {
                base.clear();
                rest = &rest[1..];
            }
            Some("self") => rest = &rest[1..],
            Some("super") => {
                while rest.first().is_some_and(|first| first == "super") {
                    base.pop();
                    rest = &rest[1..];
                }
            }
            Some(first) => {
                let child = [base.as_slice(), &[first.to_owned()]].concat();
                if !self.known.contains(&child) {
                    return;
                }
            }
            None => return,
        }
        base.extend_from_slice(rest);
        self.found.push(Found { path: base, name });
    }
}

/// Returns the names of a path such as `super::node::Node` that starts at `at`, and the index after
/// it.
fn path_at(tokens: &[TokenTree], at: usize) -> Option<(Vec<String>, usize)> {
    let follows_path = at >= 2 && is_path_separator(tokens, at - 2);
    let follows_dot = at >= 1 && is_punct(&tokens[at - 1], '.');
    let mut names = vec![ident(&tokens[at])?];
    let mut end = at + 1;
    if follows_path || follows_dot || !is_path_separator(tokens, end) {
        return None;
    }
    while is_path_separator(tokens, end) {
        match tokens.get(end + 2).and_then(ident) {
            Some(name) => names.push(name),
            None => break,
        }
        end += 3;
    }
    Some((names, end))
}

fn end_of_statement(tokens: &[TokenTree], start: usize) -> usize {
    let length = tokens[start..]
        .iter()
        .position(|token| is_punct(token, ';'));
    length.map_or(tokens.len(), |length| start + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> SourceFile {
        SourceFile {
            name: name.to_owned(),
            text: text.to_owned(),
        }
    }

    fn circles(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let files: Vec<SourceFile> = files.iter().map(|(name, text)| file(name, text)).collect();
        Imports::new(&files).circles()
    }

    #[test]
    fn a_parent_that_only_re_exports_is_not_part_of_a_circle() {
        let files = [
            ("src/lib.rs", "pub mod a;"),
            ("src/a/mod.rs", "mod b; mod c; pub use b::B; use c::C;"),
            ("src/a/b.rs", "pub struct B;"),
            ("src/a/c.rs", "use super::B; pub struct C(B);"),
        ];
        assert_eq!(circles(&files), Vec::<Vec<String>>::new());
    }

    #[test]
    fn a_child_that_imports_what_its_parent_defines_is_in_a_circle_with_it() {
        let files = [
            ("src/lib.rs", "pub mod a;"),
            ("src/a/mod.rs", "mod b; pub struct A; fn f() { b::g() }"),
            ("src/a/b.rs", "use super::A; pub fn g() {}"),
        ];
        assert_eq!(
            circles(&files),
            [["src/a/mod.rs", "src/a/b.rs"]].map(|circle| {
                let mut circle = circle.map(str::to_owned).to_vec();
                circle.sort_by_key(|name| files.iter().position(|(known, _)| known == name));
                circle
            })
        );
    }

    #[test]
    fn imports_of_tests_and_visibility_are_ignored() {
        let files = [
            ("src/lib.rs", "mod a; mod b;"),
            ("src/a.rs", "use crate::b::B;"),
            (
                "src/b.rs",
                "pub(in crate::a) struct B; #[cfg(test)] mod tests { use crate::a::A; }",
            ),
        ];
        assert_eq!(circles(&files), Vec::<Vec<String>>::new());
    }
}
