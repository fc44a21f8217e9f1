//! Decides which targets are built and when, and which of their results are kept.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::Server;
use crate::lsp::analysis::Analysis;
use crate::lsp::diagnostics::by_file;
use crate::lsp::target::{SETTINGS, Target, configured, discover};
use crate::lsp::unsaved::Unsaved;
use crate::source::{Code, Diagnostic, Diagnostics};

impl Server<'_> {
    /// Returns whether an open file contains code, as far as it is known without parsing it. Its
    /// target depends on it.
    pub(super) fn is_template(&self, path: &Path) -> bool {
        let document = self.documents.get(path);
        document.is_some_and(|document| document.text.contains("#@"))
    }

    /// Finds the target of an open file.
    pub(super) fn find_target(&mut self, path: &Path) {
        let workspace = self.workspace_of(path).to_owned();
        let mut diagnostics = Diagnostics::default();
        // A file that was just made is empty on disk, and a template in the editor.
        let world = Unsaved::new(self.world, self.documents.texts());
        let targets = configured(&world, &workspace, &mut diagnostics).unwrap_or_default();
        self.publish_settings(&workspace.join(SETTINGS), diagnostics.as_slice());
        let found = targets.into_iter().find(|target| target.contains(path));
        let target = found.or_else(|| discover(&world, &workspace, path));
        let former = match target {
            Some(target) => self.targets.insert(path.to_owned(), target),
            None => self.targets.remove(path),
        };
        self.forget(former);
    }

    /// Returns the innermost folder of the editor that contains a file. A file that was opened by
    /// itself has only its own folder.
    fn workspace_of<'p>(&'p self, path: &'p Path) -> &'p Path {
        let workspaces = self.session.workspaces.iter();
        let around = workspaces.filter(|folder| path.starts_with(folder));
        let innermost = around.max_by_key(|folder| folder.as_os_str().len());
        innermost.map_or_else(|| path.parent().unwrap_or(path), PathBuf::as_path)
    }

    /// Finds the targets of all open files again, and builds them.
    pub(super) fn find_targets(&mut self) {
        let paths: Vec<PathBuf> = self.documents.paths().map(Path::to_owned).collect();
        for path in paths {
            self.find_target(&path);
            self.build_again(&path);
        }
    }

    /// Schedules a build of the target of a file whose text has changed.
    pub(super) fn build_again(&mut self, path: &Path) {
        if let Some(target) = self.targets.get(path) {
            // The build that runs has read an older text.
            if let Some((running, cancellation)) = &self.running
                && running == target
            {
                cancellation.cancel();
            }
            self.waiting.add(target.clone());
        }
    }

    /// Forgets a target, unless another open file is part of it.
    pub(super) fn forget(&mut self, target: Option<Target>) {
        let Some(target) = target else { return };
        if self.targets.values().any(|other| *other == target) {
            // The closed file may have had other content than its file on disk.
            self.waiting.add(target);
            return;
        }
        self.waiting.remove(&target);
        self.analyses.remove(&target);
        self.publish(&target, BTreeMap::new());
    }

    /// Takes the result of a build, unless its text has changed meanwhile.
    pub(super) fn finish(&mut self, target: Target, analysis: Analysis) {
        let running = self.running.take();
        if running.is_some_and(|(_, cancellation)| cancellation.is_cancelled()) {
            return;
        }
        self.accept(target, analysis);
        self.answer_pulls();
        self.refresh();
    }

    /// Keeps and shows the result of a build.
    fn accept(&mut self, target: Target, mut analysis: Analysis) {
        let mut open = self.targets.iter();
        let Some((path, _)) = open.find(|(_, own)| **own == target) else {
            // All its files were closed meanwhile.
            return;
        };
        let files = by_file(&analysis.diagnostics, path, self.session.encoding);
        // After a mistake, completion continues to use the earlier results.
        if let Some(former) = self.analyses.remove(&target) {
            analysis.complete_from(former);
        }
        self.analyses.insert(target.clone(), analysis);
        self.publish(&target, files);
    }
}

/// Returns the analysis of a build that crashed.
pub(in crate::lsp) fn failed_analysis() -> Analysis {
    let bug = Diagnostic::error(
        Code::Limit,
        "the build of this file failed because of a bug in inlay",
    )
    .help("run the command line on the same files, and report what it prints");
    Analysis {
        diagnostics: vec![*bug],
        ..Analysis::default()
    }
}
