//! Prints folded scalars as kustomize does.
//!
//! kustomize writes each object and reads it again before it prints it. Its library makes two
//! mistakes when it writes a folded scalar (`>`), so it reads back another text:
//!
//! ```text
//! written        meant          printed by kustomize
//! text: >        a              a
//!   a              b
//!     b          c                b
//!   c                           c                      one more line break before `b`
//!
//! text: >2         a              a
//!     a          b              b c                    the line break after `b` is lost
//!   b            c
//!
//!   c
//! ```
//!
//! Users have these texts in their clusters, so they are printed in the same way. Faithful output
//! contains the text of the author.

use std::borrow::Cow;

use crate::yaml::character::is_printable;

/// Returns the text of a folded scalar after kustomize wrote it and read it back.
pub(super) fn refolded(text: &str) -> Cow<'_, str> {
    if !text.contains('\n') || !stays_folded(text) {
        return Cow::Borrowed(text);
    }
    let lines = text.trim_start_matches('\n');
    let mut result = String::with_capacity(text.len() + 8);
    result.push_str(&text[..text.len() - lines.len()]);
    // The library checks the first character of the text instead of the next one.
    let adds_break = !lines.is_empty() && !starts_blank(lines);
    let mut rest = lines;
    while let Some(end) = rest.find('\n') {
        let (line, tail) = rest.split_at(end);
        let next = tail.trim_start_matches('\n');
        let breaks = tail.len() - next.len();
        let written = breaks + usize::from(adds_break && !starts_blank(line));
        result.push_str(line);
        let read = match written {
            _ if next.is_empty() && breaks == 1 => 1,
            _ if next.is_empty() || starts_blank(line) || starts_blank(next) => written,
            // Between two lines that are not indented, one line break is read as a space.
            1 => 0,
            _ => written - 1,
        };
        if read == 0 {
            result.push(' ');
        }
        result.extend(std::iter::repeat_n('\n', read));
        rest = next;
    }
    result.push_str(rest);
    Cow::Owned(result)
}

/// Returns whether the library writes a text as a folded scalar, and not in quotes.
fn stays_folded(text: &str) -> bool {
    let fits = |c| matches!(c, '\n' | '\t') || (is_printable(c) && c <= '\u{ffff}');
    !text.ends_with(' ') && !text.contains(" \n") && text.chars().all(fits)
}

fn starts_blank(line: &str) -> bool {
    line.starts_with([' ', '\t'])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what kustomize v5.8.2 prints.
    #[test]
    fn prints_the_text_that_kustomize_reads() {
        let table = [
            ("a", "a"),
            ("a\nb", "a\nb"),
            ("a\n\nb\n", "a\n\nb\n"),
            ("a\n  b\nc\n", "a\n\n  b\nc\n"),
            ("a\n\n  b\n\nc\n\n\n", "a\n\n\n  b\n\nc\n\n\n\n"),
            ("  a\nb\nc\n", "  a\nb c\n"),
            ("\na\nb", "\na\nb"),
            ("\n\n  a\nb\n", "\n\n  a\nb\n"),
            ("a\n\n", "a\n\n\n"),
            ("  a\n\n", "  a\n\n"),
            ("a\tb\n\tc\nd\n", "a\tb\n\n\tc\nd\n"),
            (" a\n b\n c\n\nd\ne\n\n", " a\n b\n c\n\nd e\n\n"),
            ("a \n  b\nc", "a \n  b\nc"),
            ("a\n  😀\nc", "a\n  😀\nc"),
            ("\n", "\n"),
        ];
        for (text, expected) in table {
            assert_eq!(refolded(text), expected, "{text:?}");
        }
    }
}
