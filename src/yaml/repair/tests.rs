//! Tables of texts that libyaml accepts or refuses, and the offsets of repaired texts.

use super::*;
use crate::source::Source;
use std::sync::Arc;

const TEXT: &str = "a: 'x\ny\n\n  z'\nb: 1\n";
const REPAIRED: &str = "a: 'x\n    y\n\n    z'\nb: 1\n";

fn repairs() -> Repairs {
    let mut repairs = Repairs::default();
    assert!(repairs.indent_scalar(TEXT, 2, 6));
    repairs
}

#[test]
fn indents_continuation_lines_deeper_than_the_quote() {
    assert_eq!(repairs().repaired(TEXT), REPAIRED);
}

#[test]
fn converts_every_offset_back() {
    let repairs = repairs();
    for (offset, c) in REPAIRED.char_indices() {
        let original = repairs.original(offset);
        assert!(
            c == ' ' || TEXT[original..].starts_with(c),
            "{offset} is not {original}"
        );
    }
    assert_eq!(repairs.original(REPAIRED.len()), TEXT.len());
}

#[test]
fn repairs_nothing_twice() {
    assert!(!repairs().indent_scalar(TEXT, 2, 6));
    assert!(!Repairs::default().indent_scalar(TEXT, 6, 6));
}

/// Parses a text that only libyaml accepts. Returns its canonical form and the kinds of its
/// lenient places.
fn read(text: &str) -> Option<(String, Vec<LenientKind>)> {
    let source = Source::new("test", text).unwrap();
    let stream = crate::yaml::parse(&source).ok()?;
    let root = &stream.documents[0].root;
    // Not a byte changes unless it is edited.
    assert_eq!(
        crate::yaml::faithful::print(&stream, &[Arc::clone(root)]),
        text
    );
    let kinds = stream.lenient.iter().map(|lenient| lenient.kind).collect();
    Some((crate::yaml::canonical_node(root).unwrap(), kinds))
}

#[test]
fn accepts_what_libyaml_accepts_and_reports_it() {
    use LenientKind::{
        AliasWithoutBlank, AnchorWithoutBlank, ByteOrderMark, CommentWithoutBlank,
        EscapedSingleQuote, TabBeforeLine,
    };
    let table: [(&str, &str, &[LenientKind]); 19] = [
        // The mark is in a comment.
        ("#2r\u{feff}# c\na: 1\n", "a: 1\n", &[]),
        (
            "---\n\u{feff}a: 1\nb: 2\n",
            "a: 1\nb: 2\n",
            &[ByteOrderMark],
        ),
        ("a:\n  b: 'x\n\ty'\n", "a:\n  b: x y\n", &[TabBeforeLine]),
        (
            "a:\n- b: \"x\n\ty\n  z\"\n",
            "a:\n- b: x y z\n",
            &[TabBeforeLine],
        ),
        (
            "a: \"x\"# c\nb: 1\n",
            "a: x\nb: 1\n",
            &[CommentWithoutBlank],
        ),
        ("a: 'x'#c\n", "a: x\n", &[CommentWithoutBlank]),
        ("a: [b, ]#c\n", "a:\n- b\n", &[CommentWithoutBlank]),
        (
            "- \"a\"#c\n- {b: 1}#d\n",
            "- a\n- b: 1\n",
            &[CommentWithoutBlank, CommentWithoutBlank],
        ),
        (
            "a: \"it\\'s \\\"x\\\\\"\n",
            "a: it's \"x\\\n",
            &[EscapedSingleQuote],
        ),
        ("a: \"b\n\tc\"\n", "a: b c\n", &[TabBeforeLine]),
        ("a: 'b\n \t c'\n", "a: b c\n", &[]),
        ("a: {\n\tb: 1\n}\n", "a:\n  b: 1\n", &[TabBeforeLine]),
        ("a: &x:y z\n", "a: :y z\n", &[AnchorWithoutBlank]),
        ("a: &x?y\nb: *x\n", "a: ?y\nb: ?y\n", &[AnchorWithoutBlank]),
        ("&x: a\n", "null: a\n", &[AnchorWithoutBlank]),
        ("a: b\n&x: c\n", "a: b\nnull: c\n", &[AnchorWithoutBlank]),
        ("a: &x b\n*x: c\n", "a: b\nb: c\n", &[AliasWithoutBlank]),
        ("{a: &x b, *x: c}\n", "a: b\nb: c\n", &[AliasWithoutBlank]),
        (
            "a: \"b\nc\td\"# e\n",
            "a: \"b c\\td\"\n",
            &[CommentWithoutBlank],
        ),
    ];
    for (text, value, kinds) in table {
        let expected = Some((value.to_owned(), kinds.to_vec()));
        assert_eq!(read(text), expected, "{text}");
    }
}

