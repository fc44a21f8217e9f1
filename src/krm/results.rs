//! `results`: the diagnostics of a function in its ResourceList.

use std::sync::Arc;

use super::result_place::{self, PATHS};
use crate::kubernetes::Resource;
use crate::source::{Diagnostic, ObjectReference, visible_line};
use crate::yaml::{Entry, Item, Node};

/// The annotations with the index of the document in a file: the current name and the old one.
const INDEXES: [&str; 2] = [
    "internal.config.kubernetes.io/index",
    "config.kubernetes.io/index",
];

/// Returns the ResourceList `root` with a result for each diagnostic, after its existing results.
/// `before` is the list that was read, which the diagnostics refer to.
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
    let position = mapping.position("results").unwrap_or_else(|| {
        entries.push(Entry::new("results", Node::sequence([])));
        entries.len() - 1
    });
    // A list that has the field twice is a mistake, and the answer has it once.
    let mut index = 0;
    entries.retain(|entry| {
        index += 1;
        index - 1 == position || entry.key.text() != Some("results")
    });
    let earlier = entries[position].value.resolved();
    entries[position].value = match earlier.as_sequence() {
        Some(sequence) if !sequence.items.is_empty() => {
            let mut items = sequence.items.to_vec();
            items.extend(results.map(|value| Item { start: None, value }));
            earlier.with_items(items)
        }
        _ => Node::sequence(results),
    };
    root.with_entries(entries)
}

/// Returns one result: message and severity, and the object, its field and its file if they are
/// known.
fn result(diagnostic: &Diagnostic, list: &Arc<Node>) -> Arc<Node> {
    let mut entries = vec![
        Entry::new("message", Node::string(message(diagnostic))),
        Entry::new("severity", Node::string(diagnostic.severity.name())),
    ];
    let place = result_place::find(diagnostic, list);
    let reference = match &diagnostic.object {
        Some(reference) => Some(reference.clone()),
        None => place.object.as_ref().map(Resource::object_reference),
    };
    // The specification allows a field only together with an object.
    if let Some(reference) = reference.filter(|reference| *reference != ObjectReference::default())
    {
        entries.push(Entry::new("resourceRef", resource_ref(&reference)));
        if let Some(path) = place.field {
            let path = Entry::new("path", Node::string(path));
            entries.push(Entry::new("field", Node::mapping(vec![path])));
        }
    }
    if let Some(file) = place.in_file.as_ref().and_then(file) {
        entries.push(Entry::new("file", file));
    }
    let code = Entry::new("code", Node::string(diagnostic.code.name()));
    entries.push(Entry::new("tags", Node::mapping(vec![code])));
    Node::mapping(entries)
}

/// Returns the message with its line, notes and help, because hosts print nothing else of a result.
fn message(diagnostic: &Diagnostic) -> String {
    let mut message = diagnostic.message.clone();
    if let Some(line) = line_in_text(diagnostic) {
        message.push_str(&format!("; line {line} of the text"));
    }
    for more in diagnostic.notes.iter().chain(&diagnostic.help) {
        message.push_str("; ");
        message.push_str(more);
    }
    // Escape control characters, because hosts print the message unchanged.
    visible_line(&message)
}

/// Returns the line within the text of a string. The field only names the string, which may contain
/// a long file.
fn line_in_text(diagnostic: &Diagnostic) -> Option<usize> {
    let location = &diagnostic.labels.first()?.location;
    let source = &location.source;
    let is_long = source.outer().is_some() && source.text().trim_end().contains('\n');
    is_long.then(|| location.line_column().line)
}

fn resource_ref(object: &ObjectReference) -> Arc<Node> {
    let fields = [
        ("apiVersion", &object.api_version),
        ("kind", &object.kind),
        ("name", &object.name),
        ("namespace", &object.namespace),
    ];
    let mut entries = Vec::new();
    for (key, text) in fields {
        if !text.is_empty() {
            entries.push(Entry::new(key, Node::string(&**text)));
        }
    }
    Node::mapping(entries)
}

/// Returns the file of an object, if its annotations name one.
fn file(resource: &Resource) -> Option<Arc<Node>> {
    let path = PATHS.iter().find_map(|key| resource.annotation(key))?;
    let mut entries = vec![Entry::new("path", Node::string(path))];
    let index = INDEXES.iter().find_map(|key| resource.annotation(key));
    if let Some(index) = index.and_then(|index| index.parse::<u32>().ok()) {
        entries.push(Entry::new("index", Node::plain(index.to_string())));
    }
    Some(Node::mapping(entries))
}
