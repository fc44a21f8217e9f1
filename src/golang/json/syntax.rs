//! Finds the syntax errors of Go's `encoding/json`, which templates see through `assert.try_to`.
//!
//! Go reads JSON byte by byte. An error names the first byte that is not allowed, and the part of
//! the text in which it was found:
//!
//! ```text
//! {"a" 1}     invalid character '1' after object key
//! [1, 2       unexpected end of JSON input
//! ```
//!
//! The scanner is a state machine like that of Go. `State` is the position in the current value,
//! and a stack of `Part`s describes the collections around it. A number has no closing byte, so the
//! byte after a number ends it and is then handled as the byte after a value.

/// Returns Go's error for a text that is not JSON; `None` for JSON.
pub(super) fn syntax_error(text: &str) -> Option<String> {
    let mut scanner = Scanner {
        state: State::BeginValue,
        open: Vec::new(),
    };
    // A number ends only at the byte after it, so Go appends a space to the text.
    for byte in text.bytes().chain([b' ']) {
        if let Err(context) = scanner.step(byte) {
            return Some(format!("invalid character {} {context}", quoted(byte)));
        }
    }
    let is_whole = scanner.state == State::EndTop;
    (!is_whole).then(|| "unexpected end of JSON input".to_owned())
}

/// The description of the part of the text in which an invalid byte was found.
type Context = String;

/// The scanner's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    BeginValue,
    /// After `[`: a value or `]`.
    BeginValueOrEnd,
    BeginKey,
    /// After `{`: a key or `}`.
    BeginKeyOrEnd,
    EndValue,
    EndTop,
    String(StringState),
    Number(NumberState),
    /// In `true`, `false` or `null`, with the number of bytes that were already read.
    Literal(&'static str, usize),
}

/// The part of a string that is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StringState {
    Text,
    /// After a backslash.
    Escape,
    /// In `\u`, with the number of missing digits.
    Hexadecimal(u8),
}

/// The part of a number that was read last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NumberState {
    Minus,
    /// A `0` at the start.
    Zero,
    Digits,
    Point,
    Fraction,
    Exponent,
    ExponentSign,
    ExponentDigits,
}

/// An open collection, and the part of it that is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Key,
    Member,
    Element,
}

struct Scanner {
    state: State,
    open: Vec<Part>,
}

impl Scanner {
    /// Reads one byte.
    ///
    /// # Errors
    /// The part of the text in which a byte is not allowed.
    fn step(&mut self, byte: u8) -> Result<(), Context> {
        self.state = match self.state {
            State::BeginValue
            | State::BeginValueOrEnd
            | State::BeginKey
            | State::BeginKeyOrEnd
            | State::EndTop
                if is_blank(byte) =>
            {
                self.state
            }
            State::BeginValueOrEnd if byte == b']' => return self.end_value(byte),
            State::BeginValue | State::BeginValueOrEnd => self.begin_value(byte)?,
            State::BeginKeyOrEnd if byte == b'}' => {
                // An empty object ends like an object after its last member.
                self.part(Part::Member);
                return self.end_value(byte);
            }
            State::BeginKey | State::BeginKeyOrEnd if byte == b'"' => {
                State::String(StringState::Text)
            }
            State::BeginKey | State::BeginKeyOrEnd => {
                return wrong("looking for beginning of object key string");
            }
            State::EndTop => return wrong("after top-level value"),
            State::EndValue => return self.end_value(byte),
            State::String(state) => in_string(state, byte)?,
            State::Number(state) => match in_number(state, byte)? {
                Some(next) => State::Number(next),
                None => return self.end_value(byte),
            },
            State::Literal(word, read) => in_literal(word, read, byte)?,
        };
        Ok(())
    }

    /// Reads the first byte of a value.
    fn begin_value(&mut self, byte: u8) -> Result<State, Context> {
        Ok(match byte {
            b'{' => {
                self.open.push(Part::Key);
                State::BeginKeyOrEnd
            }
            b'[' => {
                self.open.push(Part::Element);
                State::BeginValueOrEnd
            }
            b'"' => State::String(StringState::Text),
            b'-' => State::Number(NumberState::Minus),
            b'0' => State::Number(NumberState::Zero),
            b'1'..=b'9' => State::Number(NumberState::Digits),
            b't' => State::Literal("true", 1),
            b'f' => State::Literal("false", 1),
            b'n' => State::Literal("null", 1),
            _ => return wrong("looking for beginning of value"),
        })
    }

