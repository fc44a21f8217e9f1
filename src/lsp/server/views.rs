//! The view of the server that requests get: the open files, and those that the last builds read.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Server;
use crate::kubernetes::Resource;
use crate::lsp::analysis::Analysis;
use crate::lsp::position::LineIndex;
use crate::lsp::requests::Views;
use crate::lsp::target::Target;
use crate::lsp::view::{FolderEntry, View};
use crate::source::world::read_found_bytes;

impl Server<'_> {
    /// Returns the text of a file as the editor shows it, or as it is on disk.
    fn text(&self, path: &Path) -> Option<Arc<str>> {
        // The path of a linked file is not the one that its text is stored by.
        let real = self.world.canonical(path);
        let real = real.as_deref().unwrap_or(path);
        if let Some(document) = self.documents.get(real) {
            return Some(Arc::clone(&document.text));
        }
        let bytes = read_found_bytes(self.world, path).ok()?;
        Some(String::from_utf8(bytes).ok()?.into())
    }

    /// Calls `answer` with a file that has this text.
    fn view(&self, path: &Path, text: &str, answer: &mut dyn FnMut(&View<'_>)) {
        let target = self.targets.get(path);
        let data_values_files = match target {
            Some(Target::Build(build)) => build.data_values_files.as_slice(),
            _ => &[],
        };
        let analysis = target.and_then(|target| self.analyses.get(target));
        let analyses: Vec<&Analysis> = self.analyses.values().collect();
        answer(&View {
            path,
            text,
            lines: LineIndex::new(text, self.session.encoding),
            reader: OnceCell::new(),
            analysis,
            analyses: &analyses,
            data_values_files,
            read: &|path| self.text(path),
            list: &|folder| self.list(folder),
        });
    }

    /// Returns what is in a folder, in the order of the names.
    fn list(&self, folder: &Path) -> Vec<FolderEntry> {
        let mut paths = self.world.list(folder).unwrap_or_default();
        paths.sort();
        let entries = paths.into_iter().map(|path| FolderEntry {
            is_folder: self.world.is_folder(&path),
            path,
        });
        entries.collect()
    }

    /// Returns the files that are open, and those that the last builds have read.
    fn known_files(&self) -> BTreeSet<PathBuf> {
        let mut paths: BTreeSet<PathBuf> = self.documents.paths().map(Path::to_owned).collect();
        for analysis in self.analyses.values() {
            let files = analysis.files.iter().map(|file| file.place.clone());
            let objects = analysis.objects.iter().filter_map(file_of);
            let found = files.chain(objects).chain(analysis.edits_file.clone());
            // An open file is known by this path.
            paths.extend(found.filter_map(|path| self.world.canonical(&path).ok()));
        }
        paths
    }
}

impl Views for Server<'_> {
    fn with_view(&self, path: &Path, answer: &mut dyn FnMut(&View<'_>)) {
        let path = self.canonical(path);
        if let Some(document) = self.documents.get(&path) {
            self.view(&path, &document.text, answer);
        }
    }

    fn with_each_view(&self, answer: &mut dyn FnMut(&View<'_>)) {
        for path in self.known_files() {
            // A file may be gone since it was read.
            if let Some(text) = self.text(&path) {
                self.view(&path, &text, answer);
            }
        }
    }

    fn published(&self, path: &Path) -> Vec<lsp_types::Diagnostic> {
        let real = self.world.canonical(path);
        self.published.of(real.as_deref().unwrap_or(path))
    }
}

/// Returns the path of the file with an object, if it is written in one.
fn file_of(object: &Resource) -> Option<PathBuf> {
    let place = object.node.location()?.in_file();
    Some(PathBuf::from(place.source.shown_name()))
}
