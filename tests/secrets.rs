//! The values of Secrets appear in no message, no result and no diff, however a run fails.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use tempfile::TempDir;

/// Texts that must not be printed: a value, its base64, and values inside documents.
const SECRETS: [&str; 5] = [
    "s3cret-value",
    "czNjcmV0LXZhbHVl",
    "inner-s3cret",
    "plain-s3cret",
    "multi-s3cret",
];

/// The base64 of `{"password": "inner-s3cret", "port": 1}`.
const INNER: &str = "eyJwYXNzd29yZCI6ICJpbm5lci1zM2NyZXQiLCAicG9ydCI6IDF9";

fn secret() -> String {
    format!(
        "apiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\ndata:\n  token: czNjcmV0LXZhbHVl\n  doc.json: {INNER}\n\
         stringData:\n  plain: plain-s3cret\n  app.properties: |\n    password=multi-s3cret\n  number: \"12\"\n"
    )
}

fn inlay(spec: &str) -> String {
    format!("apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata: {{name: c}}\nspec:\n{spec}")
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "secret.yaml", &secret());
    write(
        folder.path(),
        "map.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata: {a: b, x.json: '{}'}\n",
    );
    write(
        folder.path(),
        "bad.env",
        "token=plain-s3cret\n=plain-s3cret\n",
    );
    folder
}

fn write(folder: &Path, name: &str, text: &str) {
    fs::write(folder.join(name), text).expect("a file");
}

/// Returns all output of a command, and whether it succeeded.
fn printed(folder: &Path, arguments: &[&str], input: &str) -> (String, bool) {
    write(folder, "standard-input", input);
    let input = fs::File::open(folder.join("standard-input")).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_inlay"))
        .args(arguments)
        .current_dir(folder)
        .env("APP_db__port", "plain-s3cret")
        .env("APP_db", "plain-s3cret")
        .stdin(Stdio::from(input))
        .output()
        .expect("inlay runs");
    let text = [output.stdout, output.stderr].concat();
    (
        String::from_utf8_lossy(&text).into_owned(),
        output.status.success(),
    )
}

fn assert_hides(text: &str, what: &str) {
    for secret in SECRETS.iter().chain([&INNER]) {
        assert!(!text.contains(secret), "{what} shows {secret}:\n{text}");
    }
}

/// Configurations that fail, or warn, near a Secret.
const FAILURES: [&str; 16] = [
    // The value is quoted in a message, or its line is in an excerpt.
    "  replacements:\n  - source: {kind: Secret, fieldPath: data.token.deeper}\n    targets: [{select: {kind: ConfigMap}, fieldPaths: [data.a]}]\n",
    "  replacements:\n  - source: {kind: Secret, fieldPath: data.doc\\.json.missing}\n    targets: [{select: {kind: ConfigMap}, fieldPaths: [data.a]}]\n",
    "  replacements:\n  - source: {kind: Secret, fieldPath: data.doc\\.json.password.deeper}\n    targets: [{select: {kind: ConfigMap}, fieldPaths: [data.a]}]\n",
    "  replacements:\n  - source: {kind: Secret, fieldPath: stringData.plain, options: {delimiter: '-', index: 9}}\n    targets: [{select: {kind: ConfigMap}, fieldPaths: [data.a]}]\n",
    "  replacements:\n  - source: {kind: Secret, fieldPath: stringData.plain}\n    targets: [{select: {kind: Secret}, fieldPaths: [data.doc\\.json.port.x]}]\n",
    "  replacements:\n  - sourceValue: x\n    targets: [{select: {kind: Secret}, fieldPaths: [stringData.app\\.properties.missing.deeper]}]\n",
    "  patches: [{target: {kind: Secret}, patch: '[{op: test, path: /stringData/plain, value: other}]'}]\n",
    "  patches: [{target: {kind: Secret}, patch: '[{op: test, path: /data/doc.json/password, value: other}]'}]\n",
    "  patches: [{target: {kind: Secret}, patch: '[{op: add, path: /stringData/plain/0, value: other}]'}]\n",
    "  secretGenerator: [{name: g, literals: [plain-s3cret]}]\n",
    "  secretGenerator: [{name: g, envs: [bad.env]}]\n",
    // The form or the name of a field is wrong, so that it is not recognized as a field with
    // values.
    "  secretGenerator: [{name: g, literals: {a: plain-s3cret}}]\n",
    "  secretGenerator: [{name: g, literal: [a=plain-s3cret]}]\n",
    "  secretGenerator: [{name: g, mergeValues: [{key: a, value: plain-s3cret}]}]\n",
    "  secretGenerators: [{name: g, literals: [a=plain-s3cret]}]\n",
    // The base64 of a generated value.
    "  secretGenerator: [{name: g, literals: [a=s3cret-value]}]\n  replacements:\n  - source: {kind: Secret, name: g, fieldPath: data.a, options: {delimiter: '!', index: 9}}\n    targets: [{select: {kind: ConfigMap}, fieldPaths: [data.a]}]\n",
];

