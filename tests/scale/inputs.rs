//! Pieces of the inputs that several areas need.

use std::fmt::Write as _;

use crate::work::Work;

/// Concatenates the pieces for all numbers below `size`.
pub(crate) fn each(size: usize, piece: impl Fn(usize) -> String) -> String {
    (0..size).map(piece).collect()
}

pub(crate) fn indented(text: &str, indent: &str) -> String {
    let mut result = String::new();
    for line in text.lines() {
        writeln!(result, "{indent}{line}").expect("a string can be written");
    }
    result
}

pub(crate) fn config_map(name: &str, data: &str) -> String {
    let data = indented(data, "  ");
    format!(
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n  labels: {{app: {name}}}\ndata:\n{data}"
    )
}

pub(crate) fn json_text(size: usize) -> String {
    let entries = each(size, |at| format!(" \"k{at}\": \"v\",\n"));
    format!("{{\n{entries} \"x\": 1\n}}\n")
}

/// Returns a function with a replacement that writes one value at paths of the ConfigMap `a`.
pub(crate) fn replaced(paths: impl Iterator<Item = String>, options: &str, data: &str) -> Work {
    let mut spec = "replacements:\n- source: {kind: ConfigMap, name: source, fieldPath: data.H}\n  targets:\n  - select: {kind: ConfigMap, name: a}\n".to_owned();
    spec.push_str(options);
    spec.push_str("    fieldPaths:\n");
    for path in paths {
        writeln!(spec, "    - '{path}'").expect("a string can be written");
    }
    Work::Function {
        spec,
        items: vec![config_map("source", "H: hello\n"), config_map("a", data)],
    }
}
