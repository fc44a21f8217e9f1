//! Finds the Kubernetes objects in a text, and puts them back after they were edited.
//!
//! Each document that is a mapping is an object, unless it is a list of objects. In that case its
//! items are the objects, and they may be lists themselves. A document that is not a mapping is not
//! changed.
//!
//! Each object has a *slot*: its position among all objects that were read. The results of a run
//! can be in any order, and are put back by their slots:
//!
//! ```text
//! slots          0    1    2
//! read           A    B    C
//! results        C'(slot 2)  A(slot 0)  D(no slot)
//! put back       A    -    C'                          B was removed, D is new
//! ```

use std::sync::Arc;

use crate::kubernetes::Resource;
use crate::source::{Diagnostics, Reported, Result, Source, collect_all};
use crate::yaml::{
    Entry, Item, Node, Sequence, Stream, canonical_node, check_printable, check_spellable,
    faithful, parse_data,
};

/// Returns the objects of `stream` in order, with slots from `first_slot` on.
///
/// # Errors
/// Reports list items that are not mappings, and objects whose annotations contradict each other.
pub fn find(
    stream: &Stream,
    first_slot: usize,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Resource>, Reported> {
    diagnostics.watch(&stream.source);
    collect_all(nodes(stream).into_iter().enumerate().map(|(index, node)| {
        let resource = diagnostics.check(Resource::new(Arc::clone(node)))?;
        Ok(Resource {
            syntax: stream.syntax,
            has_aliases: stream.has_aliases,
            slot: Some(first_slot + index),
            ..resource
        })
    }))
}

/// Returns the nodes of the objects of `stream` in order.
pub(super) fn nodes(stream: &Stream) -> Vec<&Arc<Node>> {
    let mut nodes = Vec::new();
    for document in &stream.documents {
        if document.root.as_mapping().is_some() {
            collect(&document.root, &mut nodes);
        }
    }
    nodes
}

fn collect<'n>(node: &'n Arc<Node>, found: &mut Vec<&'n Arc<Node>>) {
    match list_items(node) {
        Some((_, items)) => {
            for item in &items.items {
                collect(&item.value, found);
            }
        }
        None => found.push(node),
    }
}

/// The objects after a run, by slot.
pub struct EditedObjects<'r> {
    by_slot: Vec<Option<&'r Resource>>,
    added: Vec<&'r Resource>,
}

