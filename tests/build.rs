//! The command line of `inlay build`, which is ytt's, and of `inlay fmt`, as a user of a shell meets it.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

mod common {
    pub(crate) mod workspace;
}

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use common::workspace::{Outcome, shell};
use tempfile::TempDir;

/// A folder with a few files, and a shell in it.
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

/// Fails unless the call failed with this exit code, printed nothing, and said all of `phrases`.
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
    // A template keeps the build from printing files while they are read. It prints nothing itself.
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
fn what_an_overlay_replaces_has_the_place_of_the_overlay() {
    let place = Place::new();
    let base =
        "a: 1\nb:\n  c: 2\n  by: name\nlist:\n- name: x\n  v: 1\n- 2\nempty:\nwhole: {d: 1}\n";
    let overlay = r#"#@ load("@ytt:overlay", "overlay")
#@overlay/match by=overlay.all
---
a: 1
b:
  c: 3
  #@overlay/match missing_ok=True
  new: 4
  #@overlay/match by=lambda key, left, right: left == "name"
  other: function
list:
#@overlay/match by=overlay.index(0)
- v: 5
#@overlay/match by=overlay.index(1)
- 6
#@overlay/append
- 7
empty:
  e: 8
#@overlay/replace
whole:

  f: 9
#@overlay/match missing_ok=True
code: #@ {"g": [10]}
"#;
    fs::write(place.path("base.yml"), base).expect("a file can be written");
    fs::write(place.path("o.yml"), overlay).expect("a file can be written");
    let expected = "          base.yml:1 | [doc]
             o.yml:4 |   a: 1
          base.yml:2 |   b:
             o.yml:6 |     c: 3
            o.yml:10 |     by: function
             o.yml:8 |     new: 4
          base.yml:5 |   list:
          base.yml:6 |     [0]
          base.yml:6 |       name: x
            o.yml:13 |       v: 5
            o.yml:15 |     [1] 6
            o.yml:17 |     [2] 7
            o.yml:18 |   empty:
            o.yml:19 |     e: 8
            o.yml:21 |   whole:
            o.yml:23 |     f: 9
            o.yml:25 |   code:
            o.yml:25 |     g:
            o.yml:25 |       [0] 10
";
    assert_prints(
        &place.shell("inlay -f base.yml -f o.yml -o pos"),
        expected,
        "places of an overlay",
    );
}

#[test]
fn data_values_have_the_place_where_they_were_given_last() {
    let place = Place::new();
    let files = [
        ("schema.yml", "#@data/values-schema\n---\na: {b: 1, c: 2}\n"),
        ("values.yml", "#@data/values\n---\na:\n  b: 3\n"),
        ("plain.yml", "a: {c: 4}\n"),
    ];
    for (name, text) in files {
        fs::write(place.path(name), text).expect("a file can be written");
    }
    let expected = "          schema.yml:2 | [doc]
          schema.yml:3 |   a:
          values.yml:4 |     b: 3
           plain.yml:1 |     c: 4
";
    assert_prints(
        &place.shell("inlay -f schema.yml -f values.yml -d plain.yml --data-values-inspect -o pos"),
        expected,
        "places of data values",
    );
}

