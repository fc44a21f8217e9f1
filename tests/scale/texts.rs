//! Replacements at paths that lead into the texts of a ConfigMap.

use crate::case::{Case, case};
use crate::inputs::{each, indented, json_text, replaced};
use crate::work::Work;

pub(crate) const CASES: &[Case] = &[
    case("paths into TOML", 400, |size| {
        paths(size, "a.toml", |key| format!("{key} = \"v\""))
    }),
    case("tables of TOML", 400, toml_tables),
    case("paths into properties", 400, |size| {
        paths(size, "a.properties", |key| format!("{key}=v"))
    }),
    case("paths into an environment file", 400, |size| {
        paths(size, "a.env", |key| format!("{key}=v"))
    }),
    case("paths into INI", 400, |size| {
        paths(size, "a.ini", |key| format!("{key}=v"))
    }),
    case("paths into JSON", 400, json_paths),
    case("paths into YAML", 400, |size| {
        paths(size, "a.yaml", |key| format!("{key}: v"))
    }),
    case("keys created in TOML", 400, |size| {
        created(size, "a.toml", "x = 1")
    }),
    case("keys created in JSON", 400, |size| {
        created(size, "a.json", "{}")
    }),
    // Deeper than 255 levels is an error.
    case("levels created in JSON", 120, |size| {
        levels(size, "a.json", "{}")
    }),
    case("levels created in lines of JSON", 120, |size| {
        levels(size, "a.json", "{\n\n  \"k\": 1\n\n}")
    }),
    case("levels created in YAML", 120, |size| {
        levels(size, "a.yaml", "{k: 1}")
    }),
    case("all keys of TOML", 1_000, |size| {
        all(size, "a.toml", "*", |at| format!("k{at} = 1\n"))
    }),
    case("all dotted keys of TOML", 1_000, |size| {
        all(size, "a.toml", "a.*.c", |at| format!("a.k{at}.c = 1\n"))
    }),
    case("all tables of TOML", 1_000, |size| {
        all(size, "a.toml", "*.k", |at| format!("[t{at}]\nk = 1\n"))
    }),
    case("all lists of TOML", 1_000, |size| {
        all(size, "a.toml", "*.0", |at| format!("k{at} = [1]\n"))
    }),
    case("all inline tables of TOML", 1_000, |size| {
        let items = each(size, |at| format!("{{k = {at}}}, "));
        replaced_in("a.toml", "a.*.k", &format!("a = [{items}]\n"))
    }),
    case("all keys of properties", 1_000, |size| {
        all(size, "a.properties", "*", |at| format!("k{at}=v\n"))
    }),
    case("all keys of an environment file", 1_000, |size| {
        all(size, "a.env", "*", |at| format!("k{at}=v\n"))
    }),
    case("all sections of INI", 1_000, |size| {
        all(size, "a.ini", "*.k", |at| format!("[s{at}]\nk = v\n"))
    }),
    case(
        "items of JSON on one line of a block scalar",
        1_000,
        |size| {
            let items = each(size, |at| format!("{{\"k\":{at}}},"));
            replaced_in("a.json", "*.k", &format!("[{items}{{\"k\":0}}]\n"))
        },
    ),
];

/// Returns a replacement at the paths of all values of a text with one key per line.
fn paths(size: usize, key: &str, line: fn(&str) -> String) -> Work {
    let text = each(size, |at| format!("{}\n", line(&format!("k{at}"))));
    let data = format!("{key}: |\n{}", indented(&text, "  "));
    let key = key.replace('.', "\\.");
    replaced((0..size).map(|at| format!("data.{key}.k{at}")), "", &data)
}

fn toml_tables(size: usize) -> Work {
    let text = each(size, |at| format!("[t{at}]\nk = \"v\"\n"));
    let data = format!("a.toml: |\n{}", indented(&text, "  "));
    replaced(
        (0..size).map(|at| format!("data.a\\.toml.t{at}.k")),
        "",
        &data,
    )
}

fn json_paths(size: usize) -> Work {
    let data = format!("a.json: |\n{}", indented(&json_text(size), "  "));
    replaced(
        (0..size).map(|at| format!("data.a\\.json.k{at}")),
        "",
        &data,
    )
}

fn created(size: usize, key: &str, text: &str) -> Work {
    let data = format!("{key}: '{text}'\n");
    let key = key.replace('.', "\\.");
    let paths = (0..size).map(|at| format!("data.{key}.k{at}"));
    replaced(paths, "    options: {create: true}\n", &data)
}

/// Returns a replacement at a path that creates this many levels in a text.
fn levels(size: usize, key: &str, text: &str) -> Work {
    let data = format!("{key}: '{text}'\n");
    let key = key.replace('.', "\\.");
    let path = format!("data.{key}.{}v", "x.".repeat(size));
    let paths = std::iter::once(path);
    replaced(paths, "    options: {create: true}\n", &data)
}

/// Returns a replacement at one path, which leads to all values of a text.
fn all(size: usize, key: &str, path: &str, line: fn(usize) -> String) -> Work {
    replaced_in(key, path, &each(size, line))
}

/// Returns a replacement at one path in a text.
fn replaced_in(key: &str, path: &str, text: &str) -> Work {
    let data = format!("{key}: |\n{}", indented(text, "  "));
    let path = format!("data.{}.{path}", key.replace('.', "\\."));
    replaced(std::iter::once(path), "", &data)
}
