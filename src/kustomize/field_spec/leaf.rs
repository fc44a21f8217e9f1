//! The values that transformers write at the end of a path.
//!
//! kustomize writes in two ways. Labels, annotations and namespaces are always strings. Names,
//! images and numbers have no type: if they replace a plain scalar, the new text decides the type;
//! if they replace a quoted scalar, they are quoted too.
//!
//! ```text
//! before            label `a: "2"`     prefix `1`
//! a: 1              a: "2"             name: 1 -> 11 (a number)
//! a: "1"            a: "2"             name: "1" -> "11"
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use super::walk::is_null;
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::{Entry, Node, PlainContext, ScalarStyle, Value, is_plain_string, resolve};

/// Returns the string that replaces a scalar, or `None` if it is this string already.
///
/// # Errors
/// [`Code::ValueDoesNotFit`] if the node is a collection.
pub(in crate::kustomize) fn string_over(old: &Node, text: &str) -> Result<Option<Arc<Node>>> {
    check_scalar(old)?;
    Ok((!is_string(old, text)).then(|| Node::string(text)))
}

/// Returns the scalar with a text that replaces another one, or `None` if nothing changes. An empty
/// text changes nothing, as in kustomize.
///
/// # Errors
/// [`Code::ValueDoesNotFit`] if the node is a collection.
pub(in crate::kustomize) fn text_over(old: &Node, text: &str) -> Result<Option<Arc<Node>>> {
    check_scalar(old)?;
    if text.is_empty() {
        return Ok(None);
    }
    if is_plain(old)
        && let Some(untyped) = untyped_text(text)
    {
        let is_same = old.text() == Some(text) && old.tag().is_none();
        return Ok((!is_same).then_some(untyped));
    }
    Ok((!is_string(old, text)).then(|| Node::string(text)))
}

/// Returns a scalar whose type is not settled, or `None` if the text needs quotes. It is plain
/// where it can be, so that a later edit may give it another type again.
pub(in crate::kustomize) fn untyped_text(text: &str) -> Option<Arc<Node>> {
    let is_plain = may_have_another_type(text) || is_plain_string(text, PlainContext::Flow);
    is_plain.then(|| Node::untyped(text))
}

/// Returns the number that replaces a scalar, or `None` if nothing changes. Over a quoted scalar it
/// is in quotes.
///
/// # Errors
/// [`Code::ValueDoesNotFit`] if the node is a collection.
pub(in crate::kustomize) fn number_over(old: &Node, digits: &str) -> Result<Option<Arc<Node>>> {
    let written = text_over(old, digits)?;
    Ok(written.map(|node| match is_plain(&node) {
        true => Node::plain(digits),
        false => node,
    }))
}

/// Returns the mapping with entries set to strings, or `None` if nothing changes. A new entry
/// contains exactly the given node.
///
/// # Errors
/// [`Code::ValueDoesNotFit`] if the node is not a mapping, or if an existing value is a collection.
pub(in crate::kustomize) fn strings_in(
    node: &Arc<Node>,
    strings: &BTreeMap<&str, Arc<Node>>,
) -> Result<Option<Arc<Node>>> {
    if is_null(node) {
        // kustomize adds the entries to the null, which prints as null.
        return Ok(None);
    }
    let Some(mapping) = node.as_mapping() else {
        return Err(wrong_kind(node, "a mapping"));
    };
    let mut entries = mapping.entries.clone();
    let mut is_changed = false;
    for (key, string) in strings {
        let text = string.text().unwrap_or_default();
        match entries.position(None, key) {
            None => {
                entries = entries.inserted(entries.len(), Entry::new(key, Arc::clone(string)));
                is_changed = true;
            }
            Some(position) => {
                let Some(entry) = entries.at(position) else {
                    continue;
                };
                if !is_string(&entry.value, text) {
                    let key = Arc::clone(&entry.key);
                    let value = Node::string(text).anchored(entry.value.anchor());
                    entries = entries.replaced(vec![(position, Entry { key, value })]);
                    is_changed = true;
                }
            }
        }
    }
    Ok(is_changed.then(|| node.with_entries(entries)))
}

