//! Unusual patches, replacements and generators, with the results of kustomize v5.8.2.
//!
//! The outputs are recorded, so this test does not need kustomize; `tests/kustomize_trees/`
//! compares with the program itself.

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

#[test]
fn a_patch_removes_fields_without_a_value_wherever_they_are() {
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
fn a_field_spec_for_a_kind_hides_the_one_for_all_kinds() {
    let objects = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n---\n\
                   {apiVersion: v1, kind: Zoo, metadata: {name: b}}\n";
    let files = [
        ("objects.yaml", objects),
        (
            "specs.yaml",
            "namePrefix: [{path: metadata/name, kind: Zoo}]",
        ),
        (
            "kustomization.yaml",
            "resources: [objects.yaml]\nconfigurations: [specs.yaml]\nnamePrefix: p-\n",
        ),
    ];
    let world = Memory::with_files(files);
    let mut diagnostics = Diagnostics::default();
    let (folder, options) = (Path::new("."), KustomizationOptions::default());
    let built = kustomization::build(&world, folder, &options, Recorder::off(), &mut diagnostics);
    let names: Vec<String> = built
        .unwrap()
        .iter()
        .map(|object| object.name().to_owned())
        .collect();
    assert_eq!(names, ["a", "p-b"]);
    let message = &diagnostics.as_slice()[0].message;
    assert!(
        message.contains("`metadata/name` of NamePrefix is ignored"),
        "{message}"
    );
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
fn a_value_is_added_to_the_fields_of_targets() {
    let objects = "apiVersion: v1\nkind: Web\nmetadata: {name: a}\nspec: {path: /srv/data, quoted: \"x\", list: [{name: x}]}\n\
                   ---\napiVersion: v1\nkind: Other\nmetadata: {name: b}\n";
    let kustomization = "\
transformers:
- |
  apiVersion: builtin
  kind: ValueAddTransformer
  metadata: {name: added}
  value: \"12\"
  targets:
  - {selector: {kind: Web}, fieldPath: metadata/namespace}
  - {selector: {kind: W.*}, fieldPath: metadata/annotations/a.b\\/c}
  - {selector: {name: a}, fieldPath: spec/path, filePathPosition: 2}
  - {selector: {name: a}, fieldPath: spec/quoted}
  - {selector: {name: a}, fieldPath: 'spec/list/[name=x]/value'}
";
    let (text, _) = build(objects, kustomization);
    let expected = "apiVersion: v1\nkind: Other\nmetadata:\n  name: b\n---\napiVersion: v1\nkind: Web\nmetadata:\n  \
                    annotations:\n    a.b/c: \"12\"\n  name: a\n  namespace: \"12\"\nspec:\n  list:\n  - name: x\n    \
                    value: 12\n  path: /srv/12/data\n  quoted: \"12\"\n";
    assert_eq!(text, expected);
}

/// Returns the values of `key` in the order of the output, and the warnings other than
/// deprecations.
fn values_of(key: &str, objects: &str, kustomization: &str) -> (String, Vec<String>) {
    let (text, mut warnings) = build(objects, kustomization);
    let prefix = format!("{key}: ");
    let values = text
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix(&prefix));
    let values: Vec<&str> = values.collect();
    warnings.retain(|warning| !warning.contains("deprecated"));
    (values.join(" "), warnings)
}

const DEPLOYMENT: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {template: {metadata: {labels: {own: x}}}}
";

/// A transformer of labels that runs after another one.
const LATER_LABELS: &str = "\
transformers:
- |
  apiVersion: builtin
  kind: LabelTransformer
  metadata: {name: later}
  labels: {app: later}
  fieldSpecs: [{path: metadata/labels, create: true}]
";

/// Returns a JSON patch that runs as a transformer after `labels`.
fn late_patch(patch: &str) -> String {
    format!(
        "transformers:\n- |\n  apiVersion: builtin\n  kind: PatchTransformer\n  metadata: {{name: late}}\n  \
         target: {{kind: Deployment}}\n  patch: '{patch}'\n"
    )
}

#[test]
fn a_label_that_was_added_at_several_places_changes_at_all_of_them() {
    let everywhere = ["`app` changes at all places of `Deployment/web` that it was added to"];
    let labels = "commonLabels: {app: web}\n";
    let strategic = |fields: &str| {
        late_patch(&format!(
            "{{apiVersion: apps/v1, kind: Deployment, metadata: {{name: web}}, {fields}}}"
        ))
    };
    // The values are in the order of the output: metadata, selector, template.
    let template = strategic("spec: {template: {metadata: {labels: {app: new}}}}");
    assert_eq!(
        values_of("app", DEPLOYMENT, &format!("{labels}{template}")),
        (
            "new new new".to_owned(),
            everywhere.map(str::to_owned).to_vec()
        )
    );
    let (values, warnings) = values_of("app", DEPLOYMENT, &format!("{labels}{LATER_LABELS}"));
    assert_eq!((&*values, warnings.len()), ("later later later", 1));
    // The last of two changes wins.
    let both = "metadata: {name: web, labels: {app: one}}, spec: {template: {metadata: {labels: {app: two}}}}";
    let both = late_patch(&format!(
        "{{apiVersion: apps/v1, kind: Deployment, {both}}}"
    ));
    assert_eq!(
        values_of("app", DEPLOYMENT, &format!("{labels}{both}")).0,
        "two two two"
    );
}

#[test]
fn a_label_that_was_there_or_that_a_json_patch_changes_is_a_value_of_its_own() {
    let own = DEPLOYMENT.replace("own: x", "app: web");
    let labels = "commonLabels: {app: web}\n";
    let (values, warnings) = values_of("app", &own, &format!("{labels}{LATER_LABELS}"));
    assert_eq!((&*values, warnings.len()), ("later later web", 1));
    let json = late_patch(r#"[{"op": "replace", "path": "/metadata/labels/app", "value": "new"}]"#);
    let (values, warnings) = values_of("app", DEPLOYMENT, &format!("{labels}{json}"));
    assert_eq!((&*values, warnings.len()), ("new web web", 0));
    let replaced = late_patch(
        "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, labels: {$patch: replace, app: new}}}",
    );
    let (values, warnings) = values_of("app", DEPLOYMENT, &format!("{labels}{replaced}"));
    assert_eq!((&*values, warnings.len()), ("new web web", 0));
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
            let json = "- target: {kind: A}\n  patch: '[{\"op\": \"add\", \"path\": \"/x\", \"value\": 1}]'\n";
            let reprinted = format!("patches:\n{json}{}", patch(new));
            assert_eq!(values_of("size", &object, &reprinted).0, new);
        }
    }
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

/// Returns the patch of `spec` of the object, as an item of `patches`.
fn spec_patch(spec: &str) -> String {
    format!(
        "- patch: '{{apiVersion: example.com/v1, kind: Custom, metadata: {{name: a}}, spec: {spec}}}'\n"
    )
}

#[test]
fn a_patch_quotes_the_words_of_yaml_1_1_that_it_passes() {
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
fn a_null_that_a_json_patch_has_passed_stays() {
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
        let world = Memory::with_files(files);
        let options = KustomizationOptions::default();
        let mut diagnostics = Diagnostics::default();
        let recorder = Recorder::off();
        let built =
            kustomization::build(&world, Path::new("."), &options, recorder, &mut diagnostics);
        assert_eq!(built.is_err(), is_error, "{path}");
    }
}

#[test]
fn the_number_of_a_prefix_becomes_a_text_where_a_variable_may_be() {
    let objects = "apiVersion: v1\nkind: Service\nmetadata: {name: 2, labels: {x: $(V)}}\n";
    let vars = "vars:\n- name: V\n  objref: {apiVersion: v1, kind: Service, name: '2'}\n";
    let (text, _) = build(objects, "namePrefix: '1'\n");
    assert!(text.contains("name: 12\n"), "{text}");
    let (text, _) = build(objects, &format!("namePrefix: '1'\n{vars}"));
    assert!(text.contains("x: \"12\"\n"), "{text}");
}

#[test]
fn annotations_are_removed_once() {
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
        let world = Memory::with_files([("objects.yaml", object), ("kustomization.yaml", &text)]);
        let options = KustomizationOptions::default();
        let mut diagnostics = Diagnostics::default();
        let recorder = Recorder::off();
        let built =
            kustomization::build(&world, Path::new("."), &options, recorder, &mut diagnostics);
        assert_eq!(built.is_err(), is_error, "{operations}");
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
    let patch = "patches:\n- target: {kind: A}\n  patch: '[{\"op\": \"add\", \"path\": \"/x\", \"value\": 1}]'\n";
    let (text, _) = build(objects, &format!("{patch}{replacements}"));
    assert!(text.contains("t: t/1000/16/1.5/yes\n"), "{text}");
}

#[test]
fn a_name_that_is_a_number_has_the_spelling_of_json_after_a_json_patch() {
    let objects = "{apiVersion: a/v1, kind: A, metadata: {name: e5}}\n";
    let base = "namePrefix: '1'\npatches:\n- target: {kind: A}\n  patch: '[{\"op\": \"add\", \"path\": \"/x\", \"value\": 1}]'\n";
    let files = [
        ("base/objects.yaml", objects),
        (
            "base/kustomization.yaml",
            &format!("resources: [objects.yaml]\n{base}"),
        ),
        (
            "kustomization.yaml",
            "resources: [base]\npatches:\n- target: {kind: A}\n  patch: '[{\"op\": \"add\", \"path\": \"/y\", \"value\": 1}]'\n",
        ),
        ("top/kustomization.yaml", "resources: [..]\n"),
    ];
    let world = Memory::with_files(files);
    let options = KustomizationOptions::default();
    let mut diagnostics = Diagnostics::default();
    let folder = Path::new(".");
    let built = kustomization::build(&world, folder, &options, Recorder::off(), &mut diagnostics);
    let text = kustomization::print(&built.unwrap(), &mut diagnostics).unwrap();
    assert!(text.contains("name: 100000\n"), "{text}");
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
    let world = Memory::with_files(files);
    let options = KustomizationOptions::default();
    let mut diagnostics = Diagnostics::default();
    let folder = Path::new(".");
    let built = kustomization::build(&world, folder, &options, Recorder::off(), &mut diagnostics);
    let text = kustomization::print(&built.unwrap(), &mut diagnostics).unwrap();
    assert!(text.contains("replicas: 4\n"), "{text}");
}

#[test]
fn a_name_that_a_patch_repeats_may_become_a_number() {
    let objects = "{apiVersion: a/v1, kind: A, metadata: {name: e5}}\n";
    let kustomization = "namePrefix: '1'\npatches:\n\
                         - patch: '{apiVersion: a/v1, kind: A, metadata: {name: e5, labels: {a: b}}}'\n  \
                           options: {allowNameChange: true}\n";
    let (text, _) = build(objects, kustomization);
    assert!(text.contains("name: 100000\n"), "{text}");
}

#[test]
fn a_patch_is_for_an_object_whose_name_is_a_word_of_yaml_1_1() {
    for name in ["on", "y", "No"] {
        let object = format!("{{apiVersion: a/v1, kind: A, metadata: {{name: {name}}}}}\n");
        let patch = format!(
            "patches:\n- patch: '{{apiVersion: a/v1, kind: A, metadata: {{name: {name}, labels: {{a: b}}}}}}'\n"
        );
        let (text, _) = build(&object, &patch);
        let expected = format!("  labels:\n    a: b\n  name: \"{name}\"\n");
        assert!(text.ends_with(&expected), "{text}");
    }
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
    let json = "patches:\n- target: {kind: A}\n  patch: '[{\"op\": \"add\", \"path\": \"/x\", \"value\": 1}]'\n";
    let (patched, _) = build(&object, &format!("{json}{replacements}"));
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
fn any_build_metadata_makes_a_mapping_of_null_annotations() {
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
    let json =
        "- target: {kind: A}\n  patch: '[{\"op\": \"add\", \"path\": \"/x\", \"value\": 1}]'\n";
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
fn an_empty_text_over_a_text_over_a_null_is_null() {
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
fn an_image_that_is_written_again_has_no_type() {
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
fn of_items_with_equal_keys_a_patch_of_other_fields_keeps_one() {
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

/// A JSON patch of kind A, which makes kustomize print the object and read it again.
const REPRINT: &str =
    "- target: {kind: A}\n  patch: '[{\"op\": \"add\", \"path\": \"/x\", \"value\": 1}]'\n";

#[test]
fn a_name_that_a_patch_with_a_target_changes_has_no_type() {
    let renamed = |own: &str, patches: &str, name: &str| {
        let object = format!("{{apiVersion: a/v1, kind: A, metadata: {{name: {own}}}}}\n");
        let kustomization = format!(
            "patches:\n{patches}- target: {{kind: A}}\n  patch: |-\n    \
             {{apiVersion: a/v1, kind: A, metadata: {{name: {name}}}}}\n  \
             options: {{allowNameChange: true}}\n"
        );
        let (text, _) = build(&object, &kustomization);
        let line = text.lines().find(|line| line.starts_with("  name: "));
        line.unwrap().trim().to_owned()
    };
    for (own, patches, name, expected) in [
        ("abc", "", "\"12\"", "name: 12"),
        ("abc", REPRINT, "\"0x1\"", "name: 1"),
        ("'abc'", "", "\"12\"", "name: \"12\""),
        // Read again, `abc` has no quotes, and `yes` has.
        ("'abc'", REPRINT, "\"12\"", "name: 12"),
        ("yes", REPRINT, "\"12\"", "name: \"12\""),
    ] {
        assert_eq!(renamed(own, patches, name), expected, "{own} {patches}");
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
        let world = Memory::with_files(files);
        let options = KustomizationOptions::default();
        let mut diagnostics = Diagnostics::default();
        let recorder = Recorder::off();
        let built =
            kustomization::build(&world, Path::new("."), &options, recorder, &mut diagnostics);
        let text = kustomization::print(&built.unwrap(), &mut diagnostics).unwrap();
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
    let world = Memory::with_files(files);
    let options = KustomizationOptions::default();
    let mut diagnostics = Diagnostics::default();
    let recorder = Recorder::off();
    let built = kustomization::build(&world, Path::new("."), &options, recorder, &mut diagnostics);
    let text = kustomization::print(&built.unwrap(), &mut diagnostics).unwrap();
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
fn a_namespace_that_a_reference_gets_is_a_text() {
    let objects = "{apiVersion: v1, kind: ServiceAccount, metadata: {name: sa}}\n---\n\
                   apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: b}\n\
                   subjects: [{kind: ServiceAccount, name: sa}]\n";
    let (text, _) = build(objects, "namespace: '12'\n");
    assert!(text.contains("  name: sa\n  namespace: \"12\"\n"), "{text}");
}

#[test]
fn an_address_is_refused_in_every_field_with_paths() {
    for field in [
        "components: ['github.com/o/r//base?ref=v1']",
        "crds: ['https://example.com/crd.json']",
        "configurations: ['http://example.com/specs.yaml']",
        "patches: [{path: 'https://example.com/patch.yaml'}]",
        "resources: ['https://example.com/a.yaml']",
        "transformers: ['ssh://git@example.com/o/r']",
    ] {
        let world = Memory::with_files([("kustomization.yaml", &*format!("{field}\n"))]);
        let options = KustomizationOptions::default();
        let mut diagnostics = Diagnostics::default();
        let recorder = Recorder::off();
        let built =
            kustomization::build(&world, Path::new("."), &options, recorder, &mut diagnostics);
        assert!(built.is_err(), "{field}");
        let [error] = diagnostics.as_slice() else {
            panic!("{field} {:?}", diagnostics.as_slice());
        };
        assert!(
            error
                .message
                .ends_with("is a remote resource, which Inlay does not load"),
            "{}",
            error.message
        );
    }
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
fn of_a_json_patch_with_several_documents_the_first_counts() {
    let patch = "patches:\n- target: {kind: A}\n  patch: |-\n    - {op: add, path: /one, value: 1}\n    ---\n    \
                 - {op: add, path: /two, value: 2}\n";
    let (text, warnings) = build(OBJECT, patch);
    assert!(text.contains("one: 1\n") && !text.contains("two"), "{text}");
    assert_eq!(warnings, ["only the first document of a JSON patch counts"]);
}

#[test]
fn a_generator_with_an_unknown_behavior_creates_its_object() {
    let generator = "configMapGenerator: [{name: g, behavior: Create, literals: [a=b]}]\n";
    let (text, warnings) = build(OBJECT, generator);
    assert!(text.contains("  name: g-"), "{text}");
    assert_eq!(warnings, ["the behavior `Create` is ignored"]);
}

#[test]
fn empty_documents_are_no_objects_and_no_patches() {
    let objects = format!("{{}}\n---\n{OBJECT}---\n[]\n");
    let (text, warnings) = build(&objects, "patches: [{patch: '[]'}, {patch: '{}'}]\n");
    assert!(text.starts_with("apiVersion: v1\nkind: A\n"), "{text}");
    assert_eq!(warnings, ["the patch is empty, and is ignored"; 2]);
}

#[test]
fn a_name_that_a_patch_without_a_target_changes_stays_plain() {
    let object = "{apiVersion: a/v1, kind: A, metadata: {name: '12'}}\n";
    let patch = "namePrefix: p-\npatchesJson6902:\n- target: {group: a, version: v1, kind: A, name: '12'}\n  \
                 patch: '[{\"op\": \"add\", \"path\": \"/x\", \"value\": 1}]'\n";
    let base = format!("resources: [objects.yaml]\n{patch}");
    let renamed = "resources: [base]\npatches:\n\
                   - patch: '{apiVersion: a/v1, kind: A, metadata: {name: \"12\"}}'\n  \
                     options: {allowNameChange: true}\n";
    let mid = renamed.replace("[base]", "[../base]");
    for (suffix, expected) in [("", "name: \"12\"\n"), ("nameSuffix: '5'\n", "name: 125\n")] {
        let top = format!("resources: [mid]\n{suffix}");
        let files = [
            ("base/objects.yaml", object),
            ("base/kustomization.yaml", &base),
            ("mid/kustomization.yaml", &mid),
            ("kustomization.yaml", &top),
        ];
        let world = Memory::with_files(files);
        let options = KustomizationOptions::default();
        let mut diagnostics = Diagnostics::default();
        let recorder = Recorder::off();
        let built =
            kustomization::build(&world, Path::new("."), &options, recorder, &mut diagnostics);
        let text = kustomization::print(&built.unwrap(), &mut diagnostics).unwrap();
        assert!(text.contains(expected), "{text}");
    }
}
