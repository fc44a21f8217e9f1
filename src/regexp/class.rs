//! Classes in brackets.

use super::error::{Error, Problem};
use super::escape;
use super::pattern::Pattern;

/// The names that may stand in `[:…:]`.
const POSIX_NAMES: [&str; 14] = [
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct",
    "space", "upper", "word", "xdigit",
];

/// How many characters are searched for the end of a name.
const MAX_NAME: usize = 16;

/// Reads a class, whose opening bracket is next, and returns what means the same in the crate.
pub(super) fn bracketed(pattern: &mut Pattern<'_>) -> Result<String, Error> {
    let start = pattern.offset();
    pattern.next();
    let mut class = String::from("[");
    if pattern.eat("^") {
        class.push('^');
    }
    let mut first = true;
    while first || !pattern.eat("]") {
        if pattern.peek().is_none() {
            return Err(pattern.error(Problem::MissingBracket, start));
        }
        first = false;
        class.push_str(&member(pattern, start)?);
    }
    class.push(']');
    Ok(class)
}

/// Reads one member: a named class, an escaped class, a character or a range.
fn member(pattern: &mut Pattern<'_>, class_start: usize) -> Result<String, Error> {
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
        return Err(pattern.error(Problem::InvalidClassRange, start));
    }
    Ok(format!(
        r"\x{{{:X}}}-\x{{{:X}}}",
        u32::from(low),
        u32::from(high)
    ))
}

/// Reads `[:alpha:]` or `[:^alpha:]` if one is next. Without the closing `:]` the bracket is a character; it is looked
/// for only as far as any name could reach, so that many brackets stay cheap.
fn posix_class(pattern: &mut Pattern<'_>) -> Result<Option<String>, Error> {
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
        return Err(pattern.error(Problem::InvalidClassRange, start));
    }
    Ok(Some(pattern.since(start).to_string()))
}

fn character(pattern: &mut Pattern<'_>, class_start: usize) -> Result<char, Error> {
    match pattern.peek() {
        Some('\\') => escape::character(pattern),
        _ => pattern
            .next()
            .ok_or_else(|| pattern.error(Problem::MissingBracket, class_start)),
    }
}
