//! Specifications of INI: the tree of a text, and the text after an edit.

use std::sync::Arc;

use super::check::check;
use super::parse::{IniText, parse};
use crate::formats::DocumentFormat;
use crate::formats::language::ParsedText;
use crate::source::{Code, Source};
use crate::yaml::{Entry, Node, apply};

fn ini(text: &str) -> IniText {
    parse(&Source::new("test.ini", text).unwrap())
        .unwrap_or_else(|error| panic!("{}: {text}", error.message))
}

/// Returns the tree on one line: `a=1 [s] b=2`.
fn shown(root: &Node) -> String {
    let mut words = Vec::new();
    for entry in &root.as_mapping().unwrap().entries {
        let name = entry.key.text().unwrap();
        match entry.value.resolved().text() {
            Some(value) => words.push(format!("{name}={value}")),
            None => words.push(
                format!("[{name}] {}", shown(&entry.value))
                    .trim()
                    .to_owned(),
            ),
        }
    }
    words.join(" ")
}

fn meaning(text: &str) -> String {
    shown(&ini(text).root)
}

/// Returns the text after its root was changed, and checks that it reads back as the changed root.
fn edited(text: &str, change: impl FnOnce(&mut Vec<Entry>)) -> String {
    let before = ini(text);
    let mut entries = before.root.as_mapping().unwrap().entries.to_vec();
    change(&mut entries);
    let after = before.root.with_entries(entries);
    check(&before.root, &after).unwrap_or_else(|error| panic!("{}", error.message));
    let result = apply(text, &before.edits(std::slice::from_ref(&after)));
    assert_eq!(meaning(&result), shown(&after), "of {text}\nmade {result}");
    result
}

/// Changes `section.key` in the entries. A key without a dot is before the first section.
fn set_in(entries: &mut Vec<Entry>, path: &str, value: &str) {
    let Some((name, key)) = path.split_once('.') else {
        return set_key(entries, path, value);
    };
    let position = entries
        .iter()
        .position(|entry| entry.key.text() == Some(name) && entry.value.as_mapping().is_some());
    let at = position.unwrap_or_else(|| {
        entries.push(Entry::new(name, Node::mapping(Vec::new())));
        entries.len() - 1
    });
    let mut inner = entries[at].value.as_mapping().unwrap().entries.to_vec();
    set_key(&mut inner, key, value);
    entries[at].value = entries[at].value.with_entries(inner);
}

fn set_key(entries: &mut Vec<Entry>, key: &str, value: &str) {
    let value = Node::string(value);
    let is_key =
        |entry: &&mut Entry| entry.key.text() == Some(key) && entry.value.as_mapping().is_none();
    match entries.iter_mut().find(is_key) {
        Some(entry) => entry.value = value,
        None => {
            // A key before the first section.
            let at = entries
                .iter()
                .position(|entry| entry.value.as_mapping().is_some())
                .unwrap_or(entries.len());
            entries.insert(at, Entry::new(key, value));
        }
    }
}

fn set(text: &str, path: &str, value: &str) -> String {
    edited(text, |entries| set_in(entries, path, value))
}

fn removed(text: &str, path: &str) -> String {
    edited(text, |entries| match path.split_once('.') {
        None => entries.retain(|entry| entry.key.text() != Some(path)),
        Some((name, key)) => {
            let entry = entries
                .iter_mut()
                .find(|entry| entry.key.text() == Some(name))
                .unwrap();
            let mut inner = entry.value.as_mapping().unwrap().entries.to_vec();
            inner.retain(|entry| entry.key.text() != Some(key));
            entry.value = entry.value.with_entries(inner);
        }
    })
}

#[test]
fn sections_contain_keys_and_values() {
    let table = [
        ("", ""),
        ("a=1\n[s]\nb = 2\nc:3\nd : 4\n", "a=1 [s] b=2 c=3 d=4"),
        ("; a=1\n# b\n  ; c\n\n[s]\n", "[s]"),
        (
            "[ s t ] ; note\n[remote \"x\"]\na.b=1\n",
            "[s t] [remote \"x\"] a.b=1",
        ),
        ("[s]\na = b = c : d\na:b=c\n", "[s] a=b = c : d a=b=c"),
        (
            "[s]\npath = /a ; not a comment # nor this\n",
            "[s] path=/a ; not a comment # nor this",
        ),
        ("[s]\nkey\nempty =\nblank =   \n", "[s] key= empty= blank="),
        ("[s]\r\na = 1\r\n", "[s] a=1"),
        ("\u{feff}[s]\na=1", "[s] a=1"),
        ("[s]\ndir = C:\\temp\\\nb = 2\n", "[s] dir=C:\\temp\\ b=2"),
    ];
    for (text, expected) in table {
        assert_eq!(meaning(text), expected, "{text:?}");
    }
}

