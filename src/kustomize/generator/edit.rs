//! Edits an existing object: generated values are merged into its values, or replace them.
//!
//! kustomize replaces the object by the generated one and copies the old values into it. Fields
//! that generated objects do not have are lost, such as `immutable` and the `type` of a Secret.
//! Here the existing object is edited, so it keeps everything that the entry does not mention,
//! including order and comments. In a kustomization these fields are removed, with a warning.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::absorbed::absorbed;
use super::context::TextOverlays;
use super::merge_values::{merge_values, warn_about_parts};
use super::model::{Behavior, GeneratedPair, GeneratedValue, Generator, GeneratorKind};
use super::object::{DEFAULT_SECRET_TYPE, field_of, mapping, string_nodes, with_sorted_keys};
use crate::edit::{KindMismatch, MergeOptions, merge};
use crate::kubernetes::Resource;
use crate::kustomize::EditRules;
use crate::source::{Diagnostics, Reported};
use crate::yaml::{Entry, Node, Value, is_equal, relink};

/// kustomize marks objects whose names get a suffix with this annotation until the end of its run.
const MARKED_FOR_SUFFIX: &str = "internal.config.kubernetes.io/needsHashSuffix";

/// The edit of an existing object by a generator.
pub(super) struct ObjectEdit<'a> {
    pub(super) generator: &'a Generator,
    /// `Merge` or `Replace`. An object of an earlier run is replaced even if the behavior is
    /// `create`.
    pub(super) behavior: Behavior,
    pub(super) rules: EditRules,
    pub(super) overlays: &'a dyn TextOverlays,
}

impl ObjectEdit<'_> {
    /// Merges the values into those of `resource`, or replaces them.
    ///
    /// # Errors
    /// Reports each value that cannot be merged, and a field of the object that is not a mapping
    /// where one is needed.
    pub(super) fn apply(
        &self,
        pairs: &[GeneratedPair],
        resource: &mut Resource,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        let generator = self.generator;
        let is_merge = self.behavior == Behavior::Merge;
        if self.rules == EditRules::Kustomize {
            resource.node = absorbed(generator, resource, diagnostics);
        }
        let merged = if is_merge {
            merge_values(generator, pairs, self.overlays, resource, diagnostics)?
        } else {
            BTreeMap::new()
        };
        let mut other_pairs = pairs.to_vec();
        other_pairs.retain(|pair| !merged.contains_key(&*pair.key));
        // In a kustomization, `merge` always replaced a file by a shorter one without a warning.
        if is_merge && self.rules == EditRules::Inlay {
            warn_about_parts(generator, &other_pairs, resource, diagnostics);
        }
        let base = if is_merge {
            without_other_spelling(generator.kind, &other_pairs, &resource.node)
        } else {
            let values = ["data", "binaryData", "stringData", "immutable"];
            without_keys(&resource.node, &values)
        };
        let overlay = self.overlay(&other_pairs, &base);
        let options = MergeOptions {
            kind_mismatch: KindMismatch::Refuse,
            ..MergeOptions::default()
        };
        let mut node = diagnostics.check(
            merge(&base, &overlay, &options)
                .map_err(|error| generator.locate(error.about(resource.object_reference()))),
        )?;
        // If an earlier run generated an equal object, keep its bytes.
        if !is_merge && is_equal(&with_sorted_keys(&node), &with_sorted_keys(&resource.node)) {
            node = Arc::clone(&resource.node);
        }
        for (key, value) in merged {
            node = with_value(&node, value.section, key, value.value);
        }
        if is_merge && self.rules == EditRules::Kustomize {
            node = without_empty_sections(&node);
        }
        if generator.options.disables_suffix {
            resource.needs_hash = false;
            node = without_mark(&node);
        }
        resource.node = if resource.is_generated {
            with_sorted_keys(&node)
        } else if resource.has_aliases {
            relink(&node)
        } else {
            node
        };
        Ok(())
    }

    /// Returns the fields that the entry sets, as a tree that is merged over the object.
    fn overlay(&self, pairs: &[GeneratedPair], base: &Arc<Node>) -> Arc<Node> {
        let (kind, options) = (self.generator.kind, &self.generator.options);
        let mut entries: Vec<Entry> = Vec::new();
        for section in ["binaryData", "data", "stringData"] {
            let mut values = Vec::new();
            for pair in pairs {
                let (field, text) = field_in(kind, pair, base);
                if field == section {
                    values.push(Entry::new(&pair.key, Node::string(text)));
                }
            }
            // kustomize writes the values of a new Secret even if there are none.
            let is_new_secret = kind == GeneratorKind::Secret
                && self.behavior == Behavior::Replace
                && self.rules == EditRules::Kustomize;
            if !values.is_empty() || is_new_secret && section == "data" {
                entries.push(Entry::new(section, Node::mapping(values)));
            }
        }
        if options.is_immutable {
            entries.push(Entry::new("immutable", Node::plain("true")));
        }
        let mut metadata = Vec::new();
        for (field, texts) in [
            ("annotations", &options.annotations),
            ("labels", &options.labels),
        ] {
            if !texts.is_empty() {
                metadata.push(Entry::new(field, mapping(string_nodes(texts))));
            }
        }
        if !metadata.is_empty() {
            entries.push(Entry::new("metadata", Node::mapping(metadata)));
        }
        if let Some(secret_type) = self.secret_type() {
            entries.push(Entry::new("type", Node::string(secret_type)));
        }
        Node::mapping(entries)
    }

    /// Returns the new type of a Secret. Merging without a `type` keeps the existing type; in
    /// kustomize, it makes the Secret `Opaque`.
    fn secret_type(&self) -> Option<&str> {
        let given = self.generator.secret_type.as_deref();
        let is_new = self.behavior == Behavior::Replace || self.rules == EditRules::Kustomize;
        if self.generator.kind == GeneratorKind::Secret && is_new {
            return Some(given.unwrap_or(DEFAULT_SECRET_TYPE));
        }
        given
    }
}

