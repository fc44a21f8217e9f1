//! The annotations of an object at the end of a build.
//!
//! kustomize works with annotations: it records earlier names in them, and the places that objects
//! come from. At the end it removes its own, even if a user wrote them, and writes the rest again
//! as strings:
//!
//! ```text
//! annotations:                             annotations:
//!   config.kubernetes.io/index: '0'
//!   checked: 2020-01-01              ->      checked: "2020-01-01"
//!   revision: 1                              revision: "1"
//! ```

use std::sync::Arc;

use super::origin::{origin_text, transformations_text};
use crate::kubernetes::{ObjectOrigin, Resource};
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result};
use crate::yaml::{CoreValue, Entry, Mapping, Node, core_value};

/// The annotations that kustomize removes.
const INTERNAL: &[&str] = &[
    "config.k8s.io/id",
    "config.kubernetes.io/index",
    "config.kubernetes.io/path",
    "internal.config.kubernetes.io/allowKindChange",
    "internal.config.kubernetes.io/allowNameChange",
    "internal.config.kubernetes.io/annotations-migration-resource-id",
    "internal.config.kubernetes.io/generatorBehavior",
    "internal.config.kubernetes.io/helm-generated",
    "internal.config.kubernetes.io/id",
    "internal.config.kubernetes.io/index",
    "internal.config.kubernetes.io/needsHashSuffix",
    "internal.config.kubernetes.io/path",
    "internal.config.kubernetes.io/prefixes",
    "internal.config.kubernetes.io/previousKinds",
    "internal.config.kubernetes.io/previousNames",
    "internal.config.kubernetes.io/previousNamespaces",
    "internal.config.kubernetes.io/refBy",
    "internal.config.kubernetes.io/seqindent",
    "internal.config.kubernetes.io/suffixes",
];

/// The annotation with the origin of an object.
const ORIGIN: &str = "config.kubernetes.io/origin";

/// The annotation with the transformers that ran on an object.
pub(super) const TRANSFORMATIONS: &str = "alpha.config.kubernetes.io/transformations";

/// The annotations that `buildMetadata` asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BuildMetadata {
    /// `originAnnotations`.
    pub has_origin: bool,
    /// `transformerAnnotations`.
    pub has_transformations: bool,
}

/// Removes kustomize's annotations from an object, writes the others as strings, and adds those
/// that `metadata` asks for.
///
/// # Errors
/// Reports annotations that are not a mapping. A value that is not a scalar is a warning: kustomize
/// replaces it by an empty string.
pub fn finish_annotations(
    resource: &mut Resource,
    metadata: BuildMetadata,
    diagnostics: &mut Diagnostics,
) -> Result<(), Reported> {
    let recorded = recorded_annotations(resource, metadata);
    let Some(fields) = resource.node.get("metadata").map(Node::resolved) else {
        return Ok(());
    };
    let Some(fields) = fields.as_mapping() else {
        return Ok(());
    };
    let before = fields.get("annotations").map(Node::resolved);
    let after = match before {
        None if recorded.is_empty() => return Ok(()),
        None => recorded,
        Some(node) => {
            let mut after = diagnostics.check(kept_entries(node, resource))?;
            warn_of_lost_values(&after, resource, diagnostics);
            for entry in &mut after {
                entry.value = as_string(&entry.value);
            }
            for entry in recorded {
                put(entry, &mut after);
            }
            after
        }
    };
    let is_unchanged = before
        .and_then(|node| node.as_mapping())
        .is_some_and(|before| is_same(before, &after));
    if !is_unchanged {
        set_annotations(resource, after);
    }
    Ok(())
}

/// Returns the origin that an object has in its annotations, as it is written there.
pub fn written_origin(resource: &Resource) -> Option<ObjectOrigin> {
    Some(ObjectOrigin {
        as_written: Some(annotation(resource, ORIGIN)?.into()),
        ..ObjectOrigin::default()
    })
}

fn annotation<'r>(resource: &'r Resource, key: &str) -> Option<&'r str> {
    let annotations = resource
        .node
        .get("metadata")?
        .resolved()
        .get("annotations")?;
    annotations.resolved().get(key)?.resolved().text()
}

