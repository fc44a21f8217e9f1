//! Quotes text like Go's `%q`, for messages.

use std::fmt::Write;

use super::letter_class;

/// Returns bytes in double quotes, with escapes for invisible characters and for bytes that are not
/// UTF-8.
pub fn quote(bytes: &[u8]) -> String {
    let mut quoted = String::from("\"");
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            push(&mut quoted, character);
        }
        for byte in chunk.invalid() {
            let _ = write!(quoted, "\\x{byte:02x}");
        }
    }
    quoted.push('"');
    quoted
}

fn push(quoted: &mut String, character: char) {
    let code = u32::from(character);
    // Writing to a string cannot fail.
    let _ = match character {
        '"' | '\\' => write!(quoted, "\\{character}"),
        '\u{7}' => write!(quoted, "\\a"),
        '\u{8}' => write!(quoted, "\\b"),
        '\u{b}' => write!(quoted, "\\v"),
        '\u{c}' => write!(quoted, "\\f"),
        '\n' => write!(quoted, "\\n"),
        '\r' => write!(quoted, "\\r"),
        '\t' => write!(quoted, "\\t"),
        '\0'..='\u{1f}' | '\u{7f}' => write!(quoted, "\\x{code:02x}"),
        ' '..='~' => write!(quoted, "{character}"),
        _ if letter_class::is_printable(character) => write!(quoted, "{character}"),
        '\u{80}'..='\u{ffff}' => write!(quoted, "\\u{code:04x}"),
        _ => write!(quoted, "\\U{code:08x}"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_invisible_characters() {
        let table: &[(&[u8], &str)] = &[
            (b"a b", r#""a b""#),
            (b"\"\\", r#""\"\\""#),
            (b"\x07\x08\x09\n\x0b\x0c\r", r#""\a\b\t\n\v\f\r""#),
            (b"\x00\x7f", r#""\x00\x7f""#),
            (
                "é😀\u{a0}\u{feff}\u{e0001}".as_bytes(),
                r#""é😀\u00a0\ufeff\U000e0001""#,
            ),
            (b"%\xc3", r#""%\xc3""#),
            // Combining accents are printed as they are, even without a letter.
            ("e\u{301} \u{301}".as_bytes(), "\"e\u{301} \u{301}\""),
        ];
        for (bytes, expected) in table {
            assert_eq!(quote(bytes), *expected);
        }
    }
}
