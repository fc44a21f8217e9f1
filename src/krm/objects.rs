//! The Kubernetes objects of a text, and the text with them edited.
//!
//! Each document that is a mapping is an object, or where it is a list of objects, what the list holds is. Lists may
//! hold lists. What is no mapping is left alone.

use std::sync::Arc;

use crate::kustomize::Resource;
use crate::source::Result;
use crate::yaml::{Node, Sequence, Stream};

/// The objects of `stream` in order.
///
/// # Errors
/// An item of a list that is no mapping, and an object whose annotations contradict each other.
pub fn find(stream: &Stream) -> Result<Vec<Resource>> {
    let mut found = Vec::new();
    for document in &stream.documents {
        if document.root.as_mapping().is_some() {
            collect(&document.root, stream, &mut found)?;
        }
    }
    Ok(found)
}

fn collect(node: &Arc<Node>, stream: &Stream, found: &mut Vec<Resource>) -> Result<()> {
    if let Some((_, items)) = list(node) {
        return items.items.iter().try_for_each(|item| collect(&item.value, stream, found));
    }
    let mut resource = Resource::new(Arc::clone(node))?;
    resource.syntax = stream.syntax;
    resource.has_aliases = stream.has_aliases;
    found.push(resource);
    Ok(())
}

/// The roots of the documents of `stream` with `edited`, as many objects as [`find`] found, in the places of the
/// objects.
pub fn roots(stream: &Stream, edited: &[Resource]) -> Vec<Arc<Node>> {
    let mut edited = edited.iter();
    let roots = stream.documents.iter().map(|document| match document.root.as_mapping() {
        Some(_) => put_back(&document.root, &mut edited),
        None => Arc::clone(&document.root),
    });
    roots.collect()
}

/// `node` with the next objects of `edited` in the places of its own: the way of [`collect`] once more.
fn put_back<'r>(node: &Arc<Node>, edited: &mut impl Iterator<Item = &'r Resource>) -> Arc<Node> {
    let Some((at, items)) = list(node) else {
        return edited.next().map_or_else(|| Arc::clone(node), |resource| Arc::clone(&resource.node));
    };
    let mut new = items.items.clone();
    for item in &mut new {
        item.value = put_back(&item.value, edited);
    }
    let unchanged = new.iter().zip(items.items.iter()).all(|(new, old)| Arc::ptr_eq(&new.value, &old.value));
    let Some(mapping) = node.as_mapping().filter(|_| !unchanged) else { return Arc::clone(node) };
    let mut entries = mapping.entries.clone();
    entries[at].value = entries[at].value.with_items(new);
    node.with_entries(entries)
}

/// The `items` of a list of objects, and the index of their entry. The kind of a list ends in `List`; an object of such
/// a kind whose items are no mappings is just an object, unless Kubernetes or KRM say that it is a list.
fn list(node: &Node) -> Option<(usize, &Sequence)> {
    let mapping = node.as_mapping()?;
    let kind = mapping.get("kind")?.as_str().filter(|kind| kind.ends_with("List"))?;
    let at = mapping.position("items")?;
    let items = mapping.entries.get(at)?.value.as_sequence()?;
    let all_mappings = || items.items.iter().all(|item| item.value.resolved().as_mapping().is_some());
    (matches!(kind, "List" | "ResourceList") || all_mappings()).then_some((at, items))
}
