//! Patches and JSONPaths agree with the crates `json-patch` and `jsonpath-rust`, except for the
//! order of keys.

use std::sync::Arc;

use inlay::edit::{EditOptions, FieldPath, find};
use inlay::kubernetes::Resource;
use inlay::kustomize::EditRules;
use inlay::kustomize::patch::{self, PatchConfig, PatchRun};
use inlay::source::world::{Folder, Memory};
use inlay::source::{Diagnostics, Source};
use inlay::typed::{Spanned, from_node};
use inlay::yaml::{Node, canonical_json, faithful, parse_json};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

/// Generates documents without numbers that have several spellings, and without strings that
/// contain documents.
fn document() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-9..99i64).prop_map(Value::from),
        "[a-d]{1,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(key(), inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn key() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "b", "c", "a/b", "m~n", "0", "-", "", "$x"])
        .prop_map(str::to_owned)
}

/// Returns a resource whose `spec` is the document.
fn object(document: &Value) -> String {
    let object = json!({"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "x"}, "spec": document});
    serde_json::to_string_pretty(&object).unwrap()
}

fn root(text: &str) -> Arc<Node> {
    Arc::clone(
        &parse_json(&Source::new("text.json", text).unwrap())
            .unwrap()
            .documents[0]
            .root,
    )
}

/// Returns the document after an entry of `patches`; `None` if the patch fails.
fn patched(document: &Value, patch: &Value, kind: &str) -> Option<Value> {
    let text = object(document);
    let stream = parse_json(&Source::new("object.json", text.as_str()).unwrap()).unwrap();
    let entry =
        json!({"patch": patch.to_string(), "target": {}, "options": {"type": kind}}).to_string();
    let config: Spanned<PatchConfig> = from_node(&root(&entry)).unwrap();
    let mut diagnostics = Diagnostics::default();
    let world = Memory::default();
    let folder = Folder::new(&world, "");
    let patch = patch::check(config, EditRules::Inlay, &folder, &mut diagnostics);
    let Ok(patch) = patch else {
        panic!("{:?}", diagnostics.as_slice());
    };
    let mut resource = Resource::new(Arc::clone(&stream.documents[0].root)).unwrap();
    resource.syntax = stream.syntax;
    let mut resources = vec![resource];
    let mut run = PatchRun::new(&mut resources);
    let outcome = patch::apply_all(&[patch], &mut run, &mut diagnostics);
    run.finish();
    outcome.ok()?;
    let text = faithful::print(&stream, &[Arc::clone(&resources[0].node)]);
    let read: Value =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}:\n{text}"));
    Some(read["spec"].clone())
}

/// Collects the pointer to every place in a document.
fn places(value: &Value, at: String, found: &mut Vec<String>) {
    found.push(at.clone());
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                places(item, format!("{at}/{index}"), found);
            }
        }
        Value::Object(map) => {
            for (key, inner) in map {
                places(
                    inner,
                    format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")),
                    found,
                );
            }
        }
        _ => {}
    }
}

/// Returns an operation on places of `document`, or directly below one.
fn operation(
    document: &Value,
    kind: &str,
    at: &Index,
    from: &Index,
    below: Option<&str>,
    value: &Value,
) -> Value {
    let mut found = Vec::new();
    places(document, "/spec".to_owned(), &mut found);
    let mut path = at.get(&found).clone();
    if let Some(below) = below {
        path = format!("{path}/{below}");
    }
    match kind {
        "remove" => json!({"op": kind, "path": path}),
        "move" | "copy" => json!({"op": kind, "path": path, "from": from.get(&found)}),
        _ => json!({"op": kind, "path": path, "value": value}),
    }
}

proptest! {

    #[test]
    fn a_json_patch_agrees_with_the_crate(
        document in document(),
        steps in prop::collection::vec(
            (
                prop::sample::select(vec!["add", "remove", "replace", "move", "copy", "test"]),
                any::<Index>(),
                any::<Index>(),
                prop::option::of(prop::sample::select(vec!["0", "1", "-", "a", "new"])),
                document(),
            ),
            1..5,
        ),
    ) {
        let mut ours = document;
        for (kind, at, from, below, value) in &steps {
            let operation = operation(&ours, kind, at, from, *below, value);
            // An operation that removes the whole document leaves no object to compare.
            if operation["path"] == "/spec" && *kind == "remove" || operation["from"] == "/spec" && *kind == "move" {
                continue;
            }
            let patch = json!([operation]);
            let mut theirs: Value = serde_json::from_str(&object(&ours)).unwrap();
            let operations: json_patch::Patch = serde_json::from_value(patch.clone()).unwrap();
            let outcome = json_patch::patch(&mut theirs, &operations);
            let expected = outcome.ok().map(|()| theirs["spec"].clone());
            let found = patched(&ours, &patch, "json");
            prop_assert_eq!(&found, &expected, "{} on {}", patch, ours);
            ours = found.unwrap_or(ours);
        }
    }

    #[test]
    fn a_merge_patch_agrees_with_the_crate(document in document(), patch in document()) {
        let mut theirs: Value = serde_json::from_str(&object(&document)).unwrap();
        let patch = json!({"spec": patch});
        json_patch::merge(&mut theirs, &patch);
        prop_assert_eq!(patched(&document, &patch, "merge"), Some(theirs["spec"].clone()), "{} on {}", patch, document);
    }

    #[test]
    fn a_json_path_selects_what_the_crate_selects(document in document(), path in json_path()) {
        let expected = jsonpath_rust::JsonPath::query(&document, &path).unwrap();
        let mut expected: Vec<String> = expected.into_iter().map(Value::to_string).collect();
        let found = find(&root(&document.to_string()), &FieldPath::parse(&path).unwrap(), &EditOptions::default());
        let found = found.unwrap_or_default();
        let read = |node: &Arc<Node>| serde_json::from_str::<Value>(&canonical_json(node).unwrap()).unwrap().to_string();
        let mut found: Vec<String> = found.iter().map(|found| read(&found.node)).collect();
        // Inlay returns places in the order of the text; the crate returns them in the order of the
        // slice.
        if path.contains("..") || path.contains("::-1") {
            expected.sort();
            found.sort();
        }
        prop_assert_eq!(found, expected, "{} in {}", path, document);
    }
}

/// Generates paths without the parts that RFC 9535 leaves open: at most one `..`, and no value
/// selected twice.
fn json_path() -> impl Strategy<Value = String> {
    let segment = prop::sample::select(vec![
        ".a",
        ".b",
        "['c']",
        "[0]",
        "[-1]",
        "[1:]",
        "[:2]",
        "[::-1]",
        "[0,1]",
        "['a','b']",
        ".*",
        "[*]",
        "[?@.a]",
        "[?@.a == 1]",
        "[?@.a > 1 || @.b]",
        "[?@ == 'a']",
        "[?!@.a && @[0]]",
        "[?length(@) > 1]",
        "[?count(@.*) == 2]",
        "[?@.a == @.b]",
        "[?match(@, 'a.*')]",
        "[?search(@.b, 'b')]",
        "[?@.a != null]",
        "[?(@.a <= 5) && !(@.b < 3)]",
        "[?value(@..c) == true]",
    ]);
    let descent = prop::option::of(prop::sample::select(vec![
        "..a", "..*", "..[0]", "..[?@.b]",
    ]));
    (
        prop::collection::vec(segment.clone(), 0..3),
        descent,
        prop::collection::vec(segment, 0..3),
    )
        .prop_map(|(before, descent, after)| {
            format!(
                "${}{}{}",
                before.concat(),
                descent.unwrap_or(""),
                after.concat()
            )
        })
}
