//! Replacements: empty texts, nulls, types and spellings.

use super::{OBJECT, REPRINT, build, build_files};

#[test]
fn a_created_value_with_a_delimiter_starts_from_the_empty_text() {
    let replacement = "replacements:\n- source: {kind: A, name: a}\n  targets:\n  - {select: {kind: A}, fieldPaths: [metadata.labels.new], options: {create: true, delimiter: \"/\", index: 1}}\n";
    let (text, _) = build(OBJECT, replacement);
    assert!(text.contains("new: /a\n"), "{text}");
}

#[test]
fn a_text_in_brackets_is_a_pattern_in_a_target() {
    let pod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nspec:\n  containers:\n  - name: web\n    image: x\n  \
               - name: web-sidecar\n    image: x\n  - name: \"web\"\n    image: x\n";
    let replaced = |segment: &str| {
        let replacement = format!(
            "replacements:\n- sourceValue: w\n  targets:\n  - select: {{kind: Pod}}\n    fieldPaths: ['spec.containers.{segment}.image']\n"
        );
        let (text, warnings) = build(pod, &replacement);
        let images: String = text
            .lines()
            .filter_map(|line| line.strip_prefix("  - image: "))
            .collect();
        (images, warnings)
    };
    let (images, warnings) = replaced("[name=web]");
    assert_eq!(images, "www");
    assert_eq!(warnings, ["`[name=web]` also chooses `web-sidecar`"]);
    // kustomize includes the quotes of a quoted text in the comparison.
    assert_eq!(replaced("[name=^web$]").0, "wxx");
    let (images, warnings) = replaced("[name=web-s.*]");
    assert_eq!((&*images, warnings.len()), ("xwx", 0));
}

#[test]
fn a_mapping_over_a_text_leaves_an_empty_text() {
    let objects =
        "apiVersion: a/v1\nkind: A\nmetadata: {name: a}\nspec: {m: {x: y}, to: text, image: a/b}\n";
    let replaced = |path: &str, options: &str| {
        let replacement = format!(
            "replacements:\n- source: {{kind: A, fieldPath: spec.m}}\n  targets:\n  \
             - {{select: {{kind: A}}, fieldPaths: [{path}], options: {{{options}}}}}\n"
        );
        build(objects, &replacement)
    };
    let warning = ["an empty text is written: the source is a mapping"];
    let (text, warnings) = replaced("spec.to", "");
    assert!(text.ends_with("  to: \"\"\n"), "{text}");
    assert_eq!(warnings, warning);
    let (text, warnings) = replaced("spec.image", "delimiter: /, index: 1");
    assert!(text.contains("  image: a/\n"), "{text}");
    assert_eq!(warnings, warning);
    let (text, warnings) = replaced("spec.new", "create: true");
    assert!(
        text.contains("  new:\n    x: \"y\"\n") && warnings.is_empty(),
        "{text}"
    );
}

#[test]
fn a_wildcard_below_a_null_is_an_error() {
    let objects = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nspec: {template: null}\n";
    let kustomization = |path: &str| {
        format!(
            "resources: [objects.yaml]\nreplacements:\n- source: {{kind: ConfigMap, name: a}}\n  targets:\n  \
             - select: {{kind: ConfigMap}}\n    fieldPaths: ['{path}']\n    options: {{create: true}}\n"
        )
    };
    for (path, is_error) in [
        ("spec.template.list.*.image", true),
        ("spec.template.list.1", true),
        ("spec.template.list.0", false),
        ("spec.template.list.[name=c].image", false),
    ] {
        let text = kustomization(path);
        let files = [("objects.yaml", objects), ("kustomization.yaml", &text)];
        assert_eq!(build_files(files).has_failed(), is_error, "{path}");
    }
}

