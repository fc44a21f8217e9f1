//! Specifications of TOML: the tree of a text, and the text after an edit.

use std::sync::Arc;

use super::{EditOptions, FieldPath, Pointer, copy, find, get, move_value, replace, update};
use crate::formats::{DocumentFormat, Documents};
use crate::source::{Code, Result, Source};
use crate::yaml::{Entry, Node, canonical_node, parse};

fn read(text: &str) -> Result<Documents> {
    Documents::read(
        &Source::new("test.toml", text).unwrap(),
        Some(DocumentFormat::named("toml").unwrap()),
    )
}

fn toml(text: &str) -> Documents {
    read(text).unwrap_or_else(|error| panic!("{}: {text}", error.message))
}

fn root(documents: &Documents) -> Arc<Node> {
    documents.roots().remove(0)
}

fn yaml(text: &str) -> Arc<Node> {
    let source = Source::new("value.yaml", text).unwrap();
    Arc::clone(&parse(&source).unwrap().documents[0].root)
}

/// Returns the text after the root was changed, and checks that it has the wanted values.
fn edited(text: &str, change: impl FnOnce(&Arc<Node>) -> Arc<Node>) -> String {
    let before = toml(text);
    let after = [change(&root(&before))];
    before
        .check(&before.roots(), &after)
        .unwrap_or_else(|error| panic!("{}", error.message));
    let (result, _) = before.print(&after);
    assert_eq!(
        sorted(&root(&toml(&result))),
        sorted(&after[0]),
        "of {text}\nmade {result}"
    );
    result
}

/// Returns the tree with sorted keys, because tables have no order.
fn sorted(node: &Arc<Node>) -> String {
    fn sort(node: &Arc<Node>) -> Arc<Node> {
        if let Some(mapping) = node.resolved().as_mapping() {
            let mut entries: Vec<Entry> = mapping
                .entries
                .iter()
                .map(|entry| Entry::new(entry.key.text().unwrap_or(""), sort(&entry.value)))
                .collect();
            entries.sort_by(|one, other| one.key.text().cmp(&other.key.text()));
            return Node::mapping(entries);
        }
        match node.resolved().as_sequence() {
            Some(sequence) => Node::sequence(sequence.items.iter().map(|item| sort(&item.value))),
            None => Arc::clone(node),
        }
    }
    canonical_node(&sort(node)).unwrap()
}

/// Returns the text with `value` at `path`, which is created if it does not exist.
fn set(text: &str, path: &str, value: &str) -> String {
    let path = FieldPath::parse(path).unwrap();
    let value = yaml(value);
    edited(text, |root| {
        let options = EditOptions {
            create: true,
            ..EditOptions::default()
        };
        let changed = update(root, &path, &options, &mut |_| Ok(Some(Arc::clone(&value))));
        changed
            .unwrap_or_else(|_| panic!("{path} in {text}"))
            .unwrap()
    })
}

/// Returns the text without the last key of `path`.
fn removed(text: &str, path: &[&str]) -> String {
    fn without(node: &Arc<Node>, path: &[&str]) -> Arc<Node> {
        let entries = node.as_mapping().unwrap().entries.iter();
        let (first, rest) = path.split_first().unwrap();
        node.with_entries(
            entries
                .filter(|entry| !rest.is_empty() || entry.key.text() != Some(first))
                .map(|entry| match entry.key.text() == Some(first) {
                    true => Entry {
                        key: Arc::clone(&entry.key),
                        value: without(&entry.value, rest),
                    },
                    false => entry.clone(),
                })
                .collect::<Vec<_>>(),
        )
    }
    edited(text, |root| without(root, path))
}

