//! The value in `PATH=VALUE`.
//!
//! It is YAML on one line, so that users can type numbers, lists and mappings. They also type
//! passwords, patterns and templates, which YAML would silently read as something else:
//!
//! ```text
//! 3           a number             !s3cret x   the text; as YAML, `x` with a tag
//! "3"         a string             &k3y        the text; as YAML, null with an anchor
//! {a: [1]}    a mapping            {{ .V }}    the text; as YAML, a mapping with a mapping as key
//! a: 1        the text             NO, 012     the text; as YAML 1.1, false and 10
//! ```
//!
//! A value is therefore read as YAML only if all of it is data that every version of YAML reads in
//! the same way.

use std::sync::Arc;

use crate::edit::{DocumentFormat, EditTarget, TypePolicy, fit};
use crate::source::{Result, Source};
use crate::yaml::{
    CollectionStyle, Content, Entry, Item, Node, ScalarStyle, Stream, differs_by_version, parse,
};

/// A value as the user types it on the command line.
#[derive(Clone, Debug)]
pub(super) struct AssignedValue {
    text: Box<str>,
    node: Arc<Node>,
    /// Whether the text is a string although it may look like another type.
    is_text: bool,
}

impl AssignedValue {
    /// Parses a value: YAML on one line, or otherwise the text itself.
    ///
    /// # Errors
    /// Returns the mistake in one line if the text is too long.
    pub(super) fn parse(text: &str) -> Result<AssignedValue, String> {
        let source = Source::new("<value>", text).map_err(|_| "the value is too long")?;
        // A text that is not YAML is a string, not an error: `set a=[x` has no better
        // interpretation.
        let read = parse(&source).ok().and_then(|stream| data(&stream, text));
        let is_text = match &read {
            Some(node) => node.text().is_some_and(differs_by_version),
            None => true,
        };
        let node = match read {
            Some(node) => in_all_versions(&node),
            None => Node::string(text),
        };
        Ok(AssignedValue {
            text: text.into(),
            node,
            is_text,
        })
    }

    /// Returns the value before it is adapted to a target.
    pub(super) fn node(&self, policy: TypePolicy) -> Arc<Node> {
        match policy {
            TypePolicy::String => Node::string(&*self.text),
            TypePolicy::Keep | TypePolicy::Infer => Arc::clone(&self.node),
        }
    }

    /// Returns the value to write at `target`.
    ///
    /// # Errors
    /// Fails as [`fit`] does.
    pub(super) fn fit(&self, target: &EditTarget<'_>, policy: TypePolicy) -> Result<Arc<Node>> {
        let node = self.node(policy);
        // In YAML, `no` replacing `yes` and `0600` replacing `0644` keep their bytes and their
        // type. JSON would get `false` and `384`, which nobody typed.
        let keeps_type = policy == TypePolicy::Keep && target.format == DocumentFormat::YAML;
        let policy = match self.is_text && !keeps_type {
            true => TypePolicy::String,
            false => policy,
        };
        fit(&node, target, policy)
    }
}

/// Returns the value of a text that consists only of data; `None` if it is plain text.
fn data(stream: &Stream, text: &str) -> Option<Arc<Node>> {
    let [document] = stream.documents.as_slice() else {
        return None;
    };
    let root = &document.root;
    let is_data = stream.comments.is_empty()
        && is_all_of(root, text)
        && !is_over_lines(root, text)
        && !has_marks(root);
    is_data.then(|| Arc::clone(root))
}

/// Returns whether the value is the complete input. A comment after it is meant as a part of the
/// text.
fn is_all_of(node: &Node, text: &str) -> bool {
    let Some(origin) = &node.origin else {
        return false;
    };
    text.get(origin.span.start()..origin.span.end()) == Some(text)
}

/// Returns whether a value needs several lines: a block, or a scalar whose line breaks YAML would
/// read as spaces.
fn is_over_lines(node: &Node, text: &str) -> bool {
    match &node.content {
        Content::Mapping(mapping) => mapping.style == CollectionStyle::Block,
        Content::Sequence(sequence) => sequence.style == CollectionStyle::Block,
        Content::Scalar(scalar) => {
            let is_block = matches!(scalar.style, ScalarStyle::Literal | ScalarStyle::Folded);
            is_block || text.contains('\n')
        }
        Content::Alias(_) => false,
    }
}

