//! Collections, keys, aliases, merge keys, tags and limits.

use std::sync::Arc;

use crate::source::parallel;
use crate::source::{Code, Diagnostic, Source};
use crate::yaml::{
    AheadPrinter, Alias, Content, Entry, Node, canonical, canonical_node, canonical_parts, parse,
};

fn print(text: &str) -> Result<String, Box<Diagnostic>> {
    let source = Source::new("test.yml", text).unwrap();
    let roots: Vec<Arc<Node>> = parse(&source)
        .unwrap()
        .documents
        .iter()
        .map(|document| document.root.clone())
        .collect();
    canonical(&roots)
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(print(text).unwrap(), expected, "of {text:?}");
}

#[track_caller]
fn refusal(text: &str) -> Box<Diagnostic> {
    print(text).unwrap_err()
}

#[test]
fn a_scalar_is_printed_by_its_value() {
    for (text, expected) in [
        ("Yes", "true"),
        ("off", "false"),
        ("~", "null"),
        ("0x1F", "31"),
        ("-017", "-15"),
        ("1_000", "1000"),
        ("18446744073709551615", "18446744073709551615"),
        ("1.0", "1"),
        ("1.50", "1.5"),
        ("-0.0", "-0"),
        (".INF", ".inf"),
        ("-.inf", "-.inf"),
        (".NaN", ".nan"),
        ("'yes'", "\"yes\""),
        ("\"a\"", "a"),
        ("!!str 5", "\"5\""),
        ("!!int '5'", "5"),
        ("!!float 5", "5"),
        ("!local 5", "\"5\""),
        ("! 12", "\"12\""),
        ("!!timestamp 2001-01-01", "\"2001-01-01\""),
        ("!!binary aGVsbG8=", "hello"),
        ("!!binary gIGC", "!!binary gIGC"),
    ] {
        check(&format!("a: {text}\n"), &format!("a: {expected}\n"));
    }
}

#[test]
fn a_float_has_an_exponent_from_a_million_on_and_below_a_ten_thousandth() {
    for (number, expected) in [
        ("100000.0", "100000"),
        ("999999.5", "999999.5"),
        ("1000000.0", "1e+06"),
        ("1234567.5", "1.2345675e+06"),
        ("123456.789", "123456.789"),
        ("-1e6", "-1e+06"),
        ("1e21", "1e+21"),
        ("1e100", "1e+100"),
        ("0.0001", "0.0001"),
        ("0.00012345", "0.00012345"),
        ("0.00001", "1e-05"),
        ("5e-324", "5e-324"),
        ("1.7976931348623157e308", "1.7976931348623157e+308"),
        ("18446744073709551616", "1.8446744073709552e+19"),
    ] {
        assert_eq!(
            canonical_node(&Node::plain(number)).unwrap(),
            format!("{expected}\n")
        );
    }
}

#[test]
fn sequences_are_below_their_key_and_nest_on_one_line() {
    check(
        "a: [1, [2, [3, {b: c, d: [e]}]], {f: {g: h}}, {}, []]\nb: {}\nc: []\n",
        "a:\n- 1\n- - 2\n  - - 3\n    - b: c\n      d:\n      - e\n- f:\n    g: h\n- {}\n- []\nb: {}\nc: []\n",
    );
}

#[test]
fn a_literal_is_indented_by_two_relative_to_its_collection() {
    check(
        "a: \"x\\ny\"\nb: {c: \"x\\n\", d: [\"x\\n\"]}\ne: [{f: \"x\\n\"}]\n",
        "a: |-\n  x\n  y\nb:\n  c: |\n    x\n  d:\n  - |\n    x\ne:\n- f: |\n    x\n",
    );
}

#[test]
fn documents_are_divided_and_empty_ones_left_out() {
    check(
        "--- a\n---\n--- {}\n--- []\n--- ~\n---\nb: 1\n--- [[]]\n",
        "a\n---\nb: 1\n---\n- []\n",
    );
    check("# nothing\n", "");
    check("--- \"\\n\"\n--- ''\n", "|2+\n\n---\n\"\"\n");
}

