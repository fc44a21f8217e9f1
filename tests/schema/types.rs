//! Types are inferred from examples, complete values with defaults, and reject values that do not
//! conform.

use inlay::yaml::{canonical_node, parse_data};

use crate::{defaults, values, with_schema};

#[test]
fn the_default_of_a_value_is_what_the_schema_says() {
    let schema = "---\ns: text\ni: 1\nf: 0.5\nb: no\nm:\n  x: \"\"\nl:\n- name: a\ne: {}\n";
    assert_eq!(
        defaults(schema).unwrap(),
        "s: text\ni: 1\nf: 0.5\nb: false\nm:\n  x: \"\"\nl: []\ne: {}\n"
    );
}

#[test]
fn annotations_give_other_defaults() {
    let table = [
        ("#@schema/nullable\na: 1\n", "a: null\n"),
        (
            "#@schema/type any=True\na: [1, {b: null}]\n",
            "a:\n- 1\n- b: null\n",
        ),
        (
            "#@schema/type any=True\n#@schema/nullable\na: 1\n",
            "a: null\n",
        ),
        ("#@schema/type any=False\na: 1\n", "a: 1\n"),
        ("#@schema/default 5\na: 1\n", "a: 5\n"),
        ("#@schema/default [1, 2]\na:\n- 0\n", "a:\n- 1\n- 2\n"),
        (
            "#@schema/default [{\"x\": 2}]\na:\n- x: 1\n  k: z\n",
            "a:\n- x: 2\n  k: z\n",
        ),
        (
            "#@schema/default {\"x\": 2}\na:\n  k: 1\n  x: 1\n",
            "a:\n  x: 2\n  k: 1\n",
        ),
        (
            "#@schema/nullable\n#@schema/default None\na: 1\n",
            "a: null\n",
        ),
        ("#@schema/default 1\na: 0.5\n", "a: 1\n"),
        ("#@schema/additional-keys\na:\n  example: 1\n", "a: {}\n"),
        (
            "#@schema/additional-keys\n#@schema/default {\"x\": 2}\na:\n  example: 1\n",
            "a:\n  x: 2\n",
        ),
    ];
    for (schema, expected) in table {
        assert_eq!(
            defaults(&format!("---\n{schema}")).unwrap(),
            expected,
            "{schema}"
        );
    }
    assert_eq!(
        defaults("#@schema/nullable\n---\na: 1\n").unwrap(),
        "null\n"
    );
    assert_eq!(defaults("---\n- 1\n").unwrap(), "[]\n");
    assert_eq!(defaults("---\ntext\n").unwrap(), "text\n");
}

#[test]
fn missing_keys_are_added_after_the_given_ones() {
    let schema = "---\na: 1\nb:\n  c: x\n  d:\n  - e: 1\n    f: 2\n";
    assert_eq!(
        values(schema, "b:\n  d:\n  - f: 3\n  - {}\n").unwrap(),
        "b:\n  d:\n  - f: 3\n    e: 1\n  - e: 1\n    f: 2\n  c: x\na: 1\n"
    );
    assert_eq!(
        values("---\n#@schema/nullable\na:\n  b: 1\n", "a: {}\n").unwrap(),
        "a:\n  b: 1\n"
    );
    assert_eq!(
        values("---\n#@schema/nullable\na:\n  b: 1\n", "a: null\n").unwrap(),
        "a: null\n"
    );
}

#[test]
fn an_integer_fits_a_float_and_no_other_type_fits_another() {
    let schema = "---\nf: 0.5\n#@schema/type any=True\nx: 1\nl:\n- 1\n";
    assert_eq!(
        values(schema, "f: 2\nx: [~]\nl: [18446744073709551615]\n").unwrap(),
        "f: 2\nx:\n- null\nl:\n- 18446744073709551615\n"
    );
    let table = [
        (
            "a: 1",
            "a: x",
            "expected an integer for `a`, found a string values.yml:3 schema.yml:3",
        ),
        (
            "a: 1",
            "a: 1.0",
            "expected an integer for `a`, found a float values.yml:3 schema.yml:3",
        ),
        (
            "a: x",
            "a: 1",
            "expected a string for `a`, found an integer values.yml:3 schema.yml:3 (write it in quotes: `\"1\"`)",
        ),
        (
            "a: 1",
            "a: '1'",
            "expected an integer for `a`, found a string values.yml:3 schema.yml:3 (write it without quotes: `1`)",
        ),
        (
            "a: x",
            "a:\n  b: 1",
            "expected a string for `a`, found a map values.yml:3 schema.yml:3",
        ),
        (
            "a: x",
            "a:\n- 1",
            "expected a string for `a`, found an array values.yml:3 schema.yml:3",
        ),
        (
            "a: no",
            "a: 0",
            "expected a boolean for `a`, found an integer values.yml:3 schema.yml:3",
        ),
        (
            "a:\n  b: 1",
            "a: 1",
            "expected a map for `a`, found an integer values.yml:3 schema.yml:3",
        ),
        (
            "a:\n- b: 1",
            "a:\n- b: 1\n- b: x",
            "expected an integer for `a[1].b`, found a string values.yml:5 schema.yml:4",
        ),
        (
            "a: 1",
            "a:",
            "expected an integer for `a`, found null values.yml:3 schema.yml:3 \
             (give a value, or allow null in the schema: `#@schema/nullable`)",
        ),
        (
            "#@schema/nullable\na: 1",
            "a: x",
            "expected an integer or null for `a`, found a string values.yml:3 schema.yml:4",
        ),
    ];
    for (schema, given, fault) in table {
        assert_eq!(
            values(&format!("---\n{schema}\n"), given).unwrap_err(),
            [fault],
            "{schema} {given}"
        );
    }
}

