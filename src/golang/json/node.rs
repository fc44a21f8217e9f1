//! Writes a tree as JSON, with places in errors.

use std::sync::Arc;

use super::{JsonLayout, encode};
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::{Content, Data, Node, Value};

/// Writes a tree as `json.Marshal` does: on one line, keys in the order of their bytes, safe inside
/// HTML.
///
/// # Errors
/// A value that JSON cannot express, such as infinity or a key that is not a string, and the errors
/// of [`Data::of`].
pub fn encode_node(node: &Arc<Node>) -> Result<String> {
    encode(&Data::of(node)?, JsonLayout::default()).map_err(|error| match without_spelling(node) {
        Some((node, found)) => Diagnostic::error(
            Code::ValueDoesNotFit,
            format!("expected a number that JSON can spell, found {found}"),
        )
        .at(node.location(), "")
        .help("JSON has no NaN and no infinity: write `null` or a string"),
        None => Diagnostic::error(Code::ValueDoesNotFit, error.to_string()).at(node.location(), ""),
    })
}

/// Returns the first number that JSON cannot express, with its name. The depth is limited, because
/// `Data::of` has read the tree.
fn without_spelling(node: &Arc<Node>) -> Option<(&Arc<Node>, &'static str)> {
    let target = node.resolved();
    match &target.content {
        Content::Mapping(mapping) => mapping
            .entries
            .iter()
            .find_map(|entry| without_spelling(&entry.value)),
        Content::Sequence(sequence) => sequence
            .items
            .iter()
            .find_map(|item| without_spelling(&item.value)),
        _ => match target.value()? {
            Value::Float(number) if number.is_nan() => Some((node, "NaN")),
            Value::Float(number) if number.is_infinite() => Some((node, "infinity")),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::yaml::parse;

    fn printed(text: &str) -> Result<String> {
        encode_node(
            &parse(&Source::new("test.yml", text).unwrap())
                .unwrap()
                .documents[0]
                .root,
        )
    }

    #[test]
    fn values_are_printed_as_ytt_prints_them() {
        let table = [
            (
                "b: 1\na: {d: null, c: yes}\n",
                r#"{"a":{"c":true,"d":null},"b":1}"#,
            ),
            (
                "[010, 0x10, 18446744073709551615, 2001-01-01, '1']",
                r#"[8,16,18446744073709551615,"2001-01-01","1"]"#,
            ),
            ("<a href=\"&\">", r#""\u003ca href=\"\u0026\"\u003e""#),
            (
                "a: &x {b: 1}\nc: {<<: *x, b: 2}\n",
                r#"{"a":{"b":1},"c":{"b":2}}"#,
            ),
            ("!!binary aGk=", r#""hi""#),
            ("a: 1\na: 2\n", r#"{"a":2}"#),
        ];
        for (text, expected) in table {
            assert_eq!(printed(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn what_json_cannot_express_is_shown() {
        let table = [
            (
                "a: {1: a}",
                "expected a key that is a string, found a number",
                4,
            ),
            (
                "a: [0, .nan]",
                "expected a number that JSON can spell, found NaN",
                7,
            ),
            (
                "a: &x [-.inf]",
                "expected a number that JSON can spell, found infinity",
                7,
            ),
            ("!!int x", "expected an integer, found a string", 6),
        ];
        for (text, expected, at) in table {
            let error = printed(text).unwrap_err();
            assert_eq!(
                (
                    error.message.as_str(),
                    error.labels[0].location.span.start()
                ),
                (expected, at),
                "{text}"
            );
        }
    }
}
