//! Finds the lines of files that a message names.

use std::collections::BTreeSet;

/// Returns the places `file:line` that a message names, restricted to the files in `files`.
///
/// A place is either written as `config.yml:3` or shown as a line of source in a snippet: a gutter
/// `3 |` below a header `--> config.yml:1:5`.
pub(crate) fn named_lines(message: &str, files: &BTreeSet<String>) -> BTreeSet<String> {
    let mut places = BTreeSet::new();
    let mut snippet_of = None;
    for line in message.lines() {
        let written: Vec<(&str, usize)> = line.split(is_delimiter).filter_map(place).collect();
        let header = ["-->", ":::"]
            .iter()
            .any(|arrow| line.trim_start().starts_with(arrow));
        if header {
            snippet_of = written.first().map(|&(file, _)| file);
        } else if let (Some(file), Some(number)) = (snippet_of, gutter(line)) {
            places.insert((file, number));
        }
        places.extend(written);
    }
    let known = |file: &str| files.contains(file.rsplit('/').next().unwrap_or(file));
    places
        .into_iter()
        .filter(|(file, _)| known(file))
        .map(|(file, line)| format!("{file}:{line}"))
        .collect()
}

fn is_delimiter(character: char) -> bool {
    character.is_whitespace() || "()[]{}<>,;'\"`".contains(character)
}

/// Parses `file:line`; more may follow after another colon.
fn place(word: &str) -> Option<(&str, usize)> {
    let mut parts = word.split(':');
    let (file, line) = (parts.next()?, parts.next()?);
    Some((file, line.trim_end_matches('.').parse().ok()?))
}

/// Parses the line number of `3 | text`.
fn gutter(line: &str) -> Option<usize> {
    line.split_once('|')?.0.trim().parse().ok()
}
