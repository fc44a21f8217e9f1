//! Errors about frozen values: values that other files share and that no file can change.
//!
//! The crate only says that something is frozen. These messages name the value and explain how to
//! get a copy.

use crate::source::{Diagnostic, Location};

/// Returns whether an error, in ytt's words, is about a change to a frozen value.
pub(super) fn is_frozen(message: &str) -> bool {
    let change = message.rsplit_once("cannot ").map(|(_, change)| change);
    change.is_some_and(|change| {
        change.ends_with(" frozen list") || change.ends_with(" frozen hash table")
    })
}

/// Adds the name of the value and the remedy to the error. `place` is the statement or the call
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

/// Returns the text of the value that a statement changes.
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
                // The value that changes ends before the last step of the target.
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
