//! Text that is printed beside documents cannot control a terminal, forge a line, or give a command
//! to a CI system.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

use std::fs;
use std::process::{Command, Output};

use tempfile::TempDir;

/// A name with a line break, a control sequence, and a character that reverses the writing
/// direction.
const NAME: &str = "a\nwould change b\u{1b}[2J\u{202e}.yaml";

/// The name as it is printed.
const QUOTED: &str = r#""in/a\nwould change b\033[2J\342\200\256.yaml""#;

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("in")).expect("a folder");
    let text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata:   {a: b}\n";
    fs::write(folder.path().join("in").join(NAME), text).expect("a file");
    let config = "apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata: {name: c}\nspec:\n  replacements:\n  \
                  - {sourceValue: new, targets: [{select: {kind: ConfigMap}, fieldPaths: [data.a]}]}\n";
    fs::write(folder.path().join("config"), config).expect("a file");
    folder
}

fn run(folder: &TempDir, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_inlay"))
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .expect("inlay runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn names_are_quoted_as_git_does() {
    let folder = folder();
    let commands: [(&[&str], &str); 5] = [
        (&["run", "config", "in", "--check"], "would change "),
        (&["run", "config", "in", "--diff"], "--- "),
        (&["fmt", "in", "--check"], "would change "),
        (&["-f", "in", "--debug"], ""),
        (&["-f", "in", "-o", "pos"], ""),
    ];
    for (arguments, prefix) in commands {
        let output = run(&folder, arguments);
        let all = text(&output.stdout) + &text(&output.stderr);
        assert!(
            !all.contains(['\u{1b}', '\u{202e}']),
            "{arguments:?}: {all}"
        );
        let quoted = if prefix.is_empty() {
            &QUOTED[4..]
        } else {
            QUOTED
        };
        assert!(
            all.contains(&format!("{prefix}{quoted}")),
            "{arguments:?}: {all}"
        );
    }
    let output = run(&folder, &["-f", "in", "--output-files", "out"]);
    let list = text(&output.stdout);
    assert_eq!(list.lines().count(), 1, "{list}");
    assert!(list.starts_with("creating: \"out/a\\nwould"), "{list}");
}

#[test]
fn no_line_of_a_list_is_a_command_to_a_ci_system() {
    let folder = folder();
    let name = "::error::x.yml";
    for place in ["lists", "lists/old", "lists/::error::k"] {
        fs::create_dir(folder.path().join(place)).expect("a folder");
    }
    let object = "apiVersion: v1\nkind: '::error::K'\nmetadata: {name: a}\n'::error::k': 1\n";
    let files = [
        (name, "apiVersion: v1\n'::error::k':   2\n"),
        ("old/::error::x.yml", "apiVersion: v1\n'::error::k': 1\n"),
        ("object.yaml", object),
        ("::error::broken.yml", "a: ["),
        ("::error::plain.yml", "a: 1\n"),
        ("::error::k/kustomization.yaml", "resources: []\n"),
        (
            "patch.config",
            "apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata: {name: c}\nspec:\n  \
             patches: [{target: {name: a}, patch: '[{op: replace, path: \"/::error::k\", value: 2}]'}]\n",
        ),
    ];
    for (path, content) in files {
        fs::write(folder.path().join("lists").join(path), content).expect("a file");
    }
    let inside = folder.path().join("lists");
    let commands: [&[&str]; 10] = [
        &["-f", "::error::broken.yml", "--diagnostics", "short"],
        &["-f", name, "-o", "pos"],
        &["-f", "::error::plain.yml", "--debug"],
        &["-f", name, "--stat", "--against", "old"],
        &["-f", name, "--diff=semantic", "--against", "old"],
        &["fmt", name, "--diff=semantic"],
        &["run", "patch.config", "object.yaml", "--stat"],
        &["run", "patch.config", "object.yaml", "--diff=semantic"],
        &["explain", "build", "-f", name, "--", "::error::k"],
        &["doctor", "::error::k"],
    ];
    for arguments in commands {
        let output = Command::new(env!("CARGO_BIN_EXE_inlay"))
            .args(arguments)
            .current_dir(&inside)
            .output()
            .expect("inlay runs");
        let all = text(&output.stdout) + &text(&output.stderr);
        assert!(all.contains(":error::"), "{arguments:?}: {all}");
        for line in all.lines() {
            assert!(!line.trim_start().starts_with("::"), "{arguments:?}: {all}");
        }
    }
}

#[test]
fn no_line_of_a_message_is_a_command_to_a_ci_system() {
    let folder = folder();
    let template = "#@ load(\"@ytt:assert\", \"assert\")\na: #@ assert.fail(\"x\\n::error::forged\\n  ::add-mask::y ##[error]z\")\n";
    fs::write(folder.path().join("fail.yml"), template).expect("a file");
    let key = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\n\"::error::forged\\n::warning::w\": {a: b}\n";
    fs::write(folder.path().join("key.yaml"), key).expect("a file");
    for arguments in [
        &["-f", "fail.yml"][..],
        &["-f", "fail.yml", "--diagnostics", "short"],
        &["get", "key.yaml", "::error::forged\n::warning::w.a.deeper"],
    ] {
        let output = run(&folder, arguments);
        let errors = text(&output.stderr);
        assert!(errors.contains("error"), "{errors}");
        for line in errors.lines() {
            assert!(
                !line.trim_start().starts_with("::"),
                "{arguments:?}: {errors}"
            );
            assert!(!line.contains("##["), "{arguments:?}: {errors}");
        }
    }
}
