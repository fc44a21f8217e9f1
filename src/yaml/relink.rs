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
    Relinker::new(root, Purpose::FollowEdits).node(root)
}

/// The tree with each alias written out that stands for something else than the node that now has its anchor.
///
/// An edit of values changes only what it names, whatever text it shares with other values. What need not change is
/// shared.
pub fn unlink(root: &Arc<Node>) -> Arc<Node> {
    Relinker::new(root, Purpose::KeepValues).node(root)
}

/// The tree of a whole document, in which an alias whose anchor is gone is a copy of what it stood for.
pub(super) fn relink_document(root: &Arc<Node>) -> Arc<Node> {
    Relinker::new(root, Purpose::Print).node(root)
}

/// What aliases are to be afterwards.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// They stand for the nodes that now have their anchors; one whose anchor is not in the tree stays.
    FollowEdits,
    /// The same, in a tree that is whole: an anchor that is not in it is gone.
    Print,
    /// They stand for what they stood for.
    KeepValues,
}

struct Relinker<'a> {
    /// The source of the tree: anchors within nodes of another one are not written.
    source: Option<&'a Arc<Source>>,
    purpose: Purpose,
    /// The latest node of each anchor's name, as in reading.
    anchors: HashMap<&'a str, Arc<Node>>,
}

impl<'a> Relinker<'a> {
    fn new(root: &'a Node, purpose: Purpose) -> Relinker<'a> {
        let source = root.origin.as_ref().map(|origin| &origin.source);
        Relinker {
            source,
            purpose,
            anchors: HashMap::new(),
        }
    }

    fn node(&mut self, node: &'a Arc<Node>) -> Arc<Node> {
        let linked = match &node.content {
            Content::Scalar(_) => Arc::clone(node),
            Content::Sequence(_) | Content::Mapping(_) if self.is_foreign(node) => Arc::clone(node),
            Content::Alias(alias) => match self.anchors.get(&*alias.name) {
                Some(target) if Arc::ptr_eq(target, &alias.target) => Arc::clone(node),
                _ if self.purpose == Purpose::KeepValues => written_out(&alias.target),
                None if self.purpose == Purpose::Print => alias.target.resolved().anchored(None),
                None => Arc::clone(node),
                Some(target) => node.with_content(Content::Alias(Alias {
                    name: alias.name.clone(),
                    target: Arc::clone(target),
                })),
            },
            Content::Sequence(sequence) => self.sequence(node, sequence),
            Content::Mapping(mapping) => self.mapping(node, mapping),
        };
        if let Some(name) = node.anchor().filter(|name| !self.is_copy(name, node)) {
            self.anchors.insert(name, Arc::clone(&linked));
        }
        linked
    }

    /// Whether the node that has the anchor now was read at the same place as `node`, which then is a copy in the place of
    /// an alias; a copy is written without its anchors.
    fn is_copy(&self, name: &str, node: &Node) -> bool {
        let span = |node: &Node| node.origin.as_ref().map(|origin| origin.span);
        self.anchors
            .get(name)
            .is_some_and(|known| span(known).is_some() && span(known) == span(node))
    }

    fn is_foreign(&self, node: &Node) -> bool {
        match (&node.origin, self.source) {
            (Some(origin), Some(source)) => !Arc::ptr_eq(&origin.source, source),
            _ => true,
        }
    }

    fn sequence(&mut self, node: &Arc<Node>, sequence: &'a Sequence) -> Arc<Node> {
        let values: Vec<_> = sequence
            .items
            .iter()
            .map(|item| self.node(&item.value))
            .collect();
        if sequence
            .items
            .iter()
            .zip(&values)
            .all(|(item, value)| Arc::ptr_eq(&item.value, value))
        {
            return Arc::clone(node);
        }
        let items = sequence.items.iter().zip(values);
        node.with_items(
            items
                .map(|(item, value)| Item {
                    start: item.start,
                    value,
                })
                .collect::<Vec<_>>(),
        )
    }

    fn mapping(&mut self, node: &Arc<Node>, mapping: &'a Mapping) -> Arc<Node> {
        let mut entries = Vec::with_capacity(mapping.entries.len());
        let mut same = true;
        for entry in &mapping.entries {
            let (key, value) = (self.node(&entry.key), self.node(&entry.value));
            same &= Arc::ptr_eq(&key, &entry.key) && Arc::ptr_eq(&value, &entry.value);
            // The printer knows an entry by its key, so a key stays the same unless its alias has lost its anchor.
            let key = if matches!(key.content, Content::Alias(_)) {
                Arc::clone(&entry.key)
            } else {
                key
            };
            entries.push(Entry { key, value });
        }
        if same {
            Arc::clone(node)
        } else {
            node.with_entries(entries)
        }
    }
}

/// A copy of what an alias stands for, with no anchor in it, and no alias.
fn written_out(node: &Arc<Node>) -> Arc<Node> {
    let node = node.resolved();
    let copy = match &node.content {
        Content::Scalar(_) | Content::Alias(_) => return node.anchored(None),
        Content::Sequence(sequence) => {
            let items = sequence.items.iter().map(|item| Item {
                start: item.start,
                value: written_out(&item.value),
            });
            node.with_items(items.collect::<Vec<_>>())
        }
        Content::Mapping(mapping) => {
            let entries = mapping.entries.iter();
            let entries = entries.map(|entry| Entry {
                key: written_out(&entry.key),
                value: written_out(&entry.value),
            });
            node.with_entries(entries.collect::<Vec<_>>())
        }
    };
    copy.anchored(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::{canonical_node, faithful, parse_data};

    /// What is printed when `a` is set to `2` in `text` and all other values stay.
    fn set_a(text: &str) -> String {
        let stream = parse_data(&Source::new("a.yml", text).unwrap()).unwrap();
        let root = &stream.documents[0].root;
        let mut entries = root.as_mapping().unwrap().entries.to_vec();
        entries[0].value = Node::plain("2").anchored(entries[0].value.anchor());
        let edited = root.with_entries(entries);
        let printed = faithful::print(&stream, &[unlink(&edited)]);
        let read = parse_data(&Source::new("b.yml", &*printed).unwrap()).unwrap();
        let says = |node: &Arc<Node>| canonical_node(node).unwrap();
        assert_eq!(says(&read.documents[0].root), says(&edited), "{printed}");
        printed
    }

    #[test]
    fn a_value_that_shares_text_with_an_edited_one_keeps_what_it_says() {
        assert_eq!(
            set_a("a: &x 1\nb: *x # b\nc: &y {d: 1}\ne: *y\n"),
            "a: &x 2\nb: 1 # b\nc: &y {d: 1}\ne: *y\n"
        );
        assert_eq!(
            set_a("a: &x {k: &y 1}\nb: *x\nc: [*y]\n"),
            "a: &x 2\nb: {k: 1}\nc: [1]\n"
        );
    }
}
