//! `inlay get`, `inlay set` and `inlay delete` on files: their output and the files they write.

#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

/// A file name, its text, a path, and the text after the value at the path is deleted.
const DELETIONS: [(&str, &str, &str, &str); 12] = [
    ("a.yaml", "a: 1 # one\nb: 2\n", "a", "b: 2\n"),
    ("a.yaml", "a:\n  b: 1\nc: 2\n", "a.b", "a: {}\nc: 2\n"),
    (
        "a.yaml",
        "l:\n- name: x\n- name: y # why\n- name: z\n",
        "l.[name=y]",
        "l:\n- name: x\n- name: z\n",
    ),
    ("a.yaml", "l: [1, 2, 3]\n", "l.1", "l: [1, 3]\n"),
    (
        "a.yaml",
        "l:\n- {k: 1, m: 1}\n- {k: 2}\n- {m: 3}\n",
        "l.*.k",
        "l:\n- {m: 1}\n- {}\n- {m: 3}\n",
    ),
    (
        "a.yaml",
        "a: {x: 1}\nb: [{x: 2, y: 3}]\n",
        "$..x",
        "a: {}\nb: [{y: 3}]\n",
    ),
    (
        "a.yaml",
        "a: 1\n---\nb: 2\na: 3\n---\nc: 1\n",
        "a",
        "{}\n---\nb: 2\n---\nc: 1\n",
    ),
    (
        "a.yaml",
        "d:\n  a.json: |\n    {\n      \"x\": 1,\n      \"y\": 2\n    }\n",
        "d.a\\.json.y",
        "d:\n  a.json: |\n    {\n      \"x\": 1\n    }\n",
    ),
    (
        "a.yaml",
        "x: &a {k: 1}\ny: *a\n",
        "x.k",
        "x: &a {}\ny: *a\n",
    ),
    (
        "a.toml",
        "[s]\na = 1\nb = 2 # two\n",
        "s.a",
        "[s]\nb = 2 # two\n",
    ),
    ("a.properties", "a.b=1\nc=2\n", "[a.b]", "c=2\n"),
    (
        "a.json",
        "{\"a\": [1, {\"b\": 2}]}\n",
        "a.1",
        "{\"a\": [1]}\n",
    ),
];

#[test]
fn a_deletion_removes_the_value_with_its_key_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, before, path, after) in DELETIONS {
        std::fs::write(folder.path().join(name), before).expect("a file can be written");
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_inlay"))
            .current_dir(folder.path())
            .args(["delete", name, path])
            .output()
            .expect("the program runs");
        let found = String::from_utf8_lossy(&output.stdout);
        assert_eq!(
            found,
            after,
            "{before:?} without {path}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn what_cannot_be_deleted_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let cases = [
        ("a: 1\n", "b", "has no field `b`"),
        ("a: &x {k: 1}\nb: {<<: *x}\n", "b.k", "merge key"),
        ("a: '{\"b\": 1}'\n", "a.", "whole document"),
        ("a: [1]\n", "a.3", "a.3"),
    ];
    for (text, path, message) in cases {
        std::fs::write(folder.path().join("a.yaml"), text).expect("a file can be written");
        let run = |flags: &[&str]| {
            std::process::Command::new(env!("CARGO_BIN_EXE_inlay"))
                .current_dir(folder.path())
                .args(["delete", "a.yaml", path])
                .args(flags)
                .output()
                .expect("the program runs")
        };
        let output = run(&["-i"]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains(message), "{path} in {text:?}: {errors}");
        assert_eq!(output.status.code(), Some(1));
        let kept = std::fs::read_to_string(folder.path().join("a.yaml")).expect("a file");
        assert_eq!(kept, text);
    }
}

/// A file name, its text, an assignment, and the text after it.
const ASSIGNMENTS: [(&str, &str, &str, &str); 12] = [
    // Comments between a key and its colon.
    (
        "a.json",
        "{\"b\" /* c */ : 1}\n",
        "b=2",
        "{\"b\" /* c */ : 2}\n",
    ),
    (
        "a.json",
        "{\"b\" // c\n: 1}\n",
        "b={\"x\": []}",
        "{\"b\" // c\n: {\"x\": []}}\n",
    ),
    (
        "a.yaml",
        "d:\n  a.json: |\n    {\"b\" /* c */ : 80}\n",
        "d.a\\.json.b=90",
        "d:\n  a.json: |\n    {\"b\" /* c */ : 90}\n",
    ),
    // Comments in brackets without a child.
    (
        "a.json",
        "{\n  \"hosts\": [\n    // add hosts here\n  ]\n}\n",
        "hosts.0=a",
        "{\n  \"hosts\": [\n    // add hosts here\n    \"a\"\n  ]\n}\n",
    ),
    (
        "a.json",
        "{ // none yet\n}\n",
        "a={\"b\": 1}",
        "{ // none yet\n  \"a\":{\"b\":1}\n}\n",
    ),
    (
        "a.json",
        "{ /* none */ }\n",
        "a=1",
        "{ /* none */ \"a\":1 }\n",
    ),
    (
        "a.json",
        "{\n  // free\n\n  // tail\n}\n",
        "a=1",
        "{\n  // free\n\n  // tail\n  \"a\":1\n}\n",
    ),
    (
        "a.yaml",
        "data: { # none yet\n  }\nz: 1\n",
        "data.k=v",
        "data: { # none yet\n    k: v\n  }\nz: 1\n",
    ),
    (
        "a.yaml",
        "- [\r\n    # none yet\r\n  ]\r\n",
        "0.0=v",
        "- [\r\n    # none yet\r\n    v\r\n  ]\r\n",
    ),
    (
        "a.yaml",
        "data: {}\nz: 1\n",
        "data.k=v",
        "data:\n  k: v\nz: 1\n",
    ),
    // Readers take this character for a line break in a block scalar. JSON can escape it.
    (
        "a.yaml",
        "k: |\n  {\"a\": \"1\"}\n",
        "k.a=x\u{2028}y",
        "k: |\n  {\"a\": \"x\\u2028y\"}\n",
    ),
    (
        "a.yaml",
        "k: |\n  a=1\n",
        "k=x\u{2028}y\n",
        "k: \"x\\u2028y\\n\"\n",
    ),
];

