//! The values of Secrets appear in no message, no result and no diff, however a run fails.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// What must not be printed: a value, its base64, and values inside of documents.
const SECRETS: [&str; 5] = [
    "s3cret-value",
    "czNjcmV0LXZhbHVl",
    "inner-s3cret",
    "plain-s3cret",
    "multi-s3cret",
];

/// `{"password": "inner-s3cret", "port": 1}`
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

/// Returns everything that a command prints, and whether it succeeded.
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
const FAILURES: [&str; 11] = [
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
}

#[test]
fn a_broken_file_with_a_secret_shows_no_value() {
    let folder = folder();
    for broken in [
        "  broken: [\n",
        "  token: czNjcmV0LXZhbHVl\n",
        "\tx: plain-s3cret\n",
        "  a: plain-s3cret: b\n",
    ] {
        write(folder.path(), "broken.yaml", &(secret() + broken));
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