#[test]
fn comments_anchors_and_styles_are_not_printed() {
    check(
        "# a\na: &x 'b' # b\nc: >-\n  d\n  e\nf: *x\n",
        "a: b\nc: d e\nf: b\n",
    );
}

#[test]
fn keys_are_scalars_like_any_other() {
    check(
        "1: a\n'1': b\ny: c\n~: d\n1.5: e\n'': f\n': x': g\n\"a\\tb\": h\n",
        "1: a\n\"1\": b\ntrue: c\nnull: d\n1.5: e\n\"\": f\n': x': g\n\"a\\tb\": h\n",
    );
}

#[test]
fn long_keys_and_keys_with_line_breaks_follow_a_question_mark() {
    let (short, long) = ("k".repeat(128), "k".repeat(129));
    check(&format!("{short}: 1\n"), &format!("{short}: 1\n"));
    check(&format!("? {long}\n: 1\n"), &format!("? {long}\n: 1\n"));
    check("\"a\\nb\": [1, 2]\n", "? |-\n  a\n  b\n: - 1\n  - 2\n");
    check("\"a\\rb\": {c: d, e: f}\n", "? \"a\\rb\"\n: c: d\n  e: f\n");
    check(
        "a: {\"b\\n\": \"c\\n\"}\n",
        "a:\n  ? |\n    b\n  : |\n    c\n",
    );
}

#[test]
fn a_collection_can_be_a_key() {
    check("? [1, 2]\n: a\n", "? - 1\n  - 2\n: a\n");
    check("? {a: b, c: d}\n: [e]\n", "? a: b\n  c: d\n: - e\n");
    check("? []\n: a\n? {}\n: b\n", "[]: a\n{}: b\n");
    check(
        "x: {? {? [a] : b} : c}\n",
        "x:\n  ? ? - a\n    : b\n  : c\n",
    );
}

#[test]
fn the_last_of_equal_keys_is_printed_at_the_place_of_the_first() {
    check("a: 1\nb: 2\n'a': 3\nc: 4\nb: 5\n", "a: 3\nb: 5\nc: 4\n");
    check("~: 1\nnull: 2\ny: 3\ntrue: 4\n", "null: 2\ntrue: 4\n");
    check("? [a]\n: 1\n? ['a']\n: 2\n", "? - a\n: 2\n");
}

#[test]
fn keys_of_different_types_are_not_equal() {
    check("1: a\n'1': b\n", "1: a\n\"1\": b\n");
    // As in ytt, although the two are printed alike.
    check("1: a\n1.0: b\n", "1: a\n1: b\n");
}

#[test]
fn a_merge_key_puts_entries_in_its_place() {
    let base = "x: &x {a: 2, b: 3}\n";
    let printed = "x:\n  a: 2\n  b: 3\n";
    check(
        &format!("{base}z:\n  <<: *x\n  a: 1\n"),
        &format!("{printed}z:\n  a: 1\n  b: 3\n"),
    );
    check(
        &format!("{base}z:\n  c: 1\n  <<: *x\n"),
        &format!("{printed}z:\n  c: 1\n  a: 2\n  b: 3\n"),
    );
    // The last entry is used, also when it was merged.
    check(
        &format!("{base}z:\n  a: 1\n  <<: *x\n"),
        &format!("{printed}z:\n  a: 2\n  b: 3\n"),
    );
    check(
        "z:\n  <<: {a: 1, <<: {c: 3}}\n  !!merge <<: {d: 4}\n",
        "z:\n  a: 1\n  c: 3\n  d: 4\n",
    );
    check("z:\n  <<: {}\n", "z: {}\n");
}

#[test]
fn a_quoted_merge_key_is_a_string() {
    check("'<<': {a: 1}\n", "<<:\n  a: 1\n");
    check("!!str <<: 4\n", "<<: 4\n");
}

