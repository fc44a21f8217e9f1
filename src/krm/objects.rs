//! The Kubernetes objects of a text, and the text with them edited.

use std::sync::Arc;

use crate::kustomize::Resource;
use crate::source::Result;
use crate::yaml::{Content, Document, Item, Mapping, Node, Sequence, Stream};

/// Where an object stands in its text.
#[derive(Clone, Copy, Debug)]
enum Slot {
    /// It is a document.
    Document(usize),
    /// It is an item of the list that a document is.
    Item { document: usize, item: usize },
}

/// The index of an item in its list, and its new value.
type NewItem<'a> = (usize, &'a Arc<Node>);

/// The objects of a text: each document that is a mapping, or the `items` of a document that is a list of objects.
#[derive(Debug)]
pub struct Objects {
    slots: Vec<Slot>,
}

impl Objects {
    /// Finds the objects of `stream` and returns them in order. A document that is no mapping is left alone.
    ///
    /// # Errors
    /// An item of a list that is no mapping, and an object whose annotations contradict each other.
    pub fn find(stream: &Stream) -> Result<(Objects, Vec<Resource>)> {
        let mut slots = Vec::new();
        let mut resources = Vec::new();
        for (index, document) in stream.documents.iter().enumerate() {
            match items(document) {
                Some(items) => {
                    for (item, node) in items.items.iter().enumerate() {
                        resources.push(resource(&node.value, stream)?);
                        slots.push(Slot::Item { document: index, item });
                    }
                }
                None if document.root.as_mapping().is_some() => {
                    resources.push(resource(&document.root, stream)?);
                    slots.push(Slot::Document(index));
                }
                None => {}
            }
        }
        Ok((Objects { slots }, resources))
    }

    /// How many objects were found.
    pub fn count(&self) -> usize {
        self.slots.len()
    }

    /// The roots of the documents of `stream` with `resources`, as many as were found, in the places of the objects.
    pub fn roots(&self, stream: &Stream, resources: &[Resource]) -> Vec<Arc<Node>> {
        let mut roots: Vec<Arc<Node>> = stream.documents.iter().map(|document| Arc::clone(&document.root)).collect();
        let mut lists: Vec<(usize, Vec<NewItem<'_>>)> = Vec::new();
        for (slot, resource) in self.slots.iter().zip(resources) {
            match *slot {
                Slot::Document(document) => roots[document] = Arc::clone(&resource.node),
                Slot::Item { document, item } => match lists.last_mut() {
                    Some((last, items)) if *last == document => items.push((item, &resource.node)),
                    _ => lists.push((document, vec![(item, &resource.node)])),
                },
            }
        }
        for (document, values) in lists {
            if let Some(root) = with_items(&stream.documents[document].root, &values) {
                roots[document] = root;
            }
        }
        roots
    }
}

fn resource(node: &Arc<Node>, stream: &Stream) -> Result<Resource> {
    let mut resource = Resource::new(Arc::clone(node))?;
    resource.has_aliases = stream.has_aliases;
    Ok(resource)
}

/// The items of a document that is a list of objects: its kind ends in `List` and it has `items`.
fn items(document: &Document) -> Option<&Sequence> {
    let kind = document.root.get("kind")?.as_str()?;
    document.root.get("items").filter(|_| kind.ends_with("List"))?.as_sequence()
}

/// A list of objects with other items; `None` where none is another.
fn with_items(root: &Arc<Node>, values: &[NewItem<'_>]) -> Option<Arc<Node>> {
    let mapping = root.as_mapping()?;
    let at = mapping.position("items")?;
    let list = &mapping.entries[at].value;
    let sequence = list.as_sequence()?;
    if values.iter().all(|&(index, value)| Arc::ptr_eq(&sequence.items[index].value, value)) {
        return None;
    }
    let mut items: Vec<Item> = sequence.items.clone();
    for &(index, value) in values {
        items[index].value = Arc::clone(value);
    }
    let list = list.with_content(Content::Sequence(Sequence { style: sequence.style, items }));
    let mut entries = mapping.entries.clone();
    entries[at].value = list;
    Some(root.with_content(Content::Mapping(Mapping { style: mapping.style, entries })))
}
