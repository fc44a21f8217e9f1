//! `results`: what a function says in its ResourceList.

use std::sync::Arc;

use super::place;
use crate::kubernetes::Resource;
use crate::source::{Diagnostic, ObjectReference};
use crate::yaml::{Entry, Item, Node};

/// The annotations that say which file an object came from and which document of it: today's names and the old ones.
const PATHS: [&str; 2] = [
    "internal.config.kubernetes.io/path",
    "config.kubernetes.io/path",
];
const INDEXES: [&str; 2] = [
    "internal.config.kubernetes.io/index",
    "config.kubernetes.io/index",
];

/// The ResourceList `root` with a result for each diagnostic, after those that it has. `before` is the list that came
/// in, which the diagnostics point into.
pub(super) fn with_results(
    root: &Arc<Node>,
    before: &Arc<Node>,
    diagnostics: &[Diagnostic],
) -> Arc<Node> {
    let Some(mapping) = root.as_mapping().filter(|_| !diagnostics.is_empty()) else {
        return Arc::clone(root);
    };
    let results = diagnostics
        .iter()
        .map(|diagnostic| result(diagnostic, before));
    let mut entries = mapping.entries.to_vec();
    match mapping.position("results") {
        Some(at) => {
            let earlier = entries[at].value.resolved();
            entries[at].value = match earlier
                .as_sequence()
                .filter(|sequence| !sequence.items.is_empty())
            {
                Some(sequence) => {
                    let added = results.map(|value| Item { start: None, value });
                    earlier.with_items(
                        sequence
                            .items
                            .iter()
                            .cloned()
                            .chain(added)
                            .collect::<Vec<_>>(),
                    )
                }
                None => Node::sequence(results),
            };
        }
        None => entries.push(Entry::new("results", Node::sequence(results))),
    }
    root.with_entries(entries)
}

/// One result: message and severity, and where known the object, its field and its file.
fn result(diagnostic: &Diagnostic, list: &Arc<Node>) -> Arc<Node> {
    let mut entries = vec![
        Entry::new("message", Node::string(message(diagnostic))),
        Entry::new("severity", Node::string(diagnostic.severity.name())),
    ];
    let (object, field) = place::find(diagnostic, list);
    let reference = diagnostic
        .object
        .clone()
        .or_else(|| object.as_ref().map(Resource::object_reference));
    // A field without an object says nothing, and the specification does not allow it.
    if let Some(reference) = reference.filter(|reference| *reference != ObjectReference::default())
    {
        entries.push(Entry::new("resourceRef", resource_ref(&reference)));
        if let Some(path) = field {
            entries.push(Entry::new(
                "field",
                Node::mapping(vec![Entry::new("path", Node::string(path))]),
            ));
        }
    }
    entries.extend(
        object
            .as_ref()
            .and_then(file)
            .map(|file| Entry::new("file", file)),
    );
    entries.push(Entry::new(
        "tags",
        Node::mapping(vec![Entry::new(
            "code",
            Node::string(diagnostic.code.name()),
        )]),
    ));
    Node::mapping(entries)
}

/// The message with its notes and remedies, since hosts print nothing else of a result.
fn message(diagnostic: &Diagnostic) -> String {
    let mut message = diagnostic.message.clone();
    for more in diagnostic.notes.iter().chain(&diagnostic.help) {
        message.push_str("; ");
        message.push_str(more);
    }
    message
}

fn resource_ref(object: &ObjectReference) -> Arc<Node> {
    let parts = [
        ("apiVersion", &object.api_version),
        ("kind", &object.kind),
        ("name", &object.name),
        ("namespace", &object.namespace),
    ];
    let given = parts.into_iter().filter(|(_, text)| !text.is_empty());
    Node::mapping(
        given
            .map(|(key, text)| Entry::new(key, Node::string(&**text)))
            .collect(),
    )
}

/// The file that the object came from, as its annotations say.
fn file(resource: &Resource) -> Option<Arc<Node>> {
    let path = PATHS.iter().find_map(|key| resource.annotation(key))?;
    let index = INDEXES
        .iter()
        .find_map(|key| resource.annotation(key))
        .and_then(|index| index.parse::<u32>().ok());
    let mut entries = vec![Entry::new("path", Node::string(path))];
    entries.extend(index.map(|index| Entry::new("index", Node::plain(index.to_string()))));
    Some(Node::mapping(entries))
}
