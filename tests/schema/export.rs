//! The export of schemas for other tools.

use inlay::yaml::canonical_node;

use crate::with_schema;

fn openapi(schema: &str) -> String {
    with_schema(schema, |schema, _, _| {
        Ok(canonical_node(&schema.openapi()).unwrap())
    })
    .unwrap()
}

/// Returns the OpenAPI schema of the single key `a`.
fn openapi_of(key: &str) -> String {
    let text = openapi(&format!("---\n{key}\n"));
    let start = text.find("        a:\n").unwrap() + "        a:\n".len();
    text[start..]
        .lines()
        .map(|line| line.trim_start().to_owned() + "\n")
        .collect()
}

fn json_schema(schema: &str) -> String {
    let text = with_schema(schema, |schema, _, _| {
        Ok(canonical_node(&schema.json_schema()).unwrap())
    })
    .unwrap();
    let dialect = "$schema: https://json-schema.org/draft/2020-12/schema\n";
    text.strip_prefix(dialect).unwrap().to_owned()
}

/// Returns the JSON Schema of the single key `a`.
fn json_schema_of(key: &str) -> String {
    let text = json_schema(&format!("---\n{key}\n"));
    let start = text.find("  a:\n").unwrap() + "  a:\n".len();
    let end = text.find("additionalProperties: false\n").unwrap();
    text[start..end]
        .lines()
        .map(|line| line.trim_start().to_owned() + "\n")
        .collect()
}

#[test]
fn openapi_describes_an_open_map_by_the_type_of_its_values() {
    let text = openapi("---\n#@schema/additional-keys\n#@schema/desc \"labels\"\na:\n  x: text\n");
    assert!(
        text.contains(
            "          type: object
          additionalProperties:
            type: string
            default: text
          description: labels
          default: {}
"
        ),
        "{text}"
    );
}

#[test]
fn openapi_gives_nullable_maps_no_default() {
    let table = [
        (
            "#@schema/nullable\na:\n  b: 1",
            "type: object\nadditionalProperties: false\nnullable: true\nproperties:\nb:\ntype: integer\ndefault: 1\n",
        ),
        (
            "#@schema/nullable\na:\n- x",
            "type: array\nnullable: true\nitems:\ntype: string\ndefault: x\ndefault: null\n",
        ),
        (
            "#@schema/nullable\na: x",
            "type: string\nnullable: true\ndefault: null\n",
        ),
        (
            "#@schema/type any=True\n#@schema/nullable\na: {b: 1}",
            "nullable: true\ndefault: null\n",
        ),
    ];
    for (key, expected) in table {
        assert_eq!(openapi_of(key), expected, "{key}");
    }
}

#[test]
fn openapi_has_the_rules_after_the_default() {
    let table = [
        (
            "#@schema/validation max=3, min=1\na: 2",
            "type: integer\ndefault: 2\nminimum: 1\nmaximum: 3\n",
        ),
        (
            "#@schema/validation min_len=1, max_len=3, one_of=[\"x\", \"z\"]\na: x",
            "type: string\ndefault: x\nminLength: 1\nmaxLength: 3\nenum:\n- x\n- z\n",
        ),
        (
            "#@schema/validation min_len=1\na:\n- 1",
            "type: array\nitems:\ntype: integer\ndefault: 1\ndefault: []\nminItems: 1\n",
        ),
        (
            "#@schema/validation max_len=2\na:\n  b: 1",
            "type: object\nadditionalProperties: false\nproperties:\nb:\ntype: integer\ndefault: 1\nmaxProperties: 2\n",
        ),
        (
            "#@schema/validation pattern=\"^x\", format=\"hostname\"\na: x",
            "type: string\nformat: hostname\ndefault: x\npattern: ^x\n",
        ),
        (
            "#@schema/nullable\n#@schema/validation one_of=[1]\na: 1",
            "type: integer\nnullable: true\ndefault: null\nenum:\n- 1\n- null\n",
        ),
        (
            "#@schema/validation min=1, when=lambda v: True\na: 2",
            "type: integer\ndefault: 2\n",
        ),
        (
            "#@schema/type any=True\n#@schema/validation one_of=[1, 2]\na: 1",
            "nullable: true\ndefault: 1\n",
        ),
    ];
    for (key, expected) in table {
        assert_eq!(openapi_of(key), expected, "{key}");
    }
}

