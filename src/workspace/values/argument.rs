//! What flags and variables give: one value under the keys that lead to it.
//!
//! An argument becomes a text with a name of its own, such as `(data-value arg)`, so that whatever is wrong with the
//! value later can be shown in what was typed.

use std::sync::Arc;

use super::reference::LibraryReference;
use super::{Merge, ValuesDocument};
use crate::script::fragments::Built;
use crate::source::{Code, Diagnostic, Location, OffsetMap, Outer, Result, Source, Span};
use crate::yaml::{self, Content, Entry, NESTING_LIMIT, Node, Origin, Scalar, ScalarStyle, Text};

/// Where a value is typed: the whole text, and the parts of it that are keys.
pub(super) struct Argument {
    source: Arc<Source>,
    keys: Vec<(String, Span)>,
    target: LibraryReference,
}

/// What divides the keys that lead to a value.
#[derive(Clone, Copy)]
pub(super) enum Divider {
    /// A dot, which a backslash before it makes a character of the key.
    Dot,
    /// Two underscores, as in names of variables.
    Underscores,
}

impl Argument {
    /// The keys at `span` of what was typed.
    ///
    /// # Errors
    /// A key that is empty, and more keys than values may nest.
    pub(super) fn new(
        source: &Arc<Source>,
        span: Span,
        divider: Divider,
        target: LibraryReference,
    ) -> Result<Argument> {
        let keys = divide(source.slice(span), span.start(), divider);
        if keys.len() > NESTING_LIMIT {
            let message = format!(
                "expected at most {NESTING_LIMIT} keys on the way to a data value, found {}",
                keys.len()
            );
            return Err(Diagnostic::error(Code::Limit, message));
        }
        match keys.iter().find(|(key, _)| key.is_empty()) {
            None => Ok(Argument {
                source: Arc::clone(source),
                keys,
                target,
            }),
            Some((_, empty)) => {
                let help = match divider {
                    Divider::Dot => "a dot that belongs to a key is written `\\.`",
                    Divider::Underscores => {
                        "the name is PREFIX_KEY, with two underscores between keys"
                    }
                };
                let place = Location::new(source, *empty);
                Err(Diagnostic::error(Code::Flag, "expected a key, found none")
                    .at(place, "here")
                    .help(help))
            }
        }
    }

    /// The text at `span` as the value, always a string.
    pub(super) fn text(self, span: Span) -> ValuesDocument {
        let text = Text::Owned(self.source.slice(span).into());
        let value = self.node(span, text);
        self.document(value)
    }

    /// A string that stands elsewhere as the value.
    pub(super) fn content(self, content: &str) -> ValuesDocument {
        let span = Span::new(0, self.source.text().len());
        let value = self.node(span, Text::Owned(content.into()));
        self.document(value)
    }

    /// What the YAML at `span` says as the value: its first document, or null.
    ///
    /// # Errors
    /// Text that is not YAML.
    pub(super) fn yaml(self, span: Span, strict: bool) -> Result<ValuesDocument> {
        let map = OffsetMap::identity(span.start(), span.len());
        let outer = Outer {
            source: Arc::clone(&self.source),
            span,
            map,
        };
        let stream = yaml::parse_data(&Source::embedded(self.source.slice(span), outer))?;
        if strict && let Some(fault) = yaml::strict_faults(&stream).into_iter().next() {
            return Err(Box::new(fault));
        }
        let value = match stream.documents.first() {
            Some(document) => yaml::expand(&document.root)?,
            None => Node::plain("null"),
        };
        Ok(self.document(value))
    }

    /// A string at `span`.
    fn node(&self, span: Span, text: Text) -> Arc<Node> {
        let origin = Some(Origin {
            source: Arc::clone(&self.source),
            span,
        });
        let content = Content::Scalar(Scalar {
            style: ScalarStyle::DoubleQuoted,
            text,
        });
        Arc::new(Node {
            origin,
            properties: None,
            content,
        })
    }

    fn document(self, value: Arc<Node>) -> ValuesDocument {
        let depth = self.keys.len();
        let root = self.keys.iter().rev().fold(value, |value, (key, span)| {
            let key = self.node(*span, Text::Owned(key.as_str().into()));
            Node::mapping(vec![Entry { key, value }])
        });
        let place = Location::new(&self.source, Span::new(0, self.source.text().len()));
        let document = Built {
            root,
            place: Some(place),
            annotations: Vec::new(),
        };
        ValuesDocument {
            document,
            merge: Merge::Below(depth),
            target: self.target,
            is_last: false,
        }
    }
}

/// Divides keys and says where each stands; `offset` is where the text starts.
fn divide(text: &str, offset: usize, divider: Divider) -> Vec<(String, Span)> {
    let mut keys = Vec::new();
    let mut key = String::new();
    let mut start = 0;
    let mut rest = text;
    loop {
        let at = text.len() - rest.len();
        let (taken, part) = match divider {
            Divider::Dot if rest.starts_with("\\.") => (2, Some('.')),
            Divider::Dot if rest.starts_with('.') => (1, None),
            Divider::Underscores if rest.starts_with("__") => (2, None),
            _ => match rest.chars().next() {
                Some(character) => (character.len_utf8(), Some(character)),
                None => {
                    keys.push((key, Span::new(offset + start, offset + text.len())));
                    return keys;
                }
            },
        };
        rest = rest.get(taken..).unwrap_or_default();
        match part {
            Some(character) => key.push(character),
            None => {
                keys.push((
                    std::mem::take(&mut key),
                    Span::new(offset + start, offset + at),
                ));
                start = at + taken;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str, divider: Divider) -> Vec<String> {
        divide(text, 0, divider)
            .into_iter()
            .map(|(key, _)| key)
            .collect()
    }

    #[test]
    fn a_dot_divides_keys_and_a_backslash_keeps_it() {
        assert_eq!(keys("a.b.c", Divider::Dot), ["a", "b", "c"]);
        assert_eq!(
            keys(r"example\.com/name.b", Divider::Dot),
            ["example.com/name", "b"]
        );
        assert_eq!(keys(r"a\b.c", Divider::Dot), [r"a\b", "c"]);
        assert_eq!(keys("a..b", Divider::Dot), ["a", "", "b"]);
        assert_eq!(keys("", Divider::Dot), [""]);
    }

    #[test]
    fn two_underscores_divide_keys_in_names_of_variables() {
        assert_eq!(keys("a__b_c__d", Divider::Underscores), ["a", "b_c", "d"]);
        assert_eq!(keys("a.b", Divider::Underscores), ["a.b"]);
        assert_eq!(keys("a___b", Divider::Underscores), ["a", "_b"]);
    }

    #[test]
    fn each_key_knows_where_it_stands() {
        let source = Source::new("(data-value arg)", r"@l:a\.b.c=1").unwrap();
        let argument = Argument::new(
            &source,
            Span::new(3, 9),
            Divider::Dot,
            LibraryReference::default(),
        )
        .unwrap();
        let shown: Vec<&str> = argument
            .keys
            .iter()
            .map(|(_, span)| source.slice(*span))
            .collect();
        assert_eq!(shown, [r"a\.b", "c"]);
    }

    #[test]
    fn a_value_in_yaml_stands_where_it_was_typed() {
        let source = Source::new("(data-value-yaml arg)", "a.b={c: [1, x]}").unwrap();
        let argument = Argument::new(
            &source,
            Span::new(0, 3),
            Divider::Dot,
            LibraryReference::default(),
        )
        .unwrap();
        let document = argument.yaml(Span::new(4, 15), false).unwrap();
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