#[test]
fn reads_every_form_of_a_table_into_the_same_tree() {
    let table = [
        ("", "{}\n"),
        ("a.b.c = 1\na.d = 2\n", "a:\n  b:\n    c: 1\n  d: 2\n"),
        ("[a.b]\nc = 1\n[a]\nd = 2\n", "a:\n  b:\n    c: 1\n  d: 2\n"),
        (
            "[[a]]\nb = 1\n[a.c]\nd = 2\n[[a]]\n",
            "a:\n- b: 1\n  c:\n    d: 2\n- {}\n",
        ),
        (
            "a = { b.c = 1, b.d = [1, { e = 2 }] }\n",
            "a:\n  b:\n    c: 1\n    d:\n    - 1\n    - e: 2\n",
        ),
        ("\"a.b\" = '1'\n1 = true\n", "a.b: \"1\"\n\"1\": true\n"),
        (
            "a = 1_000\nb = +5\nc = inf\nd = -inf\ne = 0x1F\n",
            "a: 1000\nb: 5\nc: .inf\nd: -.inf\ne: 31\n",
        ),
        ("a = [\n  1, # one\n  2,\n]\n", "a:\n- 1\n- 2\n"),
    ];
    for (text, expected) in table {
        assert_eq!(
            canonical_node(&root(&toml(text))).unwrap(),
            expected,
            "{text}"
        );
    }
}

#[test]
fn refuses_invalid_toml_at_its_place() {
    let table = [
        ("a = 1\na = 2\n", 2),
        ("a =\n", 1),
        ("[a]\nb.c = 1\n[a.b]\nd = 1\n", 3),
        ("a = 9223372036854775808\n", 1),
    ];
    for (text, line) in table {
        let error = read(text).unwrap_err();
        assert_eq!(error.code, Code::TomlSyntax, "{text}");
        assert_eq!(error.labels[0].location.line_column().line, line, "{text}");
    }
}

#[test]
fn bounds_nesting_in_every_form() {
    let deep = 100_000;
    for text in [
        format!("a = {}{}", "[".repeat(deep), "]".repeat(deep)),
        format!("{}a = 1", "a.".repeat(deep)),
        format!("[{}a]", "a.".repeat(deep)),
        format!("a = {}1{}", "{a = ".repeat(deep), "}".repeat(deep)),
        format!(
            "[{}a]\n{}a = {}{}",
            "a.".repeat(40),
            "b.".repeat(30),
            "[".repeat(20),
            "]".repeat(20)
        ),
    ] {
        let error = read(&text).unwrap_err();
        assert_eq!(error.code, Code::Limit, "{}", &text[..20]);
    }
    assert!(read("a.b = { c.d = [1] }\n").is_ok());
}

#[test]
fn replaces_only_the_bytes_of_the_value() {
    let table = [
        (
            "a = 1 # one\nb   =   'x'   # two\n",
            "a",
            "2",
            "a = 2 # one\nb   =   'x'   # two\n",
        ),
        (
            "a = 1 # one\nb   =   'x'   # two\n",
            "b",
            "w",
            "a = 1 # one\nb   =   'w'   # two\n",
        ),
        ("a = 'x'\n", "a", "it's", "a = \"it's\"\n"),
        ("a = 1979-05-27\n", "a", "1980-01-01", "a = 1980-01-01\n"),
        (
            "a = \"\"\"\nx\ny\n\"\"\"\n",
            "a",
            "\"z\\nw\\n\"",
            "a = \"\"\"\nz\nw\n\"\"\"\n",
        ),
        ("a = [1, 2 , 3]\n", "a.1", "9", "a = [1, 9 , 3]\n"),
        (
            "a = { b = 1, c.d = 2 }\n",
            "a.c.d",
            "9",
            "a = { b = 1, c.d = 9 }\n",
        ),
        (
            "[a]\nb = 1\n[c]\nd = 1\n",
            "c.d",
            "yes",
            "[a]\nb = 1\n[c]\nd = true\n",
        ),
        (
            "a = 1\n",
            "a",
            "{b: [1, x], c: {d: .5}}",
            "a = { b = [1, \"x\"], c = { d = 0.5 } }\n",
        ),
        ("a = 1\r\nb = 2\r\n", "a", "3", "a = 3\r\nb = 2\r\n"),
    ];
    for (text, path, value, expected) in table {
        assert_eq!(
            set(text, path, value),
            expected,
            "{path}: {value} in {text}"
        );
    }
}