#[test]
fn a_collection_over_a_null_leaves_it_without_a_text() {
    let objects = "{apiVersion: a/v1, kind: A, metadata: {name: src}, spec: {deep: {a: b}}}\n---\n\
                   {apiVersion: a/v1, kind: B, metadata: {name: dst}, spec: {map: null, tilde: ~}}\n";
    let replacement = "replacements:\n\
                       - source: {kind: A, name: src, fieldPath: spec.deep}\n  \
                         targets: [{select: {name: dst}, fieldPaths: [spec.map]}]\n";
    let (text, warnings) = build(objects, replacement);
    assert!(text.ends_with("  map: \"\"\n  tilde: null\n"), "{text}");
    assert_eq!(
        warnings,
        ["an empty text is written: the source is a mapping"]
    );
    let patch = "patches:\n- target: {kind: B}\n  patch: '[{\"op\": \"add\", \"path\": \"/spec/x\", \"value\": 1}]'\n";
    let (text, _) = build(objects, &format!("{patch}{replacement}"));
    assert!(
        text.ends_with("  map: null\n  tilde: null\n  x: 1\n"),
        "{text}"
    );
}

#[test]
fn a_source_that_a_json_patch_changed_has_the_spelling_of_json() {
    let objects = "{apiVersion: a/v1, kind: A, metadata: {name: src}, spec: {a: 1e3, b: 0x10, c: 1.50, d: yes}}\n---\n\
                   {apiVersion: a/v1, kind: B, metadata: {name: dst}, spec: {t: t}}\n";
    let mut replacements = "replacements:\n".to_owned();
    for name in ["a", "b", "c", "d"] {
        replacements.push_str(&format!(
            "- source: {{kind: A, name: src, fieldPath: spec.{name}}}\n  \
             targets: [{{select: {{name: dst}}, fieldPaths: [spec.t], options: {{delimiter: '/', index: 9}}}}]\n"
        ));
    }
    let (text, _) = build(objects, &replacements);
    assert!(text.contains("t: t/1e3/0x10/1.50/yes\n"), "{text}");
    let (text, _) = build(objects, &format!("patches:\n{REPRINT}{replacements}"));
    assert!(text.contains("t: t/1000/16/1.5/yes\n"), "{text}");
}

#[test]
fn a_number_over_a_text_without_a_type_has_no_quotes() {
    let objects = "{apiVersion: a/v1, kind: A, metadata: {name: src}, spec: {ref: n2}}\n---\n\
                   {apiVersion: apps/v1, kind: Deployment, metadata: {name: dst}, spec: {}}\n";
    let kustomization = "replacements:\n\
                         - source: {kind: A, name: src, fieldPath: spec.ref}\n  \
                           targets: [{select: {name: dst}, fieldPaths: [spec.replicas], options: {create: true}}]\n";
    let base = format!("resources: [objects.yaml]\n{kustomization}");
    let files = [
        ("base/objects.yaml", objects),
        ("base/kustomization.yaml", &base),
        (
            "kustomization.yaml",
            "resources: [base]\nreplicas: [{name: dst, count: 4}]\n",
        ),
    ];
    let text = build_files(files).text();
    assert!(text.contains("replicas: 4\n"), "{text}");
}

/// Replaces `spec.map` with `spec.ref` if `is_created`, and then with the field `source` of `spec`.
/// Returns the resulting line, without and with a JSON patch before the replacements.
fn emptied(map: &str, source: &str, is_created: bool) -> String {
    let replacement = |source: &str| {
        format!(
            "- source: {{kind: A, fieldPath: spec.{source}}}\n  targets: [{{select: {{kind: A}}, fieldPaths: [spec.map], options: {{create: true}}}}]\n"
        )
    };
    let first = if is_created {
        replacement("ref")
    } else {
        String::new()
    };
    let object = format!("apiVersion: a/v1\nkind: A\nmetadata: {{name: a}}\nspec:\n{map}");
    let replacements = format!("replacements:\n{first}{}", replacement(source));
    let (text, _) = build(&object, &replacements);
    let (patched, _) = build(&object, &format!("patches:\n{REPRINT}{replacements}"));
    let map = |text: &str| {
        let line = text.lines().find(|line| line.starts_with("  map:"));
        line.unwrap().trim().to_owned()
    };
    format!("{}; {}", map(&text), map(&patched))
}

