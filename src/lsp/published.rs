//! The diagnostics that the editor shows.
//!
//! A file may be part of several targets: for a file that two builds load, each build may find
//! different mistakes. So diagnostics are kept by file and target, and a build replaces the
//! diagnostics of its own target in all files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lsp_types::Diagnostic;

use super::target::Target;

/// The diagnostics of each file, by target.
#[derive(Default)]
pub(super) struct PublishedDiagnostics(BTreeMap<PathBuf, BTreeMap<Target, Vec<Diagnostic>>>);

impl PublishedDiagnostics {
    /// Replaces the diagnostics of a target, and returns the files whose diagnostics have changed.
    pub(super) fn replace(
        &mut self,
        target: &Target,
        mut files: BTreeMap<PathBuf, Vec<Diagnostic>>,
    ) -> Vec<PathBuf> {
        // Files without mistakes now had some before.
        for (path, published) in &self.0 {
            if published.contains_key(target) {
                files.entry(path.clone()).or_default();
            }
        }
        let mut changed = Vec::new();
        for (path, diagnostics) in files {
            let of_file = self.0.entry(path.clone()).or_default();
            let is_new = match diagnostics.is_empty() {
                true => of_file.remove(target).is_some(),
                false => {
                    let former = of_file.insert(target.clone(), diagnostics.clone());
                    former.as_ref() != Some(&diagnostics)
                }
            };
            if is_new {
                changed.push(path);
            }
        }
        self.0.retain(|_, targets| !targets.is_empty());
        changed
    }

    /// Returns whether a file has diagnostics.
    pub(super) fn contains(&self, path: &Path) -> bool {
        self.0.contains_key(path)
    }

    /// Returns the diagnostics of a file. Two targets of one file often find the same.
    pub(super) fn of(&self, path: &Path) -> Vec<Diagnostic> {
        let mut all: Vec<Diagnostic> = Vec::new();
        let targets = self.0.get(path).into_iter();
        for found in targets.flat_map(BTreeMap::values).flatten() {
            if !all.contains(found) {
                all.push(found.clone());
            }
        }
        all
    }
}
