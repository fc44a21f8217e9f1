//! The value of a variable. It keeps its type if a text consists only of the variable.

use std::sync::Arc;

use crate::yaml::{CoreValue, Node, ShortestFloat, core_value};

/// The value of a variable.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum VarValue {
    Text(String),
    Int(i64),
    Float(f64),
    Bool(bool),
    /// A mapping or a list, which kustomize does not insert.
    Collection,
}

impl VarValue {
    /// Returns the value of a node, or `None` for a number that kustomize does not read here.
    ///
    /// kustomize decides the type with its YAML reader, and then reads the text by Go's rules for
    /// numbers: `017` is 15 elsewhere and 17 here, and `0x10` cannot be read.
    pub(super) fn of(node: &Node) -> Option<VarValue> {
        let Some(text) = node.text() else {
            return Some(VarValue::Collection);
        };
        if node.is_untyped() {
            return Some(VarValue::Text(text.to_owned()));
        }
        Some(match core_value(node).ok()? {
            CoreValue::Bool(value) => VarValue::Bool(value),
            CoreValue::Int(_) | CoreValue::UInt(_) => VarValue::Int(text.parse().ok()?),
            CoreValue::Float(_) => VarValue::Float(text.parse().ok()?),
            CoreValue::String(text) => VarValue::Text(text.into_owned()),
            CoreValue::Null | CoreValue::Timestamp(_) | CoreValue::Binary(_) => {
                VarValue::Text(text.to_owned())
            }
        })
    }

    /// Returns the value as a node of its own type.
    pub(super) fn to_node(&self) -> Arc<Node> {
        match self {
            VarValue::Text(text) => Node::string(&**text),
            VarValue::Int(number) => Node::plain(number.to_string()),
            VarValue::Float(number) => {
                let digits = ShortestFloat::of(*number).map(|float| float.positional());
                Node::plain(digits.unwrap_or_default())
            }
            VarValue::Bool(value) => Node::plain(value.to_string()),
            VarValue::Collection => Node::string(""),
        }
    }

    /// Returns the value as a part of a text, as Go prints it.
    pub(super) fn to_text(&self) -> String {
        match self {
            VarValue::Text(text) => text.clone(),
            VarValue::Int(number) => number.to_string(),
            VarValue::Float(number) => float_text(*number),
            VarValue::Bool(value) => value.to_string(),
            VarValue::Collection => String::new(),
        }
    }
}

/// Prints a float as Go's `%v`: with an exponent below 1e-4 and from 1e6 on.
fn float_text(number: f64) -> String {
    let Some(float) = ShortestFloat::of(number) else {
        return number.to_string();
    };
    let exponent = float.exponent;
    if number == 0.0 || (-4..6).contains(&exponent) {
        return float.positional();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    let digits = exponent.unsigned_abs();
    format!("{}e{sign}{digits:02}", float.mantissa())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_floats_as_go() {
        for (number, text) in [
            (1_000_000.0, "1e+06"),
            (123_456.0, "123456"),
            (1_234_567.0, "1.234567e+06"),
            (0.5, "0.5"),
            (0.000_1, "0.0001"),
            (0.000_01, "1e-05"),
            (-1.5e21, "-1.5e+21"),
            (0.0, "0"),
        ] {
            assert_eq!(float_text(number), text);
        }
    }
}
