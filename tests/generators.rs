//! Generators beside the real kustomize: both create the same objects with the same names, and the
//! same references to them.
//!
//! Values, files and options are random; `inlay run` and `kustomize build` read the same ones.
//! Their outputs are compared by value, because their order and quotes differ.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

mod common {
    pub(crate) mod clients;
    pub(crate) mod workspace;
}

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use common::clients::lacks_a_client;
use common::workspace::{shell, workspace};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde::Deserialize;
use yaml_serde::Value;

/// One generator entry: its values from all sources, and its options.
#[derive(Clone, Debug)]
struct Entry {
    literals: BTreeMap<String, String>,
    lines: BTreeMap<String, String>,
    file: Vec<u8>,
    immutable: bool,
    without_suffix: bool,
}

const RESOURCES: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata: {name: app}
spec:
  template:
    spec:
      imagePullSecrets: [{name: two}, {name: other}]
      containers:
      - name: one
        env: [{name: X, valueFrom: {configMapKeyRef: {name: one, key: x}}}]
        envFrom: [{configMapRef: {name: one}}, {secretRef: {name: two}}]
      volumes:
      - {name: a, configMap: {name: one}}
      - {name: b, secret: {secretName: two}}
      - {name: c, projected: {sources: [{configMap: {name: one}}, {secret: {name: two}}]}}
---
apiVersion: v1
kind: Service
metadata: {name: one}
spec: {ports: [{name: one, port: 80}]}
";

#[test]
fn objects_names_and_references_are_those_of_kustomize() {
    if lacks_a_client("kustomize build") {
        return;
    }
    let workspace = workspace("generators");
    let mut runner = TestRunner::new(Config {
        cases: 48,
        ..Config::default()
    });
    let outcome = runner.run(&(entry(), entry()), |(config_map, secret)| {
        let folder = workspace.join("build");
        write(&folder, &config_map, &secret);
        let ours = shell(&workspace, &folder, "inlay run inlay.yaml resources.yaml");
        let theirs = shell(&workspace, &folder, "kustomize build .");
        prop_assert_eq!(ours.code, 0, "{}", ours.stderr);
        // kustomize writes a text that starts with a tab as a block scalar that it cannot read
        // again. Such a build has no output to compare with.
        prop_assume!(!theirs.stderr.contains("found a tab character"));
        prop_assert_eq!(theirs.code, 0, "{}", theirs.stderr);
        prop_assert_eq!(objects(&ours.stdout), objects(&theirs.stdout));
        Ok(())
    });
    outcome.expect("Inlay and kustomize agree");
}

/// Generates texts that are difficult for readers and writers of YAML.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z0-9]{1,4}",
        "[ \t\n\r\"'#:{}&*!|>%@`,=\\\\<-]",
        prop_oneof![
            Just("é"),
            Just("漢"),
            Just("😀"),
            Just("\u{2028}"),
            Just("true"),
            Just("0x1F")
        ]
        .prop_map(str::to_owned),
    ];
    vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn entry() -> impl Strategy<Value = Entry> {
    let line = text().prop_map(|text| text.replace(['\n', '\r'], " "));
    let bytes = prop_oneof![
        text().prop_map(String::into_bytes),
        vec(any::<u8>(), 0..120)
    ];
    let values = (
        btree_map("l[a-z._-]{0,4}", text(), 0..5),
        btree_map("e[A-Z_]{0,4}", line, 0..4),
        bytes,
    );
    (values, any::<bool>(), any::<bool>()).prop_map(
        |((literals, lines, file), immutable, without_suffix)| Entry {
            literals,
            lines,
            file,
            immutable,
            without_suffix,
        },
    )
}

/// Writes the input files of both programs.
fn write(folder: &Path, config_map: &Entry, secret: &Entry) {
    if folder.exists() {
        fs::remove_dir_all(folder).expect("an old folder can be removed");
    }
    fs::create_dir_all(folder).expect("a folder can be made");
    let put = |name: &str, content: &[u8]| {
        fs::write(folder.join(name), content).expect("a file can be written")
    };
    for (name, entry) in [("one", config_map), ("two", secret)] {
        let lines: Vec<String> = entry
            .lines
            .iter()
            .map(|(key, value)| format!("{key}={value}\n"))
            .collect();
        put(&format!("{name}.env"), lines.concat().as_bytes());
        put(&format!("{name}.bin"), &entry.file);
    }
    let generators = format!(
        "configMapGenerator: [{}]\nsecretGenerator: [{}]\n",
        field("one", config_map),
        field("two", secret)
    );
    put(
        "kustomization.yaml",
        format!("resources: [resources.yaml]\n{generators}").as_bytes(),
    );
    let spec = generators
        .lines()
        .map(|line| format!("  {line}\n"))
        .collect::<String>();
    let head = "apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata: {name: x}\nspec:\n";
    put("inlay.yaml", format!("{head}{spec}").as_bytes());
    put("resources.yaml", RESOURCES.as_bytes());
}

/// Returns an entry as JSON, which is YAML on one line.
fn field(name: &str, entry: &Entry) -> String {
    let literals: Vec<String> = entry
        .literals
        .iter()
        .map(|(key, value)| format!("{key}={value}"))
        .collect();
    let (files, envs) = ([format!("{name}.bin")], [format!("{name}.env")]);
    let options = serde_json::json!({"disableNameSuffixHash": entry.without_suffix, "immutable": entry.immutable});
    serde_json::json!({"name": name, "literals": literals, "files": files, "envs": envs, "options": options})
        .to_string()
        .replace('\u{2028}', "\\u2028")
}

/// Returns the objects of a stream, by kind and name.
fn objects(text: &str) -> BTreeMap<String, Value> {
    let documents = yaml_serde::Deserializer::from_str(text);
    let objects =
        documents.map(|document| Value::deserialize(document).expect("an object can be read"));
    objects
        .map(|object| {
            let word = |value: &Value| value.as_str().map(str::to_owned).unwrap_or_default();
            (
                format!(
                    "{} {}",
                    word(&object["kind"]),
                    word(&object["metadata"]["name"])
                ),
                object,
            )
        })
        .collect()
}