#[test]
fn adds_a_key_after_the_last_one_of_its_table() {
    let table = [
        ("", "a", "1", "a = 1\n"),
        ("a=1\n", "b", "2", "a=1\nb=2\n"),
        ("a = 1", "b", "2", "a = 1\nb = 2"),
        (
            "# head\n\n[a]\nb = 1\n",
            "c",
            "2",
            "# head\n\nc = 2\n\n[a]\nb = 1\n",
        ),
        (
            "[a]\n  b = 'x' # one\n\n[c]\nd = 1\n",
            "a.e",
            "w",
            "[a]\n  b = 'x' # one\n  e = 'w'\n\n[c]\nd = 1\n",
        ),
        ("[a]\n[b]\n", "a.c", "1", "[a]\nc = 1\n[b]\n"),
        ("[a.b]\nc = 1\n", "a.d", "2", "[a]\nd = 2\n\n[a.b]\nc = 1\n"),
        ("a.b = 1\nc = 2\n", "a.d", "3", "a.b = 1\na.d = 3\nc = 2\n"),
        ("a = { b = 1 }\n", "a.c", "2", "a = { b = 1, c = 2 }\n"),
        ("a = {}\n", "a.c", "x", "a = { c = \"x\" }\n"),
        (
            "a = { b.c = 1, d = 2 }\n",
            "a.b.e",
            "3",
            "a = { b.c = 1, b.e = 3, d = 2 }\n",
        ),
        (
            "[[a]]\nb = 1\n\n[[a]]\nb = 2\n",
            "a.0.c",
            "3",
            "[[a]]\nb = 1\nc = 3\n\n[[a]]\nb = 2\n",
        ),
        ("[a]\r\nb = 1\r\n", "a.c", "2", "[a]\r\nb = 1\r\nc = 2\r\n"),
        (
            "a = [1,\n  2 ]\n[b]\n",
            "c",
            "3",
            "a = [1,\n  2 ]\nc = 3\n[b]\n",
        ),
        ("a = 1\n", "[x.y]", "2", "a = 1\n\"x.y\" = 2\n"),
        (
            "a = 1\n",
            "b",
            "\"x\\ny\\n\"",
            "a = 1\nb = \"\"\"\nx\ny\n\"\"\"\n",
        ),
    ];
    for (text, path, value, expected) in table {
        assert_eq!(
            set(text, path, value),
            expected,
            "{path}: {value} in {text}"
        );
    }
}

#[test]
fn adds_a_table_in_the_form_of_its_siblings() {
    let table = [
        ("", "a.b", "1", "[a]\nb = 1\n"),
        ("a = 1\n", "b.c", "2", "a = 1\n\n[b]\nc = 2\n"),
        ("[a]\nb = 1\n", "a.c.d", "2", "[a]\nb = 1\n\n[a.c]\nd = 2\n"),
        (
            "[a]\nb = 1\n\n[c]\nd = 1\n",
            "a.e.f",
            "2",
            "[a]\nb = 1\n\n[a.e]\nf = 2\n\n[c]\nd = 1\n",
        ),
        (
            "[a]\nb = 1\n[c]\nd = 1\n",
            "e.f",
            "2",
            "[a]\nb = 1\n[c]\nd = 1\n[e]\nf = 2\n",
        ),
        (
            "a = { b = 1 }\n",
            "c.d",
            "2",
            "a = { b = 1 }\nc = { d = 2 }\n",
        ),
        ("a.b = 1\n", "c.d", "2", "a.b = 1\nc.d = 2\n"),
        (
            "[a]\n",
            "b",
            "{c: 1, d: {e: 2}, f: [{g: 3}]}",
            "[a]\n\n[b]\nc = 1\n\n[b.d]\ne = 2\n\n[[b.f]]\ng = 3\n",
        ),
        (
            "[[a]]\nb = 1\n",
            "a.-",
            "{b: 2}",
            "[[a]]\nb = 1\n\n[[a]]\nb = 2\n",
        ),
        (
            "[[a]]\nb = 1\n# end\n\n# next\n[c]\n",
            "a.-",
            "{b: 2}",
            "[[a]]\nb = 1\n# end\n\n[[a]]\nb = 2\n\n# next\n[c]\n",
        ),
        (
            "[[a]]\nb = 1\n",
            "a.0.c.d",
            "2",
            "[[a]]\nb = 1\n\n[a.c]\nd = 2\n",
        ),
        ("[[a]]\nb = 1\n", "a", "[]", "a = []\n"),
        ("[a]\nb = 1\n", "a", "text", "a = \"text\"\n"),
        (
            "x = 1\n\n[a]\nb = 1\n\n[c]\nd = 1\n",
            "a",
            "2",
            "x = 1\na = 2\n\n[c]\nd = 1\n",
        ),
    ];
    for (text, path, value, expected) in table {
        assert_eq!(
            set(text, path, value),
            expected,
            "{path}: {value} in {text}"
        );
    }
}

