//! Strategic merge patches as tables: the object, the patch, the object afterwards.

use super::*;
use crate::edit::EditOptions;
use crate::kubernetes::text_fields;
use crate::kustomize::EditRules;
use crate::source::{Result, Source};
use crate::yaml::{Stream, expand, faithful, parse, relink};

fn read(text: &str) -> Stream {
    parse(&Source::new("text.yaml", text).unwrap()).unwrap()
}

fn patched(object: &str, patch: &str) -> Result<Option<String>> {
    let stream = read(object);
    let root = &stream.documents[0].root;
    let options = EditOptions {
        text_fields: text_fields(root),
        has_aliases: stream.has_aliases,
        ..EditOptions::default()
    };
    let patch = expand(&read(patch).documents[0].root)?;
    Ok(merge(
        root,
        &patch,
        StrategicRules::new(EditRules::Inlay),
        &options,
        &mut |_| {},
    )?
    .map(|root| faithful::print(&stream, &[relink(&root)])))
}

fn check(object: &str, rows: &[(&str, &str)]) {
    for (patch, after) in rows {
        assert_eq!(
            patched(object, patch).unwrap().as_deref(),
            Some(*after),
            "{patch}"
        );
    }
}

fn message(object: &str, patch: &str) -> String {
    patched(object, patch).unwrap_err().message
}

const CONFIG_MAP: &str = "apiVersion: v1\nkind: ConfigMap\n";

#[test]
fn merges_mappings_and_removes_null_keys_with_their_comments() {
    check(
        "a: 1 # one\n# about b\nb:\n  c: 2\n  d: 3 # three\n",
        &[
            (
                "{a: 2}",
                "a: 2 # one\n# about b\nb:\n  c: 2\n  d: 3 # three\n",
            ),
            ("{b: null}", "a: 1 # one\n"),
            (
                "{b: {c: null, d: 4}}",
                "a: 1 # one\n# about b\nb:\n  d: 4 # three\n",
            ),
            (
                "{b: {x: {y: null, z: 1}}}",
                "a: 1 # one\n# about b\nb:\n  c: 2\n  d: 3 # three\n  x:\n    z: 1\n",
            ),
            (
                "{z: null, b: {c: 2}}",
                "a: 1 # one\n# about b\nb:\n  c: 2\n  d: 3 # three\n",
            ),
        ],
    );
}

#[test]
fn refuses_values_of_different_kinds() {
    assert_eq!(
        message("a: {b: 1}", "a: 1"),
        "expected a mapping to merge for `a`, found a number"
    );
    assert_eq!(
        message("a: [1]", "a: {b: 1}"),
        "expected a list to merge for `a`, found a mapping"
    );
    assert_eq!(
        message("a: 1", "a: {b: 1}"),
        "expected a number to merge for `a`, found a mapping"
    );
    assert_eq!(
        message("a: text", "a: {b: 1}"),
        "expected a string to merge for `a`, found a mapping"
    );
}

const POD: &str = "\
apiVersion: v1
kind: Pod
spec:
  containers:
  # the first
  - name: a
    image: a:1 # pinned
  - name: b
    image: b:1
    ports: [{containerPort: 80}, {containerPort: 53, protocol: UDP}]
  tolerations: [{key: x}]
";

#[test]
fn merges_items_by_key_and_puts_new_ones_first() {
    let with = |containers: &str| {
        format!(
            "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n{containers}  tolerations: [{{key: x}}]\n"
        )
    };
    let a = "  # the first\n  - name: a\n    image: a:1 # pinned\n";
    let b = "  - name: b\n    image: b:1\n    ports: [{containerPort: 80}, {containerPort: 53, protocol: UDP}]\n";
    check(
        POD,
        &[
            (
                "spec: {containers: [{name: a, image: a:2}]}",
                &with(&format!("{}{b}", a.replace("a:1", "a:2"))),
            ),
            ("spec: {containers: [{name: a, $patch: delete}]}", &with(b)),
            ("spec: {containers: [{name: b, $patch: delete}]}", &with(a)),
            (
                "spec: {containers: [{name: a, $patch: replace, tty: true}]}",
                &with(&format!("  # the first\n  - name: a\n    tty: true\n{b}")),
            ),
            (
                "spec: {tolerations: [{key: y}]}",
                &POD.replace("key: x", "key: y"),
            ),
            (
                "spec: {containers: [{name: b, ports: [{containerPort: 8080}, {containerPort: 53, name: dns}]}, {name: a}]}",
                &with(&format!(
                    "{a}  - name: b\n    image: b:1\n    ports: [{{containerPort: 8080}}, {{containerPort: 80}}, \
                     {{containerPort: 53, name: dns, protocol: UDP}}]\n"
                )),
            ),
        ],
    );
}

