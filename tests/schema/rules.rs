//! Rules that final values have to satisfy.

use crate::{unchecked, values};

/// Returns the message for one rule on the value `v`; `None` if the value satisfies it.
fn broken(rules: &str, value: &str) -> Option<String> {
    let faults = unchecked(&format!("#@assert/validate {rules}\nv: {value}\n")).err()?;
    assert_eq!(faults.len(), 1, "{rules} {value}: {faults:?}");
    let message = faults[0].strip_suffix(" values.yml:4 values.yml:3");
    Some(message.unwrap_or(&faults[0]).to_owned())
}

#[test]
fn a_broken_rule_is_reported() {
    let table = [
        ("min=2", "2", None),
        ("min=2", "1", Some("a value >= 2; found: value < 2")),
        ("max=0.5", "1", Some("a value <= 0.5; found: value > 0.5")),
        ("min=\"b\"", "a", Some("a value >= \"b\"; found: value < b")),
        ("min_len=2", "a", Some("length >= 2; found: length = 1")),
        ("min_len=1.9", "a", None),
        ("min_len=2.0", "a", Some("length >= 2; found: length = 1")),
        (
            "max_len=1",
            "[1, 2]",
            Some("length <= 1; found: length = 2"),
        ),
        ("min_len=1", "{}", Some("length >= 1; found: length = 0")),
        ("one_of=[1, \"a\"]", "a", None),
        (
            "one_of=[1, \"a\"]",
            "b",
            Some("one of [1, \"a\"]; found: not one of allowed values"),
        ),
        ("one_not_null=True", "{a: 1, b: ~}", None),
        (
            "one_not_null=True",
            "{a: ~}",
            Some("exactly one of all children to be not null; found: all values are null"),
        ),
        (
            "one_not_null=[\"a\", \"b\"]",
            "{a: 1, b: 2, c: 3}",
            Some(
                "exactly one of [\"a\", \"b\"] to be not null; found: [\"a\", \"b\"] are not null",
            ),
        ),
        ("not_null=True", "1", None),
        ("not_null=True", "~", Some("not null; found: value is null")),
        ("not_null=False, min=1", "~", None),
        ("pattern=\"^a+$\"", "aa", None),
        (
            "pattern=\"^a+$\"",
            "ab",
            Some("a string that matches `^a+$`; found: \"ab\""),
        ),
        (
            "pattern=\"a\"",
            "1",
            Some("a string that matches `a`; found: an integer"),
        ),
        ("format=\"ipv4\"", "10.0.0.1", None),
        (
            "format=\"ipv4\"",
            "10.0.0",
            Some("an IPv4 address; found: \"10.0.0\""),
        ),
        ("(\"even\", lambda v: v % 2 == 0)", "2", None),
        ("(\"even\", lambda v: v % 2 == 0)", "1", Some("even")),
        ("(\"even\", lambda v: None)", "1", Some("even")),
        (
            "(\"even\", lambda v: fail(\"odd\"))",
            "1",
            Some("even; found: odd"),
        ),
        ("(\"x\", lambda v: v[\"a\"] == 1)", "{a: 1}", None),
        (
            "(\"x\", lambda v: fail(\"no\")), when=lambda v: v == 2",
            "1",
            None,
        ),
    ];
    for (rules, value, expected) in table {
        let expected = expected.map(|expected| format!("expected `v` to be: {expected}"));
        assert_eq!(broken(rules, value), expected, "{rules} {value}");
    }
}

#[test]
fn all_broken_rules_of_a_value_are_reported_in_order() {
    let rules = "#@assert/validate (\"custom\", lambda v: fail(\"fails\")), min=[2,2], max=[0,0], min_len=10, max_len=1\n";
    let faults = unchecked(&format!("{rules}v: [1, 1]\n")).unwrap_err();
    let says: Vec<&str> = faults
        .iter()
        .map(|fault| fault.split([':', ';']).nth(1).unwrap().trim())
        .collect();
    assert_eq!(
        says,
        [
            "custom",
            "length >= 10",
            "length <= 1",
            "a value >= [2, 2]",
            "a value <= [0, 0]"
        ]
    );
}

#[test]
fn null_is_checked_only_by_the_rule_not_null() {
    let schema = "---\n#@schema/nullable\n#@schema/validation not_null=True, min_len=1\na: x\n\
                  #@schema/nullable\n#@schema/validation min_len=3\nb: x\n";
    let faults = values(schema, "b: ~\n").unwrap_err();
    assert_eq!(
        faults,
        ["expected `a` to be: not null; found: value is null schema.yml:5 schema.yml:4"]
    );
}

#[test]
fn rules_apply_to_defaults_too() {
    let schema = "---\n#@schema/validation min_len=1\nname: \"\"\n";
    let faults = values(schema, "{}").unwrap_err();
    assert_eq!(
        faults,
        ["expected `name` to be: length >= 1; found: length = 0 schema.yml:4 schema.yml:3"]
    );
}