/// Returns the annotations that the build recorded and `metadata` asks for.
fn recorded_annotations(resource: &Resource, metadata: BuildMetadata) -> Vec<Entry> {
    let mut entries = Vec::new();
    let history = &resource.history;
    if metadata.has_transformations {
        // The output of one build can be the input of another, whose transformers follow.
        let before = annotation(resource, TRANSFORMATIONS);
        let text = match (before, &*history.transformations) {
            (before, []) => before.map(str::to_owned),
            (before, after) => Some(transformations_text(before, after)),
        };
        let entry = text.map(|text| Entry::new(TRANSFORMATIONS, Node::string(text)));
        entries.extend(entry);
    }
    if metadata.has_origin
        && let Some(origin) = &history.origin
    {
        entries.push(Entry::new(ORIGIN, Node::string(origin_text(origin))));
    }
    entries
}

/// Returns the entries that are not kustomize's own.
///
/// # Errors
/// The annotations are a list or a text.
fn kept_entries(annotations: &Arc<Node>, resource: &Resource) -> Result<Vec<Entry>> {
    let Some(mapping) = annotations.as_mapping() else {
        if annotations.text().is_some_and(str::is_empty)
            || matches!(core_value(annotations), Ok(CoreValue::Null))
        {
            return Ok(Vec::new());
        }
        let message = format!(
            "expected a mapping of annotations, found {}",
            annotations.described()
        );
        return Err(Diagnostic::error(Code::Resource, message)
            .at(annotations.location(), "")
            .about(resource.object_reference())
            .in_field("metadata.annotations"));
    };
    let mut kept = mapping.entries.to_vec();
    kept.retain(|entry| {
        let key = entry.key.resolved().text().unwrap_or_default();
        !INTERNAL.contains(&key) && key != ORIGIN && key != TRANSFORMATIONS
    });
    Ok(kept)
}

fn warn_of_lost_values(entries: &[Entry], resource: &Resource, diagnostics: &mut Diagnostics) {
    for entry in entries {
        let value = entry.value.resolved();
        if value.as_scalar().is_some() {
            continue;
        }
        let key = entry.key.resolved().text().unwrap_or_default();
        let message = format!(
            "the annotation `{key}` becomes an empty string, because it is {}",
            value.described()
        );
        diagnostics.push(
            Diagnostic::warning(Code::Resource, message)
                .at(value.location(), "")
                .about(resource.object_reference())
                .in_field(format!("metadata.annotations[{key}]"))
                .help("write the value as a string"),
        );
    }
}

/// Returns the value of an annotation as a string with the text of the scalar: `0x10` becomes
/// `"0x10"`, and an empty value becomes `""`.
fn as_string(value: &Arc<Node>) -> Arc<Node> {
    let scalar = value.resolved();
    let is_string = scalar.tag().is_none()
        && scalar.as_scalar().is_some()
        && matches!(core_value(scalar), Ok(CoreValue::String(_)));
    if is_string {
        return Arc::clone(value);
    }
    Node::string(scalar.text().unwrap_or_default())
}

fn put(entry: Entry, entries: &mut Vec<Entry>) {
    let key = entry.key.text();
    match entries.iter_mut().find(|other| other.key.text() == key) {
        Some(other) => other.value = entry.value,
        None => entries.push(entry),
    }
}

fn is_same(before: &Mapping, after: &[Entry]) -> bool {
    let mut pairs = before.entries.iter().zip(after);
    !after.is_empty()
        && before.entries.len() == after.len()
        && pairs.all(|(before, after)| Arc::ptr_eq(&before.value, &after.value))
}

