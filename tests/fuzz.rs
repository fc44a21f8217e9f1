//! The properties that the fuzz targets of `fuzz/` check, without the fuzzer: on files of the tests
//! and of the corpus with bytes changed, removed and repeated, and on texts that are composed of
//! pieces.
//!
//! `PROPTEST_CASES=20000 cargo test --test fuzz` runs more cases than the default.

#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "common/corpus_folder.rs"]
mod corpus_folder;
#[path = "../fuzz/entries.rs"]
mod entries;
#[path = "../fuzz/language_server.rs"]
mod language_server;
#[path = "../fuzz/properties.rs"]
mod properties;

use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use proptest::prelude::*;

/// Pieces of templates, programs and YAML.
const PIECES: [&str; 96] = [
    "a: 1\n",
    "b:",
    "- ",
    "-\n",
    "  ",
    "\n",
    ": ",
    "? ",
    "{",
    "}",
    "[",
    "]",
    ", ",
    "&x ",
    "*x",
    "<<: *x\n",
    "---\n",
    "...\n",
    "|\n  text\n",
    ">-\n  text\n",
    "|2-\n",
    "\"q\"",
    "'q'",
    "\"\\u00e9\"",
    "!!binary aGk=",
    "!!str ",
    "!x ",
    "1e3",
    "0x1F",
    "~",
    "yes",
    "2001-01-01",
    "#@ x = 1\n",
    "#@ if x:\n",
    "#@ elif y:\n",
    "#@ else:\n",
    "#@ for i in range(3):\n",
    "#@ while x < 3:\n",
    "#@ def f(a=1, *b, **c):\n",
    "#@ return a\n",
    "#@ end\n",
    "#@ if/end True:\n",
    "#@ ",
    "i",
    "f(1)",
    "#@yaml/map-key-override\n",
    "#@yaml/text-templated-strings\n",
    "#@overlay/match by=lambda l, r: True\n",
    "#! note\n",
    "# note\n",
    "(@ ",
    "(@= ",
    "(@-= ",
    " @)",
    " -@)",
    "x",
    " + ",
    "x[1:]",
    "x[0] = 2\n",
    "{k: v for k in x}",
    "\"%s\" % x",
    ".format(1)",
    ".join([",
    "lambda y: y",
    "load(\"@ytt:json\", \"json\")\n",
    "json.encode(x)",
    "x += [1]\n",
    "end\n",
    "pass",
    "\t",
    "é",
    "\u{feff}",
    "%%\n",
    "#@overlay/remove\n",
    "#@overlay/match missing_ok=True\n",
    "#@schema/type any=True\n",
    "#@schema/validation min=1\n",
    "kind: Secret\nstringData: {a: b}\n",
    "spec:\n  patches: [{patch: '[]'}]\n",
    "a.b.[c=d]",
    "$..a[?(@.b > 1)]",
    "[server]\nport = 1 # c\n",
    "a.b = c\n",
    "a=b\n",
    "resources: [objects.yaml]\n",
    "resources: [../base]\n",
    "patches: [{path: other.yaml}]\n",
    "replacements:\n- sourceValue: x\n  targets: [{select: {kind: A}, fieldPaths: [a.b]}]\n",
    "configMapGenerator: [{name: m, literals: [a=b], files: [objects.yaml]}]\n",
    "namePrefix: x-\n",
    "labels: [{pairs: {a: b}, includeSelectors: true}]\n",
    "images: [{name: a, newTag: '2'}]\n",
    "replicas: [{name: m, count: 2}]\n",
    "vars: [{name: V, objref: {kind: A, name: m, apiVersion: v1}}]\n",
    "$(V)",
    "apiVersion: v1\nkind: A\nmetadata:\n  name: m\n",
];

/// The texts to mutate: inputs of the corpus, if it exists, and of the tests.
static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut texts = Vec::new();
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    for folder in [Some(own), corpus_folder::find("fuzz")]
        .into_iter()
        .flatten()
    {
        for file in corpus_folder::files_below(&folder).unwrap() {
            let is_text = file
                .extension()
                .is_some_and(|end| ENDINGS.iter().any(|known| end == *known));
            if is_text && file.metadata().is_ok_and(|file| file.len() < LARGEST) {
                texts.extend(std::fs::read_to_string(file));
            }
        }
    }
    texts
});

/// The extensions of the files to read, which are limited to [`LARGEST`] bytes.
const ENDINGS: [&str; 5] = ["yml", "yaml", "txt", "star", "json"];
const LARGEST: u64 = 20_000;

/// A change of some bytes.
#[derive(Clone, Debug)]
enum Change {
    Remove(usize, usize),
    Repeat(usize, usize),
    Insert(usize, usize),
    Replace(usize, u8),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        (any::<usize>(), 1..30usize).prop_map(|(at, length)| Change::Remove(at, length)),
        (any::<usize>(), 1..60usize).prop_map(|(at, length)| Change::Repeat(at, length)),
        (any::<usize>(), 0..PIECES.len()).prop_map(|(at, piece)| Change::Insert(at, piece)),
        (any::<usize>(), any::<u8>()).prop_map(|(at, byte)| Change::Replace(at, byte & 0x7f)),
    ]
}

