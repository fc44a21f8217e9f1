//! Tests of the runner's own rules. A runner without the standard harness has no other place for
//! them.

use std::collections::BTreeSet;

use libtest_mimic::Trial;

use crate::common::named_lines::named_lines;

/// Tests of the places that a message names.
pub(crate) fn trials() -> Vec<Trial> {
    let table: [(&str, &str, &[&str]); 5] = [
        (
            "a place in brackets",
            "wrong (at config.yml:3)",
            &["config.yml:3"],
        ),
        (
            "a place before a line of source",
            "  config.yml:1 | #@ load(1)",
            &["config.yml:1"],
        ),
        (
            "a snippet with two lines",
            " --> config.yml:2:5\n  |\n2 | a: 1\n  | ^\n4 | b: 2",
            &["config.yml:2", "config.yml:4"],
        ),
        (
            "a file in a folder",
            "at lib/config.yml:7:1: wrong",
            &["lib/config.yml:7"],
        ),
        (
            "a word that is no file of the case",
            "nginx:1 and 12:30",
            &[],
        ),
    ];
    let files = BTreeSet::from(["config.yml".to_owned()]);
    let test = |(name, message, expected): (&str, &'static str, &'static [&'static str])| {
        let files = files.clone();
        Trial::test(format!("harness/places named by {name}"), move || {
            let found: Vec<String> = named_lines(message, &files).into_iter().collect();
            if found == expected {
                Ok(())
            } else {
                Err(format!("{expected:?} expected, found {found:?}").into())
            }
        })
    };
    table.into_iter().map(test).collect()
}
