//! The source of the crate as tokens, for tests of rules about the source itself.
//!
//! Tokens keep a comment or a string from being mistaken for code. `syn` is not needed, because
//! these tests look for only a few patterns. Code below `#[cfg(test)]` is not part of the program;
//! [`SourceFile::program`] leaves it out.

#![allow(dead_code, reason = "each test uses a part of this module")]

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A file of `src/`.
pub(crate) struct SourceFile {
    /// Its path from the root of the repository, with `/`.
    pub(crate) name: String,
    pub(crate) text: String,
}

impl SourceFile {
    /// Returns the top-level module that the file belongs to; `None` for `main.rs` and `lib.rs`.
    pub(crate) fn top_module(&self) -> Option<&str> {
        let (module, _) = self.name.strip_prefix("src/")?.split_once('/')?;
        Some(module)
    }

    /// Returns the path of the file's module from the root of the crate: `["yaml", "faithful"]`.
    pub(crate) fn module(&self) -> Vec<String> {
        let path = self.name.trim_start_matches("src/").trim_end_matches(".rs");
        let mut names: Vec<String> = path.split('/').map(str::to_owned).collect();
        let is_root_of_folder = names
            .last()
            .is_some_and(|name| ["mod", "lib", "main"].contains(&name.as_str()));
        if is_root_of_folder {
            names.pop();
        }
        names
    }

    /// Returns whether the whole file is a test: the file, or a folder around it, is called `tests`
    /// or `…_tests`.
    pub(crate) fn is_test(&self) -> bool {
        self.name.split('/').any(|part| {
            let part = part.trim_end_matches(".rs");
            part == "tests" || part.ends_with("_tests")
        })
    }

    /// Returns the tokens of the file.
    pub(crate) fn tokens(&self) -> Vec<TokenTree> {
        tokens_of(&self.text, &self.name)
    }

    /// Returns the tokens of the file without code that is compiled only for tests.
    pub(crate) fn program(&self) -> Vec<TokenTree> {
        if self.is_test() {
            return Vec::new();
        }
        without_tests(self.tokens())
    }

    /// Returns the tokens that are compiled only for tests.
    pub(crate) fn tests(&self) -> Vec<TokenTree> {
        if self.is_test() {
            return self.tokens();
        }
        let (_, tests) = split_tests(self.tokens());
        tests
    }
}

/// Returns all files of `src/`, sorted by name.
pub(crate) fn sources() -> Vec<SourceFile> {
    rust_files("src")
}

/// Returns all Rust files below a folder of the repository, sorted by name.
pub(crate) fn rust_files(folder: &str) -> Vec<SourceFile> {
    let mut folders = vec![root().join(folder)];
    let mut paths: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of sources can be read") {
            let path = entry.expect("an entry can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                paths.push(path);
            }
        }
    }
    paths.sort();
    paths.iter().map(|path| read(path)).collect()
}

fn read(path: &Path) -> SourceFile {
    let name = path
        .strip_prefix(root())
        .expect("a source is in the repository");
    SourceFile {
        name: name.to_string_lossy().replace('\\', "/"),
        text: fs::read_to_string(path).expect("a source can be read"),
    }
}

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Parses a text into tokens. `name` identifies the text if it is not valid Rust.
pub(crate) fn tokens_of(text: &str, name: &str) -> Vec<TokenTree> {
    let tokens: TokenStream = match text.parse() {
        Ok(tokens) => tokens,
        Err(error) => panic!("{name}: {error}"),
    };
    tokens.into_iter().collect()
}

fn without_tests(tokens: Vec<TokenTree>) -> Vec<TokenTree> {
    split_tests(tokens).0
}

/// Splits tokens into those of the program and those of items with `#[cfg(test)]`.
///
/// Such an item ends with its first `;` or brace. Nested items, such as a test-only method of an
/// `impl`, remain in the program: there are few, and they do not affect what these tests look for.
fn split_tests(tokens: Vec<TokenTree>) -> (Vec<TokenTree>, Vec<TokenTree>) {
    let (mut program, mut tests) = (Vec::new(), Vec::new());
    let mut rest: VecDeque<TokenTree> = tokens.into();
    while let Some(token) = rest.pop_front() {
        let is_test = is_punct(&token, '#') && rest.front().is_some_and(is_cfg_test);
        if !is_test {
            program.push(token);
            continue;
        }
        while let Some(token) = rest.pop_front() {
            let is_end = is_punct(&token, ';') || group(&token, Delimiter::Brace).is_some();
            tests.push(token);
            if is_end {
                break;
            }
        }
    }
    (program, tests)
}

fn is_cfg_test(token: &TokenTree) -> bool {
    group(token, Delimiter::Bracket).is_some_and(|inner| {
        let text: String = inner.iter().map(ToString::to_string).collect();
        text.starts_with("cfg(") && text.contains("test") && !text.contains("not(test)")
    })
}

pub(crate) fn is_punct(token: &TokenTree, expected: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == expected)
}

pub(crate) fn is_ident(token: &TokenTree, expected: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == expected)
}

/// Returns the name of an identifier.
pub(crate) fn ident(token: &TokenTree) -> Option<String> {
    match token {
        TokenTree::Ident(ident) => Some(ident.to_string()),
        _ => None,
    }
}

/// Returns the tokens inside a pair of `delimiter`.
pub(crate) fn group(token: &TokenTree, delimiter: Delimiter) -> Option<Vec<TokenTree>> {
    match token {
        TokenTree::Group(group) if group.delimiter() == delimiter => {
            Some(group.stream().into_iter().collect())
        }
        _ => None,
    }
}

/// Returns whether a `::` starts at `at`.
pub(crate) fn is_path_separator(tokens: &[TokenTree], at: usize) -> bool {
    let is_colon = |at: usize| tokens.get(at).is_some_and(|token| is_punct(token, ':'));
    is_colon(at) && is_colon(at + 1)
}

/// Splits tokens at the commas that are not inside a group.
pub(crate) fn split_at_commas(tokens: &[TokenTree]) -> Vec<&[TokenTree]> {
    tokens.split(|token| is_punct(token, ',')).collect()
}

/// Returns the value of a string literal, plain or raw; `None` for every other literal.
pub(crate) fn string_value(token: &TokenTree) -> Option<String> {
    let TokenTree::Literal(literal) = token else {
        return None;
    };
    let text = literal.to_string();
    if let Some(raw) = text.strip_prefix('r') {
        let raw = raw.trim_matches('#');
        return Some(raw.strip_prefix('"')?.strip_suffix('"')?.to_owned());
    }
    Some(unescape(text.strip_prefix('"')?.strip_suffix('"')?))
}

fn unescape(text: &str) -> String {
    let mut value = String::new();
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        if character != '\\' {
            value.push(character);
            continue;
        }
        match rest.next() {
            Some('n') => value.push('\n'),
            Some('t') => value.push('\t'),
            Some('r') => value.push('\r'),
            Some('0') => value.push('\0'),
            Some('u') => {
                let digits: String = rest.by_ref().take_while(|digit| *digit != '}').collect();
                let code = u32::from_str_radix(digits.trim_start_matches('{'), 16);
                value.extend(code.ok().and_then(char::from_u32));
            }
            // A backslash at the end of a line joins it with the next one, without that line's
            // indentation.
            Some('\n') => while rest.next_if(|next| next.is_whitespace()).is_some() {},
            Some(other) => value.push(other),
            None => {}
        }
    }
    value
}
