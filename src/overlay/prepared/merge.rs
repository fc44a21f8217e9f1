//! Applies prepared parts to a document, as `operate`, `merge` and `added` do with other parts.

use std::sync::Arc;

use super::collection::{Collection, EntryCollection, ItemCollection};
use super::part::{PreparedChildren, PreparedOperation, PreparedPart};
use super::{Prepared, Unprepared};
use crate::script::fragments::Annotations;
use crate::yaml::{
    Content, Elements, Entry, Mapping, Node, Value as Scalar, has_plain_keys, is_equal,
};

/// Merges parts into values.
pub(super) struct Merging<'a> {
    /// The annotations of the left, which its elements keep.
    pub(super) annotations: &'a Annotations,
}

impl Merging<'_> {
    /// Returns `left` with a part merged into it; `None` if nothing changes.
    pub(super) fn merge(
        &self,
        left: &Arc<Node>,
        part: &PreparedPart,
    ) -> Prepared<Option<Arc<Node>>> {
        let left = left.resolved();
        match (&part.children, &left.content) {
            (PreparedChildren::None, _) => Ok(change(left, &part.plain_value)),
            (PreparedChildren::Entries(parts), Content::Mapping(mapping)) => {
                self.apply_each(parts, EntryCollection::new(left, mapping))
            }
            (PreparedChildren::Items(parts), Content::Sequence(sequence)) => {
                self.apply_each(parts, ItemCollection::new(left, sequence))
            }
            _ if left.value() == Some(Scalar::Null) => Ok(change(left, &part.plain_value)),
            _ => Err(Unprepared),
        }
    }

    fn apply_each(
        &self,
        parts: &[PreparedPart],
        mut elements: impl Collection,
    ) -> Prepared<Option<Arc<Node>>> {
        for part in parts {
            self.apply_part(&mut elements, part)?;
        }
        Ok(elements.finish())
    }

    fn apply_part(&self, elements: &mut impl Collection, part: &PreparedPart) -> Prepared<()> {
        let matched = elements.find(part)?;
        if let Some(count) = &part.count
            && !count.accepts(matched.len())
        {
            return if count.skips { Ok(()) } else { Err(Unprepared) };
        }
        match part.operation {
            PreparedOperation::Merge if matched.is_empty() => elements.add(part),
            PreparedOperation::Merge => {
                for at in matched {
                    if let Some(value) = self.merge(elements.value(at)?, part)? {
                        elements.set(at, value, self.annotations)?;
                    }
                }
                Ok(())
            }
            PreparedOperation::Remove => elements.remove(&matched),
            PreparedOperation::Replace { or_add: true } if matched.is_empty() => elements.add(part),
            PreparedOperation::Replace { .. } => {
                for at in matched {
                    if let Some(value) = change(elements.value(at)?, &part.plain_value) {
                        elements.replace(at, value, self.annotations)?;
                    }
                }
                Ok(())
            }
            PreparedOperation::Append => elements.add(part),
        }
    }
}

/// Returns `value` if it must replace `left`.
fn change(left: &Arc<Node>, value: &Arc<Node>) -> Option<Arc<Node>> {
    (!is_equal(left, value)).then(|| Arc::clone(value))
}

/// Returns the position of the entry whose key is the string `text`. `entries` are a version of the
/// entries of `mapping`.
///
/// # Errors
/// Fails if another entry could be the effective one: the mapping has a merge key, contains the key
/// twice, or has a key of another type with the same spelling.
pub(super) fn position_of(
    mapping: &Mapping,
    entries: &Elements<Entry>,
    text: &str,
) -> Prepared<Option<usize>> {
    if entries.is_large() {
        return match entries.are_plain() || has_plain_keys(mapping) {
            true => Ok(entries.position(None, text)),
            false => Err(Unprepared),
        };
    }
    let mut found = None;
    for (at, entry) in entries.iter().enumerate() {
        let own = entry.key.text().ok_or(Unprepared)?;
        if own == "<<" {
            return Err(Unprepared);
        }
        if own == text {
            if found.is_some() || entry.key.as_str() != Some(text) {
                return Err(Unprepared);
            }
            found = Some(at);
        }
    }
    Ok(found)
}

/// Returns the scalar of a mapping under a key that it contains once.
///
/// # Errors
/// Fails for any other mapping or value, which needs the complete comparison.
pub(super) fn only_value<'a>(node: &'a Arc<Node>, key: &str) -> Prepared<&'a Arc<Node>> {
    let mapping = node.resolved().as_mapping().ok_or(Unprepared)?;
    let at = position_of(mapping, &mapping.entries, key)?.ok_or(Unprepared)?;
    let value = mapping.entries.at(at).ok_or(Unprepared)?.value.resolved();
    match value.as_scalar() {
        Some(_) => Ok(value),
        None => Err(Unprepared),
    }
}
