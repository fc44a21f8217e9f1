//! Writes data as JSON, as `json.Marshal` does: keys in the order of their bytes, floats in Go's
//! format.

use crate::golang::{GoError, number};
use crate::yaml::Data;

/// The layout of JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonLayout {
    /// The number of spaces for each level; 0 writes everything on one line without spaces.
    pub indent: usize,
    /// Whether `<`, `>` and `&` are escaped, so that the text is safe inside HTML.
    pub escape_html: bool,
}

impl Default for JsonLayout {
    /// Returns the layout of `json.Marshal`: on one line, safe inside HTML.
    fn default() -> JsonLayout {
        JsonLayout {
            indent: 0,
            escape_html: true,
        }
    }
}

/// Writes data as JSON.
///
/// # Errors
/// Data that contains infinity or NaN, or whose JSON text would be longer than 64 MiB due to
/// indentation and escapes.
pub fn encode(data: &Data<'_>, layout: JsonLayout) -> Result<String, GoError> {
    let mut encoder = JsonEncoder {
        output: String::new(),
        layout,
        depth: 0,
    };
    encoder.value(data)?;
    Ok(encoder.output)
}

/// Writes values recursively. Data comes from a tree, so its depth has the same limit.
struct JsonEncoder {
    output: String,
    layout: JsonLayout,
    depth: usize,
}

impl JsonEncoder {
    fn value(&mut self, data: &Data<'_>) -> Result<(), GoError> {
        match data {
            Data::Null => self.output.push_str("null"),
            Data::Bool(value) => self.output.push_str(if *value { "true" } else { "false" }),
            Data::Int(number) => self.output.push_str(&number.to_string()),
            Data::UInt(number) => self.output.push_str(&number.to_string()),
            Data::Float(number) => self
                .output
                .push_str(&number::json(*number).ok_or_else(|| unsupported(*number))?),
            Data::String(text) => self.string(text)?,
            Data::List(values) => {
                self.collection('[', ']', values, |encoder, value| encoder.value(value))?;
            }
            Data::Map(values) => {
                self.collection('{', '}', values, |encoder, (key, value)| {
                    encoder.string(key)?;
                    encoder
                        .output
                        .push_str(if encoder.layout.indent > 0 { ": " } else { ":" });
                    encoder.value(value)
                })?;
            }
        }
        Ok(())
    }

    fn collection<T>(
        &mut self,
        open: char,
        close: char,
        values: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut JsonEncoder, T) -> Result<(), GoError>,
    ) -> Result<(), GoError> {
        self.output.push(open);
        self.depth += 1;
        let mut is_empty = true;
        for value in values {
            if !is_empty {
                self.output.push(',');
            }
            is_empty = false;
            self.new_line()?;
            write(self, value)?;
        }
        self.depth -= 1;
        if !is_empty {
            self.new_line()?;
        }
        self.output.push(close);
        Ok(())
    }

    fn new_line(&mut self) -> Result<(), GoError> {
        if self.layout.indent == 0 {
            return Ok(());
        }
        self.output.push('\n');
        self.output
            .extend(std::iter::repeat_n(' ', self.layout.indent * self.depth));
        GoError::if_too_long(&self.output)
    }

    fn string(&mut self, text: &str) -> Result<(), GoError> {
        self.output.push('"');
        for character in text.chars() {
            self.character(character)?;
        }
        self.output.push('"');
        GoError::if_too_long(&self.output)
    }

    fn character(&mut self, character: char) -> Result<(), GoError> {
        match character {
            '"' | '\\' => self.output.extend(['\\', character]),
            '\u{8}' => self.output.push_str("\\b"),
            '\u{c}' => self.output.push_str("\\f"),
            '\n' => self.output.push_str("\\n"),
            '\r' => self.output.push_str("\\r"),
            '\t' => self.output.push_str("\\t"),
            '<' | '>' | '&' if !self.layout.escape_html => self.output.push(character),
            // Go always escapes the separators U+2028 and U+2029, because JavaScript ends a line at
            // them.
            '\0'..='\u{1f}' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                self.output
                    .push_str(&format!("\\u{:04x}", u32::from(character)));
                // One byte becomes six, so the length is checked here too.
                return GoError::if_too_long(&self.output);
            }
            _ => self.output.push(character),
        }
        Ok(())
    }
}

