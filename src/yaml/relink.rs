//! Aliases after an edit.

use std::collections::HashMap;
use std::sync::Arc;

use super::node::{Alias, Content, Entry, Item, Mapping, Node, Sequence};
use crate::source::Source;

/// The tree with each alias standing for the node that now has its anchor.
///
/// An edit of an anchored node makes a new node; the aliases of the old one would go on to stand for what it was, while
/// the text that is printed says otherwise. `root` may be a part of a document: an alias whose anchor is not in it stays
/// as it is. Needed only for a tree that has aliases. What need not change is shared.
pub fn relink(root: &Arc<Node>) -> Arc<Node> {
    Relinker::new(root, false).node(root)
}

/// The tree of a whole document, in which an alias whose anchor is gone is a copy of what it stood for.
pub(super) fn relink_document(root: &Arc<Node>) -> Arc<Node> {
    Relinker::new(root, true).node(root)
}

struct Relinker<'a> {
    /// The source of the tree: anchors within nodes of another one are not written.
    source: Option<&'a Arc<Source>>,
    /// Whether every anchor there is stands in the tree.
    is_document: bool,
    /// The latest node of each anchor's name, as in reading.
    anchors: HashMap<&'a str, Arc<Node>>,
}

impl<'a> Relinker<'a> {
    fn new(root: &'a Node, is_document: bool) -> Relinker<'a> {
        let source = root.origin.as_ref().map(|origin| &origin.source);
        Relinker { source, is_document, anchors: HashMap::new() }
    }

    fn node(&mut self, node: &'a Arc<Node>) -> Arc<Node> {
        let linked = match &node.content {
            Content::Scalar(_) => Arc::clone(node),
            Content::Sequence(_) | Content::Mapping(_) if self.is_foreign(node) => Arc::clone(node),
            Content::Alias(alias) => match self.anchors.get(&*alias.name) {
                None if self.is_document => alias.target.resolved().anchored(None),
                None => Arc::clone(node),
                Some(target) if Arc::ptr_eq(target, &alias.target) => Arc::clone(node),
                Some(target) => {
                    node.with_content(Content::Alias(Alias { name: alias.name.clone(), target: Arc::clone(target) }))
                }
            },
            Content::Sequence(sequence) => self.sequence(node, sequence),
            Content::Mapping(mapping) => self.mapping(node, mapping),
        };
        if let Some(name) = node.anchor() {
            self.anchors.insert(name, Arc::clone(&linked));
        }
        linked
    }

    fn is_foreign(&self, node: &Node) -> bool {
        match (&node.origin, self.source) {
            (Some(origin), Some(source)) => !Arc::ptr_eq(&origin.source, source),
            _ => true,
        }
    }

    fn sequence(&mut self, node: &Arc<Node>, sequence: &'a Sequence) -> Arc<Node> {
        let values: Vec<_> = sequence.items.iter().map(|item| self.node(&item.value)).collect();
        if sequence.items.iter().zip(&values).all(|(item, value)| Arc::ptr_eq(&item.value, value)) {
            return Arc::clone(node);
        }
        let items = sequence.items.iter().zip(values);
        node.with_items(items.map(|(item, value)| Item { start: item.start, value }).collect::<Vec<_>>())
    }

    fn mapping(&mut self, node: &Arc<Node>, mapping: &'a Mapping) -> Arc<Node> {
        let mut entries = Vec::with_capacity(mapping.entries.len());
        let mut same = true;
        for entry in &mapping.entries {
            let (key, value) = (self.node(&entry.key), self.node(&entry.value));
            same &= Arc::ptr_eq(&key, &entry.key) && Arc::ptr_eq(&value, &entry.value);
            // The printer knows an entry by its key, so a key stays the same unless its alias has lost its anchor.
            let key = if matches!(key.content, Content::Alias(_)) { Arc::clone(&entry.key) } else { key };
            entries.push(Entry { key, value });
        }
        if same { Arc::clone(node) } else { node.with_entries(entries) }
    }
}
