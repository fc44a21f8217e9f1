//! Reads the objects of a file that `resources` lists, of a patch, or of an inline configuration.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::kubernetes::{Resource, SourceDocument};
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result, Source};
use crate::yaml::{Content, Entry, Node, Value, expand_written_first, parse_data};

/// Reads the objects of a text in the order in which kustomize does: the items of a list come after
/// the documents after it.
///
/// Documents without a value, `{}` and `[]` are skipped. Aliases and merge keys are expanded, since
/// an edit of one object must not change another place of it.
///
/// # Errors
/// Reports every document that is not an object.
pub(super) fn read(
    source: &Arc<Source>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Resource>, Reported> {
    diagnostics.watch(source);
    let stream = Arc::new(diagnostics.check(parse_data(source))?);
    let mut waiting = VecDeque::with_capacity(stream.documents.len());
    for (number, document) in stream.documents.iter().enumerate() {
        let root = if stream.has_aliases {
            diagnostics.check(expand_written_first(&document.root))?
        } else {
            Arc::clone(document.root.resolved())
        };
        waiting.push_back(WaitingNode {
            node: root,
            document: number,
            is_item: false,
        });
    }
    let mut resources = Vec::with_capacity(waiting.len());
    let mut outcome = Ok(());
    while let Some(next) = waiting.pop_front() {
        match object(&next, &mut waiting) {
            Ok(Some(mut resource)) => {
                resource.syntax = stream.syntax;
                resource.history.source = Some(SourceDocument {
                    stream: Arc::clone(&stream),
                    document: next.document,
                    item: next.is_item.then(|| Arc::clone(&next.node)),
                });
                resources.push(resource);
            }
            Ok(None) => {}
            Err(error) => outcome = Err(diagnostics.report(error)),
        }
    }
    outcome.map(|()| resources)
}

/// A node that is an object or a list of objects.
struct WaitingNode {
    node: Arc<Node>,
    /// The number of its document.
    document: usize,
    /// Whether it is an item of a list.
    is_item: bool,
}

/// Returns the object of a node, or adds the items of a list to `waiting`.
fn object(next: &WaitingNode, waiting: &mut VecDeque<WaitingNode>) -> Result<Option<Resource>> {
    let node = &next.node;
    if matches!(node.value(), Some(Value::Null)) || node.is_empty_collection() {
        return Ok(None);
    }
    if node.as_mapping().is_none() {
        let message = format!("missing Resource metadata: found {}", node.described());
        return Err(Diagnostic::error(Code::Resource, message).at(node.location(), ""));
    }
    let resource = Resource::new(Arc::clone(node))?;
    if resource.kind().is_empty() {
        return Err(missing("kind", &resource));
    }
    let is_list = resource.kind().ends_with("List");
    if let Some(items) = node.get("items").filter(|_| is_list) {
        add_items(&resource, items.resolved(), next.document, waiting)?;
        return Ok(None);
    }
    if !is_list && resource.name().is_empty() {
        return Err(missing("metadata.name", &resource));
    }
    Ok(Some(resource))
}

fn add_items(
    list: &Resource,
    items: &Arc<Node>,
    document: usize,
    waiting: &mut VecDeque<WaitingNode>,
) -> Result<()> {
    match &items.content {
        Content::Sequence(sequence) => {
            for item in &sequence.items {
                waiting.push_back(WaitingNode {
                    node: Arc::clone(item.value.resolved()),
                    document,
                    is_item: true,
                });
            }
            Ok(())
        }
        _ if matches!(items.value(), Some(Value::Null)) => Ok(()),
        _ => {
            let message = format!(
                "expected array in {}/items, but found {}",
                list.kind(),
                items.described()
            );
            Err(Diagnostic::error(Code::Resource, message).at(items.location(), ""))
        }
    }
}

fn missing(field: &str, resource: &Resource) -> Box<Diagnostic> {
    let first_key = resource.node.as_mapping().and_then(first_key);
    let message = format!("missing {field} in object {}", resource.id());
    Diagnostic::error(Code::Resource, message)
        .at(first_key.or_else(|| resource.node.location()), "")
        .help("kustomize builds Kubernetes objects, which have `apiVersion`, `kind` and `metadata.name`")
}

/// Returns the place of the first key: the object itself may have many lines.
fn first_key(mapping: &crate::yaml::Mapping) -> Option<crate::source::Location> {
    let first: &Entry = mapping.entries.first()?;
    first.key.location()
}
