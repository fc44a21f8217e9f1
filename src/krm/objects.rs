//! The Kubernetes objects of a text, and the text with them edited.
//!
//! Each document that is a mapping is an object, or where it is a list of objects, what the list holds is. Lists may
//! hold lists. What is no mapping is left alone.
//!
//! Each object knows its slot: the how manieth it is of all that were read. By it the outcome of a run is put back, in
//! whatever order it comes. A slot that nobody claims any more is an object that was removed; an object without a slot
//! is new.

use std::sync::Arc;

use crate::kubernetes::Resource;
use crate::source::{Diagnostics, Result, Source};
use crate::yaml::{Item, Node, Sequence, Stream, canonical_node, faithful, parse_data};

/// The objects of `stream` in order, in slots from `first` on. An item of a list that is no mapping and an object whose
/// annotations contradict each other are told.
pub fn find(stream: &Stream, first: usize, diagnostics: &mut Diagnostics) -> Vec<Resource> {
    let mut nodes = Vec::new();
    let documents = stream.documents.iter().map(|document| &document.root);
    documents
        .filter(|root| root.as_mapping().is_some())
        .for_each(|root| collect(root, &mut nodes));
    let resource = |(index, node): (usize, &Arc<Node>)| {
        let mut resource = diagnostics.take(Resource::new(Arc::clone(node)))?;
        resource.syntax = stream.syntax;
        resource.has_aliases = stream.has_aliases;
        resource.slot = Some(first + index);
        Some(resource)
    };
    nodes.into_iter().enumerate().filter_map(resource).collect()
}

fn collect<'n>(node: &'n Arc<Node>, found: &mut Vec<&'n Arc<Node>>) {
    match list(node) {
        Some((_, items)) => items
            .items
            .iter()
            .for_each(|item| collect(&item.value, found)),
        None => found.push(node),
    }
}

/// The outcome of a run, by slot.
pub struct Edited<'r> {
    in_slots: Vec<Option<&'r Resource>>,
    added: Vec<&'r Resource>,
}

impl<'r> Edited<'r> {
    /// The resources that a run gave, of which those that were read came from `slots` slots.
    pub fn new(resources: &'r [Resource], slots: usize) -> Edited<'r> {
        let mut edited = Edited {
            in_slots: vec![None; slots],
            added: Vec::new(),
        };
        for resource in resources {
            match resource.slot.and_then(|slot| edited.in_slots.get_mut(slot)) {
                Some(free @ None) => *free = Some(resource),
                _ => edited.added.push(resource),
            }
        }
        edited
    }

    /// The objects that came from no slot.
    pub fn added(&self) -> &[&'r Resource] {
        &self.added
    }

    /// The roots of the documents of `stream`, whose first object is in the slot `first`, with the edited objects in the
    /// places of the objects; `None` for a document that was removed.
    pub fn roots(&self, stream: &Stream, first: usize) -> Vec<Option<Arc<Node>>> {
        let mut slots = self.in_slots.get(first..).unwrap_or_default().iter();
        let roots = stream
            .documents
            .iter()
            .map(|document| match document.root.as_mapping() {
                Some(_) => put_back(&document.root, stream, &mut slots),
                None => Some(Arc::clone(&document.root)),
            });
        roots.collect()
    }

    /// The text of `stream` after the run.
    pub fn text(&self, stream: &Stream, first: usize) -> String {
        faithful::print_kept(stream, &self.roots(stream, first))
    }

    /// The new objects as documents, the first of which may follow others.
    ///
    /// # Errors
    /// A value that YAML cannot spell.
    pub fn added_documents(&self) -> Result<Vec<String>> {
        self.added
            .iter()
            .map(|resource| canonical_node(&resource.node))
            .collect()
    }

    /// The list `root` with the new objects after its items, in the style of canonical YAML.
    pub fn with_added(&self, root: &Arc<Node>) -> Arc<Node> {
        let (Some((at, items)), Some(mapping)) = (
            list(root),
            root.as_mapping().filter(|_| !self.added.is_empty()),
        ) else {
            return Arc::clone(root);
        };
        let mut all: Vec<Item> = items.items.to_vec();
        all.extend(self.added.iter().map(|resource| Item {
            start: None,
            value: in_canonical_style(&resource.node),
        }));
        let mut entries = mapping.entries.to_vec();
        if let Some(entry) = entries.get_mut(at) {
            entry.value = entry.value.resolved().with_items(all);
        }
        root.with_entries(entries)
    }
}

/// The same tree as if it had been read from what ytt prints of it: what stands around a new object, or stood in the file
/// of its template, says nothing about how it should be written.
fn in_canonical_style(node: &Arc<Node>) -> Arc<Node> {
    let read = || {
        let source = Source::new("", canonical_node(node).ok()?).ok()?;
        Some(Arc::clone(
            &parse_data(&source).ok()?.documents.first()?.root,
        ))
    };
    // What YAML cannot spell so is told where the whole is printed.
    read().unwrap_or_else(|| Arc::clone(node))
}

/// Whether a node is one of `stream`, edited or not.
fn is_of(node: &Node, stream: &Stream) -> bool {
    node.origin
        .as_ref()
        .is_some_and(|origin| Arc::ptr_eq(&origin.source, &stream.source))
}

/// `node` with the objects of the next slots in the places of its own: the way of [`collect`] once more. `None` for an
/// object that was removed.
fn put_back<'r>(
    node: &Arc<Node>,
    stream: &Stream,
    slots: &mut impl Iterator<Item = &'r Option<&'r Resource>>,
) -> Option<Arc<Node>> {
    let Some((at, items)) = list(node) else {
        let edited = &slots.next().copied().flatten()?.node;
        let is_kept = Arc::ptr_eq(edited, node) || is_of(edited, stream);
        return Some(if is_kept {
            Arc::clone(edited)
        } else {
            in_canonical_style(edited)
        });
    };
    let old = items.items.iter();
    let new: Vec<Item> = old
        .filter_map(|item| {
            Some(Item {
                start: item.start,
                value: put_back(&item.value, stream, slots)?,
            })
        })
        .collect();
    let same = |(new, old): (&Item, &Item)| Arc::ptr_eq(&new.value, &old.value);
    let unchanged = new.len() == items.items.len() && new.iter().zip(&items.items).all(same);
    let Some(mapping) = node.as_mapping().filter(|_| !unchanged) else {
        return Some(Arc::clone(node));
    };
    let mut entries = mapping.entries.to_vec();
    if let Some(entry) = entries.get_mut(at) {
        entry.value = entry.value.with_items(new);
    }
    Some(node.with_entries(entries))
}

/// The `items` of a list of objects, and the index of their entry. The kind of a list ends in `List`; an object of such
/// a kind whose items are no mappings is just an object, unless Kubernetes or KRM say that it is a list.
fn list(node: &Node) -> Option<(usize, &Sequence)> {
    let mapping = node.as_mapping()?;
    let kind = mapping
        .get("kind")?
        .as_str()
        .filter(|kind| kind.ends_with("List"))?;
    let at = mapping.position("items")?;
    let items = mapping.entries.get(at)?.value.as_sequence()?;
    let all_mappings = || {
        items
            .items
            .iter()
            .all(|item| item.value.resolved().as_mapping().is_some())
    };
    (matches!(kind, "List" | "ResourceList") || all_mappings()).then_some((at, items))
}
