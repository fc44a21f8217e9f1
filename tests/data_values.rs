//! Data values and private libraries, as a user of a shell sees them.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

mod common {
    pub(crate) mod workspace;
}

use std::fs;
use std::path::Path;

use common::workspace::{Outcome, shell};
use tempfile::TempDir;

/// Creates a folder with these files.
fn place(files: &[(&str, &str)]) -> TempDir {
    let place = TempDir::new().expect("a temporary folder can be made");
    fs::create_dir(place.path().join("home")).expect("a folder can be made");
    for (name, text) in files {
        let path = place.path().join(name);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).expect("a folder can be made");
        fs::write(path, text).expect("a file can be written");
    }
    place
}

fn run(place: &TempDir, line: &str) -> Outcome {
    shell(place.path(), place.path(), line)
}

fn assert_prints(place: &TempDir, line: &str, expected: &str) {
    let outcome = run(place, line);
    let found = (outcome.code, outcome.stdout.as_str());
    assert_eq!(
        found,
        (0, expected),
        "{line}; standard error:\n{}",
        outcome.stderr
    );
}

fn assert_fails(place: &TempDir, line: &str, phrases: &[&str]) {
    let outcome = run(place, line);
    assert_eq!(
        (outcome.code, outcome.stdout.as_str()),
        (1, ""),
        "{line}; standard error:\n{}",
        outcome.stderr
    );
    for phrase in phrases {
        assert!(
            outcome.stderr.contains(phrase),
            "{line}: `{phrase}` is not said; standard error:\n{}",
            outcome.stderr
        );
    }
}

#[test]
fn rules_of_values_apply_to_the_nodes_that_bring_them() {
    let schema = "#@data/values-schema\n---\na: 1\nl: [0]\n";
    let rule = "#@assert/validate (\"big\", lambda v: v > 5)\n";
    let merged = format!("#@data/values\n---\n{rule}a: 2\n");
    let replacing = format!("#@data/values\n---\n{rule}#@overlay/replace\na: 2\n");
    let item = format!("#@data/values\n---\nl:\n{rule}- 2\n");
    let later = "#@data/values\n---\na: 3\n";
    let place = place(&[
        ("schema.yml", schema),
        ("merged.yml", &merged),
        ("replacing.yml", &replacing),
        ("item.yml", &item),
        ("later.yml", later),
    ]);
    // A value that is merged into one that is there loses its rules, as in ytt. This is a warning.
    let line = "inlay -f schema.yml -f merged.yml --data-values-inspect";
    assert_prints(&place, line, "a: 2\nl: []\n");
    assert!(run(&place, line).stderr.contains("ytt drops this rule"));
    // So does one that a plain value replaces.
    let line = "inlay -f merged.yml --data-value-yaml a=3 --data-values-inspect";
    assert_prints(&place, line, "a: 3\n");
    // One that is there keeps them.
    let line = "inlay -f merged.yml -f later.yml --data-values-inspect";
    assert_fails(&place, line, &["expected `a` to be: big"]);
    for file in ["replacing", "item"] {
        let line = format!("inlay -f schema.yml -f {file}.yml --data-values-inspect");
        assert_fails(&place, &line, &["to be: big"]);
    }
}

const TEMPLATE: &str = "#@ load(\"@ytt:data\", \"data\")\nvalues: #@ data.values\n";

#[test]
fn data_value_flags_of_different_kinds_apply_in_one_fixed_order() {
    let place = place(&[
        (
            "overlay.yml",
            "#@data/values\n---\na: overlay\nb: overlay\nc: overlay\nd: overlay\ne: overlay\nf: overlay\n",
        ),
        ("values", "{b: file, c: file, d: file, e: file, f: file}"),
        ("content", "content"),
    ]);
    let line = "P_c=variable P_d=variable P_e=variable P_f=variable inlay --data-value-file f=content \
                --data-value-yaml e=yaml --data-value-yaml f=yaml -v d=value -v e=value -v f=value \
                --data-values-env P -d values -f overlay.yml --data-values-inspect";
    assert_prints(
        &place,
        line,
        "a: overlay\nb: file\nc: variable\nd: value\ne: yaml\nf: content\n",
    );
}

