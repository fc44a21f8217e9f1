//! The texts of the annotations for the origin of an object and for its transformers.

use std::sync::Arc;

use crate::kubernetes::ObjectOrigin;
use crate::yaml::{Entry, Node, canonical_node};

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
    printed(&origin_node(origin))
}

/// Returns the text of `alpha.config.kubernetes.io/transformations`, a list of origins.
pub(super) fn transformations_text(transformations: &[Arc<ObjectOrigin>]) -> String {
    let origins = transformations.iter().map(|origin| origin_node(origin));
    printed(&Node::sequence(origins))
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
        assert_eq!(transformations_text(&[Arc::new(generated)]), list);
    }
}
