//! Annotations as they were evaluated.
//!
//! A node is plain data and lives on when the program that built it is gone; the arguments of its annotations are live
//! values, functions too. So the arguments stay with the module that evaluated them, and a node is only connected to
//! where they are kept. What connects is the identity of a shared node: the key of an entry, the value of an item.

use std::collections::HashMap;
use std::sync::Arc;

use crate::source::Location;
use crate::yaml::{Alias, Content, Node};

/// An annotation of a document, an entry or an item.
#[derive(Clone, Debug)]
pub struct Annotation {
    /// Its name, such as `overlay/match`.
    pub name: Arc<str>,
    /// The place of its comment.
    pub place: Location,
    /// Where its arguments are kept.
    pub arguments: ArgumentsId,
}

/// Names the arguments of one evaluation of an annotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ArgumentsId {
    /// The number of the evaluation of a file.
    pub(in crate::script) run: usize,
    /// The place in what that evaluation keeps.
    pub(in crate::script) index: usize,
}

/// The annotations of all entries and items that have any.
#[derive(Debug, Default)]
pub struct Annotations {
    /// By the address of the key of an entry or of the value of an item. Each node is kept alive with its
    /// annotations, so no other node can come to the same address.
    by_node: HashMap<usize, (Arc<Node>, Arc<[Annotation]>)>,
}

impl Annotations {
    /// The annotations of the entry with the key `node`, or of the item with the value `node` as it stands in its
    /// sequence (not [resolved](Node::resolved)).
    pub fn of(&self, node: &Arc<Node>) -> Option<Arc<[Annotation]>> {
        self.by_node
            .get(&address(node))
            .map(|(_, annotations)| Arc::clone(annotations))
    }

    /// Connects annotations with an entry: returns the key that the entry has to have.
    pub(in crate::script) fn connect_entry(
        &mut self,
        key: &Arc<Node>,
        annotations: Vec<Annotation>,
    ) -> Arc<Node> {
        self.insert(key.with_content(key.content.clone()), annotations)
    }

    /// Connects annotations with an item: returns the value that the item has to have. It stands for `value` as an
    /// alias does, so whoever takes the value out of the item leaves the annotations behind.
    pub(in crate::script) fn connect_item(
        &mut self,
        value: &Arc<Node>,
        annotations: Vec<Annotation>,
    ) -> Arc<Node> {
        let target = Arc::clone(value.resolved());
        self.insert(
            Node::made(Content::Alias(Alias {
                name: "".into(),
                target,
            })),
            annotations,
        )
    }

    /// Connects the annotations of an item with its next version: returns the value that the item has to have then, for an
    /// item without annotations `value` itself.
    pub fn carry(&mut self, item: &Arc<Node>, value: &Arc<Node>) -> Arc<Node> {
        match self.of(item) {
            Some(annotations) => self.connect_item(value, annotations.to_vec()),
            None => Arc::clone(value),
        }
    }

    fn insert(&mut self, node: Arc<Node>, annotations: Vec<Annotation>) -> Arc<Node> {
        self.by_node
            .insert(address(&node), (Arc::clone(&node), annotations.into()));
        node
    }
}

fn address(node: &Arc<Node>) -> usize {
    Arc::as_ptr(node) as usize
}
