//! Finds the part of a call that gives one data value to a library. Values are passed in
//! dictionaries.
//!
//! ```text
//! library.get("app").with_data_values({"name": n, "db": {"host": data.values.host}})
//!                                                                ^^^^^^^^^^^^^^^^ gives `db.host`
//! ```
//!
//! Only brackets and quotes are recognized. For code in any other form, the part is the whole code.

use crate::edit::PathStep;

/// Returns the part of an expression that gives the value at `steps`, and the remaining steps:
/// those inside the value of the part.
pub(super) fn given_part<'c, 's>(
    code: &'c str,
    steps: &'s [PathStep],
) -> (&'c str, &'s [PathStep]) {
    let mut part = last_argument(code).unwrap_or(code);
    let mut rest = steps;
    while let [PathStep::Key(key), inner @ ..] = rest {
        let Some(value) = entry_value(part, key) else {
            break;
        };
        (part, rest) = (value, inner);
    }
    (part, rest)
}

/// Returns the argument of the last call of `with_data_values` in a chain of calls.
fn last_argument(code: &str) -> Option<&str> {
    let (_, call) = code.rsplit_once(".with_data_values")?;
    let open = call.find('(')?;
    let inner = call.get(open + 1..)?.trim_end().strip_suffix(')')?;
    Some(inner.trim())
}

/// Returns the value of a key in a dictionary that is written as `{"key": value}` or
/// `struct(key=value)`.
fn entry_value<'c>(code: &'c str, key: &str) -> Option<&'c str> {
    let code = code.trim();
    let (inner, separator) = match code.strip_prefix('{') {
        Some(rest) => (rest.strip_suffix('}')?, ':'),
        None => {
            let arguments = code
                .strip_prefix("struct(")
                .or_else(|| code.strip_prefix("dict("))?;
            (arguments.strip_suffix(')')?, '=')
        }
    };
    split(inner, ',').into_iter().find_map(|entry| {
        let parts = split(entry, separator);
        let name = parts.first()?;
        let is_key = name.trim().trim_matches(['"', '\'']) == key;
        let value = entry.get(name.len() + 1..)?;
        is_key.then_some(value.trim())
    })
}

/// Splits code at a character outside of brackets and strings.
fn split(code: &str, at: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut depth) = (0, 0_usize);
    let mut quote: Option<char> = None;
    let mut is_escaped = false;
    for (index, character) in code.char_indices() {
        if let Some(open) = quote {
            if is_escaped {
                is_escaped = false;
            } else if character == '\\' {
                is_escaped = true;
            } else if character == open {
                quote = None;
            }
            continue;
        }
        match character {
            '"' | '\'' => quote = Some(character),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ if character == at && depth == 0 => {
                parts.extend(code.get(start..index));
                start = index + character.len_utf8();
            }
            _ => {}
        }
    }
    parts.extend(code.get(start..));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_gives_a_value() {
        let call =
            r#"library.get("a").with_data_values({"n": f(x, [1]), "db": {"host": h, "p": d.p}})"#;
        let second = r#"lib.with_data_values({"n": 1}).with_data_values({'n': "a,b:}" + m})"#;
        let table: [(&str, &[&str], &str, usize); 7] = [
            (call, &["n"], "f(x, [1])", 0),
            (call, &["db", "host"], "h", 0),
            (call, &["db", "p", "q"], "d.p", 1),
            (second, &["n"], r#""a,b:}" + m"#, 0),
            (
                "lib.with_data_values(data.values.app)",
                &["n"],
                "data.values.app",
                1,
            ),
            ("lib.with_data_values(struct(n=a.b, m=2))", &["n"], "a.b", 0),
            ("data.values.x", &["n"], "data.values.x", 1),
        ];
        for (code, keys, expected, left) in table {
            let steps: Vec<PathStep> = keys
                .iter()
                .map(|key| PathStep::Key((*key).into()))
                .collect();
            let (part, rest) = given_part(code, &steps);
            assert_eq!((part, rest.len()), (expected, left), "{code} {keys:?}");
        }
    }
}