#[test]
fn positions_are_printed_beside_the_values() {
    let place = Place::new();
    fs::write(
        place.path("p.yml"),
        "# c\na: {b: 1}\n---\n- x\n- |\n  y\n  z\n",
    )
    .expect("a file can be written");
    let expected = [
        "          p.yml:1 | [doc]",
        "          p.yml:2 |   a:",
        "          p.yml:2 |     b: 1",
        "          p.yml:3 | [doc]",
        "          p.yml:4 |   [0] x",
        "          p.yml:5 |   [1]",
        "                  |     |",
        "  y",
        "  z\n",
    ];
    assert_prints(
        &place.shell("inlay -f p.yml -o pos"),
        &expected.join("\n"),
        "positions",
    );
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
fn output_folders_get_texts_and_yaml_files_that_say_something() {
    let place = Place::new();
    let outcome = place.shell("umask 027; inlay -f config --output-files ./out/");
    assert_prints(
        &outcome,
        "creating: out/note.txt\ncreating: out/a.yml\ncreating: out/nested/b.yaml\n",
        "a new folder",
    );
    assert_eq!(place.read("out/nested/b.yaml"), "b:\n- 1\n- 2\n");
    assert_eq!(place.read("out/note.txt"), "text\n");
    let mode = |name: &str| {
        fs::metadata(place.path(name))
            .expect("it is there")
            .permissions()
            .mode()
            & 0o777
    };
    assert_eq!((mode("out/nested"), mode("out/a.yml")), (0o750, 0o640));

    let _ = place.shell("chmod 600 out/a.yml; inlay -f config --output-files out");
    assert_eq!(mode("out/a.yml"), 0o600, "a file keeps its permissions");

    assert_prints(
        &place.shell("inlay -f one.yml --output-files out"),
        "creating: out/one.yml\n",
        "beside what is there",
    );
    assert_eq!(place.read("out/a.yml"), "a: x\n");
    let line = "inlay -f one.yml --dangerous-emptied-output-directory out --output-files other";
    assert_prints(&place.shell(line), "creating: out/one.yml\n", "emptied");
    assert!(!place.path("out/a.yml").exists() && !place.path("other").exists());
}

#[test]
fn a_folder_that_a_kustomization_reads_is_never_emptied() {
    let place = Place::new();
    let files = [
        ("top/kustomization.yaml", "resources: [../base]\n"),
        ("base/kustomization.yaml", "resources: [object.yaml]\n"),
        (
            "base/object.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\n",
        ),
    ];
    for (name, text) in files {
        let path = place.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder can be made");
        fs::write(path, text).expect("a file can be written");
    }
    for folder in ["top", "base"] {
        let line = format!("inlay -k top --dangerous-emptied-output-directory {folder}");
        let outcome = place.shell(&line);
        assert_eq!(outcome.code, 1, "{line}");
        let reason = format!("the folder `{folder}` cannot be emptied: it contains the input");
        assert!(outcome.stderr.contains(&reason), "{}", outcome.stderr);
    }
    assert!(place.path("base/object.yaml").exists());
}

#[test]
fn a_folder_that_holds_what_is_dear_is_never_emptied() {
    let place = Place::new();
    // Only folders of this test: what the guard says about real ones is decided by unit tests
    // of `src/workspace/output`, in memory.
    for (folder, phrase) in [
        (".", "cannot be emptied"),
        ("./", "cannot be emptied"),
        ("''", "expected an output folder, found an empty path"),
        ("config", "cannot be emptied"),
        ("config/nested", "cannot be emptied"),
        ("$PWD", "cannot be emptied"),
        ("config/../config", "cannot be emptied"),
    ] {
        let line = format!("inlay -f config --dangerous-emptied-output-directory {folder}");
        assert_fails(&place.shell(&line), 1, &["error[output]", phrase], &line);
    }
    assert_eq!(place.read("config/data.md"), "data\n");
    assert!(place.path("home").exists());
}

#[test]
fn a_run_that_fails_leaves_the_output_folder_as_it_is() {
    let place = Place::new();
    place.shell("mkdir out && echo old > out/old");
    let lines = [
        "inlay -f wrong.yml --dangerous-emptied-output-directory out",
        "inlay -f one.yml -f config/../one.yml --dangerous-emptied-output-directory out",
        "inlay -f one.yml --file-mark one.yml:path=../one.yml --dangerous-emptied-output-directory out",
    ];
    for line in lines {
        assert_fails(&place.shell(line), 1, &["error["], line);
        assert_eq!(place.read("out/old"), "old\n", "{line}");
    }
}

#[test]
fn bulk_output_is_one_object_and_holds_the_errors() {
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
fn links_that_stay_below_a_folder_are_read() {
    let place = Place::new();
    // A mounted ConfigMap.
    let version = place.path("volume/..2026_11_22");
    fs::create_dir_all(&version).expect("a folder can be made");
    fs::write(version.join("app.yml"), "app: true\n").expect("a file can be written");
    symlink("..2026_11_22", place.path("volume/..data")).expect("a link can be made");
    symlink("..data/app.yml", place.path("volume/app.yml")).expect("a link can be made");
    assert_prints(&place.shell("inlay -f volume"), "app: true\n", "a volume");
    assert_prints(
        &place.shell("inlay -f volume --files-inspect"),
        "- app.yml\n",
        "a volume",
    );

    // The file is below the working folder, but not below the folder that is read.
    symlink("../one.yml", place.path("volume/one.yml")).expect("a link can be made");
    assert_fails(
        &place.shell("inlay -f volume"),
        1,
        &["the link `volume/one.yml` points to"],
        "a link out of the folder",
    );
}

#[test]
fn links_are_followed_only_where_that_is_allowed() {
    let place = Place::new();
    fs::create_dir(place.path("links")).expect("a folder can be made");
    symlink(place.path("one.yml"), place.path("links/link.yml")).expect("a link can be made");
    symlink(place.path("config"), place.path("folder")).expect("a link can be made");
    for line in [
        "inlay -f links",
        "inlay -f links/link.yml",
        "inlay -f links --allow-symlink-destination config,home",
    ] {
        assert_fails(
            &place.shell(line),
            1,
            &["the link `links/link.yml` points to", "one.yml"],
            line,
        );
    }
    let allowed = [
        "inlay -f links --allow-symlink-destination config,one.yml",
        "inlay -f links --allow-symlink-destination .",
        "inlay -f links --dangerous-allow-all-symlink-destinations",
    ];
    for line in allowed {
        assert_prints(&place.shell(line), "one: true\n", line);
    }
    assert_fails(
        &place.shell("inlay -f folder"),
        1,
        &["the link `folder` points to"],
        "a link to a folder is a link",
    );
    assert_prints(
        &place.shell("inlay -f folder/nested"),
        "b:\n- 1\n- 2\n",
        "a folder behind a link that was typed",
    );
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
fn the_version_is_told() {
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

/// What a faithful build has to leave alone: comments, quotes, spaces, an empty document, a text without a final break.
const PLAIN: &str = "# head\nkind:   Deployment # kept\nspec: {replicas: 1,  paused: 'no'} # one\n---\n# nothing\n---\n\
                     # goes with its document\nkind: Secret\n---\nkind: \"Service\"";

const OVERLAYS: &str = "#@ load(\"@ytt:overlay\", \"overlay\")\n\
                        #@overlay/match by=overlay.subset({\"kind\": \"Deployment\"})\n---\nspec:\n  replicas: 3\n\
                        #@overlay/match by=overlay.subset({\"kind\": \"Secret\"})\n#@overlay/remove\n---\n\
                        #@overlay/match by=overlay.subset({\"kind\": \"Service\"})\n#@overlay/insert before=True\n---\n\
                        kind: New\n";

#[test]
fn a_faithful_build_changes_only_what_overlays_change() {
    let place = Place::new();
    fs::write(place.path("plain.yml"), PLAIN).expect("a file can be written");
    fs::write(place.path("overlays.yml"), OVERLAYS).expect("a file can be written");
    fs::write(place.path("template.yml"), "#@ x = 1\n---\nx:   #@ x\n")
        .expect("a file can be written");
    let expected = "# head\nkind:   Deployment # kept\nspec: {replicas: 3,  paused: 'no'} # one\n---\nkind: New\n---\n\
                    # nothing\n---\nkind: \"Service\"";
    let line = "inlay build --faithful -f plain.yml -f overlays.yml -f template.yml";
    assert_prints(
        &place.shell(line),
        &format!("{expected}\n---\nx: 1\n"),
        "standard output",
    );
    let outcome = place.shell(&format!("{line} --output-files out"));
    assert_prints(
        &outcome,
        "creating: out/plain.yml\ncreating: out/template.yml\n",
        "a folder",
    );
    assert_eq!(place.read("out/plain.yml"), expected);
}

#[test]
fn a_faithful_build_writes_files_without_code_byte_for_byte() {
    let place = Place::new();
    let texts = [
        ("in/a.yml", PLAIN),
        ("in/b.yml", "# only a comment\n"),
        ("in/c.yaml", "\u{feff}a: 1\r\nb:\r\n    - 0x10 # hex\r\n"),
        ("in/d/e.yml", "--- # marker\n&x a: *x\n...\n"),
        ("in/f.txt", "text\n"),
    ];
    fs::create_dir_all(place.path("in/d")).expect("a folder can be made");
    for (name, text) in texts {
        fs::write(place.path(name), text).expect("a file can be written");
    }
    let outcome = place.shell(
        "inlay build --faithful -f in --output-files out >&2 && diff -r in out && echo same",
    );
    assert_prints(&outcome, "same\n", "every file");
    assert_prints(
        &place.shell("inlay build --faithful -f in/b.yml"),
        "",
        "comments alone are no output",
    );
}

#[test]
fn a_faithful_build_prints_yaml() {
    let place = Place::new();
    for format in ["json", "pos"] {
        let line = format!("inlay build --faithful -f one.yml -o {format}");
        assert_fails(
            &place.shell(&line),
            1,
            &["`--faithful` prints YAML only"],
            &line,
        );
    }
    assert_prints(
        &place.shell("inlay build --faithful -f one.yml -o yaml"),
        "one: yes\n",
        "YAML",
    );
}
