//! The patterns of `match` and `search`: I-Regexp (RFC 9485), extended by Go's syntax, as
//! everywhere in Inlay.

use crate::edit::path::types::MatchScope;
use crate::regexp::{self, Regex, RegexpError};

/// Compiles a pattern of `match` or `search`.
///
/// # Errors
/// A pattern that Go refuses.
pub(in crate::edit) fn compile_pattern(
    pattern: &str,
    scope: MatchScope,
) -> Result<Regex, RegexpError> {
    let compile = match scope {
        MatchScope::Whole => regexp::compile_whole,
        MatchScope::Part => regexp::compile,
    };
    // The original pattern is compiled first, so that an error shows the text of the user.
    let compiled = compile(pattern)?;
    if !pattern.contains('.') {
        return Ok(compiled);
    }
    compile(&with_narrow_dots(pattern))
}

/// Replaces each dot with the meaning "any character". In I-Regexp it does not match a carriage
/// return either.
///
/// ```text
/// a.b[.]\\.    ->    a[^\n\r]b[.]\\.
/// ```
fn with_narrow_dots(pattern: &str) -> String {
    // With the flag `s`, which only Go has, a dot matches every character.
    let flags = pattern.split("(?").skip(1);
    let mut flags = flags.filter_map(|rest| rest.split([')', ':', '-']).next());
    if flags.any(|flags| flags.len() < 5 && flags.contains('s')) {
        return pattern.to_owned();
    }
    let mut narrow = String::with_capacity(pattern.len());
    let mut rest = pattern;
    let mut in_class = false;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '\\' if rest.starts_with("\\Q") => rest.find("\\E").map_or(rest.len(), |end| end + 2),
            '\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            '[' if !in_class => {
                in_class = true;
                // A closing bracket at the start of a class is a character of the class.
                let negated = if rest.starts_with("[^") { 2 } else { 1 };
                negated + usize::from(rest[negated..].starts_with(']'))
            }
            '[' if rest.starts_with("[:") => rest.find(":]").map_or(1, |end| end + 2),
            ']' => {
                in_class = false;
                1
            }
            '.' if !in_class => {
                narrow.push_str(r"[^\n\r]");
                rest = &rest[1..];
                continue;
            }
            _ => c.len_utf8(),
        };
        narrow.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    narrow
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dot_matches_neither_line_feed_nor_carriage_return() {
        let table = [
            ("a.b", "a\rb", false),
            ("a.b", "a\u{2028}b", true),
            (r"a\.b", "a.b", true),
            ("a[.]b", "a.b", true),
            ("a[].]b", "a]b", true),
            ("a[^].]b.", "a.bc", false),
            (r"\Qa.b\E.", "a.bc", true),
            ("(?s)a.b", "a\rb", true),
            ("[[:alpha:].].", ".é", true),
        ];
        for (pattern, text, expected) in table {
            let compiled = compile_pattern(pattern, MatchScope::Whole).unwrap();
            assert_eq!(compiled.is_match(text), expected, "{pattern}");
        }
    }
}
