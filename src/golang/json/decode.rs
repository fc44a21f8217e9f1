//! JSON into a tree, as Go puts it into maps: keys in order, and of equal keys the last.
//!
//! What the parser of configuration files takes beyond RFC 8259 (comments, a comma after the last entry) is taken here
//! too.

use std::sync::Arc;

use crate::source::{Code, Diagnostic, Location, Result, Source, Span};
use crate::yaml::{Content, Entry, Item, Mapping, Node, ScalarStyle, Sequence, Value, parse_json};

/// The one value of a JSON text. Numbers keep their digits.
///
/// # Errors
/// A text that is not JSON, that has no value or more than one, and a number that is too large for a float.
pub fn decode(source: &Arc<Source>) -> Result<Arc<Node>> {
    let stream = parse_json(source)?;
    match stream.documents.as_slice() {
        [document] => sorted(&document.root),
        [] => Err(
            Diagnostic::error(Code::JsonSyntax, "expected a JSON value, found nothing")
                .at(Location::new(source, Span::at(source.text().len())), ""),
        ),
        [_, second, ..] => Err(Diagnostic::error(
            Code::JsonSyntax,
            "expected one JSON value, found a second one",
        )
        .at(second.root.location(), "the second value")),
    }
}

/// The same values with the keys of every mapping in order. It calls itself for each level, which the parser bounds.
fn sorted(node: &Arc<Node>) -> Result<Arc<Node>> {
    match &node.content {
        Content::Mapping(mapping) => {
            Ok(node.with_content(Content::Mapping(sorted_mapping(mapping)?)))
        }
        Content::Sequence(sequence) => {
            let item = |item: &Item| {
                Ok(Item {
                    start: item.start,
                    value: sorted(&item.value)?,
                })
            };
            let items = sequence.items.iter().map(item).collect::<Result<_>>()?;
            Ok(node.with_content(Content::Sequence(Sequence {
                style: sequence.style,
                items,
            })))
        }
        Content::Scalar(scalar) if scalar.style == ScalarStyle::Plain && is_too_large(node) => {
            Err(too_large(node))
        }
        Content::Scalar(_) | Content::Alias(_) => Ok(Arc::clone(node)),
    }
}

fn sorted_mapping(mapping: &Mapping) -> Result<Mapping> {
    let mut entries: Vec<&Entry> = mapping.entries.iter().collect();
    // The last of equal keys comes first, and the others go.
    entries.reverse();
    entries.sort_by_key(|entry| entry.key.text());
    entries.dedup_by_key(|entry| entry.key.text());
    let entry = |entry: &Entry| {
        Ok(Entry {
            key: Arc::clone(&entry.key),
            value: sorted(&entry.value)?,
        })
    };
    let entries = entries.into_iter().map(entry).collect::<Result<_>>()?;
    Ok(Mapping {
        style: mapping.style,
        entries,
    })
}

/// Whether a plain scalar, which in JSON is a word or a number, is a number beyond all floats.
fn is_too_large(node: &Node) -> bool {
    match node.value() {
        Some(Value::Float(number)) => !number.is_finite(),
        value => matches!(value, Some(Value::String(_))),
    }
}

fn too_large(node: &Node) -> Box<Diagnostic> {
    let found = node.text().unwrap_or_default();
    Diagnostic::error(
        Code::ValueDoesNotFit,
        format!("expected a number below 1.8e308, found {found}"),
    )
    .at(node.location(), "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::canonical_node;

    fn decoded(text: &str) -> Result<Arc<Node>> {
        decode(&Source::new("text.json", text).unwrap())
    }

    #[test]
    fn keys_are_sorted_and_the_last_of_equals_counts() {
        let table = [
            ("{}", "{}\n"),
            ("\t\n1 ", "1\n"),
            (
                r#"{"b":1,"a":{"d":[{"f":1,"e":2}],"c":3},"\u0062":4}"#,
                "a:\n  c: 3\n  d:\n  - e: 2\n    f: 1\nb: 4\n",
            ),
            (r#""\ud83d\ude00 x""#, "\"\\U0001F600 x\"\n"),
            (
                r#"{"y": "yes", "1": "2"}"#,
                "\"1\": \"2\"\n\"y\": \"yes\"\n",
            ),
        ];
        for (text, expected) in table {
            assert_eq!(
                canonical_node(&decoded(text).unwrap()).unwrap(),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn whole_numbers_are_kept_exactly() {
        let text = "[123456789, 9007199254740993, 18446744073709551615, -9223372036854775808, 1.0, 1e3, -0]";
        let expected = "- 123456789\n- 9007199254740993\n- 18446744073709551615\n- -9223372036854775808\n- 1\n- 1000\n- 0\n";
        assert_eq!(canonical_node(&decoded(text).unwrap()).unwrap(), expected);
    }

    #[test]
    fn an_error_says_where() {
        let table = [
            ("", 0, "expected a JSON value, found nothing"),
            ("{} {}", 3, "expected one JSON value, found a second one"),
            (
                "[1, 1e400]",
                4,
                "expected a number below 1.8e308, found 1e400",
            ),
        ];
        for (text, offset, message) in table {
            let diagnostic = decoded(text).unwrap_err();
            assert_eq!(diagnostic.message, message);
            assert_eq!(diagnostic.labels[0].location.span.start(), offset, "{text}");
        }
        let diagnostic = decoded("[1,\n2,\n x]").unwrap_err();
        assert_eq!(diagnostic.labels[0].location.line_column().line, 3);
    }
}
