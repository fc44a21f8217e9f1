//! Refuses values that TOML cannot represent before an edited tree is written: null, and numbers
//! that are too large.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::NESTING_LIMIT;
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::{Content, Entry, Mapping, Node, Value};

/// Refuses a tree that TOML cannot represent. Subtrees that it shares with `before` are not checked
/// again.
///
/// # Errors
/// A root that is not a mapping, null, an integer beyond the range of `i64`, a key that is a
/// collection or is repeated, and too deep nesting. Each error has the place of the value.
pub(super) fn check(before: &Arc<Node>, after: &Arc<Node>) -> Result<()> {
    let root = after.resolved();
    match root.content {
        Content::Mapping(_) => node(Some(before), root, 0),
        _ => Err(misfit(
            root,
            format!("a TOML document is a table, found {}", root.described()),
        )
        .help("write a mapping, or name a key of the document in the path")),
    }
}

/// Returns the error for a value that TOML cannot express.
fn misfit(node: &Arc<Node>, message: String) -> Box<Diagnostic> {
    Diagnostic::error(Code::ValueDoesNotFit, message).at(node.location(), "the value")
}

/// Returns the text of a float if it is written as a whole number. YAML 1.1 reads whole numbers as
/// floats if they do not fit 64 bits. Written to TOML, they would lose digits:
///
/// ```text
/// 18446744073709551617     ->     1.8446744073709552e19
/// ```
fn whole_number(node: &Node) -> Option<&str> {
    let text = node.text()?;
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    // With a tag, as in `!!float 1`, a float is wanted.
    let is_whole = node.tag().is_none() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_whole.then_some(text)
}

/// Returns the error for an integer that does not fit an `i64`.
fn too_large(node: &Arc<Node>, number: &str) -> Box<Diagnostic> {
    let (limit, name) = match number.starts_with('-') {
        true => (i64::MIN, "smallest"),
        false => (i64::MAX, "largest"),
    };
    let message = format!("the {name} whole number in TOML is {limit}, found {number}");
    misfit(node, message).help("write it in quotes, as text")
}

/// Checks the new parts of a value. Parts that `before` contains were read from TOML or checked
/// before.
fn node(before: Option<&Arc<Node>>, after: &Arc<Node>, depth: usize) -> Result<()> {
    let after = after.resolved();
    if before.is_some_and(|before| Arc::ptr_eq(before, after)) {
        return Ok(());
    }
    if depth > NESTING_LIMIT {
        let message = format!("the value would nest deeper than {NESTING_LIMIT} levels of TOML");
        return Err(Diagnostic::error(Code::Limit, message).at(after.location(), "the value"));
    }
    match &after.content {
        Content::Mapping(mapping) => entries(
            before.and_then(|before| before.as_mapping()),
            mapping,
            depth,
        ),
        Content::Sequence(sequence) => {
            let changed = sequence.changed_since(before.and_then(|before| before.as_sequence()));
            for (index, item) in changed.new_elements().enumerate() {
                let known = changed.before.get(index).map(|item| &item.value);
                node(known, &item.value, depth + 1)?;
            }
            Ok(())
        }
        Content::Scalar(_) | Content::Alias(_) => match after.value() {
            Some(Value::Null) => Err(misfit(after, "TOML has no null".to_owned()).help(
                "remove the key, or use a value that means the same, such as an empty string",
            )),
            Some(Value::UInt(number)) => Err(too_large(after, &number.to_string())),
            Some(Value::Float(_)) => match whole_number(after) {
                Some(number) => Err(too_large(after, number)),
                None => Ok(()),
            },
            _ => Ok(()),
        },
    }
}

/// Checks the new entries of a table.
fn entries(before: Option<&Mapping>, after: &Mapping, depth: usize) -> Result<()> {
    let changed = after.changed_since(before);
    let is_whole = changed.after.len() == after.entries.len();
    let known: HashMap<&str, &Entry> = changed
        .before
        .iter()
        .filter_map(|entry| Some((entry.key.text()?, *entry)))
        .collect();
    let mut seen = HashSet::with_capacity(changed.after.len());
    for entry in changed.new_elements() {
        let key = entry.key.resolved();
        let Some(name) = key.text() else {
            return Err(misfit(
                key,
                format!("a key of TOML is a string, found {}", key.described()),
            ));
        };
        let old = known.get(name);
        // An old key is known to be unique. A new key may equal the key of an entry that both
        // versions share.
        let is_new = !is_whole && old.is_none();
        if !seen.insert(name) || (is_new && after.entries.positions(None, name).len() > 1) {
            return Err(Diagnostic::error(
                Code::DuplicateKey,
                format!("key `{name}` is given twice in one TOML table"),
            )
            .at(key.location(), "given again here"));
        }
        node(old.map(|old| &old.value), &entry.value, depth + 1)?;
    }
    Ok(())
}
