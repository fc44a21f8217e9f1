//! The spelling of scalars in an object that kustomize turned into JSON and read again, as it does for a
//! JSON patch. A later step that reads a text, such as a prefix or a replacement, sees this one.
//!
//! ```text
//! in the file       1e3     0x10   1_000   1.50   ~
//! read from JSON    1000    16     1000    1.5    null
//! ```

use std::sync::Arc;

use crate::golang::json::encode_node;
use crate::yaml::{CoreValue, Node, ScalarStyle, core_value};

/// Returns a scalar that is not a string with the text that JSON has for it, or `None` if the text stays.
pub(in crate::kustomize) fn with_json_spelling(node: &Arc<Node>) -> Option<Arc<Node>> {
    let scalar = node.as_scalar()?;
    if scalar.style != ScalarStyle::Plain {
        return None;
    }
    let text = match core_value(node).ok()? {
        CoreValue::Null => "null".to_owned(),
        CoreValue::Bool(value) => value.to_string(),
        CoreValue::Int(number) => number.to_string(),
        CoreValue::UInt(number) => number.to_string(),
        CoreValue::Float(_) => encode_node(node).ok()?,
        CoreValue::Timestamp(_) | CoreValue::String(_) | CoreValue::Binary(_) => return None,
    };
    (node.text() != Some(&*text)).then(|| Node::plain(text))
}

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
            ("~", Some("null")),
            ("True", Some("true")),
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
