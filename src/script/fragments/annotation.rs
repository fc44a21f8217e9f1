//! Annotations after their evaluation.
//!
//! A node is plain data and outlives the program that built it. The arguments of its annotations
//! are values of that program, which may be functions. A node therefore does not contain its
//! annotations. A table maps the identity of a shared node (the key of an entry or the value of an
//! item) to its annotations, and their arguments are in a store
//! ([`argument_store`](super::argument_store)):
//!
//! ```text
//! #@overlay/match by="name"           Annotations.by_node[address of the item's value]
//! - name: web                           -> Annotation { name: overlay/match, arguments: #3 }
//!                                                             argument_store[#3] -> by = "name"
//! ```

use std::collections::HashMap;
use std::sync::Arc;

use crate::source::Location;
use crate::yaml::{Alias, Content, Node};

/// The annotation that allows an entry to replace an earlier one with the same key.
pub const MAP_KEY_OVERRIDE: &str = "yaml/map-key-override";

/// An annotation of a document, an entry or an item.
#[derive(Clone, Debug)]
pub struct Annotation {
    /// The name, such as `overlay/match`.
    pub name: Arc<str>,
    /// The place of the comment.
    pub place: Location,
    /// The id of the arguments, which [`Caller::arguments`](crate::script::Caller::arguments)
    /// returns.
    pub arguments: ArgumentsId,
}

/// Identifies the arguments of one evaluation of an annotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ArgumentsId {
    /// The number of the evaluation of a file.
    pub(in crate::script) run: usize,
    /// The index in the store of that evaluation.
    pub(in crate::script) index: usize,
}

/// The annotations of all entries and items that have some.
#[derive(Debug, Default)]
pub struct Annotations {
    /// The annotations, by the address of the key of an entry or of the value of an item.
    ///
    /// Invariant: the table owns each node whose address is a key, so no other node can get the
    /// same address.
    by_node: HashMap<usize, (Arc<Node>, Arc<[Annotation]>)>,
}

impl Annotations {
    /// Returns the annotations of the entry with the key `node`, or of the item with the value
    /// `node`, as its sequence contains it (not [resolved](Node::resolved)).
    pub fn of(&self, node: &Arc<Node>) -> Option<Arc<[Annotation]>> {
        self.by_node
            .get(&address(node))
            .map(|(_, annotations)| Arc::clone(annotations))
    }

    /// Returns whether the annotations of the entry with the key `key` allow it to replace an
    /// earlier entry with the same key.
    pub(in crate::script) fn overrides(&self, key: &Arc<Node>) -> bool {
        self.of(key).is_some_and(|annotations| {
            annotations
                .iter()
                .any(|annotation| &*annotation.name == MAP_KEY_OVERRIDE)
        })
    }

    /// Returns whether [`of`](Self::of) returns annotations.
    pub fn has(&self, node: &Arc<Node>) -> bool {
        // Most runs have only overlay annotations, and then the key need not be hashed.
        !self.by_node.is_empty() && self.by_node.contains_key(&address(node))
    }

    /// Attaches annotations to an entry. Returns the key that the entry must have: a copy, because
    /// one parsed key may be built many times, each time with other annotations.
    pub(in crate::script) fn connect_entry(
        &mut self,
        key: &Arc<Node>,
        annotations: Vec<Annotation>,
    ) -> Arc<Node> {
        self.insert(key.with_content(key.content.clone()), annotations)
    }

    /// Attaches annotations to an item. Returns the value that the item must have: an alias of
    /// `value`. Code that takes the value out of the item resolves the alias and thereby drops the
    /// annotations.
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

    /// Attaches the annotations of an item to its next version. Returns the value that the item
    /// must then have, which is `value` itself for an item without annotations.
    pub fn carry(&mut self, item: &Arc<Node>, value: &Arc<Node>) -> Arc<Node> {
        match self.of(item) {
            Some(annotations) => self.connect_item(value, annotations.to_vec()),
            None => Arc::clone(value),
        }
    }

    fn insert(&mut self, node: Arc<Node>, annotations: Vec<Annotation>) -> Arc<Node> {
        self.by_node
            // The clone keeps the node alive, which is the invariant of `by_node`.
            .insert(address(&node), (Arc::clone(&node), annotations.into()));
        node
    }
}

fn address(node: &Arc<Node>) -> usize {
    Arc::as_ptr(node) as usize
}