#[test]
fn repairs_any_number_of_anchors_and_aliases() {
    use LenientKind::{AliasWithoutBlank, AnchorWithoutBlank};
    let mut text = String::new();
    let mut value = String::new();
    for number in 0..1500 {
        text.push_str(&format!("- &a{number}:y\n- *a{number}: b\n"));
        value.push_str("- :y\n- :y: b\n");
    }
    let kinds = [AnchorWithoutBlank, AliasWithoutBlank].repeat(1500);
    assert_eq!(read(&text), Some((value, kinds)));
}

#[test]
fn repairs_nothing_that_only_looks_like_an_anchor() {
    let text = "a: &x:y\nb: |\n  k &z:y\nc: 'q &z:y'\nd: p &z:y\n# &z:y\ne: &w:v # *x: c\n";
    let value = "a: :y\nb: |\n  k &z:y\nc: q &z:y\nd: p &z:y\ne: :v\n";
    let kinds = vec![LenientKind::AnchorWithoutBlank; 2];
    assert_eq!(read(text), Some((value.to_owned(), kinds)));
}

#[test]
fn the_error_for_an_alias_with_a_colon_suggests_a_blank() {
    let help = |text: &str| {
        let source = Source::new("test", text).unwrap();
        crate::yaml::parse(&source).unwrap_err().help
    };
    let expected = ["put a blank before the `:`"];
    for text in ["- &x a\n- {*x:1}\n", "- &x a\n- {*x:, d: 1}\n"] {
        assert_eq!(help(text), expected, "{text}");
    }
    assert!(help("- &xy a\n- {*x:1}\n").is_empty());
    assert!(help("- &x a\n- {*y: 1}\n").is_empty());
}

#[test]
fn refuses_what_libyaml_refuses() {
    let table = [
        "a:\n\tb: 1\n",
        "a: \"b\" # c\n\tb: 1\n",
        "a: \"\\d\"\n",
        "# it's\na:\n\tb: 1\n",
        // Inside a document, a byte order mark is not white space for ytt and kustomize.
        "a: 1\n\u{feff}b: 2\n",
        "a: [1]\n\u{feff}\n",
        "a: {b: [1]\n\u{feff}}\n",
        "--- ['x'\n\u{feff}, y]\n",
        "---\n# c\n\u{feff}a: 1\n",
        "---\n\u{feff}---\na: 1\n",
        "# c\n\u{feff}a: 1\n",
        "# c\n\u{feff}? \n",
        "\n\u{feff}a: 1\n",
        "\u{feff}\u{feff}a: 1\n",
        "# c\n\u{feff}---\na: 1\n",
        "# c\n\u{feff}[a]\n",
        "a: 1\n...\n\u{feff}b: 1\n",
        // An anchor between brackets, also after one that is repaired.
        "a: &x:y\nb: [&z:y]\n",
        // An anchor or an alias and a value that is not a key.
        "a: &x: y\n",
        "a: &x:\n",
        "a: {&x:y z: 1}\n",
        "a: &x b\nc: *x:y\n",
    ];
    for text in table {
        assert_eq!(read(text), None, "{text}");
    }
}

#[test]
fn a_byte_order_mark_in_a_comment_belongs_to_the_comment() {
    const MARK: &str = "\u{feff}";
    // The mark is at every offset of a comment above, between and below documents.
    for comment in ["#{}", "#{}a", "#a{}", "# {}", "# a{}b", "# ab{}"] {
        let comment = comment.replace("{}", MARK);
        for (text, value) in [
            ("{}\na: 1\n", "a: 1\n"),
            ("\u{feff}{}\na: 1\n", "a: 1\n"),
            ("\n{}\na: 1\n", "a: 1\n"),
            ("{}\n---\na: 1\n", "a: 1\n"),
            ("--- {}\na: 1\n", "a: 1\n"),
            ("---\n{}\na: 1\n", "a: 1\n"),
            ("a: 1 {}\n{}\nb: 2\n", "a: 1\nb: 2\n"),
            ("a:\n  {}\n- b\n{}", "a:\n- b\n"),
        ] {
            let text = text.replace("{}", &comment);
            assert_eq!(read(&text), Some((value.to_owned(), vec![])), "{text:?}");
        }
    }
}

#[test]
fn an_edit_keeps_a_comment_without_a_blank_a_comment() {
    let table = [
        ("a: \"x\"# c\n", "a: 5 # c\n"),
        ("a: [\"x\"]#c\n", "a: 5 #c\n"),
        ("a: {b: 1}#c\n", "a: 5 #c\n"),
    ];
    for (text, expected) in table {
        let source = Source::new("test", text).unwrap();
        let stream = crate::yaml::parse(&source).unwrap();
        let root = &stream.documents[0].root;
        let mut entries = root.as_mapping().unwrap().entries.to_vec();
        entries[0].value = crate::yaml::Node::plain("5");
        let edited = root.with_entries(entries);
        let printed = crate::yaml::faithful::print(&stream, &[edited]);
        assert_eq!(printed, expected);
    }
}
