//! Overlays on documents, lists, mappings, and documents in strings.

use inlay::workspace::output::OutputFormat;

use crate::case::{Case, case};
use crate::inputs::{each, indented, json_text};
use crate::work::Work;

const LOAD: &str = "#@ load(\"@ytt:overlay\", \"overlay\")\n";
const ALL: &str = "#@overlay/match by=overlay.all\n---\n";

pub(crate) const CASES: &[Case] = &[
    case("list items matched by name", 300, items_by_name),
    case("list items matched by number", 300, items_by_port),
    case("list items added by name", 300, items_added),
    case("list items inserted by name", 300, items_inserted),
    case("list items removed by name", 300, items_removed),
    case("overlays on one mapping", 300, overlays_on_mapping),
    case("overlays on one list", 300, overlays_on_list),
    case("overlays that select one document", 300, overlays_by_name),
    case(
        "overlays on one document in a string",
        200,
        structured_overlays,
    ),
    case(
        "overlays that add to a document in a string",
        200,
        structured_additions,
    ),
    case("overlay parts that match nothing", 1_000, wrong_parts),
    case("removals and additions in flow style", 1_000, flow_edits),
    case("tables added to TOML", 300, |size| {
        added_sections(size, "a.toml", |at| format!("[t{at}]\nk = 1\n\n"))
    }),
    case("sections added to INI", 300, |size| {
        added_sections(size, "a.ini", |at| format!("[t{at}]\nk = 1\n\n"))
    }),
    case(
        "items of JSON on one line that lose a key",
        1_000,
        lost_keys,
    ),
];

/// Returns a build of a document with overlays on it.
fn overlaid(document: String, overlays: String) -> Work {
    Work::of_files(vec![
        ("a.yml", format!("---\n{document}")),
        ("overlay.yml", format!("{LOAD}{overlays}")),
    ])
}

fn named_items(size: usize) -> String {
    format!(
        "l:\n{}",
        each(size, |at| format!("- name: n{at}\n  port: {at}\n  v: 1\n"))
    )
}

fn items_by_name(size: usize) -> Work {
    let part = |at| format!("#@overlay/match by=\"name\"\n- name: n{at}\n  v: 2\n");
    overlaid(named_items(size), format!("{ALL}l:\n{}", each(size, part)))
}

fn items_by_port(size: usize) -> Work {
    let part = |at| format!("#@overlay/match by=\"port\"\n- port: {at}\n  v: 2\n");
    overlaid(named_items(size), format!("{ALL}l:\n{}", each(size, part)))
}

fn items_added(size: usize) -> Work {
    let part =
        |at| format!("#@overlay/match by=\"name\", missing_ok=True\n- name: m{at}\n  v: 2\n");
    overlaid(named_items(size), format!("{ALL}l:\n{}", each(size, part)))
}

fn items_inserted(size: usize) -> Work {
    let part =
        |at| format!("#@overlay/match by=\"name\"\n#@overlay/insert after=True\n- name: n{at}\n");
    overlaid(named_items(size), format!("{ALL}l:\n{}", each(size, part)))
}

fn items_removed(size: usize) -> Work {
    let part = |at| format!("#@overlay/match by=\"name\"\n#@overlay/remove\n- name: n{at}\n");
    let document = format!("x: 1\n{}", named_items(size));
    overlaid(document, format!("{ALL}l:\n{}", each(size, part)))
}

fn overlays_on_mapping(size: usize) -> Work {
    let document = format!("m:\n{}", each(size, |at| format!("  k{at}: 1\n")));
    overlaid(document, each(size, |at| format!("{ALL}m:\n  k{at}: 2\n")))
}

fn overlays_on_list(size: usize) -> Work {
    let overlay = |at| format!("{ALL}l:\n#@overlay/match by=\"name\"\n- name: n{at}\n  v: 2\n");
    overlaid(named_items(size), each(size, overlay))
}

fn overlays_by_name(size: usize) -> Work {
    let documents = each(size, |at| {
        format!("---\nkind: A\nmetadata:\n  name: n{at}\nx: 1\n")
    });
    let overlay = |at| {
        format!(
            "#@overlay/match by=overlay.subset({{\"kind\": \"A\", \"metadata\": {{\"name\": \"n{at}\"}}}})\n---\nx: 2\n"
        )
    };
    overlaid(documents, each(size, overlay))
}

fn structured_overlays(size: usize) -> Work {
    let document = format!("data:\n  a.json: |\n{}", indented(&json_text(size), "    "));
    let overlay = |at| format!("{ALL}data:\n  #@overlay/structured\n  a.json:\n    k{at}: w\n");
    overlaid(document, each(size, overlay))
}

fn structured_additions(size: usize) -> Work {
    let overlay = |at| {
        format!(
            "{ALL}data:\n  #@overlay/structured\n  a.json:\n    #@overlay/match missing_ok=True\n    k{at}: w\n"
        )
    };
    overlaid(
        "data:\n  a.json: '{\"x\": 1}'\n".to_owned(),
        each(size, overlay),
    )
}

/// Returns an overlay that adds as many sections to a text as it has.
fn added_sections(size: usize, key: &str, section: fn(usize) -> String) -> Work {
    let text = indented(&each(size, section), "    ");
    let added = each(size, |at| {
        format!("    #@overlay/match missing_ok=True\n    s{at}: {{k: \"1\"}}\n")
    });
    overlaid(
        format!("data:\n  {key}: |\n{text}"),
        format!("{ALL}data:\n  #@overlay/structured\n  {key}:\n{added}"),
    )
}

/// Returns an overlay that removes the only key of each item of a JSON text on one line.
fn lost_keys(size: usize) -> Work {
    let items = each(size, |at| format!("{{\"k\":{at}}},"));
    let document = format!("data:\n  a.json: '[{items}{{\"k\":0}}]'\n");
    let all = "    #@overlay/match by=overlay.all, expects=\"1+\"\n    -\n";
    let removal = "      #@overlay/remove\n      k:\n";
    let overlay = format!("{ALL}data:\n  #@overlay/structured\n  a.json:\n{all}{removal}");
    overlaid(document, overlay)
}

fn wrong_parts(size: usize) -> Work {
    let document = each(size, |at| format!("a{at}: 1\n"));
    overlaid(
        document,
        format!("{ALL}{}", each(size, |at| format!("b{at}: 1\n"))),
    )
}

fn flow_edits(size: usize) -> Work {
    let document = format!("{{{}x: 1}}\n", each(size, |at| format!("a{at}: {at}, ")));
    let part =
        |at| format!("#@overlay/remove\na{at}:\n#@overlay/match missing_ok=True\nb{at}: 1\n");
    Work::Build {
        files: vec![
            ("a.yml", document),
            ("overlay.yml", format!("{LOAD}{ALL}{}", each(size, part))),
        ],
        values: Vec::new(),
        flags: Vec::new(),
        format: OutputFormat::Faithful,
    }
}