impl<'r> EditedObjects<'r> {
    /// Sorts the resources that a run returned by slot. `slots` is the number of objects that were
    /// read.
    pub fn new(resources: &'r [Resource], slots: usize) -> EditedObjects<'r> {
        let mut edited = EditedObjects {
            by_slot: vec![None; slots],
            added: Vec::new(),
        };
        for resource in resources {
            let slot = resource.slot.and_then(|slot| edited.by_slot.get_mut(slot));
            match slot {
                Some(free @ None) => *free = Some(resource),
                _ => edited.added.push(resource),
            }
        }
        edited
    }

    /// Returns the new objects.
    pub fn added(&self) -> &[&'r Resource] {
        &self.added
    }

    /// Returns the roots of the documents of `stream` with the edited objects in place; `None`
    /// for a document that was removed. `first_slot` is the slot of the first object in the stream.
    pub fn roots(&self, stream: &Stream, first_slot: usize) -> Vec<Option<Arc<Node>>> {
        let slots = self.by_slot.get(first_slot..).unwrap_or_default();
        let mut slots = slots.iter().copied();
        let mut roots = Vec::with_capacity(stream.documents.len());
        for document in &stream.documents {
            roots.push(match document.root.as_mapping() {
                Some(_) => put_back(&document.root, stream, &mut slots),
                None => Some(Arc::clone(&document.root)),
            });
        }
        roots
    }

    /// Returns the text of `stream` after the run.
    ///
    /// # Errors
    /// Fails for a value that the text cannot represent, such as infinity in JSON.
    pub fn text(&self, stream: &Stream, first_slot: usize) -> Result<String> {
        let roots = self.roots(stream, first_slot);
        check_spellable(stream, roots.iter().map(Option::as_ref))?;
        let mut changed = Vec::new();
        for (document, root) in stream.documents.iter().zip(&roots) {
            if let Some(root) = root
                && !Arc::ptr_eq(root, &document.root)
            {
                changed.push(root);
            }
        }
        check_printable(changed)?;
        Ok(faithful::print_kept(stream, &roots))
    }

    /// Returns the new objects as documents.
    ///
    /// # Errors
    /// Fails for a value that YAML cannot represent.
    pub fn added_documents(&self) -> Result<Vec<String>> {
        self.added
            .iter()
            .map(|resource| canonical_node(&resource.node))
            .collect()
    }

    /// Returns the list `root` with the new objects after its items, in the style of canonical
    /// YAML.
    pub fn with_added(&self, root: &Arc<Node>) -> Arc<Node> {
        let Some(mapping) = root.as_mapping() else {
            return Arc::clone(root);
        };
        if self.added.is_empty() {
            return Arc::clone(root);
        }
        let mut added = Vec::with_capacity(self.added.len());
        for resource in &self.added {
            added.push(in_canonical_style(&resource.node));
        }
        let mut entries = mapping.entries.to_vec();
        match mapping.position("items") {
            Some(position) => {
                let list = entries[position].value.resolved();
                entries[position].value = with_new_items(list, added);
            }
            None => entries.push(Entry::new("items", Node::sequence(added))),
        }
        root.with_entries(entries)
    }
}

/// Returns a list with more items at its end. Null is an empty list.
fn with_new_items(list: &Arc<Node>, added: Vec<Arc<Node>>) -> Arc<Node> {
    let Some(sequence) = list.as_sequence() else {
        return Node::sequence(added);
    };
    let mut items = sequence.items.to_vec();
    for value in added {
        items.push(Item { start: None, value });
    }
    list.with_items(items)
}

/// Returns the same tree as if it had been parsed from canonical YAML.
///
/// A new object has no neighbors whose style it could follow, and it should not have the style of
/// the template that it comes from either.
fn in_canonical_style(node: &Arc<Node>) -> Arc<Node> {
    // A value that YAML cannot represent is reported when the whole text is printed.
    reparsed(node).unwrap_or_else(|| Arc::clone(node))
}

fn reparsed(node: &Arc<Node>) -> Option<Arc<Node>> {
    let source = Source::new("", canonical_node(node).ok()?).ok()?;
    let stream = parse_data(&source).ok()?;
    Some(Arc::clone(&stream.documents.first()?.root))
}

/// Returns whether a node comes from `stream`, edited or not.
fn is_from(node: &Node, stream: &Stream) -> bool {
    match &node.origin {
        Some(origin) => Arc::ptr_eq(&origin.source, &stream.source),
        None => false,
    }
}

/// Returns `node` with its objects replaced by those in the next slots; `None` for an object that
/// was removed.
///
/// Invariant: it visits objects in the order of [`collect`].
fn put_back<'r>(
    node: &Arc<Node>,
    stream: &Stream,
    slots: &mut impl Iterator<Item = Option<&'r Resource>>,
) -> Option<Arc<Node>> {
    let Some((position, items)) = list_items(node) else {
        let edited = &slots.next().flatten()?.node;
        if Arc::ptr_eq(edited, node) || is_from(edited, stream) {
            return Some(Arc::clone(edited));
        }
        return Some(in_canonical_style(edited));
    };
    let mut is_changed = false;
    let mut new_items = Vec::with_capacity(items.items.len());
    for item in &items.items {
        let Some(value) = put_back(&item.value, stream, slots) else {
            is_changed = true;
            continue;
        };
        is_changed |= !Arc::ptr_eq(&value, &item.value);
        new_items.push(Item {
            start: item.start,
            value,
        });
    }
    let Some(mapping) = node.as_mapping().filter(|_| is_changed) else {
        return Some(Arc::clone(node));
    };
    let mut entries = mapping.entries.to_vec();
    // The target of an alias stays unchanged. The items are written out, without the anchor of the
    // target.
    let old = &entries[position].value;
    entries[position].value = old.resolved().with_items(new_items).anchored(old.anchor());
    Some(node.with_entries(entries))
}

/// Returns the `items` of a list of objects, and the position of their entry.
///
/// The kind of a list ends in `List`. An object of such a kind whose items are not mappings is an
/// ordinary object, except for the kinds that Kubernetes and KRM define as lists.
pub(super) fn list_items(node: &Node) -> Option<(usize, &Sequence)> {
    let mapping = node.as_mapping()?;
    let kind = mapping.get("kind")?.resolved().as_str()?;
    if !kind.ends_with("List") {
        return None;
    }
    let position = mapping.position("items")?;
    let items = mapping.entries[position].value.resolved().as_sequence()?;
    let is_list = matches!(kind, "List" | "ResourceList")
        || items
            .items
            .iter()
            .all(|item| item.value.resolved().as_mapping().is_some());
    if is_list {
        Some((position, items))
    } else {
        None
    }
}

/// Returns whether two objects have the same version, kind and name.
pub(super) fn is_same_object(one: &Node, other: &Node) -> bool {
    let fields: [&[&str]; 3] = [&["apiVersion"], &["kind"], &["metadata", "name"]];
    fields
        .iter()
        .all(|field| text_at(one, field) == text_at(other, field))
}

fn text_at<'n>(node: &'n Node, keys: &[&str]) -> Option<&'n str> {
    node.get_in(keys)?.text()
}
