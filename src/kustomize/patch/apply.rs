//! Carrying out patches on the objects that they are for.

use std::sync::Arc;

use super::read::{Content, Language};
use super::{PatchOptions, Patcher, Settings, json6902, merge_patch, strategic};
use crate::edit;
use crate::kubernetes::SourceSelector;
use crate::kubernetes::{Id, split_api_version};
use crate::kubernetes::{Resource, near_miss, text_fields};
use crate::kustomize::with_kept_annotations;
use crate::source::{Code, Diagnostic, Diagnostics, Result};
use crate::yaml::{Entry, Node, relink};

/// Applies a patch to every object that it is for. An object that it deletes is taken out.
///
/// Each object that fails adds an error, and the others go on. After an error the objects are to be thrown away.
pub fn apply(
    settings: &Settings,
    content: &Content,
    patcher: &mut Patcher<'_>,
    diagnostics: &mut Diagnostics,
) {
    let Some(target) = &settings.target else {
        if let Language::Strategic(trees) | Language::Merge(trees) = &content.0 {
            for tree in trees {
                let outcome = to_the_named_object(settings, content, tree, patcher);
                diagnostics.take(outcome);
            }
        }
        return;
    };
    let mut found = false;
    for at in patcher.candidates(target.value.name()) {
        if diagnostics.is_full() {
            break;
        }
        if !patcher
            .get(at)
            .is_some_and(|resource| target.value.selects(resource))
        {
            continue;
        }
        found = true;
        patcher.patch(at, |resource| {
            let patched = match &content.0 {
                Language::Json(operations) => operate(settings, operations, resource).map(Some),
                // A patch with a target is one tree.
                Language::Strategic(trees) | Language::Merge(trees) => match trees.first() {
                    Some(tree) => merge(settings, content, tree, resource),
                    None => return true,
                },
            };
            let patched =
                diagnostics.take(patched.map_err(|error| error.about(resource.object_reference())));
            stays(patched, resource)
        });
    }
    if !found && !allows_missing(settings) {
        let message = format!(
            "nothing selected by the target `{}` of a patch",
            target.value
        );
        let diagnostic =
            Diagnostic::error(Code::Selector, message).at(target.location.clone(), "the target");
        let diagnostic = near_miss::explain(diagnostic, &target.value.parts(), patcher.all());
        diagnostics.push(
            diagnostic.help("set `allowMissing: true` in the `options` if that is as it should be"),
        );
    }
}

/// Whether an object is there after it was patched, or could not be patched.
fn stays(patched: Option<Option<Arc<Node>>>, resource: &mut Resource) -> bool {
    match patched {
        Some(None) => false,
        Some(Some(node)) => {
            resource.node = with_kept_annotations(&node, &resource.node);
            true
        }
        None => true,
    }
}

fn allows_missing(settings: &Settings) -> bool {
    settings.options.allow_missing.unwrap_or(false)
}

/// Applies a tree to the one object that it names.
fn to_the_named_object(
    settings: &Settings,
    content: &Content,
    tree: &Arc<Node>,
    patcher: &mut Patcher<'_>,
) -> Result<()> {
    let text = |field: &[&str]| {
        tree.get_in(field)
            .and_then(|node| node.text())
            .unwrap_or("")
    };
    let (group, version) = split_api_version(text(&["apiVersion"]));
    let (name, namespace) = (
        text(&["metadata", "name"]),
        text(&["metadata", "namespace"]),
    );
    let wanted = Id {
        group,
        version,
        kind: text(&["kind"]),
        name,
        namespace,
    };
    let places = patcher.places(wanted);
    let place = tree
        .get_in(&["metadata", "name"])
        .and_then(|node| node.location());
    match places.as_slice() {
        &[at] => {
            let mut outcome = Ok(());
            patcher.patch(at, |resource| {
                let patched = merge(settings, content, tree, resource);
                match patched.map_err(|error| error.about(resource.object_reference())) {
                    Ok(patched) => stays(Some(patched), resource),
                    Err(error) => {
                        outcome = Err(error);
                        true
                    }
                }
            });
            outcome
        }
        [] if allows_missing(settings) => Ok(()),
        [] => {
            let message = format!("no resource matches the merge patch for {wanted}");
            let diagnostic =
                Diagnostic::error(Code::Selector, message).at(place, "the name in the patch");
            let selector = SourceSelector {
                group: group.to_owned(),
                version: version.to_owned(),
                kind: wanted.kind.to_owned(),
                name: name.to_owned(),
                namespace: wanted.effective_namespace().to_owned(),
                location: None,
            };
            Err(
                near_miss::explain(diagnostic, &selector.parts(), patcher.all())
                    .help("a patch names its object by exact words; `target` takes patterns"),
            )
        }
        [first, second, ..] => {
            let name = |at: &usize| {
                patcher
                    .get(*at)?
                    .node
                    .get_in(&["metadata", "name"])?
                    .location()
            };
            Err(Diagnostic::error(
                Code::Selector,
                format!("multiple objects match the merge patch for {wanted}"),
            )
            .at(place, "the name in the patch")
            .at(name(first), "one match")
            .at(name(second), "another match"))
        }
    }
}

