//! What becomes of an object that is there, by `behavior`.

use super::*;

#[test]
fn requires_a_name_and_a_known_behavior() {
    let message = |kind, entry| {
        run(kind, entry, PluginRole::Transformer, &[])
            .unwrap_err()
            .remove(0)
    };
    assert_eq!(
        message(GeneratorKind::ConfigMap, "literals: [a=b]"),
        "a configmap must have a name"
    );
    assert_eq!(
        message(GeneratorKind::Secret, "name: ''"),
        "a secret must have a name"
    );
    assert_eq!(
        message(GeneratorKind::Secret, "{name: a, behavior: mrge}"),
        "expected `create`, `merge` or `replace`, found `mrge`"
    );
    assert_eq!(
        message(GeneratorKind::ConfigMap, "{name: a, type: Opaque}"),
        "a ConfigMap has no `type`"
    );
    assert_eq!(
        message(GeneratorKind::ConfigMap, "{name: a, literal: [x]}"),
        "unknown field `literal`"
    );
}

#[test]
fn annotates_objects_that_kustomize_adds() {
    let entry = "{name: a, behavior: replace, literals: [x=y]}";
    let expected = "apiVersion: v1\ndata:\n  x: \"y\"\nkind: ConfigMap\nmetadata:\n  annotations:\n    \
                    kustomize.config.k8s.io/behavior: replace\n    kustomize.config.k8s.io/needs-hash: \"true\"\n  name: a\n";
    assert_eq!(
        run(GeneratorKind::ConfigMap, entry, PluginRole::Generator, &[]).unwrap(),
        expected
    );
    let entry = "{name: a, behavior: merge, literals: [x=y], mergeValues: [{key: x}]}";
    let errors = run(GeneratorKind::ConfigMap, entry, PluginRole::Generator, &[]).unwrap_err();
    assert_eq!(
        errors,
        ["expected objects to merge values into, found none"]
    );
}

#[test]
fn keeps_what_the_entry_does_not_mention_when_merging() {
    let entry = "{name: a, behavior: merge, literals: [a=3, b=c, q=4], options: {labels: {w: '3', z: '4'}}}";
    let expected = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels:\n    x: \"1\"\n    w: \"3\"\n    \
                    z: \"4\"\nimmutable: false\ndata:\n  z: \"1\"\n  a: \"3\"\n  b: c\n  q: \"4\"\n";
    assert_eq!(
        edit(GeneratorKind::ConfigMap, entry, PLAIN).unwrap(),
        expected
    );
}

#[test]
fn keeps_the_metadata_when_replacing() {
    let entry = "{name: a, behavior: replace, literals: [a=3]}";
    let expected = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels:\n    x: \"1\"\n    w: \"2\"\ndata:\n  a: \"3\"\n";
    assert_eq!(
        edit(GeneratorKind::ConfigMap, entry, PLAIN).unwrap(),
        expected
    );
}

#[test]
fn keeps_the_type_and_texts_of_a_merged_secret() {
    let secret = "{apiVersion: v1, kind: Secret, metadata: {name: a}, type: kubernetes.io/tls, data: {x: QQ==}, \
                  stringData: {t: old, u: kept}}";
    let entry = "{name: a, behavior: merge, literals: [x=B, t=new]}";
    let expected = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\ntype: kubernetes.io/tls\ndata:\n  x: Qg==\n\
                    stringData:\n  t: new\n  u: kept\n";
    assert_eq!(
        edit(GeneratorKind::Secret, entry, secret).unwrap(),
        expected
    );
    let typed = "{name: a, behavior: merge, type: other}";
    assert!(
        edit(GeneratorKind::Secret, typed, secret)
            .unwrap()
            .contains("type: other\n")
    );
}

#[test]
fn requires_the_object_to_exist_or_not_according_to_the_behavior() {
    let exists = edit(GeneratorKind::ConfigMap, "name: a", PLAIN).unwrap_err();
    assert_eq!(
        exists,
        ["id ConfigMap.v1.[noGrp]/a.[noNs] exists; behavior must be merge or replace"]
    );
    for behavior in ["merge", "replace"] {
        let missing = edit(
            GeneratorKind::ConfigMap,
            &format!("{{name: b, behavior: {behavior}}}"),
            PLAIN,
        )
        .unwrap_err();
        assert_eq!(
            missing,
            ["id ConfigMap.v1.[noGrp]/b.[noNs] does not exist; cannot merge or replace"]
        );
    }
    let several = run(
        GeneratorKind::ConfigMap,
        "{name: a, behavior: merge}",
        PluginRole::Transformer,
        &[PLAIN, PLAIN],
    )
    .unwrap_err();
    assert!(
        several[0].starts_with("found multiple objects that could accept merge of"),
        "{several:?}"
    );
}

#[test]
fn finds_an_object_by_its_previous_names() {
    let renamed = PLAIN.replace(
        "name: a,",
        "name: dev-a, annotations: {internal.config.kubernetes.io/previousNames: a, \
         internal.config.kubernetes.io/previousNamespaces: default, internal.config.kubernetes.io/previousKinds: ConfigMap, \
         internal.config.kubernetes.io/needsHashSuffix: enabled},",
    );
    let merge = "{name: a, behavior: merge, literals: [a=3]}";
    let merged = edit(GeneratorKind::ConfigMap, merge, &renamed).unwrap();
    assert!(
        merged.contains("name: dev-a\n") && merged.contains("needsHashSuffix: enabled"),
        "{merged}"
    );
    let without =
        "{name: a, behavior: merge, literals: [a=3], options: {disableNameSuffixHash: true}}";
    assert!(
        !edit(GeneratorKind::ConfigMap, without, &renamed)
            .unwrap()
            .contains("needsHashSuffix")
    );
}
