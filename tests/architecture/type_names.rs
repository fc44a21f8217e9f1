//! The types that the crate defines, and those that their top-level module exports.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenTree};

use crate::common::rust_source::{SourceFile, group, ident, is_ident, is_punct};

/// Returns the names of exported types that the crate defines more than once, with the files that
/// define them.
///
/// A type is exported if the `mod.rs` of a top-level module defines it or re-exports it with any
/// kind of `pub`. Readers outside the module meet it without its path, so its name alone has to
/// identify it.
pub(crate) fn shared_names(files: &[SourceFile]) -> BTreeMap<String, BTreeSet<String>> {
    let mut definitions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut exported = BTreeSet::new();
    for file in files {
        let tokens = file.program();
        let defined = defined_types(&tokens);
        if is_facade(file) {
            exported.extend(re_exports(&tokens));
            exported.extend(
                defined
                    .iter()
                    .filter(|(_, is_public)| *is_public)
                    .map(|(name, _)| name.clone()),
            );
        }
        for (name, _) in defined {
            definitions
                .entry(name)
                .or_default()
                .insert(file.name.clone());
        }
    }
    definitions.retain(|name, files| files.len() > 1 && exported.contains(name));
    definitions
}

/// Returns whether the file is the facade of a top-level module: `src/yaml/mod.rs`.
fn is_facade(file: &SourceFile) -> bool {
    file.module().len() == 1
}

/// Returns the types that items of the file define, each with whether it is public. Types inside
/// functions and associated types are left out: no other file can name them.
fn defined_types(tokens: &[TokenTree]) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    let mut is_public = false;
    for (at, token) in tokens.iter().enumerate() {
        let starts_item = is_punct(token, ';') || group(token, Delimiter::Brace).is_some();
        if is_ident(token, "pub") {
            is_public = true;
        } else if starts_item {
            is_public = false;
        }
        let defines = ["struct", "enum", "union", "trait", "type"]
            .iter()
            .any(|keyword| is_ident(token, keyword));
        if defines && let Some(name) = tokens.get(at + 1).and_then(ident) {
            found.push((name, is_public));
        }
    }
    found
}

/// Returns the names of types in every `pub use` of a file.
fn re_exports(tokens: &[TokenTree]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut is_public = false;
    let mut at = 0;
    while at < tokens.len() {
        let token = &tokens[at];
        if is_ident(token, "pub") {
            is_public = true;
        } else if is_ident(token, "use") {
            let end = (at..tokens.len())
                .find(|end| is_punct(&tokens[*end], ';'))
                .unwrap_or(tokens.len());
            if is_public {
                names.extend(type_names(&tokens[at..end]));
            }
            at = end;
            is_public = false;
        } else if is_punct(token, ';') || group(token, Delimiter::Brace).is_some() {
            is_public = false;
        }
        at += 1;
    }
    names
}

/// Returns the identifiers that look like type names: `TypeName`.
fn type_names(tokens: &[TokenTree]) -> Vec<String> {
    let mut names = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(inner) => {
                let inner: Vec<TokenTree> = inner.stream().into_iter().collect();
                names.extend(type_names(&inner));
            }
            _ => names.extend(ident(token).filter(|name| {
                name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase)
            })),
        }
    }
    names
}