    /// Reads the byte after a value.
    fn end_value(&mut self, byte: u8) -> Result<(), Context> {
        if self.open.is_empty() {
            self.state = State::EndTop;
            return self.step(byte);
        }
        if is_blank(byte) {
            self.state = State::EndValue;
            return Ok(());
        }
        match (self.open.last(), byte) {
            (Some(Part::Key), b':') => {
                self.part(Part::Member);
                self.state = State::BeginValue;
            }
            (Some(Part::Key), _) => return wrong("after object key"),
            (Some(Part::Member), b',') => {
                self.part(Part::Key);
                self.state = State::BeginKey;
            }
            (Some(Part::Element), b',') => self.state = State::BeginValue,
            (Some(Part::Member), b'}') | (Some(Part::Element), b']') => {
                self.open.pop();
                self.state = match self.open.is_empty() {
                    true => State::EndTop,
                    false => State::EndValue,
                };
            }
            (Some(Part::Member), _) => return wrong("after object key:value pair"),
            (_, _) => return wrong("after array element"),
        }
        Ok(())
    }

    /// Enters another part of the innermost collection.
    fn part(&mut self, part: Part) {
        if let Some(open) = self.open.last_mut() {
            *open = part;
        }
    }
}

fn wrong<T>(context: &str) -> Result<T, Context> {
    Err(context.to_owned())
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// Reads a byte of a string.
fn in_string(state: StringState, byte: u8) -> Result<State, Context> {
    let next = match (state, byte) {
        (StringState::Text, b'"') => return Ok(State::EndValue),
        (StringState::Text, b'\\') => StringState::Escape,
        (StringState::Text, 0..=0x1f) => return wrong("in string literal"),
        (StringState::Text, _) => StringState::Text,
        (StringState::Escape, b'b' | b'f' | b'n' | b'r' | b't' | b'\\' | b'/' | b'"') => {
            StringState::Text
        }
        (StringState::Escape, b'u') => StringState::Hexadecimal(4),
        (StringState::Escape, _) => return wrong("in string escape code"),
        (StringState::Hexadecimal(missing), _) if byte.is_ascii_hexdigit() => match missing {
            1 => StringState::Text,
            _ => StringState::Hexadecimal(missing - 1),
        },
        (StringState::Hexadecimal(_), _) => return wrong("in \\u hexadecimal character escape"),
    };
    Ok(State::String(next))
}

/// Reads a byte of a number. Returns `None` if the number ends before this byte.
fn in_number(state: NumberState, byte: u8) -> Result<Option<NumberState>, Context> {
    use NumberState::{
        Digits, Exponent, ExponentDigits, ExponentSign, Fraction, Minus, Point, Zero,
    };
    Ok(Some(match (state, byte) {
        (Minus, b'0') => Zero,
        (Minus | Digits, b'0'..=b'9') => Digits,
        (Zero | Digits, b'.') => Point,
        (Point | Fraction, b'0'..=b'9') => Fraction,
        (Zero | Digits | Fraction, b'e' | b'E') => Exponent,
        (Exponent, b'+' | b'-') => ExponentSign,
        (Exponent | ExponentSign | ExponentDigits, b'0'..=b'9') => ExponentDigits,
        (Minus, _) => return wrong("in numeric literal"),
        (Point, _) => return wrong("after decimal point in numeric literal"),
        (Exponent | ExponentSign, _) => return wrong("in exponent of numeric literal"),
        (Zero | Digits | Fraction | ExponentDigits, _) => return Ok(None),
    }))
}

/// Reads a byte of `true`, `false` or `null`, after the first `read` bytes.
fn in_literal(word: &'static str, read: usize, byte: u8) -> Result<State, Context> {
    let expected = word.as_bytes().get(read).copied().unwrap_or_default();
    if byte != expected {
        let expected = char::from(expected);
        return Err(format!("in literal {word} (expecting '{expected}')"));
    }
    Ok(match read + 1 == word.len() {
        true => State::EndValue,
        false => State::Literal(word, read + 1),
    })
}

/// Returns a byte as Go quotes it. Go treats a byte above 127 as the character with that number.
fn quoted(byte: u8) -> String {
    match byte {
        b'\'' => r"'\''".to_owned(),
        b'"' => "'\"'".to_owned(),
        b'\\' => r"'\\'".to_owned(),
        0x07 => r"'\a'".to_owned(),
        0x08 => r"'\b'".to_owned(),
        0x0c => r"'\f'".to_owned(),
        b'\n' => r"'\n'".to_owned(),
        b'\r' => r"'\r'".to_owned(),
        b'\t' => r"'\t'".to_owned(),
        0x0b => r"'\v'".to_owned(),
        0x20..=0x7e | 0xa1..=0xac | 0xae..=0xff => format!("'{}'", char::from(byte)),
        0x00..=0x7f => format!("'\\x{byte:02x}'"),
        _ => format!("'\\u{byte:04x}'"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Recorded from `json.Valid` and `json.Unmarshal` of Go 1.26.
    #[test]
    fn says_what_go_says() {
        let end = "unexpected end of JSON input";
        let cases = [
            ("", end),
            (" ", end),
            ("{\"a\":", end),
            ("{\"a\"", end),
            ("{", end),
            ("[", end),
            ("[1", end),
            ("[1,", end),
            ("\"abc", end),
            ("\"\\", "invalid character ' ' in string escape code"),
            (
                "\"\\u00",
                "invalid character ' ' in \\u hexadecimal character escape",
            ),
            (
                "tru",
                "invalid character ' ' in literal true (expecting 'e')",
            ),
            ("-", "invalid character ' ' in numeric literal"),
            (
                "1.",
                "invalid character ' ' after decimal point in numeric literal",
            ),
            ("1e", "invalid character ' ' in exponent of numeric literal"),
            (
                "1e+",
                "invalid character ' ' in exponent of numeric literal",
            ),
            (
                "nope",
                "invalid character 'o' in literal null (expecting 'u')",
            ),
            (
                "True",
                "invalid character 'T' looking for beginning of value",
            ),
            ("{\"a\" 1}", "invalid character '1' after object key"),
            (
                "{\"a\":1 \"b\":2}",
                "invalid character '\"' after object key:value pair",
            ),
            (
                "{\"a\":1,}",
                "invalid character '}' looking for beginning of object key string",
            ),
            (
                "{a: 1}",
                "invalid character 'a' looking for beginning of object key string",
            ),
            (
                "{,}",
                "invalid character ',' looking for beginning of object key string",
            ),
            (
                "{\"a\":}",
                "invalid character '}' looking for beginning of value",
            ),
            ("[1 2]", "invalid character '2' after array element"),
            (
                "[1,]",
                "invalid character ']' looking for beginning of value",
            ),
            ("[1}", "invalid character '}' after array element"),
            (
                "{\"a\":1]",
                "invalid character ']' after object key:value pair",
            ),
            ("{\"a\":1} x", "invalid character 'x' after top-level value"),
            ("01", "invalid character '1' after top-level value"),
            ("-x", "invalid character 'x' in numeric literal"),
            (
                "1.x",
                "invalid character 'x' after decimal point in numeric literal",
            ),
            (
                "1ex",
                "invalid character 'x' in exponent of numeric literal",
            ),
            (
                "1e+x",
                "invalid character 'x' in exponent of numeric literal",
            ),
            ("\"\\q\"", "invalid character 'q' in string escape code"),
            (
                "\"\\u00g0\"",
                "invalid character 'g' in \\u hexadecimal character escape",
            ),
            ("\"a\tb\"", "invalid character '\\t' in string literal"),
            ("\"\u{1}\"", "invalid character '\\x01' in string literal"),
            (
                "'a'",
                "invalid character '\\'' looking for beginning of value",
            ),
            (
                "\\",
                "invalid character '\\\\' looking for beginning of value",
            ),
            ("é", "invalid character 'Ã' looking for beginning of value"),
            (
                "\u{a0}",
                "invalid character 'Â' looking for beginning of value",
            ),
            ("1\u{7f}", "invalid character '\\x7f' after top-level value"),
        ];
        for (text, expected) in cases {
            assert_eq!(syntax_error(text).as_deref(), Some(expected), "{text:?}");
        }
    }

    #[test]
    fn accepts_json() {
        for text in [
            "1",
            " -0.5e-3 ",
            "0",
            "[]",
            "{}",
            "[[],{}]",
            "null\n",
            "\"\\u00e9\\/\"",
            "{\"a\": [1, {\"b\": null}], \"c\": true}",
        ] {
            assert_eq!(syntax_error(text), None, "{text:?}");
        }
    }
}