#[test]
fn an_empty_text_over_a_null_or_a_new_field_is_null_outside_of_braces() {
    for (form, expected) in [
        (
            "  m: {x: y}\n  ref: r\n  empty: ''\n",
            "map: null; map: null",
        ),
        ("  {m: {x: y}, ref: r, empty: ''}\n", "map: \"\"; map: null"),
    ] {
        for (source, is_created) in [("empty", false), ("empty", true), ("m", true)] {
            let found = emptied(form, source, is_created);
            assert_eq!(found, expected, "{form}{source} {is_created}");
        }
        let with_null = match form.strip_suffix("}\n") {
            Some(flow) => format!("{flow}, map: null}}\n"),
            None => format!("{form}  map: null\n"),
        };
        for source in ["empty", "m"] {
            assert_eq!(emptied(&with_null, source, false), expected, "{source}");
        }
    }
}

#[test]
fn any_build_metadata_replaces_null_annotations_by_a_mapping() {
    let object = "{apiVersion: v1, kind: A, metadata: {name: a, annotations: null}}\n";
    let replacement = "replacements:\n- source: {kind: A, name: a}\n  targets: [{select: {kind: A}, fieldPaths: [metadata.annotations.new], options: {create: true}}]\n";
    for (metadata, is_added) in [
        ("", false),
        ("buildMetadata: []\n", false),
        ("buildMetadata: [managedByLabel]\n", true),
        ("buildMetadata: [unknown]\n", true),
    ] {
        let (text, _) = build(object, &format!("{metadata}{replacement}"));
        let has_annotation = text.contains("  annotations:\n    new: a\n");
        assert_eq!(has_annotation, is_added, "{metadata}{text}");
        assert!(!text.contains("origin"), "{text}");
    }
}

#[test]
fn an_empty_text_that_becomes_null_is_a_warning() {
    let replacement = "replacements:\n- source: {kind: A, fieldPath: spec.empty}\n  targets: [{select: {kind: A}, fieldPaths: [spec.new], options: {create: true}}]\n";
    let object = |empty: &str| {
        format!("apiVersion: a/v1\nkind: A\nmetadata: {{name: a}}\nspec:\n  empty: '{empty}'\n")
    };
    let (_, warnings) = build(&object(""), replacement);
    assert_eq!(
        warnings,
        ["the field becomes null: the source is an empty text"]
    );
    assert!(build(&object("x"), replacement).1.is_empty());
}

#[test]
fn a_number_has_the_spelling_of_json_unless_a_later_patch_wrote_it() {
    let object =
        "apiVersion: a/v1\nkind: A\nmetadata: {name: a}\nspec: {a: 1.50, b: 12345678, c: 1}\n";
    let json = REPRINT;
    let merge =
        "- patch: '{apiVersion: a/v1, kind: A, metadata: {name: a}, spec: {c: 1e7, d: 0x10}}'\n";
    let copied = |patches: &str, field: &str| {
        let kustomization = format!(
            "patches:\n{patches}replacements:\n- source: {{kind: A, fieldPath: spec.{field}}}\n  targets: [{{select: {{kind: A}}, fieldPaths: [metadata.annotations.x], options: {{create: true}}}}]\n"
        );
        let (text, _) = build(object, &kustomization);
        let line = text.lines().find(|line| line.starts_with("    x: "));
        line.unwrap().trim().to_owned()
    };
    let (json_merge, merge_json) = (format!("{json}{merge}"), format!("{merge}{json}"));
    for (patches, field, expected) in [
        (json, "a", "x: \"1.5\""),
        (json, "b", "x: \"1.2345678e+07\""),
        (&json_merge, "a", "x: \"1.5\""),
        (&json_merge, "c", "x: \"1e7\""),
        (&json_merge, "d", "x: \"0x10\""),
        (&merge_json, "c", "x: \"1e+07\""),
        (&merge_json, "d", "x: \"16\""),
    ] {
        assert_eq!(copied(patches, field), expected, "{patches} {field}");
    }
}

/// Returns a replacement of `spec.ref` at `targets`, which are paths with options, and its object.
fn replaced_ref(targets: &[(&str, &str)]) -> String {
    let mut text =
        "replacements:\n- source: {kind: A, fieldPath: spec.ref}\n  targets:\n".to_owned();
    for (path, options) in targets {
        text.push_str(&format!(
            "  - {{select: {{kind: A}}, fieldPaths: [{path}], options: {{{options}}}}}\n"
        ));
    }
    text
}