fn changed(text: &str, changes: &[Change]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for change in changes {
        let place = |at: usize| at % (bytes.len() + 1);
        match *change {
            Change::Remove(at, length) => {
                let start = place(at);
                let end = (start + length).min(bytes.len());
                bytes.drain(start..end);
            }
            Change::Repeat(at, length) => {
                let start = place(at);
                let part = bytes[start..(start + length).min(bytes.len())].to_vec();
                bytes.splice(start..start, part);
            }
            Change::Insert(at, piece) => {
                let start = place(at);
                bytes.splice(start..start, PIECES[piece].bytes());
            }
            Change::Replace(at, byte) => {
                let start = place(at);
                if let Some(slot) = bytes.get_mut(start) {
                    *slot = byte;
                }
            }
        }
    }
    bytes
}

fn check_all(data: &[u8]) -> Result<(), TestCaseError> {
    let start = Instant::now();
    properties::end(data);
    properties::template(data);
    properties::canonical_text(data);
    properties::faithful(data);
    properties::embedded(data);
    entries::overlay(data);
    entries::schema(data);
    entries::resource_list(data);
    entries::path(data);
    entries::text(data);
    entries::arguments(data);
    entries::formatting(data);
    entries::reader(data);
    entries::kustomization(data);
    language_server::language_server(data);
    prop_assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
    Ok(())
}

/// Runs the inputs that the fuzzer kept in `fuzz/corpus`, which has a folder for each target.
#[test]
fn the_properties_hold_for_the_corpus() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    let mut inputs = 0;
    for file in corpus_folder::files_below(&corpus).unwrap() {
        check_all(&std::fs::read(&file).unwrap())
            .unwrap_or_else(|error| panic!("{file:?}: {error}"));
        inputs += 1;
    }
    assert!(inputs > 0, "no corpus");
}

/// The texts before the documents.
const HEADS: [&str; 7] = [
    "",
    "\u{feff}",
    "---\n",
    "%YAML 1.2\n---\n",
    "# h\n",
    "# h\n\n",
    "--- # h\n",
];

/// The parents of a value `@`. The lines of the value are deeper by the number of spaces.
const PARENTS: [(&str, usize); 22] = [
    ("@", 0),
    ("a: @\nz: 1", 2),
    ("z: 1\na: @", 2),
    ("z: 1\n\n# about a\na: @\n\n# about y\ny: 2", 2),
    ("? a\n: @\nz: 1", 2),
    ("? a # k\n# l\n: @", 2),
    ("? @\n: 1\na: 2", 2),
    ("? @\na: 2", 2),
    ("- @\n- z", 2),
    ("- z\n- @", 2),
    ("-   @\n-   z", 4),
    ("- - @\n  - z\n- q", 4),
    ("- a: @\n  z: 1", 4),
    ("a:\n- @\n- z", 2),
    ("a: # k\n  # l\n  - @", 4),
    ("a:\n  b: @\n  z: 1", 4),
    ("a:\n  ? b\n  : @\nz: 1", 4),
    ("[@, z]", 1),
    ("[\n  z, # k\n  @\n]", 2),
    ("{a: @, z: 1}", 1),
    ("a: {b: @}\nz: 1", 2),
    ("a: [@]", 2),
];

/// The texts between the start of a place and its value. `~` is a line break with an indentation.
const GAPS: [&str; 4] = ["", "~", "\t", "# g~"];

/// The properties of a value.
const NODE_PROPERTIES: [&str; 6] = ["", "&p ", "!t ", "&p !t ", "!!str ", "&p~"];

/// Values. `~` is a line break with an indentation.
const VALUES: [&str; 37] = [
    "",
    "x",
    "'x'",
    "\"x\\n y\"",
    "x~y",
    "'x~~y'",
    "\"x~y\\~z\"",
    "|~x",
    "|-~x~y",
    "|+~x\n\n",
    "|2~   x~ y",
    "|1-~  x",
    ">~x~y\n~z",
    ">+ # v~x\n",
    "|",
    "|+\n\n",
    "|~a: 1~b: 2",
    "|~- x~- y\n\n",
    "'{\"a\": 1, \"b\": [2]}'",
    "\"a: 1\\nb: 2\\n\"",
    "[]",
    "{}",
    "[x, y]",
    "{b: x, c: y}",
    "{b, ? c}",
    "[b: x]",
    "[x,~y, # v~z]",
    "{~  b: x,~  c: y~}",
    "- x~- y",
    "- - x~  - y~- z",
    "-~-",
    "b: x~c: y",
    "b: x # v~# w~c:~  d: 1",
    "b:~c:",
    "? b~: x~? c",
    "- &q x~- *q",
    "b: &q x~*q : y",
];

/// The texts after a value on its last line.
const COMMENTS: [&str; 3] = ["", " # c", "~# c"];

