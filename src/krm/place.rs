//! Which object of a ResourceList a diagnostic is about, and which field of it.
//!
//! Most diagnostics say so themselves. For the others, such as a mistake in the functionConfig, the place in the text
//! tells: hosts show no other than the object and the field.

use std::sync::Arc;

use crate::kubernetes::Resource;
use crate::source::{Diagnostic, Location, Span};
use crate::yaml::{Content, Node};

/// The object that `diagnostic` is about, among the items of `list` and its functionConfig, and the path to the field.
pub(super) fn find(
    diagnostic: &Diagnostic,
    list: &Arc<Node>,
) -> (Option<Resource>, Option<String>) {
    let items = list
        .get("items")
        .and_then(|items| items.resolved().as_sequence());
    let items = items
        .into_iter()
        .flat_map(|items| &items.items)
        .map(|item| &item.value);
    let mut objects = items.chain(list.get("functionConfig"));
    let resource = |node: &Arc<Node>| Resource::new(Arc::clone(node.resolved())).ok();
    if let Some(reference) = &diagnostic.object {
        let named = |object: &Resource| object.object_reference() == *reference;
        return (
            objects.filter_map(resource).find(named),
            diagnostic.field.clone(),
        );
    }
    let Some(location) = diagnostic
        .labels
        .first()
        .map(|label| label.location.in_file())
    else {
        return (None, None);
    };
    let Some(object) = objects.find(|object| covers(object, &location)) else {
        return (None, None);
    };
    let mut path = Vec::new();
    descend(object, location.span, &mut path);
    (
        resource(object),
        Some(path.join(".")).filter(|path| !path.is_empty()),
    )
}

/// Whether `location` stands in `node`.
fn covers(node: &Node, location: &Location) -> bool {
    node.origin.as_ref().is_some_and(|origin| {
        Arc::ptr_eq(&origin.source, &location.source) && contains(origin.span, location.span)
    })
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Adds to `path` the way from `node` to the innermost value in which `span` stands, or whose key it is.
fn descend(node: &Node, span: Span, path: &mut Vec<String>) {
    let has = |node: &Node| {
        node.origin
            .as_ref()
            .is_some_and(|origin| contains(origin.span, span))
    };
    match &node.content {
        Content::Mapping(mapping) => {
            let entry = mapping
                .entries
                .iter()
                .find(|entry| has(&entry.key) || has(&entry.value));
            if let Some((entry, key)) = entry.and_then(|entry| Some((entry, entry.key.text()?))) {
                path.push(key.replace('.', "\\."));
                descend(&entry.value, span, path);
            }
        }
        Content::Sequence(sequence) => {
            if let Some(index) = sequence.items.iter().position(|item| has(&item.value)) {
                path.push(index.to_string());
                descend(&sequence.items[index].value, span, path);
            }
        }
        Content::Scalar(_) | Content::Alias(_) => {}
    }
}
