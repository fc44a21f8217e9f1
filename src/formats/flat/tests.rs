//! Specifications of properties and environment files: the entries of a text, and the text after an
//! edit.

use std::sync::Arc;

use super::env::DIALECT as ENV;
use super::properties::DIALECT as PROPERTIES;
use super::text::{FlatDialect, FlatText, check, read};
use crate::formats::language::ParsedText;
use crate::source::{Code, Source};
use crate::yaml::{Entry, Node, apply};

fn flat(text: &str, dialect: &'static FlatDialect) -> FlatText {
    read(&Source::new("test", text).unwrap(), dialect)
        .unwrap_or_else(|error| panic!("{}: {text}", error.message))
}

fn pairs(root: &Node) -> Vec<(String, String)> {
    let text = |node: &Arc<Node>| node.resolved().text().unwrap().to_owned();
    root.as_mapping()
        .unwrap()
        .entries
        .iter()
        .map(|entry| (text(&entry.key), text(&entry.value)))
        .collect()
}

fn meaning(text: &str, dialect: &'static FlatDialect) -> Vec<(String, String)> {
    pairs(&flat(text, dialect).root)
}

fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .collect()
}

/// Returns the text after its entries were changed, and checks that it has the wanted entries.
fn edited(
    text: &str,
    dialect: &'static FlatDialect,
    change: impl FnOnce(&mut Vec<Entry>),
) -> String {
    let before = flat(text, dialect);
    let mut entries = before.root.as_mapping().unwrap().entries.to_vec();
    change(&mut entries);
    let after = before.root.with_entries(entries);
    check(&before.root, &after, dialect).unwrap_or_else(|error| panic!("{}", error.message));
    let result = apply(text, &before.edits(std::slice::from_ref(&after)));
    assert_eq!(
        meaning(&result, dialect),
        pairs(&after),
        "of {text}\nmade {result}"
    );
    result
}

fn set(text: &str, dialect: &'static FlatDialect, key: &str, value: &str) -> String {
    edited(text, dialect, |entries| {
        let value = Node::string(value);
        match entries
            .iter_mut()
            .find(|entry| entry.key.text() == Some(key))
        {
            Some(entry) => entry.value = value,
            None => entries.push(Entry::new(key, value)),
        }
    })
}

fn removed(text: &str, dialect: &'static FlatDialect, key: &str) -> String {
    edited(text, dialect, |entries| {
        entries.retain(|entry| entry.key.text() != Some(key))
    })
}

#[test]
fn reads_properties_as_java_does() {
    let table: [(&str, &[(&str, &str)]); 12] = [
        ("a=b\nc: d\ne f\n", &[("a", "b"), ("c", "d"), ("e", "f")]),
        ("# a\n! b\n\n  \n c = d \n", &[("c", "d ")]),
        ("a.b.c=1", &[("a.b.c", "1")]),
        ("a = b\\\n    c\\\r\n\td\ne=f", &[("a", "bcd"), ("e", "f")]),
        ("a\\ b\\=c\\:d=\\ e", &[("a b=c:d", " e")]),
        (
            "a=\\t\\n\\r\\f\\\\\\q\\u00e9\\ud83d\\ude00",
            &[("a", "\t\n\r\u{c}\\q\u{e9}\u{1f600}")],
        ),
        ("a\nb=\n=c\n", &[("a", ""), ("b", ""), ("", "c")]),
        (
            "a==b\nc:=d\ne :f\n",
            &[("a", "=b"), ("c", "=d"), ("e", "f")],
        ),
        ("a=b\\\\\nc=d\n", &[("a", "b\\"), ("c", "d")]),
        ("a=b # c\n", &[("a", "b # c")]),
        ("a \\\n  b\n", &[("a", "b")]),
        ("\u{feff}a=b\r\nc=d\r\n", &[("a", "b"), ("c", "d")]),
    ];
    for (text, expected) in table {
        assert_eq!(meaning(text, &PROPERTIES), owned(expected), "{text:?}");
    }
    for text in ["a=\\u12", "a=\\uzzzz", "a=\\ud83d", "a=b\rc=d"] {
        let error = read(&Source::new("test", text).unwrap(), &PROPERTIES).unwrap_err();
        assert_eq!(error.code, Code::NotADocument, "{text:?}");
    }
}

#[test]
fn reads_environment_files_as_kustomize_does() {
    let table: [(&str, &[(&str, &str)]); 6] = [
        ("A=1\nB=x y \n", &[("A", "1"), ("B", "x y ")]),
        ("# A=1\n\n  B=\"2\" # c\n", &[("B", "\"2\" # c")]),
        ("A\nB=\n", &[("A", ""), ("B", "")]),
        (
            "export A=1\nexport\nexport=2\n",
            &[("A", "1"), ("export", ""), ("export", "2")],
        ),
        ("A=b=c\r\nD=\\n\r\n", &[("A", "b=c"), ("D", "\\n")]),
        ("\u{feff}A=1", &[("A", "1")]),
    ];
    for (text, expected) in table {
        assert_eq!(meaning(text, &ENV), owned(expected), "{text:?}");
    }
}

