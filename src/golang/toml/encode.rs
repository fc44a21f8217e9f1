//! Writes data as TOML, in the layout of `BurntSushi/toml`.
//!
//! ```toml
//! x = 1              # simple values first, in the order of their keys
//!                    # a blank line before a top-level table
//! [m]
//!   y = 2            # indented once for each level of the path
//!   [m.k]            # no blank line before a nested table
//!     o = 3
//!
//!   [[m.list]]       # but before each table of a list
//!     p = 4
//! ```
//!
//! A table inside a list of mixed values cannot have a header, so it is written inline:
//! `a = [{b = 1}, 2]`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::golang::{GoError, number};
use crate::yaml::Data;

type SortedTable<'a> = BTreeMap<Cow<'a, str>, Data<'a>>;

/// Writes data as TOML, with `step` spaces for each level. Null in a table is left out.
///
/// # Errors
/// Data that is not a map, contains null in a list, which TOML cannot express, or has more than 64
/// MiB as TOML.
pub fn encode(data: &Data<'_>, step: usize) -> Result<String, GoError> {
    let Data::Map(table) = data else {
        return Err(GoError::new(
            "toml: top-level values must be Go maps or structs",
        ));
    };
    let mut encoder = TomlEncoder {
        output: String::new(),
        step,
        path: Vec::new(),
    };
    encoder.table(table)?;
    Ok(encoder.output)
}

/// Writes values recursively. Data comes from a tree, so its depth has the same limit.
struct TomlEncoder {
    output: String,
    step: usize,
    /// The keys from the root to the current table, quoted if needed.
    path: Vec<String>,
}

impl TomlEncoder {
    /// Writes the content of a table. Simple values come first, because values after a header
    /// belong to the table of that header.
    fn table(&mut self, table: &SortedTable<'_>) -> Result<(), GoError> {
        let (tables, values): (Vec<_>, Vec<_>) = table
            .iter()
            .filter(|(_, value)| **value != Data::Null)
            .partition(|(_, value)| is_table_like(value));
        for (name, value) in values {
            self.indent(self.path.len());
            self.output.push_str(&key(name));
            self.output.push_str(" = ");
            self.value(value)?;
            self.output.push('\n');
        }
        for (name, value) in tables {
            self.path.push(key(name));
            self.subtables(value)?;
            self.path.pop();
        }
        Ok(())
    }

