//! Reads the kinds of configuration that Inlay accepts, from a functionConfig or from a file.
//!
//! Reading a configuration includes the files with patches and replacements that it refers to.
//! Everything is checked before the first object is edited, and one run reports every mistake.

mod config_map;
mod files;
mod generator;
mod inlay;
mod matrix;
mod misplaced;
mod patch;
mod replacement;
mod schema;

pub use self::generator::read_generator_plugin;
pub use self::schema::{any_configuration_schema, configuration_kinds, configuration_schema};

use std::sync::Arc;

use serde_json::Value;

use crate::kustomize::generator::GeneratorConfig;
use crate::pipeline::Configuration;
use crate::source::suggest::{did_you_mean, list};
use crate::source::world::Folder;
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result, Source, collect_all};
use crate::workspace::{MATRIX_API_VERSION, MATRIX_KIND, MatrixConfig};
use crate::yaml::{Node, Stream, parse_data};

/// Reads a configuration of one kind, and reports every mistake in it.
type ReadConfiguration =
    fn(&Arc<Node>, &Folder<'_>, &mut Diagnostics) -> Result<Configuration, Reported>;

/// A kind of configuration.
struct ConfigurationKind {
    api_version: &'static str,
    kind: &'static str,
    read: ReadConfiguration,
    /// Returns the JSON Schema of the kind.
    schema: fn(&ConfigurationKind) -> Value,
}

const KINDS: [ConfigurationKind; 10] = [
    ConfigurationKind {
        api_version: "inlay.dev/v1alpha1",
        kind: "Inlay",
        read: inlay::read_inlay,
        schema: schema::of_kind::<inlay::InlayConfig>,
    },
    ConfigurationKind {
        api_version: "v1",
        kind: "ConfigMap",
        read: config_map::read_config_map,
        schema: schema::of_kind::<config_map::ConfigMapConfig>,
    },
    ConfigurationKind {
        api_version: "builtin",
        kind: "ConfigMapGenerator",
        read: generator::read_config_map_generator,
        schema: schema::of_kind::<GeneratorConfig>,
    },
    ConfigurationKind {
        api_version: "builtin",
        kind: "SecretGenerator",
        read: generator::read_secret_generator,
        schema: schema::of_kind::<GeneratorConfig>,
    },
    ConfigurationKind {
        api_version: "builtin",
        kind: "PatchTransformer",
        read: patch::read_transformer,
        schema: schema::of_kind::<patch::PatchTransformer>,
    },
    ConfigurationKind {
        api_version: "builtin",
        kind: "PatchJson6902Transformer",
        read: patch::read_json_transformer,
        schema: schema::of_kind::<patch::PatchJson6902Transformer>,
    },
    ConfigurationKind {
        api_version: "builtin",
        kind: "PatchStrategicMergeTransformer",
        read: patch::read_strategic_transformer,
        schema: schema::of_kind::<patch::PatchStrategicMergeTransformer>,
    },
    ConfigurationKind {
        api_version: "builtin",
        kind: "ReplacementTransformer",
        read: replacement::read_transformer,
        schema: schema::of_kind::<replacement::ReplacementTransformer>,
    },
    ConfigurationKind {
        api_version: "fn.kpt.dev/v1alpha1",
        kind: "ApplyReplacements",
        read: replacement::read_transformer,
        schema: schema::of_kind::<replacement::ReplacementTransformer>,
    },
    ConfigurationKind {
        api_version: MATRIX_API_VERSION,
        kind: MATRIX_KIND,
        read: matrix::refuse,
        schema: schema::of_kind::<MatrixConfig>,
    },
];

/// Reads the configurations in a text, one from each document. Empty documents are skipped. Files
/// that a configuration refers to are read from `folder`.
///
/// # Errors
/// Reports every mistake in every document, and a text without any configuration.
pub fn read_configurations(
    source: &Arc<Source>,
    folder: &Folder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Configuration>, Reported> {
    diagnostics.watch(source);
    let stream = diagnostics.check(parse_data(source))?;
    let mut roots = Vec::new();
    for document in &stream.documents {
        if !is_empty(&document.root) {
            roots.push(&document.root);
        }
    }
    if roots.is_empty() {
        let name = source.shown_name();
        let message = format!("expected a configuration in `{name}`, found nothing");
        return Err(diagnostics.report(Diagnostic::error(Code::Config, message)));
    }
    collect_all(
        roots
            .into_iter()
            .map(|root| read_configuration(root, folder, diagnostics)),
    )
}

/// Returns whether all documents of a text can only be configurations. A ConfigMap can also be an
/// object to edit, so it does not count.
pub fn is_surely_configuration(stream: &Stream) -> bool {
    let mut found = false;
    for document in &stream.documents {
        if is_empty(&document.root) {
            continue;
        }
        match find_kind(&document.root) {
            Some(known) if known.kind != "ConfigMap" => found = true,
            _ => return false,
        }
    }
    found
}

/// Returns whether all documents of a text are ConfigMaps.
pub fn is_only_config_maps(stream: &Stream) -> bool {
    stream.documents.iter().all(|document| {
        is_empty(&document.root)
            || find_kind(&document.root).is_some_and(|known| known.kind == "ConfigMap")
    })
}

/// Returns whether a document has no text, not even `null`.
fn is_empty(root: &Node) -> bool {
    match &root.origin {
        Some(origin) => origin.span.is_empty(),
        None => false,
    }
}

/// Reads a configuration of any kind. Files that it refers to are read from `folder`.
///
/// # Errors
/// Reports every mistake: [`Code::UnknownKind`] for an unknown kind, and [`Code::Config`] for a
/// configuration that has no effect or is invalid.
pub fn read_configuration(
    node: &Arc<Node>,
    folder: &Folder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Configuration, Reported> {
    let kind = diagnostics.check(kind_of(node))?;
    let mut configuration = (kind.read)(node, folder, diagnostics)?;
    configuration.place = node.get("kind").and_then(|kind| kind.location());
    if configuration.is_empty() {
        return Err(diagnostics.report(
            Diagnostic::error(Code::Config, "the configuration does nothing")
                .at(configuration.place, "")
                .help(help_for_empty(kind.kind)),
        ));
    }
    Ok(configuration)
}

fn kind_of(node: &Arc<Node>) -> Result<&'static ConfigurationKind> {
    if node.as_mapping().is_none() {
        let message = format!("expected a configuration, found {}", node.described());
        return Err(Diagnostic::error(Code::Config, message)
            .at(node.location(), "")
            .help(format!(
                "write a mapping with `apiVersion` and `kind`, such as {}",
                known_kinds()
            )));
    }
    find_kind(node).ok_or_else(|| unknown_kind(node))
}

fn find_kind(node: &Node) -> Option<&'static ConfigurationKind> {
    let (api_version, kind) = (text_of(node, "apiVersion"), text_of(node, "kind"));
    KINDS
        .iter()
        .find(|known| known.api_version == api_version && known.kind == kind)
}

fn text_of<'n>(node: &'n Node, key: &str) -> &'n str {
    let field = node.get(key).and_then(|node| node.as_str());
    field.unwrap_or("")
}

