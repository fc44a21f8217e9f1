//! Applies patches to their objects.

use std::sync::Arc;

use super::history::{follow_shared_values, forget_history, forgets_history};
use super::json6902::{JsonPatchRun, PatchOperation};
use super::merge_tree::merge_tree;
use super::metadata_texts::with_metadata_texts;
use super::model::{Patch, PatchContent, PatchSettings};
use super::run::PatchRun;
use crate::kubernetes::{
    OpenApiSchema, RecordedStep, Resource, ResourceId, SourceSelector, TargetSelector,
    explain_no_match, plain_secret_values, split_api_version,
};
use crate::kustomize::{EditRules, with_kept_annotations};
use crate::provenance::{StepKind, WrittenEdit};
use crate::source::limits::check_output;
use crate::source::{Code, Diagnostic, Diagnostics, Location, Reported, Result};
use crate::typed::Spanned;
use crate::yaml::Node;

/// Applies patches in their order, each to every object that it selects or names. If one fails, the
/// others are still tried.
///
/// # Errors
/// Reports every object that cannot be patched. The objects must not be used then.
pub fn apply_all(
    patches: &[Patch],
    run: &mut PatchRun<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<(), Reported> {
    let mut outcome = Ok(());
    for patch in patches {
        outcome = outcome.and(apply(patch, run, diagnostics));
    }
    outcome
}

/// Applies a patch to every object that it selects or names.
fn apply(
    patch: &Patch,
    run: &mut PatchRun<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<(), Reported> {
    if let Some(target) = &patch.settings.target {
        return apply_to_target(patch, target, run, diagnostics);
    }
    match &patch.content {
        // A JSON patch always has a target.
        PatchContent::Json(_) => Ok(()),
        PatchContent::Strategic(trees) | PatchContent::Merge(trees) => {
            let mut outcome = Ok(());
            for tree in trees {
                let applied = apply_to_named_object(patch, tree, run, diagnostics);
                outcome = outcome.and(diagnostics.check(applied));
            }
            outcome
        }
    }
}

/// Applies a patch to every object that its target selects.
fn apply_to_target(
    patch: &Patch,
    target: &Spanned<TargetSelector>,
    run: &mut PatchRun<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<(), Reported> {
    let mut outcome = Ok(());
    let mut is_selected = false;
    let size = patch.content.length();
    let mut copied = 0;
    for index in run.candidates(&target.value.hints()) {
        if diagnostics.is_full() {
            return diagnostics.outcome();
        }
        let resource = run.get(index);
        let selects = match patch.settings.rules {
            EditRules::Inlay => target.value.selects(resource),
            EditRules::Kustomize => target.value.selects_for_patch(resource),
        };
        if !selects {
            continue;
        }
        is_selected = true;
        // Each object gets its own copy, so a long patch on many objects is refused before the
        // copies fill the memory.
        copied += size;
        if let Err(error) = check_output(copied) {
            let error = error.at(patch.settings.location.clone(), "this patch");
            return Err(diagnostics.report(error));
        }
        let patched = patch_object(patch, patch_tree(&patch.content), index, run, diagnostics);
        outcome = outcome.and(diagnostics.check(patched));
    }
    if is_selected || patch.settings.allows_missing() {
        return outcome;
    }
    diagnostics.report_by_severity(nothing_selected(patch, target, run))
}

/// Returns the diagnostic for a target that selects no object.
fn nothing_selected(
    patch: &Patch,
    target: &Spanned<TargetSelector>,
    run: &mut PatchRun<'_>,
) -> Box<Diagnostic> {
    let message = format!(
        "nothing selected by the target `{}` of a patch",
        target.value
    );
    let (fields, place) = (target.value.fields(), target.location.clone());
    let explain = |diagnostic: Box<Diagnostic>| {
        let diagnostic = diagnostic.at(place, "the target");
        explain_no_match(diagnostic, &fields, run.remaining())
    };
    match patch.settings.rules {
        EditRules::Inlay => explain(Diagnostic::error(Code::Selector, message))
            .help("if this is intended, set `allowMissing: true` in the `options`"),
        // kustomize does nothing, and many kustomizations rely on it.
        EditRules::Kustomize => explain(Diagnostic::warning(Code::Selector, message)),
    }
}

/// Returns the tree of a merge patch with a target, which has exactly one.
fn patch_tree(content: &PatchContent) -> Option<&Arc<Node>> {
    match content {
        PatchContent::Json(_) => None,
        PatchContent::Strategic(trees) | PatchContent::Merge(trees) => trees.first(),
    }
}

/// Patches one object: with `tree`, or with the operations of a JSON patch. An object that the
/// patch deletes is removed; one that cannot be patched stays.
fn patch_object(
    patch: &Patch,
    tree: Option<&Arc<Node>>,
    index: usize,
    run: &mut PatchRun<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<()> {
    let mut outcome = Ok(());
    let step = || RecordedStep {
        written: tree.cloned(),
        edits: written_edits(&patch.content),
        ..RecordedStep::at(StepKind::Patch, patch.settings.location.clone())
    };
    let schema = run.schema().cloned();
    run.patch(index, step, |resource| {
        let remembered = resource.history.previous_ids.len();
        if may_change_id(patch) {
            resource.record_id();
        }
        match patched_node(patch, tree, resource, schema.as_deref(), diagnostics) {
            Ok(Some(node)) => {
                if tree.is_some_and(|tree| forgets_history(patch, tree)) {
                    forget_history(resource, patch, diagnostics);
                }
                set_node(patch, node, resource, diagnostics);
                // kustomize remembers an id that stays the same, too.
                if patch.settings.rules == EditRules::Inlay && !resource.is_renamed() {
                    resource.history.previous_ids.truncate(remembered);
                }
                true
            }
            Ok(None) => false,
            Err(error) => {
                outcome = Err(error.about(resource.object_reference()));
                true
            }
        }
    });
    outcome
}

/// Returns the node of an object after a patch: after the operations of a JSON patch, or with
/// `tree` merged into it. `None` if the patch deletes the object.
fn patched_node(
    patch: &Patch,
    tree: Option<&Arc<Node>>,
    resource: &mut Resource,
    schema: Option<&OpenApiSchema>,
    diagnostics: &mut Diagnostics,
) -> Result<Option<Arc<Node>>> {
    let patched = match (&patch.content, tree) {
        (PatchContent::Json(operations), _) => {
            // kustomize keeps these in annotations, which it does not restore.
            if operations.iter().any(PatchOperation::replaces_annotations) {
                resource.history.origin = None;
                resource.history.transformations.clear();
            }
            let node = apply_operations(&patch.settings, operations, resource, diagnostics)?;
            Some(node)
        }
        (PatchContent::Strategic(_), Some(tree)) => {
            let tree = with_metadata_texts(tree, patch.settings.text_metadata(), diagnostics);
            merge_tree(patch, &tree, resource, schema, diagnostics)?
        }
        (_, Some(tree)) => merge_tree(patch, tree, resource, schema, diagnostics)?,
        // A patch without a tree changes nothing.
        (_, None) => Some(Arc::clone(&resource.node)),
    };
    if let Some(node) = &patched {
        for warning in plain_secret_values(&resource.node, node) {
            let warning = warning
                .at(patch.settings.location.clone(), "by this patch")
                .about(resource.object_reference());
            diagnostics.push(warning);
        }
    }
    Ok(patched)
}

/// Replaces the node of an object by the one that a patch made.
fn set_node(
    patch: &Patch,
    node: Arc<Node>,
    resource: &mut Resource,
    diagnostics: &mut Diagnostics,
) {
    let node = with_kept_annotations(&node, &resource.node);
    let before = std::mem::replace(&mut resource.node, node);
    if patch.settings.rules == EditRules::Kustomize {
        follow_shared_values(patch, resource, &before, diagnostics);
    }
}

/// Returns the operations of a JSON patch with their places.
fn written_edits(content: &PatchContent) -> Vec<WrittenEdit> {
    let PatchContent::Json(operations) = content else {
        return Vec::new();
    };
    let mut edits = Vec::with_capacity(operations.len());
    for operation in operations {
        if let Some(place) = &operation.location {
            edits.push(WrittenEdit {
                keys: operation.path.keys(),
                place: place.clone(),
            });
        }
    }
    edits
}

/// Returns whether a patch may change the id of an object, so that references and later patches
/// have to find it by its old id too. A JSON patch may change every field.
fn may_change_id(patch: &Patch) -> bool {
    let options = &patch.settings.options;
    match (&patch.content, patch.settings.rules) {
        (PatchContent::Json(_), EditRules::Inlay) => true,
        (PatchContent::Json(_), EditRules::Kustomize) => patch.settings.records_id,
        _ => options.allows_name_change() || options.allows_kind_change(),
    }
}

/// Applies a tree to the one object that it names.
///
/// # Errors
/// Fails if no object has the name and the options do not allow that, if several have it, or if the
/// object cannot be patched.
fn apply_to_named_object(
    patch: &Patch,
    tree: &Arc<Node>,
    run: &mut PatchRun<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<()> {
    let wanted = named_id(tree);
    match run.find(wanted).as_slice() {
        &[index] => patch_object(patch, Some(tree), index, run, diagnostics),
        [] if patch.settings.allows_missing() => Ok(()),
        [] => Err(no_object(wanted, tree, run)),
        [first, second, ..] => {
            let message = format!("multiple objects match the merge patch for {wanted}");
            Err(Diagnostic::error(Code::Selector, message)
                .at(place_of_name(tree), "the name in the patch")
                .at(run.get(*first).name_location(), "one match")
                .at(run.get(*second).name_location(), "another match"))
        }
    }
}

/// Returns the error for a patch whose object does not exist.
fn no_object(wanted: ResourceId<'_>, tree: &Node, run: &mut PatchRun<'_>) -> Box<Diagnostic> {
    let message = format!("no resource matches the merge patch for {wanted}");
    let diagnostic =
        Diagnostic::error(Code::Selector, message).at(place_of_name(tree), "the name in the patch");
    let selector = SourceSelector {
        group: wanted.group.to_owned(),
        version: wanted.version.to_owned(),
        kind: wanted.kind.to_owned(),
        name: wanted.name.to_owned(),
        namespace: wanted.effective_namespace().to_owned(),
        location: None,
    };
    explain_no_match(diagnostic, &selector.fields(), run.remaining())
        .help("a patch names its object exactly; `target` takes patterns")
}

/// Returns the place of the name in a patch that names its object.
fn place_of_name(tree: &Node) -> Option<Location> {
    tree.get_in(&["metadata", "name"])?.location()
}

/// Returns the id of the object that a merge patch names.
fn named_id(tree: &Node) -> ResourceId<'_> {
    let (group, version) = split_api_version(text_at(tree, &["apiVersion"]));
    ResourceId {
        group,
        version,
        kind: text_at(tree, &["kind"]),
        name: text_at(tree, &["metadata", "name"]),
        namespace: text_at(tree, &["metadata", "namespace"]),
    }
}

fn text_at<'t>(tree: &'t Node, keys: &[&str]) -> &'t str {
    let text = tree.get_in(keys).and_then(|node| node.text());
    text.unwrap_or("")
}

/// Returns the object after the operations of a JSON patch.
fn apply_operations(
    settings: &PatchSettings,
    operations: &[PatchOperation],
    resource: &Resource,
    diagnostics: &mut Diagnostics,
) -> Result<Arc<Node>> {
    let run = JsonPatchRun {
        options: &settings.edit_options(resource),
        allow_missing: settings.allows_missing(),
        rules: settings.rules,
        has_own_annotations: settings.rules == EditRules::Kustomize
            && resource.history.is_in_annotations(),
    };
    let changed = run.apply(operations, &resource.node, diagnostics)?;
    if changed.resolved().as_mapping().is_none() {
        let found = changed.described();
        let message = format!("expected the patch to leave a Kubernetes object, found {found}");
        return Err(Diagnostic::error(Code::Patch, message)
            .at(settings.location.clone(), "the patch")
            .help("a pointer such as `/metadata/name` changes a part of the object"));
    }
    Ok(changed)
}
