//! The kinds of configuration that Inlay takes, as a functionConfig or as a file.
//!
//! A configuration is read to its end: one run tells all that is wrong in it.

mod config_map;
mod files;
mod generators;
mod inlay;
mod patches;
mod replacements;

use std::sync::Arc;

use crate::pipeline::Configuration;
use crate::source::suggest::list;
use crate::source::{Code, Diagnostic, Diagnostics, Result};
use crate::yaml::Node;

/// Reads a configuration of one kind and tells every mistake in it.
type Read = fn(&Arc<Node>, &mut Diagnostics) -> Option<Configuration>;

/// The kinds, each with its `apiVersion` and what reads it.
const KINDS: [(&str, &str, Read); 9] = [
    ("inlay.dev/v1alpha1", "Inlay", inlay::inlay),
    ("v1", "ConfigMap", config_map::config_map),
    ("builtin", "ConfigMapGenerator", generators::config_map),
    ("builtin", "SecretGenerator", generators::secret),
    ("builtin", "PatchTransformer", patches::transformer),
    (
        "builtin",
        "PatchJson6902Transformer",
        patches::json_transformer,
    ),
    (
        "builtin",
        "PatchStrategicMergeTransformer",
        patches::merge_transformer,
    ),
    (
        "builtin",
        "ReplacementTransformer",
        replacements::transformer,
    ),
    (
        "fn.kpt.dev/v1alpha1",
        "ApplyReplacements",
        replacements::transformer,
    ),
];

/// Reads a configuration of any kind. `None` where that failed: [`Code::UnknownKind`] for one of another kind,
/// [`Code::Config`] for one that asks for nothing or is written wrong, all of whose mistakes are told.
pub fn configuration(node: &Arc<Node>, diagnostics: &mut Diagnostics) -> Option<Configuration> {
    let read = diagnostics.take(kind(node))?;
    let before = diagnostics.errors();
    let configuration = read(node, diagnostics)?;
    if diagnostics.errors() > before {
        return None;
    }
    if configuration.is_empty() {
        diagnostics.push(
            Diagnostic::error(Code::Config, "the configuration asks for nothing")
                .at(node.get("kind").and_then(|kind| kind.location()), "")
                .help(what_to_do(node)),
        );
        return None;
    }
    Some(configuration)
}

/// What reads a configuration of the kind that `node` is of.
fn kind(node: &Arc<Node>) -> Result<Read> {
    let text = |key: &str| node.get(key).and_then(|node| node.as_str());
    if node.as_mapping().is_none() {
        return Err(Diagnostic::error(
            Code::Config,
            format!("expected a configuration, found {}", node.described()),
        )
        .at(node.location(), "")
        .help(format!(
            "write a mapping with `apiVersion` and `kind`, such as {}",
            known_kinds()
        )));
    }
    let (api_version, kind) = (text("apiVersion").unwrap_or(""), text("kind").unwrap_or(""));
    match KINDS
        .iter()
        .find(|known| (known.0, known.1) == (api_version, kind))
    {
        Some((_, _, read)) => Ok(*read),
        None => Err(unknown_kind(node, api_version, kind)),
    }
}

/// What to do about a configuration that asks for nothing.
fn what_to_do(node: &Arc<Node>) -> &'static str {
    match node.get("kind").and_then(|kind| kind.as_str()) {
        // kpt makes one up where it is given no configuration.
        Some("ConfigMap") => {
            "give the function its configuration with `--fn-config FILE` of kpt, or put files into `data`, such as `config.yml`"
        }
        Some("Inlay") => "list what to do, such as `files` or `replacements`",
        _ => "list what to do, such as `replacements`",
    }
}

/// What to say of a configuration of another kind.
fn unknown_kind(node: &Arc<Node>, api_version: &str, kind: &str) -> Box<Diagnostic> {
    let known = KINDS.iter().find(|(_, known, _)| *known == kind);
    let wrong = if known.is_some() {
        "apiVersion"
    } else {
        "kind"
    };
    let place = node
        .get(wrong)
        .or_else(|| node.get("apiVersion"))
        .unwrap_or(node);
    let message = match format!("{api_version} {kind}").trim() {
        "" => "expected `apiVersion` and `kind` of a configuration, found neither".to_owned(),
        found => format!("expected a configuration that Inlay knows, found `{found}`"),
    };
    let help = match known {
        Some((api_version, kind, _)) => format!("the `apiVersion` of {kind} is `{api_version}`"),
        None => format!("use {}", known_kinds()),
    };
    Diagnostic::error(Code::UnknownKind, message)
        .at(place.location(), "")
        .help(help)
}

fn known_kinds() -> String {
    let names = KINDS.map(|(api_version, kind, _)| format!("{api_version} {kind}"));
    list(names.iter().map(String::as_str))
}
