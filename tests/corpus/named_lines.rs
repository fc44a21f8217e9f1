//! Which lines of which files a message names.

use std::collections::BTreeSet;

use libtest_mimic::Trial;

/// The places `file:line` that a message names, for the files whose names are in `files`.
///
/// A place is written out as `config.yml:3`, or shown as a line of source in a snippet: a gutter `3 |` below a header
/// `--> config.yml:1:5`.
pub(crate) fn named_lines(message: &str, files: &BTreeSet<String>) -> BTreeSet<String> {
    let mut places = BTreeSet::new();
    let mut snippet_of = None;
    for line in message.lines() {
        let written: Vec<(&str, usize)> = line.split(is_delimiter).filter_map(place).collect();
        let header = ["-->", ":::"].iter().any(|arrow| line.trim_start().starts_with(arrow));
        if header {
            snippet_of = written.first().map(|&(file, _)| file);
        } else if let (Some(file), Some(number)) = (snippet_of, gutter(line)) {
            places.insert((file, number));
        }
        places.extend(written);
    }
    let known = |file: &str| files.contains(file.rsplit('/').next().unwrap_or(file));
    places.into_iter().filter(|(file, _)| known(file)).map(|(file, line)| format!("{file}:{line}")).collect()
}

fn is_delimiter(character: char) -> bool {
    character.is_whitespace() || "()[]{}<>,;'\"`".contains(character)
}

/// Reads `file:line`, which more may follow after a colon.
fn place(word: &str) -> Option<(&str, usize)> {
    let mut parts = word.split(':');
    let (file, line) = (parts.next()?, parts.next()?);
    Some((file, line.trim_end_matches('.').parse().ok()?))
}

/// Reads the number of `3 | text`.
fn gutter(line: &str) -> Option<usize> {
    line.split_once('|')?.0.trim().parse().ok()
}

/// The rules above, as tests of their own: the runner of the corpus has no other harness.
pub(crate) fn trials() -> Vec<Trial> {
    let table: [(&str, &str, &[&str]); 5] = [
        ("a place in brackets", "wrong (at config.yml:3)", &["config.yml:3"]),
        ("a place before a line of source", "  config.yml:1 | #@ load(1)", &["config.yml:1"]),
        (
            "a snippet with two lines",
            " --> config.yml:2:5\n  |\n2 | a: 1\n  | ^\n4 | b: 2",
            &["config.yml:2", "config.yml:4"],
        ),
        ("a file in a folder", "at lib/config.yml:7:1: wrong", &["lib/config.yml:7"]),
        ("a word that is no file of the case", "nginx:1 and 12:30", &[]),
    ];
    let files = BTreeSet::from(["config.yml".to_owned()]);
    let test = |(name, message, expected): (&str, &'static str, &'static [&'static str])| {
        let files = files.clone();
        Trial::test(format!("harness/places named by {name}"), move || {
            let found: Vec<String> = named_lines(message, &files).into_iter().collect();
            if found == expected { Ok(()) } else { Err(format!("{expected:?} expected, found {found:?}").into()) }
        })
    };
    table.into_iter().map(test).collect()
}