#[test]
fn no_message_shows_the_value_of_a_secret() {
    let folder = folder();
    for (number, spec) in FAILURES.iter().enumerate() {
        write(folder.path(), "config.yaml", &inlay(spec));
        for format in ["human", "short", "json"] {
            let arguments = [
                "run",
                "config.yaml",
                "secret.yaml",
                "map.yaml",
                "--diagnostics",
                format,
            ];
            let (text, succeeded) = printed(folder.path(), &arguments, "");
            assert!(!succeeded, "{number} succeeds:\n{text}");
            assert_hides(&text, &format!("{number} ({format})"));
        }
    }
}

#[test]
fn no_result_of_a_function_shows_the_value_of_a_secret() {
    let folder = folder();
    let item = secret().replace('\n', "\n  ");
    for (number, spec) in FAILURES.iter().enumerate() {
        let config = inlay(spec).replace('\n', "\n  ");
        let list = format!(
            "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- {item}\nfunctionConfig:\n  {config}\n"
        );
        let (text, _) = printed(folder.path(), &[], &list);
        let results = text
            .split_once("\nresults:")
            .map_or("", |(_, results)| results);
        assert!(results.contains("severity: error"), "{number}:\n{text}");
        assert_hides(results, &number.to_string());
    }
}

#[test]
fn a_flag_shows_secrets() {
    let folder = folder();
    write(folder.path(), "config.yaml", &inlay(FAILURES[6]));
    let arguments = ["run", "config.yaml", "secret.yaml", "--show-secrets"];
    let (text, _) = printed(folder.path(), &arguments, "");
    assert!(text.contains("plain-s3cret"), "{text}");
}

#[test]
fn a_diff_shows_that_a_secret_changes_and_not_its_value() {
    let folder = folder();
    let spec = "  replacements:\n  - sourceValue: other\n    targets:\n    - {select: {kind: Secret}, fieldPaths: \
                [stringData.plain, data.doc\\.json.password, stringData.app\\.properties.password]}\n";
    write(folder.path(), "config.yaml", &inlay(spec));
    let (text, succeeded) = printed(
        folder.path(),
        &["run", "config.yaml", "secret.yaml", "--diff"],
        "",
    );
    assert!(succeeded, "{text}");
    assert_hides(&text, "the diff");
    for line in [
        "-  plain: …",
        "+  plain: …",
        "-  doc.json: …",
        "+  doc.json: …",
        "-    …",
        "+    …",
    ] {
        assert!(
            text.lines().any(|found| found == line),
            "{line} is missing:\n{text}"
        );
    }
    let arguments = [
        "run",
        "config.yaml",
        "secret.yaml",
        "--diff",
        "--show-secrets",
    ];
    let (text, _) = printed(folder.path(), &arguments, "");
    assert!(
        text.contains("-  plain: plain-s3cret\n+  plain: other\n"),
        "{text}"
    );
}

#[test]
fn no_message_shows_the_value_of_a_variable() {
    let folder = folder();
    let schema = "#@data/values-schema\n---\ndb: {port: 1}\n";
    write(folder.path(), "schema.yml", schema);
    let table: [&[&str]; 3] = [
        &["-f", "schema.yml", "--data-values-env", "APP"],
        &["-f", "schema.yml", "--data-values-env-yaml", "APP"],
        &["-f", "schema.yml", "--data-values-env", "APP", "--bulk-out"],
    ];
    for arguments in table {
        let (text, _) = printed(folder.path(), arguments, "");
        assert!(text.contains("error"), "{text}");
        assert_hides(&text, &arguments.join(" "));
    }
    // The keys in the name of the variable are wrong.
    for name in ["APP_", "APP___a", "APP_a__"] {
        let output = Command::new(env!("CARGO_BIN_EXE_inlay"))
            .args(["-f", "schema.yml", "--data-values-env", "APP"])
            .current_dir(folder.path())
            .env(name, "plain-s3cret")
            .output()
            .expect("inlay runs");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(text.contains("expected a key, found none"), "{text}");
        assert!(text.contains(&format!("{name}=\u{2026}")), "{text}");
        assert_hides(&text, name);
    }
}

