//! Edits of one value, as tables: the text, the path, the value, the resulting text.
//!
//! In each row, YAML makes it easy to change more than requested. `tests/properties` looks for
//! further cases.

#![allow(clippy::unwrap_used)]

mod block_scalars;
mod end_of_text;

use std::sync::Arc;

use inlay::edit::{EditOptions, FieldPath, Pointer, add, move_value, remove, update};
use inlay::source::Source;
use inlay::yaml::{Content, Entry, Node, Stream, faithful, parse};

/// The original text, the path, the value as YAML, and the resulting text.
type Row = (&'static str, &'static str, &'static str, &'static str);

fn read(text: &str) -> Stream {
    parse(&Source::new("text", text).unwrap()).unwrap()
}

/// Returns the value as a created node, without a style of its own.
fn made(text: &str) -> Arc<Node> {
    fn strip(node: &Arc<Node>) -> Arc<Node> {
        match &node.content {
            Content::Mapping(mapping) => Node::mapping(
                mapping
                    .entries
                    .iter()
                    .map(|entry| {
                        inlay::yaml::Entry::new(entry.key.text().unwrap(), strip(&entry.value))
                    })
                    .collect(),
            ),
            Content::Sequence(sequence) => {
                Node::sequence(sequence.items.iter().map(|item| strip(&item.value)))
            }
            _ if node.as_str().is_some() => Node::string(node.text().unwrap()),
            _ => Node::plain(node.text().unwrap()),
        }
    }
    strip(&read(text).documents[0].root)
}

fn edited(text: &str, path: &str, value: &str) -> String {
    let stream = read(text);
    let path = FieldPath::parse(path).unwrap();
    let options = EditOptions {
        create: true,
        has_aliases: stream.has_aliases,
        ..EditOptions::default()
    };
    let value = made(value);
    let roots = stream.documents.iter().map(|document| {
        let changed = update(&document.root, &path, &options, &mut |_| {
            Ok(Some(Arc::clone(&value)))
        });
        changed
            .unwrap_or_else(|failure| panic!("{}", failure.diagnostic(|| path.to_string()).message))
            .unwrap()
    });
    faithful::print(&stream, &roots.collect::<Vec<_>>())
}