/// Returns the help line for a configuration that has no effect.
fn help_for_empty(kind: &str) -> &'static str {
    match kind {
        // kpt creates an empty ConfigMap if it gets no configuration.
        "ConfigMap" => {
            "give the function its configuration with `--fn-config FILE` of kpt, or put files into `data`, such as `config.yml`"
        }
        "Inlay" => "list what to do, such as `files` or `replacements`",
        _ => "list what to do, such as `replacements`",
    }
}

fn unknown_kind(node: &Arc<Node>) -> Box<Diagnostic> {
    let (api_version, kind) = (text_of(node, "apiVersion"), text_of(node, "kind"));
    if let Some(error) = misplaced::kustomization(node) {
        return error;
    }
    let known = KINDS.iter().find(|known| known.kind == kind);
    let similar = did_you_mean(kind, KINDS.map(|known| known.kind));
    let (wrong_field, help) = match (known, similar) {
        (Some(known), _) => (
            "apiVersion",
            format!("the `apiVersion` of {kind} is `{}`", known.api_version),
        ),
        (None, Some(similar)) => ("kind", similar),
        (None, None) => ("kind", format!("use {}", known_kinds())),
    };
    let place = node
        .get(wrong_field)
        .or_else(|| node.get("apiVersion"))
        .unwrap_or(node);
    let message = match format!("{api_version} {kind}").trim() {
        "" => "expected `apiVersion` and `kind` of a configuration, found neither".to_owned(),
        found => format!("expected a configuration that Inlay knows, found `{found}`"),
    };
    Diagnostic::error(Code::UnknownKind, message)
        .at(place.location(), "")
        .help_if(misplaced::help_without_kind(node))
        .help(help)
}

/// Lists the kinds that edit objects.
fn known_kinds() -> String {
    let mut names = Vec::with_capacity(KINDS.len());
    for known in KINDS {
        if known.kind != MATRIX_KIND {
            names.push(format!("{} {}", known.api_version, known.kind));
        }
    }
    list(names.iter().map(String::as_str))
}
