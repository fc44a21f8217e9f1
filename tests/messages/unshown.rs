//! The messages that no test shows: `tests/unshown-messages.txt`, which may only shrink.
//!
//! A message is shown if its whole text is in a recorded output, in a document, or in the code of a
//! test. A message that was never seen in print is often wrong: a place is missing, a name is
//! quoted twice, or the help is misleading.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use proc_macro2::TokenTree;

use crate::common::rust_source::{rust_files, sources, string_value};
use crate::common::shrinking_list::ShrinkingList;
use crate::common::workspace::repository;
use crate::literals::messages;
use crate::{entries, record_sessions};

const LIST: &str = "tests/unshown-messages.txt";

#[test]
fn every_new_message_is_shown_by_a_test() {
    let shown = ShownTexts::collect();
    let unshown: BTreeSet<String> = messages(&sources())
        .into_iter()
        .filter(|message| !shown.contain(message))
        .map(|message| message.replace('\n', "\\n"))
        .collect();
    ShrinkingList::read(
        LIST,
        "Messages that no test shows, as they are written in the source",
    )
    .check(
        &unshown,
        "no test shows these messages: add a command that prints each to testdata/messages",
    );
}

/// The lines of all texts that show messages.
struct ShownTexts {
    lines: Vec<String>,
}

impl ShownTexts {
    fn collect() -> ShownTexts {
        record_sessions();
        let mut lines = Vec::new();
        for folder in ["testdata", "docs", "kustomization-examples"] {
            add_files(&repository().join(folder), &mut lines);
        }
        add_file(&repository().join("README.md"), &mut lines);
        for file in rust_files("tests").iter().chain(&rust_files("fuzz")) {
            add_literals(&file.tokens(), &mut lines);
        }
        for file in sources() {
            add_literals(&file.tests(), &mut lines);
        }
        ShownTexts { lines }
    }

    /// Returns whether a line contains the fixed pieces of the message, in order. Only the first
    /// line of a longer message counts.
    fn contain(&self, message: &str) -> bool {
        let first_line = message.lines().next().unwrap_or_default();
        let pieces = pieces(first_line);
        self.lines.iter().any(|line| {
            let mut rest = line.as_str();
            pieces
                .iter()
                .all(|piece| match rest.split_once(piece.as_str()) {
                    Some((_, after)) => {
                        rest = after;
                        true
                    }
                    None => false,
                })
        })
    }
}

fn add_files(folder: &Path, lines: &mut Vec<String>) {
    for path in entries(folder) {
        if path.is_dir() {
            add_files(&path, lines);
        } else {
            add_file(&path, lines);
        }
    }
}

fn add_file(path: &Path, lines: &mut Vec<String>) {
    // Some recorded outputs are deliberately not UTF-8; they show no messages.
    if let Ok(text) = fs::read_to_string(path) {
        lines.extend(text.lines().map(str::to_owned));
    }
}

fn add_literals(tokens: &[TokenTree], lines: &mut Vec<String>) {
    for token in tokens {
        if let TokenTree::Group(group) = token {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            add_literals(&inner, lines);
        }
        if let Some(text) = string_value(token) {
            lines.extend(text.lines().map(str::to_owned));
        }
    }
}

/// Returns the texts between the placeholders of a pattern: `["no field `", "`"]` of "no field
/// `{name}`".
fn pieces(pattern: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut rest = pattern.chars().peekable();
    while let Some(character) = rest.next() {
        let is_double = rest.peek() == Some(&character);
        match (character, is_double) {
            ('{', false) => {
                for inner in rest.by_ref() {
                    if inner == '}' {
                        break;
                    }
                }
                pieces.push(String::new());
                continue;
            }
            ('{' | '}', true) => {
                rest.next();
            }
            _ => {}
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push(character);
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}
