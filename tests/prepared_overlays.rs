//! An overlay on many documents at once has the same effect as on each document by itself.
//!
//! An overlay that matches several documents is applied to them by a shorter algorithm, on several
//! threads (`src/overlay/prepared`). With a single document, the complete algorithm applies it.
//! Random overlays on random documents have to give the same tree, or the same first error, both
//! ways.
//!
//! The documents of a large file may be overlaid and printed one after the other, without a tree of
//! the file. That has to give the same text, or the same messages, as with a tree.

#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its input has failed"
)]

use std::sync::Arc;

use inlay::edit::DocumentFormat;
use inlay::provenance::Recorder;
use inlay::source::world::Memory;
use inlay::source::{DiagnosticFormat, Diagnostics, Renderer, Source, parallel};
use inlay::workspace::output::OutputFormat;
use inlay::workspace::{
    BuildInput, BuildOptions, InputFile, OverlaidText, VirtualPath, apply_text, build,
};
use inlay::yaml::{Node, canonical_node, faithful, parse_data};

const CASES: u64 = 1_000;

/// The number of copies of the document when several are matched: more than one thread takes at
/// once.
const COPIES: usize = 130;

const KEYS: [&str; 6] = ["a", "b", "name", "\"1\"", "items", "yes"];
const SCALARS: [&str; 10] = [
    "1", "\"1\"", "1.0", "0x1", "yes", "~", "web", "'web'", "!!str 1", "",
];
const ENTRY_ANNOTATIONS: [&str; 9] = [
    "",
    "",
    "match missing_ok=True",
    "match missing_ok=True",
    "remove",
    "replace",
    "replace or_add=True",
    "match when=1",
    "match-child-defaults missing_ok=True",
];
const ITEM_ANNOTATIONS: [&str; 10] = [
    "",
    "append",
    "match by=\"name\"",
    "match by=\"name\", expects=\"0+\"",
    "match by=\"a\", missing_ok=True",
    "match by=overlay.all, expects=\"0+\"",
    "match by=overlay.index(0), missing_ok=True",
    "match by=overlay.subset({\"name\": \"web\"}), expects=[0, 1, 2]",
    "match by=\"name\", when=\"1+\"\n#@overlay/remove",
    "match by=overlay.index(0), expects=\"0+\"\n#@overlay/replace or_add=True",
];

/// A random number generator (splitmix64), so that a seed identifies a case.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % count as u64) as usize
    }

    fn one_of<T: Copy>(&mut self, table: &[T]) -> T {
        table[self.below(table.len())]
    }
}

/// Writes a value after a key or dash at `indent`.
fn value(random: &mut Random, indent: usize, is_overlay: bool, text: &mut String) {
    match random.below(5) {
        0 | 1 if indent < 8 => mapping(random, indent, is_overlay, text),
        2 | 3 if indent < 8 => sequence(random, indent, is_overlay, text),
        _ => {
            text.push(' ');
            text.push_str(random.one_of(&SCALARS));
            text.push('\n');
        }
    }
}

fn mapping(random: &mut Random, indent: usize, is_overlay: bool, text: &mut String) {
    text.push('\n');
    let margin = " ".repeat(indent);
    let count = 1 + random.below(4);
    let first = random.below(KEYS.len());
    for number in 0..count {
        // Occasionally, a key occurs twice.
        let key = match random.below(20) {
            0 if !is_overlay => KEYS[first],
            _ => KEYS[(first + number) % KEYS.len()],
        };
        if is_overlay {
            annotate(random.one_of(&ENTRY_ANNOTATIONS), &margin, text);
        } else if random.below(30) == 0 {
            text.push_str(&format!("{margin}<<: {{a: 1}}\n"));
        }
        text.push_str(&format!("{margin}{key}:"));
        value(random, indent + 2, is_overlay, text);
    }
}

fn sequence(random: &mut Random, indent: usize, is_overlay: bool, text: &mut String) {
    text.push('\n');
    let margin = " ".repeat(indent);
    for _ in 0..1 + random.below(3) {
        if is_overlay {
            annotate(random.one_of(&ITEM_ANNOTATIONS), &margin, text);
        }
        text.push_str(&format!("{margin}-"));
        match random.below(4) {
            0 => value(random, indent + 2, is_overlay, text),
            _ => text.push_str(&format!(
                "\n{margin}  name: {}\n{margin}  a: {}\n",
                random.one_of(&SCALARS),
                random.one_of(&SCALARS)
            )),
        }
    }
}

