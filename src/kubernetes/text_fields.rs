//! The table of typed fields: those that the API server accepts only as strings, and those that it
//! accepts only as integers.
//!
//! Replacements, patches and `inlay set` write a document into a text field as text, quote numbers
//! there, and write digits into an integer field as a number. This module contains only the table;
//! `edit` receives it as [`TextFields`].

use std::sync::Arc;

use crate::edit::{Encoding, FieldType, ITEM, TextFields};
use crate::yaml::Node;

/// A mapping whose values are text, with the encoding of that text.
type TextParent = (&'static [&'static str], Encoding);

const LABELS: TextParent = (&["metadata", "labels"], Encoding::Plain);
const ANNOTATIONS: TextParent = (&["metadata", "annotations"], Encoding::Plain);

/// Labels and annotations are text in every object.
const ANY_OBJECT: TextFields = TextFields {
    parents: &[LABELS, ANNOTATIONS],
    has_text_keys: true,
    typed: None,
    keeps_scalars: false,
    objects: None,
};

/// Kubernetes' own kinds also have fields of other types. Custom resources may use the same field
/// names for other types.
const BUILT_IN: TextFields = TextFields {
    typed: Some(type_of_built_in),
    ..ANY_OBJECT
};

/// Each item of a list of objects has the text fields of its own kind.
const LIST: TextFields = TextFields {
    objects: Some(("items", text_fields)),
    ..ANY_OBJECT
};

const CONFIG_MAP: TextFields = TextFields {
    parents: &[
        LABELS,
        ANNOTATIONS,
        (&["data"], Encoding::Plain),
        (&["binaryData"], Encoding::Base64),
    ],
    ..ANY_OBJECT
};

const SECRET: TextFields = TextFields {
    parents: &[
        LABELS,
        ANNOTATIONS,
        (&["data"], Encoding::Base64),
        (&["stringData"], Encoding::Plain),
    ],
    ..ANY_OBJECT
};

const TEXT: FieldType = FieldType::Text(Encoding::Plain);

/// Mappings whose values are text anywhere in an object: for example, pod templates have labels
/// too.
const TEXT_MAPPINGS: [&str; 4] = ["labels", "annotations", "matchLabels", "nodeSelector"];

/// Lists of texts.
const TEXT_LISTS: [&str; 2] = ["command", "args"];

/// Integers, and fields that are an integer or a name (`targetPort`), where the API server treats a
/// string of digits as a name and rejects it.
const INTEGERS: [&str; 45] = [
    "activeDeadlineSeconds",
    "averageUtilization",
    "backoffLimit",
    "completions",
    "containerPort",
    "defaultMode",
    "endPort",
    "expirationSeconds",
    "failedJobsHistoryLimit",
    "failureThreshold",
    "fsGroup",
    "healthCheckNodePort",
    "hostPort",
    "initialDelaySeconds",
    "maxReplicas",
    "maxSurge",
    "maxUnavailable",
    "minAvailable",
    "minReadySeconds",
    "minReplicas",
    "mode",
    "nodePort",
    "number",
    "parallelism",
    "partition",
    "percentage",
    "periodSeconds",
    "port",
    "priority",
    "progressDeadlineSeconds",
    "replicas",
    "revisionHistoryLimit",
    "runAsGroup",
    "runAsUser",
    "stabilizationWindowSeconds",
    "startingDeadlineSeconds",
    "successThreshold",
    "successfulJobsHistoryLimit",
    "targetCPUUtilizationPercentage",
    "targetPort",
    "terminationGracePeriodSeconds",
    "timeoutSeconds",
    "tolerationSeconds",
    "ttlSecondsAfterFinished",
    "weight",
];

/// Returns the type of a field in one of Kubernetes' own kinds. Their field names have the same
/// meaning everywhere, so the last steps of the path are enough.
fn type_of_built_in(path: &[&str]) -> Option<FieldType> {
    let (name, parents) = path.split_last()?;
    match parents {
        [.., mapping] if TEXT_MAPPINGS.contains(mapping) => Some(TEXT),
        // A Service selects by labels; other kinds have a label selector here, with its own fields.
        ["spec", "selector"] if !matches!(*name, "matchLabels" | "matchExpressions") => Some(TEXT),
        [.., list] if *name == ITEM && TEXT_LISTS.contains(list) => Some(TEXT),
        [.., "env", ITEM] if *name == "value" => Some(TEXT),
        // Arbitrary keys, such as those of a volume's `csi.volumeAttributes`, are not fields.
        [
            ..,
            "volumeAttributes" | "matchExpressions" | "limits" | "requests",
        ] => None,
        ["spec" | "webhooks" | "template", ..] if INTEGERS.contains(name) => {
            Some(FieldType::Integer)
        }
        _ => None,
    }
}

