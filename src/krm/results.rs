//! `results`: what a function says in its ResourceList.

use std::sync::Arc;

use crate::kustomize::Resource;
use crate::source::{Diagnostic, ObjectReference};
use crate::yaml::{Content, Entry, Item, Mapping, Node, Sequence};

/// The annotations that say which file an object came from and which document of it: today's names and the old ones.
const PATHS: [&str; 2] = ["internal.config.kubernetes.io/path", "config.kubernetes.io/path"];
const INDEXES: [&str; 2] = ["internal.config.kubernetes.io/index", "config.kubernetes.io/index"];

/// The ResourceList `root` with a result for each diagnostic, after those that it has.
pub(super) fn with_results(root: &Arc<Node>, diagnostics: &[Diagnostic], resources: &[Resource]) -> Arc<Node> {
    let Some(mapping) = root.as_mapping().filter(|_| !diagnostics.is_empty()) else { return Arc::clone(root) };
    let results = diagnostics.iter().map(|diagnostic| result(diagnostic, resources));
    let mut entries = mapping.entries.clone();
    match mapping.position("results") {
        Some(at) => {
            let before = &entries[at].value;
            entries[at].value = match before.as_sequence().filter(|sequence| !sequence.items.is_empty()) {
                Some(sequence) => {
                    let added = results.map(|value| Item { start: None, value });
                    let items = sequence.items.iter().cloned().chain(added).collect();
                    before.with_content(Content::Sequence(Sequence { style: sequence.style, items }))
                }
                None => Node::sequence(results),
            };
        }
        None => entries.push(Entry::new("results", Node::sequence(results))),
    }
    root.with_content(Content::Mapping(Mapping { style: mapping.style, entries }))
}

/// One result: message and severity, and where known the object, its field and its file.
fn result(diagnostic: &Diagnostic, resources: &[Resource]) -> Arc<Node> {
    let mut entries = vec![
        Entry::new("message", Node::string(message(diagnostic))),
        Entry::new("severity", Node::string(diagnostic.severity.name())),
    ];
    if let Some(object) = &diagnostic.object {
        entries.push(Entry::new("resourceRef", reference(object)));
        if let Some(path) = &diagnostic.field {
            entries.push(Entry::new("field", Node::mapping(vec![Entry::new("path", Node::string(&**path))])));
        }
        let resource = resources.iter().find(|resource| resource.object_reference() == *object);
        entries.extend(resource.and_then(file).map(|file| Entry::new("file", file)));
    }
    entries.push(Entry::new("tags", Node::mapping(vec![Entry::new("code", Node::string(diagnostic.code.name()))])));
    Node::mapping(entries)
}

/// The message with its remedies, since hosts print nothing else of a result.
fn message(diagnostic: &Diagnostic) -> String {
    let mut message = diagnostic.message.clone();
    for help in &diagnostic.help {
        message.push_str("; ");
        message.push_str(help);
    }
    message
}

fn reference(object: &ObjectReference) -> Arc<Node> {
    let parts = [
        ("apiVersion", &object.api_version),
        ("kind", &object.kind),
        ("name", &object.name),
        ("namespace", &object.namespace),
    ];
    let given = parts.into_iter().filter(|(_, text)| !text.is_empty());
    Node::mapping(given.map(|(key, text)| Entry::new(key, Node::string(&**text))).collect())
}

/// The file that the object came from, as its annotations say.
fn file(resource: &Resource) -> Option<Arc<Node>> {
    let path = PATHS.iter().find_map(|key| resource.annotation(key))?;
    let index = INDEXES.iter().find_map(|key| resource.annotation(key)).and_then(|index| index.parse::<u32>().ok());
    let mut entries = vec![Entry::new("path", Node::string(path))];
    entries.extend(index.map(|index| Entry::new("index", Node::plain(index.to_string()))));
    Some(Node::mapping(entries))
}
