//! A value without the annotations of overlays: what `overlay.apply` takes as its left is not an overlay itself, and what
//! comes of it may become the right of another.

use std::sync::Arc;

use super::instruction::is_overlay_annotation;
use super::made::{with_entries, with_items};
use crate::script::Caller;
use crate::script::fragments::{Annotation, Built};
use crate::source::Result;
use crate::yaml::{Alias, Content, Entry, Node};

/// The document without annotations of overlays, on itself and inside of it.
pub(super) fn document(built: &Built, caller: &Caller<'_, '_>) -> Result<Built> {
    let others = built
        .annotations
        .iter()
        .filter(|annotation| !is_overlay_annotation(annotation));
    let annotations = others.cloned().collect();
    Ok(Built {
        root: value(&built.root, caller)?,
        place: built.place.clone(),
        annotations,
    })
}

/// The value without annotations of overlays on the entries and items in it; itself where there are none.
pub(super) fn value(node: &Arc<Node>, caller: &Caller<'_, '_>) -> Result<Arc<Node>> {
    match &node.content {
        Content::Mapping(mapping) => {
            let stripped = |own: &Entry| {
                Ok(Entry {
                    key: key(&own.key, caller)?,
                    value: value(&own.value, caller)?,
                })
            };
            Ok(with_entries(
                node,
                mapping
                    .entries
                    .iter()
                    .map(stripped)
                    .collect::<Result<_>>()?,
            ))
        }
        Content::Sequence(sequence) => {
            let stripped = sequence.items.iter().map(|own| item(&own.value, caller));
            Ok(with_items(node, stripped.collect::<Result<_>>()?))
        }
        Content::Scalar(_) | Content::Alias(_) => Ok(Arc::clone(node)),
    }
}

fn key(key: &Arc<Node>, caller: &Caller<'_, '_>) -> Result<Arc<Node>> {
    match others(key, caller)? {
        Some(others) => caller.annotated_key(key, others),
        None => Ok(Arc::clone(key)),
    }
}

fn item(item: &Arc<Node>, caller: &Caller<'_, '_>) -> Result<Arc<Node>> {
    let inner = match &item.content {
        Content::Alias(Alias { name, target }) if name.is_empty() => target,
        _ => item,
    };
    let stripped = value(inner, caller)?;
    match others(item, caller)? {
        Some(others) => caller.annotated_item(&stripped, others),
        None if Arc::ptr_eq(&stripped, inner) => Ok(Arc::clone(item)),
        None => caller.carry_annotations(item, &stripped),
    }
}

/// The annotations of a key or item that say nothing about overlays; `None` where none says anything about them.
fn others(node: &Arc<Node>, caller: &Caller<'_, '_>) -> Result<Option<Vec<Annotation>>> {
    let Some(all) = caller.with_annotations(|annotations| annotations.of(node))? else {
        return Ok(None);
    };
    let others: Vec<Annotation> = all
        .iter()
        .filter(|annotation| !is_overlay_annotation(annotation))
        .cloned()
        .collect();
    Ok((others.len() < all.len()).then_some(others))
}
