//! Checks numbers and strings by the rules of ytt, which differ from those of the crate.
//!
//! | ytt | crate |
//! | --- | --- |
//! | `"\xc3\xa9"` is `é`: an escape is a byte | `Ã©`: an escape is a character |
//! | `"\400"`, `1e400` are errors | `Ā`, infinity |
//! | `00`, `01.5`, `0X1F` are numbers | errors |

use super::error::DialectError;
use super::lexer::{self, StarlarkToken, StarlarkTokenKind};
use super::rewrite::Rewrite;
use crate::source::Span;

/// Returns the rewrites of all numbers and strings.
///
/// # Errors
/// A literal that is not Starlark, with ytt's message, and a string that is not UTF-8.
pub(super) fn rewrites(text: &str, tokens: &[StarlarkToken]) -> Result<Vec<Rewrite>, DialectError> {
    let mut rewrites = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            StarlarkTokenKind::Number => {
                let before = index.checked_sub(1).and_then(|before| tokens.get(before));
                // The `00` of `x.00` is not a separate number.
                let is_fraction =
                    before.is_some_and(|dot| dot.is(b'.') && dot.span.end() == token.span.start());
                if !is_fraction {
                    number(text, token, &mut rewrites)?;
                }
                float(text, &tokens[index..])?;
            }
            StarlarkTokenKind::String { prefix: 0 } => {
                escapes(token.text(text), token.span.start(), &mut rewrites)?;
            }
            _ => {}
        }
    }
    Ok(rewrites)
}

/// Checks and rewrites a number that begins with `0`. Other numbers have the same meaning for ytt
/// and the crate.
fn number(
    text: &str,
    token: &StarlarkToken,
    rewrites: &mut Vec<Rewrite>,
) -> Result<(), DialectError> {
    let literal = token.text(text);
    let error = |message: &str| Err(DialectError::syntax(message, token.span));
    let Some(rest) = literal.strip_prefix('0').filter(|rest| !rest.is_empty()) else {
        return Ok(());
    };
    if let Some(base) = NumberBase::of_letter(rest) {
        let first_digit = rest.chars().nth(1);
        if !first_digit.is_some_and(|digit| digit.is_digit(base.radix)) {
            return error(&format!("invalid {} literal", base.name));
        }
        if rest.starts_with(|letter: char| letter.is_ascii_uppercase()) {
            rewrites.push(Rewrite::replace(token.span, literal.to_ascii_lowercase()));
        }
        return Ok(());
    }
    if literal.bytes().all(|byte| byte == b'0') {
        rewrites.push(Rewrite::replace(token.span, "0"));
        return Ok(());
    }
    if literal.bytes().all(|byte| byte.is_ascii_digit()) {
        return match rest.bytes().all(|byte| byte <= b'7') {
            true => error(&format!("obsolete form of octal literal; use 0o{rest}")),
            false => error("invalid int literal"),
        };
    }
    if literal.contains(['.', 'e', 'E']) {
        remove_leading_zeros(literal, token.span.start(), rewrites);
    }
    Ok(())
}

/// The base of a number with a letter, such as `0x1f`.
struct NumberBase {
    radix: u32,
    /// The name in ytt's messages.
    name: &'static str,
}

impl NumberBase {
    /// Returns the base of a number whose text after the `0` is `rest`.
    fn of_letter(rest: &str) -> Option<NumberBase> {
        let (radix, name) = match rest.as_bytes().first()? {
            b'x' | b'X' => (16, "hex"),
            b'o' | b'O' => (8, "octal"),
            b'b' | b'B' => (2, "binary"),
            _ => return None,
        };
        Some(NumberBase { radix, name })
    }
}

/// Removes the leading zeros of a float, which the crate does not accept: `01.5` becomes `1.5`, but
/// `00.5` becomes `0.5`.
fn remove_leading_zeros(literal: &str, start: usize, rewrites: &mut Vec<Rewrite>) {
    let zeros = literal.len() - literal.trim_start_matches('0').len();
    let next = literal.as_bytes().get(zeros);
    let has_other_digits = next.is_some_and(u8::is_ascii_digit);
    let surplus = if has_other_digits { zeros } else { zeros - 1 };
    if surplus > 0 {
        rewrites.push(Rewrite::replace(Span::new(start, start + surplus), ""));
    }
}

/// Refuses a float that is too large. Its exponent may be a separate token: `1e` `+` `400`.
fn float(text: &str, tokens: &[StarlarkToken]) -> Result<(), DialectError> {
    let Some(first) = tokens.first() else {
        return Ok(());
    };
    let literal = first.text(text);
    let is_hexadecimal = literal.starts_with("0x") || literal.starts_with("0X");
    if is_hexadecimal || !literal.contains(['e', 'E']) {
        return Ok(());
    }
    let mut span = first.span;
    if literal.ends_with(['e', 'E'])
        && let [_, sign, exponent, ..] = tokens
        && (sign.is(b'+') || sign.is(b'-'))
        && sign.span.start() == span.end()
        && exponent.span.start() == sign.span.end()
    {
        span = span.to(exponent.span);
    }
    let number = text.get(span.range()).unwrap_or_default();
    match number.parse::<f64>() {
        Ok(number) if number.is_infinite() => {
            Err(DialectError::syntax("invalid float literal", span))
        }
        _ => Ok(()),
    }
}

/// An escape of one byte in a string: `\xc3` or `\303`.
struct ByteEscape {
    byte: u8,
    /// Its length in the program, in bytes.
    length: usize,
}

