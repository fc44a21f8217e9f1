//! The shape of the tree, and the positions of its parts.

use super::parsed;
use crate::yaml::{CollectionStyle, Content, Node, ScalarStyle, Stream, Syntax, Text};

fn slice<'s>(stream: &'s Stream, node: &Node) -> &'s str {
    stream.source.slice(node.origin.as_ref().unwrap().span)
}

fn document_texts(stream: &Stream) -> Vec<&str> {
    stream
        .documents
        .iter()
        .map(|document| stream.source.slice(document.span))
        .collect()
}

#[test]
fn spans_cover_quotes_and_brackets() {
    let stream = parsed("\u{feff} {\"a\": [1, \"b\\n\", {}], } ");
    let root = &stream.documents[0].root;
    assert_eq!(slice(&stream, root), "{\"a\": [1, \"b\\n\", {}], }");
    let entry = &root.as_mapping().unwrap().entries[0];
    assert_eq!(slice(&stream, &entry.key), "\"a\"");
    assert_eq!(slice(&stream, &entry.value), "[1, \"b\\n\", {}]");
    let items = &entry.value.as_sequence().unwrap().items;
    assert_eq!(
        items
            .iter()
            .map(|item| slice(&stream, &item.value))
            .collect::<Vec<_>>(),
        ["1", "\"b\\n\"", "{}"]
    );
    for item in items {
        assert_eq!(
            item.start,
            Some(item.value.origin.as_ref().unwrap().span.start)
        );
    }
}

#[test]
fn collections_are_in_flow_style_and_scalars_plain_or_double_quoted() {
    let stream = parsed("[{}, [], \"a\", \"\\u0061\", 1, true, null]");
    let items = &stream.documents[0].root.as_sequence().unwrap().items;
    assert_eq!(
        items[0].value.as_mapping().unwrap().style,
        CollectionStyle::Flow
    );
    assert_eq!(
        items[1].value.as_sequence().unwrap().style,
        CollectionStyle::Flow
    );
    for (item, style) in items[2..].iter().zip(
        [ScalarStyle::DoubleQuoted; 2]
            .into_iter()
            .chain([ScalarStyle::Plain; 3]),
    ) {
        assert_eq!(item.value.as_scalar().unwrap().style, style);
    }
    assert_eq!(items[3].value.text(), Some("a"));
}

#[test]
fn only_a_string_with_an_escape_has_its_own_text() {
    let stream = parsed("[\"verbatim\ttext\", 1.50, \"owned\\ttext\"]");
    let items = &stream.documents[0].root.as_sequence().unwrap().items;
    let is_verbatim = |node: &Node| matches!(&node.content, Content::Scalar(scalar) if matches!(scalar.text, Text::Verbatim));
    assert_eq!(
        items
            .iter()
            .map(|item| is_verbatim(&item.value))
            .collect::<Vec<_>>(),
        [true, true, false]
    );
    assert_eq!(
        items
            .iter()
            .map(|item| item.value.text().unwrap())
            .collect::<Vec<_>>(),
        ["verbatim\ttext", "1.50", "owned\ttext"]
    );
}

#[test]
fn a_repeated_key_is_kept() {
    let stream = parsed("{\"a\": 1, \"b\": 2, \"a\": 3}");
    let entries = &stream.documents[0].root.as_mapping().unwrap().entries;
    let texts = entries
        .iter()
        .map(|entry| (entry.key.text().unwrap(), entry.value.text().unwrap()));
    assert_eq!(
        texts.collect::<Vec<_>>(),
        [("a", "1"), ("b", "2"), ("a", "3")]
    );
}

#[test]
fn a_stream_is_json_without_markers_and_aliases() {
    let stream = parsed("1\n2");
    assert_eq!(stream.syntax, Syntax::Json);
    assert!(!stream.has_aliases);
    assert!(
        stream
            .documents
            .iter()
            .all(|document| document.marker.is_none())
    );
}

#[test]
fn the_documents_tile_the_text_and_break_it_after_the_line_of_a_value() {
    let table: &[(&str, &[&str])] = &[
        ("{}", &["{}"]),
        (
            "\u{feff}\n// a\n{} // b\n// c\n",
            &["\u{feff}\n// a\n{} // b\n// c\n"],
        ),
        ("1\n2\r\n\r\n3\n", &["1\n", "2\r\n", "\r\n3\n"]),
        ("1 2  3", &["1 ", "2  ", "3"]),
        (
            "{} // of the first\n// of the second\n{}",
            &["{} // of the first\n", "// of the second\n{}"],
        ),
        ("{} /* \n */ {}", &["{} /* \n */ ", "{}"]),
        ("{} /* \n */ // a\n {}", &["{} /* \n */ // a\n", " {}"]),
        ("{}/**/{}", &["{}/**/", "{}"]),
        ("// nothing\n", &[]),
    ];
    for (text, documents) in table {
        assert_eq!(document_texts(&parsed(text)), *documents, "{text:?}");
    }
}

#[test]
fn comments_are_collected_from_their_mark_to_the_end_of_their_text() {
    let stream = parsed("// a\r\n{ /* b\n*/ \"// no\": 1, // c\n}//");
    let comments: Vec<&str> = stream
        .comments
        .iter()
        .map(|comment| stream.source.slice(*comment))
        .collect();
    assert_eq!(comments, ["// a", "/* b\n*/", "// c", "//"]);
}
