//! JSON patches: the operations, and the object afterwards or the message.

use std::sync::Arc;

use super::*;
use crate::edit::EditOptions;
use crate::kustomize::EditRules;
use crate::source::{Diagnostics, Source};
use crate::yaml::{Node, faithful, parse, parse_data};

fn operations(patch: &str) -> Result<Vec<PatchOperation>, String> {
    let stream = parse_data(&Source::new("patch.yaml", patch).unwrap()).unwrap();
    let mut diagnostics = Diagnostics::default();
    let read = PatchOperation::read_all(
        &stream.documents[0].root,
        EditRules::Inlay,
        &mut diagnostics,
    );
    read.map_err(|_| diagnostics.as_slice()[0].message.clone())
}

fn patched(object: &str, patch: &str, allow_missing: bool) -> Result<String, String> {
    let stream = parse(&Source::new("object.yaml", object).unwrap()).unwrap();
    let operations = operations(patch)?;
    let root: &Arc<Node> = &stream.documents[0].root;
    let options = EditOptions {
        has_aliases: stream.has_aliases,
        ..EditOptions::default()
    };
    let run = JsonPatchRun {
        options: &options,
        allow_missing,
        rules: EditRules::Inlay,
        has_own_annotations: false,
    };
    let mut diagnostics = Diagnostics::default();
    let root = run
        .apply(&operations, root, &mut diagnostics)
        .map_err(|error| error.message)?;
    Ok(faithful::print(&stream, &[root]))
}

const OBJECT: &str = "a: 1 # one\nb: [x, y]\nc: {d: '{\"e\": 1}'}\n";

#[test]
fn applies_operations_in_order() {
    let table = [
        (
            "[{op: copy, from: /a, path: /z}]",
            "a: 1 # one\nb: [x, y]\nc: {d: '{\"e\": 1}'}\nz: 1\n",
        ),
        (
            "[{op: move, from: /b, path: /c/b}]",
            "a: 1 # one\nc: {d: '{\"e\": 1}', b: [x, y]}\n",
        ),
        (
            "[{op: move, from: /b/0, path: /b/1}]",
            "a: 1 # one\nb: [y, x]\nc: {d: '{\"e\": 1}'}\n",
        ),
        (
            "[{op: move, from: /a, path: /c/d/f}]",
            "b: [x, y]\nc: {d: '{\"e\": 1, \"f\": 1}'}\n",
        ),
        ("[{op: move, from: /a, path: /a}]", OBJECT),
        (
            "[{op: test, path: /a, value: 1.0}, {op: replace, path: /a, value: 2}]",
            "a: 2 # one\nb: [x, y]\nc: {d: '{\"e\": 1}'}\n",
        ),
        (
            "[{op: test, path: /b, value: [x, y]}, {op: test, path: /c/d/e, value: 1}]",
            OBJECT,
        ),
        (
            "[{op: add, path: /k, value: null}]",
            "a: 1 # one\nb: [x, y]\nc: {d: '{\"e\": 1}'}\nk: null\n",
        ),
        (
            "[{op: add, path: /n, value: {}}, {op: add, path: /n/m, value: 1}, {op: remove, path: /n}]",
            OBJECT,
        ),
    ];
    for (patch, after) in table {
        assert_eq!(
            patched(OBJECT, patch, false).as_deref(),
            Ok(after),
            "{patch}"
        );
    }
}

#[test]
fn reports_why_an_operation_fails() {
    let table = [
        (
            "[{op: remove, path: /z}]",
            "unable to remove `/z`: the document has no field `z`",
        ),
        (
            "[{op: add, path: /z/y, value: 1}]",
            "unable to add `/z/y`: the document has no field `z`",
        ),
        (
            "[{op: replace, path: /b/2, value: 1}]",
            "unable to replace `/b/2`: index 2 specified but only 2 elements found",
        ),
        (
            "[{op: test, path: /a, value: '1'}]",
            "expected `'1'`, found `1`",
        ),
        (
            "[{op: test, path: /b, value: [x]}]",
            "expected another list, found another list",
        ),
        (
            "[{op: move, from: /c, path: /c/d/x}]",
            "unable to move `/c` into itself",
        ),
        (
            "[{op: tets, path: /a}]",
            "expected an operation of a JSON patch, found `tets`",
        ),
        (
            "[{op: add, path: /a}]",
            "expected `value` in the operation `add`, found none",
        ),
        (
            "[{op: move, path: /a}]",
            "expected `from` in the operation `move`, found none",
        ),
        (
            "[{op: remove, path: a}]",
            "expected a JSON pointer, which begins with `/`, found `a`",
        ),
        (
            "[{op: remove, path: /a, vlaue: 1}]",
            "unknown field `vlaue`",
        ),
    ];
    for (patch, message) in table {
        assert_eq!(
            patched(OBJECT, patch, false),
            Err(message.to_owned()),
            "{patch}"
        );
    }
}

#[test]
fn skips_missing_places_if_allowed_except_for_tests() {
    let patch =
        "[{op: remove, path: /z}, {op: replace, path: /y, value: 1}, {op: remove, path: /a}]";
    assert_eq!(
        patched(OBJECT, patch, true).as_deref(),
        Ok("b: [x, y]\nc: {d: '{\"e\": 1}'}\n")
    );
    assert!(patched(OBJECT, "[{op: test, path: /z, value: 1}]", true).is_err());
    assert!(
        patched("s: '{'", "[{op: remove, path: /s/a}]", true).is_err(),
        "a broken document is not a missing place"
    );
}

#[test]
fn limits_copies_of_copies() {
    let mut patch = String::new();
    for round in 0..40 {
        patch.push_str(&format!("- {{op: copy, from: /a, path: /a/{round}}}\n"));
    }
    let error = patched("a: {x: 1}", &patch, false).unwrap_err();
    assert!(
        error.contains("nodes") || error.contains("levels"),
        "{error}"
    );
}

#[test]
fn adds_what_replace_does_not_find_as_kustomize_does() {
    let stream = parse(&Source::new("object.yaml", OBJECT).unwrap()).unwrap();
    let root = &stream.documents[0].root;
    let options = EditOptions::default();
    let run = JsonPatchRun {
        options: &options,
        allow_missing: false,
        rules: EditRules::Kustomize,
        has_own_annotations: false,
    };
    let mut diagnostics = Diagnostics::default();
    let patch = operations("[{op: replace, path: /c/f, value: 2}]").unwrap();
    let changed = run.apply(&patch, root, &mut diagnostics).unwrap();
    assert_eq!(changed.get_in(&["c", "f"]).unwrap().text(), Some("2"));
    assert_eq!(
        diagnostics.as_slice()[0].message,
        "`/c/f` does not exist, and `replace` adds it"
    );
    for path in ["/b/7", "/x/y", "/a/b"] {
        let patch = operations(&format!("[{{op: replace, path: {path}, value: 2}}]")).unwrap();
        assert!(run.apply(&patch, root, &mut diagnostics).is_err(), "{path}");
    }
}
