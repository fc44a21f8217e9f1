//! Several edits of a text that does not end with a line break.

use super::{Operation, patched};

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
        // The list is written out at the alias that is left.
        (
            "a: &x\n- |\n  one\nb: *x",
            &[["remove", "/a", ""]],
            "b:\n- |\n  one\n",
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
        (
            "a: |\n  x\nb: >2+ # on b\n  # two\n  y",
            &[["move", "/b", "/c"], ["add", "/d", "1"]],
            "a: |\n  x\nc: >2- # on b\n  # two\n  y\nd: 1",
        ),
        (
            "c: 1\na:\n  a: |\n    l\nb: |\n  one\n  two",
            &[["move", "/b", "/a/d"], ["add", "/a/e", "1"]],
            "c: 1\na:\n  a: |\n    l\n  d: |-\n    one\n    two\n  e: 1",
        ),
        ("- 1\n- |\n  x", &[["remove", "/0", ""]], "- |\n  x"),
        // A block scalar may be a key that has no value.
        ("? |\n  x\nb: 1", &[["remove", "/b", ""]], "? |\n  x\n"),
        ("? |\n  x", &[["add", "/b", "1"]], "? |-\n  x\nb: 1"),
        ("? |\n  x", &[["add", "/x", "1"]], "? |-\n  x\n: 1"),
        (
            "? # c\n |\n  x",
            &[["add", "/x", "1"]],
            "? # c\n |-\n  x\n: 1",
        ),
        ("? - >\n    x", &[["add", "/b", "1"]], "? - >-\n    x\nb: 1"),
        (
            "a:\n  ? |+\n    x\n\nb: 1\nc: 2",
            &[["remove", "/b", ""]],
            "a:\n  ? |+\n    x\n\nc: 2",
        ),
        (
            "a: 1\nb: |+\n  x\n  ",
            &[["add", "/c", "1"]],
            "a: 1\nb: |+\n  x\nc: 1\n  ",
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