/// The texts after the documents.
const TAILS: [&str; 7] = [
    "\n",
    "",
    "\n\n",
    "\n# t\n",
    "\n\n  # t",
    "\n...\n",
    "\n---\nq: 1\n",
];

/// The line breaks of a text, by turns.
const BREAKS: [&[&str]; 6] = [
    &["\n"],
    &["\r\n"],
    &["\r"],
    &["\n", "\r"],
    &["\r", "\n"],
    &["\r\n", "\r", "\n", "\n"],
];

/// Returns a text with a value in a place, and with its surroundings.
fn combined([head, parent, gap, properties, value, comment, tail, breaks]: [usize; 8]) -> String {
    let (parent, indent) = PARENTS[parent];
    let value = [
        GAPS[gap],
        NODE_PROPERTIES[properties],
        VALUES[value],
        COMMENTS[comment],
    ]
    .concat();
    let value = value.replace('~', &format!("\n{}", " ".repeat(indent)));
    let text = [HEADS[head], &parent.replace('@', &value), TAILS[tail]].concat();
    let mut breaks = BREAKS[breaks].iter().cycle();
    let mut result = String::new();
    for line in text.split_inclusive('\n') {
        match line.strip_suffix('\n') {
            Some(line) => result.extend([line, breaks.next().unwrap_or(&"\n")]),
            None => result.push_str(line),
        }
    }
    result
}

/// Returns the numbers of a random combination.
fn combination() -> impl Strategy<Value = [usize; 8]> {
    [
        0..HEADS.len(),
        0..PARENTS.len(),
        0..GAPS.len(),
        0..NODE_PROPERTIES.len(),
        0..VALUES.len(),
        0..COMMENTS.len(),
        0..TAILS.len(),
        0..BREAKS.len(),
    ]
}

proptest! {
    // One combination takes much less time than a case of the other tests.
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases * 8, ..ProptestConfig::default() })]

    #[test]
    fn edited_text_reads_back_for_any_value_in_any_place(numbers in combination()) {
        properties::faithful(combined(numbers).as_bytes());
    }
}

proptest! {
    #[test]
    fn the_properties_hold_for_any_pieces(pieces in proptest::collection::vec(0..PIECES.len(), 0..24)) {
        let text: String = pieces.iter().map(|piece| PIECES[*piece]).collect();
        check_all(text.as_bytes())?;
    }

    #[test]
    fn the_properties_hold_for_changed_files(file in any::<usize>(), changes in proptest::collection::vec(change(), 0..6)) {
        if let Some(text) = TEXTS.get(file % TEXTS.len().max(1)) {
            check_all(&changed(text, &changes))?;
        }
    }
}

/// The first text of an input for the language server, and the file that is edited.
const EDITED: [[&str; 2]; 4] = [
    [
        "app:\n  port: 80\n",
        "#@ load(\"@ytt:data\", \"data\")\nname: a\nport: #@ data.values.app.port\n",
    ],
    [
        "app: {}\n",
        "#@ load(\"@ytt:overlay\", \"overlay\")\nspec:\n  a: {b: 1}\n---\n#@overlay/match by=overlay.all\n---\nspec:\n  a:\n",
    ],
    [
        "kustomization\n",
        "resources: [objects.yaml]\nreplacements:\n- source: {kind: D, fieldPath: spec.list}\n  targets:\n  - select: {kind: ConfigMap}\n    fieldPaths:\n    - data.b\\.json.c\n",
    ],
    [
        "patch\n",
        "kind: D\nmetadata: {name: d}\nspec:\n  list:\n  - name: e\n",
    ],
];

/// The letters that mean edits and requests.
const OPERATIONS: &str = "eeeecdrpntsfliah";

/// Generates an edit or a request in the notation of `fuzz/language_server.rs`.
fn operation() -> impl Strategy<Value = String> {
    let digit = || (0u8..40).prop_map(|digit| char::from(b'0' + digit));
    let piece = (0..PIECES.len()).prop_map(|piece| PIECES[piece].replace('\n', "~"));
    let letter = (0..OPERATIONS.len()).prop_map(|letter| OPERATIONS.as_bytes()[letter] as char);
    (letter, [digit(), digit(), digit(), digit()], piece).prop_map(|(letter, digits, piece)| {
        let digits: String = digits.iter().collect();
        match letter {
            'e' => format!("{letter}{digits}{piece}"),
            _ => format!("{letter}{}{piece}", &digits[..2]),
        }
    })
}

proptest! {
    // Each case starts a server, so there are fewer cases. `tools/fuzz` runs more.
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 4, ..ProptestConfig::default() })]

    #[test]
    fn any_edits_and_requests_are_answered(edited in 0..EDITED.len(), operations in proptest::collection::vec(operation(), 1..16)) {
        let [first, text] = EDITED[edited];
        let input = format!("{first}%%\n{text}%%\n{}", operations.join("\n"));
        language_server::language_server(input.as_bytes());
    }
}
