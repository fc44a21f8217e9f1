//! Patches and generators of a KRM function.

use crate::case::{Case, case};
use crate::inputs::{config_map, each, indented, json_text};
use crate::work::Work;

pub(crate) const CASES: &[Case] = &[
    case("strategic patches of one object", 300, strategic_patches),
    case("strategic patches of one list", 300, list_patches),
    case("values merged into one document", 200, merged_values),
];

fn strategic_patches(size: usize) -> Work {
    let patch = |at| {
        format!(
            "- patch: |-\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {{name: a}}\n    data: {{k{at}: w}}\n"
        )
    };
    Work::Function {
        spec: format!("patches:\n{}", each(size, patch)),
        items: vec![config_map("a", &each(size, |at| format!("k{at}: v\n")))],
    }
}

fn list_patches(size: usize) -> Work {
    let metadata = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\n";
    let path = "spec:\n  template:\n    spec:\n      containers:\n";
    let containers = each(size, |at| {
        format!("      - name: c{at}\n        image: a\n")
    });
    let patch = |at| {
        let patch = format!("{metadata}{path}      - name: c{at}\n        image: b\n");
        format!("- patch: |-\n{}", indented(&patch, "    "))
    };
    Work::Function {
        spec: format!("patches:\n{}", each(size, patch)),
        items: vec![format!("{metadata}{path}{containers}")],
    }
}

fn merged_values(size: usize) -> Work {
    let generator = |at| {
        format!(
            "- name: a\n  behavior: merge\n  mergeValues: [{{key: a.json}}]\n  literals:\n  - 'a.json={{\"k{at}\": 1}}'\n"
        )
    };
    let data = format!("a.json: |\n{}", indented(&json_text(size), "  "));
    Work::Function {
        spec: format!("configMapGenerator:\n{}", each(size, generator)),
        items: vec![config_map("a", &data)],
    }
}