#[test]
fn adds_items_in_the_style_of_the_list() {
    let table = [
        ("a = [1, 2]\n", "a = [1, 2, 9]\n"),
        ("a = [1,2]\n", "a = [1,2,9]\n"),
        ("a = [ 1 ]\n", "a = [ 1, 9 ]\n"),
        ("a = []\n", "a = [9]\n"),
        (
            "a = [\n  1, # one\n  2 # two\n]\n",
            "a = [\n  1, # one\n  2, # two\n  9\n]\n",
        ),
        (
            "a = [\n  1,\n  2, # two\n]\n",
            "a = [\n  1,\n  2, # two\n  9,\n]\n",
        ),
        ("a = [ # none\n]\n", "a = [ # none\n9\n]\n"),
    ];
    for (text, expected) in table {
        assert_eq!(set(text, "a.-", "9"), expected, "{text}");
    }
    assert_eq!(set("a = ['x']\n", "a.-", "w"), "a = ['x', 'w']\n");
}

#[test]
fn removes_a_key_with_its_line_and_its_comments() {
    let table: [(&str, &[&str], &str); 13] = [
        ("a.b = 1\nc = 2\n", &["a", "b"], "a = {}\nc = 2\n"),
        // The other tables have headers, but this one had none.
        (
            "[a]\nc = 2\nd.e = 1\n\n[a.f]\ng = 1\n",
            &["a", "d", "e"],
            "[a]\nc = 2\nd = {}\n\n[a.f]\ng = 1\n",
        ),
        (
            "# file\n\n# a\na = 1 # one\nb = 2\n",
            &["a"],
            "# file\n\nb = 2\n",
        ),
        ("a = 1\nb = 2", &["b"], "a = 1"),
        ("a = 1\n", &["a"], ""),
        ("[a]\nb = 1\n", &["a", "b"], "[a]\n"),
        (
            "x = 1\n\n# a\n[a]\nb = 1\n\n# c\n[c]\nd = 1\n",
            &["a"],
            "x = 1\n\n# c\n[c]\nd = 1\n",
        ),
        ("[a]\nb = 1\n\n[a.c]\nd = 1\n\n[e]\n", &["a"], "[e]\n"),
        ("a.b = 1\nc = 2\na.d = 3\n", &["a"], "c = 2\n"),
        ("a = { b = 1, c = 2 }\n", &["a", "c"], "a = { b = 1 }\n"),
        ("a = { b = 1, c = 2 }\n", &["a", "b"], "a = { c = 2 }\n"),
        ("a = { b = 1 }\n", &["a", "b"], "a = {}\n"),
        (
            "[a]\nb = 1\n\n[[a.c]]\nd = 1\n",
            &["a", "c"],
            "[a]\nb = 1\n",
        ),
    ];
    for (text, path, expected) in table {
        assert_eq!(removed(text, path), expected, "{path:?} of {text}");
    }
}

#[test]
fn removes_an_item_with_its_comma() {
    let without = |text: &str, at: usize| {
        edited(text, |root| {
            let sequence = root.get("a").unwrap().as_sequence().unwrap();
            let mut items = sequence.items.to_vec();
            items.remove(at);
            let list = root.get("a").unwrap().with_items(items);
            root.with_entries([Entry {
                key: Arc::clone(&root.as_mapping().unwrap().entries[0].key),
                value: list,
            }])
        })
    };
    assert_eq!(without("a = [1, 2, 3]\n", 0), "a = [2, 3]\n");
    assert_eq!(without("a = [1, 2, 3]\n", 2), "a = [1, 2]\n");
    assert_eq!(
        without("a = [\n  # one\n  1, # 1\n  # two\n  2, # 2\n]\n", 0),
        "a = [\n  # two\n  2, # 2\n]\n"
    );
    assert_eq!(without("a = [1, # one\n 2]\n", 1), "a = [1 # one\n]\n");
    assert_eq!(
        without("a = [1, # one\r\n 2]\r\n", 1),
        "a = [1 # one\r\n]\r\n"
    );
    assert_eq!(
        without(
            "[[a]]\nb = 1\n\n[[a]]\nb = 2\n[a.c]\nd = 1\n\n[[a]]\nb = 3\n",
            1
        ),
        "[[a]]\nb = 1\n\n[[a]]\nb = 3\n"
    );
}

