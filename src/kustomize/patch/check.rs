//! Checks entries of `patches` and parses their texts.

use std::sync::Arc;

use super::config::{PatchConfig, PatchType};
use super::json6902::PatchOperation;
use super::model::{Patch, PatchContent, PatchSettings};
use crate::edit::{check_keys, parse_as};
use crate::kubernetes::{TargetSelector, keep_secrets_of_patch};
use crate::kustomize::{EditRules, config_error};
use crate::source::world::Folder;
use crate::source::{
    Code, Diagnostic, Diagnostics, Location, Reported, Result, Source, collect_all,
};
use crate::typed::{RawNode, Spanned};
use crate::yaml::spelling::text_source;
use crate::yaml::{Content, CoreValue, Node, Syntax, Value, core_value, expand_to_text_keys};

/// Checks an entry, and reads the file that it refers to.
///
/// # Errors
/// Reports every mistake in the entry and in the text of the patch.
pub fn check(
    config: Spanned<PatchConfig>,
    rules: EditRules,
    folder: &Folder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Patch, Reported> {
    let Spanned {
        value: entry,
        location,
    } = config;
    let source = diagnostics.check(patch_text(entry.patch, entry.path, &location, folder));
    if let (Ok(source), Some(target)) = (&source, &entry.target)
        && source.outer().is_none()
    {
        let kind = target.value.kind.as_ref().map(|kind| &*kind.value);
        keep_secrets_of_patch(source, kind, diagnostics);
    }
    let target = match entry.target {
        Some(target) => TargetSelector::new(&target.value, diagnostics).map(|value| {
            Some(Spanned {
                value,
                location: target.location,
            })
        }),
        None => Ok(None),
    };
    let target = target?;
    let settings = PatchSettings {
        rewrites_metadata: rules == EditRules::Kustomize && target.is_some(),
        target,
        options: entry.options.unwrap_or_default(),
        rules,
        records_id: true,
        location,
    };
    let content = parse(&source?, &settings, diagnostics)?;
    let checked = check_settings(&content, &settings, diagnostics);
    diagnostics.check(checked)?;
    Ok(Patch { content, settings })
}

/// Returns the text of a patch, from the entry or from a file.
fn patch_text(
    patch: Option<RawNode>,
    path: Option<Spanned<String>>,
    entry: &Option<Location>,
    folder: &Folder<'_>,
) -> Result<Arc<Source>> {
    let path = path.filter(|path| !path.value.is_empty());
    let patch = patch.filter(|patch| !is_blank(&patch.0));
    match (patch, path) {
        (Some(RawNode(patch)), Some(path)) => Err(config_error(
            "patch and path can't be set at the same time",
            path.location,
        )
        .at(patch.location(), "the patch that is written here")
        .help("keep one of the two, and give the other an entry of its own")),
        (None, None) => Err(config_error(
            "must specify one of patch and path",
            entry.clone(),
        )),
        (None, Some(path)) => folder
            .path(&path.value)
            .and_then(|file| folder.read(&file))
            .map_err(|error| error.at(path.location, "the file is named here")),
        (Some(RawNode(patch)), None) if patch.resolved().as_str().is_some() => {
            Ok(text_source(patch.resolved()))
        }
        (Some(RawNode(patch)), None) => {
            let message = format!("expected the text of a patch, found {}", patch.described());
            Err(config_error(message, patch.location()).help("write it as a string: `patch: |-`"))
        }
    }
}

fn is_blank(node: &Node) -> bool {
    matches!(node.value(), Some(Value::String(text)) if text.trim().is_empty())
}

/// Parses the text of a patch: one list is a JSON patch, any number of mappings are merge patches.
fn parse(
    source: &Arc<Source>,
    settings: &PatchSettings,
    diagnostics: &mut Diagnostics,
) -> Result<PatchContent, Reported> {
    let roots = diagnostics.check(document_roots(source, settings.rules))?;
    if roots.is_empty() {
        // As in kustomize: a patch whose lines are all commented out changes nothing.
        let note = format!(
            "`{}` contains no document, or only comments",
            source.shown_name()
        );
        diagnostics.push(empty_patch(settings).note(note));
        return Ok(PatchContent::Strategic(Vec::new()));
    }
    if let Some(list) = operations_root(&roots, settings.rules) {
        return parse_operations(source, &roots, list, settings, diagnostics);
    }
    let trees = collect_all(roots.iter().map(|root| diagnostics.check(merge_tree(root))))?;
    let patch_type = settings.options.patch_type.as_ref();
    Ok(match patch_type.map(|patch_type| patch_type.value) {
        Some(PatchType::Merge) => PatchContent::Merge(trees),
        _ => PatchContent::Strategic(trees),
    })
}

/// Returns the list of operations, if the documents are a JSON patch. Of several documents,
/// kustomize reads the first.
fn operations_root(roots: &[Arc<Node>], rules: EditRules) -> Option<&Arc<Node>> {
    let first = roots.first()?.resolved();
    let is_patch = roots.len() == 1 || rules == EditRules::Kustomize;
    (is_patch && first.as_sequence().is_some()).then_some(first)
}

/// Parses the operations of a JSON patch. `roots` are all documents of its text.
fn parse_operations(
    source: &Arc<Source>,
    roots: &[Arc<Node>],
    list: &Arc<Node>,
    settings: &PatchSettings,
    diagnostics: &mut Diagnostics,
) -> Result<PatchContent, Reported> {
    if settings.rules == EditRules::Kustomize {
        diagnostics.check(check_json_text(source))?;
    }
    if let Some(ignored) = roots.get(1) {
        let message = "only the first document of a JSON patch counts";
        diagnostics.push(
            Diagnostic::warning(Code::Patch, message)
                .at(ignored.location(), "this one is ignored, as in kustomize")
                .help("write all operations as one list"),
        );
    }
    let operations = PatchOperation::read_all(list, settings.rules, diagnostics)?;
    if !operations.is_empty() || settings.rules == EditRules::Inlay {
        return Ok(PatchContent::Json(operations));
    }
    if settings.options.patch_type.is_some() {
        let error = config_error("patch appears to be empty", settings.location.clone());
        return Err(diagnostics.report(error));
    }
    // kustomize treats an empty list as no objects, not as a JSON patch that needs a target.
    diagnostics.push(empty_patch(settings));
    Ok(PatchContent::Strategic(Vec::new()))
}

fn empty_patch(settings: &PatchSettings) -> Box<Diagnostic> {
    Diagnostic::warning(Code::Patch, "the patch is empty, and is ignored")
        .at(settings.location.clone(), "")
}

/// Checks that a list in brackets is JSON, because kustomize reads it as JSON.
fn check_json_text(source: &Arc<Source>) -> Result<()> {
    if !source.text().starts_with('[') {
        return Ok(());
    }
    let parsed = parse_as(source, Some(Syntax::Json));
    parsed.map(|_| ()).map_err(|error| {
        error
            .note("kustomize reads a JSON patch that begins with `[` as JSON")
            .help("write it as JSON, or as a list of lines that begin with `- `")
    })
}

/// Returns the roots of the documents that are not empty. For kustomize, `{}` is empty.
fn document_roots(source: &Arc<Source>, rules: EditRules) -> Result<Vec<Arc<Node>>> {
    let stream = parse_as(source, None)?;
    let mut roots = Vec::new();
    for document in stream.documents {
        let root = document.root;
        let is_null = matches!(root.value(), Some(Value::Null));
        let is_empty_object = root.as_mapping().is_some() && root.is_empty_collection();
        let is_empty = is_null || is_empty_object && rules == EditRules::Kustomize;
        if !is_empty {
            roots.push(root);
        }
    }
    Ok(roots)
}

/// Returns a merge patch with its aliases and merge keys expanded, and with keys that are text.
fn merge_tree(root: &Arc<Node>) -> Result<Arc<Node>> {
    if !matches!(root.resolved().content, Content::Mapping(_)) {
        let message = format!(
            "expected a merge patch, which is a mapping, found {}",
            root.described()
        );
        return Err(config_error(message, root.location())
            .note("a patch is one list of operations, or any number of mappings")
            .help("write operations as a list of mappings with `op` and `path`"));
    }
    check_keys(root)?;
    // A Kubernetes object is JSON underneath, and the keys of JSON are text: `off: "3"` means
    // `"off": "3"`.
    expand_to_text_keys(root)
}

/// Checks that the target and the options fit the language of the patch.
fn check_settings(
    content: &PatchContent,
    settings: &PatchSettings,
    diagnostics: &mut Diagnostics,
) -> Result<()> {
    check_type(content, settings)?;
    match content {
        PatchContent::Json(_) => check_json_patch(settings, diagnostics),
        PatchContent::Strategic(trees) | PatchContent::Merge(trees) => {
            check_merge_patch(trees, settings)
        }
    }
}

fn check_type(content: &PatchContent, settings: &PatchSettings) -> Result<()> {
    let Some(patch_type) = &settings.options.patch_type else {
        return Ok(());
    };
    let is_json = matches!(content, PatchContent::Json(_));
    let (wanted, found) = match (patch_type.value == PatchType::Json, is_json) {
        (false, true) => ("a mapping to merge", "a list of operations"),
        (true, false) => ("a list of operations", "a mapping to merge"),
        _ => return Ok(()),
    };
    let message = format!("expected {wanted}, found {found}");
    Err(config_error(message, patch_type.location.clone())
        .help("correct the `type`, or remove it: the patch shows what it is"))
}

fn check_json_patch(settings: &PatchSettings, diagnostics: &mut Diagnostics) -> Result<()> {
    if settings.target.is_none() {
        return Err(config_error(
            "must specify a target for JSON patch",
            settings.location.clone(),
        )
        .help("choose objects with `target`, such as `target: {kind: Deployment}`"));
    }
    let merge_only = [
        ("allowNameChange", &settings.options.allow_name_change),
        ("allowKindChange", &settings.options.allow_kind_change),
    ];
    for (name, option) in merge_only {
        if let Some(option) = option {
            let message = format!("option `{name}` has no effect on a JSON patch");
            let diagnostic = match settings.rules {
                EditRules::Inlay => Diagnostic::error(Code::Config, message),
                EditRules::Kustomize => Diagnostic::warning(Code::Config, message),
            };
            let diagnostic = diagnostic
                .at(option.location.clone(), "")
                .help("remove it: an operation may change any field");
            if settings.rules == EditRules::Inlay {
                return Err(diagnostic);
            }
            diagnostics.push(diagnostic);
        }
    }
    Ok(())
}

fn check_merge_patch(trees: &[Arc<Node>], settings: &PatchSettings) -> Result<()> {
    match (&settings.target, trees) {
        (Some(target), [_, second, ..]) => {
            let message = "multiple merge patches in one `patches` entry cannot have a `target`";
            Err(config_error(message, target.location.clone())
                .at(second.location(), "the second patch")
                .help("give each patch an entry of its own"))
        }
        (Some(_), _) => Ok(()),
        (None, trees) => trees.iter().try_for_each(names_its_object),
    }
}

/// Checks that a patch without a target names the object it is for.
fn names_its_object(tree: &Arc<Node>) -> Result<()> {
    let required: [&[&str]; 3] = [&["apiVersion"], &["kind"], &["metadata", "name"]];
    for field in required {
        // For kustomize, a name such as `on` or `y` is a text, although it is not in YAML 1.1.
        let value = tree.get_in(field).map(|node| core_value(node.resolved()));
        if let Some(Ok(CoreValue::String(text))) = value
            && !text.is_empty()
        {
            continue;
        }
        let message = format!(
            "expected `{}` in a patch without a target, found none",
            field.join(".")
        );
        // The first key: the tree itself may have many lines.
        let first_key = tree
            .as_mapping()
            .and_then(|mapping| mapping.entries.first())
            .and_then(|entry| entry.key.location());
        return Err(config_error(message, first_key.or_else(|| tree.location()))
            .help("name the object in the patch, or choose objects with `target`"));
    }
    Ok(())
}