#[test]
fn a_prefix_of_a_file_and_a_suffix_of_a_key_add_keys() {
    let place = place(&[("one.yml", "a: 1\n"), ("two.yml", "b: 2\n")]);
    assert_prints(
        &place,
        "inlay -d one.yml -d +:two.yml -v c+=3 --data-values-inspect",
        "a: 1\nb: 2\nc: \"3\"\n",
    );
    let process = "bash -c 'inlay -d +:<(cat one.yml two.yml) --data-values-inspect'";
    assert_prints(&place, process, "a: 1\nb: 2\n");
}

#[test]
fn a_flag_replaces_a_mapping_whole_and_a_file_merges_it() {
    let place = place(&[
        ("values.yml", "db: {host: a, port: 1}\n"),
        ("more.yml", "db: {port: 2}\n"),
    ]);
    assert_prints(
        &place,
        "inlay -d values.yml -d more.yml --data-values-inspect",
        "db:\n  host: a\n  port: 2\n",
    );
    let flag = "inlay -d values.yml --data-value-yaml 'db={port: 2}' --data-values-inspect";
    assert_prints(&place, flag, "db:\n  port: 2\n");
}

#[test]
fn a_folder_gives_its_yaml_files_in_order_of_their_paths() {
    let place = place(&[
        ("v/b.yml", "a: 2\n"),
        ("v/a.yaml", "a: 1\nb: 1\n"),
        ("v/README.md", "b: [\n"),
    ]);
    assert_prints(&place, "inlay -d v --data-values-inspect", "a: 2\nb: 1\n");
}

#[test]
fn a_folder_gives_its_json_files_at_the_top_level() {
    let place = place(&[
        ("v/b.json", "{\"a\": 2, \"c\": 3}"),
        ("v/a.yaml", "a: 1\nb: 1\n"),
        ("v/deep/c.json", "{\"b\": 4}"),
        ("v/deep/d.yml", "c: 5\n"),
    ]);
    let line = "inlay -d v --data-values-inspect";
    assert_prints(&place, line, "a: 2\nb: 1\nc: 5\n");
}

#[test]
fn a_document_that_is_not_a_mapping_replaces_all_values() {
    let place = place(&[("template.yml", TEMPLATE)]);
    assert_prints(
        &place,
        "echo 'a: {<<: {b: 1}}' | inlay -f template.yml -d -",
        "values:\n  a:\n    b: 1\n",
    );
    assert_prints(
        &place,
        "echo 42 | inlay -f template.yml -d -",
        "values: 42\n",
    );
    assert_prints(
        &place,
        "echo '[1, 2]' | inlay -f template.yml -d -",
        "values:\n- 1\n- 2\n",
    );
    assert_prints(
        &place,
        "printf -- '---\\n---\\n# nothing\\n' | inlay -f template.yml -d -",
        "values: {}\n",
    );
}

#[test]
fn an_overlay_of_values_says_what_happens_to_each() {
    let place = place(&[
        (
            "1.yml",
            "#@data/values\n---\nlist: [1]\nmap: {a: 1, b: 2}\n",
        ),
        (
            "2.yml",
            "#@data/values\n---\nlist:\n- 2\nmap:\n  #@overlay/remove\n  a:\n  b: 3\n",
        ),
        (
            "3.yml",
            "#@data/values\n---\nlist:\n#@overlay/match by=lambda i, l, r: l == 1\n#@overlay/replace via=lambda l, r: l + 9\n-\n",
        ),
    ]);
    assert_prints(
        &place,
        "inlay -f . --data-values-inspect",
        "list:\n- 10\n- 2\nmap:\n  b: 3\n",
    );
    assert_fails(
        &place,
        "printf '#@data/values\\n---\\nmpa: 1\\n' | inlay -f 1.yml -f -",
        &["stdin.yml:3", "`map`"],
    );
}