#[test]
fn refuses_what_toml_cannot_represent() {
    let before = toml("a = 1\n");
    for (value, code) in [
        ("a: null\n", Code::ValueDoesNotFit),
        ("a: [1, ~]\n", Code::ValueDoesNotFit),
        ("a: 9223372036854775808\n", Code::ValueDoesNotFit),
        ("a: 18446744073709551615\n", Code::ValueDoesNotFit),
        ("a: 99999999999999999999\n", Code::ValueDoesNotFit),
        ("a: +99999999999999999999\n", Code::ValueDoesNotFit),
        ("a: -9223372036854775809\n", Code::ValueDoesNotFit),
        ("a: {b: [99999999999999999999]}\n", Code::ValueDoesNotFit),
        ("[1]\n", Code::ValueDoesNotFit),
        ("a: 1\na: 2\n", Code::DuplicateKey),
    ] {
        assert_eq!(
            before
                .check(&before.roots(), &[yaml(value)])
                .unwrap_err()
                .code,
            code,
            "{value}"
        );
    }
}

#[test]
fn accepts_every_number_that_toml_can_represent() {
    let before = toml("a = 1\n");
    for value in [
        "a: 9223372036854775807\n",
        "a: -9223372036854775808\n",
        "a: 1e20\n",
        "a: 99999999999999999999.0\n",
        "a: !!float 99999999999999999999\n",
        "a: '99999999999999999999'\n",
    ] {
        let checked = before.check(&before.roots(), &[yaml(value)]);
        assert!(checked.is_ok(), "{value}");
    }
}

#[test]
fn keeps_equal_values_of_a_mapping_from_elsewhere() {
    let text = "# file\n[a]\n# port\nport = 80 # http\nhost = 'h'\n\n[a.b]\nc = 1\n";
    let after = "a: {host: h, port: 81, tls: true, b: {c: 1, d: 2}}\n";
    let expected =
        "# file\n[a]\n# port\nport = 81 # http\ntls = true\nhost = 'h'\n\n[a.b]\nc = 1\nd = 2\n";
    assert_eq!(edited(text, |_| yaml(after)), expected);
}

