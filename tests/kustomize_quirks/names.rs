//! Names, name prefixes and namespaces.

use super::{REPRINT, build, build_files};

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
    let built = build_files(files);
    let text = built.text();
    assert!(
        text.contains("  name: a\n") && text.contains("  name: p-b\n"),
        "{text}"
    );
    let message = &built.messages[0];
    assert!(
        message.contains("`metadata/name` of NamePrefix is ignored"),
        "{message}"
    );
}

#[test]
fn a_field_spec_for_a_version_of_a_kind_in_the_table_is_no_reason_to_warn() {
    let crd = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n\
               metadata: {name: a.b}\n\
               spec: {conversion: {webhook: {clientConfig: {service: {namespace: x}}}}}\n";
    let path = "spec/conversion/webhook/clientConfig/service/namespace";
    let spec = format!(
        "namespace: [{{kind: CustomResourceDefinition, group: apiextensions.k8s.io, version: v1, \
         path: {path}}}]"
    );
    let files = [
        ("crd.yaml", crd),
        ("specs.yaml", &spec),
        (
            "kustomization.yaml",
            "resources: [crd.yaml]\nconfigurations: [specs.yaml]\nnamespace: ns\n",
        ),
    ];
    let built = build_files(files);
    assert!(built.text().contains("namespace: ns\n"), "{}", built.text());
    assert!(built.messages.is_empty(), "{:?}", built.messages);
}

#[test]
fn a_field_spec_that_hides_one_of_the_table_from_an_object_is_reported() {
    let objects = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n\
                   spec: {template: {metadata: {labels: {a: b}}}}\n";
    let spec = "commonAnnotations: [{kind: Deployment, group: apps, version: v1beta1, \
                path: spec/template/metadata/annotations, create: true}]";
    let files = [
        ("objects.yaml", objects),
        ("base/specs.yaml", spec),
        ("base/objects.yaml", objects),
        (
            "base/kustomization.yaml",
            "resources: [objects.yaml]\nconfigurations: [specs.yaml]\n\
             commonAnnotations: {x: z}\n",
        ),
        // The outer kustomization hides the spec too, but this is the same mistake.
        (
            "kustomization.yaml",
            "resources: [base]\ncommonAnnotations: {k: z}\n",
        ),
    ];
    let built = build_files(files);
    assert!(
        !built.text().contains("      annotations"),
        "{}",
        built.text()
    );
    let hidden = "`spec/template/metadata/annotations` of commonAnnotations is ignored";
    let mut messages = built.messages.iter();
    let count = messages
        .by_ref()
        .filter(|message| message.contains(hidden))
        .count();
    assert_eq!(count, 1, "{:?}", built.messages);

    // The fields of an entry of `labels` hide specs too.
    let labels =
        "labels: [{pairs: {a: b}, fields: [{path: metadata/labels, kind: Zoo, create: true}]}]";
    let (_, messages) = build(objects, labels);
    let hidden = "`metadata/labels` of labels is ignored";
    assert!(messages[0].contains(hidden), "{messages:?}");
    let zoo = "apiVersion: v1\nkind: Zoo\nmetadata: {name: a}\n";
    let (_, messages) = build(zoo, labels);
    assert!(messages.is_empty(), "{messages:?}");
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
fn a_name_that_is_a_number_has_the_spelling_of_json_after_a_json_patch() {
    let objects = "{apiVersion: a/v1, kind: A, metadata: {name: e5}}\n";
    let base = format!("resources: [objects.yaml]\nnamePrefix: '1'\npatches:\n{REPRINT}");
    let top = format!("resources: [base]\npatches:\n{REPRINT}");
    let files = [
        ("base/objects.yaml", objects),
        ("base/kustomization.yaml", &base),
        ("kustomization.yaml", &top.replace("/x", "/y")),
    ];
    let text = build_files(files).text();
    assert!(text.contains("name: 100000\n"), "{text}");
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
fn a_patch_finds_an_object_whose_name_is_a_word_of_yaml_1_1() {
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
fn a_namespace_that_a_reference_gets_is_a_text() {
    let objects = "{apiVersion: v1, kind: ServiceAccount, metadata: {name: sa}}\n---\n\
                   apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: b}\n\
                   subjects: [{kind: ServiceAccount, name: sa}]\n";
    let (text, _) = build(objects, "namespace: '12'\n");
    assert!(text.contains("  name: sa\n  namespace: \"12\"\n"), "{text}");
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
        let text = build_files(files).text();
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn a_component_must_not_rename_an_object_to_the_name_of_another_without_its_suffix() {
    let component = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n\
                     patches: [{target: {name: made}, patch: '[{\"op\": \"replace\", \
                     \"path\": \"/metadata/name\", \"value\": \"b\"}]'}]\n";
    let files = [
        (
            "b.yaml",
            "{apiVersion: v1, kind: ConfigMap, metadata: {name: b}}\n",
        ),
        ("part/kustomization.yaml", component),
        (
            "kustomization.yaml",
            "resources: [b.yaml]\nconfigMapGenerator: [{name: made, literals: [a=b]}]\ncomponents: [part]\n",
        ),
    ];
    let built = build_files(files);
    assert!(built.has_failed());
    assert_eq!(
        built.messages,
        ["may not add resource with an already registered id: ConfigMap.v1.[noGrp]/b.[noNs]"]
    );
}

#[test]
fn variables_in_a_kind_are_replaced_after_those_in_the_fields_of_the_kind() {
    let object = "{apiVersion: e/v1, kind: $(KIND), metadata: {name: o}, \
                  spec: {k: $(KIND), l: $(KIND), m: $(KIND)}}\n---\n\
                  {apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {kind: New}}\n";
    let kustomization = "resources: [objects.yaml]\nconfigurations: [specs.yaml]\nvars:\n\
                         - name: KIND\n  objref: {apiVersion: v1, kind: ConfigMap, name: c}\n  \
                         fieldref: {fieldpath: data.kind}\n";
    let specs = "varReference:\n- {path: kind}\n- {kind: New, path: spec/k}\n\
                 - {kind: $(KIND), path: spec/l}\n";
    let files = [
        ("objects.yaml", object),
        ("specs.yaml", specs),
        ("kustomization.yaml", kustomization),
    ];
    let text = build_files(files).text();
    assert!(
        text.contains("kind: New\n") && text.contains("  k: $(KIND)\n  l: New\n  m: $(KIND)\n"),
        "{text}"
    );
}
