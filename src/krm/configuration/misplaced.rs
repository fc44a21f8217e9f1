//! Errors for misplaced fields: fields of kustomize, or fields that belong elsewhere in a
//! configuration. The errors say where to move them.
//!
//! ```text
//! kind: Inlay
//! replacements: […]              # belongs under `spec`
//! spec:
//!   patchesStrategicMerge: […]   # is called `patches` here
//! ```

use std::sync::Arc;

use super::text_of;
use crate::kubernetes::KUSTOMIZATION_FILES;
use crate::source::suggest::list_of_all;
use crate::source::{Code, Diagnostic, Diagnostics};
use crate::yaml::{Entry, Node};

/// The fields of `spec` that have an effect.
const SPEC_FIELDS: [&str; 8] = [
    "values",
    "paths",
    "files",
    "configMapGenerator",
    "secretGenerator",
    "generatorOptions",
    "patches",
    "replacements",
];

/// The replacements for fields of a kustomization.
const INSTEAD: [(&str, &str); 20] = [
    (
        "patchesStrategicMerge",
        "use `patches`, with one entry `path: FILE` or `patch: |` for each patch",
    ),
    (
        "patchesJson6902",
        "use `patches`: its entries take the same `target` and `path` or `patch`",
    ),
    ("vars", "use `replacements`"),
    (
        "resources",
        "name the files when you call it: `inlay run CONFIG PATH…`",
    ),
    (
        "bases",
        "name the files when you call it: `inlay run CONFIG PATH…`",
    ),
    (
        "transformers",
        "write one document for each configuration: they are applied in their order",
    ),
    (
        "generators",
        "write one document for each configuration: they are applied in their order",
    ),
    (
        "dataValues",
        "use `values`, or a file with `#@data/values` in `files`",
    ),
    ("overlays", "list them in `paths` or `files`"),
    (
        "images",
        "leave it to kustomize, or write a replacement of `spec.template.spec.containers.[name=NAME].image`",
    ),
    (
        "replicas",
        "leave it to kustomize, or write a replacement of `spec.replicas`",
    ),
    ("labels", LEAVE),
    ("commonLabels", LEAVE),
    ("commonAnnotations", LEAVE),
    ("namePrefix", LEAVE),
    ("nameSuffix", LEAVE),
    ("namespace", LEAVE),
    ("components", LEAVE),
    ("helmCharts", LEAVE),
    ("validators", LEAVE),
];

const LEAVE: &str =
    "leave it to kustomize, and edit what it builds: `kustomize build . | inlay run CONFIG -`";

/// Reports the misplaced fields of an Inlay, and returns the object without them, so that the rest
/// can be read.
pub(super) fn report_and_remove(node: &Arc<Node>, diagnostics: &mut Diagnostics) -> Arc<Node> {
    let node = without_misplaced(node, diagnostics, at_the_root);
    let Some(mapping) = node.as_mapping() else {
        return node;
    };
    let Some(position) = mapping.position("spec") else {
        return node;
    };
    let spec = mapping.entries[position].value.resolved();
    let cleaned = without_misplaced(spec, diagnostics, in_spec);
    if Arc::ptr_eq(spec, &cleaned) {
        return node;
    }
    let mut entries = mapping.entries.to_vec();
    entries[position].value = cleaned;
    node.with_entries(entries)
}

/// Returns `node` without the entries for which `misplaced` returns an error.
fn without_misplaced(
    node: &Arc<Node>,
    diagnostics: &mut Diagnostics,
    misplaced: fn(&str) -> Option<Box<Diagnostic>>,
) -> Arc<Node> {
    let Some(mapping) = node.as_mapping() else {
        return Arc::clone(node);
    };
    let mut kept: Vec<Entry> = Vec::with_capacity(mapping.entries.len());
    for entry in &mapping.entries {
        match entry.key.text().and_then(misplaced) {
            Some(error) => diagnostics.push(error.at(entry.key.location(), "")),
            None => kept.push(entry.clone()),
        }
    }
    if kept.len() == mapping.entries.len() {
        return Arc::clone(node);
    }
    node.with_entries(kept)
}

fn at_the_root(key: &str) -> Option<Box<Diagnostic>> {
    if SPEC_FIELDS.contains(&key) {
        let message = format!("`{key}` is a field of `spec`, not of the root");
        let help = format!("indent it below `spec:`: `spec: {{{key}: …}}`");
        return Some(Diagnostic::error(Code::Config, message).help(help));
    }
    in_spec(key)
}

fn in_spec(key: &str) -> Option<Box<Diagnostic>> {
    let (_, instead) = INSTEAD.iter().find(|(field, _)| *field == key)?;
    let message = format!("a configuration of kind Inlay has no field `{key}`");
    Some(Diagnostic::error(Code::Config, message).help(*instead))
}

/// Returns the error for a `kustomization.yaml`, which is a configuration of kustomize.
pub(super) fn kustomization(node: &Arc<Node>) -> Option<Box<Diagnostic>> {
    let is_named = node.location().is_some_and(|location| {
        let name = location.source.shown_name();
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        KUSTOMIZATION_FILES.contains(&name)
    });
    // kustomize also accepts its own file without `kind`.
    let kind = text_of(node, "kind");
    let api_version = text_of(node, "apiVersion");
    // Flux has a kind with this name, whose objects belong into the cluster.
    let is_object = api_version.starts_with("kustomize.toolkit.fluxcd.io/");
    let is_kustomization = (kind == "Kustomization" && !is_object)
        || api_version.starts_with("kustomize.config.k8s.io/")
        || (matches!(kind, "" | "Component") && is_named);
    if !is_kustomization {
        return None;
    }
    let message = "expected a configuration of Inlay, found a kustomization";
    let help = match known_fields(node) {
        Some(fields) => format!(
            "to apply its {fields} to files, put them under `spec` of `apiVersion: inlay.dev/v1alpha1`, `kind: Inlay`"
        ),
        None => "write `apiVersion: inlay.dev/v1alpha1`, `kind: Inlay`".to_owned(),
    };
    let build = match kind {
        "Component" => {
            "to use it, list its folder under `components` of a kustomization; its `transformers:` can list a configuration of Inlay"
        }
        _ => {
            "to build it, call `inlay kustomize FOLDER`; its `transformers:` can list a configuration of Inlay"
        }
    };
    let place = node.get("kind").unwrap_or(node);
    Some(
        Diagnostic::error(Code::UnknownKind, message)
            .at(place.location(), "")
            .help(help)
            .help(build),
    )
}

/// Returns a help line for a configuration without `kind` that has the fields of an Inlay's `spec`.
pub(super) fn help_without_kind(node: &Node) -> Option<String> {
    if !text_of(node, "kind").is_empty() {
        return None;
    }
    let fields = known_fields(node)?;
    Some(format!(
        "put {fields} under `spec` of `apiVersion: inlay.dev/v1alpha1`, `kind: Inlay`"
    ))
}

/// Returns a list of the fields at the root that belong into the `spec` of an Inlay.
fn known_fields(node: &Node) -> Option<String> {
    let found: Vec<&str> = SPEC_FIELDS
        .into_iter()
        .filter(|field| node.get(field).is_some())
        .collect();
    (!found.is_empty()).then(|| list_of_all(found))
}
