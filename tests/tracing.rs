//! Every scalar of the corpus can be traced: its text, decoded from its own bytes, is what the parser read.

use std::path::{Path, PathBuf};

use inlay::source::Source;
use inlay::yaml::{Content, Node, parse, spelling};

fn check(node: &Node, failures: &mut Vec<String>) {
    match &node.content {
        Content::Scalar(scalar) => {
            if spelling::decode(node).is_none() {
                let origin = node.origin.as_ref().unwrap();
                failures.push(format!(
                    "{}:{} {:?} raw {:?} text {:?}",
                    origin.source.name(),
                    origin.source.line(origin.span.start()),
                    scalar.style,
                    origin.source.slice(origin.span),
                    node.text()
                ));
            }
        }
        Content::Sequence(sequence) => sequence.items.iter().for_each(|item| check(&item.value, failures)),
        Content::Mapping(mapping) => mapping.entries.iter().for_each(|entry| {
            check(&entry.key, failures);
            check(&entry.value, failures);
        }),
        Content::Alias(_) => {}
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// The text that a case of the YAML test suite spells with visible characters.
fn visible(text: &str) -> String {
    let text = text.replace('␣', " ").replace('↵', "").replace('←', "\r").replace('⇔', "\u{feff}").replace("∎\n", "");
    let mut result = String::new();
    for c in text.chars() {
        match c {
            '—' => {}
            '»' => result.push('\t'),
            c => result.push(c),
        }
    }
    result
}

#[test]
fn every_scalar_of_the_corpus_can_be_traced_to_its_bytes() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    let mut found = Vec::new();
    files(&corpus, &mut found);
    let mut failures = Vec::new();
    let mut parsed = 0;
    for path in found {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let source = Source::new(path.to_string_lossy().to_string(), text).unwrap();
        if let Ok(stream) = parse(&source) {
            parsed += 1;
            stream.documents.iter().for_each(|document| check(&document.root, &mut failures));
            if path.to_string_lossy().contains("yaml-test-suite") {
                for case in stream.documents.iter().filter_map(|d| d.root.as_sequence()).flat_map(|s| &s.items) {
                    let Some(text) = case.value.get("yaml").and_then(|y| y.text()) else { continue };
                    let text = visible(text);
                    let source = Source::new(path.to_string_lossy().to_string(), text).unwrap();
                    if let Ok(stream) = parse(&source) {
                        parsed += 1;
                        stream.documents.iter().for_each(|document| check(&document.root, &mut failures));
                    }
                }
            }
        }
    }
    println!("{parsed} parsed");
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures[..failures.len().min(20)].join("\n"));
}
