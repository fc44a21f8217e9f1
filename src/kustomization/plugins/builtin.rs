//! kustomize's own transformers as plugins: `apiVersion: builtin`.
//!
//! A field of the kustomization is such a transformer with kustomize's field specs. As a plugin it
//! has only those that its configuration gives.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;

use crate::kubernetes::{Resource, TargetSelectorConfig};
use crate::kustomization::accumulate::KustomizationBuild;
use crate::kustomization::file;
use crate::kustomization::patches::{json_entry, strategic_entry, strategic_text};
use crate::kustomization::place::Place;
use crate::kustomization::transformers::Transformer;
use crate::kustomize::field_spec::{FieldSpec, FieldSpecConfig};
use crate::kustomize::patch::{PatchConfig, PatchOptions};
use crate::kustomize::replacement::{self, ReplacementConfig};
use crate::kustomize::{
    AffixSide, ImageConfig, ImageTransformer, MetadataTransformer, NameAffix, NamespaceTransformer,
    ReplicaConfig, ReplicaTransformer, RoleBindingSubjects, ValueAddTargetConfig,
    ValueAddTargetFile, ValueAddTransformer,
};
use crate::source::world::Folder;
use crate::source::{Code, Diagnostic, Reported, Result};
use crate::typed::{RawNode, Spanned, read_known_fields};

/// The fields of every builtin transformer. Each kind reads its own; kustomize ignores the others.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct BuiltinConfig {
    #[serde(rename = "apiVersion")]
    _api_version: Option<RawNode>,
    #[serde(rename = "kind")]
    _kind: Option<RawNode>,
    metadata: Option<BuiltinMetadata>,
    prefix: Option<String>,
    suffix: Option<String>,
    unset_only: Option<bool>,
    set_role_binding_subjects: Option<RoleBindingSubjects>,
    labels: Option<BTreeMap<String, String>>,
    annotations: Option<BTreeMap<String, String>>,
    image_tag: Option<ImageConfig>,
    replica: Option<ReplicaConfig>,
    field_specs: Option<Vec<Spanned<FieldSpecConfig>>>,
    path: Option<Spanned<String>>,
    patch: Option<RawNode>,
    target: Option<Spanned<TargetSelectorConfig>>,
    options: Option<PatchOptions>,
    paths: Option<Vec<RawNode>>,
    patches: Option<RawNode>,
    json_op: Option<RawNode>,
    replacements: Option<Vec<Spanned<ReplacementConfig>>>,
    value: Option<String>,
    targets: Option<Vec<Spanned<ValueAddTargetConfig>>>,
    target_file_path: Option<Spanned<String>>,
}

/// `metadata` of a configuration.
#[derive(Default, Deserialize)]
#[serde(default)]
struct BuiltinMetadata {
    namespace: Option<String>,
    #[serde(rename = "name")]
    _name: Option<RawNode>,
    #[serde(rename = "labels")]
    _labels: Option<RawNode>,
    #[serde(rename = "annotations")]
    _annotations: Option<RawNode>,
}

/// The kinds that generate objects.
pub(super) const GENERATORS: [&str; 4] = [
    "ConfigMapGenerator",
    "SecretGenerator",
    "IAMPolicyGenerator",
    "HelmChartInflationGenerator",
];

/// The kinds that transform objects.
pub(super) const TRANSFORMERS: [&str; 14] = [
    "AnnotationsTransformer",
    "HashTransformer",
    "ImageTagTransformer",
    "LabelTransformer",
    "NamespaceTransformer",
    "PatchJson6902Transformer",
    "PatchStrategicMergeTransformer",
    "PatchTransformer",
    "PrefixSuffixTransformer",
    "PrefixTransformer",
    "ReplacementTransformer",
    "ReplicaCountTransformer",
    "SuffixTransformer",
    "ValueAddTransformer",
];

