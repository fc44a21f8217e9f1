//! Removes overlay annotations from a value.
//!
//! The left of `overlay.apply` may be used as an overlay elsewhere. Here it is not one, and its
//! result may become the right of another call.

use std::sync::Arc;

use super::added::{with_entries, with_items};
use super::instruction::is_overlay_annotation;
use crate::script::Caller;
use crate::script::fragments::{Annotation, Built};
use crate::source::Result;
use crate::yaml::{Alias, Content, Entry, Node};

/// Returns the document without overlay annotations on itself and inside.
pub(super) fn strip_document(built: &Built, caller: &Caller<'_, '_>) -> Result<Built> {
    Ok(Built {
        root: strip_value(&built.root, caller)?,
        place: built.place.clone(),
        annotations: without_overlay(&built.annotations),
    })
}

/// Returns the value without overlay annotations on its entries and items, or the same node if
/// there are none.
pub(super) fn strip_value(node: &Arc<Node>, caller: &Caller<'_, '_>) -> Result<Arc<Node>> {
    match &node.content {
        Content::Mapping(mapping) => {
            let mut entries = Vec::with_capacity(mapping.entries.len());
            for entry in &mapping.entries {
                entries.push(Entry {
                    key: strip_key(&entry.key, caller)?,
                    value: strip_value(&entry.value, caller)?,
                });
            }
            Ok(with_entries(node, entries))
        }
        Content::Sequence(sequence) => {
            let mut values = Vec::with_capacity(sequence.items.len());
            for item in &sequence.items {
                values.push(strip_item(&item.value, caller)?);
            }
            Ok(with_items(node, values))
        }
        // The target of an alias is stripped where its anchor is defined. Following the alias here
        // would copy it.
        Content::Scalar(_) | Content::Alias(_) => Ok(Arc::clone(node)),
    }
}

fn strip_key(key: &Arc<Node>, caller: &Caller<'_, '_>) -> Result<Arc<Node>> {
    match remaining_annotations(key, caller)? {
        Some(others) => caller.annotated_key(key, others),
        None => Ok(Arc::clone(key)),
    }
}

fn strip_item(item: &Arc<Node>, caller: &Caller<'_, '_>) -> Result<Arc<Node>> {
    // The annotations of an item are attached to an alias without a name around its value.
    let inner = match &item.content {
        Content::Alias(Alias { name, target }) if name.is_empty() => target,
        _ => item,
    };
    let stripped = strip_value(inner, caller)?;
    match remaining_annotations(item, caller)? {
        Some(others) => caller.annotated_item(&stripped, others),
        None if Arc::ptr_eq(&stripped, inner) => Ok(Arc::clone(item)),
        None => caller.carry_annotations(item, &stripped),
    }
}

/// Returns the remaining annotations of a key or item; `None` if it has no overlay annotation.
fn remaining_annotations(
    node: &Arc<Node>,
    caller: &Caller<'_, '_>,
) -> Result<Option<Vec<Annotation>>> {
    // Having no annotations at all is by far the most frequent case; the caller then keeps the
    // node.
    let Some(all) = caller.with_annotations(|annotations| annotations.of(node))? else {
        return Ok(None);
    };
    let others = without_overlay(&all);
    Ok((others.len() < all.len()).then_some(others))
}

fn without_overlay(annotations: &[Annotation]) -> Vec<Annotation> {
    annotations
        .iter()
        .filter(|annotation| !is_overlay_annotation(annotation))
        .cloned()
        .collect()
}
