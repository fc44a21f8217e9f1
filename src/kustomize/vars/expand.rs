//! Replaces variables in a text.
//!
//! ```text
//! $(NAME)    the value; if the name is unknown, the text stays
//! $$         a dollar
//! $x, $(…    stay
//! ```

/// A text after its variables were replaced.
#[derive(Debug, PartialEq)]
pub(super) enum Expanded<V> {
    /// The text was one variable, whose value keeps its type.
    Value(V),
    /// Anything else.
    Text(String),
}

/// Replaces the variables in `text`. `value_of` returns the value of a variable, or `None` for an
/// unknown name; `to_text` prints one within a longer text.
pub(super) fn expand<V>(
    text: &str,
    value_of: &mut dyn FnMut(&str) -> Option<V>,
    to_text: fn(&V) -> String,
) -> Expanded<V> {
    let mut expanded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(dollar) = rest.find('$') {
        expanded.push_str(&rest[..dollar]);
        let after = &rest[dollar + 1..];
        if let Some(escaped) = after.strip_prefix('$') {
            expanded.push('$');
            rest = escaped;
            continue;
        }
        let closed = after
            .strip_prefix('(')
            .and_then(|name| name.split_once(')'));
        let Some((name, after)) = closed else {
            expanded.push('$');
            rest = after;
            continue;
        };
        match value_of(name) {
            // `$(` and `)` are three bytes: the whole text is this variable.
            Some(value) if text.len() == name.len() + 3 => return Expanded::Value(value),
            Some(value) => expanded.push_str(&to_text(&value)),
            None => {
                expanded.push_str("$(");
                expanded.push_str(name);
                expanded.push(')');
            }
        }
        rest = after;
    }
    expanded.push_str(rest);
    Expanded::Text(expanded)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(text: &str) -> String {
        let mut value_of = |name: &str| (name == "A").then_some(7);
        match expand(text, &mut value_of, i32::to_string) {
            Expanded::Value(value) => format!("value {value}"),
            Expanded::Text(text) => text,
        }
    }

    #[test]
    fn replaces_known_variables_and_dollars() {
        for (text, expected) in [
            ("$(A)", "value 7"),
            ("$(A)$(A)", "77"),
            ("x$(A)y", "x7y"),
            ("$(B)", "$(B)"),
            ("$(B)-$(A)", "$(B)-7"),
            ("$$(A)", "$(A)"),
            ("$$$(A)", "$7"),
            ("$$$$", "$$"),
            ("$", "$"),
            ("a$", "a$"),
            ("$x", "$x"),
            ("$é", "$é"),
            ("$(A", "$(A"),
            ("$(B$(A))", "$(B$(A))"),
            ("$()", "$()"),
            ("", ""),
        ] {
            assert_eq!(expanded(text), expected, "{text}");
        }
    }
}