#[test]
fn keeps_the_bytes_of_items_that_do_not_move() {
    let after = patched(POD, "spec: {containers: [{name: b, image: b:2}]}")
        .unwrap()
        .unwrap();
    assert!(
        after.contains("  # the first\n  - name: a\n    image: a:1 # pinned\n"),
        "{after}"
    );
    let after = patched(POD, "spec: {containers: [{name: new}]}")
        .unwrap()
        .unwrap();
    assert!(
        after.contains(
            "  - name: new\n  # the first\n  - name: a\n    image: a:1 # pinned\n  - name: b\n"
        ),
        "{after}"
    );
}

#[test]
fn keeps_the_order_and_the_bytes_if_only_existing_items_are_named() {
    let object = "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  # the first\n  - name: a\n    image: a:1\n\n  \
                  # the second\n  - &b\n    name: b   # two\n    image: !x \"b:1\"\n    env:\n    - {name: V, value: \"80\"}\n";
    check(
        object,
        &[
            (
                "spec: {containers: [{name: b, image: b:2}]}",
                &object.replace("b:1", "b:2"),
            ),
            (
                "spec: {containers: [{name: b, env: [{name: V, value: 8080}]}, {name: a, image: a:2}]}",
                &object.replace("80", "8080").replace("a:1", "a:2"),
            ),
            ("spec: {containers: [{name: b}]}", object),
        ],
    );
    let set = "apiVersion: v1\nkind: Pod\nmetadata: {finalizers: [a, b]}\n";
    check(set, &[("metadata: {finalizers: [b]}", set)]);
}

#[test]
fn places_items_that_only_the_server_has_as_the_api_server_does() {
    let object =
        |names: &str| format!("apiVersion: v1\nkind: Pod\nspec: {{containers: [{names}]}}\n");
    let item = |name: char| format!("{{name: {name}}}");
    let list = |names: &str| names.chars().map(item).collect::<Vec<_>>().join(", ");
    for (server, order, expected) in [
        ("xayb", "ba", "xyba"),
        ("axby", "ba", "xbay"),
        ("abx", "ba", "bax"),
        ("ab", "ba", "ba"),
        ("axb", "ab", "axb"),
    ] {
        check(
            &object(&list(server)),
            &[(
                &format!("spec: {{$setElementOrder/containers: [{}]}}", list(order)),
                &object(&list(expected)),
            )],
        );
    }
}

#[test]
fn moves_items_with_their_bytes() {
    let a = "  # about a\n  - name: a   # one\n    image:   \"a\"\n";
    let b = "  # about b\n  - &b\n    name: b\n    image: !x b # pinned\n";
    let with = |items: &str| {
        format!("apiVersion: v1\nkind: Pod\nspec:\n  containers:\n{items}  hostname: h\n")
    };
    check(
        &with(&format!("{a}{b}")),
        &[(
            "spec: {$setElementOrder/containers: [{name: b}, {name: a}]}",
            &with(&format!("{b}{a}")),
        )],
    );
}

#[test]
fn deletes_every_item_with_the_merge_key() {
    let object = "apiVersion: v1\nkind: Pod\nspec: {containers: [{name: a, x: 1}, {name: b}, {name: a, x: 2}]}\n";
    check(
        object,
        &[(
            "spec: {containers: [{name: a, $patch: delete}]}",
            "apiVersion: v1\nkind: Pod\nspec: {containers: [{name: b}]}\n",
        )],
    );
}