const PIECE: &str = "delimiter: /, index: 1";

#[test]
fn a_target_that_is_the_source_changes_the_value_for_later_places() {
    let object = "{apiVersion: a/v1, kind: A, metadata: {name: a}, spec: {ref: n3, copy: x}}\n";
    let (text, warnings) = build(
        object,
        &replaced_ref(&[("spec.ref", PIECE), ("spec.copy", "")]),
    );
    assert!(
        text.ends_with("spec:\n  copy: n3/n3\n  ref: n3/n3\n"),
        "{text}"
    );
    assert_eq!(
        warnings,
        ["the value changes for all later places: this is the field of the source"]
    );
    // A copy of the field is not the field.
    let targets = [
        ("spec.copy", ""),
        ("spec.copy", PIECE),
        ("spec.new", "create: true"),
    ];
    let (text, warnings) = build(object, &replaced_ref(&targets));
    assert!(
        text.ends_with("spec:\n  copy: n3/n3\n  new: n3\n  ref: n3\n"),
        "{text}"
    );
    assert!(warnings.is_empty(), "{warnings:?}");
    // A piece of the field is a copy, too.
    let piece = replaced_ref(&[("spec.ref", PIECE), ("spec.copy", "")])
        .replace("spec.ref}", "spec.ref, options: {delimiter: '-'}}");
    assert!(build(object, &piece).0.contains("copy: n3\n"));

    let list = "{apiVersion: a/v1, kind: A, metadata: {name: a}, spec: {list: [{v: p}, {v: r}]}}\n";
    let items = replaced_ref(&[("spec.list.*.v", PIECE)]).replace("spec.ref", "spec.list.0.v");
    let (text, _) = build(list, &items);
    assert!(
        text.ends_with("  list:\n  - v: p/p\n  - v: r/p/p\n"),
        "{text}"
    );
}

