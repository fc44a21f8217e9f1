//! Tests the values that a JSONPath leads to, its edits, and invalid paths.

use std::sync::Arc;

use crate::edit::{EditOptions, FieldPath, find, update};
use crate::source::{Code, Source};
use crate::yaml::{Node, Stream, canonical_json, faithful, parse};

fn stream(text: &str) -> Stream {
    parse(&Source::new("text.yaml", text).unwrap()).unwrap()
}

/// Returns the values that a path leads to, as JSON.
fn found(text: &str, path: &str) -> Result<Vec<String>, String> {
    let root = Arc::clone(&stream(text).documents[0].root);
    let path = FieldPath::parse(path).map_err(|error| error.message)?;
    let found = find(&root, &path, &EditOptions::default());
    let found = found.map_err(|failure| failure.diagnostic(|| "no".to_owned()).message)?;
    Ok(found
        .iter()
        .map(|found| canonical_json(&found.node).unwrap())
        .collect())
}

const STORE: &str = "\
books:
- {title: A, price: 8, tags: [p, q]}
- {title: B, price: 12.5, isbn: '1'}
- {title: C, price: 22, isbn: '2', tags: []}
bicycle: {color: red, price: 399}
limit: 10
config: |
  {\"log\": {\"level\": \"info\"}, \"hosts\": [{\"name\": \"a\"}, {\"name\": \"b\"}]}
plain: not a document
";

#[test]
fn selects_the_values_that_rfc_9535_defines() {
    let table: &[(&str, &[&str])] = &[
        ("$.limit", &["10"]),
        ("$['bicycle']['color']", &["\"red\""]),
        ("$ .bicycle [\"color\"]", &["\"red\""]),
        ("$.books[0].title", &["\"A\""]),
        ("$.books[-1].title", &["\"C\""]),
        ("$.books[0,2].title", &["\"A\"", "\"C\""]),
        ("$.books[:2].title", &["\"A\"", "\"B\""]),
        ("$.books[1:].title", &["\"B\"", "\"C\""]),
        ("$.books[::-2].title", &["\"A\"", "\"C\""]),
        ("$.books[5:0:-2].title", &["\"C\""]),
        ("$.books[*].price", &["8", "12.5", "22"]),
        ("$..price", &["8", "12.5", "22", "399"]),
        (
            "$.books..[0]",
            &[
                "{\"price\":8,\"tags\":[\"p\",\"q\"],\"title\":\"A\"}",
                "\"p\"",
            ],
        ),
        ("$.books[?@.isbn].title", &["\"B\"", "\"C\""]),
        ("$.books[?!@.isbn].title", &["\"A\""]),
        ("$.books[?@.price < 10].title", &["\"A\""]),
        ("$.books[?@.price<$.limit].title", &["\"A\""]),
        (
            "$.books[?@.price >= 12.5 && @.isbn == '2'].title",
            &["\"C\""],
        ),
        (
            "$.books[?@.title=='A' || (@.price>20 && !@.color)].title",
            &["\"A\"", "\"C\""],
        ),
        ("$.books[?length(@.tags) == 2].title", &["\"A\""]),
        ("$.books[?count(@.*) > 3].title", &["\"C\""]),
        ("$.books[?value(@..title) == 'B'].price", &["12.5"]),
        (
            "$.books[?match(@.title, '[AB]')].title",
            &["\"A\"", "\"B\""],
        ),
        ("$.books[?search(@.title, $.bicycle.color)]", &[]),
        ("$.books[?@.tags == ['x']]", &[]),
        (
            "$.books[?@.missing == @.absent].title",
            &["\"A\"", "\"B\"", "\"C\""],
        ),
        ("$.books[?@.price == 8.0].title", &["\"A\""]),
        ("$[?@.color].price", &["399"]),
        ("$['limit','plain']", &["10", "\"not a document\""]),
        ("$['\\u006cimit']", &["10"]),
    ];
    for (path, expected) in table {
        match found(STORE, path) {
            Ok(values) => assert_eq!(values, *expected, "{path}"),
            Err(message) if path.contains("['x']") => {
                assert!(message.starts_with("expected a path, a value"), "{message}")
            }
            Err(message) => assert!(
                expected.is_empty() && message.starts_with("no: "),
                "{path}: {message}"
            ),
        }
    }
}

#[test]
fn enters_a_string_only_where_the_path_addresses_it() {
    let table = [
        ("$.config.log.level", vec!["\"info\""]),
        ("$.config.hosts[?@.name=='b'].name", vec!["\"b\""]),
        ("$.config..name", vec!["\"a\"", "\"b\""]),
        ("$[?@.log.level == 'info'].hosts[0].name", vec!["\"a\""]),
    ];
    for (path, expected) in table {
        assert_eq!(found(STORE, path).unwrap(), expected, "{path}");
    }
    assert!(
        found(STORE, "$..name").unwrap_err().starts_with("no: "),
        "`..` opens no strings on its way"
    );
}

#[test]
fn writes_every_selected_value_in_its_place() {
    let table = [
        (
            "a:\n- {k: p, v: 1} # one\n- {k: q, v: 1} # two\n",
            "$.a[?@.k=='q'].v",
            "a:\n- {k: p, v: 1} # one\n- {k: q, v: NEW} # two\n",
        ),
        ("a: {b: {a: 1}} # c\n", "$..a", "a: NEW # c\n"),
        ("a: {b: {a: {b: 1}}}\n", "$..a.b", "a: {b: NEW}\n"),
        (
            "s: '{\"k\": [1,  2]}'\n",
            "$.s.k[-1]",
            "s: '{\"k\": [1,  \"NEW\"]}'\n",
        ),
        ("a: &x {b: 1}\nc: *x\n", "$.a.b", "a: &x {b: NEW}\nc: *x\n"),
    ];
    for (before, path, after) in table {
        let stream = stream(before);
        let options = EditOptions {
            has_aliases: stream.has_aliases,
            ..EditOptions::default()
        };
        let path = FieldPath::parse(path).unwrap();
        let new = update(&stream.documents[0].root, &path, &options, &mut |_| {
            Ok(Some(Node::string("NEW")))
        });
        let new = new
            .unwrap_or_else(|failure| panic!("{}", failure.diagnostic(|| path.to_string()).message))
            .unwrap();
        assert_eq!(faithful::print(&stream, &[new]), after, "{path}");
    }
}

#[test]
fn refuses_an_invalid_path_at_the_character_that_is_wrong() {
    let table = [
        (
            "$.",
            "expected a name, `*` or `[` at character 3 of `$.`, found the end",
        ),
        (
            "$.a-b",
            "expected `.` or `[` at character 4 of `$.a-b`, found `-`",
        ),
        (
            "$[a]",
            "expected a name in quotes, an index, a slice, `*` or `?` at character 3 of `$[a]`, found `a`",
        ),
        (
            "$[01]",
            "expected a whole number without zeros in front, up to 2^53-1 at character 3 of `$[01]`, found `0`",
        ),
        (
            "$['a]",
            "expected `'` at the end of a text at character 6 of `$['a]`, found the end",
        ),
        (
            "$[?@.a=1]",
            "expected `,` or `]` at character 7 of `$[?@.a=1]`, found `=`",
        ),
        (
            "$[?@.a==]",
            "expected a path, a value or a function at character 9 of `$[?@.a==]`, found `]`",
        ),
        (
            "$[?@.*==1]",
            "expected a path that leads to one value at most at character 4 of `$[?@.*==1]`, found `@`",
        ),
        (
            "$[?length(@.a)]",
            "expected a comparison at character 15 of `$[?length(@.a)]`, found `]`",
        ),
        (
            "$[?count(1)>1]",
            "expected a path at character 10 of `$[?count(1)>1]`, found `1`",
        ),
        (
            "$[?lenght(@.a)>1]",
            "expected a function at character 4 of `$[?lenght(@.a)>1]`, found `l`",
        ),
        (
            "$[1",
            "expected `,` or `]` at character 4 of `$[1`, found the end",
        ),
        (
            "$.a b",
            "expected `.` or `[` at character 4 of `$.a b`, found ` `",
        ),
    ];
    for (path, message) in table {
        let error = FieldPath::parse(path).unwrap_err();
        assert_eq!(
            (error.code, &*error.message),
            (Code::PathSyntax, message),
            "{path}"
        );
    }
    assert_eq!(
        FieldPath::parse("$.a-b.c").unwrap_err().help,
        ["write a name with other characters as `['a-b']`"]
    );
    let deep = format!("${}", "[?@".repeat(100));
    assert_eq!(FieldPath::parse(&deep).unwrap_err().code, Code::Limit);
}

#[test]
fn reads_a_key_that_begins_with_a_dollar_as_a_field() {
    assert_eq!(found("$schema: {a: 1}", "$schema.a").unwrap(), ["1"]);
    assert_eq!(found("$schema: {a: 1}", "$['$schema'].a").unwrap(), ["1"]);
    assert_eq!(found("a: 1", "$").unwrap(), ["{\"a\":1}"]);
}

#[test]
fn refuses_a_path_that_takes_too_much_work() {
    let text = format!("a: {}1{}\n", "[".repeat(200), "]".repeat(200));
    let error = found(&text, "$..*..*..*..*").unwrap_err();
    assert!(error.starts_with("the path looks at more than"), "{error}");
    let several = FieldPath::parse("$..a..b").unwrap();
    let root = Arc::clone(&stream("a: {b: 1}").documents[0].root);
    let failure = update(&root, &several, &EditOptions::default(), &mut |_| Ok(None)).unwrap_err();
    assert_eq!(failure.diagnostic(String::new).code, Code::PathSyntax);
}
