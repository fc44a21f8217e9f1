//! Input that was made to break readers: texts that nest or grow without end, and strings that look like something else.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

use std::fs::File;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use inlay::edit::{EditOptions, FieldPath, update};
use inlay::source::Source;
use inlay::yaml::{Node, canonical_node, faithful, parse};
use yaml_serde::Value;

/// The longest that a refusal may take, in a debug build on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// Runs `inlay` with a text as standard input.
fn run(arguments: &[&str], text: &str) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("input");
    std::fs::write(&file, text).expect("a file");
    Command::new(env!("CARGO_BIN_EXE_inlay"))
        .args(arguments)
        .stdin(Stdio::from(File::open(&file).expect("a file")))
        .output()
        .expect("inlay runs")
}

fn assert_refused(arguments: &[&str], text: &str, what: &str) {
    let start = Instant::now();
    let output = run(arguments, text);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        output.status.code(),
        Some(1),
        "{what} {arguments:?}: {errors}"
    );
    assert!(errors.contains("error["), "{what} {arguments:?}: {errors}");
    assert!(
        errors.len() < 20_000,
        "{what} {arguments:?}: {} bytes of errors",
        errors.len()
    );
    assert!(
        start.elapsed() < PATIENCE,
        "{what} {arguments:?}: {:?}",
        start.elapsed()
    );
}

#[test]
fn nesting_is_refused_whatever_its_depth() {
    for depth in [1_000, 10_000, 1_000_000] {
        let texts = [
            ("flow sequences", "[".repeat(depth)),
            (
                "closed flow sequences",
                "[".repeat(depth) + &"]".repeat(depth),
            ),
            ("flow mappings", "{a: ".repeat(depth)),
            ("JSON", "{\"a\":".repeat(depth)),
            ("block sequences", "- ".repeat(depth)),
            ("complex keys", "? ".repeat(depth)),
        ];
        for (what, text) in texts {
            for arguments in [&["-f", "-"][..], &["fmt", "-"], &["get", "-", "a"], &[]] {
                assert_refused(arguments, &text, &format!("{what}, {depth}"));
            }
        }
    }
    let mut indented = String::new();
    for depth in 0..1_000 {
        indented.push_str(&format!("{}a:\n", " ".repeat(depth)));
    }
    assert_refused(&["-f", "-"], &indented, "indentation");
}

#[test]
fn aliases_that_grow_without_end_are_refused() {
    let mut laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..9 {
        let aliases = vec![format!("*a{}", level - 1); 9].join(", ");
        laughs.push_str(&format!("a{level}: &a{level} [{aliases}]\n"));
    }
    let wide = format!(
        "a: &a [{}]\nb: [{}]\n",
        vec!["x"; 250_000].join(", "),
        vec!["*a"; 100].join(", ")
    );
    for text in [&laughs, &wide] {
        for arguments in [&["-f", "-"][..], &["-f", "-", "-o", "json"]] {
            assert_refused(arguments, text, "aliases");
        }
    }
}

/// Strings that YAML 1.1, YAML 1.2, a template or a terminal would take for something else.
const STRINGS: [&str; 60] = [
    "",
    " ",
    "~",
    "null",
    "Null",
    "true",
    "yes",
    "no",
    "on",
    "off",
    "y",
    "n",
    "=",
    "<<",
    ".",
    "-",
    "?",
    ":",
    "*x",
    "&x",
    "!x",
    "!!str x",
    "|",
    ">",
    "%YAML 1.1",
    "@a",
    "`a`",
    "#@ x",
    "# x",
    "(@ x @)",
    "---",
    "...",
    "a: b",
    "a #b",
    "{a: b}",
    "[a]",
    "'",
    "\"",
    "\\",
    "\\n",
    "a\n---\nb: c\n",
    "a\n...\n",
    "1",
    "012",
    "0o14",
    "0x1F",
    "1_000",
    "1e3",
    ".5",
    ".inf",
    ".NaN",
    "12:30:45",
    "2001-01-01",
    "+1",
    "-0",
    "1.",
    "\u{feff}a",
    "\u{2028}",
    "\t",
    "é\u{85}漢\u{1f600}",
];

/// Returns the strings, alone and with something around them.
fn strings() -> impl Iterator<Item = String> {
    STRINGS.into_iter().flat_map(|text| {
        [
            text.to_owned(),
            format!(" {text}"),
            format!("{text} "),
            format!("{text}\n"),
            format!("- {text}"),
            format!("{text}: x\n\n  y"),
        ]
    })
}

/// Documents with a string at a path, in every style.
const PLACES: [(&str, &str); 7] = [
    ("a: old\n", "a"),
    ("a: 'old'\nb: 1\n", "a"),
    ("a: \"old\" # comment\n", "a"),
    ("a: |\n  old\nb: 1\n", "a"),
    ("{a: old, b: 1}\n", "a"),
    ("- old\n- b\n", "0"),
    ("{\"a\": \"old\"}", "a"),
];

#[test]
fn a_string_stays_a_string_wherever_it_is_written() {
    assert!(strings().count() >= 200);
    for text in strings() {
        for (document, path) in PLACES {
            let source = Source::new("place.yaml", document).expect("a short text");
            let stream = parse(&source).expect("a document");
            let options = EditOptions {
                text_format: stream.syntax.into(),
                ..EditOptions::default()
            };
            let path = FieldPath::parse(path).expect("a path");
            let written = update(&stream.documents[0].root, &path, &options, &mut |_| {
                Ok(Some(Node::string(text.as_str())))
            });
            let Ok(Some(root)) = written else {
                panic!("{text:?} is not written into {document:?}");
            };
            let printed = faithful::print(&stream, &[root]);
            let read: Value = yaml_serde::from_str(&printed)
                .unwrap_or_else(|error| panic!("{text:?} in {document:?}: {error}\n{printed}"));
            let found = read.get("a").or_else(|| read.get(0));
            assert_eq!(
                found,
                Some(&Value::String(text.clone())),
                "{document:?}\n{printed}"
            );
        }
    }
}

#[test]
fn a_string_stays_a_string_in_the_output_of_a_build() {
    for text in strings() {
        let key = Node::string(text.as_str());
        let tree = Node::sequence([
            Node::string(text.as_str()),
            Node::sequence([Arc::clone(&key)]),
        ]);
        let printed = canonical_node(&tree).expect("a string is printed");
        let read: Value = yaml_serde::from_str(&printed)
            .unwrap_or_else(|error| panic!("{text:?}: {error}\n{printed}"));
        let value = Value::String(text.clone());
        let expected = Value::Sequence(vec![value.clone(), Value::Sequence(vec![value])]);
        assert_eq!(read, expected, "{printed}");
    }
}
