//! Applies patches to their objects.

use std::sync::Arc;

use super::config::PatchOptions;
use super::json6902::{JsonPatchRun, PatchOperation};
use super::merge_patch;
use super::metadata_texts::with_metadata_texts;
use super::model::{Patch, PatchContent, PatchSettings};
use super::reprint::reprinted;
use super::run::PatchRun;
use super::strategic::{self, StrategicRules};
use crate::edit::{EditOptions, TextFields};
use crate::kubernetes::{
    History, OpenApiSchema, RecordedStep, Resource, ResourceId, SourceSelector, TargetSelector,
    explain_no_match, plain_secret_values, split_api_version, text_fields,
};
use crate::kustomize::field_spec::untyped_text;
use crate::kustomize::shared_values::{self, with_value};
use crate::kustomize::{EditRules, with_kept_annotations};
use crate::provenance::{StepKind, WrittenEdit};
use crate::source::limits::check_output;
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result};
use crate::typed::Spanned;
use crate::yaml::{Entry, Node, Properties, ScalarStyle, Value, relink};

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

/// Changes the values that kustomize shares between several places of an object. After a JSON patch
/// no values are shared.
fn follow_shared_values(
    patch: &Patch,
    resource: &mut Resource,
    before: &Arc<Node>,
    diagnostics: &mut Diagnostics,
) {
    if let PatchContent::Json(_) = patch.content {
        resource.history.shared_values.clear();
        let is_again = std::mem::replace(&mut resource.history.is_reprinted, true);
        if let Some(node) = reprinted(&resource.node, is_again) {
            resource.node = node;
        }
        resource.node = without_empty_annotations(&resource.node);
        return;
    }
    for key in shared_values::follow(resource, before) {
        let warning = shared_values::changed_everywhere(&key, resource);
        diagnostics.push(warning.at(patch.settings.location.clone(), "the patch"));
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

/// Returns whether a patch removes all annotations of its object, also those in which kustomize
/// keeps its earlier names.
fn forgets_history(patch: &Patch, tree: &Arc<Node>) -> bool {
    if patch.settings.rules == EditRules::Inlay {
        return false;
    }
    let counts_null = !patch.settings.text_metadata().contains(&"annotations");
    for field in [&["metadata"][..], &["metadata", "annotations"]] {
        let Some(value) = tree.get_in(field) else {
            continue;
        };
        let is_null = matches!(value.value(), Some(Value::Null));
        let strategy = value.get("$patch").and_then(|strategy| strategy.text());
        if counts_null && is_null || matches!(strategy, Some("replace" | "delete")) {
            return true;
        }
    }
    false
}

/// Removes the data that kustomize keeps in annotations from a resource, and warns if another step
/// needs it.
fn forget_history(resource: &mut Resource, patch: &Patch, diagnostics: &mut Diagnostics) {
    let has_names = !resource.history.previous_ids.is_empty();
    if has_names || resource.needs_hash {
        let message = "references to the object and its suffix are lost with its annotations";
        diagnostics.push(
            Diagnostic::warning(Code::Patch, message)
                .at(
                    patch.settings.location.clone(),
                    "the patch removes all annotations",
                )
                .about(resource.object_reference())
                .note("kustomize keeps earlier names and the need of a suffix in annotations")
                .help("remove the annotations one by one: `annotations: {name: null}`"),
        );
    }
    resource.needs_hash = false;
    resource.history = History {
        source: resource.history.source.take(),
        variables: std::mem::take(&mut resource.history.variables),
        shared_values: std::mem::take(&mut resource.history.shared_values),
        is_reprinted: resource.history.is_reprinted,
        ..History::default()
    };
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
fn apply_to_named_object(
    patch: &Patch,
    tree: &Arc<Node>,
    run: &mut PatchRun<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<()> {
    let wanted = named_id(tree);
    let place = tree
        .get_in(&["metadata", "name"])
        .and_then(|node| node.location());
    match run.find(wanted).as_slice() {
        &[index] => patch_object(patch, Some(tree), index, run, diagnostics),
        [] if patch.settings.allows_missing() => Ok(()),
        [] => {
            let message = format!("no resource matches the merge patch for {wanted}");
            let diagnostic =
                Diagnostic::error(Code::Selector, message).at(place, "the name in the patch");
            let selector = SourceSelector {
                group: wanted.group.to_owned(),
                version: wanted.version.to_owned(),
                kind: wanted.kind.to_owned(),
                name: wanted.name.to_owned(),
                namespace: wanted.effective_namespace().to_owned(),
                location: None,
            };
            let diagnostic = explain_no_match(diagnostic, &selector.fields(), run.remaining());
            Err(diagnostic.help("a patch names its object exactly; `target` takes patterns"))
        }
        [first, second, ..] => {
            let message = format!("multiple objects match the merge patch for {wanted}");
            Err(Diagnostic::error(Code::Selector, message)
                .at(place, "the name in the patch")
                .at(run.get(*first).name_location(), "one match")
                .at(run.get(*second).name_location(), "another match"))
        }
    }
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

fn edit_options(settings: &PatchSettings, resource: &Resource) -> EditOptions {
    EditOptions {
        text_fields: TextFields {
            keeps_scalars: settings.rules == EditRules::Kustomize,
            ..text_fields(&resource.node)
        },
        text_format: resource.syntax.into(),
        has_aliases: resource.has_aliases,
        ..EditOptions::default()
    }
}

/// Returns the object after the operations of a JSON patch.
fn apply_operations(
    settings: &PatchSettings,
    operations: &[PatchOperation],
    resource: &Resource,
    diagnostics: &mut Diagnostics,
) -> Result<Arc<Node>> {
    let run = JsonPatchRun {
        options: &edit_options(settings, resource),
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

/// Returns the object with a tree merged into it, or `None` if that deletes it.
fn merge_tree(
    patch: &Patch,
    tree: &Arc<Node>,
    resource: &Resource,
    schema: Option<&OpenApiSchema>,
    diagnostics: &mut Diagnostics,
) -> Result<Option<Arc<Node>>> {
    let tree = without_identity(tree, &patch.settings.options);
    let options = edit_options(&patch.settings, resource);
    let mut warn = |warning: Box<Diagnostic>| {
        let warning = warning.at(patch.settings.location.clone(), "the patch");
        diagnostics.push(warning.about(resource.object_reference()));
    };
    let rules = StrategicRules {
        edit_rules: patch.settings.rules,
        schema,
        is_reprinted: resource.history.is_reprinted,
    };
    let merged = match &patch.content {
        PatchContent::Merge(_) => Some(merge_patch::merge(&resource.node, &tree, &options)?),
        _ => strategic::merge(&resource.node, &tree, rules, &options, &mut warn)?,
    };
    let merged = match (merged, patch.settings.rules) {
        (Some(merged), EditRules::Kustomize) => {
            let merge_rules = strategic::rules_of_object(&merged, schema);
            let is_reprinted = resource.history.is_reprinted;
            let merged =
                strategic::with_settled_values(&merged, merge_rules, is_reprinted, &mut warn);
            let merged = without_empty_namespace(&merged);
            Some(match patch.settings.options.allows_name_change() {
                true => with_changed_name(&merged, patch, resource),
                false => with_untyped_name(&merged, &resource.node),
            })
        }
        (merged, _) => merged,
    };
    Ok(match merged {
        Some(merged) if resource.has_aliases => Some(relink(&merged)),
        merged => merged,
    })
}

/// Keeps the spelling of a name that the patch repeats: if a later prefix turns it into the text of
/// a number, it must still be plain. A changed name has no type if the patch has a target, because
/// kustomize sets the name in the patch first.
fn with_changed_name(object: &Arc<Node>, patch: &Patch, resource: &Resource) -> Arc<Node> {
    let path = ["metadata", "name"];
    let own = |node: &Arc<Node>| node.get_in(&path).map(|name| Arc::clone(name.resolved()));
    let (Some(before), Some(written)) = (own(&resource.node), own(object)) else {
        return Arc::clone(object);
    };
    let has_target = patch.settings.target.is_some();
    let is_quoted = strategic::is_quoted(&before, resource.history.is_reprinted);
    let name = match written.text() {
        text if text == before.text() => before,
        Some(text) if has_target && !is_quoted => untyped_text(text).unwrap_or(written),
        Some(text) if !is_quoted => plain_string(text).unwrap_or(written),
        _ => written,
    };
    with_value(object, "metadata", |metadata| {
        with_value(metadata, "name", |_| name)
    })
}

/// Returns a string without quotes, or `None` if the text needs them. It is printed as a string,
/// but a later prefix may turn it into the text of a number.
fn plain_string(text: &str) -> Option<Arc<Node>> {
    let plain = untyped_text(text)?;
    let tag = Some(Box::from(STRING_TAG));
    let properties = Properties {
        tag,
        ..Properties::default()
    };
    Some(Arc::new(Node {
        origin: None,
        properties: Some(Box::new(properties)),
        content: plain.content.clone(),
    }))
}

/// The tag `!!str`.
const STRING_TAG: &str = "tag:yaml.org,2002:str";

/// Writes a name without quotes again, as kustomize does after a patch: then the text decides its
/// type.
fn with_untyped_name(object: &Arc<Node>, before: &Arc<Node>) -> Arc<Node> {
    let name = before.get_in(&["metadata", "name"]).map(Node::resolved);
    let plain = |name: &&Arc<Node>| {
        let scalar = name.as_scalar();
        scalar.is_some_and(|scalar| scalar.style == ScalarStyle::Plain) && name.as_str().is_none()
    };
    let Some(text) = name.filter(plain).and_then(|name| name.text()) else {
        return Arc::clone(object);
    };
    with_value(object, "metadata", |metadata| {
        with_value(metadata, "name", |_| Node::untyped(text))
    })
}

/// Removes an empty namespace, because kustomize sets the namespace again after a patch.
fn without_empty_namespace(object: &Arc<Node>) -> Arc<Node> {
    let namespace = object.get_in(&["metadata", "namespace"]);
    match namespace.is_some_and(|namespace| namespace.resolved().as_str() == Some("")) {
        true => without_metadata(object, "namespace"),
        false => Arc::clone(object),
    }
}

/// Removes annotations that are null or empty: kustomize sets the annotations again after a JSON
/// patch. A later step can create them.
fn without_empty_annotations(object: &Arc<Node>) -> Arc<Node> {
    let annotations = object
        .get_in(&["metadata", "annotations"])
        .map(Node::resolved);
    let is_nothing =
        |node: &Arc<Node>| matches!(node.value(), Some(Value::Null)) || node.is_empty_collection();
    match annotations.is_some_and(is_nothing) {
        true => without_metadata(object, "annotations"),
        false => Arc::clone(object),
    }
}

/// Returns an object without a field of its metadata.
fn without_metadata(object: &Arc<Node>, key: &str) -> Arc<Node> {
    with_value(object, "metadata", |metadata| {
        let Some(mapping) = metadata.resolved().as_mapping() else {
            return Arc::clone(metadata);
        };
        let mut fields = mapping.entries.to_vec();
        fields.retain(|field| field.key.text() != Some(key));
        metadata.resolved().with_entries(fields)
    })
}

/// Removes the fields of a tree that only identify its object.
///
/// As in kustomize, an object keeps its name and kind unless the options allow a change, and always
/// keeps its version and namespace.
fn without_identity(tree: &Arc<Node>, options: &PatchOptions) -> Arc<Node> {
    let Some(mapping) = tree.as_mapping() else {
        return Arc::clone(tree);
    };
    let mut kept = Vec::with_capacity(mapping.entries.len());
    for entry in &mapping.entries {
        let mut entry = entry.clone();
        match entry.key.text() {
            Some("apiVersion") => continue,
            Some("kind") if !options.allows_kind_change() => continue,
            Some("metadata") => entry.value = without_name(&entry.value, options),
            _ => {}
        }
        kept.push(entry);
    }
    tree.with_entries(kept)
}

fn without_name(metadata: &Arc<Node>, options: &PatchOptions) -> Arc<Node> {
    let Some(mapping) = metadata.as_mapping() else {
        return Arc::clone(metadata);
    };
    let mut kept: Vec<Entry> = mapping.entries.to_vec();
    kept.retain(|entry| match entry.key.text() {
        Some("namespace") => false,
        Some("name") => options.allows_name_change(),
        _ => true,
    });
    metadata.with_entries(kept)
}
