//! The values in a string that steps changed, for comments above the string.
//!
//! A comment inside the string would change its text, and JSON has no comments. So the comments are
//! in the YAML around it:
//!
//! ```text
//! data:
//!   # server.host: kustomization.yaml:14 replacement
//!   app.json: |
//!     {"server": {"host": "db", "port": 80}}
//! ```

use std::ops::ControlFlow;
use std::sync::Arc;

use super::descent::Descent;
use super::history::{DEPTH, Explainer, ValueVersion};
use super::link::{Link, LinkKind};
use super::versions::{child, is_changed};
use crate::edit::PathStep;
use crate::yaml::{Content, Node, is_equal};

/// A value in a string: the steps to it from the root of the string, and its newest link.
pub(super) type InnerOrigin = (Vec<PathStep>, Link);

/// A string that steps changed in parts.
pub(super) struct ChangedText {
    /// The link of the step that made the text as a whole.
    pub(super) made_by: Link,
    /// The values in it that steps changed since then. There is at least one.
    pub(super) inner: Vec<InnerOrigin>,
}

impl Explainer {
    /// Returns the origins of the values in a string that steps changed since the text was made;
    /// `None` if there are none, or if the string does not contain one document.
    pub(super) fn changed_text(&self, root: &Arc<Node>, steps: &[PathStep]) -> Option<ChangedText> {
        let document = self.versions.document_at(root, steps)?;
        let version = ValueVersion::at(&self.versions, root, steps)?;
        let mut created = None;
        let mut has_edit = false;
        let mut changes = Some(Vec::new());
        let first = self.follow(version, self.records.steps.len(), |change| {
            match change.before {
                Some(before) => {
                    has_edit |= self.records.steps[change.step].kind.edits_strings();
                    let known = DocumentChange::new(self, change.step, before, change.after);
                    match (&mut changes, known) {
                        (Some(changes), Some(known)) => changes.push(known),
                        (changes, _) => *changes = None,
                    }
                }
                None => created = Some(self.change(change.step, None, change.after, 0)),
            }
            ControlFlow::Continue(())
        });
        if !has_edit {
            return None;
        }
        let made_by = created.or_else(|| Some(self.first_link(&first?, DEPTH)))?;
        let mut search = ChangedValues {
            explainer: self,
            root,
            text: &made_by,
            depth: steps.len(),
            found: Vec::new(),
        };
        search.add(&document, &mut steps.to_vec(), changes.as_deref());
        let inner = search.found;
        (!inner.is_empty()).then_some(ChangedText { made_by, inner })
    }
}

/// A value of a document in a string, before and after a step.
///
/// As long as steps only edit the string, a value that is the same before and after each step was
/// not changed by any of them. This is known without following the value from the root of the
/// object.
struct DocumentChange {
    /// The number of the step.
    step: usize,
    before: Arc<Node>,
    after: Arc<Node>,
    /// Whether the place of a value matters too, because the string has none.
    is_without_place: bool,
}

impl DocumentChange {
    /// Returns the documents in a string before and after a step. Returns `None` if one of the two
    /// strings contains no document, or if the step may also have made values that are equal in
    /// both (see `Explainer::is_made_by`).
    fn new(
        explainer: &Explainer,
        step: usize,
        before: &ValueVersion,
        after: &ValueVersion,
    ) -> Option<DocumentChange> {
        let place = |version: &ValueVersion| version.value.location().map(|place| place.in_file());
        let (old_place, new_place) = (place(before), place(after));
        let is_edit = new_place.is_none() || old_place == new_place;
        if explainer.records.steps[step].written.is_some() || !is_edit {
            return None;
        }
        let document = |version: &ValueVersion| {
            let versions = &explainer.versions;
            versions.document_at(&version.root, &version.steps)
        };
        Some(DocumentChange {
            step,
            before: document(before)?,
            after: document(after)?,
            is_without_place: old_place.is_none(),
        })
    }

    fn is_made(&self) -> bool {
        let (before, after) = (self.before.resolved(), self.after.resolved());
        match self.is_without_place {
            true => is_changed(before, after),
            false => !is_equal(before, after),
        }
    }

    /// Returns the change of a child; `None` if it is not known which child it was before.
    fn child(&self, step: &PathStep) -> Option<DocumentChange> {
        let before = child(self.before.resolved(), step)?;
        let after = child(self.after.resolved(), step)?;
        let change = DocumentChange {
            before: Arc::clone(before),
            after: Arc::clone(after),
            ..*self
        };
        // An item may have been another one.
        let is_item = matches!(step, PathStep::Index(_));
        (!is_item || !change.is_made()).then_some(change)
    }
}

