//! `mergeValues`: documents in values that are merged.

use super::*;

#[test]
fn merges_documents_in_the_format_of_the_key_or_text() {
    let table = [
        (
            "c.json",
            "{\"a\": {\"b\": 1.0}}\n",
            "{\"a\": {\"c\": 2}}",
            "{\"a\": {\"b\": 1.0, \"c\": 2}}\n",
        ),
        (
            "c.yaml",
            "a: # one\n  b: 1\n",
            "a:\n  c: 2",
            "a: # one\n  b: 1\n  c: 2\n",
        ),
        (
            "c.yaml",
            "a: # one\n  b: 1\n",
            "{\"a\": {\"c\": 2}}",
            "a: # one\n  b: 1\n  c: 2\n",
        ),
        ("c", "{\"a\": 1}", "{\"b\": 2}", "{\"a\": 1, \"b\": 2}"),
        ("c", "a: 1\n", "b: 2\n", "a: 1\nb: 2\n"),
        ("c.json", "", "{\"b\": 2}", "{\"b\": 2}"),
        (
            "c.yaml",
            "a: 1\n---\nb: 2\n",
            "a: 3\n---\nb: 4\n",
            "a: 3\n---\nb: 4\n",
        ),
        (
            "c.json",
            "{\"a\": debug}",
            "{\"b\": \"x\"}",
            "{\"a\": debug,\"b\":\"x\"}",
        ),
    ];
    for (key, base, overlay, expected) in table {
        let found = merged(key, base, overlay, "").unwrap();
        let blind = |text: &str| text.replace(' ', "");
        assert_eq!(blind(&found), blind(expected), "{base} with {overlay}");
    }
}

#[test]
fn merges_lists_and_nulls_according_to_the_entry() {
    let table = [
        ("", "a: [1]\nb: 2\n", "a: [3]\nb:\n", "a: [3]\nb: null\n"),
        (
            ", lists: append, nulls: delete",
            "a: [1]\nb: 2\n",
            "a: [3]\nb:\n",
            "a: [1, 3]\n",
        ),
        (
            ", lists: merge-by id",
            "a: [{id: x, v: 1}]\n",
            "a: [{id: x, v: 2}, {id: y}]",
            "a: [{id: x, v: 2}, {id: y}]\n",
        ),
    ];
    for (fields, base, overlay, expected) in table {
        assert_eq!(
            merged("c.yaml", base, overlay, fields).unwrap(),
            expected,
            "{fields}"
        );
    }
    assert!(
        merged("c.yaml", "a: 1", "a: 2", ", lists: appnd")
            .unwrap_err()
            .starts_with("expected `replace`, `append`")
    );
    assert!(
        merged("c.yaml", "a: 1", "a: 2", ", lists: merge-by")
            .unwrap_err()
            .starts_with("expected a key")
    );
}

#[test]
fn reports_values_that_cannot_be_merged() {
    let table = [
        (
            "c.json",
            "{\"a\": {}}",
            "{\"a\": 1}",
            "expected a mapping to merge for `a`, found a number",
        ),
        (
            "c",
            "a: 1\n",
            "{\"b\": 2}",
            "expected YAML to merge, found JSON",
        ),
        (
            "c",
            "{\"b\": 2}",
            "a: 1\n",
            "expected JSON to merge, found YAML",
        ),
        (
            "c.yaml",
            "a: 1",
            "\n# nothing\n",
            "expected a document to merge, found an empty text",
        ),
        (
            "c.yaml",
            "a: 1\n---\nb: 1\n",
            "a: 1",
            "expected as many documents as the text has, 2, found 1",
        ),
    ];
    for (key, base, overlay, expected) in table {
        assert_eq!(
            merged(key, base, overlay, "").unwrap_err(),
            expected,
            "{base} with {overlay}"
        );
    }
    assert!(
        merged("c.yaml", "a: [", "a: 1", "").is_err(),
        "a base that does not parse"
    );
    assert!(
        merged("c.json", "{\"a\": 1}", "{", "").is_err(),
        "an overlay that does not parse"
    );
}

#[test]
fn requires_merged_keys_on_both_sides_and_only_once() {
    let object = config_map("c.json", "{}");
    let message = |fields: &str| {
        let entry = format!("{{name: a, {fields}}}");
        edit(GeneratorKind::ConfigMap, &entry, &object)
            .unwrap_err()
            .remove(0)
    };
    let both = "behavior: merge, literals: [{d.json: '{}'}]";
    assert_eq!(
        message(&format!("{both}, mergeValues: [{{key: d.json}}]")),
        "nothing to merge into: the ConfigMap has no key `d.json`"
    );
    assert_eq!(
        message(&format!("{both}, mergeValues: [{{key: c.json}}]")),
        "nothing to merge: the generator has no value for `c.json`"
    );
    let twice = message(&format!(
        "{both}, mergeValues: [{{key: d.json}}, {{key: d.json}}]"
    ));
    assert_eq!(twice, "key `d.json` is given twice in `mergeValues`");
    let create = message("literals: [{d.json: '{}'}], mergeValues: [{key: d.json}]");
    assert_eq!(
        create,
        "expected `behavior: merge` with `mergeValues`, found `create`"
    );
}

#[test]
fn merges_secrets_inside_base64() {
    let secret =
        "{apiVersion: v1, kind: Secret, metadata: {name: a}, data: {c.json: eyJhIjogMX0=}}";
    let entry = "{name: a, behavior: merge, literals: [{c.json: '{\"b\": 2}'}], mergeValues: [{key: c.json}]}";
    let merged = edit(GeneratorKind::Secret, entry, secret).unwrap();
    assert!(
        merged.contains("c.json: eyJhIjogMSwgImIiOiAyfQ=="),
        "{merged}"
    );
}
