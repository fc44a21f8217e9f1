//! Strategic merge patches and JSON patches.

use super::{OBJECT, REPRINT, build, build_files, values_of};

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
        // The patch has no effect: no item has its port and the protocol of the object.
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
fn a_patch_removes_all_fields_without_a_value() {
    let object = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a\ntop:\nspec:\n  selector:\n    \
                  matchLabels:\n  paused: null\n  template:\n    spec:\n      containers:\n      - name: a\n        \
                  image:\n      tolerations:\n      - key:\n";
    let patch = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {replicas: 3}}";
    let (text, warnings) = build(object, &format!("patches:\n- patch: '{patch}'\n"));
    let expected = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a\nspec:\n  paused: null\n  replicas: 3\n  \
                    selector: {}\n  template:\n    spec:\n      containers:\n      - name: a\n      tolerations:\n      \
                    - key: null\n";
    assert_eq!(text, expected);
    assert_eq!(warnings.len(), 3, "{warnings:?}");
    assert_eq!(
        warnings[0],
        "the patch removes `top`, because it has no value"
    );
    // Without a patch, they stay.
    let (text, warnings) = build(object, "");
    assert!(text.contains("matchLabels: null\n"), "{text}");
    assert!(warnings.is_empty());
}

#[test]
fn a_number_over_a_quoted_text_is_a_text() {
    for (old, new, expected) in [
        ("\"a\"", "30", "\"30\""),
        ("'a'", "true", "\"true\""),
        ("a", "30", "30"),
        ("\"12\"", "b", "b"),
        ("12", "30", "30"),
    ] {
        let object =
            format!("apiVersion: a/v1\nkind: A\nmetadata: {{name: a}}\nspec: {{size: {old}}}\n");
        let patch = |value: &str| {
            format!(
                "- patch: '{{apiVersion: a/v1, kind: A, metadata: {{name: a}}, spec: {{size: {value}}}}}'\n"
            )
        };
        let once = format!("patches:\n{}", patch(new));
        assert_eq!(
            values_of("size", &object, &once).0,
            expected,
            "{new} over {old}"
        );
        if old == "\"a\"" {
            let twice = format!("patches:\n{}{}", patch("text"), patch(new));
            assert_eq!(values_of("size", &object, &twice).0, expected);
            let reprinted = format!("patches:\n{REPRINT}{}", patch(new));
            assert_eq!(values_of("size", &object, &reprinted).0, new);
        }
    }
}

/// Returns the patch of `spec` of the object, as an item of `patches`.
fn spec_patch(spec: &str) -> String {
    format!(
        "- patch: '{{apiVersion: example.com/v1, kind: Custom, metadata: {{name: a}}, spec: {spec}}}'\n"
    )
}

#[test]
fn a_patch_quotes_words_of_yaml_1_1_in_the_object() {
    let object = |size: &str| {
        format!(
            "apiVersion: example.com/v1\nkind: Custom\nmetadata: {{name: a}}\nspec: {{size: {size}}}\n"
        )
    };
    let number = spec_patch("{size: 30}");
    let other = spec_patch("{other: x}");
    let json = "- patch: '[{\"op\": \"add\", \"path\": \"/x\", \"value\": 1}]'\n  target: {kind: Custom}\n";
    for (size, patches, expected) in [
        ("yes", number.clone(), "30"),
        ("yes", format!("{other}{number}"), "\"30\""),
        ("abc", format!("{other}{number}"), "30"),
        ("12", format!("{other}{number}"), "30"),
        ("yes", format!("{json}{number}"), "\"30\""),
        ("'abc'", format!("{json}{number}"), "30"),
        ("'a: b'", format!("{json}{number}"), "\"30\""),
    ] {
        let (text, _) = build(&object(size), &format!("patches:\n{patches}"));
        let line = text.lines().find(|line| line.contains("size:")).unwrap();
        assert_eq!(line.trim(), format!("size: {expected}"), "{size} {patches}");
    }
}

#[test]
fn a_null_stays_after_a_json_patch() {
    let object =
        "apiVersion: example.com/v1\nkind: Custom\nmetadata: {name: a}\nspec:\n  empty:\n  x: y\n";
    let json = "- patch: '[{\"op\": \"add\", \"path\": \"/x\", \"value\": 1}]'\n  target: {kind: Custom}\n";
    let other = spec_patch("{other: x}");
    let (text, _) = build(object, &format!("patches:\n{other}"));
    assert!(!text.contains("empty"), "{text}");
    let (text, _) = build(object, &format!("patches:\n{json}{other}"));
    assert!(text.contains("empty: null\n"), "{text}");
}

