//! The objects and fields of a text by line, for the headers of hunks.

use std::sync::Arc;

use super::document::{object_title, parse_documents};
use super::path::{Step, spell};
use crate::source::{Source, Span};
use crate::yaml::{Content, Document, Node};

/// A parsed text; empty if the text is not YAML.
pub(super) struct Outline {
    source: Option<Arc<Source>>,
    documents: Vec<Document>,
}

impl Outline {
    /// Parses a text. A text that is not YAML has an empty outline.
    pub(super) fn new(text: &str) -> Outline {
        match parse_documents(text) {
            Some(stream) => Outline {
                source: Some(Arc::clone(&stream.source)),
                documents: stream.documents,
            },
            None => Outline {
                source: None,
                documents: Vec::new(),
            },
        }
    }

    /// Returns the object that contains a line, and the field around it. Lines are counted from 0.
    ///
    /// ```text
    /// kind: Deployment
    /// metadata: {name: web}
    /// spec:
    ///   replicas: 2           Deployment web · spec
    /// ```
    pub(super) fn describe_line(&self, line: usize) -> Option<String> {
        let line = self.source.as_ref()?.line_span(line + 1);
        let after = self
            .documents
            .partition_point(|document| document.span.start() <= line.start());
        let document = self.documents.get(after.checked_sub(1)?)?;
        let mut title = object_title(&document.root);
        let mut steps = Vec::new();
        let mut node = &document.root;
        while let Some((step, inner)) = child_around(node, line) {
            steps.push(step);
            node = inner.resolved();
            // An item of a List is the object that the reader is interested in.
            if let Some(own) = object_title(node) {
                title = Some(own);
                steps.clear();
            }
        }
        match (title, steps.as_slice()) {
            (None, []) => None,
            (None, steps) => Some(spell(steps)),
            (Some(title), []) => Some(title),
            (Some(title), steps) => Some(format!("{title} · {}", spell(steps))),
        }
    }
}

/// Returns the child of a collection that begins before a line and contains it.
fn child_around(node: &Node, line: Span) -> Option<(Step, &Arc<Node>)> {
    match &node.content {
        Content::Mapping(mapping) => {
            let begins_before = |key: &Node| start(key).is_some_and(|offset| offset < line.start());
            let after = mapping
                .entries
                .partition_point(|entry| begins_before(&entry.key));
            let entry = mapping.entries.get(after.checked_sub(1)?)?;
            let contains = end(&entry.value)? > line.start();
            let key = entry.key.text()?.to_owned();
            contains.then_some((Step::Key(key), &entry.value))
        }
        Content::Sequence(sequence) => {
            // The first line of an item is part of it: its dash is not a separate field.
            let begins_before =
                |item: &Node| start(item).is_some_and(|offset| offset <= line.end());
            let after = sequence
                .items
                .partition_point(|item| begins_before(&item.value));
            let index = after.checked_sub(1)?;
            let item = &sequence.items.get(index)?.value;
            if end(item)? <= line.start() {
                return None;
            }
            let name = item.resolved().get("name").and_then(|name| name.text());
            let step = name.map_or(Step::Index(index), |name| Step::Named(name.to_owned()));
            Some((step, item))
        }
        Content::Scalar(_) | Content::Alias(_) => None,
    }
}

fn start(node: &Node) -> Option<usize> {
    Some(node.origin.as_ref()?.span.start())
}

fn end(node: &Node) -> Option<usize> {
    Some(node.origin.as_ref()?.span.end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_object_and_the_field_around_a_line() {
        let text = "kind: A\nmetadata: {name: x}\n---\napiVersion: apps/v1\nkind: Deployment\n\
                    metadata:\n  name: web\n  namespace: shop\nspec:\n  replicas: 1\n  containers:\n  \
                    - name: app\n    image: i\n  - image: j\ndata:\n  a.b: |\n    one\n    two\n";
        let outline = Outline::new(text);
        let described = |wanted: &str| {
            let line = text.lines().position(|line| line == wanted).unwrap();
            outline.describe_line(line).unwrap_or_default()
        };
        let object = "apps/v1 Deployment shop/web";
        assert_eq!(described("kind: A"), "A x");
        assert_eq!(described("kind: Deployment"), object);
        assert_eq!(described("  replicas: 1"), format!("{object} · spec"));
        assert_eq!(
            described("    image: i"),
            format!("{object} · spec.containers.[name=app]")
        );
        assert_eq!(
            described("  - image: j"),
            format!("{object} · spec.containers.1")
        );
        assert_eq!(described("    two"), format!("{object} · data.a\\.b"));
    }

    #[test]
    fn a_text_that_is_not_yaml_has_no_outline() {
        assert_eq!(Outline::new("a: [").describe_line(0), None);
    }
}
