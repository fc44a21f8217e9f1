//! Aliases after an edit.

use std::collections::HashMap;
use std::sync::Arc;

use super::node::{Alias, Content, Entry, Item, Node};

/// The tree with each alias standing for the node that now has its anchor.
///
/// An edit of an anchored node makes a new node; the aliases of the old one would go on to stand for what it was, while
/// the text that is printed says otherwise. Needed only for a tree that has aliases. What need not change is shared.
pub fn relink(root: &Arc<Node>) -> Arc<Node> {
    Relinker { anchors: HashMap::new() }.node(root)
}

struct Relinker<'a> {
    /// The latest node of each anchor's name, as in reading.
    anchors: HashMap<&'a str, Arc<Node>>,
}

impl<'a> Relinker<'a> {
    fn node(&mut self, node: &'a Arc<Node>) -> Arc<Node> {
        let linked = match &node.content {
            Content::Scalar(_) => Arc::clone(node),
            Content::Alias(alias) => match self.anchors.get(&*alias.name) {
                Some(target) if !Arc::ptr_eq(target, &alias.target) => {
                    node.with_content(Content::Alias(Alias { name: alias.name.clone(), target: Arc::clone(target) }))
                }
                _ => Arc::clone(node),
            },
            Content::Sequence(sequence) => {
                let values: Vec<_> = sequence.items.iter().map(|item| self.node(&item.value)).collect();
                if sequence.items.iter().zip(&values).all(|(item, value)| Arc::ptr_eq(&item.value, value)) {
                    Arc::clone(node)
                } else {
                    let items = sequence.items.iter().zip(values);
                    let items: Vec<Item> = items.map(|(item, value)| Item { start: item.start, value }).collect();
                    node.with_items(items)
                }
            }
            Content::Mapping(mapping) => {
                let mut entries = Vec::with_capacity(mapping.entries.len());
                let mut same = true;
                for entry in &mapping.entries {
                    self.node(&entry.key);
                    let value = self.node(&entry.value);
                    same &= Arc::ptr_eq(&value, &entry.value);
                    entries.push(Entry { key: Arc::clone(&entry.key), value });
                }
                if same { Arc::clone(node) } else { node.with_entries(entries) }
            }
        };
        if let Some(name) = node.anchor() {
            self.anchors.insert(name, Arc::clone(&linked));
        }
        linked
    }
}