fn check_scalar(node: &Node) -> Result<()> {
    match node.as_scalar() {
        Some(_) => Ok(()),
        None => Err(wrong_kind(node, "a scalar")),
    }
}

/// Returns the error for a value of a kind that a transformer cannot change.
pub(in crate::kustomize) fn wrong_kind(node: &Node, expected: &str) -> Box<Diagnostic> {
    let found = node.described();
    let message = format!("wrong node kind: expected {expected}, found {found}");
    Diagnostic::error(Code::ValueDoesNotFit, message)
        .at(node.location(), format!("this is {found}"))
}

fn is_plain(node: &Node) -> bool {
    node.as_scalar()
        .is_some_and(|scalar| scalar.style == ScalarStyle::Plain)
}

/// Returns whether the node is certain to be the string `text`.
fn is_string(node: &Node, text: &str) -> bool {
    node.text() == Some(text)
        && node.tag().is_none()
        && !(is_plain(node) && may_have_another_type(text))
}

/// Returns whether a plain scalar with this text may be something else than a string to kustomize.
///
/// kustomize reads objects by YAML 1.2, where `yes` is a string, but `2020-01-01` is a time. What
/// looks like a time is left to the printer, which knows all the rules.
fn may_have_another_type(text: &str) -> bool {
    match resolve(text, true, None) {
        Value::Bool(_) => matches!(text.as_bytes(), [b't' | b'T' | b'f' | b'F', ..]),
        Value::String(_) => text.bytes().all(is_part_of_time),
        _ => true,
    }
}

fn is_part_of_time(byte: u8) -> bool {
    byte.is_ascii_digit() || b"-:.+ tTZ".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::yaml::{canonical_node, parse};

    fn node(text: &str) -> Arc<Node> {
        let source = Source::new("test.yml", text).unwrap();
        Arc::clone(parse(&source).unwrap().documents[0].root.resolved())
    }

    #[test]
    fn a_text_over_a_plain_scalar_has_the_type_that_it_looks_like() {
        let cases = [
            ("12", "112", "112"),
            ("12", "v12", "v12"),
            ("'12'", "112", "\"112\""),
            ("|-\n  12", "112", "\"112\""),
            ("!!str 12", "112", "112"),
            ("a", "yes", "\"yes\""),
            ("a", "true", "true"),
            ("a", "a: b", "'a: b'"),
            ("12", "", "12"),
        ];
        for (old, text, expected) in cases {
            let old = node(old);
            let new = text_over(&old, text).unwrap().unwrap_or(old);
            assert_eq!(canonical_node(&new).unwrap().trim_end(), expected, "{text}");
        }
    }

    #[test]
    fn a_string_over_a_scalar_is_a_string() {
        for (old, text, expected) in [
            ("12", "13", "\"13\""),
            ("12", "12", "\"12\""),
            ("x", "", "\"\""),
        ] {
            let new = string_over(&node(old), text).unwrap().unwrap();
            assert_eq!(canonical_node(&new).unwrap().trim_end(), expected);
        }
        for same in ["x", "'12'", "\"x\""] {
            let old = node(same);
            let text = old.text().unwrap();
            assert!(string_over(&old, text).unwrap().is_none(), "{same}");
            assert!(text_over(&old, text).unwrap().is_none(), "{same}");
        }
    }

    #[test]
    fn refuses_collections() {
        for text in ["[]", "{}"] {
            assert!(string_over(&node(text), "a").is_err());
            assert!(text_over(&node(text), "a").is_err());
        }
        assert!(strings_in(&node("[]"), &BTreeMap::new()).is_err());
        assert!(strings_in(&node("a"), &BTreeMap::new()).is_err());
    }

    #[test]
    fn sets_entries_and_keeps_the_others() {
        let set = |text: &str| {
            let strings = [("a", "1"), ("b", "x")].map(|(key, value)| (key, Node::string(value)));
            strings_in(&node(text), &BTreeMap::from(strings)).unwrap()
        };
        let printed = canonical_node(&set("{c: z, a: 1}").unwrap()).unwrap();
        assert_eq!(printed, "c: z\na: \"1\"\nb: x\n");
        assert!(set("{b: x, a: '1'}").is_none());
        assert!(set("null").is_none());
    }
}