/// Returns whether a value may be a text that is a document with values. Most values are words and
/// numbers, and trying to open all of them would be slow. In `data`, a word may be base64.
pub(super) fn may_contain_values(value: &Descent<'_>) -> bool {
    let Some(text) = value.node().text() else {
        return false;
    };
    let is_in_data = || matches!(value.first_key(), Some("data" | "binaryData"));
    looks_like_values(text) || is_in_data()
}

/// Returns whether a text may be a document with values, if it is not encoded.
fn looks_like_values(text: &str) -> bool {
    text.contains(['\n', ' ', '\t', '{', '[', '='])
}

struct ChangedValues<'c> {
    explainer: &'c Explainer,
    root: &'c Arc<Node>,
    /// The origin of the text.
    text: &'c Link,
    /// The number of steps to the string.
    depth: usize,
    found: Vec<InnerOrigin>,
}

impl ChangedValues<'_> {
    /// Adds the values in a node that steps changed. If a collection changed but none of its values
    /// did, for example because one was removed, the collection itself is added. `changes` are the
    /// changes of the node, if they are known. Recursive: the parser bounds the depth.
    fn add(
        &mut self,
        node: &Arc<Node>,
        steps: &mut Vec<PathStep>,
        changes: Option<&[DocumentChange]>,
    ) {
        // A value inside the node is never newer than the node, so most of a large text is skipped.
        let mut link = None;
        if let Some(changes) = changes {
            if !changes.iter().any(DocumentChange::is_made) {
                return;
            }
        } else {
            link = self.newest_change(steps);
            if link.is_none() {
                return;
            }
        }
        let count = self.found.len();
        let collection = self.opened(node, steps);
        for (step, child) in steps_to_children(&collection) {
            let changes = changes.and_then(|changes| child_changes(changes, &step));
            steps.push(step);
            self.add(child, steps, changes.as_deref());
            steps.pop();
        }
        let has_changed_child = self.found.len() > count;
        if has_changed_child || steps.len() == self.depth {
            return;
        }
        let link = link
            .or_else(|| self.known_change(changes?))
            .or_else(|| self.newest_change(steps));
        if let Some(link) = link {
            self.found.push((steps[self.depth..].to_vec(), link));
        }
    }

    /// Returns the document in a string inside the outer string. Returns any other node unchanged.
    fn opened(&self, node: &Arc<Node>, steps: &[PathStep]) -> Arc<Node> {
        let is_inner =
            steps.len() > self.depth && node.resolved().text().is_some_and(looks_like_values);
        if is_inner && let Some(document) = self.explainer.versions.document_at(self.root, steps) {
            return document;
        }
        Arc::clone(node)
    }

    /// Returns the link of the newest change of a value, if its place does not depend on the path to
    /// the value.
    fn known_change(&self, changes: &[DocumentChange]) -> Option<Link> {
        let newest = changes.iter().find(|change| change.is_made())?;
        let (before, after) = (newest.before.resolved(), newest.after.resolved());
        let explainer = self.explainer;
        explainer.change_at_known_place(newest.step, Some(before), after)
    }

    /// Returns the newest link of a value, if it is a step after the text was made.
    fn newest_change(&self, steps: &[PathStep]) -> Option<Link> {
        let link = self.explainer.newest_link(self.root, steps);
        link.filter(|link| self.is_change(link))
    }

    /// Returns whether a step changed a value after the text was made.
    fn is_change(&self, link: &Link) -> bool {
        let source = |link: &Link| {
            let place = link.place.as_ref()?.in_file();
            Some(Arc::as_ptr(&place.source).addr())
        };
        matches!(link.kind, LinkKind::Step(_))
            && (link.before.is_some()
                || link.kind != self.text.kind
                || source(link) != source(self.text))
    }
}

/// Returns the changes of a child; `None` if it is not known for each step which child it was.
fn child_changes(changes: &[DocumentChange], step: &PathStep) -> Option<Vec<DocumentChange>> {
    changes.iter().map(|change| change.child(step)).collect()
}

fn steps_to_children(node: &Arc<Node>) -> Vec<(PathStep, &Arc<Node>)> {
    let mut children = Vec::new();
    match &node.resolved().content {
        Content::Mapping(mapping) => {
            for entry in &mapping.entries {
                if let Some(key) = entry.key.resolved().text() {
                    children.push((PathStep::Key(key.into()), &entry.value));
                }
            }
        }
        Content::Sequence(sequence) => {
            for (index, item) in sequence.items.iter().enumerate() {
                children.push((PathStep::Index(index), &item.value));
            }
        }
        Content::Scalar(_) | Content::Alias(_) => {}
    }
    children
}
