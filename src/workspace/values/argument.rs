//! Converts the value of a flag or an environment variable to a document, below the keys that the
//! argument contains.
//!
//! An argument becomes a source with a name, such as `(data-value arg)`, so that messages about the
//! value can show the argument:
//!
//! ```text
//! @lib:db.port=5432      <- the argument
//!      ^^ ^^^^           <- its keys, each with its span
//!              ^^^^      <- its value
//! ```

use std::sync::Arc;

use super::document::{Merge, ValuesDocument};
use super::reference::LibraryReference;
use super::repeated::report_repeated_keys;
use crate::script::fragments::Built;
use crate::source::{
    Code, Diagnostic, Diagnostics, Location, OffsetMap, Outer, Result, Source, Span,
};
use crate::yaml::{self, Content, Entry, NESTING_LIMIT, Node, Origin, Scalar, ScalarStyle, Text};

/// The keys of an argument, whose value it sets.
pub(super) struct ArgumentKeys {
    /// The whole argument.
    source: Arc<Source>,
    keys: Vec<ArgumentKey>,
    target: LibraryReference,
}

/// A key, and its span in the argument.
struct ArgumentKey {
    name: String,
    span: Span,
}

/// The separator between keys.
#[derive(Clone, Copy)]
pub(super) enum KeySeparator {
    /// A dot. `\.` is a dot in a key.
    Dot,
    /// Two underscores, for names of variables.
    Underscores,
}

impl ArgumentKeys {
    /// Reads the keys at `span` of an argument.
    ///
    /// # Errors
    /// Fails if a key is empty, or if there are more keys than values may be nested.
    pub(super) fn new(
        source: &Arc<Source>,
        span: Span,
        separator: KeySeparator,
        target: LibraryReference,
    ) -> Result<ArgumentKeys> {
        let keys = split_keys(source.slice(span), span.start(), separator);
        if keys.len() > NESTING_LIMIT {
            let message = format!(
                "expected at most {NESTING_LIMIT} keys on the way to a data value, found {}",
                keys.len()
            );
            return Err(Diagnostic::error(Code::Limit, message));
        }
        if let Some(empty) = keys.iter().find(|key| key.name.is_empty()) {
            let help = match separator {
                KeySeparator::Dot => "a dot that belongs to a key is written `\\.`",
                KeySeparator::Underscores => {
                    "the name is PREFIX_KEY, with two underscores between keys"
                }
            };
            let place = Location::new(source, empty.span);
            return Err(Diagnostic::error(Code::Flag, "expected a key, found none")
                .at(place, "here")
                .help(help));
        }
        Ok(ArgumentKeys {
            source: Arc::clone(source),
            keys,
            target,
        })
    }

    /// Creates a document that sets the keys to the text at `span` of the argument, always as a
    /// string.
    pub(super) fn with_text(self, span: Span) -> ValuesDocument {
        let text = Text::Owned(self.source.slice(span).into());
        let value = self.string(span, text);
        self.document(value)
    }

    /// Creates a document that sets the keys to the content of a file, always as a string.
    pub(super) fn with_content(self, content: &str) -> ValuesDocument {
        let span = Span::new(0, self.source.text().len());
        let value = self.string(span, Text::Owned(content.into()));
        self.document(value)
    }

    /// Creates a document that sets the keys to the YAML at `span` of the argument: its first
    /// document, or null if there is none.
    ///
    /// # Errors
    /// Fails if the text is not YAML or, with `strict`, not in the strict subset.
    pub(super) fn with_yaml(
        self,
        span: Span,
        strict: bool,
        diagnostics: &mut Diagnostics,
    ) -> Result<ValuesDocument> {
        let map = OffsetMap::identity(span.start(), span.len());
        let outer = Outer {
            source: Arc::clone(&self.source),
            span,
            map,
        };
        // Parse it as an embedded source, so that errors in the YAML point into the argument.
        let stream = yaml::parse_data(&Source::embedded(self.source.slice(span), outer))?;
        if strict && let Some(fault) = yaml::strict_faults(&stream).into_iter().next() {
            return Err(Box::new(fault));
        }
        let value = match stream.documents.first() {
            Some(document) => {
                report_repeated_keys(&document.root, diagnostics);
                yaml::expand(&document.root)?
            }
            None => Node::plain("null"),
        };
        Ok(self.document(value))
    }

    /// Returns a string with its place in the argument.
    fn string(&self, span: Span, text: Text) -> Arc<Node> {
        let origin = Some(Origin {
            source: Arc::clone(&self.source),
            span,
        });
        let content = Content::Scalar(Scalar {
            // Quote it so that `8080` stays a string: `--data-value` always sets a string.
            style: ScalarStyle::DoubleQuoted,
            text,
        });
        Arc::new(Node {
            origin,
            properties: None,
            content,
        })
    }

