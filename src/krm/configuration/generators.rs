//! `configMapGenerator` and `secretGenerator`, in a configuration of Inlay and as kustomize's kinds of one entry each.

use std::sync::Arc;

use serde::Deserialize;

use crate::kustomize::generator::{self, Generator, GeneratorConfig, Kind, OptionsConfig};
use crate::pipeline::Configuration;
use crate::source::Diagnostics;
use crate::typed::{RawNode, Spanned, read};
use crate::yaml::{Entry, Node};

/// kustomize's `builtin` `ConfigMapGenerator`.
pub(super) fn config_map(node: &Arc<Node>, diagnostics: &mut Diagnostics) -> Option<Configuration> {
    builtin(Kind::ConfigMap, node, diagnostics)
}

/// kustomize's `builtin` `SecretGenerator`.
pub(super) fn secret(node: &Arc<Node>, diagnostics: &mut Diagnostics) -> Option<Configuration> {
    builtin(Kind::Secret, node, diagnostics)
}

/// What an object of kustomize's kinds has beside the fields of an entry.
#[derive(Deserialize)]
struct Builtin {
    metadata: Option<Metadata>,
}

/// Name and namespace of the object that is made, where the entry gives none. Annotations tell kustomize how to call a
/// function.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Metadata {
    name: Option<Spanned<String>>,
    namespace: Option<Spanned<String>>,
    #[serde(rename = "labels")]
    _labels: Option<RawNode>,
    #[serde(rename = "annotations")]
    _annotations: Option<RawNode>,
}

fn builtin(kind: Kind, node: &Arc<Node>, diagnostics: &mut Diagnostics) -> Option<Configuration> {
    let is_head = |entry: &&Entry| {
        let key = entry.key.resolved().text();
        key.is_some_and(|key| ["apiVersion", "kind", "metadata"].contains(&key))
    };
    let entries = node
        .as_mapping()
        .map_or(&[][..], |mapping| &mapping.entries);
    let (head, entry): (Vec<&Entry>, Vec<&Entry>) = entries.iter().partition(is_head);
    let part =
        |entries: Vec<&Entry>| node.with_entries(entries.into_iter().cloned().collect::<Vec<_>>());
    let head = read::<Builtin>(&part(head), diagnostics).ok();
    let mut entry = read::<Spanned<GeneratorConfig>>(&part(entry), diagnostics).ok()?;
    let Metadata {
        name, namespace, ..
    } = head?.metadata.unwrap_or_default();
    entry.value.name = entry.value.name.or(name);
    entry.value.namespace = entry.value.namespace.or(namespace);
    let generator = generator::check(kind, entry, &OptionsConfig::default(), diagnostics)?;
    Some(Configuration {
        generators: vec![generator],
        ..Configuration::default()
    })
}

/// The entries of both lists that are written well, those for ConfigMaps first; the others are told.
pub(super) fn check(
    config_maps: Option<Vec<Spanned<GeneratorConfig>>>,
    secrets: Option<Vec<Spanned<GeneratorConfig>>>,
    global: Option<OptionsConfig>,
    diagnostics: &mut Diagnostics,
) -> Vec<Generator> {
    let global = global.unwrap_or_default();
    let config_maps = config_maps
        .unwrap_or_default()
        .into_iter()
        .map(|entry| (Kind::ConfigMap, entry));
    let secrets = secrets
        .unwrap_or_default()
        .into_iter()
        .map(|entry| (Kind::Secret, entry));
    let entries = config_maps.chain(secrets);
    entries
        .filter_map(|(kind, entry)| generator::check(kind, entry, &global, diagnostics))
        .collect()
}
