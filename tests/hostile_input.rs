//! Input designed to break readers: texts that nest or grow without bound, and strings that look
//! like something else.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

use std::fs::{self, File};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use inlay::edit::{EditOptions, FieldPath, update};
use inlay::source::Source;
use inlay::yaml::{Node, canonical_node, faithful, parse};
use yaml_serde::Value;

/// The maximum time for rejecting an input, in a debug build on a busy machine.
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

/// Strings that YAML 1.1, YAML 1.2, a template or a terminal would interpret as something else.
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

/// Returns the strings, alone and with other text around them.
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

/// Runs `inlay` in a folder with files, with little memory and with limits to match. Returns the
/// exit code and standard error.
fn run_in_little_memory(files: &[(&str, String)], arguments: &[&str]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let output = Command::new("sh")
        // The allocator reserves a gigabyte of this address space without using it.
        .args(["-c", "ulimit -v 2500000; exec \"$0\" \"$@\""])
        .arg(env!("CARGO_BIN_EXE_inlay"))
        .args(arguments)
        .env(
            "INLAY_LIMITS",
            "output=32000000,value-text=32000000,nodes=500000",
        )
        .current_dir(folder.path())
        .output()
        .expect("sh runs");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), errors)
}

/// A long text with an anchor and many aliases: ten gigabytes if the aliases are expanded.
#[test]
fn aliases_of_a_long_text_crash_no_entry_point() {
    let text = "x".repeat(1_000_000);
    let aliases = "  k: *a\n".repeat(10_000);
    let keys = aliases
        .lines()
        .enumerate()
        .map(|(at, _)| format!("  k{at}: *a\n"))
        .collect::<String>();
    let list = "- *a\n".repeat(10_000);
    let head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n";
    let files = [
        ("list.yml", format!("a: &a {text}\nb:\n{list}")),
        ("map.yml", format!("{head}data:\n  a: &a {text}\n{keys}")),
        (
            "schema.yml",
            format!("#@data/values-schema\n---\na: &a {text}\nb:\n{keys}"),
        ),
        ("kustomization.yaml", "resources: [map.yml]\n".to_owned()),
    ];
    let refused: [&[&str]; 11] = [
        &["get", "list.yml", "$..*"],
        &["get", "list.yml", "b.*"],
        &["get", "map.yml", "data.*"],
        &[
            "-f",
            "schema.yml",
            "--data-values-schema-inspect",
            "-o",
            "openapi-v3",
        ],
        &[
            "-f",
            "schema.yml",
            "--data-values-schema-inspect",
            "-o",
            "json-schema",
        ],
        &["-f", "schema.yml", "--data-values-inspect"],
        &["-f", "list.yml"],
        &["-f", "list.yml", "-o", "json"],
        &["kustomize", "."],
        &["kustomize", ".", "--faithful"],
        &["cmp", "generate"],
    ];
    for arguments in refused {
        let (code, errors) = run_in_little_memory(&files, arguments);
        assert_eq!(code, Some(1), "{arguments:?}: {errors}");
        assert!(errors.contains("--limit "), "{arguments:?}: {errors}");
    }
    // These commands write the aliases as aliases.
    let done: [&[&str]; 3] = [
        &["fmt", "list.yml"],
        &["set", "map.yml", "data.a=x"],
        &["get", "list.yml", "b"],
    ];
    for arguments in done {
        let (code, errors) = run_in_little_memory(&files, arguments);
        assert_eq!(code, Some(0), "{arguments:?}: {errors}");
    }
}

/// An edit writes a long value to many places.
#[test]
fn a_long_value_that_is_written_many_times_is_refused() {
    let text = "x".repeat(1_000_000);
    let config = |spec: String| {
        format!("apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata: {{name: c}}\nspec:\n{spec}")
    };
    let replace = |path: &str| {
        config(format!(
            "  replacements:\n  - sourceValue: {text}\n    targets: [{{select: {{kind: ConfigMap}}, fieldPaths: ['{path}']}}]\n"
        ))
    };
    let head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n";
    let keys: String = (0..10_000).map(|at| format!("  k{at}: x\n")).collect();
    let entries: Vec<String> = (0..10_000).map(|at| format!("\"k{at}\": 1")).collect();
    let entries = entries.join(", ");
    let objects: String = (0..10_000)
        .map(|at| format!("---\nkind: ConfigMap\napiVersion: v1\nmetadata: {{name: c{at}}}\n"))
        .collect();
    let patch =
        format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: x}}\ndata: {{big: {text}}}\n");
    let files = [
        ("fields.yml", replace("data.*")),
        ("in-strings.yml", replace("data.c\\.json.*")),
        ("map.yml", format!("{head}{keys}")),
        ("json.yml", format!("{head}  c.json: '{{{entries}}}'\n")),
        ("objects.yml", objects),
        ("patch.yml", patch),
        (
            "run-patch.yml",
            config("  patches: [{target: {kind: ConfigMap}, path: patch.yml}]\n".to_owned()),
        ),
        (
            "kustomization.yaml",
            "resources: [objects.yml]\npatches: [{target: {kind: ConfigMap}, path: patch.yml}]\n"
                .to_owned(),
        ),
    ];
    let table: [&[&str]; 5] = [
        &["run", "fields.yml", "map.yml"],
        &["run", "in-strings.yml", "json.yml"],
        &["run", "run-patch.yml", "objects.yml"],
        &["kustomize", "."],
        &["kustomize", ".", "--faithful"],
    ];
    for arguments in table {
        let (code, errors) = run_in_little_memory(&files, arguments);
        assert_eq!(code, Some(1), "{arguments:?}: {errors}");
        assert!(
            errors.contains("--limit output="),
            "{arguments:?}: {errors}"
        );
    }
}