/// Replaces the escapes of bytes that form one character together.
fn escapes(literal: &str, start: usize, rewrites: &mut Vec<Rewrite>) -> Result<(), DialectError> {
    let bytes = literal.as_bytes();
    let mut at = 0;
    while let Some(found) = literal.get(at..).and_then(|rest| rest.find('\\')) {
        let first = at + found;
        at = first;
        let mut run = Vec::new();
        // Bytes from 128 on are parts of characters. The bytes of one character are consecutive.
        while let Some(escape) = byte_escape(literal, at, start)? {
            if escape.byte < 0x80 {
                break;
            }
            run.push(escape.byte);
            at += escape.length;
        }
        if run.is_empty() {
            // Also skip the character after the backslash, which may itself be a backslash.
            at = first + 1;
            at += literal
                .get(at..)
                .and_then(|rest| rest.chars().next())
                .map_or(1, char::len_utf8);
            at = at.min(bytes.len());
            continue;
        }
        let span = Span::new(start + first, start + at);
        let Ok(decoded) = String::from_utf8(run) else {
            return Err(DialectError::syntax(
                "expected escapes that form UTF-8 text, found other bytes",
                span,
            )
            .help("strings contain only text; `!!binary` keeps bytes"));
        };
        rewrites.push(Rewrite::replace(span, decoded));
    }
    Ok(())
}

/// Returns the escape of a byte that begins at `at`, if there is one.
fn byte_escape(literal: &str, at: usize, start: usize) -> Result<Option<ByteEscape>, DialectError> {
    let Some(rest) = literal.get(at..).and_then(|rest| rest.strip_prefix('\\')) else {
        return Ok(None);
    };
    let error = |kind: &str, escape: &str| {
        let span = Span::new(start + at, start + at + 1 + escape.len());
        Err(DialectError::syntax(
            format!("{kind} escape sequence \\{escape}"),
            span,
        ))
    };
    if let Some(digits) = rest.strip_prefix('x') {
        // Exclude the quote that ends the string.
        let digits = digits.get(..2).filter(|_| digits.len() > 2);
        return match digits {
            None => {
                let escape = rest.trim_end_matches(['"', '\'']);
                error("truncated", escape)
            }
            Some(digits) => match u8::from_str_radix(digits, 16) {
                Ok(byte) if !digits.starts_with('+') => Ok(Some(ByteEscape { byte, length: 4 })),
                _ => error("invalid", rest.get(..3).unwrap_or_default()),
            },
        };
    }
    let length = rest
        .bytes()
        .take(3)
        .take_while(|byte| (b'0'..=b'7').contains(byte))
        .count();
    let Some(digits) = rest.get(..length).filter(|digits| !digits.is_empty()) else {
        return Ok(None);
    };
    match u8::from_str_radix(digits, 8) {
        Ok(byte) => Ok(Some(ByteEscape {
            byte,
            length: length + 1,
        })),
        Err(_) => error("invalid", digits),
    }
}

/// Returns the places of the strings in a program.
pub fn string_places(text: &str) -> impl Iterator<Item = Span> {
    let tokens = lexer::tokens(text).into_iter();
    tokens
        .filter(|token| matches!(token.kind, StarlarkTokenKind::String { .. }))
        .map(|token| token.span)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::lexer;

    /// Returns the program with the rewrites of its literals.
    fn rewritten(text: &str) -> Result<String, String> {
        let mut rewrites = rewrites(text, &lexer::tokens(text)).map_err(|error| error.message)?;
        rewrites.sort_by_key(|rewrite| std::cmp::Reverse(rewrite.span.start()));
        let mut out = text.to_owned();
        for rewrite in rewrites {
            out.replace_range(rewrite.span.range(), &rewrite.text);
        }
        Ok(out)
    }

    #[test]
    fn reads_escapes_as_bytes() {
        let table = [
            (r#""\xc3\xa9""#, r#""é""#),
            (r#"'\303\251 \342\202\254'"#, "'é €'"),
            (r#""\x41\12\\xff""#, r#""\x41\12\\xff""#),
            (r#"r"\xff""#, r#"r"\xff""#),
            (r#""\é\xc3\xa9""#, r#""\éé""#),
            ("00 + 01.5 + 00e1 + 0X1F", "0 + 1.5 + 0e1 + 0x1f"),
            (
                "0 + 0.5 + 1e-400 + 0x1e+5 + a.b",
                "0 + 0.5 + 1e-400 + 0x1e+5 + a.b",
            ),
        ];
        for (text, expected) in table {
            assert_eq!(rewritten(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn refuses_literals_in_the_words_of_ytt() {
        let table = [
            (r#""\400""#, r"invalid escape sequence \400"),
            (r#""\x4""#, r"truncated escape sequence \x4"),
            (r#""\xg1""#, r"invalid escape sequence \xg1"),
            (
                r#""\xff""#,
                "expected escapes that form UTF-8 text, found other bytes",
            ),
            ("1e400", "invalid float literal"),
            ("1e+400", "invalid float literal"),
            ("007", "obsolete form of octal literal; use 0o07"),
            ("08", "invalid int literal"),
            ("0x", "invalid hex literal"),
            ("0o8", "invalid octal literal"),
            ("0b2", "invalid binary literal"),
        ];
        for (text, expected) in table {
            assert_eq!(rewritten(text), Err(expected.to_owned()), "{text}");
        }
    }
}
