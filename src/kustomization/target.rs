//! The targets of generated replacements: an object and a field in it.
//!
//! A selector must find exactly one object: `web` in namespace `a` is not `web` in namespace `b`.
//! The fields of a selector are patterns, and a missing field matches everything. So if another
//! object has the same name and a namespace, the object without one is selected with `^$`.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::edit::spelled_key;
use crate::kubernetes::split_api_version;
use crate::yaml::{Node, Sequence, json_string};

/// The object that contains a field.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TargetObject {
    pub(super) group: String,
    pub(super) kind: String,
    pub(super) name: String,
    /// The namespace as it is written; empty if it is missing.
    pub(super) namespace: String,
}

impl TargetObject {
    /// Returns the object of a document. Returns `None` without a kind or a name, because it is
    /// selected by these.
    pub(super) fn of(root: &Node) -> Option<TargetObject> {
        let own = |path: &[&str]| {
            let value = root.get_in(path).and_then(|value| value.resolved().text());
            value.unwrap_or_default().to_owned()
        };
        let object = TargetObject {
            group: split_api_version(&own(&["apiVersion"])).0.to_owned(),
            kind: own(&["kind"]),
            name: own(&["metadata", "name"]),
            namespace: own(&["metadata", "namespace"]),
        };
        (!object.kind.is_empty() && !object.name.is_empty()).then_some(object)
    }
}

/// The objects that a configuration is applied to.
#[derive(Default)]
pub(super) struct TargetObjects {
    /// The groups and namespaces of each kind and name.
    places: HashMap<(String, String), BTreeSet<(String, String)>>,
}

impl TargetObjects {
    /// Adds an object of the build.
    pub(super) fn add(&mut self, object: &TargetObject) {
        let key = (object.kind.clone(), object.name.clone());
        let place = (object.group.clone(), object.namespace.clone());
        self.places.entry(key).or_default().insert(place);
    }

    /// Returns the selector that finds an object among these, in brackets.
    pub(super) fn selector(&self, object: &TargetObject) -> String {
        let key = (object.kind.clone(), object.name.clone());
        let places = self.places.get(&key);
        let is_alone = places.is_none_or(|places| places.len() == 1);
        let mut fields = Vec::new();
        let mut add = |field: &str, text: &str| {
            if !text.is_empty() {
                fields.push(format!("{field}: {}", json_string(&literal(text))));
            } else if !is_alone && matches!(field, "group" | "namespace") {
                fields.push(format!("{field}: \"^$\""));
            }
        };
        add("group", &object.group);
        add("kind", &object.kind);
        add("name", &object.name);
        add("namespace", &object.namespace);
        format!("{{{}}}", fields.join(", "))
    }
}

/// Returns the pattern that matches a text and nothing else: `a\.example\.com`.
fn literal(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for character in text.chars() {
        if r"\.+*?()|[]{}^$".contains(character) {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern
}

/// Returns a key as a step of a field path.
pub(super) fn key_step(key: &Arc<Node>) -> String {
    spelled_key(key.resolved().text().unwrap_or_default())
}

/// Returns the step of a field path to each item of a list. If the name of an item is unique, the
/// step contains the name, which stays the same when items are added. Otherwise it is the index.
pub(super) fn item_steps(list: &Sequence) -> Vec<String> {
    let name = |item: &Arc<Node>| {
        item.get("name")
            .and_then(|name| name.resolved().text().map(str::to_owned))
    };
    let names: Vec<Option<String>> = list.items.iter().map(|item| name(&item.value)).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for name in names.iter().flatten() {
        *counts.entry(name).or_default() += 1;
    }
    let mut steps = Vec::with_capacity(names.len());
    for (index, name) in names.iter().enumerate() {
        let name = name.as_deref().filter(|name| {
            let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
            counts.get(name) == Some(&1) && !name.is_empty() && name.chars().all(is_plain)
        });
        steps.push(match name {
            Some(name) => format!("[name={name}]"),
            None => index.to_string(),
        });
    }
    steps
}

/// Returns the steps of [`item_steps`] for a target of a kustomization, where `[name=web]` is a
/// pattern that also finds `web-sidecar`. So an item is selected by its index if the name of
/// another item contains its name.
pub(super) fn pattern_item_steps(list: &Sequence) -> Vec<String> {
    let mut steps = item_steps(list);
    let mut names: Vec<&str> = Vec::with_capacity(list.items.len());
    for item in &list.items {
        let name = item.value.get("name");
        names.extend(name.and_then(|name| name.resolved().text()));
    }
    for (index, step) in steps.iter_mut().enumerate() {
        let own = step
            .strip_prefix("[name=")
            .and_then(|rest| rest.strip_suffix(']'));
        let is_clear = |own: &str| {
            let others = names.iter().filter(|other| other.contains(own));
            !own.contains('.') && others.count() == 1
        };
        if !own.is_some_and(is_clear) {
            *step = index.to_string();
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(group: &str, name: &str, namespace: &str) -> TargetObject {
        TargetObject {
            group: group.to_owned(),
            kind: "Web".to_owned(),
            name: name.to_owned(),
            namespace: namespace.to_owned(),
        }
    }

    #[test]
    fn a_selector_finds_one_object() {
        let mut objects = TargetObjects::default();
        let all = [
            object("apps", "a", "one"),
            object("apps", "a", ""),
            object("", "b.c", ""),
        ];
        for object in &all {
            objects.add(object);
        }
        let selectors = all.each_ref().map(|object| objects.selector(object));
        let expected = [
            r#"{group: "apps", kind: "Web", name: "a", namespace: "one"}"#,
            r#"{group: "apps", kind: "Web", name: "a", namespace: "^$"}"#,
            r#"{kind: "Web", name: "b\\.c"}"#,
        ];
        assert_eq!(selectors, expected);
    }
}
