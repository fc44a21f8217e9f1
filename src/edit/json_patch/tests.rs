//! Pointers, and the edits at the places that they lead to: the text, the pointer, the text after
//! the edit.

use std::sync::Arc;

use super::*;
use crate::edit::{EditFailure, EditOptions};
use crate::source::Source;
use crate::yaml::{Node, Stream, faithful, parse};

fn read(text: &str) -> Stream {
    parse(&Source::new("text.yaml", text).unwrap()).unwrap()
}

fn value(text: &str) -> Arc<Node> {
    crate::edit::remake(&read(text).documents[0].root).unwrap()
}

/// Returns the text after an edit, or the message of its failure.
fn edited(
    text: &str,
    edit: impl FnOnce(&Arc<Node>, &EditOptions) -> std::result::Result<Arc<Node>, EditFailure>,
) -> std::result::Result<String, String> {
    let stream = read(text);
    let options = EditOptions {
        has_aliases: stream.has_aliases,
        ..EditOptions::default()
    };
    match edit(&stream.documents[0].root, &options) {
        Ok(root) => Ok(faithful::print(&stream, &[root])),
        Err(failure) => Err(failure.diagnostic(|| "no".to_owned()).message),
    }
}

fn pointer(text: &str) -> Pointer {
    Pointer::parse(text).unwrap()
}

const LIST: &str = "a: # first\n- x # one\n# of two\n- y\nb: 1\n";

#[test]
fn parses_a_pointer_token_by_token() {
    let names = |text: &str| -> Vec<String> {
        pointer(text)
            .path
            .segments()
            .iter()
            .map(ToString::to_string)
            .collect()
    };
    assert_eq!(names("/a~1b/m~0n/~01/"), ["a/b", "m~n", "~1", ""]);
    assert_eq!(names(""), Vec::<String>::new());
    for text in ["a", "a/b", "/a~", "/~2"] {
        assert_eq!(
            Pointer::parse(text).unwrap_err().code,
            Code::PathSyntax,
            "{text}"
        );
    }
    assert_eq!(
        Pointer::parse("spec.x").unwrap_err().help,
        ["write it as `/spec/x`"]
    );
}

#[test]
fn add_replaces_a_key_creates_a_key_and_inserts_an_item() {
    let table = [
        (
            LIST,
            "/b",
            "2",
            "a: # first\n- x # one\n# of two\n- y\nb: 2\n",
        ),
        (
            LIST,
            "/c",
            "{d: 1}",
            "a: # first\n- x # one\n# of two\n- y\nb: 1\nc:\n  d: 1\n",
        ),
        (
            LIST,
            "/a/0",
            "w",
            "a: # first\n- w\n- x # one\n# of two\n- y\nb: 1\n",
        ),
        (
            LIST,
            "/a/2",
            "z",
            "a: # first\n- x # one\n# of two\n- y\n- z\nb: 1\n",
        ),
        (
            LIST,
            "/a/-",
            "z",
            "a: # first\n- x # one\n# of two\n- y\n- z\nb: 1\n",
        ),
        ("0: x\n", "/0", "w", "0: w\n"),
        (
            "s: |\n  {\"a\": [1]} # no\n",
            "/s/a/-",
            "2",
            "s: |\n  {\"a\": [1, 2]} # no\n",
        ),
        (
            "s: '{\"a\": 1}'\n",
            "/s/b",
            "yes",
            "s: '{\"a\": 1, \"b\": true}'\n",
        ),
        ("s: '[1]'\n", "/s/0", "'0'", "s: '[\"0\",1]'\n"),
        (
            "s: 'x: ''{\"y\": 1}'''\n",
            "/s/x/z",
            "2",
            "s: 'x: ''{\"y\": 1, \"z\": 2}'''\n",
        ),
    ];
    for (before, at, new, after) in table {
        let found = edited(before, |root, options| {
            add(root, &pointer(at), &value(new), options)
        });
        assert_eq!(found.as_deref(), Ok(after), "{at}");
    }
}

