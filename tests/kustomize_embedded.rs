//! Replacements in JSON texts with `layout: kustomize`, beside the real `kustomize`: the same
//! bytes.

#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "common/clients.rs"]
mod clients;

use std::fs;
use std::path::Path;
use std::process::Command;

/// Texts with a value `host`, each used as a block scalar of YAML.
const TEXTS: [&str; 14] = [
    r#"{"host": "x", "a": [1, 2]}"#,
    r#"{"z":1,"host":"x","b":{"d":1,"c":2}}"#,
    "{\n  \"host\": \"x\",\n  \"a\": [1, [2, 3]],\n  \"empty\": {}, \"none\": []\n}\n",
    "{\n    \"host\": \"x\",\n    \"deep\": {\"a\": {\"b\": null}}\n}",
    "{\n\t\"host\": \"x\",\n\t\"tabs\": true\n}",
    "{\n \"host\": \"x\",\n \"one\": false\n}",
    r#"{"host": "x", "url": "http://x/?a=1&b=<2>", "line": "a\u2028b\tc"}"#,
    r#"{"host": "x", "n": [1.0, 1.10, 1e3, -0, 0.000001, 1e-7, 1e21, 123456789.5]}"#,
    r#"{"host": "x", "big": [9007199254740993, 18446744073709551615, 12345678901234567890123]}"#,
    r#"{"host": "x", "text": ["1", "true", "null", "", "yes", "2020-01-01", "0x10", "~"]}"#,
    r#"{"host": "x", "unicode": "é 😀 ü", "quotes": "\"\\"}"#,
    r#"{"host": "x", "B": 1, "a": 2, "A": 3, "_": 4, "10": 5, "9": 6}"#,
    "\n  {\"host\": \"x\"}\n\n",
    r#"{"host": {"old": 1}, "other": 2}"#,
];

/// YAML texts. kustomize keeps the layout of those that are written in its own.
const YAML: [&str; 3] = [
    "host: x\nport: 80\n",
    "# comment\nhost: x # why\nlist:\n- a\n- b: c\n\n\n",
    "a:\n  b: c\nhost: \"x\"\n",
];

#[test]
fn a_layout_of_kustomize_writes_its_bytes() {
    if clients::lacks_a_client("kustomize build") {
        return;
    }
    for text in TEXTS.iter().chain(&YAML) {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), text, "");
        let theirs = run("kustomize", "build", folder.path());
        write(folder.path(), text, "\n    options: {layout: kustomize}");
        let ours = run(env!("CARGO_BIN_EXE_inlay"), "kustomize", folder.path());
        assert_eq!(ours, theirs, "{text}");
        assert!(ours.contains("name: settings-"), "{ours}");
    }
}

/// Writes a generated ConfigMap with the text, whose name suffix reveals any difference, and an
/// annotation.
fn write(folder: &Path, text: &str, options: &str) {
    let indented: String = text.lines().map(|line| format!("    {line}\n")).collect();
    let resource = format!(
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n  annotations:\n    a.json: |2\n  {}",
        indented.replace('\n', "\n  ").trim_end_matches(' ')
    );
    fs::write(folder.join("settings.json"), text).unwrap();
    fs::write(folder.join("resource.yaml"), resource).unwrap();
    let kustomization = format!(
        "resources: [resource.yaml]\nconfigMapGenerator:\n- {{name: settings, files: [settings.json]}}\n\
         replacements:\n- source: {{kind: Secret, name: s}}\n  targets:\n  - select: {{kind: ConfigMap}}\n    \
         fieldPaths: ['data.settings\\.json.host']{options}\n  - select: {{kind: Secret}}\n    \
         fieldPaths: ['metadata.annotations.a\\.json.host']{options}\n"
    );
    fs::write(folder.join("kustomization.yaml"), kustomization).unwrap();
}

fn run(program: &str, command: &str, folder: &Path) -> String {
    let output = Command::new(program)
        .args([command, "."])
        .current_dir(folder)
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program}: {message}");
    String::from_utf8(output.stdout).unwrap()
}
