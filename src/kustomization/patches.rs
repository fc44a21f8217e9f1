//! The three fields that contain patches.
//!
//! `patches` takes strategic merge patches and JSON patches. The two old fields take one language
//! each, and run at places of their own in the order of transformers.

use super::accumulate::KustomizationBuild;
use super::config::KustomizationConfig;
use super::transformers::Transformer;
use crate::kustomize::patch::{self, Patch, PatchConfig, PatchOptions, PatchType};
use crate::kustomize::{EditRules, config_error};
use crate::source::world::Folder;
use crate::source::{Location, Reported, Result, collect_all};
use crate::typed::{RawNode, Spanned};
use crate::yaml::parse_data;
use crate::yaml::spelling::text_source;

impl KustomizationBuild<'_> {
    /// Checks the entries of `patches`.
    ///
    /// # Errors
    /// Reports every mistake in them.
    pub(super) fn patches(
        &mut self,
        config: &KustomizationConfig,
        folder: &Folder<'_>,
    ) -> Result<Vec<Transformer>, Reported> {
        let runs = self.together(config.patches.clone()).into_iter();
        collect_all(runs.map(|entries| {
            let entries = entries.into_iter();
            let patches = collect_all(entries.map(|entry| self.patch(entry, folder)))?;
            Ok(Transformer::Patches(patches))
        }))
    }

    /// Checks the entries of `patchesStrategicMerge`: each is a patch, or the name of a file.
    ///
    /// # Errors
    /// Reports every mistake in them.
    pub(super) fn strategic_patches(
        &mut self,
        config: &KustomizationConfig,
        folder: &Folder<'_>,
    ) -> Result<Vec<Transformer>, Reported> {
        let Some(field) = &config.patches_strategic_merge else {
            return Ok(Vec::new());
        };
        if field.value.is_empty() {
            return Ok(Vec::new());
        }
        let entries = field.value.iter().map(strategic_entry).collect();
        let patches = self.strategic(entries, field.location.clone(), folder)?;
        Ok(vec![patches])
    }

    /// Returns the transformer for strategic merge patches that are one step. `location` is where
    /// they are listed.
    ///
    /// # Errors
    /// Reports every mistake in them, and if no entry contains a patch.
    pub(super) fn strategic(
        &mut self,
        entries: Vec<Result<Spanned<PatchConfig>>>,
        location: Option<Location>,
        folder: &Folder<'_>,
    ) -> Result<Transformer, Reported> {
        let patches = collect_all(entries.into_iter().map(|entry| {
            let entry = self.diagnostics.check(entry)?;
            Ok(self.patch(entry, folder)?.with_metadata_texts())
        }))?;
        if patches.iter().all(Patch::is_empty) {
            let error = config_error("patch appears to be empty", location);
            return Err(self.diagnostics.report(error));
        }
        Ok(Transformer::Patches(patches))
    }

    /// Checks the entries of `patchesJson6902`.
    ///
    /// # Errors
    /// Reports every mistake in them.
    pub(super) fn json_patches(
        &mut self,
        config: &KustomizationConfig,
        folder: &Folder<'_>,
    ) -> Result<Vec<Transformer>, Reported> {
        let Some(field) = &config.patches_json6902 else {
            return Ok(Vec::new());
        };
        let runs = self.together(Some(field.value.clone())).into_iter();
        collect_all(runs.map(|entries| {
            let entries = entries.into_iter();
            let patches = collect_all(entries.map(|entry| {
                let entry = self.diagnostics.check(json_entry(entry))?;
                // A later step does not find an object by a name that such a patch changed.
                Ok(self.patch(entry, folder)?.without_record())
            }))?;
            Ok(Transformer::Patches(patches))
        }))
    }

    /// Checks an entry of `patches`, and returns the patch.
    ///
    /// # Errors
    /// Reports every mistake in it.
    pub(super) fn patch(
        &mut self,
        entry: Spanned<PatchConfig>,
        folder: &Folder<'_>,
    ) -> Result<Patch, Reported> {
        patch::check(entry, EditRules::Kustomize, folder, self.diagnostics)
    }
}

/// Returns the patch that a text contains, or the one in the file that it names.
pub(super) fn strategic_entry(node: &RawNode) -> Result<Spanned<PatchConfig>> {
    if is_inline(node) {
        return Ok(strategic_text(node));
    }
    let location = node.0.location();
    let Some(text) = node.0.resolved().as_str() else {
        let found = node.0.described();
        let message = format!("expected a patch or the name of a file, found {found}");
        return Err(config_error(message, location));
    };
    let mut value = typed_entry(PatchType::Strategic, &location);
    value.path = Some(Spanned {
        value: text.to_owned(),
        location: location.clone(),
    });
    Ok(Spanned { value, location })
}

/// Returns the patch that a text contains.
pub(super) fn strategic_text(node: &RawNode) -> Spanned<PatchConfig> {
    let location = node.0.location();
    let mut value = typed_entry(PatchType::Strategic, &location);
    value.patch = Some(node.clone());
    Spanned { value, location }
}

/// Returns whether a text contains an object, and is not the name of a file.
pub(super) fn is_inline(node: &RawNode) -> bool {
    let stream = parse_data(&text_source(node.0.resolved()));
    stream.is_ok_and(|stream| {
        let mut documents = stream.documents.iter();
        documents.any(|document| document.root.resolved().as_mapping().is_some())
    })
}

/// Returns an entry of `patchesJson6902` with its language set.
pub(super) fn json_entry(entry: Spanned<PatchConfig>) -> Result<Spanned<PatchConfig>> {
    let Spanned { value, location } = entry;
    let target = value.target.as_ref();
    let name = target.and_then(|target| target.value.name.as_ref());
    if name.is_none_or(|name| name.value.is_empty()) {
        return Err(config_error("must specify the target name", location)
            .help("name the object: `target: {kind: Deployment, name: web}`"));
    }
    let typed = typed_entry(PatchType::Json, &location);
    Ok(Spanned {
        value: PatchConfig {
            options: typed.options,
            ..value
        },
        location,
    })
}

fn typed_entry(language: PatchType, location: &Option<Location>) -> PatchConfig {
    PatchConfig {
        patch: None,
        path: None,
        target: None,
        options: Some(PatchOptions::of_type(Spanned {
            value: language,
            location: location.clone(),
        })),
    }
}