#[test]
fn a_repeated_section_continues_the_first() {
    assert_eq!(
        meaning("[a]\nx=1\n[b]\ny=2\n[a]\nx=3\nz=4\n"),
        "[a] x=1 x=3 z=4 [b] y=2"
    );
}

#[test]
fn quotes_around_a_whole_value_are_not_part_of_it() {
    let table = [
        ("\"a b\"", "a b"),
        ("' x '", " x "),
        ("\"it's\"", "it's"),
        ("\"\"", ""),
        ("\"a\" \"b\"", "\"a\" \"b\""),
        ("\"a", "\"a"),
        ("'", "'"),
        ("\"a\\\"b\"", "\"a\\\"b\""),
    ];
    for (raw, expected) in table {
        assert_eq!(meaning(&format!("k = {raw}\n")), format!("k={expected}"));
    }
}

#[test]
fn deeper_lines_continue_a_value() {
    let table = [
        ("k = a\n  b\n  c\nd = 1\n", "k=a\nb\nc d=1"),
        (
            "k =\n    {\n      \"a\": 1\n    }\n",
            "k=\n{\n  \"a\": 1\n}",
        ),
        ("k = a\n\n  b\n\nd = 1\n", "k=a\n\nb d=1"),
        ("k = a\n  ; note\n# note\n  b\n", "k=a\nb"),
        ("k = a\n  ; note\nd = 1\n", "k=a d=1"),
        ("[s]\n\tk = a\n\td = [1,\n\t\t2]\n", "[s] k=a d=[1,\n2]"),
        ("k = a\r\n  b\r\n", "k=a\nb"),
        ("  k = a\n  d = 1\n", "k=a d=1"),
        ("k = a\n  [b]\n", "k=a\n[b]"),
        ("k = \"a\n  b\"\n", "k=\"a\nb\""),
    ];
    for (text, expected) in table {
        assert_eq!(meaning(text), expected, "{text:?}");
    }
}

#[test]
fn refuses_what_is_not_ini() {
    let texts = [
        "= 1\n",
        "a = 1\n\u{feff}b = 2\n",
        "[s\n",
        "[]\n",
        "[ ]\na=1\n",
        "[s] a = 1\n",
        "key\n  deeper\n",
        "a = 1\rb = 2\n",
        "[a]\n  [b]\n",
        "  [a]\n  k = 1\nl = 2\n",
    ];
    for text in texts {
        let error = parse(&Source::new("test.ini", text).unwrap()).unwrap_err();
        assert_eq!(error.code, Code::NotADocument, "{text:?}");
        assert!(!error.labels.is_empty(), "{text:?}");
    }
}

#[test]
fn replaces_only_the_bytes_of_the_value() {
    let table = [
        (
            "; a\n[s] ; b\nport  :  80  \nx=1\n",
            "s.port",
            "81",
            "; a\n[s] ; b\nport  :  81  \nx=1\n",
        ),
        ("[s]\na = 'x'\n", "s.a", "y z", "[s]\na = 'y z'\n"),
        ("[s]\na = 'x'\n", "s.a", "it's", "[s]\na = it's\n"),
        ("[s]\na = x\n", "s.a", " y", "[s]\na = \" y\"\n"),
        ("[s]\na = x\n", "s.a", "'y'", "[s]\na = \"'y'\"\n"),
        ("[s]\na\n", "s.a", "1", "[s]\na = 1\n"),
        ("[s]\na =\nb=2\n", "s.a", "1", "[s]\na = 1\nb=2\n"),
        (
            "[s]\na = x\n  y\nb = 1\n",
            "s.a",
            "z",
            "[s]\na = z\nb = 1\n",
        ),
        (
            "[s]\na = x\n  y\n",
            "s.a",
            "1\n2\n  3",
            "[s]\na = 1\n  2\n    3\n",
        ),
        (
            "[s]\r\n\ta = x\r\n",
            "s.a",
            "1\n2",
            "[s]\r\n\ta = 1\r\n\t    2\r\n",
        ),
        (
            "[s]\na=1\n[t]\n[s]\na=2\n",
            "s.a",
            "3",
            "[s]\na=3\n[t]\n[s]\na=2\n",
        ),
        ("a = 1", "a", "2", "a = 2"),
    ];
    for (text, path, value, expected) in table {
        assert_eq!(set(text, path, value), expected, "{text:?}");
    }
}

