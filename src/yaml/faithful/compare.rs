//! Compares a tree with its next version and finds the edits of the text.
//!
//! This is where faithful printing begins. A node that both versions share is not visited, so the
//! work depends on the size of the edit and not on that of the text.

use std::sync::Arc;

use super::align::{AlignStep, Child, align, children};
use super::final_break::{with_final_break, without_final_break};
use super::flow::FlowChildren;
use super::printer::{FaithfulPrinter, ValueParent};
use super::shape::Siblings;
use crate::yaml::node::{CollectionStyle, Content, Document, Node, Stream, Syntax};
use crate::yaml::relink::relink_document;
use crate::yaml::text_edit::{TextEdit, in_order};
use crate::yaml::value::Value;

/// Returns the changes to the text of `stream` that turn its documents into `roots`. They are in
/// order and do not overlap.
///
/// `roots` has one root for each document, in order.
pub fn edits(stream: &Stream, roots: &[Arc<Node>]) -> Vec<TextEdit> {
    // Most texts are not edited and need no printer.
    let is_unchanged = |(document, root): (&Document, _)| Arc::ptr_eq(&document.root, root);
    if stream.documents.iter().zip(roots).all(is_unchanged) {
        return Vec::new();
    }
    let ended = with_final_break(stream);
    let text = ended.as_deref().unwrap_or(stream.source.text());
    let mut printer = FaithfulPrinter::new(stream, text);
    let mut last = None;
    for (document, root) in stream.documents.iter().zip(roots) {
        if Arc::ptr_eq(&document.root, root) {
            last = Some(Arc::clone(root));
            continue;
        }
        // An alias must not outlive its anchor.
        let root = match stream.has_aliases {
            true => relink_document(root),
            false => Arc::clone(root),
        };
        printer.begin_document(&document.root, &root);
        printer.compare(
            &document.root,
            &root,
            ValueParent::Document,
            &Siblings::default(),
        );
        last = Some(root);
    }
    let mut edits = printer.edits;
    if let Some(scalar) = printer.open_scalar
        && scalar.is_followed(&edits)
    {
        scalar.add_strip_indicator(&mut edits);
    }
    let mut edits = in_order(edits);
    if let (Some(ended), Some(last)) = (ended, last) {
        edits = without_final_break(edits, &ended, &last);
    }
    if stream.source.has_only_returns() {
        for edit in &mut edits {
            edit.text = edit.text.replace('\n', "\r");
        }
    }
    edits
}

