//! A document as a template: its nodes in order, each with the comments that belong to it.
//!
//! ```text
//! ---              0 document   children: 1, 3
//! a:               1 entry `a`  children: 2
//! - 1              2 item
//! b: 2             3 entry `b`
//! ```
//!
//! Only documents, entries and items can have comments; the collections between them are part of
//! their values. Aliases are written out and merge keys are expanded, because code may change each
//! copy differently.

use std::collections::HashSet;
use std::sync::Arc;

use super::comment::TemplateComment;
use crate::script::fragments::PartKey;
use crate::source::{Code, Diagnostic, Result, Span};
use crate::yaml::{
    Content, Document, Item, Mapping, NESTING_LIMIT, Node, is_merge, no_mapping_to_merge,
};

/// The nodes of a document. Invariant: the document itself comes first, and each node comes before
/// the nodes inside it.
#[derive(Debug)]
pub(super) struct TemplateTree {
    pub(super) nodes: Vec<TemplateNode>,
}

/// A document, an entry or an item.
#[derive(Debug)]
pub(super) struct TemplateNode {
    pub(super) kind: NodeKind,
    /// The place of the marker, key or dash. Messages show it, and it determines the line of the
    /// node.
    pub(super) place: Span,
    /// Whether comments can belong to the node. A document without a marker has no line.
    pub(super) has_line: bool,
    /// The value, with its aliases resolved.
    pub(super) value: Arc<Node>,
    /// The entries or items of the value.
    pub(super) children: Vec<usize>,
    pub(super) comments: Vec<TemplateComment>,
    /// Whether the value cannot be shared as it was parsed, because it contains an alias or a merge
    /// key.
    pub(super) is_rewritten: bool,
    /// Whether the value contains a repeated key.
    pub(super) has_duplicates: bool,
}

/// The kinds of nodes that comments can belong to.
#[derive(Debug)]
pub(super) enum NodeKind {
    Document,
    Entry(Arc<Node>),
    Item(Option<u32>),
}

impl TemplateTree {
    /// Creates the tree of a document.
    ///
    /// # Errors
    /// Fails for a merge key whose value is not a mapping, and for nesting that exceeds the limit
    /// after aliases are written out.
    pub(super) fn of(document: &Document) -> Result<TemplateTree> {
        let mut builder = TemplateTreeBuilder { nodes: Vec::new() };
        let place = document_span(document);
        builder.add(
            NodeKind::Document,
            place,
            document.marker.is_some(),
            &document.root,
            0,
        )?;
        Ok(TemplateTree {
            nodes: builder.nodes,
        })
    }
}

struct TemplateTreeBuilder {
    nodes: Vec<TemplateNode>,
}

/// The result of adding nodes.
struct AddedNode {
    id: usize,
    is_rewritten: bool,
}

impl TemplateTreeBuilder {
    /// Adds a node and everything inside.
    fn add(
        &mut self,
        kind: NodeKind,
        place: Span,
        has_line: bool,
        value: &Arc<Node>,
        depth: usize,
    ) -> Result<AddedNode> {
        if depth > NESTING_LIMIT {
            let message = format!(
                "collections nest deeper than {NESTING_LIMIT} levels with their aliases written out"
            );
            return Err(Diagnostic::error(Code::Limit, message).at(value.location(), ""));
        }
        let target = value.resolved();
        let mut is_rewritten = !Arc::ptr_eq(value, target);
        let id = self.nodes.len();
        // Push it before its children are added, so that a parent always has a smaller number than
        // the nodes inside it.
        self.nodes.push(TemplateNode {
            kind,
            place,
            has_line,
            value: Arc::clone(target),
            children: Vec::new(),
            comments: Vec::new(),
            is_rewritten,
            has_duplicates: false,
        });
        let mut children = Vec::new();
        match &target.content {
            Content::Mapping(mapping) => {
                is_rewritten |= self.add_entries(mapping, depth, &mut children)?;
            }
            Content::Sequence(sequence) => {
                for item in &sequence.items {
                    let child = self.add_item(item, depth)?;
                    children.push(child.id);
                    is_rewritten |= child.is_rewritten;
                }
            }
            Content::Scalar(_) | Content::Alias(_) => {}
        }
        let has_duplicates = self.has_duplicates(&children);
        let node = &mut self.nodes[id];
        node.children = children;
        node.is_rewritten = is_rewritten;
        node.has_duplicates = has_duplicates;
        Ok(AddedNode { id, is_rewritten })
    }

    fn add_item(&mut self, item: &Item, depth: usize) -> Result<AddedNode> {
        // Items of a flow list (`[a, b]`) have no dash.
        let dash = item.start.map(|start| start as usize);
        let start = dash.or_else(|| start_of(&item.value)).unwrap_or_default();
        let place = Span::new(start, start + 1);
        self.add(
            NodeKind::Item(item.start),
            place,
            true,
            &item.value,
            depth + 1,
        )
    }

    /// Adds the entries of a mapping. A merge key is replaced by the entries that it merges.
    /// Returns whether the written entries cannot be shared.
    fn add_entries(
        &mut self,
        mapping: &Mapping,
        depth: usize,
        children: &mut Vec<usize>,
    ) -> Result<bool> {
        let mut is_rewritten = false;
        for entry in &mapping.entries {
            // The merged entries replace the merge key, in order. A later entry with a key among
            // them is a duplicate for templates, which is why `has_duplicates` checks the expanded
            // list.
            if is_merge(&entry.key) {
                is_rewritten = true;
                let Content::Mapping(merged) = &entry.value.resolved().content else {
                    return Err(no_mapping_to_merge(&entry.value));
                };
                if depth > NESTING_LIMIT {
                    let message = format!(
                        "expected mappings merged at most {NESTING_LIMIT} levels deep, found more"
                    );
                    let place = entry.value.location();
                    return Err(Diagnostic::error(Code::Limit, message).at(place, ""));
                }
                self.add_entries(merged, depth + 1, children)?;
                continue;
            }
            let key = entry.key.resolved();
            is_rewritten |= !Arc::ptr_eq(key, &entry.key);
            let place = match &entry.key.origin {
                Some(origin) => origin.span,
                None => Span::default(),
            };
            let child = self.add(
                NodeKind::Entry(Arc::clone(key)),
                place,
                true,
                &entry.value,
                depth + 1,
            )?;
            children.push(child.id);
            is_rewritten |= child.is_rewritten;
        }
        Ok(is_rewritten)
    }

    fn has_duplicates(&self, children: &[usize]) -> bool {
        let mut seen = HashSet::with_capacity(children.len());
        for child in children {
            if let NodeKind::Entry(key) = &self.nodes[*child].kind
                && let Some(key) = PartKey::of(key)
                && !seen.insert(key)
            {
                return true;
            }
        }
        false
    }
}

/// Returns the place of a document: its marker, or the start of its text.
pub(super) fn document_span(document: &Document) -> Span {
    if let Some(marker) = document.marker {
        return marker;
    }
    Span::at(start_of(&document.root).unwrap_or(document.span.start()))
}

fn start_of(node: &Node) -> Option<usize> {
    node.origin.as_ref().map(|origin| origin.span.start())
}
