//! Translates escapes.

use super::error::{RegexpError, RegexpProblem};
use super::pattern::PatternCursor;

/// Perl's classes, which are ASCII in Go, as the content of a bracket.
const PERL_CLASSES: [(char, &str); 3] = [('d', "0-9"), ('s', r"\t\n\x0C\r "), ('w', "0-9A-Za-z_")];

/// Reads `\d`, `\W`, `\pL`, `\P{Greek}` and similar escapes, if one is next. The translation is
/// valid inside brackets too.
pub(super) fn class(pattern: &mut PatternCursor<'_>) -> Result<Option<String>, RegexpError> {
    let start = pattern.offset();
    let mut ahead = *pattern;
    if !ahead.eat("\\") {
        return Ok(None);
    }
    let Some(letter) = ahead.next() else {
        return Ok(None);
    };
    if let 'p' | 'P' = letter {
        *pattern = ahead;
        return unicode_class(pattern, start, letter == 'P').map(Some);
    }
    let Some((_, content)) = PERL_CLASSES
        .iter()
        .find(|(name, _)| *name == letter.to_ascii_lowercase())
    else {
        return Ok(None);
    };
    *pattern = ahead;
    let negation = if letter.is_ascii_uppercase() { "^" } else { "" };
    Ok(Some(format!("[{negation}{content}]")))
}

/// Reads the name after `\p`: one letter, or a name in braces that may be negated.
fn unicode_class(
    pattern: &mut PatternCursor<'_>,
    start: usize,
    negated: bool,
) -> Result<String, RegexpError> {
    let name = if pattern.eat("{") {
        let Some(name) = pattern.eat_until("}") else {
            pattern.eat_rest();
            return Err(pattern.error(RegexpProblem::InvalidClassRange, start));
        };
        name
    } else {
        let letter = pattern.offset();
        pattern.next();
        pattern.since(letter)
    };
    let (name, negated) = match name.strip_prefix('^') {
        Some(name) => (name, !negated),
        None => (name, negated),
    };
    let letter = if negated { 'P' } else { 'p' };
    let class = format!("\\{letter}{{{name}}}");
    let known = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && regex::Regex::new(&class).is_ok();
    if known {
        Ok(class)
    } else {
        Err(pattern.error(RegexpProblem::InvalidClassRange, start))
    }
}

/// Reads an escape for one character; the backslash is next.
pub(super) fn character(pattern: &mut PatternCursor<'_>) -> Result<char, RegexpError> {
    let start = pattern.offset();
    pattern.next();
    let Some(letter) = pattern.next() else {
        return Err(RegexpError::new(RegexpProblem::TrailingBackslash, ""));
    };
    let character = match letter {
        'a' => Some('\x07'),
        'f' => Some('\x0C'),
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        'v' => Some('\x0B'),
        'x' => hexadecimal(pattern),
        '0'..='7' => octal(pattern, letter),
        _ if letter.is_ascii() && !letter.is_ascii_alphanumeric() => Some(letter),
        _ => None,
    };
    character.ok_or_else(|| pattern.error(RegexpProblem::InvalidEscape, start))
}

/// Reads `7F` or `{10FFFF}` after `\x`.
fn hexadecimal(pattern: &mut PatternCursor<'_>) -> Option<char> {
    let digits = if pattern.eat("{") {
        let digits = pattern.eat_while(|c| c.is_ascii_hexdigit());
        pattern.eat("}").then_some(digits)?
    } else {
        let start = pattern.offset();
        for _ in 0..2 {
            pattern.next()?;
        }
        pattern.since(start)
    };
    let plain = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    char::from_u32(plain.then(|| u32::from_str_radix(digits, 16).ok())??)
}

/// Reads the rest of up to three octal digits.
///
/// A single digit other than 0 would be a reference to a group. RE2 has none, because they cannot
/// match in linear time.
fn octal(pattern: &mut PatternCursor<'_>, first: char) -> Option<char> {
    let mut value = first.to_digit(8)?;
    let mut digits = 1;
    while digits < 3 {
        let Some(digit) = pattern.peek().and_then(|next| next.to_digit(8)) else {
            break;
        };
        pattern.next();
        value = value * 8 + digit;
        digits += 1;
    }
    if digits == 1 && first != '0' {
        None
    } else {
        char::from_u32(value)
    }
}