fn annotate(annotations: &str, margin: &str, text: &mut String) {
    for (number, line) in annotations.lines().enumerate() {
        let start = if number == 0 { "#@overlay/" } else { "" };
        text.push_str(&format!("{margin}{start}{line}\n"));
    }
}

/// Applies an overlay, and returns the resulting roots or the errors.
fn applied(overlay: &str, roots: &[Arc<Node>]) -> Result<Vec<Arc<Node>>, String> {
    let source = Source::new("overlay.yml", overlay).expect("it is short");
    let mut diagnostics = Diagnostics::default();
    let format = DocumentFormat::YAML;
    let world = Memory::default();
    let options = BuildOptions::default();
    let documents = OverlaidText { roots, format };
    let result = apply_text(&source, documents, &world, options, &mut diagnostics);
    result.map_err(|_| {
        let first = diagnostics.as_slice().first().expect("an error");
        Renderer::new(DiagnosticFormat::Human).render(std::slice::from_ref(first))
    })
}

#[test]
fn many_documents_become_what_each_becomes() {
    parallel::set_threads(2);
    let (mut changed, mut refused) = (0, 0);
    for case in 0..CASES {
        let random = &mut Random(case);
        let (mut left, mut overlay) = (String::new(), String::new());
        mapping(random, 0, false, &mut left);
        mapping(random, 0, true, &mut overlay);
        let load = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all, expects=\"0+\"\n---";
        let overlay = format!("{load}{overlay}");
        let source = Source::new("left.yml", left.as_str()).expect("it is short");
        let Ok(stream) = parse_data(&source) else {
            continue;
        };
        let root = &stream.documents[0].root;
        let all = format!("case {case}\n{left}\n---- with ----\n{overlay}");
        let single = applied(&overlay, std::slice::from_ref(root));
        let many = applied(&overlay, &vec![Arc::clone(root); COPIES]);
        match (single, many) {
            (Ok(single), Ok(many)) => {
                changed += usize::from(!Arc::ptr_eq(&single[0], root));
                assert_eq!(many.len(), COPIES, "{all}");
                for other in &many {
                    let is_same = Arc::ptr_eq(other, root) == Arc::ptr_eq(&single[0], root);
                    assert!(is_same, "only one way has changed it: {all}");
                }
                let [one, other] = [&single[0], &many[COPIES / 2]];
                let texts = [one, other].map(|root| {
                    let printed = faithful::print(&stream, &[Arc::clone(root)]);
                    (printed, canonical_node(root).map_err(|error| error.message))
                });
                assert_eq!(texts[0], texts[1], "{all}");
            }
            (Err(single), Err(many)) => {
                refused += 1;
                assert_eq!(single, many, "{all}");
            }
            (single, many) => panic!("{:?} and {:?}: {all}", single.err(), many.err()),
        }
    }
    assert!(
        changed > 100 && refused > 100,
        "{changed} changed, {refused} refused"
    );
}

/// The number of builds of a large file to compare.
const LARGE_CASES: u64 = 20;

/// A file of this size is large enough to be printed in parts.
const LARGE: usize = 300 * 1024;

/// Scalars that the fast reader supports.
const PLAIN_SCALARS: [&str; 6] = ["1", "\"1\"", "1.0", "web", "'web'", "yes"];

const DOCUMENT_MATCHES: [&str; 6] = [
    "by=overlay.all, expects=\"0+\"",
    "by=overlay.all, expects=\"1+\"",
    "by=overlay.subset({\"kind\": \"even\"}), expects=\"1+\"",
    "by=overlay.not_op(overlay.subset({\"kind\": \"even\"})), expects=\"1+\"",
    "by=overlay.or_op(overlay.subset({\"kind\": 1}), overlay.subset({\"a\": 1})), when=\"1+\"",
    "by=overlay.subset({\"kind\": \"none\"})",
];

