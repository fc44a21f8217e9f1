//! Replaces secret texts in messages.

use std::collections::BTreeSet;

use crate::source::Span;

/// The replacement for a secret.
const HIDDEN: &str = "…";

/// The length from which a text is hidden wherever it occurs. A shorter one, such as `5432` or
/// `on`, occurs in ordinary words, and is hidden only where a message quotes it.
const LONG: usize = 5;

/// The number of characters that identify a long text in a message that truncates it.
const START: usize = 12;

/// Secret texts.
#[derive(Default)]
pub(super) struct Mask {
    texts: BTreeSet<Box<str>>,
}

impl Mask {
    /// Adds a secret text.
    pub(super) fn add(&mut self, text: &str) {
        // Words that occur in every document reveal nothing about a secret.
        if text.len() < 2 || matches!(text, "true" | "false" | "null" | "{}" | "[]" | "---") {
            return;
        }
        self.texts.insert(text.into());
        // Messages show a multi-line text on one line, with escapes.
        let escaped = text.escape_debug().to_string();
        if escaped != text {
            self.texts.insert(escaped.into());
        }
    }

    /// Replaces every secret text in a message.
    pub(super) fn apply(&self, message: &mut String) {
        // Replace the longest first, because a secret may contain another one.
        let mut texts: Vec<&str> = self.texts.iter().map(|text| &**text).collect();
        texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
        for text in texts {
            if text.len() < LONG {
                for quote in ["`", "\"", "'"] {
                    let quoted = format!("{quote}{text}{quote}");
                    if message.contains(&quoted) {
                        *message = message.replace(&quoted, &format!("{quote}{HIDDEN}{quote}"));
                    }
                }
            } else {
                *message = without(message, text);
            }
        }
    }
}

impl Mask {
    /// Returns the places of secret texts in a text. Short texts are not searched, because they are
    /// not quoted there.
    pub(super) fn found_in(&self, text: &str) -> Vec<Span> {
        let mut found = Vec::new();
        for secret in self.texts.iter().filter(|secret| secret.len() >= LONG) {
            for (start, _) in text.match_indices(&**secret) {
                found.push(Span::new(start, start + secret.len()));
            }
        }
        found
    }
}

/// Returns the message without the text, including places where only its beginning is quoted.
fn without(message: &str, text: &str) -> String {
    let start = text
        .char_indices()
        .nth(START)
        .map_or(text, |(end, _)| &text[..end]);
    let mut result = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(position) = rest.find(start) {
        result.push_str(&rest[..position]);
        result.push_str(HIDDEN);
        let found = &rest[position..];
        let same = found
            .bytes()
            .zip(text.bytes())
            .take_while(|(a, b)| a == b)
            .count();
        let mut end = same;
        while !found.is_char_boundary(end) {
            end -= 1;
        }
        rest = &found[end..];
    }
    result.push_str(rest);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(secrets: &[&str], message: &str) -> String {
        let mut mask = Mask::default();
        secrets.iter().for_each(|secret| mask.add(secret));
        let mut message = message.to_owned();
        mask.apply(&mut message);
        message
    }

    #[test]
    fn hides_long_texts_everywhere_and_short_ones_in_quotes() {
        let table = [
            (
                &["s3cret"][..],
                "found `s3cret` and s3cret",
                "found `…` and …",
            ),
            (&["on"], "on `on` one", "on `…` one"),
            (&["s3cret", "s3cret-longer"], "s3cret-longer s3cret", "… …"),
            (
                &["0123456789abcdef"],
                "found `0123456789abcd…`",
                "found `……`",
            ),
            (&["a\"b\ncd"], r#"found "a\"b\ncd""#, "found \"…\""),
            (&["true"], "`true`", "`true`"),
        ];
        for (secrets, message, expected) in table {
            assert_eq!(masked(secrets, message), expected);
        }
    }
}
