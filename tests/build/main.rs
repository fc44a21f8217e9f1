//! The command lines of `inlay build`, which are ytt's, and of `inlay fmt`, run in a shell.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

#[path = "../common"]
mod common {
    pub(crate) mod workspace;
}

mod faithful;
mod folders;
mod positions;

use std::fs;
use std::path::PathBuf;

use common::workspace::{Outcome, shell};
use tempfile::TempDir;

/// A folder with a few files, and a shell that runs in it.
struct Place(TempDir);

impl Place {
    fn new() -> Place {
        let place = Place(TempDir::new().expect("a temporary folder can be made"));
        for folder in ["home", "config/nested"] {
            fs::create_dir_all(place.path(folder)).expect("a folder can be made");
        }
        let files = [
            ("config/a.yml", "# plain\na: 'x'\n---\n"),
            ("config/nested/b.yaml", "b: [1, 2]\n"),
            ("config/note.txt", "text\n"),
            ("config/data.md", "data\n"),
            ("one.yml", "one: yes\n"),
            ("wrong.yml", "wrong: [\n"),
        ];
        for (name, text) in files {
            fs::write(place.path(name), text).expect("a file can be written");
        }
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn shell(&self, line: &str) -> Outcome {
        shell(self.0.path(), self.0.path(), line)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

fn assert_prints(outcome: &Outcome, expected: &str, what: &str) {
    assert_eq!(
        (outcome.code, outcome.stdout.as_str()),
        (0, expected),
        "{what}; standard error:\n{}",
        outcome.stderr
    );
}

/// Fails unless the call ended with this exit code, printed nothing to standard output, and
/// reported all of `phrases`.
fn assert_fails(outcome: &Outcome, code: i32, phrases: &[&str], what: &str) {
    assert_eq!(
        (outcome.code, outcome.stdout.as_str()),
        (code, ""),
        "{what}; standard error:\n{}",
        outcome.stderr
    );
    for phrase in phrases {
        assert!(
            outcome.stderr.contains(phrase),
            "{what}: `{phrase}` is not said; standard error:\n{}",
            outcome.stderr
        );
    }
}

#[test]
fn files_folders_and_standard_input_are_printed_in_the_order_given() {
    let place = Place::new();
    let table = [
        ("inlay -f config", "a: x\n---\nb:\n- 1\n- 2\n"),
        (
            "inlay build -f one.yml -f config/",
            "one: true\n---\na: x\n---\nb:\n- 1\n- 2\n",
        ),
        ("inlay template -f one.yml", "one: true\n"),
        (
            "echo 'c: 3' | inlay -f - -f one.yml",
            "c: 3\n---\none: true\n",
        ),
        (
            "echo 'c: 3' | inlay -f in.md=- --file-mark stdin.yml:type=yaml-plain",
            "c: 3\n",
        ),
        ("bash -c 'inlay -f c.yml=<(echo c: 3)'", "c: 3\n"),
        ("bash -c 'inlay -f <(echo c: 3)'", ""),
        ("inlay -f config/data.md", ""),
        ("inlay -f config -o json", r#"{"a":"x"}{"b":[1,2]}"#),
        (
            "inlay -f config -o json,yaml --output yaml",
            r#"{"a":"x"}{"b":[1,2]}"#,
        ),
        (
            "inlay -f one.yml --strict=false --debug=false",
            "one: true\n",
        ),
        (
            "inlay -f config --files-inspect",
            "- a.yml\n- data.md\n- nested/b.yaml\n- note.txt\n",
        ),
        (
            "inlay -f config --file-mark 'nested/**/*:exclude=true'",
            "a: x\n",
        ),
        (
            "inlay -f config --file-mark a.yml:exclusive-for-output=true",
            "a: x\n",
        ),
        (
            "inlay --bulk-in '{\"files\":[{\"name\":\"x/y.yml\",\"data\":\"z: 1\"}]}'",
            "z: 1\n",
        ),
        ("inlay build", ""),
    ];
    for (line, expected) in table {
        assert_prints(&place.shell(line), expected, line);
    }
}

#[test]
fn files_without_code_are_printed_as_beside_a_template() {
    let place = Place::new();
    let document = "---\n# a comment\na: {b: [yes, 'two'], c: }\nd: |\n  text\n---\n[]\n";
    let plain = document.repeat(4_000);
    let files = [
        ("large.yml", plain.as_str()),
        ("empty.yml", "# nothing\n---\n{}\n"),
        ("anchor.yml", "a: &x 1\nb: *x\n"),
        ("code.yml", "#@ a = 1\n"),
        ("none.yml", ""),
    ];
    for (name, text) in files {
        fs::write(place.path(name), text).expect("a file can be written");
    }
    // A template keeps the build from printing files while it reads them. This one prints nothing
    // itself.
    for files in [
        "-f empty.yml -f large.yml -f one.yml",
        "-f none.yml -f one.yml",
        "-f large.yml -f anchor.yml",
        "-f one.yml -f large.yml -f empty.yml",
        "-f config",
        "-f empty.yml",
    ] {
        let expected = place.shell(&format!("inlay {files} -f code.yml"));
        assert_eq!(expected.code, 0, "{files}; {}", expected.stderr);
        for threads in ["1", "2"] {
            let line = format!("inlay {files} --threads {threads}");
            assert_prints(&place.shell(&line), &expected.stdout, &line);
        }
        let line = format!("rm -f out.yaml; inlay {files} --output-file out.yaml");
        assert_prints(&place.shell(&line), "creating: out.yaml\n", &line);
        assert_eq!(place.read("out.yaml"), expected.stdout, "{line}");
    }
    let failed = place.shell("inlay -f large.yml -f wrong.yml");
    assert_fails(&failed, 1, &["wrong.yml:1:8"], "a mistake in one file");
    let limited = place.shell("inlay -f large.yml --limit output=100");
    assert_fails(&limited, 1, &["--limit output="], "a limit of the output");
}

#[test]
fn a_warning_says_that_text_is_not_printed() {
    let place = Place::new();
    let outcome = place.shell("inlay -f config");
    assert!(
        outcome
            .stderr
            .contains("warning[output]: texts are not printed on standard output: `note.txt`")
    );
    let quiet = place.shell("inlay -f config --output-files out");
    assert_eq!(quiet.stderr, "");
}

#[test]
fn bulk_output_is_one_object_and_contains_the_errors() {
    let place = Place::new();
    let files = r#"{"files":[{"name":"note.txt","data":"text\n"},{"name":"a.yml","data":"a: x\n"},{"name":"nested/b.yaml","data":"b:\n- 1\n- 2\n"}]}"#;
    assert_prints(&place.shell("inlay -f config --bulk-out"), files, "files");
    let outcome = place.shell("inlay -f wrong.yml --bulk-out");
    assert_eq!(outcome.code, 0);
    assert!(
        outcome
            .stdout
            .starts_with(r#"{"errors":"error[yaml-syntax]"#),
        "{}",
        outcome.stdout
    );
    assert!(outcome.stdout.contains("wrong.yml:1"), "{}", outcome.stdout);
    assert_fails(
        &place.shell("inlay --bulk-in '['"),
        1,
        &["error[json-syntax]"],
        "no JSON",
    );
}

#[test]
fn bulk_input_contains_data_values() {
    let place = Place::new();
    let bulk = r##"{"files":[{"name":"a.yml","data":"#@data/values-schema\n---\nx: 1\nz: 1\n"},
        {"name":"b.yml","data":"#@ load(\"@ytt:data\", \"data\")\n---\nx: #@ data.values.x\nz: #@ data.values.z\n"}],
        "dataValues":[{"name":"v.yml","data":"x: 2\nz: 2\n"},{"name":"w.yml","data":"z: 3\n"}]}"##;
    let line = format!("inlay --bulk-in '{bulk}'");
    assert_prints(&place.shell(&line), "x: 2\nz: 3\n", "the later entry wins");
    assert_prints(
        &place.shell(&format!("{line} --data-value-yaml x=9")),
        "x: 9\nz: 3\n",
        "a flag wins",
    );
}

#[test]
fn a_check_that_fails_differs_from_a_check_that_finds_a_difference() {
    let place = Place::new();
    for (line, code) in [
        ("inlay fmt config --check", 1),
        ("inlay fmt -i config && inlay fmt --check config", 0),
        ("inlay fmt --check wrong.yml", 3),
        ("inlay fmt --check nope.yml", 3),
        ("inlay fmt --check=false wrong.yml", 1),
        ("inlay fmt wrong.yml", 1),
        ("inlay fmt --check", 2),
        ("inlay -f wrong.yml", 1),
    ] {
        let outcome = place.shell(line);
        assert_eq!(outcome.code, code, "{line}: {}", outcome.stderr);
    }
}

#[test]
fn what_a_flag_cannot_mean_is_an_error() {
    let place = Place::new();
    let table: [(&str, i32, &[&str]); 13] = [
        ("inlay foo", 2, &["unrecognized subcommand 'foo'"]),
        ("inlay build foo", 2, &["unexpected argument 'foo'"]),
        ("inlay --nope", 2, &["unexpected argument '--nope'"]),
        ("inlay -f one.yml -o xml", 2, &["invalid value 'xml'"]),
        (
            "inlay -f one.yml run a b",
            2,
            &["put the options of build after `build`"],
        ),
        ("inlay -f nope", 1, &["error[file]: cannot read `nope`"]),
        (
            "inlay -f /dev/null",
            1,
            &["is neither a file, a folder nor a pipe"],
        ),
        (
            "inlay -f - -f -",
            1,
            &["standard input can be read only once"],
        ),
        ("inlay -f a=b=one.yml", 1, &["expected at most one `=`"]),
        (
            "inlay -f ../x.yml=one.yml",
            1,
            &["expected a path relative to the workspace"],
        ),
        (
            "inlay -f https://example.com/x.yml",
            1,
            &["inlay reads nothing from the network"],
        ),
        (
            "inlay -f one.yml --file-mark x:exclude=true",
            1,
            &[
                "the file mark `x:exclude=true` finds no file",
                "--files-inspect",
            ],
        ),
        (
            "inlay -f one.yml --strict",
            1,
            &[
                "error[strict]",
                "one.yml:1:6",
                "write true, or \"yes\" for a string",
            ],
        ),
    ];
    for (line, code, phrases) in table {
        assert_fails(&place.shell(line), code, phrases, line);
    }
}

#[test]
fn a_write_that_fails_is_an_error() {
    let place = Place::new();
    if place.path("/dev/full").exists() {
        for line in [
            "inlay -f one.yml > /dev/full",
            "inlay fmt -f one.yml > /dev/full",
        ] {
            assert_fails(
                &place.shell(line),
                1,
                &["cannot write standard output"],
                line,
            );
        }
    }
    let line = "touch file && inlay -f config --output-files file/out";
    assert_fails(
        &place.shell(line),
        1,
        &["error[output]: cannot create the folder `file/out`"],
        line,
    );
}

#[test]
fn the_version_is_printed() {
    let expected = format!("inlay version {}\n", env!("CARGO_PKG_VERSION"));
    assert_prints(&Place::new().shell("inlay version"), &expected, "version");
}

#[test]
fn fmt_prints_writes_or_checks() {
    let place = Place::new();
    let formatted = "# plain\na: x\n\n---\nb:\n  - 1\n  - 2\n";
    assert_prints(
        &place.shell("inlay fmt -f config"),
        formatted,
        "a folder, without what is no YAML",
    );
    let outcome = place.shell("inlay fmt -f config --check");
    assert_eq!(
        (outcome.code, outcome.stdout.as_str()),
        (
            1,
            "would change config/a.yml\nwould change config/nested/b.yaml\n"
        )
    );
    assert_prints(&place.shell("inlay fmt -i -f config"), "", "in place");
    assert_eq!(place.read("config/nested/b.yaml"), "b:\n  - 1\n  - 2\n");
    assert_prints(
        &place.shell("inlay fmt --check -f config"),
        "",
        "nothing is left to do",
    );
    assert_fails(
        &place.shell("inlay fmt -f wrong.yml -i"),
        1,
        &["error[yaml-syntax]"],
        "no YAML",
    );
    assert_eq!(place.read("wrong.yml"), "wrong: [\n");
    assert_fails(
        &place.shell("echo a: 1 | inlay fmt -i -f -"),
        2,
        &["standard input cannot be written"],
        "in place",
    );
    assert_fails(
        &place.shell("inlay fmt -s -f one.yml"),
        1,
        &["error[strict]"],
        "strict",
    );
    for (name, text) in [
        ("1.yml", "a: |+\n  x\n\n# b\n"),
        ("2.yml", "%YAML 1.2 # c\n---\nd: 1\n"),
    ] {
        fs::write(place.path(name), text).expect("a file can be written");
    }
    assert_prints(
        &place.shell("inlay fmt -f 1.yml -f 2.yml"),
        "a: |+\n  x\n\n# b\n...\n%YAML 1.2 # c\n---\nd: 1\n",
        "a directive needs the end of the document before it",
    );
}
