//! Mistakes that the author of a schema can make.

use crate::defaults;

/// Returns the faults of a schema whose text goes below `---`.
fn faults(schema: &str) -> Vec<String> {
    defaults(&format!("---\n{schema}\n")).unwrap_err()
}

#[test]
fn every_value_has_a_type() {
    let table = [
        (
            "a: null",
            "expected a value that `a` gets its type from, found null schema.yml:3",
        ),
        (
            "a:\n- ~",
            "expected a value that `a[]` gets its type from, found null schema.yml:4",
        ),
        (
            "a:\n  ? [x]\n  : 1",
            "expected the name of a data value as a key in `a`, found an array schema.yml:4",
        ),
        (
            "a: []",
            "expected 1 array item, of the type of all items, for `a`, found 0 schema.yml:3",
        ),
        (
            "a:\n- 1\n- 2",
            "expected 1 array item, of the type of all items, for `a`, found 2 schema.yml:3",
        ),
        (
            "#@schema/additional-keys\na: {}",
            "expected a map with 1 example item for `a`, found 0 items schema.yml:4",
        ),
        (
            "#@schema/additional-keys\na: 1",
            "expected a map with 1 example item for `a`, found an integer schema.yml:4",
        ),
    ];
    for (schema, fault) in table {
        let found = faults(schema);
        assert!(
            found.len() == 1 && found[0].starts_with(fault),
            "{schema}: {found:?}"
        );
    }
}

#[test]
fn an_annotation_has_the_arguments_that_it_takes() {
    let table = [
        (
            "#@schema/type",
            "expected `any=True` or `any=False` in `@schema/type`, found no argument",
        ),
        (
            "#@schema/type any=1",
            "expected `any=True` or `any=False` in `@schema/type`, found an int",
        ),
        (
            "#@schema/type all=True",
            "expected `any=True` or `any=False` in `@schema/type`, found the keyword argument `all=`",
        ),
        (
            "#@schema/nullable x=1",
            "expected no argument in `@schema/nullable`, found the keyword argument `x=`",
        ),
        (
            "#@schema/default",
            "expected one value in `@schema/default`, found none",
        ),
        (
            "#@schema/default 1, 2",
            "expected one value in `@schema/default`, found 2 values",
        ),
        (
            "#@schema/default \"x\"",
            "expected an integer for the default of `a`, found a string",
        ),
        (
            "#@schema/title 1",
            "expected one string in `@schema/title`, found an int",
        ),
        (
            "#@schema/desc",
            "expected one string in `@schema/desc`, found none",
        ),
        (
            "#@schema/deprecated \"a\", \"b\"",
            "expected one string in `@schema/deprecated`, found 2 values",
        ),
        (
            "#@schema/examples 1",
            "expected pairs `(description, value)` in `@schema/examples`, found an int",
        ),
        (
            "#@schema/examples (1, 1)",
            "expected a string as a description in `@schema/examples`, found an int",
        ),
        (
            "#@schema/examples (\"x\", \"y\")",
            "expected an integer for the example of `a`, found a string",
        ),
        (
            "#@schema/validation",
            "expected rules in `@schema/validation`, found no argument",
        ),
        (
            "#@schema/validation pattern=\"x\"",
            "expected a string under `pattern=`, found an integer",
        ),
    ];
    for (annotation, fault) in table {
        let found = faults(&format!("{annotation}\na: 1"));
        assert!(
            found.len() == 1 && found[0].starts_with(fault),
            "{annotation}: {found:?}"
        );
        assert!(
            found[0].contains(" schema.yml:3 schema.yml:4") || found[0].contains(" schema.yml:3"),
            "{found:?}"
        );
    }
}

#[test]
fn an_annotation_without_effect_at_its_place_is_an_error() {
    let table = [
        (
            "a:\n#@schema/default 1\n- 1",
            "expected a default on the array, found it on the item schema.yml:4 schema.yml:5",
        ),
        (
            "#@schema/type any=True\na:\n  #@schema/nullable\n  b: 1",
            "expected no types below a node of any type, found `@schema/nullable` schema.yml:5 schema.yml:6",
        ),
        (
            "#@schema/type any=True\na:\n- b:\n  #@schema/validation min=1\n  - 1",
            "expected no types below a node of any type, found `@schema/validation` schema.yml:6",
        ),
        (
            "#@schema/type any=True\n#@schema/additional-keys\na:\n  b: 1",
            "expected a type for the values of additional keys, found any type for the map schema.yml:4",
        ),
    ];
    for (schema, fault) in table {
        let found = faults(schema);
        assert!(
            found.len() == 1 && found[0].starts_with(fault),
            "{schema}: {found:?}"
        );
    }
    let document = defaults("#@schema/deprecated \"\"\n---\na: 1\n").unwrap_err();
    assert!(
        document[0].starts_with("expected a deprecation of data values, found one of the document"),
        "{document:?}"
    );
}

#[test]
fn all_faults_of_a_schema_are_reported_together() {
    let found = faults("a: null\n#@schema/title 1\nb:\n- null\nc: []\n");
    assert_eq!(found.len(), 4, "{found:?}");
}

#[test]
fn a_wrong_default_is_reported_with_its_path() {
    let found = faults("#@schema/default [{\"b\": \"x\", \"c\": 1}]\na:\n- b: 1");
    assert!(
        found[0]
            .starts_with("expected an integer for the default of `a[0].b`, found a string schema.yml:3 schema.yml:5"),
        "{found:?}"
    );
    assert!(
        found[1].starts_with(
            "expected a key that the schema declares in the default of `a[0]`, found `a[0].c`"
        ),
        "{found:?}"
    );
}