#[test]
fn json_schema_says_what_the_types_and_rules_say() {
    let table = [
        ("a: x", "type: string\ndefault: x\n"),
        ("a: 1", "type: integer\ndefault: 1\n"),
        ("a: 1.5", "type: number\ndefault: 1.5\n"),
        ("a: no", "type: boolean\ndefault: false\n"),
        (
            "a:\n- 1",
            "type: array\nitems:\ntype: integer\ndefault: 1\ndefault: []\n",
        ),
        (
            "#@schema/nullable\na: x",
            "type:\n- string\n- \"null\"\ndefault: null\n",
        ),
        ("#@schema/type any=True\na: 1", "default: 1\n"),
        (
            "#@schema/additional-keys\na:\n  b: 1",
            "type: object\nadditionalProperties:\ntype: integer\ndefault: 1\ndefault: {}\n",
        ),
        (
            "#@schema/title \"T\"\n#@schema/desc \"D\"\n#@schema/deprecated \"\"\n#@schema/examples (\"x\", 1), (\"y\", 2)\na: 0",
            "title: T\ndescription: D\ntype: integer\ndeprecated: true\ndefault: 0\nexamples:\n- 1\n- 2\n",
        ),
        (
            "#@schema/validation min=1, max=3\na: 2",
            "type: integer\nminimum: 1\nmaximum: 3\ndefault: 2\n",
        ),
        // Without `a`, its default `{b: ""}` would violate the rule.
        (
            "a:\n  #@schema/validation min_len=1\n  b: ''",
            "type: object\nproperties:\nb:\ntype: string\nminLength: 1\nrequired:\n- b\n\n",
        ),
        (
            "#@schema/validation min_len=1, max_len=3\na: xy",
            "type: string\nminLength: 1\nmaxLength: 3\ndefault: xy\n",
        ),
        (
            "#@schema/validation max_len=3\na:\n- 1",
            "type: array\nitems:\ntype: integer\ndefault: 1\nmaxItems: 3\ndefault: []\n",
        ),
        (
            "#@schema/validation one_of=[\"x\", \"z\"]\na: x",
            "type: string\nenum:\n- x\n- z\ndefault: x\n",
        ),
        (
            "#@schema/nullable\n#@schema/validation one_of=[1]\na: 1",
            "type:\n- integer\n- \"null\"\nenum:\n- 1\n- null\ndefault: null\n",
        ),
        (
            "#@schema/validation pattern=\"^x\", format=\"hostname\"\na: x",
            "type: string\npattern: ^x\nformat: hostname\ndefault: x\n",
        ),
        (
            "#@schema/type any=True\n#@schema/validation one_of=[1, None]\na: 1",
            "enum:\n- 1\n- null\ndefault: 1\n",
        ),
        (
            "#@schema/validation min=1, when=lambda v: True\na: 2",
            "type: integer\ndefault: 2\n",
        ),
        (
            "#@schema/validation (\"x\", lambda v: True)\na: 2",
            "type: integer\ndefault: 2\n",
        ),
    ];
    for (schema, expected) in table {
        assert_eq!(json_schema_of(schema), expected, "{schema}");
    }
}

#[test]
fn a_key_whose_default_breaks_a_rule_is_required() {
    let text = json_schema(
        "---\n#@schema/validation min_len=1\na: \"\"\n#@schema/nullable\n#@schema/validation not_null=True\nb: 1\nc: 1\n",
    );
    assert!(
        text.contains("required:\n- a\n- b\nadditionalProperties: false\n"),
        "{text}"
    );
    assert!(text.contains("  b:\n    type: integer\n"), "{text}");
}

#[test]
fn one_of_several_keys_is_not_null() {
    let text = json_schema(
        "#@schema/validation one_not_null=[\"a\", \"b\"]\n---\n#@schema/nullable\na: 1\nb: 1\nc: 1\n",
    );
    assert!(
        text.ends_with(
            "oneOf:\n- properties:\n    a:\n      not:\n        type: \"null\"\n  required:\n  - a\n\
             - properties:\n    b:\n      not:\n        type: \"null\"\n"
        ),
        "{text}"
    );
}
