//! What comes once, at the root of a build: suffixes, references, variables, and the order.

use super::accumulator::Accumulator;
use super::file::KustomizationFile;
use super::options::KustomizationOptions;
use crate::kubernetes::Resource;
use crate::kustomize::add_suffixes;
use crate::source::{Diagnostics, Reported};

/// The settings that count only in the file that a build starts with.
pub(super) struct RootSettings {}

/// Marks objects that are only for the build, and not for the cluster.
const LOCAL_CONFIG: &str = "config.kubernetes.io/local-config";

impl RootSettings {
    /// Reads the settings.
    ///
    /// # Errors
    /// Reports every mistake in them.
    pub(super) fn read(
        _file: &KustomizationFile,
        _options: &KustomizationOptions,
        _diagnostics: &mut Diagnostics,
    ) -> Result<RootSettings, Reported> {
        Ok(RootSettings {})
    }
}

/// Finishes a build.
///
/// # Errors
/// Reports an ambiguous reference, and objects with the same id.
pub(super) fn finish(
    accumulated: Accumulator,
    _settings: &RootSettings,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Resource>, Reported> {
    let mut accumulated = accumulated;
    add_suffixes(accumulated.edit(), diagnostics)?;
    accumulated.edit().retain(|resource| !is_local(resource));
    diagnostics.check(accumulated.check_ids())?;
    Ok(accumulated.resources)
}

/// Returns whether an object is dropped. Every value but `false` means that it is.
fn is_local(resource: &Resource) -> bool {
    match resource.annotation(LOCAL_CONFIG) {
        Some(value) => value != "false",
        None => false,
    }
}
