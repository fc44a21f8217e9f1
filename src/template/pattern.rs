//! Parts that one instruction builds: shared as they were parsed, or with holes for values alone.

use std::sync::Arc;

use super::comment::CommentKind;
use super::text;
use super::tree::{NodeKind, TemplateNode, Tree};
use crate::script::fragments::Pattern;
use crate::source::Span;
use crate::yaml::{Content, Entry, Item, Mapping, Node, Sequence};

/// A node is at least as many bytes, with its key or its dash.
const LEAST_NODE: usize = 8;

/// What a node can be built from: everything in it, or instructions for the nodes inside.
pub(super) struct Patterns<'a> {
    tree: &'a Tree,
    /// For each node: whether one instruction builds it, given that its own comments are dealt with.
    is_simple: Vec<bool>,
    /// For each node: whether it is shared.
    is_shared: Vec<bool>,
    /// For each node: how many nodes it and those inside it are, with aliases written out.
    counts: Vec<usize>,
}

impl<'a> Patterns<'a> {
    /// Looks at every node once, from the innermost out. `templated` tells for each node whether its strings are
    /// text templates.
    pub(super) fn of(tree: &'a Tree, templated: &[bool]) -> Patterns<'a> {
        let count = tree.nodes.len();
        let mut patterns = Patterns {
            tree,
            is_simple: vec![true; count],
            is_shared: vec![true; count],
            counts: vec![1; count],
        };
        for id in (0..count).rev() {
            let node = &tree.nodes[id];
            let is_text = templated[id] && string_of(&node.value).is_some_and(text::has_code);
            patterns.counts[id] = 1 + node
                .children
                .iter()
                .map(|child| patterns.counts[*child])
                .sum::<usize>();
            let inner_simple = node.children.iter().all(|child| {
                let child_node = &tree.nodes[*child];
                let has_key = templated[*child] && key_of(child_node).is_some_and(text::has_code);
                let values_only =
                    child_node.comments.iter().all(is_value) && child_node.comments.len() < 2;
                patterns.is_simple[*child] && values_only && !has_key
            });
            patterns.is_simple[id] = inner_simple && !node.has_duplicates && !is_text;
            let children_shared = |child: &usize| {
                patterns.is_shared[*child] && !tree.nodes[*child].comments.iter().any(is_value)
            };
            patterns.is_shared[id] = node.children.iter().all(children_shared);
        }
        patterns
    }

    /// Whether one instruction builds the node.
    pub(super) fn is_simple(&self, id: usize) -> bool {
        self.is_simple[id]
    }

    /// About how many bytes are written for a node and all inside it.
    pub(super) fn size(&self, id: usize) -> usize {
        let value = &self.tree.nodes[id].value;
        (self.counts[id] * LEAST_NODE).max(length(value))
    }

    /// The pattern of a simple node, whose value is `own` if its own comment gives one. The places of the expressions
    /// are added to `holes` in order.
    pub(super) fn pattern(&self, id: usize, own: Option<Span>, holes: &mut Vec<Span>) -> Pattern {
        if let Some(expression) = own {
            holes.push(expression);
            return Pattern::Hole(expression);
        }
        let node = &self.tree.nodes[id];
        if self.is_shared[id] && !node.is_rewritten {
            return Pattern::Shared(Arc::clone(&node.value));
        }
        if self.is_shared[id] {
            return Pattern::Shared(self.rewritten(id));
        }
        let base = Arc::clone(&node.value);
        match &node.value.content {
            Content::Mapping(_) => {
                let entries =
                    node.children
                        .iter()
                        .filter_map(|child| match &self.tree.nodes[*child].kind {
                            NodeKind::Entry(key) => {
                                Some((Arc::clone(key), self.inner(*child, holes)))
                            }
                            _ => None,
                        });
                Pattern::Mapping {
                    base,
                    entries: entries.collect(),
                }
            }
            _ => {
                let items =
                    node.children
                        .iter()
                        .filter_map(|child| match &self.tree.nodes[*child].kind {
                            NodeKind::Item(start) => Some((*start, self.inner(*child, holes))),
                            _ => None,
                        });
                Pattern::Sequence {
                    base,
                    items: items.collect(),
                }
            }
        }
    }

    fn inner(&self, id: usize, holes: &mut Vec<Span>) -> Pattern {
        let own = self.tree.nodes[id]
            .comments
            .iter()
            .find(|comment| is_value(comment))
            .map(|comment| comment.content);
        self.pattern(id, own, holes)
    }

    /// The value of a node with aliases written out and merge keys expanded.
    fn rewritten(&self, id: usize) -> Arc<Node> {
        let node = &self.tree.nodes[id];
        if !node.is_rewritten {
            return Arc::clone(&node.value);
        }
        let children = node
            .children
            .iter()
            .map(|child| (&self.tree.nodes[*child], *child));
        match &node.value.content {
            Content::Mapping(mapping) => {
                let entries = children.filter_map(|(child, id)| match &child.kind {
                    NodeKind::Entry(key) => Some(Entry {
                        key: Arc::clone(key),
                        value: self.rewritten(id),
                    }),
                    _ => None,
                });
                let entries = entries.collect();
                node.value.with_content(Content::Mapping(Mapping {
                    style: mapping.style,
                    entries,
                }))
            }
            Content::Sequence(sequence) => {
                let items = children.filter_map(|(child, id)| match &child.kind {
                    NodeKind::Item(start) => Some(Item {
                        start: *start,
                        value: self.rewritten(id),
                    }),
                    _ => None,
                });
                let items = items.collect();
                node.value.with_content(Content::Sequence(Sequence {
                    style: sequence.style,
                    items,
                }))
            }
            _ => Arc::clone(&node.value),
        }
    }
}

/// How long the text of a node is.
pub(super) fn length(value: &Node) -> usize {
    value.origin.as_ref().map_or(0, |origin| origin.span.len())
}

/// Whether a comment gives the value of its node.
pub(super) fn is_value(comment: &super::comment::Comment) -> bool {
    comment.kind == CommentKind::Value
}

/// The text of a string.
pub(super) fn string_of(value: &Node) -> Option<&str> {
    value.as_str()
}

/// The text of the key of an entry.
pub(super) fn key_of(node: &TemplateNode) -> Option<&str> {
    match &node.kind {
        NodeKind::Entry(key) => key.as_str(),
        _ => None,
    }
}