#[test]
fn only_a_mapping_can_be_merged() {
    for (text, found) in [
        ("a: &a {}\nz:\n  <<: [*a]\n", "found a list"),
        ("z:\n  <<: ~\n", "found null"),
        ("z:\n  <<: text\n", "found a string"),
    ] {
        let diagnostic = refusal(text);
        assert_eq!(diagnostic.code, Code::MergeKey);
        assert_eq!(
            diagnostic.message,
            format!("expected a mapping to merge, {found}")
        );
        assert_eq!(diagnostic.labels.len(), 1);
    }
}

#[test]
fn a_tag_that_does_not_fit_is_refused_with_its_place() {
    for (text, message) in [
        ("a: !!int x\n", "expected an integer, found a string"),
        ("a: !!int 5.0\n", "expected an integer, found a float"),
        ("a: !!null x\n", "expected null, found a string"),
        (
            "a: !!binary x\n",
            "expected base64, found text that is not base64",
        ),
        ("!!bool 1: x\n", "expected a boolean, found an integer"),
    ] {
        let diagnostic = refusal(text);
        assert_eq!(
            (diagnostic.code, diagnostic.message.as_str()),
            (Code::Tag, message)
        );
        assert_eq!(diagnostic.labels.len(), 1);
    }
}

#[test]
fn long_binary_is_broken_into_lines_of_seventy() {
    let encoded = "gIGC".repeat(18);
    let lines = format!("{}\n  {}\n", &encoded[..70], &encoded[70..]);
    check(
        &format!("a: !!binary {encoded}\n"),
        &format!("a: !!binary |\n  {lines}"),
    );
    check(
        &format!("!!binary {encoded}: a\n"),
        &format!("? !!binary |\n  {lines}: a\n"),
    );
    check(
        &format!("a: !!binary {}\n", "gIGC".repeat(17)),
        &format!("a: !!binary {}\n", "gIGC".repeat(17)),
    );
}

#[test]
fn an_alias_is_written_out_as_a_value_and_as_a_key() {
    check(
        "a: &a [1, {b: c}]\nd: *a\ne: &e f\n*e : [*e]\n",
        "a:\n- 1\n- b: c\nd:\n- 1\n- b: c\ne: f\nf:\n- f\n",
    );
}

#[test]
fn the_time_per_key_does_not_grow_with_the_mapping() {
    let text: String = (0..60_000)
        .map(|number| format!("key{}: {number}\n", number % 30_000))
        .collect();
    let printed = print(&text).unwrap();
    assert_eq!(printed.lines().count(), 30_000);
    assert!(printed.starts_with("key0: 30000\nkey1: 30001\n"));
}

fn alias(target: &Arc<Node>) -> Arc<Node> {
    Node::made(Content::Alias(Alias {
        name: "a".into(),
        target: Arc::clone(target),
    }))
}

/// A list of `width` aliases of a list of as many aliases, and so on.
fn bomb(levels: usize, width: usize) -> Arc<Node> {
    (0..levels).fold(Node::string("x"), |node, _| {
        Node::sequence((0..width).map(|_| alias(&node)))
    })
}

#[test]
fn aliases_that_expand_to_too_many_nodes_are_refused() {
    assert_eq!(
        canonical_node(&bomb(3, 10)).unwrap().matches('x').count(),
        1000
    );
    assert_eq!(canonical_node(&bomb(30, 10)).unwrap_err().code, Code::Limit);
}

#[test]
fn aliases_that_expand_to_too_much_text_are_refused() {
    let long = Node::string("x".repeat(1_000_000));
    assert!(canonical_node(&Node::sequence((0..10).map(|_| alias(&long)))).is_ok());
    assert_eq!(
        canonical_node(&Node::sequence((0..1000).map(|_| alias(&long))))
            .unwrap_err()
            .code,
        Code::Limit
    );
}

#[test]
fn nodes_without_aliases_are_not_counted() {
    let many = Node::sequence((0..1_100_000).map(|_| Node::plain("1")));
    assert_eq!(canonical_node(&many).unwrap().len(), 4 * 1_100_000);
}

