//! Texts before and after, in tables.

use super::*;

fn fixed(text: &str) -> Result<String> {
    let source = Source::new("kustomization.yaml", text).unwrap();
    let is_file = |name: &str| name.ends_with(".yaml");
    let text = fix_text(&source, &is_file)?;
    Ok(text.replace(HEAD, ""))
}

const HEAD: &str = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n";

#[track_caller]
fn check(table: &[(&str, &str)]) {
    for (before, after) in table {
        assert_eq!(fixed(before).unwrap(), *after, "{before}");
        assert_eq!(fixed(after).unwrap(), *after, "again: {after}");
    }
}

#[test]
fn a_field_with_the_same_items_is_renamed() {
    check(&[
        (
            "# base\nbases: # all\n  - ../a # one\n\nnamePrefix: p-\n",
            "# base\nresources: # all\n  - ../a # one\n\nnamePrefix: p-\n",
        ),
        (
            "imageTags: [{name: a, newTag: '1'}]\n",
            "images: [{name: a, newTag: '1'}]\n",
        ),
        (
            "patchesJson6902:\n- target: {kind: A, name: a} # why\n  path: p.yaml\n",
            "patches:\n- target: {kind: A, name: a} # why\n  path: p.yaml\n",
        ),
    ]);
}

#[test]
fn items_are_added_to_the_field_that_is_there() {
    check(&[
        (
            "resources:\n  - a.yaml # one\n\n# below\nbases:\n# two\n- ../b # b\nnamespace: n\n",
            "resources:\n  - a.yaml # one\n  # below\n  # two\n  - ../b # b\n\nnamespace: n\n",
        ),
        (
            "bases: [../b]\nresources: [a.yaml]\n",
            "resources:\n- a.yaml\n- ../b\n",
        ),
        ("resources:\nbases: [../b]\n", "resources:\n- ../b\n"),
    ]);
}

#[test]
fn strategic_patches_become_entries_after_json_patches() {
    check(&[
        (
            "patchesStrategicMerge: # old\n  # file\n  - a.yaml # a\n  - |-\n    kind: A\n\n    x: 1\nnamespace: n\n",
            "patches: # old\n  # file\n  - path: a.yaml # a\n  - patch: |-\n      kind: A\n\n      x: 1\nnamespace: n\n",
        ),
        (
            "patchesStrategicMerge: [a.yaml]\nnamespace: n\npatchesJson6902:\n- path: p.yaml\n  target: {kind: A, name: a}\n",
            "patches:\n- path: p.yaml\n  target: {kind: A, name: a}\n- path: a.yaml\nnamespace: n\n",
        ),
        (
            "patches:\n- path: x.yaml\npatchesStrategicMerge:\n- a.yaml\n",
            "patches:\n- path: x.yaml\n- path: a.yaml\n",
        ),
    ]);
}

#[test]
fn common_labels_become_an_entry_that_includes_selectors() {
    check(&[
        (
            "commonLabels: # all\n  # the app\n  app: web # x\n  tier: a\nnamespace: n\n",
            "labels: # all\n- includeSelectors: true\n  pairs:\n    # the app\n    app: web # x\n    tier: a\nnamespace: n\n",
        ),
        (
            "labels:\n- pairs: {a: b}\ncommonLabels: {app: web} # x\n",
            "labels:\n- pairs: {a: b}\n- includeSelectors: true\n  pairs: {app: web} # x\n",
        ),
    ]);
    let message = fixed("labels: [{pairs: {a: b}}]\ncommonLabels: {a: c}\n")
        .unwrap_err()
        .message;
    assert_eq!(
        message,
        "label name 'a' exists in both commonLabels and labels"
    );
}

#[test]
fn fields_of_entries_are_renamed() {
    check(&[
        (
            "configMapGenerator:\n- name: a\n  env: a.env # why\n",
            "configMapGenerator:\n- name: a\n  envs: [a.env] # why\n",
        ),
        (
            "secretGenerator:\n- name: a\n  env: a.env\n  envs:\n  - b.env # b\n",
            "secretGenerator:\n- name: a\n  envs:\n  - b.env\n  - a.env # b\n",
        ),
        (
            "helmChartInflationGenerator:\n- chartName: a\n  chartVersion: '1'\n  values: v.yaml\n",
            "helmCharts:\n- name: a\n  version: '1'\n  valuesFile: v.yaml\n",
        ),
    ]);
}

#[test]
fn adds_kind_and_version() {
    let source = Source::new("kustomization.yaml", "# license\n\nnamespace: n\n").unwrap();
    let text = fix_text(&source, &|_| false).unwrap();
    assert_eq!(text, format!("# license\n\n{HEAD}namespace: n\n"));
}

#[test]
fn refuses_other_layouts() {
    for (text, found) in [
        ("{bases: [a]}\n", "another layout"),
        ("- a\n", "another layout"),
    ] {
        let message = fixed(text).unwrap_err().message;
        let expected = format!("expected a mapping with one field on each line, found {found}");
        assert_eq!(message, expected);
    }
}
