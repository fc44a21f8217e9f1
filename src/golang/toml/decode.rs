//! Reads TOML into a tree, with keys in the order of their bytes.

use std::collections::BTreeMap;
use std::sync::Arc;

use toml::{Table, Value};

use crate::source::{Code, Diagnostic, Location, Result, Source, Span};
use crate::yaml::{Data, Node};

/// Reads a TOML text into a mapping. Dates and times become strings.
///
/// # Errors
/// A text that is not TOML.
pub fn decode(source: &Arc<Source>) -> Result<Arc<Node>> {
    let table: Table = source
        .text()
        .parse()
        .map_err(|error| not_toml(source, &error))?;
    Ok(map(table).to_node())
}

/// Returns the error for a text that is not TOML.
pub fn not_toml(source: &Arc<Source>, error: &toml::de::Error) -> Box<Diagnostic> {
    let span = error
        .span()
        .map(|span| Span::new(span.start, span.end.max(span.start)));
    let found = span.map_or("", |span| source.slice(span));
    let place = span.map(|span| Location::new(source, span));
    if is_beyond_64_bits(found) {
        // The message of the crate depends on the type that it tried last.
        let message = format!(
            "not valid TOML: expected a whole number from {} to {}",
            i64::MIN,
            i64::MAX
        );
        return Diagnostic::error(Code::TomlSyntax, message)
            .at(place, "")
            .help("write it in quotes, as text");
    }
    let message = error.message().lines().collect::<Vec<_>>().join(", ");
    Diagnostic::error(Code::TomlSyntax, format!("not valid TOML: {message}")).at(place, "")
}

/// Returns whether a text is a whole number in the spelling of TOML that does not fit an `i64`.
fn is_beyond_64_bits(text: &str) -> bool {
    let (base, digits) = match text.get(..2) {
        Some("0x") => (16, &text[2..]),
        Some("0o") => (8, &text[2..]),
        Some("0b") => (2, &text[2..]),
        _ => (10, text),
    };
    let digits = digits.replace('_', "");
    let unsigned = digits.strip_prefix(['+', '-']).unwrap_or(&digits);
    !unsigned.is_empty()
        && unsigned.chars().all(|digit| digit.is_digit(base))
        && i64::from_str_radix(&digits, base).is_err()
}

/// Converts a value recursively. The parser limits the depth.
fn data(value: Value) -> Data<'static> {
    match value {
        Value::String(text) => Data::String(text.into()),
        Value::Integer(number) => Data::Int(number),
        Value::Float(number) => Data::Float(number),
        Value::Boolean(value) => Data::Bool(value),
        Value::Datetime(time) => Data::String(time.to_string().into()),
        Value::Array(values) => Data::List(values.into_iter().map(data).collect()),
        Value::Table(table) => map(table),
    }
}

fn map(table: Table) -> Data<'static> {
    let entries = table
        .into_iter()
        .map(|(name, value)| (name.into(), data(value)));
    Data::Map(entries.collect::<BTreeMap<_, _>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::canonical_node;

    fn decoded(text: &str) -> Result<Arc<Node>> {
        decode(&Source::new("test.toml", text).unwrap())
    }

    #[test]
    fn reads_toml_into_a_sorted_tree() {
        let table = [
            ("", "{}\n"),
            (
                "b=1\na=2\n[z]\ny=1\nx=2\n[c.d]\ne=1",
                "a: 2\nb: 1\nc:\n  d:\n    e: 1\nz:\n  x: 2\n  \"y\": 1\n",
            ),
            (
                "[[stuff]]\na = 1\n[[stuff]]\nb = 2\n[stuff.d]\ne=1",
                "stuff:\n- a: 1\n- b: 2\n  d:\n    e: 1\n",
            ),
            (
                "a=1.0\nb=1e3\nc=inf\nd=-inf\ne=nan",
                "a: 1\nb: 1000\nc: .inf\nd: -.inf\ne: .nan\n",
            ),
            (
                "f=0xff\ng=0o17\ni=1_000\nj=+5\nk=9223372036854775807",
                "f: 255\ng: 15\ni: 1000\nj: 5\nk: 9223372036854775807\n",
            ),
            (
                "a='yes'\nb=\"\"\"\nq \\\n   r\"\"\"\r\n",
                "a: \"yes\"\nb: q r\n",
            ),
            (
                "b={x=1, y.z=2}\nc.\"d e\"=3",
                "b:\n  x: 1\n  \"y\":\n    z: 2\nc:\n  d e: 3\n",
            ),
            (
                "a=2001-01-01\nb=2001-01-01T10:00:00Z\nc=12:30:00",
                "a: \"2001-01-01\"\nb: \"2001-01-01T10:00:00Z\"\nc: \"12:30:00\"\n",
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
    fn refuses_invalid_toml_with_its_place() {
        for (text, line) in [
            ("a=1\na=2", 2),
            ("a=", 1),
            ("x=1\n[a\nb=1", 2),
            ("a=9223372036854775808", 1),
            ("a = 01", 1),
        ] {
            let diagnostic = decoded(text).unwrap_err();
            assert_eq!(diagnostic.code, Code::TomlSyntax, "{text}");
            assert_eq!(
                diagnostic.labels[0].location.line_column().line,
                line,
                "{text}: {}",
                diagnostic.message
            );
        }
    }

    #[test]
    fn names_the_range_of_a_number_beyond_64_bits() {
        let range = "not valid TOML: expected a whole number from -9223372036854775808 to \
                     9223372036854775807";
        for number in [
            "9223372036854775808",
            "-9223372036854775809",
            "+99999999999999999999",
            "1_000_000_000_000_000_000_000",
            "340282366920938463463374607431768211456",
            "0xFFFFFFFFFFFFFFFF",
            "0o7777777777777777777777777",
        ] {
            for text in [
                format!("a = {number}"),
                format!("a = [1, {{b = {number}}}]"),
            ] {
                let error = decoded(&text).unwrap_err();
                assert_eq!(error.message, range, "{text}");
                assert_eq!(error.help, ["write it in quotes, as text"]);
            }
        }
        let error = decoded("a = 007").unwrap_err();
        assert!(!error.message.contains(range), "{}", error.message);
    }

    #[test]
    fn refuses_deep_nesting() {
        let text = format!("a = {}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(decoded(&text).unwrap_err().code, Code::TomlSyntax);
    }
}
