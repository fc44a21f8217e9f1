//! A document as a template: its nodes in order, each with the comments that belong to it.
//!
//! Only documents, entries and items can have comments; the collections between them are part of their values.
//! Aliases are written out and merge keys expanded, as everything that reads templates expects.

use std::collections::HashSet;
use std::sync::Arc;

use super::comment::Comment;
use super::document_span;
use crate::script::fragments::PartKey;
use crate::source::{Code, Diagnostic, Result, Span};
use crate::yaml::{Content, Document, Mapping, NESTING_LIMIT, Node, is_merge, no_mapping_to_merge};

/// The nodes of a document; the first is the document itself, and each stands before those inside it.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) nodes: Vec<TemplateNode>,
}

/// A document, an entry or an item.
#[derive(Debug)]
pub(super) struct TemplateNode {
    pub(super) kind: NodeKind,
    /// The place that messages point at: the marker, the key or the dash.
    pub(super) place: Span,
    /// Whether comments can belong to it; a document without a marker has no line.
    pub(super) has_line: bool,
    /// The value, with its aliases resolved.
    pub(super) value: Arc<Node>,
    /// The entries or items of the value.
    pub(super) children: Vec<usize>,
    pub(super) comments: Vec<Comment>,
    /// Whether the value cannot be shared as it was parsed: an alias or a merge key stands in it.
    pub(super) is_rewritten: bool,
    /// Whether a key of the value stands in it twice.
    pub(super) has_duplicates: bool,
}

/// The kinds of node that comments can belong to.
#[derive(Debug)]
pub(super) enum NodeKind {
    Document,
    Entry(Arc<Node>),
    Item(Option<u32>),
}

impl Tree {
    /// The tree of a document.
    ///
    /// # Errors
    /// A merge key whose value is no mapping, and nesting beyond the limit once aliases are written out.
    pub(super) fn of(document: &Document) -> Result<Tree> {
        let mut builder = Builder { nodes: Vec::new() };
        let place = document_span(document);
        builder.add(
            NodeKind::Document,
            place,
            document.marker.is_some(),
            &document.root,
            0,
        )?;
        Ok(Tree {
            nodes: builder.nodes,
        })
    }
}

struct Builder {
    nodes: Vec<TemplateNode>,
}

impl Builder {
    /// Adds a node and all inside it; returns its number, and whether its value was rewritten.
    fn add(
        &mut self,
        kind: NodeKind,
        place: Span,
        has_line: bool,
        value: &Arc<Node>,
        depth: usize,
    ) -> Result<(usize, bool)> {
        let target = value.resolved();
        if depth > NESTING_LIMIT {
            let message = format!(
                "collections nest deeper than {NESTING_LIMIT} levels with their aliases written out"
            );
            return Err(Diagnostic::error(Code::Limit, message).at(value.location(), ""));
        }
        let id = self.nodes.len();
        self.nodes.push(TemplateNode {
            kind,
            place,
            has_line,
            value: Arc::clone(target),
            children: Vec::new(),
            comments: Vec::new(),
            is_rewritten: !Arc::ptr_eq(value, target),
            has_duplicates: false,
        });
        let mut children = Vec::new();
        let mut is_rewritten = !Arc::ptr_eq(value, target);
        match &target.content {
            Content::Mapping(mapping) => {
                is_rewritten |= self.entries(mapping, depth, &mut children)?
            }
            Content::Sequence(sequence) => {
                for item in &sequence.items {
                    let start = item
                        .start
                        .map(|start| start as usize)
                        .or_else(|| start_of(&item.value));
                    let place = Span::at(start.unwrap_or_default());
                    let place = Span::new(place.start(), place.start() + 1);
                    let (child, rewritten) = self.add(
                        NodeKind::Item(item.start),
                        place,
                        true,
                        &item.value,
                        depth + 1,
                    )?;
                    children.push(child);
                    is_rewritten |= rewritten;
                }
            }
            _ => {}
        }
        let has_duplicates = target.as_mapping().is_some() && self.has_duplicates(&children);
        let node = &mut self.nodes[id];
        node.children = children;
        node.is_rewritten = is_rewritten;
        node.has_duplicates = has_duplicates;
        Ok((id, is_rewritten))
    }

    fn entries(
        &mut self,
        mapping: &Mapping,
        depth: usize,
        children: &mut Vec<usize>,
    ) -> Result<bool> {
        let mut is_rewritten = false;
        for entry in &mapping.entries {
            if is_merge(&entry.key) {
                is_rewritten = true;
                let target = entry.value.resolved();
                let Content::Mapping(merged) = &target.content else {
                    return Err(no_mapping_to_merge(&entry.value));
                };
                if depth > NESTING_LIMIT {
                    let message = format!(
                        "expected mappings merged at most {NESTING_LIMIT} levels deep, found more"
                    );
                    return Err(
                        Diagnostic::error(Code::Limit, message).at(entry.value.location(), "")
                    );
                }
                self.entries(merged, depth + 1, children)?;
                continue;
            }
            let key = entry.key.resolved();
            is_rewritten |= !Arc::ptr_eq(key, &entry.key);
            let place = entry
                .key
                .origin
                .as_ref()
                .map(|origin| origin.span)
                .unwrap_or_default();
            let (child, rewritten) = self.add(
                NodeKind::Entry(Arc::clone(key)),
                place,
                true,
                &entry.value,
                depth + 1,
            )?;
            children.push(child);
            is_rewritten |= rewritten;
        }
        Ok(is_rewritten)
    }

    fn has_duplicates(&self, children: &[usize]) -> bool {
        let keys = children
            .iter()
            .filter_map(|child| match &self.nodes[*child].kind {
                NodeKind::Entry(key) => PartKey::of(key),
                _ => None,
            });
        let mut seen = HashSet::with_capacity(children.len());
        keys.into_iter().any(|key| !seen.insert(key))
    }
}

fn start_of(node: &Node) -> Option<usize> {
    node.origin.as_ref().map(|origin| origin.span.start())
}
