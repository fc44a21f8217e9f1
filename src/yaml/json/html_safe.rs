//! A document as ytt prints JSON: compact, keys in the order of their bytes, and safe inside of HTML.

use std::sync::Arc;

use super::writer::json_string;
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::canonical::scalar::check_tag;
use crate::yaml::value::{Tag, decode_binary};
use crate::yaml::{Content, Mapping, Node, Sequence, Value, expand};

/// Prints the value of a tree as Go's `encoding/json` does: no white space, keys sorted, `<`, `>`, `&` and the line
/// separators of Unicode escaped, floats without a point where they are whole.
///
/// # Errors
/// [`Code::ValueDoesNotFit`] for infinity, NaN, and a key that is not a string; the errors of [`expand`].
pub fn html_safe_json(node: &Arc<Node>) -> Result<String> {
    let mut text = String::new();
    write(expand(node)?.as_ref(), &mut text)?;
    Ok(text)
}

/// The depth is bounded by [`expand`].
fn write(node: &Node, text: &mut String) -> Result<()> {
    match &node.content {
        Content::Mapping(mapping) => write_mapping(mapping, text),
        Content::Sequence(sequence) => write_sequence(sequence, text),
        Content::Scalar(_) | Content::Alias(_) => write_scalar(node, text),
    }
}

fn write_mapping(mapping: &Mapping, text: &mut String) -> Result<()> {
    let mut entries = Vec::with_capacity(mapping.entries.len());
    for entry in &mapping.entries {
        entries.push((string_key(&entry.key)?, &entry.value));
    }
    entries.sort_by_key(|(key, _)| *key);
    text.push('{');
    for (index, (key, value)) in entries.into_iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        write_string(key, text);
        text.push(':');
        write(value, text)?;
    }
    text.push('}');
    Ok(())
}

fn string_key(key: &Node) -> Result<&str> {
    match key.value() {
        Some(Value::String(text)) => Ok(text),
        _ => Err(Diagnostic::error(Code::ValueDoesNotFit, format!("expected a string as key, found a {}", key.kind()))
            .at(key.location(), "JSON has no other keys")
            .help("put the key in quotes")),
    }
}

fn write_sequence(sequence: &Sequence, text: &mut String) -> Result<()> {
    text.push('[');
    for (index, item) in sequence.items.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        write(&item.value, text)?;
    }
    text.push(']');
    Ok(())
}

fn write_scalar(node: &Node, text: &mut String) -> Result<()> {
    check_tag(node)?;
    match node.value().unwrap_or(Value::Null) {
        Value::Null => text.push_str("null"),
        Value::Bool(value) => text.push_str(if value { "true" } else { "false" }),
        Value::Int(number) => text.push_str(&number.to_string()),
        Value::UInt(number) => text.push_str(&number.to_string()),
        Value::Float(number) if number.is_finite() => text.push_str(&float(number)),
        Value::Float(number) => {
            let found = if number.is_nan() { "NaN" } else { "infinity" };
            let message = format!("expected a number that JSON can spell, found {found}");
            return Err(Diagnostic::error(Code::ValueDoesNotFit, message)
                .at(node.location(), "")
                .help("JSON has no NaN and no infinity: write `null` or a string"));
        }
        Value::String(value) if node.tag().is_some_and(|tag| Tag::of(tag) == Tag::Binary) => {
            write_string(&String::from_utf8_lossy(&decode_binary(value).unwrap_or_default()), text);
        }
        Value::String(value) => write_string(value, text),
    }
    Ok(())
}

/// Go's format: an exponent below 1e-6 and from 1e21 on, with a sign and no leading zero.
fn float(number: f64) -> String {
    let magnitude = number.abs();
    if magnitude == 0.0 || (1e-6..1e21).contains(&magnitude) {
        return number.to_string();
    }
    let text = format!("{number:e}");
    match text.split_once('e') {
        Some((digits, exponent)) if !exponent.starts_with('-') => format!("{digits}e+{exponent}"),
        _ => text,
    }
}

fn write_string(value: &str, text: &mut String) {
    let plain = json_string(value);
    if !plain.contains(['<', '>', '&', '\u{2028}', '\u{2029}']) {
        text.push_str(&plain);
        return;
    }
    for c in plain.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => text.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => text.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::yaml::parse;

    fn print(text: &str) -> Result<String> {
        html_safe_json(&parse(&Source::new("test.yml", text).unwrap()).unwrap().documents[0].root)
    }

    #[test]
    fn values_are_printed_as_go_prints_them() {
        let table = [
            ("b: 1\na: {d: null, c: yes}\n", r#"{"a":{"c":true,"d":null},"b":1}"#),
            (
                "[1.0, 1.50, 1e3, 1e20, 1e21, 0.000001, 0.0000001, -0.0]",
                "[1,1.5,1000,100000000000000000000,1e+21,0.000001,1e-7,-0]",
            ),
            ("[010, 0x10, 18446744073709551615, 2001-01-01, '1']", r#"[8,16,18446744073709551615,"2001-01-01","1"]"#),
            ("<a href=\"&\">", r#""\u003ca href=\"\u0026\"\u003e""#),
            ("\"\\L\\P\\t\\a\"", r#""\u2028\u2029\t\u0007""#),
            ("a: &x {b: 1}\nc: {<<: *x, b: 2}\n", r#"{"a":{"b":1},"c":{"b":2}}"#),
            ("!!binary aGk=", r#""hi""#),
            ("a: 1\na: 2\n", r#"{"a":2}"#),
        ];
        for (text, expected) in table {
            assert_eq!(print(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn what_json_cannot_hold_is_an_error() {
        let table = [
            ("1: a", "expected a string as key, found a number"),
            ("y: a", "expected a string as key, found a boolean"),
            ("? [a]\n: b", "expected a string as key, found a list"),
            (".nan", "expected a number that JSON can spell, found NaN"),
            ("!!int x", "expected an integer, found a string"),
        ];
        for (text, expected) in table {
            assert_eq!(print(text).unwrap_err().message, expected, "{text}");
        }
    }
}
