//! The choice of objects and items: targets, rejected objects and filters of replacements.

use crate::case::{Case, case};
use crate::inputs::{config_map, each, replaced};
use crate::work::Work;

pub(crate) const CASES: &[Case] = &[
    case("filters on one list", 300, filters),
    case("filters with chains of keys", 300, deep_filters),
    case("targets by patterns", 300, pattern_targets),
    case("targets by the ends of names", 300, suffix_targets),
    case("targets by labels", 300, label_targets),
    case("objects that a replacement rejects", 200, |size| {
        let rejected = each(size, |at| {
            format!("    - {{name: a{at}}}\n    - {{labelSelector: app=x{at}}}\n")
        });
        let items = (0..size).map(|at| config_map(&format!("b{at}"), "k: v\n"));
        Work::Function {
            spec: format!(
                "replacements:\n- sourceValue: w\n  targets:\n  - select: {{kind: ConfigMap}}\n    \
                 fieldPaths: [data.k]\n    reject:\n{rejected}"
            ),
            items: items.collect(),
        }
    }),
];

fn filters(size: usize) -> Work {
    let list = each(size, |at| format!("- {{name: n{at}, v: 1}}\n"));
    let data = format!("k: v\nl:\n{list}");
    let path = |at| format!("$.data.l[?@.name==\"n{at}\"].v");
    replaced((0..size).map(path), "", &data)
}

fn deep_filters(size: usize) -> Work {
    let list = each(size, |at| {
        format!("- {{metadata: {{name: n{at}}}, v: 1}}\n")
    });
    let data = format!("k: v\nl:\n{list}");
    let path = |at| format!("$.data.l[?@.metadata.name==\"n{at}\"].v");
    replaced((0..size).map(path), "", &data)
}

/// Returns a function with a replacement that has one target per number, each in its own ConfigMap.
fn targeted(size: usize, select: impl Fn(usize) -> String) -> Work {
    let mut items = vec![config_map("source", "H: hello\n")];
    items.extend((0..size).map(|at| config_map(&format!("a{at}"), "k: v\n")));
    let targets = each(size, |at| {
        format!(
            "  - select: {{kind: ConfigMap, {}}}\n    fieldPaths: [data.k]\n",
            select(at)
        )
    });
    let source = "replacements:\n- source: {kind: ConfigMap, name: source, fieldPath: data.H}\n";
    let spec = format!("{source}  targets:\n{targets}");
    Work::Function { spec, items }
}

fn pattern_targets(size: usize) -> Work {
    targeted(size, |at| format!("name: 'a({at})'"))
}

fn suffix_targets(size: usize) -> Work {
    targeted(size, |at| format!("name: '.*a{at}'"))
}

fn label_targets(size: usize) -> Work {
    targeted(size, |at| format!("labelSelector: 'app=a{at}'"))
}
