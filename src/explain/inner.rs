//! The values in a string that steps changed, for comments above the string.
//!
//! A comment inside the string would change its text, and JSON has none. So the comments are in the
//! YAML around it:
//!
//! ```text
//! data:
//!   # server.host: kustomization.yaml:14 replacement
//!   app.json: |
//!     {"server": {"host": "db", "port": 80}}
//! ```

use std::sync::Arc;

use super::history::Explainer;
use super::link::{Link, LinkKind};
use crate::edit::PathStep;
use crate::yaml::{Content, Node};

/// A value in a string: the path to it from the string, and the newest link.
pub(super) type InnerOrigin = (Vec<PathStep>, Link);

impl Explainer {
    /// Returns whether a value is a string with a document that has values of its own.
    pub(super) fn has_document_at(
        &self,
        root: &Arc<Node>,
        steps: &[PathStep],
        value: &Arc<Node>,
    ) -> bool {
        // Most values are words and numbers, and to open each would take long.
        value
            .text()
            .is_some_and(|text| may_contain_values(text, steps))
            && self.versions.document_at(root, steps).is_some()
    }

    /// Returns the origins of the values in a string that steps changed since the text was made, as
    /// the link `text` says. There are none if the string does not contain one document.
    pub(super) fn inner_origins(
        &self,
        root: &Arc<Node>,
        steps: &[PathStep],
        text: &Link,
    ) -> Vec<InnerOrigin> {
        let Some(document) = self.versions.document_at(root, steps) else {
            return Vec::new();
        };
        let mut search = ChangedValues {
            explainer: self,
            root,
            text,
            depth: steps.len(),
            found: Vec::new(),
        };
        search.add(&document, &mut steps.to_vec());
        search.found
    }
}

/// Returns whether a text may be a document with values: a word is none, except in the fields whose
/// texts may be encoded.
fn may_contain_values(text: &str, steps: &[PathStep]) -> bool {
    let is_in_data = match steps.first() {
        Some(PathStep::Key(key)) => matches!(&**key, "data" | "binaryData"),
        _ => false,
    };
    is_in_data || text.contains(['\n', ' ', '\t', '{', '[', '='])
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
    /// Adds the values in a node that steps changed. A collection in which no value changed was only
    /// changed as a whole, for instance by a removal. Recursive: the parser bounds the depth.
    fn add(&mut self, node: &Arc<Node>, steps: &mut Vec<PathStep>) {
        let link = self.explainer.newest_link(self.root, steps);
        // Nothing below is newer than the collection, so most of a large text is not looked at.
        let Some(link) = link.filter(|link| self.is_change(link)) else {
            return;
        };
        let count = self.found.len();
        // A string in the string may contain a document again.
        let is_inner = steps.len() > self.depth && node.resolved().as_scalar().is_some();
        let opened = is_inner.then(|| self.explainer.versions.document_at(self.root, steps));
        let collection = opened.flatten().unwrap_or_else(|| Arc::clone(node));
        for (step, child) in steps_to_children(&collection) {
            steps.push(step);
            self.add(child, steps);
            steps.pop();
        }
        if self.found.len() == count && steps.len() > self.depth {
            self.found.push((steps[self.depth..].to_vec(), link));
        }
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
