//! Rendered documents among the resources that are there.
//!
//! A function may be called on what it rendered before: in a kpt package its output of the last run is its input of this
//! one. So a document that has the id of a resource takes the place of it, and keeps what the orchestrator knows the
//! resource by. One that says the same changes nothing.

use std::collections::HashMap;
use std::sync::Arc;

use crate::kubernetes::Resource;
use crate::kustomize::with_kept_annotations;
use crate::source::{Code, Diagnostic, Diagnostics, Result};
use crate::yaml::{Data, Node, expand, unlink};

/// The resources after overlays, which gave a list of documents for each, and the documents that overlays put beside
/// them.
pub(super) fn put_back(
    resources: Vec<Resource>,
    documents: Vec<Vec<Arc<Node>>>,
    diagnostics: &mut Diagnostics,
) -> (Vec<Resource>, Vec<Arc<Node>>) {
    let (mut kept, mut added) = (Vec::with_capacity(resources.len()), Vec::new());
    for (resource, documents) in resources.into_iter().zip(documents) {
        let own = documents
            .iter()
            .position(|document| is_version_of(document, &resource.node));
        // One document in the place of another is that resource, whatever else it says now.
        let own = own.or((documents.len() == 1).then_some(0));
        for (place, document) in documents.into_iter().enumerate() {
            if Some(place) != own {
                added.push(document);
            } else if Arc::ptr_eq(&document, &resource.node) {
                kept.push(resource.clone());
            } else {
                let document = if resource.has_aliases {
                    unlink(&document)
                } else {
                    document
                };
                let was_here = |error: Box<Diagnostic>| {
                    error.at(resource.node.location(), "after overlays on this")
                };
                let edited = diagnostics.take(Resource::new(document).map_err(was_here));
                kept.extend(edited.map(|edited| Resource {
                    node: edited.node,
                    ..resource.clone()
                }));
            }
        }
    }
    (kept, added)
}

/// Whether a document is a resource, edited or not.
fn is_version_of(document: &Arc<Node>, resource: &Arc<Node>) -> bool {
    let same_place = match (&document.origin, &resource.origin) {
        (Some(one), Some(other)) => {
            Arc::ptr_eq(&one.source, &other.source) && one.span == other.span
        }
        _ => false,
    };
    same_place || Arc::ptr_eq(document, resource)
}

/// Adds rendered documents to the resources. What is no object, and an object that is rendered twice, is told.
pub(super) fn add(
    resources: &mut Vec<Resource>,
    documents: &[Arc<Node>],
    diagnostics: &mut Diagnostics,
) {
    if documents.is_empty() {
        return;
    }
    let mut places: HashMap<String, usize> =
        HashMap::with_capacity(resources.len() + documents.len());
    for (place, resource) in resources.iter().enumerate() {
        places.entry(key(resource)).or_insert(place);
    }
    let mut rendered: HashMap<usize, Arc<Node>> = HashMap::with_capacity(documents.len());
    for document in documents {
        let Some(new) = diagnostics.take(resource(document)) else {
            continue;
        };
        let place = *places.entry(key(&new)).or_insert(resources.len());
        if let Some(first) = rendered.insert(place, Arc::clone(&new.node)) {
            diagnostics.push(rendered_twice(&new, &first));
            continue;
        }
        match resources.get_mut(place) {
            None => resources.push(new),
            Some(old) => replace(old, &new)
                .into_iter()
                .for_each(|warning| diagnostics.push(warning)),
        }
    }
}

/// What was rendered, as a resource.
fn resource(document: &Arc<Node>) -> Result<Resource> {
    let help = "a file in `paths` or `files` gives objects, unless its documents have `@overlay/match` or `@data/values`";
    let resource = Resource::new(expand(document)?).map_err(|error| error.help(help))?;
    resource.require_id().map_err(|error| error.help(help))?;
    Ok(resource)
}

/// What tells one object from another in a cluster: all of its id but the version.
fn key(resource: &Resource) -> String {
    let id = resource.id();
    format!(
        "{}\n{}\n{}\n{}",
        id.group,
        id.kind,
        id.name,
        id.effective_namespace()
    )
}

fn rendered_twice(again: &Resource, first: &Arc<Node>) -> Box<Diagnostic> {
    let id = again.id();
    Diagnostic::error(
        Code::Resource,
        format!("expected each resource once, found {id} rendered twice"),
    )
    .at(again.node.location(), "rendered again here")
    .at(first.location(), "rendered first here")
    .about(again.object_reference())
}

/// Puts a rendered resource in the place of one that is there, with a warning, unless it says the same.
fn replace(old: &mut Resource, new: &Resource) -> Option<Box<Diagnostic>> {
    let node = with_kept_annotations(&new.node, &old.node);
    if matches!((Data::of(&old.node), Data::of(&node)), (Ok(old), Ok(new)) if old == new) {
        return None;
    }
    let id = old.id();
    let warning = Diagnostic::warning(
        Code::Resource,
        format!("{id} is there already: what is rendered takes its place"),
    )
    .at(new.node.location(), "rendered here")
    .at(old.node.location(), "replaced")
    .about(old.object_reference());
    old.node = node;
    old.has_aliases = false;
    Some(warning)
}
