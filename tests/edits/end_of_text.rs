//! Several edits of a text that does not end with a line break.

use std::sync::Arc;

use inlay::edit::{EditOptions, Pointer, add, move_value, remove};
use inlay::yaml::faithful;

use super::{made, read};

/// An operation of a JSON patch: `add PATH VALUE`, `remove PATH` or `move FROM TO`.
type Operation = [&'static str; 3];

fn patched(text: &str, operations: &[Operation]) -> String {
    let stream = read(text);
    let options = EditOptions::default();
    let mut root = Arc::clone(&stream.documents[0].root);
    for [operation, path, last] in operations {
        let at = Pointer::parse(path).unwrap();
        let result = match *operation {
            "add" => add(&root, &at, &made(last), &options),
            "remove" => remove(&root, &at, &options),
            _ => move_value(&root, &at, &Pointer::parse(last).unwrap(), &options),
        };
        root = result.unwrap_or_else(|_| panic!("{operation} {path} in {text}"));
    }
    faithful::print(&stream, &[root])
}

#[test]
fn a_text_without_a_line_break_at_its_end_is_edited_like_any_other() {
    let rows: &[(&str, &[Operation], &str)] = &[
        (
            "b:\n  k: 1\nc: 2",
            &[["move", "/c", "/b/n"]],
            "b:\n  k: 1\n  \"n\": 2",
        ),
        (
            "- - 1\n- 2",
            &[["add", "/0/-", "5"], ["remove", "/1", ""]],
            "- - 1\n  - 5",
        ),
        (
            "a:\n  k: 1\nb: |\n  x",
            &[["add", "/a/z", "1"], ["remove", "/b", ""]],
            "a:\n  k: 1\n  z: 1",
        ),
        // A block scalar keeps the line break at the end of its value.
        (
            "k: |\n  two\nz: 1",
            &[["move", "/k", "/n"]],
            "z: 1\n\"n\": |\n  two\n",
        ),
        (
            "b:\n  k: 1\nc: 2",
            &[["add", "/b/k", "\"l\\n\""], ["remove", "/c", ""]],
            "b:\n  k: |\n    l\n",
        ),
        (
            "a: 1\r\nb: 2",
            &[["add", "/k", "\"two\\n\\n\""], ["add", "/n", "1"]],
            "a: 1\r\nb: 2\r\nk: |+\r\n  two\r\n\r\n\"n\": 1",
        ),
        ("a: 1", &[["add", "/a", "\" \\n\""]], "a: |2\n   \n"),
        (
            "a: >\n  one\n  two\nb: 1",
            &[["move", "/a", "/c"]],
            "b: 1\nc: >\n  one\n  two\n",
        ),
        // The comment is at the end, and not the scalar.
        (
            "a: 1\n# end",
            &[["add", "/k", "\"two\\n\""]],
            "a: 1\nk: |\n  two\n# end",
        ),
        // The value of this scalar has no line break at its end, and gets none.
        (
            "a: 1\nb: |\n  x",
            &[["move", "/a", "/c"]],
            "b: |-\n  x\nc: 1",
        ),
        // The blank line below `b` does not become part of a new scalar.
        (
            "a: 1\nb: 2\n\n",
            &[["remove", "/b", ""], ["add", "/c", "\"two\\n\\n\""]],
            "a: 1\nc: \"two\\n\\n\"\n\n",
        ),
    ];
    for (before, operations, after) in rows {
        assert_eq!(&patched(before, operations), after, "{before}");
    }
}
