//! The fast reader of plain YAML reads the same trees as the parser crate.
//!
//! Both read every YAML text of the corpus, as it is and with random changes. If the fast reader
//! does not give up, the trees have to be equal to the last span. The test also checks the share of
//! the corpus that it reads, so that it cannot quietly give up on everything.

use std::fs;
use std::path::Path;

use inlay::source::Source;
use inlay::yaml::reader::disagreement;
use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};

#[path = "common/corpus_folder.rs"]
mod corpus_folder;

/// The number of changed copies of each text. `INLAY_READER_CHANGES` sets a larger one.
const CHANGES: usize = 3;

/// Pieces that have a meaning in YAML.
const PIECES: [&str; 48] = [
    " ",
    "  ",
    "\n",
    "\n\n",
    "\n  ",
    "\n ",
    ":",
    ": ",
    " :",
    "- ",
    "-",
    "\n- ",
    "\n  - ",
    "#",
    " #",
    " # c\n",
    "\"",
    "'",
    "''",
    "\\",
    "\\n",
    "\\\n",
    "\\u00e9",
    "|",
    "|-",
    ">",
    ">-",
    "|\n",
    ">\n  a\n\n   b\n",
    "[",
    "]",
    "{",
    "}",
    ",",
    ", ",
    "---",
    "\n---\n",
    "...",
    "&a ",
    "*a",
    "!t ",
    "? ",
    "%",
    "@",
    "\t",
    "é",
    "\u{2028}",
    "~",
];

#[test]
fn agrees_with_the_parser_crate() {
    let mut texts = repository_texts();
    if let Some(corpus) = corpus_folder::find("reader") {
        texts.extend(texts_below(&corpus));
    }
    let changes = std::env::var("INLAY_READER_CHANGES")
        .ok()
        .and_then(|changes| changes.parse().ok())
        .unwrap_or(CHANGES);
    let mut random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut failures = Vec::new();
    let (mut read, mut handled_changes) = (0, 0);
    for (name, text) in &texts {
        read += usize::from(compare(name, text, &mut failures));
        for _ in 0..changes {
            let changed = change(text, &mut random);
            handled_changes += usize::from(compare(name, &changed, &mut failures));
        }
    }
    eprintln!(
        "{read} of {} texts and {handled_changes} changed texts were read by the fast reader",
        texts.len()
    );
    assert!(
        failures.is_empty(),
        "{} differences:\n{}",
        failures.len(),
        failures[..failures.len().min(20)].join("\n")
    );
    assert!(
        read * 2 > texts.len(),
        "only {read} of {} texts were read",
        texts.len()
    );
}

#[test]
fn reads_the_parts_of_a_long_text_like_one() {
    let document = "---\n# one\nkind: A\nlist:\n- 1\n- b: |\n    text\n    --- \n";
    let text = format!("# head\n{}", document.repeat(20_000));
    let mut failures = Vec::new();
    assert!(compare("long.yaml", &text, &mut failures));
    assert!(compare(
        "long.yaml",
        &format!("# head\n{}{document}", "# comment\n".repeat(60_000)),
        &mut failures
    ));
    assert_eq!(failures, Vec::<String>::new());
}

/// Compares the readers and returns whether the fast one read the text.
fn compare(name: &str, text: &str, failures: &mut Vec<String>) -> bool {
    let source = Source::new(name, text).unwrap_or_else(|length| panic!("{length} bytes"));
    let mut handled = false;
    if let Some(difference) = disagreement(&source, &mut handled) {
        failures.push(format!(
            "{name}: {difference}\n--- text ---\n{}\n",
            excerpt(text)
        ));
    }
    handled
}

fn excerpt(text: &str) -> String {
    if text.len() < 400 {
        format!("{text:?}")
    } else {
        format!("{} bytes", text.len())
    }
}

/// Returns the text with a piece inserted, a range removed, or a line duplicated, cut to a few
/// lines around the change, so that differences are small.
fn change(text: &str, random: &mut TestRng) -> String {
    let mut pick = |limit: usize| (random.next_u64() % limit.max(1) as u64) as usize;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let first = pick(lines.len());
    let count = 1 + pick(12);
    let mut text: String = lines.iter().skip(first).take(count).copied().collect();
    for _ in 0..=pick(2) {
        let boundaries: Vec<usize> = text
            .char_indices()
            .map(|(at, _)| at)
            .chain([text.len()])
            .collect();
        let at = boundaries[pick(boundaries.len())];
        match pick(3) {
            0 | 1 => text.insert_str(at, PIECES[pick(PIECES.len())]),
            _ => {
                let end = boundaries
                    .iter()
                    .copied()
                    .find(|end| *end >= at + pick(6))
                    .unwrap_or(text.len());
                text.replace_range(at..end, "");
            }
        }
    }
    text
}

fn repository_texts() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    ["testdata", "examples", "kustomization-examples"]
        .iter()
        .flat_map(|folder| texts_below(&root.join(folder)))
        .collect()
}

fn texts_below(folder: &Path) -> Vec<(String, String)> {
    let files = corpus_folder::files_below(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let is_yaml = |path: &std::path::PathBuf| {
        path.extension()
            .is_some_and(|extension| extension == "yaml" || extension == "yml")
            || path.file_name().is_some_and(|name| name == "stdout")
    };
    files
        .into_iter()
        .filter(is_yaml)
        .filter_map(|path| Some((path.display().to_string(), fs::read_to_string(&path).ok()?)))
        .collect()
}
