//! Data as TOML.
//!
//! Keys stand in the order of their bytes, those with simple values before the tables. What is in a table is indented,
//! and a table in a table once more. A blank line stands before each table at the top and before each table of a list. Where no
//! table can stand, in a list of mixed values, it is written inline.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::golang::{Error, number};
use crate::yaml::Data;

type Table<'a> = BTreeMap<Cow<'a, str>, Data<'a>>;

/// Spells data as TOML, with `step` spaces for each level. Null in a table is left out.
///
/// # Errors
/// Data that is no map, and null in a list, for which TOML has no spelling; output of more than 64 MiB.
pub fn encode(data: &Data<'_>, step: usize) -> Result<String, Error> {
    let Data::Map(table) = data else {
        return Err(Error::new(
            "toml: top-level values must be Go maps or structs",
        ));
    };
    let mut encoder = Encoder {
        output: String::new(),
        step,
        path: Vec::new(),
    };
    encoder.table(table)?;
    Ok(encoder.output)
}

/// Calls itself for each level of the data, which came from a tree and nests no deeper than one.
struct Encoder {
    output: String,
    step: usize,
    /// The keys that lead to the table which is written.
    path: Vec<String>,
}

impl Encoder {
    /// Writes what is in a table: simple values first.
    fn table(&mut self, table: &Table<'_>) -> Result<(), Error> {
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
    fn subtables(&mut self, value: &Data<'_>) -> Result<(), Error> {
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

    fn header(&mut self, open: &str, close: &str, is_set_off: bool) -> Result<(), Error> {
        if is_set_off && !self.output.is_empty() {
            self.output.push('\n');
        }
        self.indent(self.path.len().saturating_sub(1));
        let path = self.path.join(".");
        self.output.extend([open, &path, close, "\n"]);
        Error::if_too_long(&self.output)
    }

    fn indent(&mut self, level: usize) {
        self.output
            .extend(std::iter::repeat_n(' ', self.step * level));
    }

    /// Writes a value on one line.
    fn value(&mut self, value: &Data<'_>) -> Result<(), Error> {
        Error::if_too_long(&self.output)?;
        match value {
            Data::Null => return Err(Error::new("toml: cannot encode array with nil element")),
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
        mut write: impl FnMut(&mut Encoder, T) -> Result<(), Error>,
    ) -> Result<(), Error> {
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

/// Whether a value is written with a header: a table, or a list of nothing but tables.
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

    fn encoded(text: &str, step: usize) -> std::result::Result<String, Error> {
        encode(&Data::of(&tree(text)).unwrap(), step)
    }

    /// YAML, and the lines of TOML for it.
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
    fn tables_are_laid_out_as_the_library_of_ytt_does() {
        for (text, lines) in LAYOUTS {
            let expected: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
            assert_eq!(encoded(text, 2).as_deref(), Ok(expected.as_str()), "{text}");
        }
    }

    #[test]
    fn a_step_may_be_any_number_of_spaces() {
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
    fn values_are_spelled_as_toml_has_them() {
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
    fn keys_are_quoted_where_they_must_be() {
        let text = r#"{a b: 1, é: 2, "": 3, a.b: 4, a-b_C9: 5, "a\"b": 6, "a\nb": 7}"#;
        let expected = "\"\" = 3\n\"a\\nb\" = 7\n\"a b\" = 1\n\"a\\\"b\" = 6\na-b_C9 = 5\n\"a.b\" = 4\n\"é\" = 2\n";
        assert_eq!(encoded(text, 2).unwrap(), expected);
    }

    #[test]
    fn what_toml_cannot_say_is_refused() {
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
    fn what_is_encoded_is_read_back() -> Result<()> {
        for (text, _) in LAYOUTS.iter().filter(|(text, _)| !text.contains('~')) {
            let tree = tree(text);
            let data = Data::of(&tree)?;
            let source = Source::new("test.toml", encode(&data, 2).unwrap()).unwrap();
            assert_eq!(Data::of(&super::super::decode(&source)?)?, data, "{text}");
        }
        Ok(())
    }
}