/// Returns whether a value or a nested value has an anchor, an alias, a tag, or a collection as a
/// key: `[!x, y]` is a pattern rather than a list, and `[{{ .Port }}]` a template.
fn has_marks(node: &Node) -> bool {
    let is_marked_key = |key: &Node| key.as_scalar().is_none() || has_marks(key);
    node.properties.is_some()
        || match &node.content {
            Content::Mapping(mapping) => {
                let mut entries = mapping.entries.iter();
                entries.any(|entry| is_marked_key(&entry.key) || has_marks(&entry.value))
            }
            Content::Sequence(sequence) => {
                let mut items = sequence.items.iter();
                items.any(|item| has_marks(&item.value))
            }
            Content::Scalar(_) => false,
            Content::Alias(_) => true,
        }
}

/// Returns a value in which each plain scalar that YAML versions read differently is a string:
/// `[NO, 3]` becomes `["NO", 3]`.
fn in_all_versions(node: &Arc<Node>) -> Arc<Node> {
    match &node.content {
        Content::Mapping(mapping) => {
            let entries = mapping.entries.iter().map(|entry| Entry {
                key: in_all_versions(&entry.key),
                value: in_all_versions(&entry.value),
            });
            node.with_entries(entries.collect::<Vec<Entry>>())
        }
        Content::Sequence(sequence) => {
            let items = sequence.items.iter().map(|item| Item {
                start: item.start,
                value: in_all_versions(&item.value),
            });
            node.with_items(items.collect::<Vec<Item>>())
        }
        Content::Scalar(scalar) if scalar.style == ScalarStyle::Plain => match node.text() {
            Some(text) if differs_by_version(text) => Node::string(text),
            _ => Arc::clone(node),
        },
        Content::Scalar(_) | Content::Alias(_) => Arc::clone(node),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Arc<Node> {
        AssignedValue::parse(text).unwrap().node(TypePolicy::Infer)
    }

    #[test]
    fn reads_yaml_on_one_line() {
        let cases = [
            ("3", "number"),
            ("\"3\"", "string"),
            ("{a: 1}", "mapping"),
            ("[a]", "list"),
            ("0x1F", "number"),
            ("1e3", "number"),
        ];
        for (text, kind) in cases {
            assert_eq!(read(text).kind(), kind, "{text}");
        }
    }

    #[test]
    fn takes_anything_else_as_text() {
        for text in [
            "a: 1",
            "- a",
            "a: [",
            "|",
            "a # b",
            " a",
            "a ",
            "*x",
            "3 # three",
            "a\nb",
            "'a\nb'",
        ] {
            assert_eq!(read(text).as_str(), Some(text));
        }
    }

    #[test]
    fn takes_marks_of_yaml_as_text() {
        for text in [
            "&k3y",
            "!s3cret",
            "!s3cret x",
            "&a b",
            "!!str 3",
            "! 3",
            "!<x> y",
            "[!x y]",
            "{a: &x 1}",
            "[&x a, *x]",
            "{<<: *x}",
            "[a, # b\n c]",
            "%TAG ! x\n---\n[a]",
            "--- a",
            "{{ .V }}",
            "[{{ .V }}]",
            "{a: {{ .V }}}",
            "{? [a] : b}",
            "{!x a: b}",
        ] {
            assert_eq!(read(text).as_str(), Some(text));
        }
    }

    #[test]
    fn takes_what_versions_of_yaml_read_differently_as_text() {
        for text in [
            "NO", "y", "off", "012", "1_000", "0b1", "1:30", "0o17", "-0x1F",
        ] {
            assert_eq!(read(text).as_str(), Some(text));
            let list = read(&format!("[{text}, 3]"));
            let items = &list.as_sequence().unwrap().items;
            assert_eq!(items.at(0).unwrap().value.as_str(), Some(text));
            assert_eq!(items.at(1).unwrap().value.kind(), "number");
        }
    }
}