impl KustomizationBuild<'_> {
    /// Returns the transformers of a configuration with `apiVersion: builtin`. There are several
    /// for the kind that is two in one.
    ///
    /// # Errors
    /// Reports every mistake in the configuration, and an unknown kind.
    pub(super) fn builtin_transformers(
        &mut self,
        configuration: &Resource,
        place: &Place,
    ) -> Result<Vec<Transformer>, Reported> {
        let folder = &place.folder(self.world);
        let kind = configuration.kind().to_owned();
        if !TRANSFORMERS.contains(&kind.as_str()) {
            return Err(self.diagnostics.report(not_a_transformer(configuration)));
        }
        let errors = self.diagnostics.errors();
        let config: BuiltinConfig = read_known_fields(&configuration.node, self.diagnostics)?;
        if self.diagnostics.errors() > errors {
            self.diagnostics.outcome()?;
        }
        match kind.as_str() {
            "PatchTransformer" => self.patch_transformer(config, configuration, folder),
            "PatchJson6902Transformer" => self.json_transformer(config, configuration, folder),
            "PatchStrategicMergeTransformer" => {
                self.strategic_transformer(config, configuration, folder)
            }
            "ReplacementTransformer" => {
                let entries = config.replacements.unwrap_or_default();
                let replacements = replacement::check_all(entries, folder, self.diagnostics)?;
                Ok(vec![Transformer::Replacements(replacements)])
            }
            "HashTransformer" => Ok(vec![Transformer::Hash]),
            "ValueAddTransformer" => self.value_add_transformer(config, configuration, place),
            _ => self.spec_transformers(&kind, config, configuration),
        }
    }

    /// Returns the transformers that change the fields of field specs.
    fn spec_transformers(
        &mut self,
        kind: &str,
        config: BuiltinConfig,
        configuration: &Resource,
    ) -> Result<Vec<Transformer>, Reported> {
        let has_specs = config.field_specs.is_some();
        let specs = config.field_specs.unwrap_or_default();
        let field_specs = Arc::new(specs.into_iter().map(FieldSpec::of).collect::<Vec<_>>());
        let is_affix = matches!(
            kind,
            "PrefixTransformer" | "SuffixTransformer" | "PrefixSuffixTransformer"
        );
        if is_affix && !has_specs {
            return Err(self.diagnostics.report(missing_specs(configuration)));
        }
        let affix = |side, text: Option<String>| {
            Transformer::Affix(NameAffix {
                side,
                text: text.unwrap_or_default(),
                field_specs: Arc::clone(&field_specs),
            })
        };
        let metadata = |entries: Option<BTreeMap<String, String>>| {
            Transformer::Metadata(MetadataTransformer {
                entries: entries.unwrap_or_default(),
                field_specs: Arc::clone(&field_specs),
            })
        };
        Ok(match kind {
            "PrefixTransformer" => vec![affix(AffixSide::Prefix, config.prefix)],
            "SuffixTransformer" => vec![affix(AffixSide::Suffix, config.suffix)],
            "PrefixSuffixTransformer" => vec![
                affix(AffixSide::Prefix, config.prefix),
                affix(AffixSide::Suffix, config.suffix),
            ],
            "LabelTransformer" => vec![metadata(config.labels)],
            "AnnotationsTransformer" => vec![metadata(config.annotations)],
            "NamespaceTransformer" => vec![Transformer::Namespace(NamespaceTransformer {
                namespace: config
                    .metadata
                    .and_then(|metadata| metadata.namespace)
                    .unwrap_or_default(),
                field_specs,
                unset_only: config.unset_only.unwrap_or_default(),
                subjects: config.set_role_binding_subjects.unwrap_or_default(),
            })],
            "ImageTagTransformer" => {
                let image = config.image_tag.unwrap_or_default();
                let image = ImageTransformer::new(vec![image], field_specs, self.diagnostics);
                vec![Transformer::Images(Box::new(image))]
            }
            _ => {
                let replica = config.replica.unwrap_or_default();
                let replica = ReplicaTransformer::new(vec![replica], field_specs);
                vec![Transformer::Replicas(replica)]
            }
        })
    }

    /// Returns the transformer of a `PatchTransformer`.
    fn patch_transformer(
        &mut self,
        config: BuiltinConfig,
        configuration: &Resource,
        folder: &Folder<'_>,
    ) -> Result<Vec<Transformer>, Reported> {
        let entry = Spanned {
            value: PatchConfig {
                patch: config.patch,
                path: config.path,
                target: config.target,
                options: config.options,
            },
            location: kind_location(configuration),
        };
        Ok(vec![Transformer::Patches(vec![self.patch(entry, folder)?])])
    }

    /// Returns the transformer of a `PatchJson6902Transformer`.
    fn json_transformer(
        &mut self,
        config: BuiltinConfig,
        configuration: &Resource,
        folder: &Folder<'_>,
    ) -> Result<Vec<Transformer>, Reported> {
        let entry = Spanned {
            value: PatchConfig {
                patch: config.json_op,
                path: config.path,
                target: config.target,
                options: None,
            },
            location: kind_location(configuration),
        };
        let entry = self.diagnostics.check(json_entry(entry))?;
        let patch = self.patch(entry, folder)?.without_record();
        Ok(vec![Transformer::Patches(vec![patch])])
    }

    /// Returns the transformer of a `ValueAddTransformer`, with the targets that it lists and those
    /// in its file.
    fn value_add_transformer(
        &mut self,
        config: BuiltinConfig,
        configuration: &Resource,
        place: &Place,
    ) -> Result<Vec<Transformer>, Reported> {
        let mut targets = config.targets.unwrap_or_default();
        let path = config.target_file_path;
        if let Some(path) = path.filter(|path| !path.value.is_empty()) {
            let folder = place.folder(self.world);
            let read = folder.path(&path.value).and_then(|path| folder.read(&path));
            let read = read.map_err(|error| error.at(path.location, "named here"));
            let source = self.diagnostics.check(read)?;
            if let Some(root) = self.diagnostics.check(file::document(&source))? {
                let file: ValueAddTargetFile = read_known_fields(&root, self.diagnostics)?;
                targets.extend(file.targets);
            }
        }
        let root = self.world.canonical(&place.shown);
        let root = root.unwrap_or_else(|_| place.shown.clone());
        let value = config.value.unwrap_or_default();
        let added = ValueAddTransformer::new(
            &value,
            &root,
            &targets,
            kind_location(configuration),
            self.diagnostics,
        )?;
        Ok(vec![Transformer::ValueAdd(added)])
    }

    /// Returns the transformer of a `PatchStrategicMergeTransformer`.
    fn strategic_transformer(
        &mut self,
        config: BuiltinConfig,
        configuration: &Resource,
        folder: &Folder<'_>,
    ) -> Result<Vec<Transformer>, Reported> {
        let paths = config.paths.unwrap_or_default();
        let mut entries: Vec<_> = paths.iter().map(strategic_entry).collect();
        let text = config.patches.filter(|text| text.0.text() != Some(""));
        entries.extend(text.iter().map(|text| Ok(strategic_text(text))));
        let patches = self.strategic(entries, kind_location(configuration), folder)?;
        Ok(vec![patches])
    }
}