impl FaithfulPrinter<'_> {
    /// Adds the edits that turn the text of `before` into `after`. `siblings` are the collections
    /// next to it.
    pub(super) fn compare(
        &mut self,
        before: &Arc<Node>,
        after: &Arc<Node>,
        parent: ValueParent,
        siblings: &Siblings<'_>,
    ) {
        let is_unchanged = Arc::ptr_eq(before, after)
            || is_same_alias(before, after)
            || is_same_scalar(before, after);
        if is_unchanged {
            return;
        }
        let is_edited = is_edited_version(before, after);
        if is_edited && self.unfolds(before, after, parent, siblings) {
            // The brackets of an empty collection do not show how its first child should be
            // written.
            self.replace(before, &after.in_block_style(), parent, siblings);
            return;
        }
        let version = if is_edited {
            Some(Arc::clone(after))
        } else {
            self.with_kept_children(before, after)
        };
        let is_written = version.is_some_and(|version| {
            self.compare_children(before, &version, siblings)
                || self.write_emptied(before, &version, parent)
        });
        if !is_written {
            self.replace(before, after, parent, siblings);
        }
    }

    /// Returns whether a collection was empty, is empty no longer, and can have its children on
    /// lines of their own:
    ///
    /// ```text
    /// labels: {}     ->     labels:
    ///                         app: web
    /// ```
    ///
    /// The collection keeps its brackets if the collections next to it have brackets, if there is a
    /// comment in them, or if it has a tag.
    fn unfolds(
        &self,
        before: &Node,
        after: &Node,
        parent: ValueParent,
        siblings: &Siblings<'_>,
    ) -> bool {
        let is_filled = before.is_empty_collection() && !after.is_empty_collection();
        let example = || {
            siblings
                .example(after)
                .and_then(|node| node.collection_style())
        };
        self.syntax == Syntax::Yaml
            && !parent.is_flow()
            && is_filled
            && before.tag().is_none()
            && self.between_brackets_of(before).trim().is_empty()
            && example() != Some(CollectionStyle::Flow)
    }

    /// Compares two versions of a collection child by child.
    ///
    /// Returns `false` and does nothing if no old child stays. The new version has to be written as
    /// a whole then, because there is no child whose place and style the others could follow.
    fn compare_children(
        &mut self,
        before: &Arc<Node>,
        after: &Arc<Node>,
        siblings: &Siblings<'_>,
    ) -> bool {
        let (Some(old), Some(new)) = (children(before, &self.text), children(after, &self.text))
        else {
            return false;
        };
        let (style, old, new) = (old.style, old.children, new.children);
        let steps = align(&old, &new);
        let kept = steps.iter().filter(|step| step.is_keep()).count();
        // Without a kept child there is no place to insert at. Brackets are such a place, but a
        // block collection and the pair in `[a: 1]` have none.
        let is_pair = style == CollectionStyle::Flow && !self.has_brackets(before);
        let is_written_whole = kept == 0 && (style == CollectionStyle::Block || is_pair);
        if is_written_whole && !steps.is_empty() {
            return false;
        }
        let collections = self.siblings_in(before, &old);
        let flow = FlowChildren {
            collection: before,
            example: Self::example_for(before, after, siblings),
            is_on_one_line: siblings.is_one_line,
            old: &old,
            siblings: &collections,
        };
        if style == CollectionStyle::Flow && self.rearrange(&flow, &new, &steps) {
            return true;
        }
        // First the values of the children that stay, then the added and removed children. The two
        // never change the same bytes, because a child that stays keeps its key or dash.
        for step in &steps {
            if let &AlignStep::Keep { old: i, new: j } = step {
                let parent = self.parent_of(style, &old[i]);
                self.compare(old[i].value, new[j].value, parent, &collections);
            }
        }
        match style {
            CollectionStyle::Block => self.block_steps(&old, &new, &steps, &collections),
            CollectionStyle::Flow if is_pair => self.add_to_pair(&flow, &new, &steps),
            CollectionStyle::Flow => self.flow_steps(&flow, &new, &steps),
        }
        true
    }

    /// Returns the text between the brackets of a flow collection.
    fn between_brackets_of(&self, flow: &Node) -> &str {
        let end = flow.full_end().saturating_sub(1);
        self.text.slice(flow.content_start() + 1, end)
    }

    /// Returns whether a flow collection has brackets: the single pair of `[a: 1]` has none. Those
    /// of its key are not its own: `[[a]: 1]`.
    pub(super) fn has_brackets(&self, flow: &Node) -> bool {
        let start = flow.content_start();
        let mut entries = flow.as_mapping().into_iter().flat_map(|map| &map.entries);
        let begins_with_key = entries
            .next()
            .is_some_and(|first| first.key.full_start() == start);
        !begins_with_key && self.text.from(start).starts_with(['[', '{'])
    }

    /// Returns the parent of the value of `child`, which is in a collection of this style.
    pub(super) fn parent_of(&self, style: CollectionStyle, child: &Child<'_>) -> ValueParent {
        match (style, child.key) {
            (CollectionStyle::Flow, Some(_)) => ValueParent::FlowEntry {
                entry: child.start,
                start: child.value_start,
            },
            (CollectionStyle::Flow, None) => ValueParent::FlowItem,
            (CollectionStyle::Block, Some(_)) => ValueParent::BlockEntry {
                indent: self.text.column(child.start),
                start: child.value_start,
            },
            (CollectionStyle::Block, None) => ValueParent::BlockItem {
                indent: self.text.column(child.start),
                start: child.start + 1,
            },
        }
    }
}

/// Returns whether both were parsed at the same place of the same text.
pub(super) fn is_same_place(before: &Node, after: &Node) -> bool {
    match (&before.origin, &after.origin) {
        (Some(before), Some(after)) => {
            Arc::ptr_eq(&before.source, &after.source) && before.span == after.span
        }
        _ => false,
    }
}

/// Returns whether both are the same alias in the text. Its target may have been edited, but its
/// own bytes were not.
fn is_same_alias(before: &Node, after: &Node) -> bool {
    let are_aliases = matches!(
        (&before.content, &after.content),
        (Content::Alias(_), Content::Alias(_))
    );
    are_aliases && is_same_place(before, after)
}

/// Returns whether both are scalars with the same value, in any style. Writing the value that is
/// already there changes nothing.
pub(super) fn is_same_scalar(before: &Node, after: &Node) -> bool {
    if before.as_scalar().is_none() || after.as_scalar().is_none() {
        return false;
    }
    let is_same_value = match (before.value(), after.value()) {
        (Some(Value::Null), Some(Value::Null)) => true,
        // 1.0 and 1.00 are the same value, but an edit from one to the other is about the spelling.
        (old, new) => old == new && before.text() == after.text(),
    };
    is_same_value && before.anchor() == after.anchor()
}

/// Returns whether `after` is the collection `before` with other children, so that the two can be
/// compared child by child.
pub(super) fn is_edited_version(before: &Node, after: &Node) -> bool {
    before.is_same_kind_of_collection(after) && is_same_place(before, after)
}