#[test]
fn an_undeclared_key_is_reported_with_the_intended_one() {
    let table = [
        (
            "name: x\nport: 1",
            "nmae: x",
            "expected a key that the schema declares, found `nmae` values.yml:3 schema.yml:2 (did you mean `name`?)",
        ),
        (
            "db:\n  name: x",
            "db:\n  other: x",
            "expected a key that the schema declares, found `db.other` values.yml:4 schema.yml:3 \
             (declare `db.other` in the schema, or leave it out)",
        ),
        (
            "1: x",
            "'1': x",
            "expected a key that the schema declares, found `1` values.yml:3 schema.yml:2 \
             (the key `1` is an integer in the schema and a string here; write `\"1\"` in the schema)",
        ),
        (
            "'n': x",
            "n: x",
            "expected a key that the schema declares, found `n` values.yml:3 schema.yml:2 \
             (the key `n` is a string in the schema and a boolean here; write `\"n\"` here)",
        ),
    ];
    for (schema, given, fault) in table {
        assert_eq!(
            values(&format!("---\n{schema}\n"), given).unwrap_err(),
            [fault],
            "{schema} {given}"
        );
    }
}

#[test]
fn all_violations_are_reported_together() {
    let faults = values("---\na: 1\nb: x\nc:\n- 1\n", "b: 1\nc: [x, 2, y]\nd: 1\n").unwrap_err();
    assert_eq!(faults.len(), 4, "{faults:?}");
}

#[test]
fn a_value_that_code_made_is_shown_at_the_line_of_the_code() {
    let schema = "---\na:\n  b:\n    c: 1\n";
    let fault = values(schema, "x: #@ 1\na:\n  b: #@ {\"c\": \"x\"}\n").unwrap_err();
    assert_eq!(
        fault[1],
        "expected an integer for `a.b.c`, found a string values.yml:5 schema.yml:5"
    );
}

#[test]
fn an_open_map_takes_any_key_with_values_of_one_type() {
    let schema = "---\n#@schema/additional-keys\nusers:\n  name:\n    admin: false\n";
    assert_eq!(
        values(schema, "users:\n  a: {}\n  b:\n    admin: true\n").unwrap(),
        "users:\n  a:\n    admin: false\n  b:\n    admin: true\n"
    );
    assert_eq!(
        values(schema, "users:\n  a: 1\n").unwrap_err(),
        ["expected a map for `users.a`, found an integer values.yml:4 schema.yml:5"]
    );
    let whole = "#@schema/additional-keys\n---\nexample: 1\n";
    assert_eq!(values(whole, "x: 1\n").unwrap(), "x: 1\n");
}

#[test]
fn an_overlay_need_not_say_that_it_adds_a_key_to_an_open_map() {
    let schema = "---\n#@schema/additional-keys\na:\n  x: 1\nb:\n  c: 1\n";
    let opened = |given: &str| {
        with_schema(schema, |schema, _, _| {
            let source = inlay::source::Source::new("values.yml", given).unwrap();
            let given = parse_data(&source).unwrap().documents.remove(0).root;
            Ok(canonical_node(&schema.opened(&schema.defaults(), &given)).unwrap())
        })
        .unwrap()
    };
    assert_eq!(
        opened("a:\n  k: 2\nb:\n  z: 1\n"),
        "a:\n  k: null\nb:\n  c: 1\n"
    );
    assert_eq!(opened("a: 1\n"), "a: {}\nb:\n  c: 1\n");
}