#[test]
fn an_assignment_keeps_the_comments_around_the_value() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, before, assignment, after) in ASSIGNMENTS {
        std::fs::write(folder.path().join(name), before).expect("a file can be written");
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_inlay"))
            .current_dir(folder.path())
            .args(["set", name, assignment, "--create"])
            .output()
            .expect("the program runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{before}: {errors}");
        let found = String::from_utf8_lossy(&output.stdout);
        assert_eq!(found, after, "{assignment} in {before}");
    }
}

/// Base64 may contain line breaks and blanks.
#[test]
fn the_value_that_base64_already_contains_changes_no_byte() {
    let folder = tempfile::tempdir().expect("a folder");
    for scalar in [
        ">-\n    eyJhIjog\n    MX0=",
        "\"eyJhIjog\n    MX0=\"",
        "' eyJhIjogMX0= '",
        "|+\n    eyJhIjog\n    MX0=\n\n",
        "eyJhIjog\n    MX0=",
    ] {
        let text = format!("kind: Secret\napiVersion: v1\ndata:\n  t: {scalar}\n");
        std::fs::write(folder.path().join("a.yaml"), &text).expect("a file can be written");
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_inlay"))
            .current_dir(folder.path())
            .args(["set", "a.yaml", "data.t.a=1"])
            .output()
            .expect("the program runs");
        assert_eq!(String::from_utf8_lossy(&output.stdout), text);
    }
}

#[test]
fn get_prints_json_and_yaml() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "a: &x {k: 1.50, t: 'on'}\nb: {<<: *x, n: ~}\nl: [yes, \"1\"]\n\
                c: {<<: {y: 1}, true: 2}\n";
    std::fs::write(folder.path().join("a.yaml"), text).expect("a file can be written");
    let get = |path: &str, format: &str| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_inlay"))
            .current_dir(folder.path())
            .args(["get", "a.yaml", path, "-o", format])
            .output()
            .expect("the program runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert_eq!(get("l.*", "raw"), "yes\n1\n");
    assert_eq!(get("l.*", "json"), "true\n\"1\"\n");
    assert_eq!(get("l.*", "yaml"), "true\n---\n\"1\"\n");
    assert_eq!(get("b", "json"), "{\"k\":1.50,\"n\":null,\"t\":\"on\"}\n");
    assert_eq!(get("c", "json"), "{\"true\":2,\"y\":1}\n");
    assert_eq!(get("a.t", "yaml"), "\"on\"\n");
}

