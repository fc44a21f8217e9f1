//! TOML's numbers, booleans, dates and times.

use std::sync::Arc;

use super::string::{self, Quote};
use crate::source::{Source, Span};
use crate::yaml::{Content, Node, Origin, Scalar, ScalarStyle, Text, Value};

/// What a bare value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Boolean,
    /// A whole number of 64 bits.
    Integer,
    /// Any other number.
    Float,
    /// A date, a time, or both.
    Time,
}

/// What `text` is as a bare value; `None` if it is none.
pub fn kind(text: &str) -> Option<Kind> {
    let begins = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | 't' | 'f' | 'i' | 'n');
    let is_bare =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '_' | '.' | ':' | ' ');
    if !text.starts_with(begins) || !text.chars().all(is_bare) || text.ends_with(' ') {
        return None;
    }
    match text.parse().ok()? {
        toml::Value::Boolean(_) => Some(Kind::Boolean),
        toml::Value::Integer(_) => Some(Kind::Integer),
        toml::Value::Float(_) => Some(Kind::Float),
        toml::Value::Datetime(_) => Some(Kind::Time),
        toml::Value::String(_) | toml::Value::Array(_) | toml::Value::Table(_) => None,
    }
}

/// The node of the scalar that stands at `span`.
///
/// A number has a spelling that YAML reads as the same number. A date is plain text, and thus a string that is written
/// back without quotes.
pub(super) fn node(source: &Arc<Source>, span: Span) -> Arc<Node> {
    if let Some(node) = string::node(source, span) {
        return node;
    }
    let raw = source.slice(span);
    let text = match raw {
        "inf" | "+inf" => Text::Owned(".inf".into()),
        "-inf" => Text::Owned("-.inf".into()),
        "nan" | "+nan" | "-nan" => Text::Owned(".nan".into()),
        _ if raw.contains('_') || raw.starts_with('+') => {
            Text::Owned(raw.trim_start_matches('+').replace('_', "").into())
        }
        _ => Text::Verbatim,
    };
    let content = Content::Scalar(Scalar {
        style: ScalarStyle::Plain,
        text,
    });
    Arc::new(Node {
        origin: Some(Origin {
            source: Arc::clone(source),
            span,
        }),
        properties: None,
        content,
    })
}

/// Whether a scalar is a date or time, which stands without quotes.
pub(super) fn is_time(node: &Node) -> bool {
    let is_plain = node
        .as_scalar()
        .is_some_and(|scalar| scalar.style == ScalarStyle::Plain);
    is_plain
        && node
            .as_str()
            .is_some_and(|text| kind(text) == Some(Kind::Time))
}

/// Whether two scalars say the same in TOML.
pub(super) fn is_same(before: &Node, after: &Node) -> bool {
    before.value() == after.value()
        && before.text() == after.text()
        && is_time(before) == is_time(after)
}

/// Spells a scalar; a string between the quotes wanted.
pub(super) fn spell(node: &Node, quote: Quote) -> String {
    let text = node.text().unwrap_or("");
    let known = || {
        kind(text)
            .filter(|kind| matches!(kind, Kind::Integer | Kind::Float))
            .map(|_| text.to_owned())
    };
    match node.value() {
        Some(Value::Bool(value)) => value.to_string(),
        Some(Value::Int(number)) => known().unwrap_or_else(|| number.to_string()),
        Some(Value::UInt(number)) => known().unwrap_or_else(|| number.to_string()),
        Some(Value::Float(number)) => known().unwrap_or_else(|| float(number)),
        _ if is_time(node) => text.to_owned(),
        _ => string::encode(text, quote),
    }
}

fn float(number: f64) -> String {
    if number.is_nan() {
        "nan".to_owned()
    } else {
        format!("{number:?}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_value_is_what_the_grammar_says() {
        let table = [
            ("true", Some(Kind::Boolean)),
            ("0xFF", Some(Kind::Integer)),
            ("1_000", Some(Kind::Integer)),
            ("1.5e3", Some(Kind::Float)),
            ("inf", Some(Kind::Float)),
            ("1979-05-27", Some(Kind::Time)),
            ("1979-05-27 07:32:00Z", Some(Kind::Time)),
            ("07:32:00", Some(Kind::Time)),
            ("017", None),
            ("True", None),
            ("9223372036854775808", None),
            ("1.", None),
            ("1979-02-30", None),
            ("", None),
            ("1 # one", None),
            ("1\n", None),
            ("null", None),
        ];
        for (text, expected) in table {
            assert_eq!(kind(text), expected, "{text:?}");
        }
    }

    #[test]
    fn values_of_yaml_are_spelled_as_toml() {
        let table = [
            ("yes", "true"),
            ("017", "15"),
            ("0x1F", "0x1F"),
            (".5", "0.5"),
            ("1.", "1.0"),
            (".inf", "inf"),
            ("-.inf", "-inf"),
            (".nan", "nan"),
            ("1979-05-27", "1979-05-27"),
            ("text", "\"text\""),
        ];
        for (text, expected) in table {
            assert_eq!(spell(&Node::plain(text), Quote::Basic), expected, "{text}");
        }
        assert_eq!(
            spell(&Node::string("1979-05-27"), Quote::Literal),
            "'1979-05-27'"
        );
        assert_eq!(spell(&Node::string("1"), Quote::Basic), "\"1\"");
    }
}
