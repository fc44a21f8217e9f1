//! The object of an earlier run, which a later run replaces.

use super::*;

/// What an earlier run has left: a ConfigMap, and an object that refers to it.
const MADE: &str = "apiVersion: v1\ndata:\n  a: \"1\"\nkind: ConfigMap\nmetadata:\n  annotations: {path: made.yaml}\n  name: q-h29d89cmmt\n";

const USER: &str = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{envFrom: [{configMapRef: {name: q-h29d89cmmt}}]}]}\n";

#[test]
fn replaces_the_object_of_an_earlier_run_in_its_place() {
    let same = run(
        GeneratorKind::ConfigMap,
        "name: q\nliterals: [a=1]",
        PluginRole::Transformer,
        &[MADE, USER],
    )
    .unwrap();
    assert_eq!(same.matches("q-h29d89cmmt").count(), 2, "{same}");
    assert!(same.contains("path: made.yaml"), "{same}");
    let other = run(
        GeneratorKind::ConfigMap,
        "name: q\nliterals: [a=2]",
        PluginRole::Transformer,
        &[MADE, USER],
    )
    .unwrap();
    assert_eq!(
        (
            other.matches("q-6gtghh96k8").count(),
            other.matches("q-h29d89cmmt").count()
        ),
        (2, 0),
        "{other}"
    );
    assert_eq!(other.matches("kind: ConfigMap").count(), 1, "{other}");
    let bare = "name: q\nliterals: [a=1]\noptions: {disableNameSuffixHash: true}";
    let bare = run(
        GeneratorKind::ConfigMap,
        bare,
        PluginRole::Transformer,
        &[MADE, USER],
    )
    .unwrap();
    assert_eq!(
        (
            bare.matches("name: q\n").count(),
            bare.matches("q-").count()
        ),
        (2, 0),
        "{bare}"
    );
    let merged = run(
        GeneratorKind::ConfigMap,
        "name: q\nbehavior: merge\nliterals: [b=2]",
        PluginRole::Transformer,
        &[MADE, USER],
    );
    assert!(merged.unwrap().contains("a: \"1\"\n  b: \"2\""));
}

#[test]
fn recognizes_an_earlier_object_only_by_the_hash_of_its_values() {
    let changed = MADE.replace("\"1\"", "\"3\"");
    let found = run(
        GeneratorKind::ConfigMap,
        "name: q\nliterals: [a=1]",
        PluginRole::Transformer,
        &[&changed, USER],
    );
    assert_eq!(
        found.unwrap_err(),
        ["the generated `ConfigMap/q-h29d89cmmt` exists already"]
    );
    let plain = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: q}\n";
    let found = run(
        GeneratorKind::ConfigMap,
        "name: q\nbehavior: merge\nliterals: [a=1]",
        PluginRole::Transformer,
        &[MADE, plain],
    );
    assert_eq!(
        found.unwrap().matches("q-h29d89cmmt").count(),
        1,
        "the object without a suffix is meant"
    );
    let twice = MADE
        .replace("\"1\"", "\"2\"")
        .replace("h29d89cmmt", "6gtghh96k8");
    let found = run(
        GeneratorKind::ConfigMap,
        "name: q\nliterals: [a=1]",
        PluginRole::Transformer,
        &[MADE, &twice],
    );
    assert!(found.unwrap_err()[0].contains("several objects that were generated as `ConfigMap/q`"));
}