#[test]
fn adds_a_key_in_the_style_of_its_section() {
    let table = [
        ("", "a", "1", "a = 1\n"),
        ("", "s.a", "1", "[s]\na = 1\n"),
        (
            "[s]\na=1\n\n[t]\nb: 2\n",
            "s.c",
            "3",
            "[s]\na=1\nc=3\n\n[t]\nb: 2\n",
        ),
        (
            "[s]\na=1\n\n[t]\nb: 2",
            "t.c",
            "3",
            "[s]\na=1\n\n[t]\nb: 2\nc: 3",
        ),
        (
            "[s]\nname     = x\n",
            "s.b",
            "2",
            "[s]\nname     = x\nb = 2\n",
        ),
        (
            "[s]\n\ta = 'x'\n; end\n",
            "s.b",
            "y",
            "[s]\n\ta = 'x'\n\tb = 'y'\n; end\n",
        ),
        ("[s]\n\ta=1\n[t]\n", "t.b", "2", "[s]\n\ta=1\n[t]\n\tb=2\n"),
        (
            "[s]\na=1\n[t]\n[s]\nb=2\n",
            "s.c",
            "3",
            "[s]\na=1\n[t]\n[s]\nb=2\nc=3\n",
        ),
        (
            "; file\n\n; s\n[s]\na = 1\n",
            "top",
            "1",
            "; file\n\ntop = 1\n\n; s\n[s]\na = 1\n",
        ),
        ("a: 1\n[s]\n", "b", "2", "a: 1\nb: 2\n[s]\n"),
        ("[s]\na = 1\n  2\n", "s.b", "3", "[s]\na = 1\n  2\nb = 3\n"),
        ("[s]\na =\n", "s.b", "3", "[s]\na =\nb = 3\n"),
    ];
    for (text, path, value, expected) in table {
        assert_eq!(set(text, path, value), expected, "{text:?}");
    }
}

#[test]
fn adds_a_section_with_the_blank_lines_of_the_others() {
    let table = [
        ("[a]\nx = 1\n", "[a]\nx = 1\n\n[new]\nk = v\n"),
        ("[a]\nx=1\n[b]\ny=2\n", "[a]\nx=1\n[b]\ny=2\n[new]\nk=v\n"),
        (
            "[a]\nx = 1\n\n; b\n[b]\n",
            "[a]\nx = 1\n\n; b\n[b]\n\n[new]\nk = v\n",
        ),
        ("  [a]\n  x = 1\n", "  [a]\n  x = 1\n\n  [new]\n  k = v\n"),
        ("x: 1\n", "x: 1\n\n[new]\nk: v\n"),
        ("[a]\r\nx=1", "[a]\r\nx=1\r\n\r\n[new]\r\nk=v"),
    ];
    for (text, expected) in table {
        assert_eq!(set(text, "new.k", "v"), expected, "{text:?}");
    }
    let first = edited("; file\n\n; a\n[a]\nx = 1\n", |entries| {
        let section = Node::mapping(vec![Entry::new("k", Node::string("v"))]);
        entries.insert(0, Entry::new("new", section));
    });
    assert_eq!(first, "; file\n\n[new]\nk = v\n\n; a\n[a]\nx = 1\n");
}