#[test]
fn an_empty_text_is_null_after_a_text_replaced_a_null() {
    let replacements = "replacements:\n\
                        - source: {kind: A, fieldPath: spec.ref}\n  \
                          targets: [{select: {kind: A}, fieldPaths: [spec.map]}]\n\
                        - source: {kind: A, fieldPath: spec.empty}\n  \
                          targets: [{select: {kind: A}, fieldPaths: [spec.map]}]\n";
    for (spec, expected) in [
        ("\n  ref: t\n  map: null\n  empty: ''\n", "map: null\n"),
        (" {ref: t, map: null, empty: ''}\n", "map: \"\"\n"),
    ] {
        let object = format!("apiVersion: a/v1\nkind: A\nmetadata: {{name: a}}\nspec:{spec}");
        let (text, _) = build(&object, replacements);
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn a_replaced_image_has_no_type() {
    let object = "apiVersion: v1\nkind: Pod\nmetadata: {name: \"112\"}\n\
                  spec: {containers: [{name: c, image: nginx}]}\n";
    for (image, expected) in [("nginx", "image: 112\n"), ("other", "image: \"112\"\n")] {
        let kustomization = format!(
            "images: [{{name: {image}}}]\nreplacements:\n- source: {{kind: Pod}}\n  \
             targets: [{{select: {{kind: Pod}}, fieldPaths: [spec.containers.0.image]}}]\n"
        );
        let (text, _) = build(object, &kustomization);
        assert!(text.contains(expected), "{image} {text}");
    }
}

#[test]
fn a_patch_removes_an_emptied_null_also_after_a_json_patch() {
    let object =
        "apiVersion: a/v1\nkind: A\nmetadata: {name: a}\nspec:\n  map: null\n  empty: ''\n";
    let base = format!(
        "resources: [objects.yaml]\npatches:\n{REPRINT}replacements:\n- source: {{kind: A, fieldPath: spec.empty}}\n  \
         targets: [{{select: {{kind: A}}, fieldPaths: [spec.map]}}]\n"
    );
    let top = "resources: [base]\npatches:\n\
               - patch: '{apiVersion: a/v1, kind: A, metadata: {name: a}, spec: {other: x}}'\n";
    for (kustomization, is_kept) in [("resources: [base]\n", true), (top, false)] {
        let files = [
            ("base/objects.yaml", object),
            ("base/kustomization.yaml", &base),
            ("kustomization.yaml", kustomization),
        ];
        let text = build_files(files).text();
        assert_eq!(text.contains("map: null\n"), is_kept, "{text}");
    }
}

#[test]
fn a_text_over_a_null_is_still_a_null_for_a_patch() {
    let object = "apiVersion: a/v1\nkind: A\nmetadata: {name: a}\nspec: {map: null, ref: r}\n";
    let files = [
        ("base/objects.yaml", object),
        (
            "base/kustomization.yaml",
            "resources: [objects.yaml]\nreplacements:\n- source: {kind: A, fieldPath: spec.ref}\n  \
             targets: [{select: {kind: A}, fieldPaths: [spec.map]}]\n",
        ),
        (
            "kustomization.yaml",
            "resources: [base]\npatches:\n\
             - patch: '{apiVersion: a/v1, kind: A, metadata: {name: a}, spec: {map: {a: b}}}'\n",
        ),
    ];
    let text = build_files(files).text();
    assert!(
        text.ends_with("spec:\n  map:\n    a: b\n  ref: r\n"),
        "{text}"
    );
}

/// Returns the text that a replacement inserts for `spec.v` of an object after `patches`.
fn inserted(v: &str, patches: &str) -> String {
    let object =
        format!("apiVersion: a/v1\nkind: A\nmetadata: {{name: a}}\nspec: {{v: {v}, t: t}}\n");
    let kustomization = format!(
        "patches:\n{patches}replacements:\n- source: {{kind: A, fieldPath: spec.v}}\n  \
         targets: [{{select: {{kind: A}}, fieldPaths: [spec.t], options: {{delimiter: /, index: 9}}}}]\n"
    );
    let (text, _) = build(&object, &kustomization);
    let line = text.lines().find_map(|line| line.strip_prefix("  t: t/"));
    line.unwrap().to_owned()
}

#[test]
fn a_negative_zero_is_zero_after_two_json_patches() {
    let again = REPRINT.replace("/x", "/y");
    assert_eq!(inserted("-0.0", ""), "-0.0");
    assert_eq!(inserted("-0.0", REPRINT), "-0");
    assert_eq!(inserted("-0.0", &format!("{REPRINT}{again}")), "0");
}

#[test]
fn a_patch_that_repeats_a_number_brings_back_its_spelling() {
    let repeat = "- patch: '{apiVersion: a/v1, kind: A, metadata: {name: a}, spec: {v: 1.50}}'\n";
    assert_eq!(inserted("1.50", REPRINT), "1.5");
    assert_eq!(inserted("1.50", &format!("{REPRINT}{repeat}")), "1.50");
}

#[test]
fn a_json_patch_removes_annotations_that_are_null() {
    let object = "{apiVersion: a/v1, kind: A, metadata: {name: a, annotations: null}}\n";
    let replacement = "replacements:\n- source: {kind: A}\n  \
                       targets: [{select: {kind: A}, fieldPaths: [metadata.annotations.x], options: {create: true}}]\n";
    let patch = "patchesJson6902:\n- target: {version: v1, group: a, kind: A, name: a}\n  \
                 patch: '[{\"op\": \"add\", \"path\": \"/x\", \"value\": 1}]'\n";
    let (text, _) = build(object, replacement);
    assert!(!text.contains("annotations"), "{text}");
    let (text, _) = build(object, &format!("{patch}{replacement}"));
    assert!(text.contains("  annotations:\n    x: a\n"), "{text}");
}

#[test]
fn a_word_of_yaml_1_1_without_quotes_is_replaced_by_a_string() {
    let object =
        "{apiVersion: a/v1, kind: A, metadata: {name: a}, port: 8080, flag: true, u: yes}\n";
    for (source, written) in [("port", "u: \"8080\"\n"), ("flag", "u: \"true\"\n")] {
        let replacement = format!(
            "replacements:\n- source: {{kind: A, fieldPath: {source}}}\n  \
             targets: [{{select: {{kind: A}}, fieldPaths: [u]}}]\n"
        );
        let (text, _) = build(object, &replacement);
        assert!(text.ends_with(written), "{text}");
    }
}