/// A message about a document in a value quotes the word that it does not expect.
#[test]
fn a_broken_document_in_a_secret_shows_no_word() {
    let folder = folder();
    let documents = [
        (r#"{"password": plain-s3cret"#, "expected a value"),
        (
            r#"{"user": "a", "password": plain-s3cret"#,
            "expected a value",
        ),
        ("[a, plain-s3cret", "expected"),
        ("a: \"b\" plain-s3cret", "not valid YAML"),
        ("a: &plain-s3cret [*plain-s3cret]", "contains itself"),
        ("plain-s3cret text", "not-a-document"),
    ];
    for (document, message) in documents {
        let quoted = format!("{document:?}");
        let encoded = BASE64_STANDARD.encode(document);
        for (field, value) in [("stringData", &quoted), ("data", &encoded)] {
            let text = format!("kind: Secret\nmetadata: {{name: s}}\n{field}:\n  doc: {value}\n");
            write(folder.path(), "secret.yaml", &text);
            let path = format!("{field}.doc.x");
            let (text, succeeded) = printed(folder.path(), &["get", "secret.yaml", &path], "");
            assert!(!succeeded && text.contains(message), "{document}: {text}");
            assert_hides(&text, document);
        }
    }
}

#[test]
fn a_broken_file_with_a_secret_shows_no_value() {
    let folder = folder();
    let head = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n";
    for broken in [
        secret() + "  broken: [\n",
        secret() + "  token: czNjcmV0LXZhbHVl\n",
        secret() + "\tx: plain-s3cret\n",
        secret() + "  a: plain-s3cret: b\n",
        // A line in flow style, and a second line that begins with another key.
        "{kind: Secret, metadata: {name: s}, stringData: {p: plain-s3cret}}\nx: [\n".to_owned(),
        "{kind: Secret, metadata: {\n  name: s}, stringData: {p: plain-s3cret}}\nx: [\n".to_owned(),
        "{\"kind\": \"Secret\", \"stringData\": {\"p\": \"plain-s3cret\"}\n".to_owned(),
        // A value whose key is shown elsewhere.
        format!("{head}stringData:\n  name: plain-s3cret\n  broken: [\n"),
        // Lines of a value that look like keys.
        "kind: List\nitems:\n- {kind: Secret,\n   stringData: {p:\n  plain-s3cret, q: [}}\n"
            .to_owned(),
        format!("{head}stringData:\n  p: |\n    plain-s3cret and: more\n  broken: [\n"),
        // Keys of values that have the name of a field.
        format!("{head}stringData:\n  name: plain-s3cret\n  type: [\n"),
        "{\"kind\": \"Secret\", \"stringData\": {\n\"name\": \"plain-s3cret\"\n\"q\": 1}}\n"
            .to_owned(),
        format!("{head}stringData:\n  p: |\n    plain-s3cret==\n  broken: [\n"),
        format!("{head}stringData:\n  p: |\n    plain-s3cret:x\n  broken: [\n"),
    ] {
        write(folder.path(), "broken.yaml", &broken);
        for arguments in [
            &["run", "map.yaml", "broken.yaml"][..],
            &["-f", "broken.yaml"],
            &["fmt", "broken.yaml"],
            &["get", "broken.yaml", "data.missing"],
        ] {
            let (text, succeeded) = printed(folder.path(), arguments, "");
            if !succeeded {
                assert_hides(&text, &format!("{arguments:?} {broken:?}"));
            }
        }
    }
}

#[test]
fn a_secret_whose_fields_have_a_wrong_form_shows_no_value() {
    let folder = folder();
    let wrong = [
        "data: czNjcmV0LXZhbHVl",
        "stringData: plain-s3cret",
        "stringData: [plain-s3cret]",
        "stringData: {a: [plain-s3cret, {b: inner-s3cret}]}",
        "stringData: {a: {b: x}}\nstringdata: {a: plain-s3cret}",
        "dat: {a: czNjcmV0LXZhbHVl}",
    ];
    let config = inlay(
        "  replacements:\n  - sourceValue: x\n    targets:\n    - {select: {kind: Secret}, fieldPaths: \
         [stringData.a.b.c, data.a]}\n",
    );
    write(folder.path(), "config.yaml", &config);
    for field in wrong {
        let text = format!("apiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\n{field}\n");
        write(folder.path(), "wrong.yaml", &text);
        for arguments in [
            &["run", "config.yaml", "wrong.yaml"][..],
            &["set", "wrong.yaml", "stringData.a.b.c=x", "--diff"],
            &["set", "wrong.yaml", "data=[1]", "--diff"],
            &["delete", "wrong.yaml", "stringData", "--diff=semantic"],
        ] {
            let (text, succeeded) = printed(folder.path(), arguments, "");
            if !succeeded {
                assert_hides(&text, &format!("{arguments:?} {field}"));
            }
        }
    }
}

#[test]
fn an_explanation_shows_no_value_that_was_read_from_a_secret() {
    let folder = folder();
    let config = inlay(
        "  replacements:\n  - source: {kind: Secret, fieldPath: stringData.plain}\n    targets: [{select: {kind: \
         ConfigMap}, fieldPaths: [data.a]}]\n",
    );
    write(folder.path(), "config.yaml", &config);
    for format in ["human", "json"] {
        let arguments = [
            "explain",
            "run",
            "config.yaml",
            "secret.yaml",
            "map.yaml",
            "--output",
            format,
            "--path",
            "ConfigMap/m data.a",
        ];
        let (text, succeeded) = printed(folder.path(), &arguments, "");
        assert!(succeeded && text.contains("stringData.plain"), "{text}");
        assert_hides(&text, format);
    }
}

/// Templates generate the Secret, so that no file contains it.
const RENDERED: &str = "#@ load(\"@ytt:data\", \"data\")
#@ load(\"@ytt:overlay\", \"overlay\")
---
apiVersion: v1
kind: Secret
metadata:
  name: r
stringData:
  plain: #@ data.values.word
";

/// Overlays that fail on the Secret.
const OVERLAYS: [&str; 5] = [
    "#@overlay/match by=overlay.all\n---\nstringData:\n  #@overlay/assert via=lambda l, r: l == r\n  plain: other\n",
    "#@overlay/match by=overlay.all\n---\nstringData:\n  #@overlay/replace via=lambda l, r: fail(l)\n  plain: other\n",
    "#@overlay/match by=overlay.subset({\"kind\": \"Secret\", \"stringData\": {\"plain\": \"inner-s3cret\"}})\n---\na: 1\n",
    "#@overlay/match by=overlay.all\n---\nstringData:\n  #@overlay/assert\n  plain: inner-s3cret\n",
    "#@ overlay.apply({\"stringData\": {\"plain\": data.values.word}}, assertion())\n",
];

const ASSERTION: &str =
    "#@ def assertion():\nstringData:\n  #@overlay/assert\n  plain: inner-s3cret\n#@ end\n---\n";

#[test]
fn no_message_shows_the_value_of_a_secret_that_a_template_makes() {
    let folder = folder();
    let values = "#@data/values\n---\nword: plain-s3cret\n";
    write(folder.path(), "values.yml", values);
    for overlay in OVERLAYS {
        let overlay = format!("---\n{overlay}");
        let template = format!("{ASSERTION}{RENDERED}{overlay}");
        write(folder.path(), "template.yml", &template);
        for format in ["human", "short", "json", "github", "sarif"] {
            let arguments = [
                "-f",
                "template.yml",
                "-f",
                "values.yml",
                "--diagnostics",
                format,
            ];
            let (text, succeeded) = printed(folder.path(), &arguments, "");
            assert!(!succeeded && text.contains("rror"), "{overlay}:\n{text}");
            assert_hides(&text, &format!("{overlay} ({format})"));
        }
    }
}

/// The name of a file is not secret.
#[test]
fn a_file_of_values_that_cannot_be_read_is_named() {
    let folder = folder();
    fs::write(folder.path().join("bytes.env"), b"a=\xff\n").expect("a file");
    let spec = "  secretGenerator: [{name: g, envs: [bytes.env]}]\n";
    write(folder.path(), "config.yaml", &inlay(spec));
    let (text, _) = printed(folder.path(), &["run", "config.yaml", "map.yaml"], "");
    assert!(text.contains("`bytes.env` has invalid utf8"), "{text}");
    assert!(text.contains("envs: [bytes.env]"), "{text}");
}

/// Some versions of `kubectl get secrets -o yaml` print the items without a kind.
#[test]
fn the_items_of_a_list_of_secrets_need_no_kind() {
    let folder = folder();
    let item = secret().replace("kind: Secret\n", "").replace('\n', "\n  ");
    let list = format!("apiVersion: v1\nkind: SecretList\nitems:\n- {item}\n");
    write(folder.path(), "list.yaml", &list);
    for arguments in [
        &["get", "list.yaml", "items.0.stringData.plain.deeper"][..],
        &["set", "list.yaml", "items.0.stringData.plain=x", "--diff"],
    ] {
        let (text, _) = printed(folder.path(), arguments, "");
        assert!(text.contains('\u{2026}'), "{text}");
        assert_hides(&text, &arguments.join(" "));
    }
}

/// The kind may be misspelled, or be changed to `Secret` by the edit that fails.
#[test]
fn the_plain_values_of_an_object_of_another_kind_are_hidden() {
    for kind in ["secret", "Sercet", "SealedSecret", "ConfigMap"] {
        let folder = folder();
        let object = format!(
            "apiVersion: v1\nkind: {kind}\nmetadata: {{name: s}}\nstringData:\n  plain: plain-s3cret\n"
        );
        write(folder.path(), "object.yaml", &object);
        for arguments in [
            &["get", "object.yaml", "stringData.plain.deeper"][..],
            &["set", "object.yaml", "kind=Secret", "--diff"],
        ] {
            let (text, _) = printed(folder.path(), arguments, "");
            assert!(text.contains('\u{2026}'), "{text}");
            assert_hides(&text, &format!("{kind}: {}", arguments.join(" ")));
        }
    }
}

/// Changes to a Secret that a configuration contains, each with a mistake, and the part of the
/// message that must stay readable.
const CHANGES: [(&str, &str); 17] = [
    (
        "  patches:\n  - target: {kind: Secret}\n    patch: |\n      - {op: replace, path: /stringData/nope, value: plain-s3cret}\n",
        "unable to replace `/stringData/nope`",
    ),
    // Only the path says that the value is secret.
    (
        "  patches:\n  - target: {name: s}\n    patch: |\n      - {op: replace, path: /data/nope, value: plain-s3cret}\n",
        "unable to replace `/data/nope`",
    ),
    (
        "  patches:\n  - target: {kind: Secret}\n    patch: |\n      - op: replace\n        path: /stringData/nope\n        value: plain-s3cret\n",
        "unable to replace `/stringData/nope`",
    ),
    (
        "  patches:\n  - target: {kind: Secret}\n    patch: |\n      - op: replase\n        path: /stringData/nope\n        value: plain-s3cret\n",
        "found `replase`",
    ),
    (
        "  patches:\n  - target: {kind: Secret}\n    patch: |\n      - {op: replace, path: /stringData/nope, valu: plain-s3cret}\n",
        "unknown field `valu`",
    ),
    (
        "  patches:\n  - target: {kind: Secret}\n    patch: '[{\"op\": \"replace\", \"path\": \"/stringData/nope\", \"value\": \"plain-s3cret\"}]'\n",
        "unable to replace `/stringData/nope`",
    ),
    (
        "  patches:\n  - target: {kind: Secret}\n    patch: '[{\"op\": \"replace\", \"path\": \"/stringData/nope\", \"value\": \"plain-s3cret\" \"x\": 1}]'\n",
        "expected `,` or `}` after a value",
    ),
    (
        "  patches:\n  - target: {kind: Secret}\n    patch: '[{\"op\": \"test\", \"path\": \"/stringData/plain\", \"value\": \"inner-s3cret\"}]'\n",
        "expected `\"…\"`, found",
    ),
    (
        "  patches:\n  - patch: '{\"kind\":\"Secret\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"s\"},\"stringData\":{\"plain\":{\"x\":\"inner-s3cret\"}}}'\n",
        "expected a string to merge for `plain`",
    ),
    (
        "  patches:\n  - target: {kind: Secret}\n    patch: '{\"stringData\":{\"plain\":{\"x\":\"inner-s3cret\"}}}'\n",
        "expected a string to merge for `plain`",
    ),
    (
        "  patches:\n  - patch: '{\"kind\":\"Secret\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"s\"},\"stringData\":{\"plain\":\"inner-s3cret\" \"x\":1}}'\n",
        "expected `,` or `}` after a value",
    ),
    // Only the name selects the Secret.
    (
        "  patches:\n  - target: {name: s}\n    patch: '{\"data\":{\"token\":{\"x\":\"inner-s3cret\"}}}'\n",
        "expected a string to merge for `token`",
    ),
    (
        "  secretGenerator: [plain-s3cret]\n",
        "expected a mapping, found a string",
    ),
    ("  secretGenerator: plain-s3cret\n", "found a string"),
    (
        "  replacements:\n  - sourceValu: plain-s3cret\n    targets: [{select: {kind: Secret}, fieldPaths: [stringData.plain]}]\n",
        "unknown field `sourceValu`",
    ),
    (
        "  replacements:\n  - sourceValue: [plain-s3cret]\n    targets: [{select: {kind: Secret}, fieldPaths: [stringData.plain]}]\n",
        "expected a string, found a list",
    ),
    (
        "  replacements:\n  - sourceValue: x\n    template: \"plain-s3cret ${x}\"\n    targets: [{select: {name: s}, fieldPaths: [stringData.plain]}]\n",
        "cannot be combined",
    ),
];

#[test]
fn no_message_shows_a_value_that_a_change_writes_into_a_secret() {
    let folder = folder();
    for (spec, shown) in CHANGES {
        write(folder.path(), "config.yaml", &inlay(spec));
        for format in ["human", "short"] {
            let arguments = ["run", "config.yaml", "secret.yaml", "--diagnostics", format];
            let (text, succeeded) = printed(folder.path(), &arguments, "");
            assert!(!succeeded && text.contains(shown), "{spec}:\n{text}");
            assert_hides(&text, &format!("{spec} ({format})"));
        }
        let item = secret().replace('\n', "\n  ");
        let config = inlay(spec).replace('\n', "\n  ");
        let list = format!(
            "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- {item}\nfunctionConfig:\n  {config}\n"
        );
        let (text, _) = printed(folder.path(), &[], &list);
        let results = text.split_once("\nresults:");
        let results = results.map_or("", |(_, results)| results);
        assert!(results.contains("severity: error"), "{spec}:\n{text}");
        assert_hides(results, spec);
    }
}

/// The values of other objects stay readable.
#[test]
fn a_message_shows_a_value_that_a_patch_tests_in_another_object() {
    let folder = folder();
    let spec = "  patches:\n  - target: {kind: ConfigMap}\n    patch: '[{op: test, path: /data/a, value: other-value}]'\n";
    write(folder.path(), "config.yaml", &inlay(spec));
    let arguments = ["run", "config.yaml", "secret.yaml", "map.yaml"];
    let (text, succeeded) = printed(folder.path(), &arguments, "");
    assert!(
        !succeeded && text.contains("expected `other-value`, found `b`"),
        "{text}"
    );
}

/// Without `apiVersion`, an object is a part of a Secret, and its `data` is base64 as well.
#[test]
fn the_data_of_a_secret_without_a_version_is_base64() {
    let folder = folder();
    let part = "kind: Secret\ndata:\n  app.env: QT1vbmUK\n";
    write(folder.path(), "part.yaml", part);
    let (text, succeeded) = printed(folder.path(), &["get", "part.yaml", "data.app\\.env.A"], "");
    assert!(succeeded && text == "one\n", "{text}");
    let arguments = ["set", "part.yaml", "data.app\\.env.B=2", "--create"];
    let (text, succeeded) = printed(folder.path(), &arguments, "");
    // The base64 of `A=one` and `B=2`.
    let expected = "kind: Secret\ndata:\n  app.env: QT1vbmUKQj0yCg==\n";
    assert!(succeeded && text == expected, "{text}");
}

#[test]
fn a_file_with_a_patch_of_a_secret_shows_no_value() {
    let folder = folder();
    let spec = "  patches: [{target: {kind: Secret}, path: patch.yaml}]\n";
    write(folder.path(), "config.yaml", &inlay(spec));
    for patch in [
        "data:\n  token: {x: inner-s3cret}\n",
        "data:\n  token: {x: inner-s3cret, y: [}\n",
        "- {op: test, path: /data/token, value: inner-s3cret}\n",
    ] {
        write(folder.path(), "patch.yaml", patch);
        let (text, succeeded) = printed(folder.path(), &["run", "config.yaml", "secret.yaml"], "");
        assert!(!succeeded && text.contains("patch.yaml"), "{text}");
        assert_hides(&text, patch);
    }
}
