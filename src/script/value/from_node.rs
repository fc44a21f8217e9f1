//! Converts a YAML node to a Starlark value.

use std::sync::Arc;

use starlark::collections::SmallMap;
use starlark::values::dict::Dict;
use starlark::values::list::AllocList;
use starlark::values::{Heap, Value};

use super::{Fragment, FragmentContent, Structure};
use crate::script::failure::Failure;
use crate::script::limits::noted;
use crate::yaml::{Content, Node, Value as Scalar, expand, measure};

/// Converts a node for use in a template: a scalar to its value, a collection to a fragment that
/// shares the node.
pub(in crate::script) fn from_node<'v>(node: &Arc<Node>, heap: Heap<'v>) -> Value<'v> {
    let node = node.resolved();
    match scalar_value(node, heap) {
        Some(value) => value,
        None => heap.alloc(Fragment::node(Arc::clone(node))),
    }
}

/// Converts a node that a template has built, for use in it. A collection that code computed becomes
/// a dictionary or a list again, as in ytt, so that `f()["labels"].items()` works if `labels` is
/// computed. Each read creates a new one, so changing it does not change the node.
pub(in crate::script) fn from_built_node<'v>(node: &Arc<Node>, heap: Heap<'v>) -> Value<'v> {
    let node = node.resolved();
    if let Some(value) = scalar_value(node, heap) {
        return value;
    }
    match &node.content {
        Content::Mapping(mapping) if mapping.is_computed => {
            noted::note(mapping.entries.len() * noted::ENTRY);
            let mut pairs = SmallMap::with_capacity(mapping.entries.len());
            for entry in &mapping.entries {
                // The keys of a dictionary are scalars, which can be hashed.
                let Ok(key) = from_built_node(&entry.key, heap).get_hashed() else {
                    continue;
                };
                pairs.insert_hashed(key, from_built_node(&entry.value, heap));
            }
            heap.alloc(Dict::new(pairs))
        }
        Content::Sequence(sequence) if sequence.is_computed => {
            let values = sequence
                .items
                .iter()
                .map(|item| from_built_node(&item.value, heap));
            heap.alloc(AllocList(values.collect::<Vec<_>>()))
        }
        _ => heap.alloc(Fragment::built(FragmentContent::Node(Arc::clone(node)))),
    }
}

/// Converts a node to dictionaries, lists and scalars.
///
/// # Errors
/// Fails for a merge key whose value is not a mapping, and for a key that cannot be hashed.
pub(in crate::script) fn plain_value<'v>(
    node: &Arc<Node>,
    heap: Heap<'v>,
) -> starlark::Result<Value<'v>> {
    plain(&written_out(node)?, heap)
}

/// Expands a node, after checking that its values fit into memory when each is a separate value:
/// the tree of a schema shares the text of an anchor, and Starlark does not.
fn written_out(node: &Arc<Node>) -> starlark::Result<Arc<Node>> {
    let expanded = expand(node).map_err(Failure::from)?;
    measure(&expanded, 0).map_err(Failure::from)?;
    Ok(expanded)
}

fn plain<'v>(node: &Arc<Node>, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
    if let Some(value) = scalar_value(node, heap) {
        return Ok(value);
    }
    match &node.content {
        Content::Mapping(mapping) => {
            noted::note(mapping.entries.len() * noted::ENTRY);
            let mut pairs = SmallMap::with_capacity(mapping.entries.len());
            for entry in &mapping.entries {
                let key = plain(&entry.key, heap)?;
                // The last of equal keys wins, as in fragments.
                pairs.insert_hashed(key.get_hashed()?, plain(&entry.value, heap)?);
            }
            Ok(heap.alloc(Dict::new(pairs)))
        }
        Content::Sequence(sequence) => {
            let values = sequence.items.iter().map(|item| plain(&item.value, heap));
            Ok(heap.alloc(AllocList(values.collect::<starlark::Result<Vec<_>>>()?)))
        }
        _ => Ok(Value::new_none()),
    }
}

/// Converts a node to structs, lists and scalars, as in `data.values`.
///
/// # Errors
/// Fails as [`plain_value`] does, and for a key that cannot be the name of a field.
pub(in crate::script) fn struct_value<'v>(
    node: &Arc<Node>,
    heap: Heap<'v>,
) -> starlark::Result<Value<'v>> {
    structs(&written_out(node)?, heap)
}

fn structs<'v>(node: &Arc<Node>, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
    if let Some(value) = scalar_value(node, heap) {
        return Ok(value);
    }
    match &node.content {
        Content::Mapping(mapping) => {
            let mut fields = SmallMap::with_capacity(mapping.entries.len());
            for entry in &mapping.entries {
                fields.insert(field_name(&entry.key)?, structs(&entry.value, heap)?);
            }
            Ok(heap.alloc_complex(Structure::new(fields)))
        }
        Content::Sequence(sequence) => {
            let values = sequence.items.iter().map(|item| structs(&item.value, heap));
            Ok(heap.alloc(AllocList(values.collect::<starlark::Result<Vec<_>>>()?)))
        }
        _ => Ok(Value::new_none()),
    }
}

/// Returns the name of a field. For a key that is not a string, such as `1` or `on`, this is its
/// spelling.
fn field_name(key: &Arc<Node>) -> starlark::Result<String> {
    match key.resolved().text() {
        Some(text) => Ok(text.to_owned()),
        None => Err(Failure::new(format!(
            "expected a string as a key, found {}",
            key.described()
        ))
        .into()),
    }
}

/// Converts a scalar. Returns `None` for a collection. Binary data that is not UTF-8 becomes a
/// fragment: it can be passed on and printed, but supports no operations.
fn scalar_value<'v>(node: &Arc<Node>, heap: Heap<'v>) -> Option<Value<'v>> {
    // Check this before `value`, because the text of `!!binary` is base64.
    if let Some(bytes) = node.binary() {
        return Some(match String::from_utf8(bytes) {
            Ok(text) => heap.alloc(text),
            Err(_) => heap.alloc(Fragment::node(Arc::clone(node))),
        });
    }
    Some(match node.value()? {
        Scalar::Null => Value::new_none(),
        Scalar::Bool(value) => Value::new_bool(value),
        Scalar::Int(value) => heap.alloc(value),
        Scalar::UInt(value) => heap.alloc(value),
        Scalar::Float(value) => heap.alloc(value),
        Scalar::String(text) => heap.alloc(text),
    })
}