/// Replaces the annotations of an object, or removes them if there are none.
fn set_annotations(resource: &mut Resource, annotations: Vec<Entry>) {
    let Some(object) = resource.node.as_mapping() else {
        return;
    };
    let Some(place) = object.position("metadata") else {
        return;
    };
    let metadata = object.entries[place].value.resolved();
    let Some(fields) = metadata.as_mapping() else {
        return;
    };
    let mut fields = fields.entries.to_vec();
    let position = fields
        .iter()
        .position(|entry| entry.key.resolved().text() == Some("annotations"));
    match position {
        Some(position) if annotations.is_empty() => {
            fields.remove(position);
        }
        Some(position) => {
            let before = fields[position].value.resolved();
            fields[position].value = before.with_entries(annotations);
        }
        None => fields.push(Entry::new("annotations", Node::mapping(annotations))),
    }
    let mut entries = object.entries.to_vec();
    entries[place].value = metadata.with_entries(fields);
    resource.node = resource.node.with_entries(entries);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kubernetes::ObjectOrigin;
    use crate::kustomize::output::print_object;
    use crate::source::Source;
    use crate::yaml::parse;

    fn resource(annotations: &str) -> Resource {
        let text = format!("kind: A\nmetadata: {{name: a, annotations: {annotations}}}\n");
        let source = Source::new("a.yaml", text).unwrap();
        Resource::new(Arc::clone(&parse(&source).unwrap().documents[0].root)).unwrap()
    }

    fn finished(annotations: &str) -> String {
        let mut resource = resource(annotations);
        let mut diagnostics = Diagnostics::default();
        finish_annotations(&mut resource, BuildMetadata::default(), &mut diagnostics).unwrap();
        let printed = print_object(&resource).unwrap();
        printed.replace("kind: A\nmetadata:\n", "")
    }

    /// Returns what kustomize v5.8.2 prints.
    #[test]
    fn values_become_strings() {
        let table = [
            (
                "{a: 1, b: true, c: null, d: 2020-01-01, e: 0x10, f: , g: ~, h: yes}",
                "  annotations:\n    a: \"1\"\n    b: \"true\"\n    c: \"null\"\n    d: \"2020-01-01\"\n    e: \"0x10\"\n    f: \"\"\n    g: \"~\"\n    h: \"yes\"\n  name: a\n",
            ),
            (
                "{a: !!binary aGk=}",
                "  annotations:\n    a: aGk=\n  name: a\n",
            ),
            (
                "{a: [1], b: {}}",
                "  annotations:\n    a: \"\"\n    b: \"\"\n  name: a\n",
            ),
        ];
        for (annotations, expected) in table {
            assert_eq!(finished(annotations), expected);
        }
    }

    #[test]
    fn own_annotations_and_empty_ones_are_removed() {
        for annotations in [
            "{config.kubernetes.io/index: '0', internal.config.kubernetes.io/prefixes: a}",
            "{config.kubernetes.io/origin: a}",
            "{}",
            "null",
            "''",
        ] {
            assert_eq!(finished(annotations), "  name: a\n", "{annotations}");
        }
        let kept = "{internal.config.kubernetes.io/other: a}";
        assert!(finished(kept).contains("internal.config.kubernetes.io/other: a\n"));
    }

    #[test]
    fn annotations_that_are_strings_keep_their_nodes() {
        let mut resource = resource("{a: b}");
        let before = Arc::clone(&resource.node);
        let metadata = BuildMetadata::default();
        finish_annotations(&mut resource, metadata, &mut Diagnostics::default()).unwrap();
        assert!(Arc::ptr_eq(&before, &resource.node));
    }

    #[test]
    fn annotations_that_are_not_a_mapping_are_an_error() {
        let mut resource = resource("[a]");
        let mut diagnostics = Diagnostics::default();
        let metadata = BuildMetadata::default();
        assert!(finish_annotations(&mut resource, metadata, &mut diagnostics).is_err());
        let message = &diagnostics.as_slice()[0].message;
        assert_eq!(message, "expected a mapping of annotations, found a list");
    }

    #[test]
    fn a_value_that_gets_lost_is_a_warning() {
        let mut resource = resource("{x: [a]}");
        let mut diagnostics = Diagnostics::default();
        let metadata = BuildMetadata::default();
        finish_annotations(&mut resource, metadata, &mut diagnostics).unwrap();
        let message = &diagnostics.as_slice()[0].message;
        let expected = "the annotation `x` becomes an empty string, because it is a list";
        assert_eq!(message, expected);
    }

    #[test]
    fn adds_the_origin() {
        let mut resource = resource("{}");
        resource.history.origin = Some(Arc::new(ObjectOrigin {
            path: "b/a.yaml".to_owned(),
            ..ObjectOrigin::default()
        }));
        let metadata = BuildMetadata {
            has_origin: true,
            has_transformations: true,
        };
        finish_annotations(&mut resource, metadata, &mut Diagnostics::default()).unwrap();
        let expected = "    config.kubernetes.io/origin: |\n      path: b/a.yaml\n";
        assert!(print_object(&resource).unwrap().contains(expected));
    }
}