#[test]
fn files_with_values_see_none() {
    let text = "#@ load(\"@ytt:data\", \"data\")\n#@data/values\n---\nseen: #@ hasattr(data.values, \"a\")\n";
    let place = place(&[("v.yml", text)]);
    assert_prints(
        &place,
        "inlay -f v.yml -v a=1 --data-values-inspect",
        "seen: false\na: \"1\"\n",
    );
}

#[test]
fn a_file_that_a_mark_excludes_from_the_output_still_gives_values() {
    let place = place(&[
        ("v.yml", "#@data/values\n---\na: 1\n"),
        ("t.yml", TEMPLATE),
        ("u.yml", "b: [1]\n"),
    ]);
    let line = "inlay -f v.yml -f t.yml -f u.yml --file-mark t.yml:exclusive-for-output=true";
    assert_prints(&place, line, "values:\n  a: 1\n");
    let plain = "inlay -f v.yml --file-mark v.yml:type=yaml-plain -f t.yml";
    assert_prints(&place, plain, "a: 1\n---\nvalues: {}\n");
}

/// Creates a library that contains a template, a library file and another library.
fn library() -> TempDir {
    place(&[
        (
            "c/_ytt_lib/lib/values.yml",
            "#@data/values\n---\nname: lib\nlist: [1]\n",
        ),
        (
            "c/_ytt_lib/lib/template.yml",
            &TEMPLATE.replace("values:", "print: #@ print(\"evaluated\")\nvalues:"),
        ),
        (
            "c/_ytt_lib/lib/f.lib.yml",
            "#@ load(\"@ytt:data\", \"data\")\n#@ def name(): return data.values.name\n",
        ),
        (
            "c/_ytt_lib/lib/_ytt_lib/inner/values.yml",
            "#@data/values\n---\nof: inner\n",
        ),
        ("c/_ytt_lib/lib/_ytt_lib/inner/template.yml", TEMPLATE),
    ])
}

/// Returns the value of an expression in a template beside the library, as YAML.
fn evaluate(place: &TempDir, expression: &str, flags: &str) -> Outcome {
    let template = format!(
        "#@ load(\"@ytt:library\", \"library\")\n#@ lib = library.get(\"lib\")\n---\nx: #@ {expression}\n"
    );
    fs::write(place.path().join("c/main.yml"), template).expect("a file can be written");
    run(place, &format!("inlay -f c {flags}"))
}

#[test]
fn a_library_is_evaluated_once_for_equal_inputs() {
    let place = library();
    let table = [
        (
            "[lib.eval(), lib.eval(), lib.export(\"name\"), lib.data_values()] and 1",
            1,
        ),
        (
            "[lib.with_data_values({\"name\": n}).eval() for n in [\"a\", \"b\", \"a\"]] and 1",
            2,
        ),
        (
            "[library.get(\"lib\", alias=a).eval() for a in [\"x\", \"y\"]] and 1",
            1,
        ),
        (
            "[lib.with_data_values({\"name\": \"1\"}).eval(), lib.with_data_values({\"name\": 1}).eval()] and 1",
            2,
        ),
        (
            "[lib.eval(), library.get(\"lib\", strict=True).eval()] and 1",
            2,
        ),
        ("lib.data_values() and 1", 0),
    ];
    for (expression, times) in table {
        let outcome = evaluate(&place, expression, "");
        assert_eq!(outcome.stdout, "x: 1\n", "{expression}: {}", outcome.stderr);
        assert_eq!(
            outcome.stderr.matches("evaluated").count(),
            times,
            "{expression}"
        );
    }
}

