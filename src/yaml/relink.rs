//! Decides what aliases refer to after an edit.
//!
//! An alias shares the node of its anchor. An edit of that node makes a new node, and the aliases
//! still refer to the old one, although the text that is printed refers to the new one:
//!
//! ```text
//! text               tree after `a` was set to 2     relink               unlink
//! a: &x 1            a: 2 with anchor x              a: &x 2              a: &x 2
//! b: *x              b: alias of 1                   b: *x, which is 2    b: 1
//! ```
//!
//! Which of the two is right depends on the edit. An edit of text changes what aliases refer to
//! (`relink`). An edit of values changes only the value that it names (`unlink`).

use std::collections::HashMap;
use std::sync::Arc;

use super::node::{Alias, Content, Entry, Item, Mapping, Node, Sequence};
use crate::source::Source;

/// Makes each alias refer to the node that has its anchor now.
///
/// `root` may be a part of a document: an alias whose anchor is not in it stays as it is. Nodes
/// that need no change are shared. A tree without aliases need not be relinked.
pub fn relink(root: &Arc<Node>) -> Arc<Node> {
    Relinker::new(root, Purpose::FollowEdits).node(root)
}

/// Expands each alias whose anchor now belongs to another node than its target, so that every value
/// stays the same.
///
/// Nodes that need no change are shared.
pub fn unlink(root: &Arc<Node>) -> Arc<Node> {
    Relinker::new(root, Purpose::KeepValues).node(root)
}

/// Relinks the tree of a whole document. An alias whose anchor is gone becomes a copy of the node
/// it referred to.
pub(super) fn relink_document(root: &Arc<Node>) -> Arc<Node> {
    Relinker::new(root, Purpose::Print).node(root)
}

/// The nodes that aliases are made to refer to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// The nodes that have their anchors now. An anchor that is not in the tree is elsewhere in the
    /// document.
    FollowEdits,
    /// As `FollowEdits`, but for a whole document: an anchor that is not in the tree is gone.
    Print,
    /// The nodes that the aliases referred to before.
    KeepValues,
}

struct Relinker<'a> {
    /// The source of the tree. Nodes from another source are printed without their anchors.
    source: Option<&'a Arc<Source>>,
    purpose: Purpose,
    /// The node that has each anchor, at this point of the walk: the latest one, as for a reader of
    /// the text.
    anchors: HashMap<&'a str, Arc<Node>>,
}