#[test]
fn replaces_only_the_bytes_of_the_value() {
    let table = [
        (
            "# a\na.b : 1  \nc = x\\\n  y\n",
            "a.b",
            "2",
            "# a\na.b : 2\nc = x\\\n  y\n",
        ),
        ("a = 1\nc = x\\\n  y\n", "c", "z\n", "a = 1\nc = z\\n\n"),
        ("a\n", "a", "1", "a=1\n"),
        ("a 1\n", "a", "= 2", "a \\= 2\n"),
        ("a=1\\\n", "a", "2", "a=2\n"),
        ("a\\\n", "a", "2", "a\\\n=2\n"),
        ("a=1", "a", " \\é", "a=\\ \\\\\\u00e9"),
        ("a=ü", "a", "é", "a=é"),
    ];
    for (text, key, value, expected) in table {
        assert_eq!(set(text, &PROPERTIES, key, value), expected, "{text:?}");
    }
    assert_eq!(
        set("# a\nexport A=1\nB\n", &ENV, "A", "'2'"),
        "# a\nexport A='2'\nB\n"
    );
    assert_eq!(set("B\n", &ENV, "B", "1"), "B=1\n");
}

#[test]
fn adds_a_key_in_the_style_of_its_neighbour() {
    let table = [
        ("", "a", "1", "a=1\n"),
        ("a = 1\n", "b c", "2", "a = 1\nb\\ c = 2\n"),
        ("a: 1", "#b", "2", "a: 1\n\\#b: 2"),
        ("# end\n", "a", "1", "# end\na=1\n"),
        (
            "a = 1\\\n  2\n# end\n",
            "b",
            "3",
            "a = 1\\\n  2\nb = 3\n# end\n",
        ),
        ("a=1\r\n", "b", "2", "a=1\r\nb=2\r\n"),
        // A backslash before the last line break continues the value on the next line.
        ("a=x\\\n", "b", "2", "a=x\\\n\nb=2\n"),
        ("a=x\\\r\n  ", "b", "2", "a=x\\\r\n  \r\n\r\nb=2"),
        ("a\\\n", "b", "2", "a\\\n\nb=2\n"),
        ("a=C:\\\\\n", "b", "2", "a=C:\\\\\nb=2\n"),
        ("a=1\n# C:\\\n", "b", "2", "a=1\nb=2\n# C:\\\n"),
    ];
    for (text, key, value, expected) in table {
        assert_eq!(set(text, &PROPERTIES, key, value), expected, "{text:?}");
    }
    assert_eq!(
        set("export A=1\n", &ENV, "B", "2"),
        "export A=1\nexport B=2\n"
    );
    let between = edited("a=1\nb=2\n", &PROPERTIES, |entries| {
        entries.insert(1, Entry::new("c", Node::string("3")))
    });
    assert_eq!(between, "a=1\nc=3\nb=2\n");
}

#[test]
fn removes_a_key_with_its_lines_and_its_comments() {
    assert_eq!(
        removed("# head\n\n! a\na = 1\\\n  2\nb = 3\n", &PROPERTIES, "a"),
        "# head\n\nb = 3\n"
    );
    assert_eq!(removed("A=1\n# B\nB=2", &ENV, "B"), "A=1");
}

#[test]
fn refuses_what_lines_cannot_represent() {
    let refused = |dialect: &'static FlatDialect, value: Arc<Node>, key: &str| {
        let before = flat("a=1\n", dialect).root;
        let after = Node::mapping(vec![Entry::new(key, value)]);
        check(&before, &after, dialect).map_err(|error| error.code)
    };
    let misfit = Err(Code::ValueDoesNotFit);
    assert_eq!(refused(&PROPERTIES, Node::mapping(Vec::new()), "a"), misfit);
    assert_eq!(refused(&PROPERTIES, Node::plain("null"), "a"), misfit);
    assert_eq!(refused(&PROPERTIES, Node::string("x\ny"), " "), Ok(()));
    for (key, value) in [
        ("a", "x\ny"),
        ("a b=", "x"),
        ("#a", "x"),
        (" a", "x"),
        ("a", "x\r"),
        ("export b", "x"),
        ("", "x\n"),
    ] {
        assert_eq!(
            refused(&ENV, Node::string(value), key),
            misfit,
            "{key}={value}"
        );
    }
    assert_eq!(refused(&ENV, Node::string("'x' = y "), "a b"), Ok(()));
}
