//! Reads JSON into a tree in the way of `json.Unmarshal` with Go's maps: keys are sorted, and of
//! equal keys the last is used.
//!
//! This uses the parser of embedded documents, so it also accepts comments and a comma after the
//! last entry, which Go refuses.

use std::sync::Arc;

use super::syntax::syntax_error;
use crate::source::{Code, Diagnostic, Location, Result, Source, Span};
use crate::yaml::{Content, Entry, Item, Mapping, Node, ScalarStyle, Value, parse_json};

/// Reads a JSON text with exactly one value. Numbers keep their digits.
///
/// # Errors
/// A text that is not JSON, has no value or more than one, or contains a number that is too large
/// for a float.
pub fn decode(source: &Arc<Source>) -> Result<Arc<Node>> {
    let stream = parse_json(source).map_err(|error| in_words_of_go(error, source))?;
    if let [document] = stream.documents.as_slice() {
        return sorted(&document.root);
    }
    let place = match stream.documents.get(1) {
        Some(second) => second.root.location(),
        None => Some(Location::new(source, Span::at(source.text().len()))),
    };
    let message = "expected one JSON value";
    let error = Diagnostic::error(Code::JsonSyntax, message).at(place, "");
    Err(in_words_of_go(error, source))
}

/// Returns an error with Go's message about the text, because templates can see it. The original
/// message, which is more precise, becomes a note.
fn in_words_of_go(mut error: Box<Diagnostic>, source: &Source) -> Box<Diagnostic> {
    let is_syntax = error.code == Code::JsonSyntax;
    match syntax_error(source.text()).filter(|_| is_syntax) {
        Some(message) => {
            let ours = std::mem::replace(&mut error.message, message);
            error.note(ours)
        }
        None => error,
    }
}

/// Returns the tree with the keys of every mapping sorted. It is recursive; the parser limits the
/// depth.
fn sorted(node: &Arc<Node>) -> Result<Arc<Node>> {
    match &node.content {
        Content::Mapping(mapping) => Ok(node.with_entries(sorted_entries(mapping)?)),
        Content::Sequence(sequence) => {
            let mut items = Vec::with_capacity(sequence.items.len());
            for item in &sequence.items {
                items.push(Item {
                    start: item.start,
                    value: sorted(&item.value)?,
                });
            }
            Ok(node.with_items(items))
        }
        Content::Scalar(scalar) if scalar.style == ScalarStyle::Plain && is_too_large(node) => {
            Err(too_large(node))
        }
        Content::Scalar(_) | Content::Alias(_) => Ok(Arc::clone(node)),
    }
}

/// Returns the entries of a mapping sorted by key. Of entries with equal keys the last is kept.
fn sorted_entries(mapping: &Mapping) -> Result<Vec<Entry>> {
    let mut entries: Vec<&Entry> = mapping.entries.iter().collect();
    // Sorting is stable and `dedup` keeps the first of equal keys. The entries are reversed, so
    // that is the last one in the text.
    entries.reverse();
    entries.sort_by_key(|entry| entry.key.text());
    entries.dedup_by_key(|entry| entry.key.text());
    let mut sorted_entries = Vec::with_capacity(entries.len());
    for entry in entries {
        sorted_entries.push(Entry {
            key: Arc::clone(&entry.key),
            value: sorted(&entry.value)?,
        });
    }
    Ok(sorted_entries)
}

/// Returns whether a plain scalar, which in JSON is a keyword or a number, is a number outside the
/// range of floats. Such a number resolves to a string (`1e400`) or to infinity.
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
        format!("json: cannot unmarshal number {found} into Go value of type float64"),
    )
    .at(node.location(), "")
    .note("expected a number below 1.8e308")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::canonical_node;

    fn decoded(text: &str) -> Result<Arc<Node>> {
        decode(&Source::new("text.json", text).unwrap())
    }

    #[test]
    fn sorts_keys_and_keeps_the_last_of_equal_ones() {
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
    fn keeps_whole_numbers_exactly() {
        let text = "[123456789, 9007199254740993, 18446744073709551615, -9223372036854775808, 1.0, 1e3, -0]";
        let expected = "- 123456789\n- 9007199254740993\n- 18446744073709551615\n- -9223372036854775808\n- 1\n- 1000\n- 0\n";
        assert_eq!(canonical_node(&decoded(text).unwrap()).unwrap(), expected);
    }

    #[test]
    fn reports_errors_with_their_place() {
        let table = [
            ("", 0, "unexpected end of JSON input"),
            ("{} {}", 3, "invalid character '{' after top-level value"),
            (
                "[1, 1e400]",
                4,
                "json: cannot unmarshal number 1e400 into Go value of type float64",
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
