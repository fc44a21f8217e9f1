//! Reads and spells TOML's numbers, booleans, dates and times.

use std::sync::Arc;

use super::string::{self, TomlQuote};
use crate::source::{Source, Span};
use crate::yaml::{Content, Node, Origin, Scalar, ScalarStyle, Text, Value};

/// The type of a bare value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BareKind {
    /// `true` or `false`.
    Boolean,
    /// An integer of 64 bits.
    Integer,
    /// Any other number.
    Float,
    /// A date, a time, or both.
    Time,
}

/// Returns the type of `text` as a bare value; `None` if it is not one.
pub(super) fn kind(text: &str) -> Option<BareKind> {
    let begins = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | 't' | 'f' | 'i' | 'n');
    let is_bare =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '_' | '.' | ':' | ' ');
    if !text.starts_with(begins) || !text.chars().all(is_bare) || text.ends_with(' ') {
        return None;
    }
    match text.parse().ok()? {
        toml::Value::Boolean(_) => Some(BareKind::Boolean),
        toml::Value::Integer(_) => Some(BareKind::Integer),
        toml::Value::Float(_) => Some(BareKind::Float),
        toml::Value::Datetime(_) => Some(BareKind::Time),
        toml::Value::String(_) | toml::Value::Array(_) | toml::Value::Table(_) => None,
    }
}

/// Returns the node of the scalar at `span`.
///
/// A number gets a spelling that YAML reads as the same number. A date becomes a plain string,
/// which is written back without quotes.
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

/// Returns whether a scalar is a date or a time, which TOML writes without quotes.
pub(super) fn is_time(node: &Node) -> bool {
    let is_plain = node
        .as_scalar()
        .is_some_and(|scalar| scalar.style == ScalarStyle::Plain);
    is_plain
        && node
            .as_str()
            .is_some_and(|text| kind(text) == Some(BareKind::Time))
}

/// Returns whether two scalars are the same value in TOML.
pub(super) fn is_same(before: &Node, after: &Node) -> bool {
    before.value() == after.value()
        && before.text() == after.text()
        && is_time(before) == is_time(after)
}

/// Spells a scalar. A string gets the quotes `quote`.
pub(super) fn spell(node: &Node, quote: TomlQuote) -> String {
    let text = node.text().unwrap_or("");
    let known = || {
        kind(text)
            .filter(|kind| matches!(kind, BareKind::Integer | BareKind::Float))
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

/// Returns the spelling of `text` as a fraction. TOML distinguishes `2` from `2.0`, so a fraction
/// that becomes 2 has to be written as `2.0`. `inf` and `nan` get their spelling in the tree.
pub(super) fn fraction(text: &str) -> Option<String> {
    let is_decimal = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '_');
    match (text.trim_start_matches('+'), kind(text)?) {
        ("inf", _) => Some(".inf".to_owned()),
        ("-inf", _) => Some("-.inf".to_owned()),
        ("nan" | "-nan", _) => Some(".nan".to_owned()),
        (_, BareKind::Integer) if text.chars().all(is_decimal) => Some(format!("{text}.0")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_bare_values_by_the_grammar() {
        let table = [
            ("true", Some(BareKind::Boolean)),
            ("0xFF", Some(BareKind::Integer)),
            ("1_000", Some(BareKind::Integer)),
            ("1.5e3", Some(BareKind::Float)),
            ("inf", Some(BareKind::Float)),
            ("1979-05-27", Some(BareKind::Time)),
            ("1979-05-27 07:32:00Z", Some(BareKind::Time)),
            ("07:32:00", Some(BareKind::Time)),
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
    fn spells_yaml_values_as_toml() {
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
            assert_eq!(
                spell(&Node::plain(text), TomlQuote::Basic),
                expected,
                "{text}"
            );
        }
        assert_eq!(
            spell(&Node::string("1979-05-27"), TomlQuote::Literal),
            "'1979-05-27'"
        );
        assert_eq!(spell(&Node::string("1"), TomlQuote::Basic), "\"1\"");
    }
}