/// Writes a plain document of the large file.
fn plain_document(random: &mut Random, number: usize, text: &mut String) {
    let kind = ["even", "odd"][number % 2];
    text.push_str(&format!("---\nkind: {kind}\nnumber: {number}\n"));
    for key in ["a", "b", "items"] {
        match random.below(3) {
            0 => text.push_str(&format!("{key}: {}\n", random.one_of(&PLAIN_SCALARS))),
            1 => text.push_str(&format!(
                "{key}:\n  name: {}\n  a: {{b: 1}}\n",
                random.one_of(&PLAIN_SCALARS)
            )),
            _ => text.push_str(&format!(
                "{key}:\n- name: {}\n  a: 1\n- name: other\n",
                random.one_of(&PLAIN_SCALARS)
            )),
        }
    }
}

/// Writes an overlay that applies to many of the documents.
fn plain_overlay(random: &mut Random, text: &mut String) {
    let matches = random.one_of(&DOCUMENT_MATCHES);
    text.push_str(&format!("#@overlay/match {matches}\n---\n"));
    match random.below(4) {
        0 => text.push_str("#@overlay/match missing_ok=True\nadded:\n  x: 1\n"),
        1 => text.push_str("#@overlay/match missing_ok=True\n#@overlay/remove\nb:\n"),
        2 => {
            text.push_str("#@overlay/match missing_ok=True\n#@overlay/replace or_add=True\na: {}\n")
        }
        _ => text.push_str("kind: other\n"),
    }
}

/// Builds files. Returns the text and whether a file was printed without its tree, or the messages.
fn built(files: &[InputFile], reprints: bool) -> Result<(String, bool), String> {
    let world = Memory::default();
    let options = BuildOptions {
        reprints,
        ..BuildOptions::default()
    };
    let input = BuildInput {
        files,
        resources: &[],
        data_values: &[],
        world: &world,
        options,
        recorder: Recorder::off(),
        shared: None,
        findings: None,
    };
    let mut diagnostics = Diagnostics::default();
    let rendered = build(&input, &mut diagnostics);
    let messages = Renderer::new(DiagnosticFormat::Human).render(diagnostics.as_slice());
    let rendered = rendered.map_err(|_| messages.clone())?;
    let in_parts = rendered.yaml.iter().any(|file| file.printed.is_some());
    let text = rendered
        .text(OutputFormat::Yaml)
        .map_err(|error| error.message)?;
    Ok((format!("{messages}{}", text.concat()), in_parts))
}

#[test]
fn a_large_file_is_overlaid_alike_with_and_without_its_tree() {
    let (mut in_parts, mut refused) = (0, 0);
    for case in 0..LARGE_CASES {
        let random = &mut Random(case);
        let mut plain = String::new();
        for number in 0.. {
            plain_document(random, number, &mut plain);
            if plain.len() > LARGE {
                break;
            }
        }
        match random.below(8) {
            0 => plain.push_str("a: 1\n"),
            1 => plain.push_str("kind: [\n"),
            2 => plain.push_str("z: &anchor 1\n"),
            _ => {}
        }
        let mut overlay = "#@ load(\"@ytt:overlay\", \"overlay\")\n".to_owned();
        for _ in 0..1 + random.below(3) {
            plain_overlay(random, &mut overlay);
        }
        let template = match random.below(4) {
            0 => "#@ x = fail(\"no\")\na: #@ x\n",
            _ => "#@ x = \"even\"\n---\n---\nkind: #@ x\na: 1\n",
        };
        let files =
            [("a.yml", template), ("b.yml", &plain), ("c.yml", &overlay)].map(|(path, text)| {
                let path = VirtualPath::new(path).expect("a path");
                InputFile::in_memory(path, text)
            });
        let with_tree = built(&files, false);
        let without = built(&files, true);
        match (with_tree, without) {
            (Ok((one, _)), Ok((other, printed))) => {
                in_parts += usize::from(printed);
                assert!(one == other, "case {case} with\n{overlay}");
            }
            (Err(one), Err(other)) => {
                refused += 1;
                assert_eq!(one, other, "case {case} with\n{overlay}");
            }
            (one, other) => panic!("{:?} and {:?}: case {case}", one.err(), other.err()),
        }
    }
    assert!(
        in_parts > 2 && refused > 2,
        "{in_parts} in parts, {refused} refused"
    );
}