#[test]
fn nesting_is_bounded_where_aliases_are_written_out() {
    assert!(canonical_node(&bomb(255, 1)).is_ok());
    let error = canonical_node(&bomb(256, 1)).unwrap_err();
    assert_eq!(error.code, Code::Limit);
    assert_eq!(
        error.message,
        "collections nest deeper than 255 levels where aliases are written out"
    );
}

#[test]
fn keys_in_keys_take_no_more_time_than_other_nesting() {
    let nested = (0..200).fold(Node::string("x"), |node, _| {
        Node::mapping(vec![Entry {
            key: node,
            value: Node::plain("1"),
        }])
    });
    assert!(canonical_node(&nested).unwrap().starts_with("? ? ? ?"));
}

#[test]
fn many_documents_are_printed_in_parts_that_make_one_text() {
    let value = Node::string("a text that is long enough for parts of some documents".repeat(8));
    let mut documents = Vec::new();
    let mut expected = String::new();
    for number in 0..2_000 {
        // Empty documents are left out wherever they are, also at the end of a part.
        documents.push(Node::plain("null"));
        let entry = Entry::new(&format!("key{number}"), Arc::clone(&value));
        documents.push(Node::mapping(vec![entry]));
        if number > 0 {
            expected.push_str("---\n");
        }
        expected.push_str(&format!("key{number}: {}\n", value.text().unwrap()));
    }
    assert!(canonical_parts(&documents, &[]).unwrap().len() > 1);
    assert_eq!(canonical(&documents).unwrap(), expected);

    // The error is that of the first document that has one, as on one thread.
    let stream = parse(&Source::new("t.yml", "!!int a\n--- !!int b\n").unwrap()).unwrap();
    documents.insert(0, Arc::clone(&stream.documents[0].root));
    documents.push(Arc::clone(&stream.documents[1].root));
    let error = canonical(&documents).unwrap_err();
    assert_eq!(error.labels[0].location.span.start(), 6);
}

#[test]
fn documents_that_were_printed_ahead_are_not_printed_again() {
    let document = |number: usize| {
        let entry = Entry::new(&format!("key{number}"), Node::plain("1"));
        Node::mapping(vec![entry])
    };
    let built: Vec<Arc<Node>> = (0..1_000).map(document).collect();
    let mut ahead = AheadPrinter::default();
    for document in &built {
        ahead.add(&Node::plain("null"));
        ahead.add(document);
    }
    let runs = ahead.finish();
    let printed: usize = runs.iter().map(|run| run.documents.len()).sum();
    let expected = if parallel::threads() < 2 { 0 } else { 896 };
    assert_eq!(printed, expected, "seven runs of 128 documents");

    // The documents of the output: all of them, with others around them, and with one of a run
    // replaced, removed or moved.
    let mut around = built.clone();
    around.insert(0, document(2_000));
    around.push(document(2_001));
    let mut replaced = built.clone();
    replaced[200] = document(3_000);
    let mut removed = built.clone();
    removed.remove(0);
    let mut moved = built.clone();
    moved.swap(127, 128);
    let mut reversed = built.clone();
    reversed.reverse();
    for documents in [
        built,
        around,
        replaced,
        removed,
        moved,
        reversed,
        Vec::new(),
    ] {
        let parts = canonical_parts(&documents, &runs).unwrap();
        assert_eq!(parts.concat(), canonical(&documents).unwrap());
    }
}

#[test]
fn a_document_that_cannot_be_printed_is_reported_with_the_output() {
    let stream = parse(&Source::new("t.yml", "!!int a\n").unwrap()).unwrap();
    let mut documents = vec![Node::plain("1"); 127];
    documents.push(Arc::clone(&stream.documents[0].root));
    let mut ahead = AheadPrinter::default();
    documents.iter().for_each(|document| ahead.add(document));
    let runs = ahead.finish();
    assert!(runs.is_empty());
    assert!(canonical_parts(&documents, &runs).is_err());
}