impl<'a> Relinker<'a> {
    fn new(root: &'a Node, purpose: Purpose) -> Relinker<'a> {
        Relinker {
            source: root.origin.as_ref().map(|origin| &origin.source),
            purpose,
            anchors: HashMap::new(),
        }
    }

    fn node(&mut self, node: &'a Arc<Node>) -> Arc<Node> {
        let linked = match &node.content {
            Content::Scalar(_) => Arc::clone(node),
            Content::Alias(alias) => self.alias(node, alias),
            Content::Sequence(_) | Content::Mapping(_) if self.is_foreign(node) => Arc::clone(node),
            Content::Sequence(sequence) => self.sequence(node, sequence),
            Content::Mapping(mapping) => self.mapping(node, mapping),
        };
        // After the children, because an alias inside a node refers to an earlier anchor of the
        // same name.
        let Some(name) = node.anchor() else {
            return linked;
        };
        if !self.is_copy(name, node) {
            self.anchors.insert(name, Arc::clone(&linked));
        } else if self.purpose == Purpose::Print {
            // The text must not define the anchor twice.
            return linked.anchored(None);
        }
        linked
    }

    fn alias(&self, node: &Arc<Node>, alias: &Alias) -> Arc<Node> {
        let target = self.anchors.get(&*alias.name);
        // The usual case: nothing happened to the anchor.
        if target.is_some_and(|target| Arc::ptr_eq(target, &alias.target)) {
            return Arc::clone(node);
        }
        match (self.purpose, target) {
            (Purpose::KeepValues, _) => written_out(&alias.target),
            (_, Some(target)) => node.with_content(Content::Alias(Alias {
                name: alias.name.clone(),
                target: Arc::clone(target),
            })),
            // The target was removed from the document. The alias still needs its value, but not
            // its anchor.
            (Purpose::Print, None) => alias.target.resolved().anchored(None),
            (Purpose::FollowEdits, None) => Arc::clone(node),
        }
    }

    /// Returns whether `node` is a copy of the anchored node that an edit put in the place of an
    /// alias: both were parsed at the same place. A copy is not a new anchor. Aliases keep
    /// referring to the node that was there first.
    fn is_copy(&self, name: &str, node: &Node) -> bool {
        let Some(known) = self.anchors.get(name) else {
            return false;
        };
        match (&known.origin, &node.origin) {
            (Some(known), Some(own)) => {
                Arc::ptr_eq(&known.source, &own.source) && known.span == own.span
            }
            _ => false,
        }
    }

    fn is_foreign(&self, node: &Node) -> bool {
        match (&node.origin, self.source) {
            (Some(origin), Some(source)) => !Arc::ptr_eq(&origin.source, source),
            _ => true,
        }
    }

    fn sequence(&mut self, node: &Arc<Node>, sequence: &'a Sequence) -> Arc<Node> {
        let mut items = Vec::with_capacity(sequence.items.len());
        let mut is_unchanged = true;
        for item in &sequence.items {
            let value = self.node(&item.value);
            is_unchanged &= Arc::ptr_eq(&value, &item.value);
            items.push(Item {
                start: item.start,
                value,
            });
        }
        if is_unchanged {
            Arc::clone(node)
        } else {
            node.with_items(items)
        }
    }

    fn mapping(&mut self, node: &Arc<Node>, mapping: &'a Mapping) -> Arc<Node> {
        let mut entries = Vec::with_capacity(mapping.entries.len());
        let mut is_unchanged = true;
        for entry in &mapping.entries {
            let (key, value) = (self.node(&entry.key), self.node(&entry.value));
            is_unchanged &= Arc::ptr_eq(&value, &entry.value);
            // The printer identifies an entry by its key node. So a key that is an alias stays the
            // node that it is, even if it was relinked; it is only replaced if its anchor is gone
            // or now has another value. An edit of a value renames no key.
            let key = match (&entry.key.content, &key.content) {
                (Content::Alias(before), Content::Alias(now)) => {
                    match is_renamed(&before.target, &now.target) {
                        true => written_out(&before.target),
                        false => Arc::clone(&entry.key),
                    }
                }
                _ => key,
            };
            is_unchanged &= Arc::ptr_eq(&key, &entry.key);
            entries.push(Entry { key, value });
        }
        if is_unchanged {
            Arc::clone(node)
        } else {
            node.with_entries(entries)
        }
    }
}

/// Returns whether a key that was the scalar `before` would become another key with `now`.
fn is_renamed(before: &Arc<Node>, now: &Arc<Node>) -> bool {
    let (before, now) = (before.resolved(), now.resolved());
    match (before.value(), now.value()) {
        (Some(before), Some(now)) => before != now,
        (before, now) => before.is_some() != now.is_some(),
    }
}

/// Copies the target of an alias, without anchors and aliases in it.
fn written_out(node: &Arc<Node>) -> Arc<Node> {
    let node = node.resolved();
    let copy = match &node.content {
        Content::Scalar(_) | Content::Alias(_) => Arc::clone(node),
        Content::Sequence(sequence) => {
            let mut items = Vec::with_capacity(sequence.items.len());
            for item in &sequence.items {
                items.push(Item {
                    start: item.start,
                    value: written_out(&item.value),
                });
            }
            node.with_items(items)
        }
        Content::Mapping(mapping) => {
            let mut entries = Vec::with_capacity(mapping.entries.len());
            for entry in &mapping.entries {
                entries.push(Entry {
                    key: written_out(&entry.key),
                    value: written_out(&entry.value),
                });
            }
            node.with_entries(entries)
        }
    };
    copy.anchored(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::{canonical_node, faithful, parse_data};

    /// Prints `text` with `a` set to `2` and all other values as they are.
    fn set_a(text: &str) -> String {
        let stream = parse_data(&Source::new("a.yml", text).unwrap()).unwrap();
        let root = &stream.documents[0].root;
        let mut entries = root.as_mapping().unwrap().entries.to_vec();
        entries[0].value = Node::plain("2").anchored(entries[0].value.anchor());
        let edited = root.with_entries(entries);
        let printed = faithful::print(&stream, &[unlink(&edited)]);
        let read = parse_data(&Source::new("b.yml", &*printed).unwrap()).unwrap();
        assert_eq!(
            canonical_node(&read.documents[0].root).unwrap(),
            canonical_node(&edited).unwrap(),
            "{printed}"
        );
        printed
    }

    /// Replaces `a` in the tree of `text` by an anchored 2, and returns the tree before and after
    /// `relink`.
    fn edited(text: &str) -> (Arc<Node>, Arc<Node>) {
        let stream = parse_data(&Source::new("a.yml", text).unwrap()).unwrap();
        let root = &stream.documents[0].root;
        let mut entries = root.as_mapping().unwrap().entries.to_vec();
        entries[0].value = Node::plain("2").anchored(Some("x"));
        let edited = root.with_entries(entries);
        (Arc::clone(&edited), relink(&edited))
    }

    #[test]
    fn aliases_follow_their_anchor_to_its_new_node() {
        let (edited, relinked) = edited("a: &x 1\nb: [*x]\nc: [3]\n");
        let text = |root: &Arc<Node>| canonical_node(root).unwrap();
        assert_eq!(text(&edited), "a: 2\nb:\n- 1\nc:\n- 3\n");
        assert_eq!(text(&relinked), "a: 2\nb:\n- 2\nc:\n- 3\n");
        assert!(
            Arc::ptr_eq(edited.get("c").unwrap(), relinked.get("c").unwrap()),
            "what needs no change is shared"
        );
    }

    #[test]
    fn an_edit_of_an_anchor_renames_no_key() {
        for (text, expected) in [
            (
                "a: &x k\nb: {*x : 1} # b\nc: *x\n",
                "a: &x 2\nb: {k: 1} # b\nc: *x\n",
            ),
            (
                "a: &x k\nb:\n  # above\n  *x : 1 # d\n  e: 3\n",
                "a: &x 2\nb:\n  # above\n  k: 1 # d\n  e: 3\n",
            ),
            // The key stays the same value.
            ("a: &x 0x2\nb: {*x : 1}\n", "a: &x 2\nb: {*x : 1}\n"),
            ("a: &x '2'\nb: {*x : 1}\n", "a: &x 2\nb: {'2': 1}\n"),
        ] {
            let stream = parse_data(&Source::new("a.yml", text).unwrap()).unwrap();
            let root = &stream.documents[0].root;
            let mut entries = root.as_mapping().unwrap().entries.to_vec();
            entries[0].value = Node::plain("2").anchored(Some("x"));
            let edited = relink(&root.with_entries(entries));
            assert_eq!(faithful::print(&stream, &[edited]), expected);
        }
    }

    #[test]
    fn a_value_from_the_same_place_of_another_text_is_not_a_copy() {
        let parsed =
            |name: &str, text: &str| parse_data(&Source::new(name, text).unwrap()).unwrap();
        let stream = parsed("a.yml", "a: &x 1\nb: 2\nc: *x\n");
        let other = parsed("b.yml", "a: &x 7\n");
        let root = &stream.documents[0].root;
        let mut entries = root.as_mapping().unwrap().entries.to_vec();
        entries[1].value = Arc::clone(other.documents[0].root.get("a").unwrap());
        let edited = unlink(&root.with_entries(entries));
        assert_eq!(
            faithful::print(&stream, &[edited]),
            "a: &x 1\nb: &x 7\nc: 1\n"
        );
    }

    #[test]
    fn writes_out_aliases_of_an_edited_value() {
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
