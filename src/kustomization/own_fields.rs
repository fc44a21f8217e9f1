//! The fields that only Inlay reads: the real kustomize refuses the file that they are in, or
//! ignores them without a message.
//!
//! ```text
//! kustomization.yaml    configMapGenerator: [{mergeValues: …}]      refused: an unknown field
//!                       replacements: [{… options: {encoding: …}}]  ignored: read and never used
//! replacements.yaml     options: {prefix: …}                        ignored: kustomize reads a file
//!                                                                   that `path` names without checks
//! ```

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::yaml::Node;

/// A field that only Inlay reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnField {
    /// The file that it is in.
    pub file: PathBuf,
    /// Its name.
    pub name: &'static str,
    /// Whether the real kustomize ignores it without a message, instead of refusing the file.
    pub is_ignored: bool,
}

/// How the real kustomize reads a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// An unknown field is an error: a kustomization file.
    Strict,
    /// Unknown fields are ignored: a file that a field `path` names, a configuration of a plugin.
    Lax,
}

/// Collects the fields of one file. Each is listed once.
pub(super) struct OwnFields<'f> {
    pub(super) file: &'f Path,
    pub(super) reading: Reading,
    pub(super) found: &'f mut Vec<OwnField>,
}

impl OwnFields<'_> {
    /// Adds those of a kustomization file.
    pub(super) fn add_kustomization(&mut self, root: &Node) {
        for (field, entry) in entries(root) {
            match field.to_ascii_lowercase().as_str() {
                "configmapgenerator" | "secretgenerator" => self.add_generators(entry),
                "replacements" => self.add_replacements(entry),
                "patches" | "patchesjson6902" => self.add_patches(entry),
                _ => {}
            }
        }
    }

    /// Adds those of a configuration of a plugin that is built into kustomize.
    pub(super) fn add_plugin(&mut self, kind: &str, root: &Node) {
        match kind {
            "ConfigMapGenerator" | "SecretGenerator" => self.add_one(root, &["mergeValues"]),
            "ReplacementTransformer" => {
                for (field, entry) in entries(root) {
                    if field == "replacements" {
                        self.add_replacements(entry);
                    }
                }
            }
            "PatchTransformer" => self.add_patch(root),
            _ => {}
        }
    }

    fn add_generators(&mut self, list: &Node) {
        for generator in items(list) {
            self.add_one(generator, &["mergeValues"]);
        }
    }

    /// Adds the fields of a list of replacements, or of a single replacement.
    pub(super) fn add_replacements(&mut self, list: &Node) {
        if list.as_mapping().is_some() {
            self.add_replacement(list);
        }
        for replacement in items(list) {
            self.add_replacement(replacement);
        }
    }

    fn add_replacement(&mut self, replacement: &Node) {
        self.add_one(replacement, &["sources", "template"]);
        let Some(targets) = replacement.get("targets") else {
            return;
        };
        for target in items(targets.resolved()) {
            self.add_replacement_options(target);
        }
        if let Some(source) = replacement.get("source") {
            self.add_replacement_options(source.resolved());
        }
    }

    /// Adds the fields in the `options` of a source or a target.
    fn add_replacement_options(&mut self, place: &Node) {
        let Some(options) = place.get("options") else {
            return;
        };
        let options = options.resolved();
        let names = [
            "prefix",
            "suffix",
            "ignoreMissing",
            "format",
            "type",
            "layout",
        ];
        self.add_one(options, &names);
        // kustomize has this option but never uses it.
        self.with_reading(Reading::Lax)
            .add_one(options, &["encoding"]);
    }

    fn add_patches(&mut self, list: &Node) {
        for patch in items(list) {
            self.add_patch(patch);
        }
    }

    fn add_patch(&mut self, patch: &Node) {
        let Some(options) = patch.get("options").map(Node::resolved) else {
            return;
        };
        // kustomize reads any names here, with boolean values.
        self.with_reading(Reading::Strict)
            .add_one(options, &["type"]);
        self.with_reading(Reading::Lax)
            .add_one(options, &["allowMissing"]);
    }

    fn with_reading(&mut self, reading: Reading) -> OwnFields<'_> {
        OwnFields {
            file: self.file,
            reading,
            found: self.found,
        }
    }

    fn add_one(&mut self, mapping: &Node, names: &[&'static str]) {
        for &name in names {
            let field = OwnField {
                file: self.file.to_owned(),
                name,
                is_ignored: self.reading == Reading::Lax,
            };
            if mapping.get(name).is_some() && !self.found.contains(&field) {
                self.found.push(field);
            }
        }
    }
}

fn entries(node: &Node) -> impl Iterator<Item = (&str, &Arc<Node>)> {
    let mapping = node.as_mapping();
    let entries = mapping
        .into_iter()
        .flat_map(|mapping| mapping.entries.iter());
    entries.filter_map(|entry| Some((entry.key.resolved().text()?, entry.value.resolved())))
}

fn items(node: &Node) -> impl Iterator<Item = &Node> {
    let list = node.as_sequence();
    let items = list.into_iter().flat_map(|list| list.items.iter());
    items.map(|item| item.value.resolved().as_ref())
}
