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

#[test]
fn a_date_keeps_its_text_when_a_generator_merges() {
    let object = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: {l: 2001-01-01}}, data: {day: 2001-1-1}}\n";
    let generator = "configMapGenerator: [{name: a, behavior: merge, literals: [k=v]}]\n";
    let (text, _) = build(object, generator);
    let expected = "apiVersion: v1\ndata:\n  day: \"2001-1-1\"\n  k: v\nkind: ConfigMap\nmetadata:\n  labels:\n    l: \"2001-01-01\"\n  name: a\n";
    assert_eq!(text, expected);
}

#[test]
fn a_secret_without_values_has_data_only_if_it_is_new() {
    let object = "{apiVersion: v1, kind: Secret, metadata: {name: a}, data: {}}\n";
    for (behavior, data) in [("replace", "data: {}\n"), ("merge", "")] {
        let generator = format!("secretGenerator: [{{name: a, behavior: {behavior}}}]\n");
        let (text, _) = build(object, &generator);
        let expected =
            format!("apiVersion: v1\n{data}kind: Secret\nmetadata:\n  name: a\ntype: Opaque\n");
        assert_eq!(text, expected, "{behavior}");
    }
}

#[test]
fn a_null_in_the_texts_of_a_secret_is_the_empty_text() {
    let object = "{apiVersion: v1, kind: Secret, metadata: {name: a}, stringData: {a: ~}}\n";
    let generator = "secretGenerator: [{name: a, behavior: merge}]\n";
    let (text, _) = build(object, generator);
    assert!(text.contains("data:\n  a: \"\"\n"), "{text}");
}
