//! Texts in the quotes of Go's `%q`, for messages.

use std::fmt::Write;

/// Bytes in double quotes, with escapes for what cannot be seen.
pub(super) fn quote(bytes: &[u8]) -> String {
    let mut quoted = String::from("\"");
    for chunk in bytes.utf8_chunks() {
        chunk
            .valid()
            .chars()
            .for_each(|character| push(&mut quoted, character));
        for byte in chunk.invalid() {
            let _ = write!(quoted, "\\x{byte:02x}");
        }
    }
    quoted.push('"');
    quoted
}

fn push(quoted: &mut String, character: char) {
    let code = u32::from(character);
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
        _ if is_visible(character) => write!(quoted, "{character}"),
        '\u{80}'..='\u{ffff}' => write!(quoted, "\\u{code:04x}"),
        _ => write!(quoted, "\\U{code:08x}"),
    };
}

fn is_visible(character: char) -> bool {
    !character.is_control() && !character.is_whitespace() && character.escape_debug().len() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_escaped() {
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
        ];
        for (bytes, expected) in table {
            assert_eq!(quote(bytes), *expected);
        }
    }
}
