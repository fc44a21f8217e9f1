//! The texts of the annotations for the origin of an object and for its transformers.

use std::sync::Arc;

use super::annotations::TRANSFORMATIONS;
use crate::kubernetes::ObjectOrigin;
use crate::source::Source;
use crate::yaml::{Entry, Node, canonical_node, parse_data};

/// The fields of an origin in the order of kustomize's `resource.Origin`.
const FIELDS: [&str; 5] = ["path", "repo", "ref", "configuredIn", "configuredBy"];

/// The fields of `configuredBy`.
const CONFIGURED_BY_FIELDS: [&str; 4] = ["apiVersion", "kind", "name", "namespace"];

/// Returns the text of `config.kubernetes.io/origin`. The keys are in this order, and what is not
/// known is left out:
///
/// ```yaml
/// path: base/deployment.yaml
/// configuredIn: base/kustomization.yaml
/// configuredBy:
///   apiVersion: builtin
///   kind: ConfigMapGenerator
/// ```
pub(super) fn origin_text(origin: &ObjectOrigin) -> String {
    match &origin.as_written {
        Some(text) => text.to_string(),
        None => printed(&origin_node(origin)),
    }
}

/// Returns the text of `alpha.config.kubernetes.io/transformations`, a list of origins: those that
/// the object came with, and those of this build.
pub(super) fn transformations_text(before: Option<&str>, now: &[Arc<ObjectOrigin>]) -> String {
    let mut origins = before.map(written_origins).unwrap_or_default();
    origins.extend(now.iter().map(|origin| origin_node(origin)));
    printed(&Node::sequence(origins))
}

/// Returns the origins of an annotation, each with the fields that kustomize knows. A text that is
/// not such a list has none.
fn written_origins(text: &str) -> Vec<Arc<Node>> {
    let mut origins = Vec::new();
    let source = Source::new(TRANSFORMATIONS, text).ok();
    let stream = source.and_then(|source| parse_data(&source).ok());
    for document in stream.iter().flat_map(|stream| &stream.documents) {
        let list = document.root.resolved().as_sequence();
        for item in list.iter().flat_map(|list| &list.items) {
            origins.push(written_fields(item.value.resolved(), &FIELDS));
        }
    }
    origins
}

fn written_fields(node: &Node, keys: &[&str]) -> Arc<Node> {
    let mut entries = Vec::new();
    for key in keys {
        let Some(value) = node.get(key).map(Node::resolved) else {
            continue;
        };
        let value = match value.text() {
            Some("") => continue,
            Some(text) => Node::string(text),
            None => written_fields(value, &CONFIGURED_BY_FIELDS),
        };
        entries.push(Entry::new(key, value));
    }
    Node::mapping(entries)
}

fn printed(node: &Arc<Node>) -> String {
    // A tree of strings always has a text.
    canonical_node(node).unwrap_or_default()
}

fn origin_node(origin: &ObjectOrigin) -> Arc<Node> {
    let mut entries = fields(&[
        ("path", &origin.path),
        ("configuredIn", &origin.configured_in),
    ]);
    if let Some(by) = &origin.configured_by {
        let by = fields(&[
            ("apiVersion", &by.api_version),
            ("kind", &by.kind),
            ("name", &by.name),
            ("namespace", &by.namespace),
        ]);
        entries.push(Entry::new("configuredBy", Node::mapping(by)));
    }
    Node::mapping(entries)
}

/// Returns an entry for each field that is not empty.
fn fields(fields: &[(&str, &str)]) -> Vec<Entry> {
    let known = fields.iter().filter(|(_, value)| !value.is_empty());
    known
        .map(|(key, value)| Entry::new(key, Node::string(*value)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kubernetes::ConfiguredBy;

    #[test]
    fn leaves_out_what_is_not_known() {
        let generated = ObjectOrigin {
            configured_in: "base/kustomization.yaml".to_owned(),
            configured_by: Some(ConfiguredBy {
                api_version: "builtin".to_owned(),
                kind: "ConfigMapGenerator".to_owned(),
                ..ConfiguredBy::default()
            }),
            ..ObjectOrigin::default()
        };
        let text = "configuredIn: base/kustomization.yaml\nconfiguredBy:\n  apiVersion: builtin\n  kind: ConfigMapGenerator\n";
        assert_eq!(origin_text(&generated), text);
        let list = "- configuredIn: base/kustomization.yaml\n  configuredBy:\n    apiVersion: builtin\n    kind: ConfigMapGenerator\n";
        assert_eq!(
            transformations_text(Some("- {path: b, x: y}"), &[]),
            "- path: b\n"
        );
        assert_eq!(transformations_text(None, &[Arc::new(generated)]), list);
    }
}