#[test]
fn writes_the_type_that_the_api_server_accepts() {
    let object = "apiVersion: apps/v1\nkind: Deployment\nspec: {replicas: 1}\n";
    check(
        object,
        &[
            (
                "spec: {replicas: \"3\"}",
                &object.replace('1', "3").replace("v3", "v1"),
            ),
            (
                "spec: {template: {metadata: {annotations: {port: 9090}}}}",
                "apiVersion: apps/v1\nkind: Deployment\nspec: {replicas: 1, template: {metadata: {annotations: {port: \"9090\"}}}}\n",
            ),
            (
                "spec: {template: {spec: {containers: [{name: a, args: [80], env: [{name: B, value: true}], ports: [{containerPort: \"80\"}]}]}}}",
                "apiVersion: apps/v1\nkind: Deployment\nspec: {replicas: 1, template: {spec: {containers: [{name: a, args: [\"80\"], env: [{name: B, value: \"true\"}], ports: [{containerPort: 80}]}]}}}\n",
            ),
        ],
    );
}

#[test]
fn merges_lists_of_unique_scalars_as_sets() {
    let object = "apiVersion: v1\nkind: Pod\nmetadata: {finalizers: [a, b]}\n";
    check(
        object,
        &[
            (
                "metadata: {finalizers: [c, b]}",
                "apiVersion: v1\nkind: Pod\nmetadata: {finalizers: [c, b, a]}\n",
            ),
            (
                "metadata: {$deleteFromPrimitiveList/finalizers: [a]}",
                "apiVersion: v1\nkind: Pod\nmetadata: {finalizers: [b]}\n",
            ),
            (
                "metadata: {$setElementOrder/finalizers: [b, a]}",
                "apiVersion: v1\nkind: Pod\nmetadata: {finalizers: [b, a]}\n",
            ),
            (
                "metadata: {$setElementOrder/finalizers: [b, c, a], finalizers: [c]}",
                "apiVersion: v1\nkind: Pod\nmetadata: {finalizers: [b, c, a]}\n",
            ),
        ],
    );
    let custom = object.replace("v1", "example.com/v1");
    let replaced = patched(&custom, "metadata: {finalizers: [c]}")
        .unwrap()
        .unwrap();
    assert!(
        replaced.ends_with("metadata: {finalizers: [c]}\n"),
        "{replaced}"
    );
}

#[test]
fn follows_directives() {
    check(
        "a: {b: 1, c: 2}\nl: [1, 2]\n",
        &[
            ("a: {$patch: replace, d: 3}", "a: {d: 3}\nl: [1, 2]\n"),
            ("a: {$patch: delete}", "l: [1, 2]\n"),
            ("a: {$patch: merge, b: 2}", "a: {b: 2, c: 2}\nl: [1, 2]\n"),
            (
                "a: {$retainKeys: [b, d], d: 3}",
                "a: {b: 1, d: 3}\nl: [1, 2]\n",
            ),
            ("l: [{$patch: delete}]", "a: {b: 1, c: 2}\n"),
            ("l: [{$patch: replace}, 3]", "a: {b: 1, c: 2}\nl: [3]\n"),
            ("n: {$patch: delete, x: 1}", "a: {b: 1, c: 2}\nl: [1, 2]\n"),
        ],
    );
    assert_eq!(patched("a: 1", "$patch: delete").unwrap(), None);
    assert_eq!(
        message("a: {b: 1}", "a: {$patch: remove}"),
        "unknown patch strategy `remove`"
    );
    assert_eq!(
        message("a: {b: 1}", "a: {$retainKeys: [b], c: 1}"),
        "expected every key of the patch in `$retainKeys`, found `c` outside"
    );
    check(
        "a: {b: 1, c: 2}\n",
        &[("a: {$retainKeys: [b], c: null}", "a: {b: 1}\n")],
    );
    assert_eq!(
        message("l: [{name: a}]", "l: [{name: a, $patch: delete}]"),
        "`$patch` has no effect in a list that is replaced"
    );
}

#[test]
fn requires_the_merge_key_of_an_item() {
    assert_eq!(
        message(POD, "spec: {containers: [{image: x}]}"),
        "expected an item with the merge key `name`, found an item without `name`"
    );
    assert_eq!(
        message(POD, "spec: {containers: [{name: a}, {name: a}]}"),
        "expected one item with the name `a` in the patch, found several"
    );
}

