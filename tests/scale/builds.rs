//! Builds of templates: files, data values and schemas.

use inlay::workspace::output::OutputFormat;

use crate::case::{Case, case};
use crate::inputs::each;
use crate::work::Work;

pub(crate) const CASES: &[Case] = &[
    case("dense lists", 2_000, dense_lists),
    case("keys of a data values file", 4_000, values_file),
    case(
        "keys given twice in a data values file",
        2_000,
        repeated_values,
    ),
    case("keys given twice in a file", 2_000, repeated_keys),
    case("data-values overlays that add keys", 250, values_overlays),
    case("schema overlays that add keys", 250, schema_overlays),
    case("flags for data values", 500, values_flags),
    case("values that a schema lists", 300, |size| {
        let listed = each(size, |at| format!("\"c{at}\","));
        let schema =
            format!("#@data/values-schema\n---\nl:\n#@schema/validation one_of=[{listed}]\n- ''\n");
        Work::Build {
            files: vec![("a.yml", "a: 1\n".to_owned()), ("schema.yml", schema)],
            values: vec![format!("l:\n{}", each(size, |at| format!("- c{at}\n")))],
            flags: Vec::new(),
            format: OutputFormat::Yaml,
        }
    }),
];

/// Returns a build of short lines and deep nesting, which are mostly nodes. Because of the tag, the
/// parser crate reads them.
fn dense_lists(size: usize) -> Work {
    let item = |at| format!("- - {at}\n  - {{a: [b, {{c: d}}]}}\n  - !x e\n");
    Work::of_files(vec![("a.yml", each(size, item))])
}

fn values_file(size: usize) -> Work {
    let template = "#@ load(\"@ytt:data\", \"data\")\n---\na: #@ data.values.k1\n".to_owned();
    Work::Build {
        files: vec![("a.yml", template)],
        values: vec![each(size, |at| format!("k{at}: {at}\n"))],
        flags: Vec::new(),
        format: OutputFormat::Yaml,
    }
}

/// Returns a build in which the last lines set each key again.
fn repeated_values(size: usize) -> Work {
    let keys = each(size, |at| format!("k{at}: {at}\n"));
    let template = "#@ load(\"@ytt:data\", \"data\")\n---\na: #@ data.values.k1\n".to_owned();
    Work::Build {
        files: vec![("a.yml", template)],
        values: vec![format!("{keys}{keys}")],
        flags: Vec::new(),
        format: OutputFormat::Yaml,
    }
}

fn repeated_keys(size: usize) -> Work {
    let keys = each(size, |at| format!("k{at}: {at}\n"));
    Work::of_files(vec![("a.yml", format!("{keys}{keys}"))])
}

fn values_overlays(size: usize) -> Work {
    let added = |at| format!("#@data/values\n---\n#@overlay/match missing_ok=True\nk{at}: {at}\n");
    let values = format!("#@data/values\n---\nx: 1\n{}", each(size, added));
    Work::of_files(vec![("a.yml", "a: 1\n".to_owned()), ("values.yml", values)])
}

fn schema_overlays(size: usize) -> Work {
    let added =
        |at| format!("#@data/values-schema\n---\n#@overlay/match missing_ok=True\nk{at}: {at}\n");
    let schema = format!("#@data/values-schema\n---\nx: 1\n{}", each(size, added));
    Work::of_files(vec![("a.yml", "a: 1\n".to_owned()), ("schema.yml", schema)])
}

fn values_flags(size: usize) -> Work {
    let values = each(size, |at| format!("k{at}: 0\n"));
    Work::Build {
        files: vec![
            ("a.yml", "a: 1\n".to_owned()),
            ("values.yml", format!("#@data/values\n---\n{values}")),
        ],
        values: Vec::new(),
        flags: (0..size).map(|at| format!("k{at}=1")).collect(),
        format: OutputFormat::Yaml,
    }
}