#[test]
fn removes_keys_and_sections_with_their_comments() {
    let table = [
        (
            "; file\n\n[s]\n; a\na = 1\n  2\nb = 3\n",
            "s.a",
            "; file\n\n[s]\nb = 3\n",
        ),
        ("[s]\na = 1\n", "s.a", "[s]\n"),
        (
            "; file\n\n; s\n[s]\na = 1\n\n; t\n[t]\nb = 2\n",
            "s",
            "; file\n\n; t\n[t]\nb = 2\n",
        ),
        ("[s]\na = 1\n\n; t\n[t]\nb = 2\n", "t", "[s]\na = 1\n"),
        (
            "[s]\na=1\n[t]\nb=2\n[s]\nc=3\n[u]\n",
            "s",
            "[t]\nb=2\n[u]\n",
        ),
        ("a = 1\n\n[s]\nb = 2", "s", "a = 1"),
        ("a = 1\n\n[s]\nb = 2\n", "a", "[s]\nb = 2\n"),
    ];
    for (text, path, expected) in table {
        assert_eq!(removed(text, path), expected, "{text:?}");
    }
}

#[test]
fn a_renamed_section_keeps_the_comments_above_its_header() {
    let text = "a = 1\n\n; about s\n; and x\n[s]\n; about x\nx = 1\n\n; about t\n[t]\ny = 2\n";
    let result = edited(text, |entries| {
        let section = entries.remove(1);
        entries.push(Entry::new("u", section.value));
    });
    assert_eq!(
        result,
        "a = 1\n\n; about t\n[t]\ny = 2\n\n; about s\n; and x\n[u]\n; about x\nx = 1\n"
    );
    // A copy has no comments: they are about the section that stays.
    let result = edited(text, |entries| {
        let section = Arc::clone(&entries[1].value);
        entries.push(Entry::new("u", section));
    });
    assert_eq!(result.matches("; about s").count(), 1, "{result}");
}

#[test]
fn a_key_can_become_a_section_and_back() {
    let text = edited("s = 1\nx = 2\n\n[t]\na = 3\n\n[u]\nb = 4\n", |entries| {
        let section = Arc::clone(&entries[2].value);
        entries[0] = Entry::new("t", Node::string("5"));
        entries[2] = Entry::new("s", section);
    });
    assert_eq!(text, "t = 5\nx = 2\n\n[s]\na = 3\n\n[u]\nb = 4\n");
}

#[test]
fn refuses_what_ini_cannot_represent() {
    let before = ini("a = 1\n[s]\nb = 2\n").root;
    let section = |key: &str, value| {
        let section = Node::mapping(vec![Entry::new(key, value)]);
        Node::mapping(vec![Entry::new("s", section)])
    };
    let refused = [
        Node::string("text"),
        Node::mapping(vec![Entry::new("a", Node::plain("null"))]),
        Node::mapping(vec![Entry::new("a", Node::sequence([]))]),
        section("b", Node::mapping(Vec::new())),
        section("b", Node::plain("null")),
        section("b", Node::string("x\n")),
        section("b", Node::string("x\r")),
        section("b", Node::string("x\n; y")),
        section("b", Node::string("x \ny")),
        section("b", Node::string("x\n  y")),
        section("b", Node::string("\"it's\"")),
        section("c=d", Node::string("x")),
        section("", Node::string("x")),
        section(" c", Node::string("x")),
        section("[c", Node::string("x")),
        section(";c", Node::string("x")),
        section("c\nd", Node::string("x")),
        Node::mapping(vec![Entry::new("s]", Node::mapping(Vec::new()))]),
        Node::mapping(vec![Entry::new("", Node::mapping(Vec::new()))]),
        Node::mapping(vec![Entry::new(" s", Node::mapping(Vec::new()))]),
    ];
    for after in refused {
        let error = check(&before, &after).unwrap_err();
        assert_eq!(error.code, Code::ValueDoesNotFit, "{after:?}");
    }
    check(&before, &section("b", Node::plain("3"))).unwrap();
    check(&before, &section("b", Node::string("x\n\ny\n  z"))).unwrap();
}

#[test]
fn writes_a_new_document() {
    let section = Node::mapping(vec![
        Entry::new("a b", Node::plain("1")),
        Entry::new("c", Node::string("x\ny")),
    ]);
    let root = Node::mapping(vec![
        Entry::new("s", section),
        Entry::new("top", Node::string(" ")),
        Entry::new("empty", Node::mapping(Vec::new())),
    ]);
    let text = DocumentFormat::named("ini").unwrap().write(&root).unwrap();
    assert_eq!(
        text,
        "top = \" \"\n\n[s]\na b = 1\nc = x\n    y\n\n[empty]\n"
    );
    assert_eq!(meaning(&text), "top=  [s] a b=1 c=x\ny [empty]");
}
