//! Finds the nodes that one instruction can build, either shared as they were parsed, or with holes
//! for values.
//!
//! ```text
//! a:                 one instruction, with holes for `x` and `y`
//!   b: #@ x
//!   c:
//!   - 1
//!   - #@ y
//! d:                 an instruction for `d`, and one for `e`: its code may skip or repeat it
//!   #@ if z:
//!   e: 1
//!   #@ end
//! ```

use std::sync::Arc;

use super::comment::{CommentKind, TemplateComment};
use super::text;
use super::tree::{NodeKind, TemplateNode, TemplateTree};
use crate::script::fragments::Pattern;
use crate::source::Span;
use crate::yaml::{Content, Entry, Item, Node};

/// The minimum number of bytes for writing a node with its key or dash.
const LEAST_NODE: usize = 8;

/// Decides, for each node of a tree, whether one instruction can build it with everything inside.
pub(super) struct Patterns<'a> {
    tree: &'a TemplateTree,
    /// Whether one instruction builds the node, apart from its own comments.
    is_simple: Vec<bool>,
    /// Whether the node contains no code for a value, so that it can be shared.
    is_shared: Vec<bool>,
    /// The number of nodes, counting the node itself and all inner nodes, with aliases written out.
    counts: Vec<usize>,
}

impl<'a> Patterns<'a> {
    /// Computes the patterns of a tree. `templated` says, for each node, whether its strings are
    /// text templates.
    pub(super) fn of(tree: &'a TemplateTree, templated: &[bool]) -> Patterns<'a> {
        let count = tree.nodes.len();
        let mut patterns = Patterns {
            tree,
            is_simple: vec![true; count],
            is_shared: vec![true; count],
            counts: vec![1; count],
        };
        // Children follow their parents, so going backwards handles them before their parent.
        for id in (0..count).rev() {
            let node = &tree.nodes[id];
            let is_text = templated[id] && string_of(&node.value).is_some_and(text::has_code);
            // A repeated key needs one instruction per entry, because the program decides whether
            // it is an override or an error.
            let mut is_simple = !node.has_duplicates && !is_text;
            let mut is_shared = true;
            let mut count = 1;
            for &child in &node.children {
                let child_node = &tree.nodes[child];
                let comments = &child_node.comments;
                let has_code_in_key =
                    templated[child] && key_of(child_node).is_some_and(text::has_code);
                // A child may have at most code for its value: any other comment needs a separate
                // instruction.
                let has_only_value = comments.len() < 2 && comments.iter().all(is_value);
                is_simple &= patterns.is_simple[child] && has_only_value && !has_code_in_key;
                is_shared &= patterns.is_shared[child] && !comments.iter().any(is_value);
                count += patterns.counts[child];
            }
            patterns.is_simple[id] = is_simple;
            patterns.is_shared[id] = is_shared;
            patterns.counts[id] = count;
        }
        patterns
    }

    /// Returns whether one instruction builds the node.
    pub(super) fn is_simple(&self, id: usize) -> bool {
        self.is_simple[id]
    }

    /// Returns the approximate number of bytes for writing a node and everything inside.
    pub(super) fn size(&self, id: usize) -> usize {
        let value = &self.tree.nodes[id].value;
        // An alias is written out at its full size although its text is short (`*x`), so the length
        // of the text alone would be too small.
        (self.counts[id] * LEAST_NODE).max(length(value))
    }

    /// Returns the pattern of a simple node, and adds the spans of its expressions to `holes`, in
    /// order. `own` is the expression for the value of the node itself.
    pub(super) fn pattern(&self, id: usize, own: Option<Span>, holes: &mut Vec<Span>) -> Pattern {
        if let Some(expression) = own {
            holes.push(expression);
            return Pattern::Hole(expression);
        }
        let node = &self.tree.nodes[id];
        // By far the most frequent case: the parsed node is used unchanged.
        if self.is_shared[id] && !node.is_rewritten {
            return Pattern::Shared(Arc::clone(&node.value));
        }
        if self.is_shared[id] {
            return Pattern::Shared(self.rewritten(id));
        }
        let base = Arc::clone(&node.value);
        if let Content::Mapping(_) = &node.value.content {
            let mut entries = Vec::with_capacity(node.children.len());
            for &child in &node.children {
                if let NodeKind::Entry(key) = &self.tree.nodes[child].kind {
                    entries.push((Arc::clone(key), self.child_pattern(child, holes)));
                }
            }
            return Pattern::Mapping { base, entries };
        }
        let mut items = Vec::with_capacity(node.children.len());
        for &child in &node.children {
            if let NodeKind::Item(start) = self.tree.nodes[child].kind {
                items.push((start, self.child_pattern(child, holes)));
            }
        }
        Pattern::Sequence { base, items }
    }

    fn child_pattern(&self, id: usize, holes: &mut Vec<Span>) -> Pattern {
        let comments = &self.tree.nodes[id].comments;
        let own = comments.iter().find(|comment| is_value(comment));
        self.pattern(id, own.map(|comment| comment.content), holes)
    }

    /// Returns the value of a node with aliases written out and merge keys expanded.
    fn rewritten(&self, id: usize) -> Arc<Node> {
        let node = &self.tree.nodes[id];
        if !node.is_rewritten {
            return Arc::clone(&node.value);
        }
        match &node.value.content {
            Content::Mapping(_) => {
                let mut entries = Vec::with_capacity(node.children.len());
                for &child in &node.children {
                    if let NodeKind::Entry(key) = &self.tree.nodes[child].kind {
                        entries.push(Entry {
                            key: Arc::clone(key),
                            value: self.rewritten(child),
                        });
                    }
                }
                node.value.with_entries(entries)
            }
            Content::Sequence(_) => {
                let mut items = Vec::with_capacity(node.children.len());
                for &child in &node.children {
                    if let NodeKind::Item(start) = self.tree.nodes[child].kind {
                        items.push(Item {
                            start,
                            value: self.rewritten(child),
                        });
                    }
                }
                node.value.with_items(items)
            }
            Content::Scalar(_) | Content::Alias(_) => Arc::clone(&node.value),
        }
    }
}

/// Returns the length of the text of a node.
pub(super) fn length(value: &Node) -> usize {
    value.origin.as_ref().map_or(0, |origin| origin.span.len())
}

/// Returns whether a comment is the code for the value of its node.
pub(super) fn is_value(comment: &TemplateComment) -> bool {
    comment.kind == CommentKind::Value
}

/// Returns the text of a string; `None` for any other value.
pub(super) fn string_of(value: &Node) -> Option<&str> {
    value.as_str()
}

/// Returns the text of an entry's key, if it is a string.
pub(super) fn key_of(node: &TemplateNode) -> Option<&str> {
    match &node.kind {
        NodeKind::Entry(key) => key.as_str(),
        _ => None,
    }
}
