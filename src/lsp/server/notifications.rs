//! Notifications: the client opens, changes and closes texts, and files change on disk.

use std::path::{Path, PathBuf};

use lsp_server::Notification;
use lsp_types::notification::{
    Cancel, DidChangeTextDocument, DidChangeWatchedFiles, DidCloseTextDocument,
    DidOpenTextDocument, DidSaveTextDocument, Notification as NotificationKind,
};

use super::{Server, read};
use crate::lsp::uri::path_of;

impl Server<'_> {
    /// Handles a notification. One that cannot be read is skipped, because a notification has no
    /// answer that could report it.
    pub(super) fn notify(&mut self, notification: Notification) {
        match notification.method.as_str() {
            DidOpenTextDocument::METHOD => self.opened(notification),
            DidChangeTextDocument::METHOD => self.changed(notification),
            DidCloseTextDocument::METHOD => self.closed(notification),
            Cancel::METHOD => self.cancelled(notification),
            // Files may have been created or removed on disk, which changes the targets.
            DidSaveTextDocument::METHOD => self.is_disk_changed = true,
            DidChangeWatchedFiles::METHOD => self.files_changed(notification),
            _ => {}
        }
    }

    fn opened(&mut self, notification: Notification) {
        let Some(opened) = read::<DidOpenTextDocument>(notification) else {
            return;
        };
        let document = opened.text_document;
        if let Some(path) = self.path_at(&document.uri) {
            self.documents
                .open(path.clone(), document.text, document.version);
            self.take_back(&path);
            self.find_target(&path);
            self.build_again(&path);
        }
    }

    fn changed(&mut self, notification: Notification) {
        let Some(changed) = read::<DidChangeTextDocument>(notification) else {
            return;
        };
        if let Some(path) = self.path_at(&changed.text_document.uri) {
            let version = changed.text_document.version;
            let changes = changed.content_changes;
            let was_template = self.is_template(&path);
            self.documents
                .change(&path, version, changes, self.session.encoding);
            if self.is_template(&path) != was_template {
                self.find_target(&path);
            }
            self.build_again(&path);
        }
    }

    fn closed(&mut self, notification: Notification) {
        let closed = read::<DidCloseTextDocument>(notification);
        if let Some(path) = closed.and_then(|closed| self.path_at(&closed.text_document.uri)) {
            self.close(&path);
        }
    }

    fn close(&mut self, path: &Path) {
        self.documents.close(path);
        let former = self.targets.remove(path);
        self.forget(former);
        // The client asks for the diagnostics of open files only.
        if self.session.abilities.pulls {
            self.send_diagnostics(path);
        }
        self.answer_pulls();
    }

    fn files_changed(&mut self, notification: Notification) {
        let Some(watched) = read::<DidChangeWatchedFiles>(notification) else {
            return;
        };
        let mut paths = watched.changes.iter().map(|change| path_of(&change.uri));
        self.is_disk_changed |= paths.any(|path| {
            path.is_none_or(|path| !is_in_hidden_folder(&path, &self.session.workspaces))
        });
    }
}

/// Returns whether a file is in a hidden folder of a workspace, such as `.git`, which no build
/// reads.
fn is_in_hidden_folder(path: &Path, workspaces: &[PathBuf]) -> bool {
    let mut workspaces = workspaces.iter();
    let below = workspaces.find_map(|folder| path.strip_prefix(folder).ok());
    let mut names = below.and_then(Path::parent).into_iter().flatten();
    names.any(|name| name.as_encoded_bytes().starts_with(b"."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_in_hidden_folders_do_not_start_a_build() {
        let workspaces = [PathBuf::from("/home/.me/w")];
        let is_hidden = |path: &str| is_in_hidden_folder(Path::new(path), &workspaces);
        assert!(is_hidden("/home/.me/w/.git/index"));
        assert!(!is_hidden("/home/.me/w/config/app.yml"));
        assert!(!is_hidden("/home/.me/w/.settings.yaml"));
    }
}
