//! Translates classes in brackets.
//!
//! Every member is written as a range of code points (`\x{61}-\x{7A}`). So no character of the
//! class can be an operator of the crate, such as `&&`, `--`, `~~` or a nested `[`.

use super::error::{RegexpError, RegexpProblem};
use super::escape;
use super::pattern::PatternCursor;

/// The names that are allowed in `[:…:]`.
const POSIX_NAMES: [&str; 14] = [
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct",
    "space", "upper", "word", "xdigit",
];

/// The maximum length of a name, in characters, up to which its end is searched.
const MAX_NAME: usize = 16;

/// Reads a class whose opening bracket is next and returns its translation.
pub(super) fn bracketed(pattern: &mut PatternCursor<'_>) -> Result<String, RegexpError> {
    let start = pattern.offset();
    pattern.next();
    let mut class = String::from("[");
    if pattern.eat("^") {
        class.push('^');
    }
    // A `]` right after the opening bracket is a member and does not close the class.
    let mut first = true;
    while first || !pattern.eat("]") {
        if pattern.peek().is_none() {
            return Err(pattern.error(RegexpProblem::MissingBracket, start));
        }
        first = false;
        class.push_str(&member(pattern, start)?);
    }
    class.push(']');
    Ok(class)
}

/// Reads one member: a named class, an escaped class, a character or a range.
fn member(pattern: &mut PatternCursor<'_>, class_start: usize) -> Result<String, RegexpError> {
    if let Some(named) = posix_class(pattern)? {
        return Ok(named);
    }
    if let Some(escaped) = escape::class(pattern)? {
        return Ok(escaped);
    }
    let start = pattern.offset();
    let low = character(pattern, class_start)?;
    let mut high = low;
    let mut ahead = *pattern;
    if ahead.eat("-") && !matches!(ahead.peek(), None | Some(']')) {
        *pattern = ahead;
        high = character(pattern, class_start)?;
    }
    if high < low {
        return Err(pattern.error(RegexpProblem::InvalidClassRange, start));
    }
    Ok(format!(
        r"\x{{{:X}}}-\x{{{:X}}}",
        u32::from(low),
        u32::from(high)
    ))
}

/// Reads `[:alpha:]` or `[:^alpha:]` if one is next. Without the closing `:]` the bracket is a
/// character.
/// The closing `:]` is searched only within the maximum length of a name. A search to the end would
/// take quadratic time for a pattern with many brackets.
fn posix_class(pattern: &mut PatternCursor<'_>) -> Result<Option<String>, RegexpError> {
    let start = pattern.offset();
    let mut ahead = *pattern;
    if !ahead.eat("[:") {
        return Ok(None);
    }
    let reach = ahead
        .rest()
        .char_indices()
        .nth(MAX_NAME)
        .map_or(ahead.rest().len(), |(offset, _)| offset);
    let Some((name, _)) = ahead
        .rest()
        .get(..reach)
        .and_then(|near| near.split_once(":]"))
    else {
        return Ok(None);
    };
    ahead.eat(name);
    ahead.eat(":]");
    *pattern = ahead;
    if !POSIX_NAMES.contains(&name.strip_prefix('^').unwrap_or(name)) {
        return Err(pattern.error(RegexpProblem::InvalidClassRange, start));
    }
    Ok(Some(pattern.since(start).to_string()))
}

fn character(pattern: &mut PatternCursor<'_>, class_start: usize) -> Result<char, RegexpError> {
    match pattern.peek() {
        Some('\\') => escape::character(pattern),
        _ => pattern
            .next()
            .ok_or_else(|| pattern.error(RegexpProblem::MissingBracket, class_start)),
    }
}