fn unsupported(number: f64) -> GoError {
    let name = match number {
        _ if number.is_nan() => "NaN",
        _ if number > 0.0 => "+Inf",
        _ => "-Inf",
    };
    GoError::new(format!("json: unsupported value: {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::yaml::parse;

    fn encoded(text: &str, layout: JsonLayout) -> String {
        let source = Source::new("test.yml", text).unwrap();
        let stream = parse(&source).unwrap();
        encode(&Data::of(&stream.documents[0].root).unwrap(), layout).unwrap()
    }

    #[test]
    fn writes_compact_and_sorted_json() {
        let table = [
            ("{}", "{}"),
            ("[]", "[]"),
            ("~", "null"),
            (
                "{b: str, a: [1, 2, 3, {c: 456}]}",
                r#"{"a":[1,2,3,{"c":456}],"b":"str"}"#,
            ),
            (
                "fragment: [piece1, {piece2: yes, piece1: no}]",
                r#"{"fragment":["piece1",{"piece1":false,"piece2":true}]}"#,
            ),
            (
                "[0x10, 1.0, 1e21, 18446744073709551615]",
                "[16,1,1e+21,18446744073709551615]",
            ),
        ];
        for (text, expected) in table {
            assert_eq!(encoded(text, JsonLayout::default()), expected);
        }
    }

    #[test]
    fn indented_json_has_a_line_for_each_value_but_none_in_empty_collections() {
        let layout = JsonLayout {
            indent: 2,
            ..JsonLayout::default()
        };
        let expected = "{\n  \"a\": [],\n  \"b\": {},\n  \"c\": [\n    {}\n  ],\n  \"d\": [\n    1,\n    [\n      2\n    ]\n  ]\n}";
        assert_eq!(
            encoded("{a: [], b: {}, c: [{}], d: [1, [2]]}", layout),
            expected
        );
        assert_eq!(encoded("[]", layout), "[]");
    }

    #[test]
    fn characters_are_escaped_as_go_escapes_them() {
        let text = Data::String("a\u{2028}b\u{7f}\0\u{1f}\t\n\r\u{8}\u{c}/'\"\\<>&é😀".into());
        let html = JsonLayout::default();
        let plain = JsonLayout {
            escape_html: false,
            ..html
        };
        let head = "\"a\\u2028b\u{7f}\\u0000\\u001f\\t\\n\\r\\b\\f/'\\\"\\\\";
        assert_eq!(
            encode(&text, html).unwrap(),
            format!("{head}\\u003c\\u003e\\u0026é😀\"")
        );
        assert_eq!(encode(&text, plain).unwrap(), format!("{head}<>&é😀\""));
    }

    #[test]
    fn indentation_cannot_fill_the_memory() {
        let wide = Data::List(vec![Data::Null; 100_000]);
        let deep = (0..200).fold(wide, |data, _| Data::List(vec![data]));
        assert!(encode(&deep, JsonLayout::default()).is_ok());
        let message = encode(
            &deep,
            JsonLayout {
                indent: 8,
                ..JsonLayout::default()
            },
        )
        .unwrap_err()
        .to_string();
        assert!(message.starts_with("expected an output of at most 67108864 bytes"));
    }

    #[test]
    fn escapes_cannot_fill_the_memory() {
        let message = encode(
            &Data::String("\u{1}".repeat(12_000_000).into()),
            JsonLayout::default(),
        )
        .unwrap_err();
        let message = message.to_string();
        assert!(message.starts_with("expected an output of at most 67108864 bytes"));
    }

    #[test]
    fn a_number_without_a_spelling_is_refused() {
        for (number, name) in [
            (f64::NAN, "NaN"),
            (f64::INFINITY, "+Inf"),
            (f64::NEG_INFINITY, "-Inf"),
        ] {
            let message = encode(&Data::Float(number), JsonLayout::default())
                .unwrap_err()
                .to_string();
            assert_eq!(message, format!("json: unsupported value: {name}"));
        }
    }
}
