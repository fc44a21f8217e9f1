//! Removes fields without a value. A strategic merge patch of kustomize removes every null that is
//! written as nothing, anywhere in the object.
//!
//! ```text
//! object                    patch {spec: {size: 3}}    result
//! spec:                                                spec:
//!   selector:                                            selector: {}
//!     matchLabels:                                       paused: null
//!   paused: null                                         size: 3
//! ```
//!
//! kustomize walks the whole object and treats such a null as a field that neither side has. It
//! descends into mappings, and into lists whose items are merged by keys.
//!
//! During this walk it also quotes plain strings that would not be strings in YAML 1.1, and texts
//! whose type is not settled. The output of such a value is the same, but if a later patch replaces
//! the value, the new value is a string.
//!
//! ```text
//! object         first patch           second patch {size: 30}
//! size: yes      size: "yes"           size: "30"
//! ```

use std::collections::HashSet;
use std::sync::Arc;

use super::irregular::{lost_item, without_equal_items};
use super::merge::quoted;
use crate::edit::EntryChanges;
use crate::kubernetes::{MergeRule, MergeRules, OpenApiSchema};
use crate::source::{Code, Diagnostic};
use crate::yaml::{
    Content, CoreValue, Elements, Entry, Item, Node, ScalarStyle, ScalarTyping, Value, core_value,
};

/// Removes the fields without a value from a patched object and quotes strings. `warn` gets a
/// warning for each removed field. If kustomize has already printed the object (`is_reprinted`),
/// every null is written as `null`.
pub(in super::super) fn with_settled_values(
    object: &Arc<Node>,
    rules: MergeRules<'_>,
    is_reprinted: bool,
    warn: &mut dyn FnMut(Box<Diagnostic>),
) -> Arc<Node> {
    let mut walk = SettlingWalk { is_reprinted, warn };
    let settled = walk.node(object, Some(MergeRule::Mapping(rules)));
    settled.unwrap_or_else(|| Arc::clone(object))
}

/// The walk through an object.
struct SettlingWalk<'w> {
    is_reprinted: bool,
    warn: &'w mut dyn FnMut(Box<Diagnostic>),
}

impl SettlingWalk<'_> {
    /// Returns a node with its values settled, or `None` if it stays as it is. It recurses once per
    /// level of the object, whose depth the parser limits.
    fn node(&mut self, node: &Arc<Node>, rule: Option<MergeRule<'_>>) -> Option<Arc<Node>> {
        let node = node.resolved();
        match (&node.content, rule) {
            (Content::Mapping(mapping), rule) => {
                let rules = match rule {
                    Some(MergeRule::Mapping(rules)) => rules,
                    _ => MergeRules::NONE,
                };
                let mut changes = EntryChanges::of(&mapping.entries);
                for (position, entry) in mapping.entries.iter().enumerate() {
                    if self.is_blank_null(&entry.value) {
                        (self.warn)(removed(entry));
                        changes.remove(position);
                        continue;
                    }
                    let rule = rules.field(entry.key.resolved().text().unwrap_or_default());
                    let value = match needs_quotes(&entry.value) {
                        true => entry.value.text().map(quoted),
                        false => self.node(&entry.value, rule),
                    };
                    if let Some(value) = value {
                        changes.set(position, value.anchored(entry.value.anchor()));
                    }
                }
                changes.entries().map(|entries| node.with_entries(entries))
            }
            (Content::Sequence(list), Some(MergeRule::List { keys, items })) => {
                let settled = self.items(&list.items, items);
                let whole: &[Item] = settled.as_ref().unwrap_or(&list.items);
                let Some(merged) = without_equal_items(whole, &keys.names()) else {
                    return settled.map(|items| node.with_items(items));
                };
                for item in &merged.lost {
                    (self.warn)(lost_item(item, &keys.names()));
                }
                Some(node.with_items(merged.items))
            }
            (Content::Sequence(list), Some(MergeRule::Set)) => {
                without_equal_scalars(&list.items).map(|items| node.with_items(items))
            }
            _ => None,
        }
    }

    /// Returns whether a null is written as nothing. An empty text without a settled type, which a
    /// replacement can write, is not such a null.
    ///
    /// In an object that kustomize has printed, only an empty text that replaced a null is such a
    /// null.
    fn is_blank_null(&self, value: &Arc<Node>) -> bool {
        let value = value.resolved();
        let is_blank = !self.is_reprinted && value.text() == Some("") && !value.is_untyped();
        (is_blank || value.typing() == ScalarTyping::Null)
            && matches!(value.value(), Some(Value::Null))
    }

    /// Returns the items of a list with their values settled, or `None` if they stay.
    fn items(&mut self, items: &Elements<Item>, rules: MergeRules<'_>) -> Option<Elements<Item>> {
        let mut changes = Vec::new();
        for (position, item) in items.iter().enumerate() {
            if let Some(value) = self.node(&item.value, Some(MergeRule::Mapping(rules))) {
                let value = value.anchored(item.value.anchor());
                let start = item.start;
                changes.push((position, Item { start, value }));
            }
        }
        (!changes.is_empty()).then(|| items.replaced(changes))
    }
}

/// Returns the items of a set without duplicates, or `None` if there are no duplicates.
fn without_equal_scalars(items: &[Item]) -> Option<Vec<Item>> {
    let mut seen = HashSet::new();
    let mut kept = items.to_vec();
    kept.retain(|item| match item.value.resolved().text() {
        Some(text) => seen.insert(text.to_owned()),
        None => true,
    });
    (kept.len() < items.len()).then_some(kept)
}

/// Returns whether a plain scalar is a string to kustomize, and something else in YAML 1.1: a word
/// such as `yes`, or a text like `12` whose type is not settled.
fn needs_quotes(value: &Node) -> bool {
    let is_plain = value
        .as_scalar()
        .is_some_and(|scalar| scalar.style == ScalarStyle::Plain);
    let is_blank = value.text() == Some("");
    if !is_plain
        || is_blank
        || value.tag().is_some()
        || matches!(value.value(), Some(Value::String(_)))
    {
        return false;
    }
    value.is_untyped() || matches!(core_value(value), Ok(CoreValue::String(_)))
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