    /// Writes a table, or a list of tables, with headers.
    fn subtables(&mut self, value: &Data<'_>) -> Result<(), GoError> {
        match value {
            Data::Map(table) => {
                self.header("[", "]", self.path.len() == 1)?;
                self.table(table)
            }
            Data::List(tables) => {
                for table in tables {
                    self.header("[[", "]]", true)?;
                    if let Data::Map(table) = table {
                        self.table(table)?;
                    }
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn header(&mut self, open: &str, close: &str, is_set_off: bool) -> Result<(), GoError> {
        if is_set_off && !self.output.is_empty() {
            self.output.push('\n');
        }
        self.indent(self.path.len().saturating_sub(1));
        let path = self.path.join(".");
        self.output.extend([open, &path, close, "\n"]);
        GoError::if_too_long(&self.output)
    }

    fn indent(&mut self, level: usize) {
        self.output
            .extend(std::iter::repeat_n(' ', self.step * level));
    }

    /// Writes a value on one line.
    fn value(&mut self, value: &Data<'_>) -> Result<(), GoError> {
        GoError::if_too_long(&self.output)?;
        match value {
            Data::Null => return Err(GoError::new("toml: cannot encode array with nil element")),
            Data::Bool(value) => self.output.push_str(if *value { "true" } else { "false" }),
            Data::Int(number) => self.output.push_str(&number.to_string()),
            Data::UInt(number) => self.output.push_str(&number.to_string()),
            Data::Float(number) => self.output.push_str(&number::toml(*number)),
            Data::String(text) => self.output.push_str(&quoted(text)),
            Data::List(values) => {
                self.inline("[", "]", values, |encoder, value| encoder.value(value))?
            }
            Data::Map(table) => {
                let entries = table.iter().filter(|(_, value)| **value != Data::Null);
                self.inline("{", "}", entries, |encoder, (name, value)| {
                    encoder.output.push_str(&key(name));
                    encoder.output.push_str(" = ");
                    encoder.value(value)
                })?;
            }
        }
        Ok(())
    }

    fn inline<T>(
        &mut self,
        open: &str,
        close: &str,
        values: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut TomlEncoder, T) -> Result<(), GoError>,
    ) -> Result<(), GoError> {
        self.output.push_str(open);
        for (index, value) in values.into_iter().enumerate() {
            if index > 0 {
                self.output.push_str(", ");
            }
            write(self, value)?;
        }
        self.output.push_str(close);
        Ok(())
    }
}

/// Returns whether a value is written with a header: a table, or a list that contains only tables.
fn is_table_like(value: &Data<'_>) -> bool {
    match value {
        Data::Map(_) => true,
        Data::List(values) => {
            !values.is_empty() && values.iter().all(|value| matches!(value, Data::Map(_)))
        }
        _ => false,
    }
}

fn key(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(is_bare) {
        name.to_owned()
    } else {
        quoted(name)
    }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\u{8}' => quoted.push_str("\\b"),
            '\t' => quoted.push_str("\\t"),
            '\n' => quoted.push_str("\\n"),
            '\u{c}' => quoted.push_str("\\f"),
            '\r' => quoted.push_str("\\r"),
            '\0'..='\u{1f}' | '\u{7f}' => {
                quoted.push_str(&format!("\\u{:04x}", u32::from(character)))
            }
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Result, Source};
    use crate::yaml::{Node, parse};
    use std::sync::Arc;

    fn tree(text: &str) -> Arc<Node> {
        let source = Source::new("test.yml", text).unwrap();
        Arc::clone(&parse(&source).unwrap().documents[0].root)
    }

    fn encoded(text: &str, step: usize) -> std::result::Result<String, GoError> {
        encode(&Data::of(&tree(text)).unwrap(), step)
    }

    /// YAML texts, and the lines of TOML for each of them.
    const LAYOUTS: &[(&str, &[&str])] = &[
        ("{}", &[]),
        (
            "{b: str, a: [1, 2, 3, 456]}",
            &["a = [1, 2, 3, 456]", "b = \"str\""],
        ),
        ("{a: ~, b: 1}", &["b = 1"]),
        (
            "{m: {k: {o: 1}}, x: 1}",
            &["x = 1", "", "[m]", "  [m.k]", "    o = 1"],
        ),
        ("{m: {}, x: {w: {}}}", &["[m]", "", "[x]", "  [x.w]"]),
        (
            "{m: {k: {o: {p: 2}, q: 1}}, x: 1, z: {w: 2}}",
            &[
                "x = 1",
                "",
                "[m]",
                "  [m.k]",
                "    q = 1",
                "    [m.k.o]",
                "      p = 2",
                "",
                "[z]",
                "  w = 2",
            ],
        ),
        (
            "{arr: [{a: 1, b: {c: 1}}, {a: 2, d: [{e: 1}, {f: 2}]}]}",
            &[
                "[[arr]]",
                "  a = 1",
                "  [arr.b]",
                "    c = 1",
                "",
                "[[arr]]",
                "  a = 2",
                "",
                "  [[arr.d]]",
                "    e = 1",
                "",
                "  [[arr.d]]",
                "    f = 2",
            ],
        ),
        (
            "{a: {x: [{b: {c: [{d: 1}]}}]}}",
            &[
                "[a]",
                "",
                "  [[a.x]]",
                "    [a.x.b]",
                "",
                "      [[a.x.b.c]]",
                "        d = 1",
            ],
        ),
        (
            "{arr: [{}, {b: ~}, {a: 1}]}",
            &["[[arr]]", "", "[[arr]]", "", "[[arr]]", "  a = 1"],
        ),
        (
            "{t: {v: 1, w: [{q: 1}], u: {r: 2}}}",
            &[
                "[t]",
                "  v = 1",
                "  [t.u]",
                "    r = 2",
                "",
                "  [[t.w]]",
                "    q = 1",
            ],
        ),
        (
            "{c: [[]], a: {b: []}}",
            &["c = [[]]", "", "[a]", "  b = []"],
        ),
        (
            "{'q x': {y.z: {'': {a: 1}}}}",
            &[
                "[\"q x\"]",
                "  [\"q x\".\"y.z\"]",
                "    [\"q x\".\"y.z\".\"\"]",
                "      a = 1",
            ],
        ),
        ("{arr: [{a: 1}, 1]}", &["arr = [{a = 1}, 1]"]),
        (
            "{arr: [[{b c: [1, {d: ~, e: {f: 2}}], a: 1}], []]}",
            &["arr = [[{a = 1, \"b c\" = [1, {e = {f = 2}}]}], []]"],
        ),
        ("{arr: [[{b: ~, a: 1}]]}", &["arr = [[{a = 1}]]"]),
    ];

    #[test]
    fn lays_out_tables_like_the_library_of_ytt() {
        for (text, lines) in LAYOUTS {
            let expected: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
            assert_eq!(encoded(text, 2).as_deref(), Ok(expected.as_str()), "{text}");
        }
    }

    #[test]
    fn indents_by_any_number_of_spaces() {
        assert_eq!(
            encoded("{m: {k: {o: 1}}}", 4).unwrap(),
            "[m]\n    [m.k]\n        o = 1\n"
        );
        assert_eq!(
            encoded("{m: {k: {o: 1}}}", 1).unwrap(),
            "[m]\n [m.k]\n  o = 1\n"
        );
    }

    #[test]
    fn writes_values_in_toml_syntax() {
        let table = [
            (
                "[true, 1, x, 1.5, [1, [2]]]",
                "[true, 1, \"x\", 1.5, [1, [2]]]",
            ),
            ("1e21", "1000000000000000000000.0"),
            ("18446744073709551615", "18446744073709551615"),
            ("2001-01-01", "\"2001-01-01\""),
            (
                r#""a\"b\\c\nd\te\0\x7f\x1f\b\f\ré😀'""#,
                r#""a\"b\\c\nd\te\u0000\u007f\u001f\b\f\ré😀'""#,
            ),
        ];
        for (value, expected) in table {
            assert_eq!(
                encoded(&format!("a: {value}"), 2).unwrap(),
                format!("a = {expected}\n")
            );
        }
    }

    #[test]
    fn quotes_keys_only_if_needed() {
        let text = r#"{a b: 1, é: 2, "": 3, a.b: 4, a-b_C9: 5, "a\"b": 6, "a\nb": 7}"#;
        let expected = "\"\" = 3\n\"a\\nb\" = 7\n\"a b\" = 1\n\"a\\\"b\" = 6\na-b_C9 = 5\n\"a.b\" = 4\n\"é\" = 2\n";
        assert_eq!(encoded(text, 2).unwrap(), expected);
    }

    #[test]
    fn refuses_what_toml_cannot_express() {
        for text in ["1", "x", "~", "[1]", "[{a: 1}]"] {
            let message = encoded(text, 2).unwrap_err().to_string();
            assert_eq!(message, "toml: top-level values must be Go maps or structs");
        }
        for text in ["a: [1, ~]", "a: [~]", "a: [{b: 1}, ~]", "a: [[~]]"] {
            assert_eq!(
                encoded(text, 2).unwrap_err().to_string(),
                "toml: cannot encode array with nil element"
            );
        }
    }

    #[test]
    fn reads_back_what_was_encoded() -> Result<()> {
        for (text, _) in LAYOUTS.iter().filter(|(text, _)| !text.contains('~')) {
            let tree = tree(text);
            let data = Data::of(&tree)?;
            let source = Source::new("test.toml", encode(&data, 2).unwrap()).unwrap();
            assert_eq!(Data::of(&super::super::decode(&source)?)?, data, "{text}");
        }
        Ok(())
    }
}