#[test]
fn keeps_the_quotes_of_a_string_with_a_document() {
    let table = [
        (r#"a = '{"b": 1}'"#, r#"a = '{"b": 2}'"#),
        (
            r#"a = "{\"b\": 1, \"c\": \"\\u00e9\"}""#,
            r#"a = "{\"b\": 2, \"c\": \"\\u00e9\"}""#,
        ),
        (
            "a = '''\n{\n  \"b\": 1\n}\n'''",
            "a = '''\n{\n  \"b\": 2\n}\n'''",
        ),
        (
            "a = \"\"\"\nb: 1\\\n   \n\"\"\"",
            "a = \"\"\"\nb: 2\\\n   \n\"\"\"",
        ),
    ];
    for (text, expected) in table {
        assert_eq!(set(text, "a.b", "2"), expected);
    }
}

#[test]
fn a_date_that_is_copied_or_moved_stays_a_date() {
    let text = "d = 2024-01-02\ns = '2024-01-02'\n\n[x]\nt = 07:32:00\n";
    let object = Node::mapping(vec![Entry::new("app.toml", Node::string(text))]);
    let options = EditOptions::default();
    let at = |path: &str| Pointer::parse(&format!("/app.toml{path}")).unwrap();
    let mut root = object;
    for (from, to) in [("/d", "/e"), ("/s", "/z"), ("/x", "/y")] {
        let value = get(&root, &at(from), &options).unwrap();
        root = copy(&root, &at(to), &value, &options).unwrap();
    }
    root = move_value(&root, &at("/e"), &at("/y/e"), &options).unwrap();
    let found = get(&root, &at(""), &options).unwrap();
    assert_eq!(
        found.text(),
        Some(
            "d = 2024-01-02\ns = '2024-01-02'\nz = '2024-01-02'\n\n[x]\nt = 07:32:00\n\n\
             [y]\nt = 07:32:00\ne = 2024-01-02\n"
        )
    );
}

/// A value that moves within its text keeps its bytes, unless it was edited.
#[test]
fn moves_the_bytes_of_a_value() {
    let table = [
        (
            "a = [ 1,\n  2 ] # a\n[b]\n",
            "/a",
            "/b/c",
            "[b]\nc = [ 1,\n  2 ] # a\n",
        ),
        ("a = 'x' # a\nb = \"y\" # b\n", "/a", "/b", "b = 'x' # a\n"),
        (
            "a = \"\"\"\r\n  x\r\n\"\"\"\r\nb = 1_000\r\n",
            "/a",
            "/c",
            "b = 1_000\r\nc = \"\"\"\r\n  x\r\n\"\"\"\r\n",
        ),
        (
            "[a]\nb = { x=1 }\nc = 0x0f\n[d]\n",
            "/a",
            "/d/e",
            "[d]\n[d.e]\nb = { x=1 }\nc = 0x0f\n",
        ),
    ];
    for (text, from, to, expected) in table {
        let options = EditOptions::default();
        let at = |path: &str| Pointer::parse(path).unwrap();
        let result = edited(text, |root| {
            move_value(root, &at(from), &at(to), &options).unwrap()
        });
        assert_eq!(result, expected, "{text}");
    }
    let result = edited("a = [ 1, 2 ]\n", |root| {
        let options = EditOptions::default();
        let at = |path: &str| Pointer::parse(path).unwrap();
        let moved = move_value(root, &at("/a"), &at("/b"), &options).unwrap();
        replace(&moved, &at("/b/0"), &Node::plain("3"), &options).unwrap()
    });
    assert_eq!(result, "b = [3, 2]\n");
}

/// The comments of a value go with it: those directly above it, and that on its line.
#[test]
fn moves_the_comments_of_a_value() {
    let table = [
        (
            "# one\n# two\na = 1 # three\nb = 2\n",
            "/a",
            "/c",
            "b = 2\n# one\n# two\nc = 1 # three\n",
        ),
        // The value moves to a place above.
        (
            "x = 1\n\n[s]\n  # about a\n  a = 1\n  b = 2\n",
            "/s/a",
            "/a",
            "x = 1\n# about a\na = 1\n\n[s]\n  b = 2\n",
        ),
        // It takes the place of another one, with its comments.
        (
            "# about a\na = 1\n# about b\nb = 2 # b\nc = 3\n",
            "/a",
            "/b",
            "# about a\nb = 1\nc = 3\n",
        ),
        (
            "# about s\n[s] # s\n# about a\na = 1 # a\n\n[[t]]\nb = 1\n\n[u]\nx = 1\n",
            "/s",
            "/u/s",
            "[[t]]\nb = 1\n\n[u]\nx = 1\n\n# about s\n[u.s] # s\n# about a\na = 1 # a\n",
        ),
        (
            "# about t\n[[t]] # t\n# about b\nb = 1\n\n# another\n[[t]]\n",
            "/t",
            "/u",
            "# about t\n[[u]] # t\n# about b\nb = 1\n\n# another\n[[u]]\n",
        ),
        // A header that has no lines of its own, but a comment.
        (
            "# about s\n[s]\n[s.t]\na = 1\n",
            "/s",
            "/u",
            "# about s\n[u]\n\n[u.t]\na = 1\n",
        ),
        // There is no place for comments between braces.
        (
            "# about a\na = 1 # a\nb = { c = 1 }\n",
            "/a",
            "/b/a",
            "b = { c = 1, a = 1 }\n",
        ),
    ];
    for (text, from, to, expected) in table {
        let at = |path: &str| Pointer::parse(path).unwrap();
        let result = edited(text, |root| {
            move_value(root, &at(from), &at(to), &EditOptions::default()).unwrap()
        });
        assert_eq!(result, expected, "{text}");
    }
}

#[test]
fn derives_the_format_from_the_extension() {
    let object = yaml("data:\n  app.toml: |\n    a = [1]\n");
    let path = FieldPath::parse(r"data.app\.toml.a.0").unwrap();
    let found = find(&object, &path, &EditOptions::default()).unwrap();
    assert_eq!(found[0].node.text(), Some("1"));
    assert_eq!(found[0].format, DocumentFormat::named("toml").unwrap());
}