#[test]
fn values_for_a_library_are_merged_as_an_overlay_or_plainly() {
    let place = library();
    let table = [
        (
            "lib.with_data_values({\"list\": [2]}).data_values().list",
            "x:\n- 1\n- 2\n",
        ),
        (
            "lib.with_data_values({\"list\": [2]}, plain=True).data_values().list",
            "x:\n- 2\n",
        ),
        (
            "lib.with_data_values({\"new\": 2}, plain=True).data_values().new",
            "x: 2\n",
        ),
        (
            "lib.with_data_values({\"name\": \"a\"}).with_data_values({\"name\": \"b\"}).export(\"name\")()",
            "x: b\n",
        ),
    ];
    for (expression, expected) in table {
        let outcome = evaluate(&place, expression, "");
        assert_eq!(outcome.stdout, expected, "{expression}: {}", outcome.stderr);
    }
    let outcome = evaluate(
        &place,
        "lib.with_data_values({\"nmae\": 1}).data_values()",
        "",
    );
    assert!(
        outcome.code == 1 && outcome.stderr.contains("`name`"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn values_are_addressed_by_path_by_alias_or_both() {
    let place = library();
    let get = "library.get(\"lib\", alias=\"x\").data_values().name";
    for (flags, expected) in [
        ("-v @lib:name=n", "x: \"n\"\n"),
        ("-v @~x:name=m", "x: m\n"),
        ("-v @lib~x:name=m", "x: m\n"),
        ("-v @lib:name=m -v @~x:name=o", "x: o\n"),
        ("--data-value-yaml @~x:name=1 -v @~x:name=m", "x: 1\n"),
    ] {
        let outcome = evaluate(&place, get, flags);
        assert_eq!(outcome.stdout, expected, "{flags}: {}", outcome.stderr);
    }
    let outcome = evaluate(&place, get, "-v @~y:name=m -v @lib@inner:of=m");
    assert!(
        outcome.code == 1 && outcome.stderr.contains("`@~y`"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn a_library_never_sees_the_values_around_it() {
    let place = library();
    let outcome = evaluate(&place, "lib.eval()[0]", "-v name=outer -v list=none");
    assert_eq!(
        outcome.stdout, "x:\n  print: null\n  values:\n    name: lib\n    list:\n    - 1\n",
        "{}",
        outcome.stderr
    );
}

#[test]
fn a_template_that_calls_itself_through_a_library_comes_to_an_end() {
    let place = place(&[
        (
            "c/_ytt_lib/lib/f.star",
            "def call(function, count):\n  return function(count)\nend\n",
        ),
        (
            "c/main.yml",
            "#@ load(\"@ytt:library\", \"library\")\n#@ def again(count):\n#@   return library.get(\"lib\").export(\"call\")(again, count + 1)\n#@ end\nx: #@ again(0)\n",
        ),
    ]);
    assert_fails(&place, "inlay -f c", &["error[limit]", "main.yml:5"]);
}

#[test]
fn the_prefix_that_adds_keys_may_be_on_either_side_of_the_library() {
    let place = place(&[("a", "{a: 1}"), ("b", "{b: 2}")]);
    assert_prints(
        &place,
        "inlay -d +:a -d +:+:b --data-values-inspect",
        "a: 1\nb: 2\n",
    );
    let library = library();
    fs::write(library.path().join("values"), "{name: from-file}").expect("a file can be written");
    for argument in ["+:@lib:values", "@lib:+:values"] {
        let outcome = evaluate(
            &library,
            "library.get(\"lib\").data_values().name",
            &format!("-d {argument}"),
        );
        assert_eq!(
            outcome.stdout, "x: from-file\n",
            "{argument}; standard error:\n{}",
            outcome.stderr
        );
    }
}

#[test]
fn a_key_of_too_many_parts_is_an_error() {
    let place = place(&[]);
    let line = "inlay -v \"$(printf 'a.%.0s' $(seq 20000))a=1\" --data-values-inspect";
    assert_fails(
        &place,
        line,
        &["error[limit]: expected at most 255 keys on the way to a data value, found 20001"],
    );
}

#[test]
fn a_url_is_to_be_given_to_the_same_flag_from_standard_input() {
    let place = place(&[]);
    let line = "inlay -d @lib:https://example.com/a.yml --data-value-file a=https://example.com/b";
    let piped = [
        "| inlay --data-values-file @lib:-`",
        "| inlay --data-value-file a=-`",
    ];
    assert_fails(&place, line, &piped);
}

#[test]
fn a_value_that_says_what_the_default_says_is_shown_where_it_was_given_last() {
    let place = place(&[
        (
            "schema.yml",
            "#@data/values-schema\n---\n#@schema/validation min=5\na: 1\n",
        ),
        ("overlay.yml", "#@data/values\n---\na: 1\n"),
    ]);
    assert_fails(
        &place,
        "inlay -f schema.yml -f overlay.yml",
        &[" --> overlay.yml:3:4"],
    );
}

#[test]
fn values_that_code_makes_are_shown_where_they_are_given() {
    let place = place(&[
        (
            "c/_ytt_lib/lib/schema.yml",
            "#@data/values-schema\n---\nport: 80\n",
        ),
        (
            "c/main.yml",
            "#@ load(\"@ytt:library\", \"library\")\n---\n#@ lib = library.get(\"lib\")\na: #@ lib.with_data_values({\"port\": \"x\"}).eval()\n",
        ),
        (
            "list/schema.yml",
            "#@data/values-schema\n---\nlist:\n- a: 1\n",
        ),
        (
            "list/values.yml",
            "#@data/values\n---\nlist:\n- a: 2\n- #@ {\"a\": \"x\"}\n",
        ),
    ]);
    assert_fails(
        &place,
        "inlay -f c",
        &[
            "found a string\n --> c/main.yml:4:7",
            "::: c/_ytt_lib/lib/schema.yml:3:1",
        ],
    );
    assert_fails(
        &place,
        "inlay -f list",
        &["`list[1].a`, found a string\n --> list/values.yml:5:2"],
    );
}

#[test]
fn a_library_that_fails_is_reported_once() {
    let caller = "#@ load(\"@ytt:library\", \"library\")\n---\na: #@ library.get(\"lib\").eval()\n";
    let place = place(&[
        (
            "c/_ytt_lib/lib/a.yml",
            "#@ print(\"evaluated\")\na: #@ 1 + \"x\"\n",
        ),
        ("c/_ytt_lib/lib/b.yml", "a: #@ 2 + \"x\"\n"),
        ("c/1.yml", caller),
        ("c/2.yml", caller),
    ]);
    let outcome = run(&place, "inlay -f c");
    assert_eq!(outcome.code, 1);
    for (phrase, count) in [
        ("evaluated\n", 1),
        ("lib/a.yml:2:7", 1),
        ("lib/b.yml:1:7", 1),
        ("error[", 2),
    ] {
        assert_eq!(
            outcome.stderr.matches(phrase).count(),
            count,
            "{phrase}; standard error:\n{}",
            outcome.stderr
        );
    }
}

#[test]
fn an_expected_failure_of_a_library_does_not_fail_the_build() {
    let place = place(&[
        ("c/_ytt_lib/lib/a.yml", "a: #@ 1 + \"x\"\n"),
        ("c/_ytt_lib/lib/b.yml", "a: #@ 2 + \"x\"\n"),
        (
            "c/main.yml",
            "#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:assert\", \"assert\")\n---\n\
             fails: #@ assert.try_to(lambda: library.get(\"lib\").eval())[1] != None\n",
        ),
    ]);
    assert_prints(&place, "inlay -f c", "fails: true\n");
}

#[test]
fn several_values_of_another_kind_are_reported_in_one_run() {
    let place = place(&[]);
    let line = "inlay -v a=1 -v a.b=2 -v c=1 -v c.d=2 --data-values-inspect";
    assert_fails(
        &place,
        line,
        &[
            "expected a mapping for `a` to merge",
            "expected a mapping for `c` to merge",
        ],
    );
}
