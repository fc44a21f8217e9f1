//! Finds the objects that a selector selects.
//!
//! ```yaml
//! replacements:
//! - source: {kind: Service, name: db, fieldPath: metadata.name}     one object, by exact values
//!   targets:
//!   - select: {kind: Deployment}                                    objects, by patterns
//!     reject: [{name: test-.*}]
//!     fieldPaths: [spec.replicas]
//! patches:
//! - target: {kind: Deployment}                                      objects, by patterns
//! ```

use std::sync::Arc;

use super::cursor::{CursorPart, TreeCursor};
use crate::kubernetes::{Resource, SourceSelector, TargetSelector, TargetSelectorConfig};
use crate::source::Diagnostics;
use crate::typed::from_node;
use crate::yaml::{Entry, Node};

/// The fields of a selector.
const SELECTOR_FIELDS: [&str; 7] = [
    "group",
    "version",
    "kind",
    "name",
    "namespace",
    "labelSelector",
    "annotationSelector",
];

/// The kinds of selectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SelectorKind {
    /// `source`: exact values.
    Source,
    /// `select`: patterns.
    Select,
    /// `reject`: patterns of objects to exclude.
    Reject,
    /// `target` of a patch: patterns.
    Patch,
}

/// A selector around a position.
pub(super) struct SelectorPlace<'c> {
    pub(super) kind: SelectorKind,
    /// The mapping with its fields.
    pub(super) node: &'c Arc<Node>,
    /// The field that the position is at; `None` for the key of the whole selector.
    pub(super) field: Option<&'c str>,
}

/// Returns the selector whose field, or whose own key, is at a position.
pub(super) fn selector_at(cursor: &TreeCursor) -> Option<SelectorPlace<'_>> {
    let names = cursor.last_names(3);
    if let Some((field, outer)) = names.split_last()
        && SELECTOR_FIELDS.contains(field)
        && let Some(kind) = kind_of(outer)
    {
        return Some(SelectorPlace {
            kind,
            node: cursor.holder(0)?,
            field: Some(field),
        });
    }
    let kind = kind_of(&names).filter(|_| cursor.part == CursorPart::Key)?;
    let node = cursor.holder(0)?.get(names.last()?)?;
    Some(SelectorPlace {
        kind,
        node,
        field: None,
    })
}

/// Returns the kind of the selector at the end of a path.
pub(super) fn kind_of(names: &[&str]) -> Option<SelectorKind> {
    match names {
        [.., "sources", _] | [.., "source"] => Some(SelectorKind::Source),
        [.., "select"] => Some(SelectorKind::Select),
        [.., "reject", "*"] => Some(SelectorKind::Reject),
        [.., "target"] => Some(SelectorKind::Patch),
        _ => None,
    }
}

/// Returns the objects that a selector selects, ignoring its field `except`.
pub(super) fn selected<'r>(
    kind: SelectorKind,
    node: &Node,
    except: Option<&str>,
    objects: &'r [Resource],
) -> Vec<&'r Resource> {
    let text = |field: &str| {
        let value = node.get(field).filter(|_| except != Some(field));
        value.and_then(|value| value.as_str()).unwrap_or_default()
    };
    if kind == SelectorKind::Source {
        let selector = SourceSelector {
            group: text("group").to_owned(),
            version: text("version").to_owned(),
            kind: text("kind").to_owned(),
            name: text("name").to_owned(),
            namespace: text("namespace").to_owned(),
            location: None,
        };
        return objects.iter().filter(|own| selector.selects(own)).collect();
    }
    let Some(selector) = target_selector(&text) else {
        return Vec::new();
    };
    let is_selected = |object: &&Resource| match kind {
        SelectorKind::Patch => selector.selects_for_patch(object),
        SelectorKind::Reject => selector.rejects(object),
        _ => selector.selects(object),
    };
    objects.iter().filter(is_selected).collect()
}

/// Returns the objects of an entry of `targets`: those of `select` without those of `reject`.
pub(super) fn targets<'r>(target: &Node, objects: &'r [Resource]) -> Vec<&'r Resource> {
    let Some(select) = target.get("select") else {
        return Vec::new();
    };
    let mut found = selected(SelectorKind::Select, select, None, objects);
    let rejects = target.get("reject").and_then(|list| list.as_sequence());
    for reject in rejects.into_iter().flat_map(|list| list.items.iter()) {
        let rejected = selected(SelectorKind::Reject, &reject.value, None, objects);
        found.retain(|object| !rejected.iter().any(|other| std::ptr::eq(*other, *object)));
    }
    found
}

/// Compiles a selector; `None` while a pattern cannot be read.
fn target_selector<'n>(text: &impl Fn(&str) -> &'n str) -> Option<TargetSelector> {
    let mut entries = Vec::new();
    for field in SELECTOR_FIELDS {
        if !text(field).is_empty() {
            entries.push(Entry::new(field, Node::string(text(field))));
        }
    }
    let config: TargetSelectorConfig = from_node(&Node::mapping(entries)).ok()?;
    TargetSelector::new(&config, &mut Diagnostics::default()).ok()
}

/// Returns the values that a field of a selector has in objects, each once.
pub(super) fn values_of<'r>(field: &str, objects: &[&'r Resource]) -> Vec<&'r str> {
    let mut found: Vec<&str> = Vec::new();
    for object in objects {
        let id = object.original_id();
        let value = match field {
            "group" => id.group,
            "version" => id.version,
            "kind" => id.kind,
            "name" => id.name,
            "namespace" => id.namespace,
            _ => "",
        };
        if !value.is_empty() && !found.contains(&value) {
            found.push(value);
        }
    }
    found.sort_unstable();
    found
}

/// Returns `key=value` of all labels or annotations of objects, each once.
pub(super) fn pairs_of(field: &str, objects: &[&Resource]) -> Vec<String> {
    let holder = match field {
        "labelSelector" => "labels",
        "annotationSelector" => "annotations",
        _ => return Vec::new(),
    };
    let mut found = Vec::new();
    for object in objects {
        let pairs = object.node.get_in(&["metadata", holder]);
        let pairs = pairs.and_then(|pairs| pairs.resolved().as_mapping());
        for entry in pairs.into_iter().flat_map(|pairs| pairs.entries.iter()) {
            if let (Some(key), Some(value)) = (entry.key.text(), entry.value.resolved().text()) {
                found.push(format!("{key}={value}"));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns the short name of an object: `Deployment/web`.
pub(super) fn name_of(object: &Resource) -> String {
    match object.namespace() {
        "" => format!("{}/{}", object.kind(), object.name()),
        namespace => format!("{}/{} in {namespace}", object.kind(), object.name()),
    }
}