/// Returns whether an API group belongs to Kubernetes itself.
fn is_built_in(api_version: &str) -> bool {
    match api_version.split_once('/') {
        None => true,
        Some((group, _)) => {
            !group.contains('.')
                || matches!(
                    group,
                    "networking.k8s.io"
                        | "policy"
                        | "admissionregistration.k8s.io"
                        | "scheduling.k8s.io"
                        | "storage.k8s.io"
                )
        }
    }
}

/// Returns the text fields of an object, by its `apiVersion` and `kind`.
pub fn text_fields(object: &Arc<Node>) -> TextFields {
    let api_version = object
        .get("apiVersion")
        .and_then(|node| node.resolved().text());
    let kind = object.get("kind").and_then(|node| node.resolved().text());
    match (api_version, kind) {
        (Some("v1"), Some("ConfigMap")) => CONFIG_MAP,
        // Without `apiVersion`, it is a part of a Secret: a patch, or a file that is not complete yet.
        (Some("v1") | None, Some("Secret")) => SECRET,
        (_, Some(kind)) if kind.ends_with("List") => LIST,
        (Some(api_version), _) if is_built_in(api_version) => BUILT_IN,
        (Some(_), Some(_)) => ANY_OBJECT,
        // Any other file, such as the values of a chart, may have numbers as keys.
        _ => TextFields {
            has_text_keys: false,
            ..ANY_OBJECT
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::{EditOptions, FieldPath, update};
    use crate::source::Source;
    use crate::yaml::parse;

    #[test]
    fn types_the_fields_of_kubernetes_own_kinds() {
        let table: [(&[&str], Option<FieldType>); 14] = [
            (&["spec", "replicas"], Some(FieldType::Integer)),
            (
                &["spec", "ports", ITEM, "targetPort"],
                Some(FieldType::Integer),
            ),
            (
                &[
                    "spec",
                    "template",
                    "spec",
                    "containers",
                    ITEM,
                    "ports",
                    ITEM,
                    "containerPort",
                ],
                Some(FieldType::Integer),
            ),
            (
                &[
                    "spec",
                    "template",
                    "spec",
                    "containers",
                    ITEM,
                    "env",
                    ITEM,
                    "value",
                ],
                Some(TEXT),
            ),
            (
                &["spec", "template", "metadata", "annotations", "replicas"],
                Some(TEXT),
            ),
            (
                &["spec", "template", "spec", "containers", ITEM, "args", ITEM],
                Some(TEXT),
            ),
            (&["spec", "selector", "app"], Some(TEXT)),
            (&["spec", "selector", "matchLabels", "app"], Some(TEXT)),
            (&["spec", "selector", "matchLabels"], None),
            (
                &[
                    "spec",
                    "template",
                    "spec",
                    "containers",
                    ITEM,
                    "resources",
                    "limits",
                    "cpu",
                ],
                None,
            ),
            (
                &["spec", "template", "spec", "containers", ITEM, "env", ITEM],
                None,
            ),
            (&["metadata", "name"], None),
            (&["spec"], None),
            (&[], None),
        ];
        for (path, expected) in table {
            assert_eq!(BUILT_IN.type_of(path), expected, "{path:?}");
        }
        assert!(is_built_in("v1") && is_built_in("apps/v1") && is_built_in("networking.k8s.io/v1"));
        assert!(!is_built_in("example.com/v1"));
    }

    #[test]
    fn only_the_items_of_a_list_of_objects_are_objects() {
        let object = "{apiVersion: v1, kind: ConfigMap, data: {a: b}}";
        let text = format!(
            "kind: List\nitems: [{object}]\nothers: [{object}]\nspec: {{items: [{object}]}}\n"
        );
        let stream = parse(&Source::new("list.yaml", text).unwrap()).unwrap();
        let root = &stream.documents[0].root;
        let options = EditOptions {
            text_fields: text_fields(root),
            ..EditOptions::default()
        };
        for (path, expected) in [
            ("items.0.data.a", Some(Encoding::Plain)),
            ("others.0.data.a", None),
            ("spec.items.0.data.a", None),
        ] {
            let mut found = Vec::new();
            let path = FieldPath::parse(path).unwrap();
            let result = update(root, &path, &options, &mut |target| {
                found.push(target.place.text_field());
                Ok(None)
            });
            assert!(result.is_ok());
            assert_eq!(found, [expected], "{path}");
        }
    }
}
