//! Lines around block scalars that are inserted, moved and removed.

use super::{Operation, patched};

#[test]
fn a_block_scalar_absorbs_no_blank_line_and_no_comment() {
    let rows: &[(&str, &[Operation], &str)] = &[
        // `|+` would absorb the blank line that is below the scalar now.
        (
            "a:\n  k: 1\n\nb: |+\n  x\n\nc: 1\n",
            &[["move", "/b", "/a/z"]],
            "a:\n  k: 1\n  z: \"x\\n\\n\"\n\nc: 1\n",
        ),
        (
            "a:\n  k: 1\n\n# on b\nb: |+\n  x\n\nc: 1\n",
            &[["move", "/b", "/a/z"]],
            "a:\n  k: 1\n  # on b\n  z: \"x\\n\\n\"\n\nc: 1\n",
        ),
        (
            "a:\n  f: |+\n    two\n  g: 1\n\nb: 1\n",
            &[["remove", "/a/g", ""], ["remove", "/b", ""]],
            "a:\n  f: |+\n    two\n",
        ),
        // A comment as deep as the lines of the scalar would become one of them.
        (
            "a: |\n  x\nb: 1\n\n    # deep\nc: 2\n",
            &[["remove", "/b", ""]],
            "a: |\n  x\n\n# deep\nc: 2\n",
        ),
        (
            "- 1\n\n  # deep\n- 2\n",
            &[["add", "/1", "\"two\\n\""]],
            "- 1\n\n  # deep\n- |\n  two\n- 2\n",
        ),
        (
            "a: [] # on a\n    # deep\nb: |\n  x\n",
            &[["move", "/b", "/a/0"]],
            "a: # on a\n- \"x\\n\"\n    # deep\n",
        ),
        // The comment is removed with its item, and the blank line below it stays.
        (
            "a:\n  b: 1\n    # on b\n\nc: 2\n",
            &[["add", "/a", "\"x\\n\\n\""]],
            "a: \"x\\n\\n\"\n\nc: 2\n",
        ),
        // The blank lines stay, and the new item is above them.
        (
            "- - a: |\n      l\n    c: 1\n\n\n  - x\n",
            &[["remove", "/0/0/c", ""], ["add", "/0/1", "n"]],
            "- - a: |\n      l\n  - n\n\n\n  - x\n",
        ),
    ];
    for (before, operations, after) in rows {
        assert_eq!(&patched(before, operations), after, "{before}");
    }
}

#[test]
fn an_empty_list_that_is_filled_moves_from_a_dash_to_a_key() {
    let operations = [["add", "/l/0/-", "\"x\\n\""], ["move", "/l/0", "/l/0/k/z"]];
    assert_eq!(
        patched("l:\n- [] # on it\n- k: {}\n", &operations),
        "l:\n- k:\n    # on it\n    z: [\"x\\n\"]\n"
    );
}