/// Returns a JSON document with `levels` further documents, each in a string of the one before it,
/// and the path to the innermost value.
fn nested_documents(levels: usize) -> (String, String) {
    let mut text = "{\"a\": 1}".to_owned();
    for _ in 0..levels {
        text = format!("{{\"a\": {}}}", inlay::yaml::json_string(&text));
    }
    (text, vec!["a"; levels + 1].join("."))
}

#[test]
fn documents_in_documents_have_a_limit() {
    for (levels, code) in [(16, 0), (17, 1)] {
        let (text, path) = nested_documents(levels);
        for arguments in [
            vec!["get", "-", &path],
            vec!["set", "-", &format!("{path}=2")],
        ] {
            let output = run(&arguments, &text);
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(code), "{levels}: {errors}");
            assert_eq!(
                errors.contains("--limit embedded-levels=32"),
                code == 1,
                "{errors}"
            );
        }
    }
}

/// Each alias of a string leads to the document in it again.
#[test]
fn a_document_that_many_aliases_lead_to_is_limited() {
    let padding = "x".repeat(1_000_000);
    let keys: String = (0..10_000).map(|at| format!("  k{at}: *a\n")).collect();
    let text = format!("data:\n  a: &a '{{\"port\": 1, \"padding\": \"{padding}\"}}'\n{keys}");
    for arguments in [
        &["get", "-", "data.*.port"][..],
        &["set", "-", "data.*.port=2"],
    ] {
        assert_refused(arguments, &text, "aliases of a document");
    }
}

/// Each folder includes the next one twice: forty folders are a trillion kustomizations.
#[test]
fn kustomizations_that_include_others_many_times_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for level in 0..40 {
        let place = folder.path().join(format!("a{level}"));
        std::fs::create_dir(&place).expect("a folder");
        let next = level + 1;
        let text = format!("resources: [../a{next}, ../a{next}]\n");
        std::fs::write(place.join("kustomization.yaml"), text).expect("a file");
    }
    let last = folder.path().join("a40");
    std::fs::create_dir(&last).expect("a folder");
    std::fs::write(last.join("kustomization.yaml"), "namePrefix: x\n").expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_inlay"))
        .args(["kustomize", "a0", "--limit", "kustomizations=300"])
        .current_dir(folder.path())
        .output()
        .expect("inlay runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("--limit kustomizations=600"), "{errors}");
}

#[test]
fn a_file_that_is_included_many_times_is_one_error_each() {
    let object = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n";
    let files = [
        (
            "kustomization.yaml",
            "resources: [r.yaml, r.yaml, r.yaml]\n".to_owned(),
        ),
        ("r.yaml", object.to_owned()),
    ];
    let (code, errors) = run_in_little_memory(&files, &["kustomize", "."]);
    assert_eq!(code, Some(1), "{errors}");
    assert!(errors.contains("already registered id"), "{errors}");
}

/// These walk through values without the interpreter, which counts steps.
#[test]
fn operations_of_overlays_count_as_steps() {
    for operation in ["overlay.subset(entries)", "overlay.apply(built(), built())"] {
        let text = format!(
            "#@ load('@ytt:overlay', 'overlay')\n\
             #@ entries = {{str(key): key for key in range(100)}}\n\
             #@ def built():\nmap: #@ entries\n#@ end\n\
             #@ def repeat():\n#@   for turn in range(1000):\n#@     overlaid = {operation}\n\
             #@   end\n#@ end\na: #@ repeat()\n"
        );
        let output = run(&["-f", "a.yml=-", "--limit", "steps=10000"], &text);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            errors.contains("at most 10000 steps"),
            "{operation}: {errors}"
        );
    }
}

