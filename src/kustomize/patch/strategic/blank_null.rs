//! Fields without a value: a null that is written as nothing does not survive a strategic merge
//! patch of kustomize, wherever it is in the object.
//!
//! ```text
//! object                    patch {spec: {size: 3}}    result
//! spec:                                                spec:
//!   selector:                                            selector: {}
//!     matchLabels:                                       paused: null
//!   paused: null                                         size: 3
//! ```
//!
//! kustomize walks the whole object, and takes such a null for a field that neither side has. It
//! looks into mappings, and into lists whose items are merged by keys.

use std::sync::Arc;

use crate::edit::EntryChanges;
use crate::kubernetes::{MergeRule, MergeRules, OpenApiSchema};
use crate::source::{Code, Diagnostic};
use crate::yaml::{Content, Entry, Item, Node, Value};

/// Removes the fields without a value from a patched object. `warn` gets a warning for each.
pub(in super::super) fn without_blank_nulls(
    object: &Arc<Node>,
    rules: MergeRules<'_>,
    warn: &mut dyn FnMut(Box<Diagnostic>),
) -> Arc<Node> {
    let kept = kept(object, Some(MergeRule::Mapping(rules)), warn);
    kept.unwrap_or_else(|| Arc::clone(object))
}

/// Returns a node without the fields that have no value, or `None` if it has none of them. It
/// recurses once per level of the object, whose depth the parser limits.
fn kept(
    node: &Arc<Node>,
    rule: Option<MergeRule<'_>>,
    warn: &mut dyn FnMut(Box<Diagnostic>),
) -> Option<Arc<Node>> {
    let node = node.resolved();
    match (&node.content, rule) {
        (Content::Mapping(mapping), rule) => {
            let rules = match rule {
                Some(MergeRule::Mapping(rules)) => rules,
                _ => MergeRules::NONE,
            };
            let mut changes = EntryChanges::of(&mapping.entries);
            for (position, entry) in mapping.entries.iter().enumerate() {
                if is_blank_null(&entry.value) {
                    warn(removed(entry));
                    changes.remove(position);
                    continue;
                }
                let rule = rules.field(entry.key.resolved().text().unwrap_or_default());
                if let Some(value) = kept(&entry.value, rule, warn) {
                    changes.set(position, value.anchored(entry.value.anchor()));
                }
            }
            changes.entries().map(|entries| node.with_entries(entries))
        }
        (Content::Sequence(list), Some(MergeRule::List { items, .. })) => {
            let mut changes = Vec::new();
            for (position, item) in list.items.iter().enumerate() {
                let rule = Some(MergeRule::Mapping(items));
                if let Some(value) = kept(&item.value, rule, warn) {
                    let value = value.anchored(item.value.anchor());
                    changes.push((
                        position,
                        Item {
                            start: item.start,
                            value,
                        },
                    ));
                }
            }
            let is_changed = !changes.is_empty();
            is_changed.then(|| node.with_items(list.items.replaced(changes)))
        }
        _ => None,
    }
}

fn is_blank_null(value: &Arc<Node>) -> bool {
    let value = value.resolved();
    value.text() == Some("") && matches!(value.value(), Some(Value::Null))
}

fn removed(entry: &Entry) -> Box<Diagnostic> {
    let key = entry.key.resolved().text().unwrap_or_default();
    let message = format!("the patch removes `{key}`, because it has no value");
    Diagnostic::warning(Code::Patch, message)
        .at(entry.key.location(), "this field")
        .help(format!("write `{key}: null` to keep it, or remove it"))
}

/// Returns the rules by which the fields of an object are merged.
pub(in super::super) fn rules_of_object<'s>(
    object: &Arc<Node>,
    schema: Option<&'s OpenApiSchema>,
) -> MergeRules<'s> {
    let text = |key| {
        let field = object.resolved().get(key);
        field.and_then(|node| node.resolved().text()).unwrap_or("")
    };
    MergeRules::of_kind(text("apiVersion"), text("kind"), schema)
}