#[test]
fn set_writes_several_files_or_none() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [
        ("a.yaml", "n: 1\n"),
        ("b.json", "{\"n\": 2}\n"),
        ("c.yaml", "m: 1\n"),
    ] {
        std::fs::write(folder.path().join(name), text).expect("a file can be written");
    }
    let set = |arguments: &[&str]| {
        std::process::Command::new(env!("CARGO_BIN_EXE_inlay"))
            .current_dir(folder.path())
            .arg("set")
            .args(arguments)
            .output()
            .expect("the program runs")
    };
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a file");
    assert_eq!(
        set(&["a.yaml", "c.yaml", "n=3", "-i"]).status.code(),
        Some(1)
    );
    assert_eq!(read("a.yaml"), "n: 1\n");
    assert_eq!(
        set(&["a.yaml", "b.json", "n=3", "--in-place"])
            .status
            .code(),
        Some(0)
    );
    assert_eq!(
        (read("a.yaml"), read("b.json")),
        ("n: 3\n".to_owned(), "{\"n\": 3}\n".to_owned())
    );
    for wrong in [
        &["a.yaml", "b.json", "n=4"][..],
        &["a.yaml", "b.json"],
        &["a.yaml", "n=1", "b.json"],
        &["n=1", "n=2"],
    ] {
        assert_eq!(set(wrong).status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn files_flags_and_paths_can_be_written_in_any_order() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.yaml"), "n: 1\nm: 2\n").expect("a file can be written");
    let run = |arguments: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_inlay"))
            .current_dir(folder.path())
            .args(arguments)
            .output()
            .expect("the program runs");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    for arguments in [
        &["set", "a.yaml", "--type", "string", "n=3"][..],
        &["set", "a.yaml", "n=3", "--type", "string"],
        &["set", "--type", "string", "a.yaml", "n=3"],
        &["set", "--type=string", "a.yaml", "--create", "n=3"],
    ] {
        assert_eq!(run(arguments), "n: \"3\"\nm: 2\n", "{arguments:?}");
    }
    for arguments in [
        &["set", "a.yaml", "n=3", "--type", "keep", "m=4"][..],
        &[
            "set", "a.yaml", "--layout", "keep", "n=3", "--create", "m=4",
        ],
    ] {
        assert_eq!(run(arguments), "n: 3\nm: 4\n", "{arguments:?}");
    }
    for arguments in [
        &["delete", "a.yaml", "--layout", "keep", "n"][..],
        &["delete", "--layout", "keep", "a.yaml", "n"],
        &[
            "delete",
            "a.yaml",
            "--ignore-missing",
            "n",
            "--layout",
            "keep",
            "x",
        ],
    ] {
        assert_eq!(run(arguments), "m: 2\n", "{arguments:?}");
    }
    for arguments in [
        &["get", "-o", "json", "a.yaml", "n"][..],
        &["get", "a.yaml", "n", "-o", "json"],
    ] {
        assert_eq!(run(arguments), "1\n", "{arguments:?}");
    }
}

/// Three files; the last one has no field `n`.
struct Files {
    folder: tempfile::TempDir,
}

impl Files {
    fn new() -> Files {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in [
            ("a.yaml", "n: 1\nk: x\n"),
            ("b.json", "{\"n\": 2, \"k\": \"y\"}\n"),
            ("c.yaml", "k: z\n"),
        ] {
            std::fs::write(folder.path().join(name), text).expect("a file can be written");
        }
        Files { folder }
    }

    fn run(&self, arguments: &[&str]) -> std::process::Output {
        std::process::Command::new(env!("CARGO_BIN_EXE_inlay"))
            .current_dir(self.folder.path())
            .args(arguments)
            .output()
            .expect("the program runs")
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).expect("a file")
    }
}

#[test]
fn delete_writes_several_files_or_none() {
    let files = Files::new();
    let failed = files.run(&["delete", "a.yaml", "c.yaml", "n", "-i"]);
    assert_eq!(failed.status.code(), Some(1));
    assert_eq!(files.read("a.yaml"), "n: 1\nk: x\n");
    let checked = files.run(&["delete", "a.yaml", "b.json", "n", "--check"]);
    assert_eq!(checked.status.code(), Some(1));
    let done = files.run(&["delete", "a.yaml", "b.json", "n", "-i"]);
    assert_eq!(done.status.code(), Some(0));
    assert_eq!(files.read("a.yaml"), "k: x\n");
    assert_eq!(files.read("b.json"), "{\"k\": \"y\"}\n");
    for wrong in [
        &["a.yaml", "b.json", "k"][..],
        &["a.yaml", "b.json", "-i"],
        &["a.yaml", "k", "b.json", "-i"],
        &["a.yaml"],
    ] {
        let wrong = [&["delete"], wrong].concat();
        assert_eq!(files.run(&wrong).status.code(), Some(2), "{wrong:?}");
    }
    assert_eq!(files.read("a.yaml"), "k: x\n");
}

#[test]
fn a_misspelt_file_of_delete_is_an_error_with_ignore_missing_too() {
    let files = Files::new();
    let arguments = ["delete", "a.yaml", "bb.json", "n", "--ignore-missing", "-i"];
    let failed = files.run(&arguments);
    let errors = String::from_utf8_lossy(&failed.stderr);
    assert_eq!(failed.status.code(), Some(1), "{errors}");
    assert!(errors.contains("there is no file `bb.json`"), "{errors}");
    assert_eq!(files.read("a.yaml"), "n: 1\nk: x\n");
}

#[test]
fn get_prints_the_values_of_several_files_or_none() {
    let files = Files::new();
    let found = files.run(&["get", "a.yaml", "b.json", "c.yaml", "k"]);
    assert_eq!(String::from_utf8_lossy(&found.stdout), "x\ny\nz\n");
    let failed = files.run(&["get", "a.yaml", "c.yaml", "n"]);
    assert_eq!(failed.status.code(), Some(1));
    assert!(failed.stdout.is_empty());
    let unquoted = files.run(&["get", "a.yaml", "Deployment/web", "spec.replicas"]);
    let errors = String::from_utf8_lossy(&unquoted.stderr);
    assert_eq!(unquoted.status.code(), Some(2));
    assert!(
        errors.contains("'Deployment/web spec.replicas'"),
        "{errors}"
    );
}