#[test]
fn annotations_can_be_removed_once() {
    let object = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";
    let remove = r#"{"op": "remove", "path": "/metadata/annotations"}"#;
    for (operations, is_error) in [
        (remove.to_owned(), false),
        (format!("{remove}, {remove}"), true),
    ] {
        // kustomize keeps the name from before the prefix in an annotation.
        let text = format!(
            "resources: [objects.yaml]\nnamePrefix: p-\npatches:\n- patch: '[{operations}]'\n  target: {{kind: ConfigMap}}\n"
        );
        let files = [("objects.yaml", object), ("kustomization.yaml", &text)];
        assert_eq!(build_files(files).has_failed(), is_error, "{operations}");
    }
}

#[test]
fn a_patch_of_other_fields_keeps_one_of_several_items_with_equal_keys() {
    let object = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a, finalizers: [x, y, x]}\nspec:\n  \
                  template:\n    spec:\n      containers:\n      \
                  - {name: c, image: one, env: [{name: A, value: a}, {name: B}, {name: A, value: b}]}\n      \
                  - {name: d}\n";
    let patch = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a, labels: {x: y}}}";
    let (text, warnings) = build(object, &format!("patches:\n- patch: '{patch}'\n"));
    let expected = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  finalizers:\n  - x\n  - \"y\"\n  labels:\n    \
                    x: \"y\"\n  name: a\nspec:\n  template:\n    spec:\n      containers:\n      - env:\n        \
                    - name: A\n          value: b\n        - name: B\n        image: one\n        name: c\n      - name: d\n";
    assert_eq!(text, expected);
    assert_eq!(
        warnings,
        ["the patch removes an item of a list: another one has the same `name`"]
    );
    // An item without any key stays, with the others.
    let object = object.replace("- {name: d}", "- {image: d}");
    let (text, _) = build(&object, &format!("patches:\n- patch: '{patch}'\n"));
    assert!(
        text.contains("        name: c\n      - image: d\n"),
        "{text}"
    );
}

#[test]
fn only_the_first_document_of_a_json_patch_is_used() {
    let patch = "patches:\n- target: {kind: A}\n  patch: |-\n    - {op: add, path: /one, value: 1}\n    ---\n    \
                 - {op: add, path: /two, value: 2}\n";
    let (text, warnings) = build(OBJECT, patch);
    assert!(text.contains("one: 1\n") && !text.contains("two"), "{text}");
    assert_eq!(warnings, ["only the first document of a JSON patch counts"]);
}

#[test]
fn empty_documents_are_neither_objects_nor_patches() {
    let objects = format!("{{}}\n---\n{OBJECT}---\n[]\n");
    let (text, warnings) = build(&objects, "patches: [{patch: '[]'}, {patch: '{}'}]\n");
    assert!(text.starts_with("apiVersion: v1\nkind: A\n"), "{text}");
    assert_eq!(warnings, ["the patch is empty, and is ignored"; 2]);
}

#[test]
fn a_patch_can_replace_an_annotation_of_an_object_without_annotations() {
    let patch = "patches:\n- target: {kind: A}\n  patch: '[{\"op\": \"replace\", \"path\": \"/metadata/annotations/x\", \"value\": \"z\"}]'\n";
    let (text, warnings) = build(OBJECT, patch);
    assert!(text.contains("  annotations:\n    x: z\n"), "{text}");
    assert_eq!(
        warnings,
        ["`/metadata/annotations/x` does not exist, and `replace` adds it"]
    );
}

#[test]
fn a_key_that_does_not_exist_is_null_to_a_test() {
    let test = |path: &str| {
        format!(
            "patches:\n- target: {{kind: A}}\n  \
             patch: '[{{\"op\": \"test\", \"path\": \"{path}\", \"value\": null}}]'\n"
        )
    };
    for path in ["/metadata/labels/z", "/metadata/annotations/z"] {
        let (text, warnings) = build(OBJECT, &test(path));
        assert!(text.starts_with("apiVersion: v1\nkind: A\n"), "{text}");
        let warning = format!("`{path}` does not exist, and `test` reads it as null");
        assert_eq!(warnings, [warning]);
    }
    for path in [
        "/metadata/labels/x",
        "/metadata/annotations",
        "/spec/x",
        "/nothing/x",
    ] {
        let kustomization = format!("resources: [a.yaml]\n{}", test(path));
        let files = [("a.yaml", OBJECT), ("kustomization.yaml", &kustomization)];
        assert!(build_files(files).has_failed(), "{path}");
    }
}

#[test]
fn an_operation_without_a_value_writes_null() {
    for (op, path, expected) in [
        ("add", "/x", "x: null\n"),
        ("replace", "/metadata/labels/x", "    x: null\n"),
        ("add", "/metadata/annotations/x", "    x: \"null\"\n"),
    ] {
        let patch = format!(
            "patches:\n- target: {{kind: A}}\n  patch: '[{{\"op\": \"{op}\", \"path\": \"{path}\"}}]'\n"
        );
        let (text, warnings) = build(OBJECT, &patch);
        assert!(text.contains(expected), "{text}");
        let warning = format!("the operation `{op}` has no `value`, which means null");
        assert_eq!(warnings, [warning]);
    }
}
