//! What comes once, at the root of a build: suffixes, references, variables, and the order.

use super::accumulator::Accumulator;
use super::file::KustomizationFile;
use super::options::KustomizationOptions;
use crate::kubernetes::Resource;
use crate::kustomize::add_suffixes;
use crate::kustomize::order::{SortOrder, sort};
use crate::kustomize::output::{BuildMetadata, finish_annotations};
use crate::source::{Diagnostics, Reported};

/// The settings that count only in the file that a build starts with.
pub(super) struct RootSettings {
    order: SortOrder,
    metadata: BuildMetadata,
}

/// Marks objects that are only for the build, and not for the cluster.
const LOCAL_CONFIG: &str = "config.kubernetes.io/local-config";

impl RootSettings {
    /// Reads the settings.
    ///
    /// # Errors
    /// Reports every mistake in them.
    pub(super) fn read(
        file: &KustomizationFile,
        options: &KustomizationOptions,
        diagnostics: &mut Diagnostics,
    ) -> Result<RootSettings, Reported> {
        let order = match file.config.sort_options.clone() {
            Some(config) => diagnostics.check(config.value.check(config.location))?,
            None if options.keeps_order => SortOrder::Fifo,
            None => SortOrder::default(),
        };
        let asks_for = |word: &str| {
            let words = file.config.build_metadata.iter().flatten();
            words.into_iter().any(|asked| asked.value == word)
        };
        let metadata = BuildMetadata {
            has_origin: asks_for("originAnnotations"),
            has_transformations: asks_for("transformerAnnotations"),
        };
        Ok(RootSettings { order, metadata })
    }
}

/// Finishes a build.
///
/// # Errors
/// Reports an ambiguous reference, and objects with the same id.
pub(super) fn finish(
    accumulated: Accumulator,
    settings: &RootSettings,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Resource>, Reported> {
    let mut accumulated = accumulated;
    add_suffixes(accumulated.edit(), diagnostics)?;
    accumulated.edit().retain(|resource| !is_local(resource));
    diagnostics.check(accumulated.check_ids())?;
    let mut resources = accumulated.resources;
    sort(&mut resources, &settings.order);
    for resource in &mut resources {
        finish_annotations(resource, settings.metadata, diagnostics)?;
    }
    Ok(resources)
}

/// Returns whether an object is dropped. Every value but `false` means that it is.
fn is_local(resource: &Resource) -> bool {
    match resource.annotation(LOCAL_CONFIG) {
        Some(value) => value != "false",
        None => false,
    }
}