fn missing_specs(configuration: &Resource) -> Box<Diagnostic> {
    config_error("fieldSpecs is not expected to be nil", configuration)
        .help("list the fields: `fieldSpecs: [{path: metadata/name}]`")
}

fn not_a_transformer(configuration: &Resource) -> Box<Diagnostic> {
    let id = configuration.id();
    if GENERATORS.contains(&id.kind) {
        return config_error(format!("plugin {id} not a transformer"), configuration)
            .help("list it under `generators`");
    }
    unknown_builtin(configuration)
}

/// Returns the error for a kind that kustomize does not have.
pub(super) fn unknown_builtin(configuration: &Resource) -> Box<Diagnostic> {
    let kind = configuration.kind();
    let known = TRANSFORMERS.iter().chain(&GENERATORS).copied();
    let suggestion = crate::source::suggest::did_you_mean(kind, known);
    config_error(format!("unable to load builtin {kind}"), configuration).help_if(suggestion)
}

/// Creates an error at the `kind` of a configuration.
pub(super) fn config_error(
    message: impl Into<String>,
    configuration: &Resource,
) -> Box<Diagnostic> {
    Diagnostic::error(Code::Config, message).at(kind_location(configuration), "")
}

/// Returns the place of the `kind` of a configuration, for messages about all of it.
pub(super) fn kind_location(configuration: &Resource) -> Option<crate::source::Location> {
    let kind = configuration.node.get("kind")?;
    kind.location()
}