#[test]
fn merges_a_mapping_into_the_document_of_a_string() {
    let json = format!(
        "{CONFIG_MAP}data:\n  app.json: |\n    {{\"log\": {{\"level\": \"info\", \"sinks\": [1]}}, \"x\": 1}}\n  note: hi\n"
    );
    check(
        &json,
        &[
            (
                "data: {app.json: {log: {level: debug}}}",
                &json.replace("info", "debug"),
            ),
            (
                "data: {app.json: {x: null}}",
                &json.replace(", \"x\": 1", ""),
            ),
            (
                "data: {app.json: {log: {sinks: [2, 3]}, port: 80}}",
                &json.replace("[1]}, \"x\": 1", "[2, 3]}, \"port\": 80, \"x\": 1"),
            ),
            ("data: {count: 3}", &format!("{json}  count: \"3\"\n")),
        ],
    );
    let made = patched(CONFIG_MAP, "data: {app.json: {a: [1]}, app.yaml: {b: 2}}")
        .unwrap()
        .unwrap();
    assert_eq!(
        made,
        format!("{CONFIG_MAP}data:\n  app.json: '{{\"a\":[1]}}'\n  app.yaml: |\n    b: 2\n")
    );
    assert_eq!(
        message(&json, "data: {note: {a: 1}}"),
        "expected a string to merge for `note`, found a mapping"
    );
    let secret = "apiVersion: v1\nkind: Secret\ndata: {c.yaml: YTogMQo=}\n";
    let after = patched(secret, "data: {c.yaml: {b: 2}}").unwrap().unwrap();
    assert_eq!(
        after,
        "apiVersion: v1\nkind: Secret\ndata: {c.yaml: YTogMQpiOiAyCg==}\n"
    );
}

#[test]
fn keeps_aliases_and_merge_keys() {
    check(
        "x: &x {a: 1, b: 2}\ny: *x\nz: {<<: *x, c: 3}\n",
        &[
            (
                "y: {a: 2}",
                "x: &x {a: 1, b: 2}\ny: {a: 2, b: 2}\nz: {<<: *x, c: 3}\n",
            ),
            (
                "z: {a: 2}",
                "x: &x {a: 1, b: 2}\ny: *x\nz: {<<: *x, c: 3, a: 2}\n",
            ),
            (
                "y: {a: 1}",
                "x: &x {a: 1, b: 2}\ny: *x\nz: {<<: *x, c: 3}\n",
            ),
        ],
    );
    assert_eq!(
        message("z: {<<: {a: 1}}", "z: {a: null}"),
        "unable to remove `a`: it comes from a merge key"
    );
}

#[test]
fn orders_items_and_keeps_types_as_kustomize_does_in_a_kustomization() {
    let object = "apiVersion: v1\nkind: Pod\nmetadata: {finalizers: [a, b]}\nspec:\n  containers:\n  - name: a\n  - name: b\n    env: [{name: X, value: x}]\n";
    let stream = read(object);
    let root = &stream.documents[0].root;
    let options = EditOptions {
        text_fields: text_fields(root),
        ..EditOptions::default()
    };
    let patch = "metadata: {finalizers: [b]}\nspec: {containers: [{name: b, env: [{name: X, value: 1}]}]}\n";
    let patch = read(patch).documents[0].root.clone();
    let merged = |rules| {
        let merged = merge(
            root,
            &patch,
            StrategicRules::new(rules),
            &options,
            &mut |_| {},
        )
        .unwrap()
        .unwrap();
        faithful::print(&stream, &[merged])
    };
    assert!(merged(EditRules::Kustomize).ends_with(
        "{finalizers: [b, a]}\nspec:\n  containers:\n  - name: b\n    env: [{name: X, value: 1}]\n  - name: a\n"
    ));
    assert!(merged(EditRules::Inlay).ends_with(
        "{finalizers: [a, b]}\nspec:\n  containers:\n  - name: a\n  - name: b\n    env: [{name: X, value: \"1\"}]\n"
    ));
}
