//! Errors about a value that other files share, and that no file can change.
//!
//! The crate says only that something is frozen. The message names the value, and how to get a
//! copy.

use crate::source::{Diagnostic, Location};

/// Returns whether an error is about a change of such a value, in the words of ytt.
pub(super) fn is_frozen(message: &str) -> bool {
    let change = message.rsplit_once("cannot ").map(|(_, change)| change);
    change.is_some_and(|change| {
        change.ends_with(" frozen list") || change.ends_with(" frozen hash table")
    })
}

/// Adds the name of the value to the error, and the remedy. `place` is the statement or the call
/// that failed: `x.append(1)`, `d[k] = v`.
pub(super) fn with_name(diagnostic: Box<Diagnostic>, place: Option<&Location>) -> Box<Diagnostic> {
    let text = place.and_then(|place| place.source.text().get(place.span.range()));
    let note = match text.map(changed) {
        Some(name) if !name.is_empty() => {
            format!("`{name}` was made by another file, and a file cannot change that")
        }
        _ => "a file cannot change what another file has made".to_owned(),
    };
    diagnostic
        .note(note)
        .help("change a copy: `list(x)` or `dict(x)`")
}

/// Returns what a statement changes.
///
/// ```text
/// shared.append(2)         shared
/// all["a.b"].update(x=y)   all["a.b"]
/// shared[k][0] = 1         shared[k]
/// shared += [1]            shared
/// ```
fn changed(statement: &str) -> &str {
    let mut depth = 0usize;
    let mut quote = None;
    let mut end = None;
    for (at, c) in statement.char_indices() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '=') if depth == 0 => {
                let target = statement[..at].trim_end_matches(['+', ' ']);
                return end.map_or(target, |end| &statement[..end]);
            }
            (None, '.' | '[') if depth == 0 => {
                // The last step of the target is what is changed inside of the value.
                end = Some(at);
                depth += usize::from(c == '[');
            }
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, _) => {}
        }
    }
    end.map_or("", |end| &statement[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_a_statement_changes() {
        let cases = [
            ("shared.append(2)", "shared"),
            ("D.update([(\"a\", 1.5)])", "D"),
            ("all[\"a.b\"].update(x=y)", "all[\"a.b\"]"),
            ("f(x).y.append([1])", "f(x).y"),
            ("d[k] = [1]", "d"),
            ("d[a == b][0] = 1", "d[a == b]"),
            ("d['='] += 1", "d"),
            ("shared += [1]", "shared"),
            ("é.append('(')", "é"),
            ("extend", ""),
        ];
        for (statement, expected) in cases {
            assert_eq!(changed(statement), expected, "{statement}");
        }
    }

    #[test]
    fn knows_the_messages() {
        assert!(is_frozen("append: cannot append to frozen list"));
        assert!(is_frozen("cannot insert into frozen hash table"));
        assert!(!is_frozen("cannot append to list during iteration"));
    }
}
