//! Finds the object and the field in a ResourceList that a diagnostic is about.
//!
//! Most diagnostics contain both. For the others, such as a mistake in the functionConfig, they are
//! derived from the place in the text, because hosts show only the object and the field.

use std::sync::Arc;

use super::objects::list_items;
use crate::kubernetes::{Resource, ResourceId};
use crate::source::world::STANDARD_INPUT;
use crate::source::{Diagnostic, Diagnostics, Location, ObjectReference, Span};
use crate::yaml::{Content, Node};

/// The annotations with the file of an object: the current name and the old one.
pub(super) const PATHS: [&str; 2] = [
    "internal.config.kubernetes.io/path",
    "config.kubernetes.io/path",
];

/// An object of a ResourceList, and a field of it.
#[derive(Default)]
pub(super) struct ResultPlace {
    pub(super) object: Option<Resource>,
    /// The path to the field.
    pub(super) field: Option<String>,
    /// The object whose annotations contain the file: the object itself, or the list that contains
    /// it.
    pub(super) in_file: Option<Resource>,
}

/// An object of a ResourceList.
#[derive(Clone, Copy)]
struct ListedObject<'n> {
    node: &'n Arc<Node>,
    /// The `List` in the file that contains the object. The items of such a list have no
    /// annotations.
    outermost: &'n Arc<Node>,
}

impl ListedObject<'_> {
    fn place(self, field: Option<String>) -> ResultPlace {
        let names_file =
            |resource: &Resource| PATHS.iter().any(|key| resource.annotation(key).is_some());
        let object = as_resource(self.node);
        let own = object.clone().filter(names_file);
        ResultPlace {
            object,
            field,
            in_file: own.or_else(|| as_resource(self.outermost).filter(names_file)),
        }
    }
}

/// Finds the object that `diagnostic` is about, among the items of `list` and its functionConfig.
pub(super) fn find(diagnostic: &Diagnostic, list: &Arc<Node>) -> ResultPlace {
    let objects = objects_of(list);
    if let Some(reference) = &diagnostic.object {
        let is_meant = |object: &ListedObject<'_>| {
            as_resource(object.node).is_some_and(|found| found.object_reference() == *reference)
        };
        let field = diagnostic.field.clone();
        return match objects.into_iter().find(is_meant) {
            Some(object) => object.place(field),
            None => ResultPlace {
                field,
                ..ResultPlace::default()
            },
        };
    }
    let Some(label) = diagnostic.labels.first() else {
        return ResultPlace::default();
    };
    let location = label.location.in_file();
    for object in objects {
        if covers(object.node, &location) {
            let mut path = Vec::new();
            descend(object.node, location.span, &mut path);
            return object.place(Some(path.join(".")).filter(|path| !path.is_empty()));
        }
    }
    ResultPlace::default()
}

/// Returns a note with the object that `diagnostic` is about, and its file: ``the object is
/// ConfigMap `app` in `app.yaml` ``.
pub(super) fn describe(diagnostic: &Diagnostic, list: &Arc<Node>) -> Option<String> {
    let place = find(diagnostic, list);
    let mut text = in_words(&place.object?.object_reference())?;
    let file = place.in_file;
    let path = file
        .as_ref()
        .and_then(|file| PATHS.iter().find_map(|key| file.annotation(key)));
    if let Some(path) = path {
        text.push_str(&format!(" in `{path}`"));
    }
    Some(text)
}

/// Adds a note with the object to every diagnostic about standard input, because a line number
/// there does not help a user who has not seen the text.
pub fn name_objects_of_standard_input(diagnostics: &mut Diagnostics) {
    for diagnostic in diagnostics.as_mut_slice() {
        let first = diagnostic.labels.first();
        let is_there = first
            .is_some_and(|label| label.location.in_file().source.shown_name() == STANDARD_INPUT);
        if let Some(object) = diagnostic.object.as_ref().filter(|_| is_there) {
            diagnostic.notes.extend(in_words(object));
        }
    }
}

fn in_words(reference: &ObjectReference) -> Option<String> {
    if reference.kind.is_empty() && reference.name.is_empty() {
        return None;
    }
    let id = ResourceId {
        kind: &reference.kind,
        name: &reference.name,
        namespace: &reference.namespace,
        ..ResourceId::default()
    };
    Some(match reference.name.is_empty() {
        true => format!("the object is of kind `{}`", reference.kind),
        false => format!("the object is `{}`", id.short()),
    })
}

/// Returns the objects of a ResourceList, including those in nested lists, and its functionConfig.
fn objects_of(list: &Arc<Node>) -> Vec<ListedObject<'_>> {
    let mut objects = Vec::new();
    let items = list.get("items").map(Node::resolved);
    if let Some(items) = items.and_then(|items| items.as_sequence()) {
        for item in &items.items {
            collect(&item.value, &item.value, &mut objects);
        }
    }
    objects.extend(list.get("functionConfig").map(|config| ListedObject {
        node: config,
        outermost: config,
    }));
    objects
}

fn collect<'n>(node: &'n Arc<Node>, outermost: &'n Arc<Node>, objects: &mut Vec<ListedObject<'n>>) {
    match list_items(node) {
        Some((_, items)) => {
            for item in &items.items {
                collect(&item.value, outermost, objects);
            }
        }
        None => objects.push(ListedObject { node, outermost }),
    }
}

fn as_resource(node: &Arc<Node>) -> Option<Resource> {
    Resource::new(Arc::clone(node.resolved())).ok()
}

/// Returns whether `location` is inside `node`.
fn covers(node: &Node, location: &Location) -> bool {
    match &node.origin {
        Some(origin) => {
            Arc::ptr_eq(&origin.source, &location.source) && contains(origin.span, location.span)
        }
        None => false,
    }
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

fn contains_span(node: &Node, span: Span) -> bool {
    match &node.origin {
        Some(origin) => contains(origin.span, span),
        None => false,
    }
}

/// Adds to `path` the keys from `node` to the innermost entry whose key or value contains `span`.
fn descend(node: &Node, span: Span, path: &mut Vec<String>) {
    match &node.content {
        Content::Mapping(mapping) => {
            for entry in &mapping.entries {
                if !contains_span(&entry.key, span) && !contains_span(&entry.value, span) {
                    continue;
                }
                if let Some(key) = entry.key.text() {
                    path.push(key.replace('.', "\\."));
                    descend(&entry.value, span, path);
                }
                return;
            }
        }
        Content::Sequence(sequence) => {
            for (index, item) in sequence.items.iter().enumerate() {
                if contains_span(&item.value, span) {
                    path.push(index.to_string());
                    return descend(&item.value, span, path);
                }
            }
        }
        Content::Scalar(_) | Content::Alias(_) => {}
    }
}
