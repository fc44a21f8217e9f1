//! Unusual patches, replacements and generators, with what kustomize v5.8.2 makes of them.
//!
//! The outputs are recorded, so this test needs no kustomize; `tests/kustomize_trees/` compares
//! with the program itself.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::Path;

use inlay::kustomization::{self, KustomizationOptions};
use inlay::provenance::Recorder;
use inlay::source::Diagnostics;
use inlay::source::world::Memory;

/// Builds a kustomization with one file of objects, and returns the output and the warnings.
fn build(objects: &str, kustomization: &str) -> (String, Vec<String>) {
    let kustomization = format!("resources: [objects.yaml]\n{kustomization}");
    let files = [
        ("objects.yaml", objects),
        ("kustomization.yaml", &kustomization),
    ];
    let world = Memory::with_files(files);
    let options = KustomizationOptions::default();
    let mut diagnostics = Diagnostics::default();
    let folder = Path::new(".");
    let built = kustomization::build(&world, folder, &options, Recorder::off(), &mut diagnostics);
    let resources = built.unwrap_or_else(|_| panic!("{:?}", diagnostics.as_slice()));
    let text = kustomization::print(&resources, &mut diagnostics).unwrap();
    let messages = diagnostics.as_slice().iter();
    let messages = messages.map(|diagnostic| diagnostic.message.clone());
    (text, messages.collect())
}

/// Returns the ports of a Service after a patch of its ports, without spaces before the items.
fn patched_ports(ports: &str, patch: &str) -> String {
    let service = |ports: &str| {
        format!(
            "{{apiVersion: v1, kind: Service, metadata: {{name: a}}, spec: {{ports: {ports}}}}}"
        )
    };
    let kustomization = format!("patches:\n- patch: '{}'\n", service(patch));
    let (text, _) = build(&service(ports), &kustomization);
    let (_, ports) = text.split_once("ports:").unwrap();
    let lines = ports.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

#[test]
fn ports_without_a_protocol_are_merged_as_in_kustomize() {
    for (ports, patch, expected) in [
        ("[{port: 80}]", "[{port: 80, x: y}]", "- port: 80 x: \"y\""),
        // The patch is lost: no item has its port and the protocol of the object.
        (
            "[{port: 80, protocol: TCP}, {port: 81}]",
            "[{port: 80, x: y}]",
            "- port: 80 protocol: TCP - port: 81",
        ),
        (
            "[{port: 80}]",
            "[{port: 80, protocol: UDP, x: y}]",
            "- port: 80",
        ),
        (
            "[{port: 80}]",
            "[{port: 80, protocol: TCP, $patch: delete}]",
            "- port: 80",
        ),
        (
            "[{port: 80, protocol: TCP}, {port: 81}]",
            "[{port: 81, $patch: delete}]",
            "- port: 80 protocol: TCP - port: 81",
        ),
        (
            "[{port: 80}]",
            "[{port: 80, $patch: replace, z: z}]",
            "- port: 80",
        ),
        // Of two equal items, the last one stays.
        (
            "[{port: 80, a: 1}, {port: 80, a: 2}]",
            "[{port: 90}]",
            "- port: 90 - a: 2 port: 80",
        ),
    ] {
        assert_eq!(patched_ports(ports, patch), expected, "{ports} {patch}");
    }
}

const OBJECT: &str = "{apiVersion: v1, kind: A, metadata: {name: a, labels: {x: y}}, spec: null}\n";

#[test]
fn a_null_removes_a_label_only_in_a_patch_that_names_its_object() {
    let patch = "{apiVersion: v1, kind: A, metadata: {name: a, labels: {x: null}}}";
    let (text, warnings) = build(OBJECT, &format!("patches: [{{patch: '{patch}'}}]\n"));
    assert!(text.contains("labels: {}"), "{text}");
    assert!(warnings.is_empty(), "{warnings:?}");
    for field in [
        format!("patches: [{{target: {{kind: A}}, patch: '{patch}'}}]\n"),
        format!("patchesStrategicMerge: ['{patch}']\n"),
    ] {
        let (text, warnings) = build(OBJECT, &field);
        assert!(text.contains("x: \"null\""), "{field}{text}");
        let message = "null does not remove `x` in this kind of patch";
        assert!(
            warnings.iter().any(|warning| warning == message),
            "{warnings:?}"
        );
    }
}

#[test]
fn words_of_yaml_1_1_are_booleans_in_json_patches() {
    let patch = "patches:\n- target: {kind: A}\n  patch: |-\n    - {op: replace, path: /spec, value: {on: y, q: \"y\"}}\n";
    let (text, _) = build(OBJECT, patch);
    assert!(
        text.ends_with("spec:\n  q: \"y\"\n  \"true\": true\n"),
        "{text}"
    );
}

#[test]
fn a_negative_index_counts_from_the_end() {
    let objects = "{apiVersion: v1, kind: A, metadata: {name: a}, spec: [1, 2, 3]}\n";
    let patch = "patches:\n- target: {kind: A}\n  patch: |-\n    - {op: remove, path: /spec/-1}\n    - {op: add, path: /spec/-1, value: 4}\n";
    let (text, _) = build(objects, patch);
    assert!(text.ends_with("spec:\n- 1\n- 2\n- 4\n"), "{text}");
}

#[test]
fn a_created_value_with_a_delimiter_starts_from_the_empty_text() {
    let replacement = "replacements:\n- source: {kind: A, name: a}\n  targets:\n  - {select: {kind: A}, fieldPaths: [metadata.labels.new], options: {create: true, delimiter: \"/\", index: 1}}\n";
    let (text, _) = build(OBJECT, replacement);
    assert!(text.contains("new: /a\n"), "{text}");
}

#[test]
fn a_merged_secret_is_opaque_and_has_its_texts_in_data() {
    let secret = "{apiVersion: v1, kind: Secret, type: kubernetes.io/tls, metadata: {name: s}, immutable: true, stringData: {k: v}}\n";
    let generator = "secretGenerator: [{name: s, behavior: merge, literals: [a=b]}]\n";
    let (text, warnings) = build(secret, generator);
    let expected = "apiVersion: v1\ndata:\n  a: Yg==\n  k: dg==\nkind: Secret\nmetadata:\n  name: s\ntype: Opaque\n";
    assert_eq!(text, expected);
    assert_eq!(warnings.len(), 2, "{warnings:?}");
}
