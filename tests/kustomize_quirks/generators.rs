//! Generators that create objects or merge into them.

use super::{OBJECT, build};

#[test]
fn a_merged_secret_is_opaque_and_has_its_texts_in_data() {
    let secret = "{apiVersion: v1, kind: Secret, type: kubernetes.io/tls, metadata: {name: s}, immutable: true, stringData: {k: v}}\n";
    let generator = "secretGenerator: [{name: s, behavior: merge, literals: [a=b]}]\n";
    let (text, warnings) = build(secret, generator);
    let expected = "apiVersion: v1\ndata:\n  a: Yg==\n  k: dg==\nkind: Secret\nmetadata:\n  name: s\ntype: Opaque\n";
    assert_eq!(text, expected);
    assert_eq!(warnings.len(), 2, "{warnings:?}");
}

#[test]
fn a_label_that_is_a_collection_becomes_empty_when_a_generator_merges() {
    let object =
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: s, labels: {m: {x: y}, t: u}}}\n";
    let generator = "configMapGenerator: [{name: s, behavior: merge, literals: [a=b]}]\n";
    let (text, warnings) = build(object, generator);
    assert!(
        text.ends_with("  labels:\n    m: \"\"\n    t: u\n  name: s\n"),
        "{text}"
    );
    assert_eq!(
        warnings,
        ["`m` becomes empty when a generator changes the object"]
    );
}

#[test]
fn a_generator_with_an_unknown_behavior_creates_its_object() {
    let generator = "configMapGenerator: [{name: g, behavior: Create, literals: [a=b]}]\n";
    let (text, warnings) = build(OBJECT, generator);
    assert!(text.contains("  name: g-"), "{text}");
    assert_eq!(warnings, ["the behavior `Create` is ignored"]);
}