/// Each of these looks at every character of a long text, which takes much longer than copying it.
#[test]
fn operations_on_texts_count_the_characters_that_they_look_at() {
    for operation in [
        "s.title()",
        "s.upper()",
        "s.capitalize()",
        "s.isalnum()",
        "s.islower()",
        "s.split('-')",
        "s.splitlines()",
        "s.count('é')",
        "s.replace('é', 'e')",
        "s.strip('é')",
        "'%r' % s",
        "'{!r}'.format(s)",
        "repr(s)",
        "hash(s)",
        "url.path_segment_encode(s)",
    ] {
        let text = format!(
            "#@ load('@ytt:url', 'url')\n\
             #@ def repeat():\n#@   s = 'é' * 20000\n#@   for turn in range(20):\n\
             #@     made = {operation}\n#@   end\n#@ end\na: #@ repeat()\n"
        );
        // Copying a text of this length takes 1,250 steps.
        let output = run(&["-f", "a.yml=-", "--limit", "steps=100000"], &text);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            errors.contains("at most 100000 steps"),
            "{operation}: {errors}"
        );
    }
}

#[test]
fn a_strip_of_many_characters_is_not_their_product() {
    let text = "#@ s = 'a' * 1000000\n#@ set = 'b' * 1000000 + 'a'\na: #@ len(s.strip(set))\n";
    let output = run(&["-f", "a.yml=-"], text);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "a: 0\n");
}

/// Each overlay doubles what the one before it left.
#[test]
fn overlays_that_insert_next_to_everything_are_limited() {
    let overlays = [
        "#@overlay/match by=overlay.all, expects='0+'\n#@overlay/insert after=True\n---\na: 1\n",
        "#@overlay/match by=overlay.all\n---\na:\n#@overlay/match by=overlay.all, expects='1+'\n#@overlay/insert before=True\n- 1\n",
    ];
    for overlay in overlays {
        let text = format!(
            "#@ load('@ytt:overlay', 'overlay')\n---\na: [1]\n#@ for turn in range(60):\n{overlay}#@ end\n"
        );
        let output = run(&["-f", "a.yml=-"], &text);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{errors}");
        assert!(errors.contains("(limit `list`)"), "{overlay}: {errors}");
        assert!(errors.contains("--> a.yml"), "{overlay}: {errors}");
    }
}

/// The result of each call stays in memory, because fragments may be used anywhere.
#[test]
fn results_of_overlays_count_as_memory() {
    for operation in [
        "overlay.apply(entries, {})",
        "overlay.apply(entries, entries)",
    ] {
        let text = format!(
            "#@ load('@ytt:overlay', 'overlay')\n\
             #@ entries = {{str(key): key for key in range(1000)}}\n\
             #@ def repeat():\n#@   for turn in range(1000):\n#@     {operation}\n\
             #@   end\n#@ end\na: #@ repeat()\n"
        );
        let output = run(&["-f", "a.yml=-", "--limit", "memory=20000000"], &text);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains("(limit `memory`)"), "{operation}: {errors}");
    }
}

/// Each library contains a list of all data values that were passed to it.
#[test]
fn libraries_of_libraries_count_as_memory() {
    let library = "_ytt_lib/l/values.yml";
    let template = "#@ load('@ytt:library', 'library')\n\
                    #@ def grow(l):\n#@   for turn in range(5000):\n\
                    #@     l = l.with_data_values({})\n#@   end\n#@ end\n\
                    a: #@ grow(library.get('l'))\n";
    let folder = tempfile::tempdir().expect("a folder");
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    write(library, "a: 1\n");
    write("a.yml", template);
    let output = Command::new(env!("CARGO_BIN_EXE_inlay"))
        .args(["-f", ".", "--limit", "memory=60000000"])
        .current_dir(folder.path())
        .output()
        .expect("inlay runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("(limit `memory`)"), "{errors}");
}

/// Printing thousands of new levels takes minutes, and nothing could read the result.
#[test]
fn a_field_of_a_configuration_is_not_created_too_deep() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata: {name: a}\n";
    fs::write(folder.path().join("config.yaml"), text).expect("a file");
    let assignment = format!("{}b=1", "a.".repeat(5000));
    let output = Command::new(env!("CARGO_BIN_EXE_inlay"))
        .args(["run", "config.yaml", "config.yaml", "--set", &assignment])
        .current_dir(folder.path())
        .output()
        .expect("inlay runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("deeper than 255 levels"), "{errors}");
}

#[test]
fn a_slice_of_a_path_takes_no_number_beyond_those_of_json() {
    for number in [i64::MIN, i64::MAX, 1 << 53, -(1 << 53)] {
        for slice in [
            format!("{number}:"),
            format!(":{number}"),
            format!("::{number}"),
        ] {
            let path = format!("$[{slice}]");
            let output = run(&["get", "-", &path], "[1, 2]");
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{path}: {errors}");
            assert!(errors.contains("up to 2^53-1"), "{path}: {errors}");
        }
    }
}