/// Removes `data` and `binaryData` if they have no values. kustomize does not copy such fields.
fn without_empty_sections(node: &Arc<Node>) -> Arc<Node> {
    let is_empty = |section: &&str| {
        let values = node.get(section).map(Node::resolved);
        values.is_some_and(|values| {
            values.is_empty_collection() || matches!(values.value(), Some(Value::Null))
        })
    };
    let empty: Vec<&str> = ["data", "binaryData"]
        .into_iter()
        .filter(is_empty)
        .collect();
    match empty.is_empty() {
        true => Arc::clone(node),
        false => without_keys(node, &empty),
    }
}

/// Returns the field of an existing object that a value belongs to, and the text that is written
/// there.
///
/// If a Secret has the key in `stringData`, the value goes there: the API server prefers it over
/// `data`.
fn field_in(kind: GeneratorKind, pair: &GeneratedPair, base: &Node) -> (&'static str, String) {
    if let (GeneratorKind::Secret, GeneratedValue::Text(text)) = (kind, &pair.value)
        && base.get_in(&["stringData", &pair.key]).is_some()
    {
        return ("stringData", text.text().to_owned());
    }
    field_of(kind, &pair.value)
}

/// Removes keys from the field that has the same values in the other encoding, so that no key is
/// given twice:
///
/// ```text
/// binaryData: {a: AA==}   + generated text `a`   ->   data: {a: text}
/// ```
fn without_other_spelling(
    kind: GeneratorKind,
    pairs: &[GeneratedPair],
    object: &Arc<Node>,
) -> Arc<Node> {
    let mut result = Arc::clone(object);
    for pair in pairs {
        let (field, _) = field_in(kind, pair, object);
        let other = match (kind, field) {
            (GeneratorKind::ConfigMap, "data") => "binaryData",
            (GeneratorKind::ConfigMap, "binaryData") => "data",
            (GeneratorKind::Secret, "data") => "stringData",
            _ => continue,
        };
        if result.get_in(&[other, &pair.key]).is_none() {
            continue;
        }
        let Some(values) = result.get(other).map(Node::resolved) else {
            continue;
        };
        let rest = without_keys(values, &[&pair.key]);
        let is_empty = rest
            .as_mapping()
            .is_some_and(|mapping| mapping.entries.is_empty());
        result = if is_empty {
            without_keys(&result, &[other])
        } else {
            with_field(&result, other, rest)
        };
    }
    result
}

/// Removes kustomize's mark for a suffix.
fn without_mark(node: &Arc<Node>) -> Arc<Node> {
    let Some(metadata) = node.get("metadata") else {
        return Arc::clone(node);
    };
    let Some(annotations) = node.get_in(&["metadata", "annotations"]) else {
        return Arc::clone(node);
    };
    if annotations.get(MARKED_FOR_SUFFIX).is_none() {
        return Arc::clone(node);
    }
    let rest = without_keys(annotations, &[MARKED_FOR_SUFFIX]);
    with_field(node, "metadata", with_field(metadata, "annotations", rest))
}

/// Returns a mapping without some keys. Invariant: it is the same node if it has none of them.
fn without_keys(node: &Arc<Node>, keys: &[&str]) -> Arc<Node> {
    let Some(mapping) = node.as_mapping() else {
        return Arc::clone(node);
    };
    let mut kept = mapping.entries.to_vec();
    kept.retain(|entry| match entry.key.resolved().text() {
        Some(key) => !keys.contains(&key),
        None => true,
    });
    if kept.len() == mapping.entries.len() {
        return Arc::clone(node);
    }
    node.with_entries(kept)
}

fn with_value(node: &Arc<Node>, section: &str, key: &str, value: Arc<Node>) -> Arc<Node> {
    match node.get(section) {
        Some(values) => with_field(node, section, with_field(values.resolved(), key, value)),
        None => Arc::clone(node),
    }
}

/// Replaces the value of a key that a mapping has.
fn with_field(node: &Arc<Node>, key: &str, value: Arc<Node>) -> Arc<Node> {
    let Some(mapping) = node.as_mapping() else {
        return Arc::clone(node);
    };
    let Some(position) = mapping.position(key) else {
        return Arc::clone(node);
    };
    let mut entries = mapping.entries.to_vec();
    entries[position].value = value;
    node.with_entries(entries)
}
