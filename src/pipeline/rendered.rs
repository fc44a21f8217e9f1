//! Merges rendered documents into the existing resources.
//!
//! A function may be called on its own output: in a kpt package, the result of the last run is the
//! input of this one. A document with the id of a resource therefore replaces that resource, and
//! keeps the annotations by which the orchestrator identifies it. A document with equal data
//! changes nothing.

use std::collections::HashMap;
use std::sync::Arc;

use crate::kubernetes::Resource;
use crate::kustomize::with_kept_annotations;
use crate::provenance::Recorder;
use crate::source::{Code, Diagnostic, Diagnostics, Result};
use crate::yaml::{Data, Node, expand, unlink};

/// Returns the resources after overlays, and the documents that overlays inserted next to them.
///
/// `documents` contains, for each resource, the documents that replace it: none if it was removed.
pub(super) fn put_back(
    resources: Vec<Resource>,
    documents: Vec<Vec<Arc<Node>>>,
    recorder: Recorder<'_>,
    diagnostics: &mut Diagnostics,
) -> (Vec<Resource>, Vec<Arc<Node>>) {
    let mut kept = Vec::with_capacity(resources.len());
    let mut added = Vec::new();
    for (resource, documents) in resources.into_iter().zip(documents) {
        let own = own_document(&documents, &resource);
        for (index, document) in documents.into_iter().enumerate() {
            if Some(index) != own {
                added.push(document);
                continue;
            }
            match edited(&resource, document, recorder) {
                Ok(edited) => kept.push(edited),
                Err(error) => diagnostics.push(error),
            }
        }
    }
    (kept, added)
}

/// Returns the index of the document that is a version of the resource. A single document always
/// is, even if an overlay replaced all of it.
fn own_document(documents: &[Arc<Node>], resource: &Resource) -> Option<usize> {
    let own = documents
        .iter()
        .position(|document| is_version_of(document, &resource.node));
    match documents {
        [_] => Some(0),
        _ => own,
    }
}

/// Returns a resource with another tree.
fn edited(resource: &Resource, document: Arc<Node>, recorder: Recorder<'_>) -> Result<Resource> {
    if Arc::ptr_eq(&document, &resource.node) {
        return Ok(resource.clone());
    }
    let document = if resource.has_aliases {
        let unlinked = unlink(&document);
        recorder.rewritten(&document, &unlinked);
        unlinked
    } else {
        document
    };
    let edited = Resource::new(document)
        .map_err(|error| error.at(resource.node.location(), "after overlays on this"))?;
    Ok(Resource {
        node: edited.node,
        ..resource.clone()
    })
}

/// Returns whether a document is a version of a resource. An edit keeps the place that a node was
/// parsed from.
fn is_version_of(document: &Arc<Node>, resource: &Arc<Node>) -> bool {
    if Arc::ptr_eq(document, resource) {
        return true;
    }
    match (&document.origin, &resource.origin) {
        (Some(one), Some(other)) => {
            Arc::ptr_eq(&one.source, &other.source) && one.span == other.span
        }
        _ => false,
    }
}

/// Adds rendered documents to the resources. Reports a document that is not an object, and an
/// object that is rendered twice.
pub(super) fn add(
    resources: &mut Vec<Resource>,
    documents: &[Arc<Node>],
    recorder: Recorder<'_>,
    diagnostics: &mut Diagnostics,
) {
    if documents.is_empty() {
        return;
    }
    let mut indices: HashMap<String, usize> =
        HashMap::with_capacity(resources.len() + documents.len());
    for (index, resource) in resources.iter().enumerate() {
        indices.entry(identity(resource)).or_insert(index);
    }
    let mut rendered: HashMap<usize, Arc<Node>> = HashMap::with_capacity(documents.len());
    for document in documents {
        let new = match rendered_resource(document, recorder) {
            Ok(new) => new,
            Err(error) => {
                diagnostics.push(error);
                continue;
            }
        };
        let index = *indices.entry(identity(&new)).or_insert(resources.len());
        if let Some(first) = rendered.insert(index, Arc::clone(&new.node)) {
            diagnostics.push(rendered_twice(&new, &first));
            continue;
        }
        match resources.get_mut(index) {
            None => resources.push(new),
            Some(old) => {
                if let Some(warning) = replace(old, &new, recorder) {
                    diagnostics.push(warning);
                }
            }
        }
    }
}

fn rendered_resource(document: &Arc<Node>, recorder: Recorder<'_>) -> Result<Resource> {
    let expanded = expand(document)?;
    recorder.rewritten(document, &expanded);
    let resource = Resource::new(expanded).map(|mut resource| {
        resource.start_record(recorder);
        resource
    });
    let checked = resource.and_then(|resource| resource.require_id().map(|()| resource));
    checked.map_err(|error| {
        error.help("a file in `paths` or `files` must render objects, unless its documents have `@overlay/match` or `@data/values`")
    })
}

/// Returns the identity of an object in a cluster: its id without the version.
fn identity(resource: &Resource) -> String {
    let id = resource.id();
    // None of these can contain a line break.
    format!(
        "{}\n{}\n{}\n{}",
        id.group,
        id.kind,
        id.name,
        id.effective_namespace()
    )
}

fn rendered_twice(again: &Resource, first: &Arc<Node>) -> Box<Diagnostic> {
    let name = again.id().short();
    let message = format!("expected each resource once, found `{name}` rendered twice");
    Diagnostic::error(Code::Resource, message)
        .at(again.node.location(), "rendered again here")
        .at(first.location(), "rendered first here")
        .about(again.object_reference())
}

/// Replaces an existing resource by a rendered one, and returns a warning unless they are equal.
fn replace(old: &mut Resource, new: &Resource, recorder: Recorder<'_>) -> Option<Box<Diagnostic>> {
    let node = with_kept_annotations(&new.node, &old.node);
    if let (Ok(before), Ok(after)) = (Data::of(&old.node), Data::of(&node))
        && before == after
    {
        return None;
    }
    let message = format!(
        "`{}` exists already: the rendered object replaces it",
        old.id().short()
    );
    let warning = Diagnostic::warning(Code::Resource, message)
        .at(new.node.location(), "rendered here")
        .at(old.node.location(), "replaced")
        .about(old.object_reference());
    recorder.rewritten(&new.node, &node);
    old.node = node;
    old.start_record(recorder);
    old.has_aliases = false;
    Some(warning)
}