#[test]
fn rules_hold_for_documents_items_and_values_of_open_maps() {
    let schema = "#@schema/validation (\"small\", lambda v: len(v) < 2)\n---\n\
                  l:\n#@schema/validation min=1\n- 0\n#@schema/additional-keys\nm:\n  #@schema/validation max=1\n  x: 0\n";
    let faults = values(schema, "l: [1, 0]\nm: {a: 2}\n").unwrap_err();
    assert_eq!(
        faults,
        [
            "expected `(document)` to be: small schema.yml:3 schema.yml:2",
            "expected `l[1]` to be: a value >= 1; found: value < 1 values.yml:3 schema.yml:5",
            "expected `m.a` to be: a value <= 1; found: value > 1 values.yml:4 schema.yml:9",
        ]
    );
}

#[test]
fn rules_of_a_schema_come_before_those_of_the_values() {
    let schema = "---\n#@schema/validation min=1\na: 1\nl:\n- b: 1\n  c: 1\n";
    let given = "#@assert/validate max=-2\na: 0\nl:\n#@assert/validate (\"none\", lambda v: False)\n- \n  #@assert/validate max=1\n  b: 2\n";
    let faults = values(schema, given).unwrap_err();
    assert_eq!(
        faults,
        [
            "expected `a` to be: a value >= 1; found: value < 1 values.yml:4 schema.yml:3",
            "expected `a` to be: a value <= -2; found: value > -2 values.yml:4 values.yml:3",
            "expected `l[0]` to be: none values.yml:7 values.yml:6",
            "expected `l[0].b` to be: a value <= 1; found: value > 1 values.yml:9 values.yml:8",
        ]
    );
}

#[test]
fn when_sees_the_value_and_what_is_around_it() {
    let schema = "---\ntls:\n  enabled: false\n  #@schema/validation min_len=1, when=lambda v, c: c.parent[\"enabled\"] and c.root[\"on\"]\n  name: \"\"\non: true\n";
    assert!(values(schema, "tls: {enabled: false}").is_ok());
    assert!(
        values(schema, "tls: {enabled: true}\n\"on\": false").is_err(),
        "a key that is not declared"
    );
    let schema = schema
        .replace("on:", "active:")
        .replace("[\"on\"]", "[\"active\"]");
    assert!(values(&schema, "tls: {enabled: true}").is_err());
    assert!(values(&schema, "tls: {enabled: true}\nactive: false").is_ok());
}

#[test]
fn an_annotation_that_is_not_a_rule_is_an_error() {
    let table = [
        (
            "",
            "expected rules in `@assert/validate`, found no argument",
        ),
        (
            "[\"\", lambda v: \"\"]",
            "expected pairs `(description, function)` in `@assert/validate`, found a list `[\"\", <function lambda>]`",
        ),
        (
            "(\"\", lambda v: 1, \"\")",
            "expected pairs `(description, function)` in `@assert/validate`, found a tuple of 3",
        ),
        (
            "(1, lambda v: 1)",
            "expected a string that describes a valid value in `@assert/validate`, found an int `1`",
        ),
        (
            "(\"\", \"x\")",
            "expected a function, or an object with a method `check`, after the description in `@assert/validate`, found a string",
        ),
        (
            "min_len=\"x\"",
            "expected a number for `min_len=` in `@assert/validate`, found a string",
        ),
        (
            "not_null=1",
            "expected True or False for `not_null=` in `@assert/validate`, found an int",
        ),
        (
            "one_not_null=False",
            "expected True or a list of keys for `one_not_null=` in `@assert/validate`, found False",
        ),
        (
            "one_not_null=4",
            "expected True or a list of keys for `one_not_null=` in `@assert/validate`, found an int",
        ),
        (
            "one_of=\"a\"",
            "expected a list of values for `one_of=` in `@assert/validate`, found a string",
        ),
        (
            "when=True",
            "expected a function for `when=` in `@assert/validate`, found a bool",
        ),
        (
            "min=1, when=lambda: True",
            "expected a function with 1 or 2 parameters for `when=`, found one with 0",
        ),
        (
            "min=1, when=lambda v: 1",
            "expected True or False from `when=`, found an int",
        ),
        (
            "pattern=\"(\"",
            "expected a regular expression for `pattern=` in `@assert/validate`, found `(`",
        ),
        (
            "format=\"ipv5\"",
            "expected the name of a format for `format=` in `@assert/validate`, found `ipv5`",
        ),
        (
            "maximum=1",
            "expected a keyword argument for a rule in `@assert/validate`, found `maximum=`",
        ),
    ];
    for (rules, fault) in table {
        let found = broken(rules, "x").unwrap_or_default();
        assert!(found.starts_with(fault), "{rules}: {found}");
        assert!(found.contains(" values.yml:3"), "{rules}: {found}");
    }
}

#[test]
fn an_object_with_a_check_is_a_rule() {
    let load = "#@ load(\"@ytt:assert\", \"assert\")\n";
    let faults = unchecked(&format!(
        "{load}#@assert/validate (\"small\", assert.max(2))\nv: 3\n"
    ))
    .unwrap_err();
    assert_eq!(
        faults,
        ["expected `v` to be: small; found: value > 2 values.yml:5 values.yml:4"]
    );
}