#[test]
fn remove_removes_the_comments_of_the_value() {
    let table = [
        (LIST, "/a/1", "a: # first\n- x # one\nb: 1\n"),
        (LIST, "/a/0", "a: # first\n# of two\n- y\nb: 1\n"),
        (LIST, "/a", "b: 1\n"),
        (
            "s: '{\"a\": 1, \"b\": [1, 2]}'\n",
            "/s/b/0",
            "s: '{\"a\": 1, \"b\": [2]}'\n",
        ),
        ("s: '{\"a\": 1, \"b\": 2}'\n", "/s/a", "s: '{\"b\": 2}'\n"),
        (
            "s.env: |\n  # a\n  A=1\n  B=2\nb: 1\n",
            "/s.env/B",
            "s.env: |\n  # a\n  A=1\nb: 1\n",
        ),
        (
            "s.env: |\n  # a\n  A=1\nb: 1\n",
            "/s.env/A",
            "s.env: |\nb: 1\n",
        ),
        (
            "s.toml: |+\n  [b]\n  c = 1\n\nb: 1\n",
            "/s.toml/b",
            "s.toml: |+\nb: 1\n",
        ),
    ];
    for (before, at, after) in table {
        assert_eq!(
            edited(before, |root, options| remove(root, &pointer(at), options)).as_deref(),
            Ok(after),
            "{at}"
        );
    }
}

#[test]
fn replace_keeps_the_type_of_the_new_value() {
    let table = [
        ("a: 1 # c\n", "/a", "'2'", "a: \"2\" # c\n"),
        ("a: 'x' # c\n", "/a", "2", "a: 2 # c\n"),
        (
            "a: {b: [1, 2]}\n",
            "/a/b/1",
            "{c: d}",
            "a: {b: [1, {c: d}]}\n",
        ),
        (
            "a: &x {b: 1}\nc: *x\n",
            "/c/b",
            "2",
            "a: &x {b: 1}\nc: {b: 2}\n",
        ),
    ];
    for (before, at, new, after) in table {
        let found = edited(before, |root, options| {
            replace(root, &pointer(at), &value(new), options)
        });
        assert_eq!(found.as_deref(), Ok(after), "{at}");
    }
}

#[test]
fn reports_a_value_that_does_not_exist_as_missing() {
    let text = "a: [1, 2]\ns: 'x: 1'\nm: |\n  x: 1\n  ---\n  x: 2\nn: 3\n<<: {k: 1}\n";
    let table = [
        ("/b/c", "no: the document has no field `b`"),
        ("/a/2", "no: index 2 specified but only 2 elements found"),
        ("/a/-", "no: `-` is the place after the last of 2"),
        (
            "/a/x",
            "no: expected an index up to 2 in a list of 2 items, found `x`",
        ),
        ("/s/y", "no: `/s` has no field `y`"),
        ("/n/y", "no: `/n` is a number and has no fields"),
        (
            "/m/x",
            "no: `/m` contains 2 documents: expected an index before the dot at the end",
        ),
        ("/k", "unable to remove `/k`: it comes from a merge key"),
        ("", "expected a part to remove, found the whole object"),
    ];
    for (at, message) in table {
        let found = edited(text, |root, options| remove(root, &pointer(at), options));
        assert_eq!(found.as_ref().map_err(String::as_str), Err(message), "{at}");
    }
    let several = read(text).documents[0].root.clone();
    let failure = remove(&several, &pointer("/m/x"), &EditOptions::default()).unwrap_err();
    assert!(
        !failure.is_absent(),
        "without a document being selected, it is unknown whether the value exists"
    );
    let picked = edited(text, |root, options| {
        remove(root, &pointer("/m/1/x"), options)
    })
    .unwrap();
    assert!(picked.contains("x: 1\n  ---\n  {}\n"), "{picked}");
    let beyond = edited(text, |root, options| {
        add(root, &pointer("/a/3"), &value("1"), options)
    });
    assert_eq!(
        beyond.unwrap_err(),
        "no: index 3 specified but only 2 elements found"
    );
}