/// An operation of a JSON patch: `add PATH VALUE`, `remove PATH` or `move FROM TO`.
type Operation = [&'static str; 3];

/// Returns the text of a document after a JSON patch.
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

fn check(rows: &[Row]) {
    for (before, path, value, after) in rows {
        let found = edited(before, path, value);
        assert_eq!(
            &found, after,
            "\n{before}\n---- {path}: {value} ----\n{found}"
        );
    }
}

#[test]
fn a_key_of_several_lines_gets_a_question_mark() {
    check(&[
        ("{a\n  b}\n", "[a b]", "1", "{? a\n  b: 1}\n"),
        (
            "x: {y: 1, \"a\n  b\" # c\n  , z}\n",
            "x.[a b]",
            "{k: v}",
            "x: {y: 1, ? \"a\n  b\": {k: v} # c\n  , z}\n",
        ),
        ("{? a\n  b, c}\n", "[a b]", "1", "{? a\n  b: 1, c}\n"),
        ("{a b\n  , c}\n", "[a b]", "1", "{a b: 1\n  , c}\n"),
    ]);
}

#[test]
fn a_pair_of_a_list_gets_braces_under_a_key() {
    let rows: [(&str, &[Operation], &str); 3] = [
        (
            "a: [b: 1, c]\nd: {e: 2}\n",
            &[["move", "/a/0", "/d/f"]],
            "a: [c]\nd: {e: 2, f: {b: 1}}\n",
        ),
        (
            "a: [b: , c]\nd: {e: 2}\n",
            &[["move", "/a/0", "/d/f"]],
            "a: [c]\nd: {e: 2, f: {b: }}\n",
        ),
        (
            "a: [b: 1, c]\nd: [e]\n",
            &[["move", "/a/0", "/d/0"]],
            "a: [c]\nd: [b: 1, e]\n",
        ),
    ];
    for (before, operations, after) in rows {
        assert_eq!(patched(before, operations), after, "{before}");
    }
}

#[test]
fn an_empty_key_is_next_to_its_mark() {
    check(&[
        ("?\n  # c\n", "a", "1", "?\n  # c\na: 1\n"),
        ("?\n # c", "a", "1", "?\n # c\na: 1"),
        ("- ?\n", "0.a", "1", "- ?\n  a: 1\n"),
        ("{? , }\n", "a", "1", "{? , a: 1 , }\n"),
        ("{? }\n", "a", "1", "{? , a: 1 }\n"),
        ("[? , b]\n", "-", "1", "[? , b, 1]\n"),
        // Without a blank it is a text.
        ("{?}\n", "a", "1", "{?, a: 1}\n"),
        ("[?]\n", "-", "1", "[?, 1]\n"),
        ("[?\n, b] # c\n", "-", "1", "[?\n, b\n, 1] # c\n"),
        (
            "- ? # c\n    # d\n- b\n",
            "0.a",
            "1",
            "- ? # c\n    # d\n  a: 1\n- b\n",
        ),
    ]);
}

#[test]
fn a_dash_without_quotes_stays_next_to_a_comma_or_a_bracket() {
    // `- ` would begin an item of a block, which brackets cannot contain.
    check(&[
        ("[a\n,-]\n", "-", "x", "[a\n,-,x]\n"),
        ("{a: 1\n, b: -}\n", "c", "2", "{a: 1\n, b: -, c: 2}\n"),
        ("[a: 1\n, b: -]\n", "-", "x", "[a: 1\n, b: -, x]\n"),
        ("[a\n, -, b]\n", "-", "x", "[a\n, -, b\n, x]\n"),
    ]);
    let rows: [(&str, &[Operation], &str); 3] = [
        (
            "a: [ -, b ]\nc: [ d ]\n",
            &[["move", "/a/0", "/c/-"]],
            "a: [ b ]\nc: [ d, \"-\" ]\n",
        ),
        (
            "a: { x: -, y: 1 }\nc: { d: 2 }\n",
            &[["move", "/a/x", "/c/z"]],
            "a: { y: 1 }\nc: { d: 2, z: \"-\" }\n",
        ),
        (
            "a: [ -, b ]\nc: []\n",
            &[["move", "/a/0", "/c/-"]],
            "a: [ b ]\nc: [ \"-\" ]\n",
        ),
    ];
    for (before, operations, after) in rows {
        assert_eq!(patched(before, operations), after, "{before}");
    }
}

#[test]
fn the_comment_on_the_line_of_a_value_stays() {
    check(&[
        ("a: 1 # c\nb: 2\n", "a", "x", "a: x # c\nb: 2\n"),
        ("a: 1 # c\nb: 2\n", "a", "{x: 1}", "a: # c\n  x: 1\nb: 2\n"),
        (
            "a: 1 # c\nb: 2\n",
            "a",
            "\"x\\ny\"",
            "a: |- # c\n  x\n  y\nb: 2\n",
        ),
        ("a: | # c\n  x\nb: 2\n", "a", "1", "a: 1 # c\nb: 2\n"),
        (
            "a: | # c\n  x\nb: 2\n",
            "a",
            "{x: 1}",
            "a: # c\n  x: 1\nb: 2\n",
        ),
        (
            "a: | # c\n  x\nb: 2\n",
            "a",
            "\"y\\n\"",
            "a: | # c\n  y\nb: 2\n",
        ),
        ("a: # c\n  x: 1\nb: 2\n", "a", "1", "a: 1 # c\nb: 2\n"),
        (
            "a: # c\n  # d\n  x: 1\nb: 2\n",
            "a",
            "{z: 1}",
            "a: # c\n  # d\n  z: 1\nb: 2\n",
        ),
        ("a: # c\nb: 2\n", "a", "[1]", "a: # c\n- 1\nb: 2\n"),
        (
            "- 1 # c\n- 2\n",
            "0",
            "{x: 1, z: 2}",
            "- # c\n  x: 1\n  z: 2\n- 2\n",
        ),
        (
            "a:\n  1 # c\nb: 2\n",
            "a",
            "{x: 1}",
            "a:\n  # c\n  x: 1\nb: 2\n",
        ),
        (
            "a:\n  - \"x\"\t#c\n",
            "a.0",
            "{x: 1}",
            "a:\n  - #c\n    x: 1\n",
        ),
    ]);
}

#[test]
fn a_block_scalar_does_not_absorb_the_lines_after_it() {
    check(&[
        (
            "a: x\n\nb: 2\n",
            "a",
            "\"y\\n\\n\"",
            "a: \"y\\n\\n\"\n\nb: 2\n",
        ),
        (
            "a: x\n\nb: 2\n",
            "a",
            "\"y\\nz\"",
            "a: |-\n  y\n  z\n\nb: 2\n",
        ),
        (
            "a: x\n   \nb: 2\n",
            "a",
            "\"y\\nz\"",
            "a: \"y\\nz\"\n   \nb: 2\n",
        ),
        (
            "a: x\n    # deep\nb: 2\n",
            "a",
            "\"y\\nz\"",
            "a: \"y\\nz\"\n    # deep\nb: 2\n",
        ),
        ("a: x\nb: 2\n", "a", "\"y\\n\\n\"", "a: |+\n  y\n\nb: 2\n"),
        (
            "a: x\n\nb: 2\n",
            "c",
            "\"y\\n\\n\"",
            "a: x\n\nb: 2\nc: |+\n  y\n\n",
        ),
        (
            "- {a: 1}\n\n- z\n",
            "0",
            "{k: \"y\\n\\n\"}",
            "- k: \"y\\n\\n\"\n\n- z\n",
        ),
    ]);
}

#[test]
fn a_text_without_a_final_line_break_gets_one_only_if_the_value_ends_with_one() {
    check(&[
        ("a: |\n  x", "a", "z", "a: |-\n  z"),
        ("a: |\n  x", "a", "\"y\\n\"", "a: |\n  y\n"),
        ("a: |\n  x", "b", "z", "a: |-\n  x\nb: z"),
        ("a: |+\n  x", "b", "z", "a: |-\n  x\nb: z"),
        ("a: x", "a", "{b: z}", "a:\n  b: z"),
        ("a: x", "a", "{b: \"y\\n\"}", "a:\n  b: |\n    y\n"),
    ]);
}

#[test]
fn a_collection_on_the_line_of_a_dash_or_a_marker_keeps_its_place() {
    check(&[
        ("  a: 1\n", "b", "2", "  a: 1\n  b: 2\n"),
        ("-   a: 1\n", "0", "{b: 1, c: 2}", "-   b: 1\n    c: 2\n"),
        ("-   x\n", "0", "{b: 1, c: 2}", "-   b: 1\n    c: 2\n"),
        ("--- {} # c\n", "a", "1", "--- # c\na: 1\n"),
        ("---\n", "a", "1", "---\na: 1\n"),
        ("\u{feff}{}\n", "a", "1", "\u{feff}a: 1\n"),
        ("---\n\u{feff}\n", "a", "1", "---\n\u{feff}a: 1\n"),
        (
            "--- # c\n\u{feff}# d\n",
            "a",
            "1",
            "--- # c\n\u{feff}# d\na: 1\n",
        ),
    ]);
}

#[test]
fn a_value_that_is_not_written_gets_its_colon() {
    check(&[
        ("? a # c\nb: 1\n", "a", "2", "? a # c\n: 2\nb: 1\n"),
        // A byte order mark before the question mark takes no column.
        (
            "\u{feff}? # c\n  k\n: 1\n",
            "a",
            "2",
            "\u{feff}? # c\n  k\n: 1\na: 2\n",
        ),
        ("? a\n", "a", "{x: 1}", "? a\n:\n  x: 1\n"),
        ("{a, \"b\"\n  }\n", "b", "2", "{a, \"b\": 2\n  }\n"),
        ("- a :\n- z\n", "0", "x", "- x\n- z\n"),
        ("- a:\n- z\n", "0", "x", "- x\n- z\n"),
    ]);
    // The colon of an entry with an empty key is not taken for that of the key above it.
    let removed = patched("? x # c\n# b\na: 1\n: 2\n", &[["remove", "/a", ""]]);
    assert_eq!(removed, "? x # c\n:\n: 2\n");
    let replaced = [["remove", "/a", ""], ["add", "/x", "1"]];
    assert_eq!(patched("? x\na: 1\n: 2\n", &replaced), "? x\n: 1\n: 2\n");
    let removed = patched("l:\n  ? |\n    x\n  a: 1\n  :", &[["remove", "/l/a", ""]]);
    assert_eq!(removed, "l:\n  ? |\n    x\n  :\n  :");
}

#[test]
fn a_pair_without_braces_gets_them_with_a_second_one() {
    check(&[
        ("[\na: {b: 1}\n]\n", "0", "x", "[\nx\n]\n"),
        ("[a: 1, b]\n", "0.a", "2", "[a: 2, b]\n"),
        ("[a: 1, b]\n", "0.c", "2", "[{a: 1, c: 2}, b]\n"),
        ("[[a]: 1, b]\n", "0.c", "2", "[{[a]: 1, c: 2}, b]\n"),
        ("[{a: 1}: 2]\n", "0.c", "2", "[{{a: 1}: 2, c: 2}]\n"),
    ]);
}

#[test]
fn a_key_may_be_below_its_mark() {
    check(&[
        (
            "? # note\n  k\n: v\nb: 1\n",
            "a",
            "1",
            "? # note\n  k\n: v\nb: 1\na: 1\n",
        ),
        (
            "?\n\n  # note\n  k\n",
            "a",
            "1",
            "?\n\n  # note\n  k\na: 1\n",
        ),
        (
            "- ? # note\n    k\n  : v\n",
            "0.a",
            "1",
            "- ? # note\n    k\n  : v\n  a: 1\n",
        ),
    ]);
}

#[test]
fn blanks_at_the_end_of_the_text_belong_to_no_block_scalar() {
    let root = &read("a: |+\n  k\n\n  ").documents[0].root;
    let value = &root.as_mapping().unwrap().entries[0].value;
    assert_eq!(value.as_str(), Some("k\n\n"));
    check(&[
        ("a: |+\n  k\n\n  ", "b", "1", "a: |+\n  k\n\nb: 1\n  "),
        ("a: >+\n  k\n ", "b", "1", "a: >+\n  k\nb: 1\n "),
        ("a: |+\n  k\n\n   ", "b", "1", "a: |-\n  k\n\n   \nb: 1"),
    ]);
}

#[test]
fn a_comma_does_not_become_part_of_an_empty_value_before_it() {
    check(&[
        ("{a: }\n", "k", "1", "{a: , k: 1 }\n"),
        ("{a: !!null }\n", "k", "1", "{a: !!null , k: 1 }\n"),
        ("{a: &x }\n", "k", "1", "{a: &x , k: 1 }\n"),
        ("[a: ]\n", "-", "1", "[a: , 1 ]\n"),
        ("[a: !!null ]\n", "-", "1", "[a: !!null , 1 ]\n"),
        ("[a: ]\n", "0.k", "1", "[{a: , k: 1} ]\n"),
        (
            "{\n  b: 1,\n  a: # none\n}\n",
            "k",
            "1",
            "{\n  b: 1,\n  a: , # none\n  k: 1\n}\n",
        ),
        ("{a}\n", "k", "1", "{a, k: 1}\n"),
        ("{a: ''}\n", "k", "1", "{a: '', k: 1}\n"),
    ]);
}

#[test]
fn comments_in_brackets_stay_with_their_part() {
    check(&[
        (
            "{\n  a: 1, # one\n  b: 2, # two\n}\n",
            "c",
            "3",
            "{\n  a: 1, # one\n  b: 2, # two\n  c: 3,\n}\n",
        ),
        (
            "{\n  a: 1, # one\n  b: 2 # two\n}\n",
            "c",
            "3",
            "{\n  a: 1, # one\n  b: 2, # two\n  c: 3\n}\n",
        ),
    ]);
}

#[test]
fn a_new_collection_has_the_shape_of_those_beside_it() {
    check(&[
        // Items of a list.
        (
            "l:\n- {a: 1}\n",
            "l.-",
            "{b: {c: 2}}",
            "l:\n- {a: 1}\n- {b: {c: 2}}\n",
        ),
        (
            "l:\n- a: 1\n  b: [2]\n",
            "l.-",
            "{b: 2}",
            "l:\n- a: 1\n  b: [2]\n- b: 2\n",
        ),
        (
            "l:\n- [1]\n- {a: 1}\n",
            "l.-",
            "[2, 3]",
            "l:\n- [1]\n- {a: 1}\n- [2, 3]\n",
        ),
        // Members.
        (
            "m:\n  a: {x: 1}\n  b: {x: 2}\n",
            "m.c",
            "{w: {z: 3}}",
            "m:\n  a: {x: 1}\n  b: {x: 2}\n  c: {w: {z: 3}}\n",
        ),
        (
            "m:\n  a:\n    x: 1\n",
            "m.c",
            "{x: 3}",
            "m:\n  a:\n    x: 1\n  c:\n    x: 3\n",
        ),
        // Members of several kinds: only the style of similar ones is copied.
        (
            "n: a\nm: {x: 1}\n",
            "o",
            "{x: 2}",
            "n: a\nm: {x: 1}\no: {x: 2}\n",
        ),
        (
            "n: a\nm: {x: 1}\n",
            "o",
            "{w: 2}",
            "n: a\nm: {x: 1}\no:\n  w: 2\n",
        ),
        (
            "n: a\ncommand: [x]\n",
            "args",
            "[w]",
            "n: a\ncommand: [x]\nargs: [w]\n",
        ),
        // A collection that was empty, and one that is replaced.
        ("a: {x: 1}\nb: {}\n", "b.w", "2", "a: {x: 1}\nb: {w: 2}\n"),
        ("a: {x: 1}\n", "a", "{w: 2}", "a: {w: 2}\n"),
        ("a: [1]\n", "a", "{w: 2}", "a:\n  w: 2\n"),
        // A text with several lines does not go into braces.
        (
            "l:\n- {a: 1}\n",
            "l.-",
            "{b: \"x\\ny\"}",
            "l:\n- {a: 1}\n- b: |-\n    x\n    y\n",
        ),
    ]);
}

#[test]
fn anchors_of_written_values_stay_and_aliases_do_not_outlive_them() {
    check(&[
        ("a: &x 1\nb: *x\n", "a", "2", "a: &x 2\nb: *x\n"),
        ("a: &x 1\nb: *x\n", "a", "{z: 1}", "a: &x\n  z: 1\nb: *x\n"),
        ("- &x {k: 1}\n- *x\n", "0", "{z: 1}", "- &x {z: 1}\n- *x\n"),
        // A collection that gets its first child keeps its anchor, and its tag.
        (
            "a: &x {} # c\nb: *x\n",
            "a.k",
            "1",
            "a: &x # c\n  k: 1\nb: *x\n",
        ),
        ("- &x {}\n- *x\n", "0.k", "1", "- &x\n  k: 1\n- *x\n"),
        ("- &x []\n- b: *x\n", "0.-", "1", "- &x\n  - 1\n- b: *x\n"),
        ("a: !t {}\nb: 1\n", "a.k", "1", "a: !t {k: 1}\nb: 1\n"),
        ("- &x k\n- *x\n", "0", "{z: 1}", "- &x\n  z: 1\n- *x\n"),
        // A carriage return alone is a line break, and what is not edited keeps it.
        (
            "a: 1 # c\rb: 2\rc: 3\r\n",
            "b",
            "3",
            "a: 1 # c\rb: 3\rc: 3\r\n",
        ),
        ("#a\r-\r- 1\r", "0", "2", "#a\r- 2\r- 1\r"),
        // Before a line feed, it would be one line break with it.
        ("a: |\n  - x\r  - y\n", "a.0", "z", "a: |\n  - z\r  - y\n"),
        ("a: 1\rb: 2", "c", "{x: 3}", "a: 1\rb: 2\rc:\r  x: 3"),
        ("a:\r- 1\rb: 2\r", "a.-", "3", "a:\r- 1\r- 3\rb: 2\r"),
        // A dash in a tag or an anchor is not that of an item.
        ("!x-\n-\n- a\n", "0", "2", "!x-\n- 2\n- a\n"),
        (
            "k: &x- # -\n  -\n  - a\n",
            "k.0",
            "2",
            "k: &x- # -\n  - 2\n  - a\n",
        ),
        // An anchor ends before a colon or a question mark, and an alias before its colon.
        ("a: &x:y\nb: *x\n", "a", "z", "a: &x z\nb: *x\n"),
        ("a: &x?y\nb: 1\n", "b", "2", "a: &x?y\nb: 2\n"),
        ("a: &x b\n*x: c\n", "b", "d", "a: &x b\n*x: d\n"),
        ("a: {k: &x 1}\nb: *x\n", "a", "2", "a: 2\nb: 1\n"),
        (
            "a: &x {k: 1}\nb: *x\n",
            "b.k",
            "2",
            "a: &x {k: 1}\nb: {k: 2}\n",
        ),
    ]);
}

#[test]
fn a_value_that_says_the_same_is_left_as_it_is_written() {
    check(&[
        ("a: 'x'\n", "a", "x", "a: 'x'\n"),
        ("a: >-\n  x\n  y\n", "a", "x y", "a: >-\n  x\n  y\n"),
        ("a: ~\n", "a", "null", "a: ~\n"),
        ("a: '1'\n", "a", "1", "a: 1\n"),
        ("a: 1.0\n", "a", "1", "a: 1\n"),
    ]);
}

/// Returns the text after the children at `indexes` are removed from the collection at `key` of the
/// root.
fn without(text: &str, key: &str, indexes: &[usize]) -> String {
    let stream = read(text);
    let root = &stream.documents[0].root;
    let stays = |index: &usize| !indexes.contains(index);
    let mapping = root.as_mapping().unwrap();
    let at = mapping.position(key).unwrap();
    let entry = &mapping.entries[at];
    let collection = &entry.value;
    let collection = match &collection.content {
        Content::Mapping(mapping) => {
            let entries = mapping
                .entries
                .iter()
                .enumerate()
                .filter(|(index, _)| stays(index));
            collection.with_entries(entries.map(|(_, entry)| entry.clone()).collect::<Vec<_>>())
        }
        Content::Sequence(sequence) => {
            let items = sequence
                .items
                .iter()
                .enumerate()
                .filter(|(index, _)| stays(index));
            collection.with_items(items.map(|(_, item)| item.clone()).collect::<Vec<_>>())
        }
        _ => panic!("`{key}` is no collection"),
    };
    let entry = Entry {
        key: Arc::clone(&entry.key),
        value: collection,
    };
    faithful::print(
        &stream,
        &[root.with_entries(mapping.entries.replaced(vec![(at, entry)]))],
    )
}

#[test]
fn a_removed_child_takes_its_comments_and_adds_no_blank_lines_to_a_block_scalar() {
    let rows: &[(&str, &[usize], &str)] = &[
        (
            "a:\n- 1\n# two\n- 2 # c\n  # deeper\n- 3\n",
            &[1],
            "a:\n- 1\n- 3\n",
        ),
        (
            "a:\n- |+\n  x\n\n- 2\n\n- 3\n",
            &[1],
            "a:\n- |+\n  x\n\n- 3\n",
        ),
        ("a:\n- |\n  x\n- 2\n\n- 3\n", &[1], "a:\n- |\n  x\n\n- 3\n"),
        ("a:\n- |+\n  x\n- 2\n\n- 3\n", &[1], "a:\n- |+\n  x\n- 3\n"),
        ("a: {x: 1, y: 2, z: 3}\n", &[0, 1], "a: {z: 3}\n"),
        ("a: [1, 2, 3,]\n", &[1, 2], "a: [1,]\n"),
        ("a:\n- 1\n- 2\n", &[0, 1], "a: []\n"),
        ("a:\n\n  # one\n- 1\n- 2\n", &[0], "a:\n\n  # one\n- 2\n"),
        // One distance remains between the remaining items, and none at an end.
        ("a:\n- 1\n\n# two\n- 2\n\n- 3\n", &[1], "a:\n- 1\n\n- 3\n"),
        ("a:\n- 1\n\n- 2\n\n- 3\nb: 1\n", &[1, 2], "a:\n- 1\nb: 1\n"),
        ("a:\n- 1\n\n- 2\n\n- 3\n", &[0, 1], "a:\n- 3\n"),
        ("a:\n- 1\n- 2", &[1], "a:\n- 1"),
        // A comment that is separate from both items belongs to neither.
        (
            "a:\n- 1\n- 2\n\n# free\n\n- 3\n- 4\n",
            &[1, 2],
            "a:\n- 1\n\n# free\n\n- 4\n",
        ),
        ("a:\n- - 1 # one\n  # two\n  - 2\n", &[0], "a: []\n"),
        // It also stays if no item does.
        (
            "a: # on a\n# one\n- 1\n\n# free\n\n- 2\n  # two\n\n# b\nb: 1\n",
            &[0, 1],
            "a: [] # on a\n\n# free\n\n# b\nb: 1\n",
        ),
        (
            "a:\r\n  # free\r\n\r\n  - 1\r\n",
            &[0],
            "a: []\r\n  # free\r\n",
        ),
    ];
    for (before, indexes, after) in rows {
        assert_eq!(&without(before, "a", indexes), after, "{before}");
    }
}

#[test]
fn a_key_that_moves_onto_the_only_other_one_brings_its_comments_once() {
    let comments = "# about a\na: 1 # a\n# about b\nb: 2 # b\n";
    let indented = comments.lines().map(|line| format!("  {line}\n"));
    let indented: String = indented.collect();
    for (text, from, to, expected) in [
        (comments.to_owned(), "/a", "/b", "# about a\nb: 1 # a\n"),
        (comments.to_owned(), "/b", "/a", "# about b\na: 2 # b\n"),
        (
            format!("m:\n{indented}n: 0\n"),
            "/m/a",
            "/m/b",
            "m:\n  # about a\n  b: 1 # a\nn: 0\n",
        ),
        (
            format!("m: # m\n\n  # free\n\n{indented}"),
            "/m/b",
            "/m/a",
            "m: # m\n\n  # free\n\n  # about b\n  a: 2 # b\n",
        ),
        (
            format!("-\n{indented}- 0\n"),
            "/0/a",
            "/0/b",
            "-\n  # about a\n  b: 1 # a\n- 0\n",
        ),
        (
            "- a: 1 # a\n  # about b\n  b: 2\n".to_owned(),
            "/0/a",
            "/0/b",
            "- b: 1 # a\n",
        ),
    ] {
        assert_eq!(patched(&text, &[["move", from, to]]), expected, "{text}");
    }
}

#[test]
fn a_block_scalar_that_is_a_key_absorbs_no_line_below_a_removed_entry() {
    let table = [
        ("? |+\n  x\na: 2\n\n  # t\n", "? |+\n  x\n# t\n"),
        ("? |\n  x\na: 2\n\n  # t\n", "? |\n  x\n\n# t\n"),
        ("? |+\n  x\na: 2\n\nb: 1\n", "? |+\n  x\nb: 1\n"),
    ];
    for (before, after) in table {
        assert_eq!(patched(before, &[["remove", "/a", ""]]), after, "{before}");
    }
}

#[test]
fn a_line_of_a_text_in_quotes_is_no_comment_of_the_next_child() {
    let table = [
        ("a: 'x\n# y'\nb: 1\n...\n", "a: 'x\n# y'\n...\n"),
        ("a: 'x\n# y'\nb: 1\n", "a: 'x\n# y'\n"),
        ("a: 'x\n# y'\n# z\nb: 1\nc: 2\n", "a: 'x\n# y'\nc: 2\n"),
        ("a:\n- c: \"x\n# y\"\nb: 1\n", "a:\n- c: \"x\n# y\"\n"),
    ];
    for (before, after) in table {
        assert_eq!(patched(before, &[["remove", "/b", ""]]), after, "{before}");
    }
    let list = "- 'x\n# y'\n- b\n- c\n";
    assert_eq!(patched(list, &[["remove", "/1", ""]]), "- 'x\n# y'\n- c\n");
    assert_eq!(
        patched(list, &[["move", "/1", "/0"]]),
        "- b\n- 'x\n# y'\n- c\n"
    );
}

#[test]
fn a_question_mark_stays_a_text_if_commas_start_lines() {
    let table = [
        ("{b: 1\n, c: 2\n, ?}", "{b: 1\n, c: 2\n, ?, a: new}"),
        ("{b: 1\n, c: 2\n, d}", "{b: 1\n, c: 2\n, d\n, a: new}"),
    ];
    for (before, after) in table {
        assert_eq!(
            patched(before, &[["add", "/a", "\"new\""]]),
            after,
            "{before}"
        );
    }
}

#[test]
fn the_comments_directly_above_the_first_key_of_a_document_are_removed_with_it() {
    let rows: &[(&str, &[&str], &str)] = &[
        ("# about a\na: 1 # a\nb: 2\n", &["a"], "b: 2\n"),
        (
            "# file\n\n# about a\na: 1\n\nb: 2\n",
            &["a"],
            "# file\n\nb: 2\n",
        ),
        ("---\n# about a\na: 1\nb: 2\n", &["a"], "---\nb: 2\n"),
        ("# about a\na: 1 # a\n  # still a\n", &["a"], "{}\n"),
        ("# file\n\na:\n  k: 1 # k", &["a"], "# file\n\n{}"),
        // The comment may have less indentation than the key.
        ("# about a\n  a: 1\n", &["a"], "  {}\n"),
        ("---\r\n# about a\r\n  a: 1\r\n", &["a"], "---\r\n  {}\r\n"),
        ("\u{feff}# about a\na: 1\nb: 2\n", &["a"], "\u{feff}b: 2\n"),
        (
            "# yaml-language-server: $schema=x\n# about all\na: 1\nb: 2\n",
            &["a"],
            "# yaml-language-server: $schema=x\n# about all\nb: 2\n",
        ),
    ];
    for (before, keys, after) in rows {
        let stream = read(before);
        let root = &stream.documents[0].root;
        let mut entries = root.as_mapping().unwrap().entries.to_vec();
        entries.retain(|entry| !keys.contains(&entry.key.text().unwrap()));
        let found = faithful::print(&stream, &[root.with_entries(entries)]);
        assert_eq!(&found, after, "{before}");
    }
}

#[test]
fn a_block_scalar_at_the_end_of_the_text_gets_a_strip_indicator_once() {
    let stream = read("a:\n- |\n  x");
    let root = &stream.documents[0].root;
    let mut entries = root.as_mapping().unwrap().entries.to_vec();
    entries.extend(["b", "c"].map(|key| Entry::new(key, Node::plain("1"))));
    assert_eq!(
        faithful::print(&stream, &[root.with_entries(entries)]),
        "a:\n- |-\n  x\nb: 1\nc: 1"
    );
}
