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

fn not_toml(source: &Arc<Source>, error: &toml::de::Error) -> Box<Diagnostic> {
    let place = error
        .span()
        .map(|span| Location::new(source, Span::new(span.start, span.end.max(span.start))));
    let message = error.message().lines().collect::<Vec<_>>().join(", ");
    Diagnostic::error(Code::TomlSyntax, format!("not valid TOML: {message}")).at(place, "")
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
    fn refuses_deep_nesting() {
        let text = format!("a = {}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(decoded(&text).unwrap_err().code, Code::TomlSyntax);
    }
}
