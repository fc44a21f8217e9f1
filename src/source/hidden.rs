//! Hides the parts of a source that must not be shown, such as the values of Secrets.
//!
//! ```text
//! password: s3cret        password: …
//! key: |                  key: …
//!   line one                …
//! ```

use std::borrow::Cow;

use super::{Source, Span};

/// The replacement for a hidden part.
const HIDDEN: char = '…';

impl Source {
    /// Returns the text of `span` without the parts that must not be shown. The indentation of
    /// their lines and the line breaks stay.
    pub fn shown(&self, span: Span) -> Cow<'_, str> {
        let text = self.slice(span);
        let mut hidden = self.hidden();
        hidden.retain(|part| part.start() < span.end() && part.end() > span.start());
        if hidden.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut shown = String::with_capacity(text.len());
        let mut is_after_hidden = false;
        for (offset, character) in text.char_indices() {
            let offset = span.start() + offset;
            let is_hidden = hidden.iter().any(|part| part.range().contains(&offset));
            match is_hidden {
                // Blanks between the words of a value would reveal the number of words.
                true if is_after_hidden && character != '\n' => {}
                true if !character.is_whitespace() => {
                    shown.push(HIDDEN);
                    is_after_hidden = true;
                }
                _ => {
                    shown.push(character);
                    is_after_hidden = false;
                }
            }
        }
        Cow::Owned(shown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_the_place_and_the_indentation_of_hidden_text() {
        let text = "password: a secret\nkey: |\n  line one\n  two\nnext: 1\n";
        let source = Source::new("", text).unwrap();
        let whole = Span::new(0, text.len());
        assert_eq!(source.shown(whole), text);
        for part in ["a secret", "|\n  line one\n  two"] {
            let start = text.find(part).unwrap();
            source.hide(Span::new(start, start + part.len()));
        }
        assert_eq!(
            source.shown(whole),
            "password: …\nkey: …\n  …\n  …\nnext: 1\n"
        );
    }
}