    /// Returns the document with the value below the keys, as nested mappings.
    fn document(self, value: Arc<Node>) -> ValuesDocument {
        let mut root = value;
        // From the inside out: `a.b=1` is first `1`, then `{b: 1}`, then `{a: {b: 1}}`.
        for key in self.keys.iter().rev() {
            let name = self.string(key.span, Text::Owned(key.name.as_str().into()));
            root = Node::mapping(vec![Entry {
                key: name,
                value: root,
            }]);
        }
        let place = Location::new(&self.source, Span::new(0, self.source.text().len()));
        let document = Built {
            root,
            place: Some(place),
            annotations: Vec::new(),
        };
        ValuesDocument {
            document,
            // Merge only the mappings of the keys. The value itself replaces, even if it is a
            // mapping.
            merge: Merge::Below(self.keys.len()),
            target: self.target,
            is_last: false,
        }
    }
}

/// Splits a text into keys. `offset` is the position of the text in the argument.
fn split_keys(text: &str, offset: usize, separator: KeySeparator) -> Vec<ArgumentKey> {
    let mut keys = Vec::new();
    let mut name = String::new();
    let mut start = 0;
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        let rest = &text[at..];
        // Check the escape first, because it contains the separator.
        if matches!(separator, KeySeparator::Dot) && rest.starts_with("\\.") {
            name.push('.');
            at += 2;
        } else if rest.starts_with(separator.text()) {
            keys.push(ArgumentKey {
                name: std::mem::take(&mut name),
                span: Span::new(offset + start, offset + at),
            });
            at += separator.text().len();
            start = at;
        } else {
            name.push(character);
            at += character.len_utf8();
        }
    }
    keys.push(ArgumentKey {
        name,
        span: Span::new(offset + start, offset + text.len()),
    });
    keys
}

impl KeySeparator {
    fn text(self) -> &'static str {
        match self {
            KeySeparator::Dot => ".",
            KeySeparator::Underscores => "__",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str, separator: KeySeparator) -> Vec<String> {
        split_keys(text, 0, separator)
            .into_iter()
            .map(|key| key.name)
            .collect()
    }

    #[test]
    fn splits_keys_at_dots_without_a_backslash() {
        assert_eq!(keys("a.b.c", KeySeparator::Dot), ["a", "b", "c"]);
        assert_eq!(
            keys(r"example\.com/name.b", KeySeparator::Dot),
            ["example.com/name", "b"]
        );
        assert_eq!(keys(r"a\b.c", KeySeparator::Dot), [r"a\b", "c"]);
        assert_eq!(keys("a..b", KeySeparator::Dot), ["a", "", "b"]);
        assert_eq!(keys("", KeySeparator::Dot), [""]);
    }

    #[test]
    fn splits_names_of_variables_at_two_underscores() {
        assert_eq!(
            keys("a__b_c__d", KeySeparator::Underscores),
            ["a", "b_c", "d"]
        );
        assert_eq!(keys("a.b", KeySeparator::Underscores), ["a.b"]);
        assert_eq!(keys("a___b", KeySeparator::Underscores), ["a", "_b"]);
    }

    #[test]
    fn gives_each_key_its_span() {
        let source = Source::new("(data-value arg)", r"@l:a\.b.c=1").unwrap();
        let argument = ArgumentKeys::new(
            &source,
            Span::new(3, 9),
            KeySeparator::Dot,
            LibraryReference::default(),
        )
        .unwrap();
        let shown: Vec<&str> = argument
            .keys
            .iter()
            .map(|key| source.slice(key.span))
            .collect();
        assert_eq!(shown, [r"a\.b", "c"]);
    }

    #[test]
    fn places_a_yaml_value_where_it_was_typed() {
        let source = Source::new("(data-value-yaml arg)", "a.b={c: [1, x]}").unwrap();
        let argument = ArgumentKeys::new(
            &source,
            Span::new(0, 3),
            KeySeparator::Dot,
            LibraryReference::default(),
        )
        .unwrap();
        let document = argument
            .with_yaml(Span::new(4, 15), false, &mut Diagnostics::default())
            .unwrap();
        let value = document
            .document
            .root
            .get_in(&["a", "b", "c"])
            .unwrap()
            .location()
            .unwrap()
            .in_file();
        assert_eq!(
            (value.source.name(), value.source.slice(value.span)),
            ("(data-value-yaml arg)", "[1, x]")
        );
    }
}
