//! The kinds of configuration that Inlay takes, as a functionConfig or as a file.

use std::sync::Arc;

use serde::Deserialize;

use crate::kustomize::replacement::{ReplacementConfig, check};
use crate::pipeline::Configuration;
use crate::source::suggest::list;
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::Node;
use crate::yaml::de::{RawNode, Spanned, from_node};

/// Reads a configuration of one kind.
type Read = fn(&Arc<Node>) -> Result<Configuration>;

/// The kinds, each with its `apiVersion` and what reads it.
const KINDS: [(&str, &str, Read); 3] = [
    ("inlay.dev/v1alpha1", "Inlay", read_inlay),
    ("builtin", "ReplacementTransformer", read_transformer),
    ("fn.kpt.dev/v1alpha1", "ApplyReplacements", read_transformer),
];

/// `kind: Inlay`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Inlay {
    #[serde(rename = "apiVersion")]
    _api_version: String,
    #[serde(rename = "kind")]
    _kind: String,
    #[serde(rename = "metadata")]
    _metadata: Option<RawNode>,
    spec: Option<Spec>,
}

/// What an Inlay configuration asks for.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Spec {
    replacements: Option<Vec<Spanned<ReplacementConfig>>>,
}

/// kustomize's ReplacementTransformer and kpt's ApplyReplacements, which have the same fields.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Transformer {
    #[serde(rename = "apiVersion")]
    _api_version: String,
    #[serde(rename = "kind")]
    _kind: String,
    #[serde(rename = "metadata")]
    _metadata: Option<RawNode>,
    replacements: Option<Vec<Spanned<ReplacementConfig>>>,
}

/// Reads a configuration of any kind.
///
/// # Errors
/// [`Code::UnknownKind`] for one of another kind, [`Code::Config`] for one that asks for nothing or is written wrong.
pub fn configuration(node: &Arc<Node>) -> Result<Configuration> {
    let text = |key: &str| node.get(key).and_then(|node| node.as_str());
    if node.as_mapping().is_none() {
        return Err(Diagnostic::error(Code::Config, format!("expected a configuration, found {}", found(node)))
            .at(node.location(), "")
            .help(format!("write a mapping with `apiVersion` and `kind`, such as {}", known_kinds())));
    }
    let (api_version, kind) = (text("apiVersion").unwrap_or(""), text("kind").unwrap_or(""));
    let Some((_, _, read)) = KINDS.iter().find(|known| (known.0, known.1) == (api_version, kind)) else {
        return Err(unknown_kind(node, api_version, kind));
    };
    let configuration = read(node)?;
    if configuration.replacements.is_empty() {
        return Err(Diagnostic::error(Code::Config, "the configuration asks for nothing")
            .at(node.get("kind").and_then(|kind| kind.location()), "")
            .help("list what to do, such as `replacements`"));
    }
    Ok(configuration)
}

/// What to say of a configuration of another kind.
fn unknown_kind(node: &Arc<Node>, api_version: &str, kind: &str) -> Box<Diagnostic> {
    let known = KINDS.iter().find(|(_, known, _)| *known == kind);
    let wrong = if known.is_some() { "apiVersion" } else { "kind" };
    let place = node.get(wrong).or_else(|| node.get("apiVersion")).unwrap_or(node);
    let message = match format!("{api_version} {kind}").trim() {
        "" => "expected `apiVersion` and `kind` of a configuration, found neither".to_owned(),
        found => format!("expected a configuration that Inlay knows, found `{found}`"),
    };
    let help = match known {
        Some((api_version, kind, _)) => format!("the `apiVersion` of {kind} is `{api_version}`"),
        // kpt makes this one up where it is given no configuration.
        None if (api_version, kind) == ("v1", "ConfigMap") => {
            format!("give the function its configuration with `--fn-config FILE` of kpt; use {}", known_kinds())
        }
        None => format!("use {}", known_kinds()),
    };
    Diagnostic::error(Code::UnknownKind, message).at(place.location(), "").help(help)
}

/// What a node is, with its article.
pub(super) fn found(node: &Node) -> String {
    match node.kind() {
        "null" => "null".to_owned(),
        kind => format!("a {kind}"),
    }
}

fn known_kinds() -> String {
    let names = KINDS.map(|(api_version, kind, _)| format!("{api_version} {kind}"));
    list(names.iter().map(String::as_str))
}

fn read_inlay(node: &Arc<Node>) -> Result<Configuration> {
    let Inlay { spec, .. } = from_node(node)?;
    replacements(spec.unwrap_or_default().replacements)
}

fn read_transformer(node: &Arc<Node>) -> Result<Configuration> {
    let Transformer { replacements: entries, .. } = from_node(node)?;
    replacements(entries)
}

fn replacements(entries: Option<Vec<Spanned<ReplacementConfig>>>) -> Result<Configuration> {
    let replacements = entries.unwrap_or_default().into_iter().map(check).collect::<Result<_>>()?;
    Ok(Configuration { replacements })
}