fn options(resource: &Resource) -> edit::EditOptions {
    edit::EditOptions {
        text_fields: text_fields(&resource.node),
        text_format: resource.syntax.into(),
        has_aliases: resource.has_aliases,
        ..edit::EditOptions::default()
    }
}

/// The object after the operations.
fn operate(
    settings: &Settings,
    operations: &[json6902::Operation],
    resource: &Resource,
) -> Result<Arc<Node>> {
    let changed = json6902::apply(
        operations,
        &resource.node,
        &options(resource),
        allows_missing(settings),
    )?;
    if changed.resolved().as_mapping().is_none() {
        let message = format!(
            "expected the patch to leave a Kubernetes object, found {}",
            changed.described()
        );
        return Err(
            Diagnostic::error(Code::Patch, message).at(settings.location.clone(), "the patch")
        );
    }
    Ok(changed)
}

/// The object with a tree merged into it; `None` where that deletes it.
fn merge(
    settings: &Settings,
    content: &Content,
    tree: &Arc<Node>,
    resource: &Resource,
) -> Result<Option<Arc<Node>>> {
    let tree = without_identity(tree, &settings.options);
    let merged = match &content.0 {
        Language::Merge(_) => Some(merge_patch::merge(
            &resource.node,
            &tree,
            &options(resource),
        )?),
        _ => strategic::merge(&resource.node, &tree, &options(resource))?,
    };
    Ok(merged.map(|merged| {
        if resource.has_aliases {
            relink(&merged)
        } else {
            merged
        }
    }))
}

/// The tree without what only says which object it is for. An object keeps its name and kind unless the options allow
/// another, and its version and namespace in any case.
fn without_identity(tree: &Arc<Node>, options: &PatchOptions) -> Arc<Node> {
    let kind = PatchOptions::is_on(options.allow_kind_change.as_ref());
    let name = PatchOptions::is_on(options.allow_name_change.as_ref());
    let entries = tree
        .as_mapping()
        .map_or(&[][..], |mapping| &mapping.entries);
    let keeps = |entry: &&Entry| match entry.key.text() {
        Some("apiVersion") => false,
        Some("kind") => kind,
        _ => true,
    };
    let keeps_in_metadata = |entry: &&Entry| match entry.key.text() {
        Some("namespace") => false,
        Some("name") => name,
        _ => true,
    };
    let inner = |entry: &Entry| match (entry.key.text(), entry.value.as_mapping()) {
        (Some("metadata"), Some(metadata)) => {
            let kept: Vec<Entry> = metadata
                .entries
                .iter()
                .filter(keeps_in_metadata)
                .cloned()
                .collect();
            Entry {
                key: Arc::clone(&entry.key),
                value: entry.value.with_entries(kept),
            }
        }
        _ => entry.clone(),
    };
    let kept: Vec<Entry> = entries.iter().filter(keeps).map(inner).collect();
    tree.with_entries(kept)
}
