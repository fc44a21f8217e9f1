//! The spelling of scalars in an object that kustomize converted to JSON and read again, as it does
//! for a JSON patch. A later step that reads a text, such as a prefix or a replacement, sees this
//! spelling.
//!
//! ```text
//! in the file       1e3     0x10   1_000   1.50   ~      12345678
//! read from JSON    1000    16     1000    1.5    null   1.2345678e+07
//! ```
//!
//! The tree keeps the spelling of the file, for `--faithful`. A step that reads a text uses the
//! spelling of JSON. A value that a step wrote after the JSON patch was never JSON, and keeps its
//! spelling.

use std::sync::Arc;

use crate::yaml::{CoreValue, Node, ScalarStyle, ScalarTyping, core_value, float};

/// Returns a scalar of an object as a step reads it, or `None` if its text is the same.
/// `is_reprinted` is whether the object was read from JSON.
pub(in crate::kustomize) fn spelling_in_object(
    node: &Arc<Node>,
    is_reprinted: bool,
) -> Option<Arc<Node>> {
    let is_of_file = is_reprinted && node.origin.is_some();
    match is_of_file || node.typing() == ScalarTyping::FromJson {
        true => with_json_spelling(node),
        false => None,
    }
}

/// Returns a scalar that is not a string with its spelling in JSON, or `None` if its text is the
/// same.
pub(in crate::kustomize) fn with_json_spelling(node: &Arc<Node>) -> Option<Arc<Node>> {
    let scalar = node.as_scalar()?;
    if scalar.style != ScalarStyle::Plain {
        return None;
    }
    let text = match core_value(node).ok()? {
        CoreValue::Null => "null".to_owned(),
        CoreValue::Bool(value) => value.to_string(),
        CoreValue::Int(number) => integer(number.into()),
        CoreValue::UInt(number) => integer(number.into()),
        CoreValue::Float(number) if number.is_finite() => float(number),
        CoreValue::Float(_) => return None,
        // JSON has no timestamps, so the value becomes a string.
        CoreValue::Timestamp(text) => return Some(Node::string(text)),
        CoreValue::String(_) | CoreValue::Binary(_) => return None,
    };
    (node.text() != Some(&*text)).then(|| Node::plain(text))
}

/// Returns an integer as the float that it becomes in JSON. An integer above 2^53 stays exact.
fn integer(number: i128) -> String {
    if number.unsigned_abs() > MAX_EXACT {
        return number.to_string();
    }
    #[expect(clippy::cast_precision_loss, reason = "the number has at most 53 bits")]
    let number = number as f64;
    float(number)
}

/// The largest integer up to which a float represents every integer.
const MAX_EXACT: u128 = 1 << 53;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_spelling_of_json() {
        let table = [
            ("1e3", Some("1000")),
            ("1e55", Some("1e+55")),
            ("0x10", Some("16")),
            ("1.50", Some("1.5")),
            ("12", None),
            ("999999", None),
            ("1000000", Some("1e+06")),
            ("-12345678", Some("-1.2345678e+07")),
            ("12345678.9", Some("1.23456789e+07")),
            ("9007199254740993", None),
            ("~", Some("null")),
            ("True", Some("true")),
            ("2001-01-01", Some("2001-01-01T00:00:00Z")),
            ("yes", None),
            ("web", None),
        ];
        for (text, expected) in table {
            let spelled = with_json_spelling(&Node::plain(text));
            let spelled = spelled.as_ref().and_then(|node| node.text());
            assert_eq!(spelled, expected, "{text}");
        }
    }
}
