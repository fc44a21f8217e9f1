//! `configMapGenerator` and `secretGenerator`, and kustomize's kinds that consist of one entry of
//! them.

use std::sync::Arc;

use serde::Deserialize;

use crate::kustomize::generator::{
    self, Generator, GeneratorConfig, GeneratorKind, GeneratorOptionsConfig,
};
use crate::pipeline::Configuration;
use crate::source::world::Folder;
use crate::source::{Diagnostics, Reported, collect_all};
use crate::typed::{RawNode, Spanned, read, read_known_fields};
use crate::yaml::Node;

/// Reads a ConfigMapGenerator, and reports every mistake in it.
pub(super) fn read_config_map_generator(
    node: &Arc<Node>,
    folder: &Folder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Configuration, Reported> {
    let read = ReadGenerator::strictly();
    read_generator(GeneratorKind::ConfigMap, read, node, folder, diagnostics)
}

/// Reads a SecretGenerator, and reports every mistake in it.
pub(super) fn read_secret_generator(
    node: &Arc<Node>,
    folder: &Folder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Configuration, Reported> {
    let read = ReadGenerator::strictly();
    read_generator(GeneratorKind::Secret, read, node, folder, diagnostics)
}

/// The fields of the object that are not fields of an entry.
#[derive(Deserialize)]
struct GeneratorHead {
    #[serde(rename = "apiVersion")]
    _api_version: Option<RawNode>,
    #[serde(rename = "kind")]
    _kind: Option<RawNode>,
    metadata: Option<GeneratorMetadata>,
}

/// The name and namespace of the generated object, if the entry does not have them. kustomize uses
/// the annotations to find the function.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct GeneratorMetadata {
    name: Option<Spanned<String>>,
    namespace: Option<Spanned<String>>,
    #[serde(rename = "labels")]
    _labels: Option<RawNode>,
    #[serde(rename = "annotations")]
    _annotations: Option<RawNode>,
}

/// Reads a generator that a kustomization lists as a plugin. As in kustomize, unknown fields are
/// not mistakes; each gets a warning.
///
/// # Errors
/// Reports every mistake in it.
pub fn read_generator_plugin(
    kind: GeneratorKind,
    node: &Arc<Node>,
    folder: &Folder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Configuration, Reported> {
    let read = ReadGenerator::as_kustomize();
    read_generator(kind, read, node, folder, diagnostics)
}

/// The functions that read the two parts of a generator.
struct ReadGenerator {
    head: fn(&Arc<Node>, &mut Diagnostics) -> Result<GeneratorHead, Reported>,
    entry: fn(&Arc<Node>, &mut Diagnostics) -> Result<Spanned<GeneratorConfig>, Reported>,
    /// Removes what kustomize ignores in an entry.
    accept: fn(GeneratorConfig, GeneratorKind, &mut Diagnostics) -> GeneratorConfig,
}

impl ReadGenerator {
    fn strictly() -> ReadGenerator {
        ReadGenerator {
            head: read,
            entry: read,
            accept: |entry, _, _| entry,
        }
    }

    fn as_kustomize() -> ReadGenerator {
        ReadGenerator {
            head: read_known_fields,
            entry: read_known_fields,
            accept: |entry, kind, diagnostics| {
                let entry = entry.without_unknown_behavior(diagnostics);
                entry.without_entry_fields(kind, diagnostics)
            },
        }
    }
}

/// Reads an object that contains the fields of an entry in addition to `apiVersion`, `kind` and
/// `metadata`.
fn read_generator(
    kind: GeneratorKind,
    read: ReadGenerator,
    node: &Arc<Node>,
    folder: &Folder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Configuration, Reported> {
    // `serde` cannot combine `flatten` with rejecting unknown fields, so split the tree into two.
    let mut head_entries = Vec::new();
    let mut entries = Vec::new();
    if let Some(mapping) = node.as_mapping() {
        for entry in &mapping.entries {
            match entry.key.resolved().text() {
                Some("apiVersion" | "kind" | "metadata") => head_entries.push(entry.clone()),
                _ => entries.push(entry.clone()),
            }
        }
    }
    let head = (read.head)(&node.with_entries(head_entries), diagnostics);
    let entries = node.with_entries(entries);
    let entry = (read.entry)(&entries, diagnostics);
    let (head, mut entry) = (head?, entry?);
    entry.value = (read.accept)(entry.value, kind, diagnostics);
    let metadata = head.metadata.unwrap_or_default();
    entry.value.name = entry.value.name.or(metadata.name);
    entry.value.namespace = entry.value.namespace.or(metadata.namespace);
    let global = GeneratorOptionsConfig::default();
    let generator = generator::check(kind, entry, &global, folder, diagnostics);
    // `read` returns the readable part of a faulty configuration, so check for reported mistakes
    // here.
    diagnostics.outcome()?;
    Ok(Configuration {
        generators: vec![generator?],
        ..Configuration::default()
    })
}

/// Checks the entries of both lists, those for ConfigMaps first. `global` contains the options for
/// all entries.
pub(super) fn check_all(
    config_maps: Vec<Spanned<GeneratorConfig>>,
    secrets: Vec<Spanned<GeneratorConfig>>,
    global: &GeneratorOptionsConfig,
    folder: &Folder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Generator>, Reported> {
    let mut entries = Vec::with_capacity(config_maps.len() + secrets.len());
    for entry in config_maps {
        entries.push((GeneratorKind::ConfigMap, entry));
    }
    for entry in secrets {
        entries.push((GeneratorKind::Secret, entry));
    }
    collect_all(
        entries
            .into_iter()
            .map(|(kind, entry)| generator::check(kind, entry, global, folder, diagnostics)),
    )
}
