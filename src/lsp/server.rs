//! The loop of the server.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use crossbeam_channel::{Receiver, Sender, select, unbounded};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    Cancel, DidChangeTextDocument, DidChangeWatchedFiles, DidCloseTextDocument,
    DidOpenTextDocument, DidSaveTextDocument, Notification as NotificationKind, PublishDiagnostics,
};
use lsp_types::request::{
    DocumentDiagnosticRequest, InlayHintRefreshRequest, Request as RequestKind,
    WorkspaceDiagnosticRefresh,
};
use lsp_types::{NumberOrString, PublishDiagnosticsParams};
use serde_json::Value;

use super::analysis::{Analysis, analyze};
use super::diagnostics::by_file;
use super::documents::OpenDocuments;
use super::position::LineIndex;
use super::published::PublishedDiagnostics;
use super::pull::{PullRequest, report};
use super::requests::{Views, answer, read as read_parameters};
use super::session::ClientSession;
use super::target::{SETTINGS, Target, configured, discover};
use super::unsaved::{Unsaved, canonical_place};
use super::uri::{path_of, uri_of};
use super::view::{FolderEntry, View};
use super::waiting::WaitingTargets;
use crate::kubernetes::Resource;
use crate::source::world::{World, read_found_bytes};
use crate::source::{Cancellation, Code, Diagnostic, Diagnostics, Result};

/// Serves a client until it asks to shut down.
///
/// # Errors
/// The client breaks the protocol or goes away.
pub fn serve(world: &dyn World, connection: &Connection) -> Result<()> {
    let session = ClientSession::begin(world, connection)?;
    let (done_sender, done) = unbounded();
    thread::scope(|scope| {
        let mut server = Server {
            world,
            sender: &connection.sender,
            session,
            documents: OpenDocuments::default(),
            analyses: BTreeMap::new(),
            targets: BTreeMap::new(),
            published: PublishedDiagnostics::default(),
            waiting: WaitingTargets::default(),
            is_disk_changed: false,
            running: None,
            pulls: Vec::new(),
            needs_refresh: false,
            refreshes: 0,
        };
        server.run(connection, &done, |target, texts, cancellation| {
            let done = done_sender.clone();
            scope.spawn(move || {
                let analysis = || cancellation.run(|| analyze(world, &target, texts));
                let built = catch_unwind(AssertUnwindSafe(analysis));
                // The receiver is gone only if the server has ended.
                let _ = done.send((target, built.unwrap_or_else(|_| failed_analysis())));
            });
        })
    })
}

/// Returns the error of a client that breaks the protocol.
pub(super) fn protocol_error(error: impl std::fmt::Display) -> Box<Diagnostic> {
    Diagnostic::error(Code::File, format!("the language client: {error}"))
}

/// Returns the analysis of a build that broke down.
pub(super) fn failed_analysis() -> Analysis {
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

/// Returns whether a file is in a hidden folder of a workspace, such as `.git`, which no build reads.
fn is_in_hidden_folder(path: &Path, workspaces: &[PathBuf]) -> bool {
    let below = workspaces
        .iter()
        .find_map(|folder| path.strip_prefix(folder).ok());
    let folder = below.and_then(Path::parent);
    folder.is_some_and(|folder| {
        folder
            .iter()
            .any(|name| name.as_encoded_bytes().starts_with(b"."))
    })
}

/// Returns the path of the file with an object, if it is written in one.
fn file_of(object: &Resource) -> Option<PathBuf> {
    let place = object.node.location()?.in_file();
    Some(PathBuf::from(place.source.shown_name()))
}

/// A finished build.
type Built = (Target, Analysis);

struct Server<'s> {
    world: &'s dyn World,
    sender: &'s Sender<Message>,
    session: ClientSession,
    documents: OpenDocuments,
    /// The last build of each target.
    analyses: BTreeMap<Target, Analysis>,
    /// The targets of the open files.
    targets: BTreeMap<PathBuf, Target>,
    /// The diagnostics that each file has in the editor.
    published: PublishedDiagnostics,
    /// The targets to build next.
    waiting: WaitingTargets,
    /// Whether files on disk have changed since the targets were found.
    is_disk_changed: bool,
    /// The target that is being built.
    running: Option<(Target, Cancellation)>,
    /// The requests for diagnostics that wait for a build.
    pulls: Vec<PullRequest>,
    /// Whether an open file has other diagnostics than the client was told.
    needs_refresh: bool,
    /// The number of requests that were sent to the client.
    refreshes: usize,
}

impl Server<'_> {
    /// Handles messages until the client shuts down. `build` starts a build, whose result comes through `done`.
    fn run(
        &mut self,
        connection: &Connection,
        done: &Receiver<Built>,
        mut build: impl FnMut(Target, BTreeMap<PathBuf, Arc<str>>, Cancellation),
    ) -> Result<()> {
        loop {
            select! {
                recv(connection.receiver) -> message => {
                    let message = message.map_err(protocol_error)?;
                    if let Message::Request(request) = &message
                        && connection.handle_shutdown(request).map_err(protocol_error)?
                    {
                        return Ok(());
                    }
                    self.handle(message);
                }
                recv(done) -> built => {
                    let (target, analysis) = built.map_err(protocol_error)?;
                    self.finish(target, analysis);
                }
            }
            // A checkout changes many files, which are looked for once.
            if self.is_disk_changed && connection.receiver.is_empty() {
                self.is_disk_changed = false;
                self.find_targets();
            }
            // All that was typed until now is part of one build.
            if self.running.is_none()
                && connection.receiver.is_empty()
                && let Some(target) = self.waiting.next()
            {
                let cancellation = Cancellation::default();
                self.running = Some((target.clone(), cancellation.clone()));
                build(target, self.documents.texts(), cancellation);
            }
        }
    }

    fn handle(&mut self, message: Message) {
        match message {
            Message::Request(request) if request.method == DocumentDiagnosticRequest::METHOD => {
                self.pull(request);
            }
            Message::Request(request) => {
                let id = request.id.clone();
                let answered = catch_unwind(AssertUnwindSafe(|| answer(request, self)));
                let response = answered.unwrap_or_else(|_| {
                    let message = "the request failed because of a bug in inlay".to_owned();
                    Response::new_err(id, ErrorCode::InternalError as i32, message)
                });
                self.send(response);
            }
            Message::Notification(notification) => self.notify(notification),
            // The answer to the registration of watchers. Without them, files are read again when they are opened.
            Message::Response(_) => {}
        }
    }

    fn send(&self, message: impl Into<Message>) {
        // If the client is gone, the loop ends with its next message.
        let _ = self.sender.send(message.into());
    }

    /// Answers a request for diagnostics, or lets it wait for the build that reads the text.
    fn pull(&mut self, request: Request) {
        let id = request.id.clone();
        let parameters = match read_parameters::<DocumentDiagnosticRequest>(request) {
            Ok(parameters) => parameters,
            Err(error) => {
                self.send(Response {
                    id,
                    response_result: Err(error),
                });
                return;
            }
        };
        let path = self.canonical(&parameters.text_document.uri);
        self.pulls.push(PullRequest {
            id,
            path: path.unwrap_or_default(),
            previous: parameters.previous_result_id,
        });
        self.answer_pulls();
    }

    /// Answers the requests for diagnostics whose text was built.
    fn answer_pulls(&mut self) {
        for pull in std::mem::take(&mut self.pulls) {
            let target = self.targets.get(&pull.path);
            let is_running = |target| self.running.as_ref().map(|(own, _)| own) == Some(target);
            if target.is_some_and(|target| self.waiting.contains(target) || is_running(target)) {
                self.pulls.push(pull);
                continue;
            }
            let items = self.published.of(&pull.path);
            let report = report(items, pull.previous.as_deref());
            self.send(Response::new_ok(pull.id, report));
        }
    }

    /// Asks the client to ask again for what has changed without an edit.
    fn refresh(&mut self) {
        if std::mem::take(&mut self.needs_refresh) && self.session.abilities.refreshes_diagnostics {
            self.ask_client(WorkspaceDiagnosticRefresh::METHOD);
        }
        if self.session.abilities.refreshes_hints {
            self.ask_client(InlayHintRefreshRequest::METHOD);
        }
    }

    fn ask_client(&mut self, method: &str) {
        self.refreshes += 1;
        let id = RequestId::from(format!("inlay-refresh-{}", self.refreshes));
        self.send(Request::new(id, method.to_owned(), Value::Null));
    }

    /// Handles a notification. One that cannot be read is skipped: there is nobody to answer to.
    fn notify(&mut self, notification: Notification) {
        match notification.method.as_str() {
            DidOpenTextDocument::METHOD => self.opened(notification),
            DidChangeTextDocument::METHOD => self.changed(notification),
            DidCloseTextDocument::METHOD => self.closed(notification),
            Cancel::METHOD => self.cancelled(notification),
            // What is on disk has changed: which files there are, and so which targets.
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
        if let Some(path) = self.canonical(&document.uri) {
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
        if let Some(path) = self.canonical(&changed.text_document.uri) {
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
        if let Some(path) = closed.and_then(|closed| self.canonical(&closed.text_document.uri)) {
            self.close(&path);
        }
    }

    fn cancelled(&mut self, notification: Notification) {
        if let Some(cancelled) = read::<Cancel>(notification) {
            self.cancel(&match cancelled.id {
                NumberOrString::Number(id) => RequestId::from(id),
                NumberOrString::String(id) => RequestId::from(id),
            });
        }
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

    /// Answers a request that the client does not need any more. All others are answered already.
    fn cancel(&mut self, id: &RequestId) {
        let Some(at) = self.pulls.iter().position(|pull| pull.id == *id) else {
            return;
        };
        let pull = self.pulls.remove(at);
        let message = "the client has cancelled the request".to_owned();
        self.send(Response::new_err(
            pull.id,
            ErrorCode::RequestCanceled as i32,
            message,
        ));
    }

    /// Returns the canonical path of a file, also of one that is not saved yet.
    fn canonical(&self, uri: &lsp_types::Uri) -> Option<PathBuf> {
        let path = path_of(uri)?;
        let real = self.world.canonical(&path).ok();
        Some(
            real.or_else(|| canonical_place(self.world, &path))
                .unwrap_or(path),
        )
    }

    /// Returns whether an open file contains code, as far as it is known without parsing it. Its target depends on it.
    fn is_template(&self, path: &Path) -> bool {
        let document = self.documents.get(path);
        document.is_some_and(|document| document.text.contains("#@"))
    }

    /// Finds the target of an open file.
    fn find_target(&mut self, path: &Path) {
        let workspace = self
            .session
            .workspaces
            .iter()
            .filter(|folder| path.starts_with(folder))
            .max_by_key(|folder| folder.as_os_str().len());
        let workspace = match workspace {
            Some(workspace) => workspace.clone(),
            // A file that was opened by itself: its folder is all that belongs to it.
            None => path.parent().unwrap_or(path).to_owned(),
        };
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

    fn publish_settings(&mut self, path: &Path, diagnostics: &[Diagnostic]) {
        let target = Target::Yaml(path.to_owned());
        let files = by_file(diagnostics, path, self.session.encoding);
        self.publish(&target, files);
    }

    /// Finds the targets of all open files again, and builds them.
    fn find_targets(&mut self) {
        let paths: Vec<PathBuf> = self.documents.paths().map(Path::to_owned).collect();
        for path in paths {
            self.find_target(&path);
            self.build_again(&path);
        }
    }

    fn build_again(&mut self, path: &Path) {
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

    /// Forgets a target, unless another open file is part of it.
    fn forget(&mut self, target: Option<Target>) {
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
    fn finish(&mut self, target: Target, analysis: Analysis) {
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
        let Some(path) = self
            .targets
            .iter()
            .find(|(_, of)| **of == target)
            .map(|(path, _)| path)
        else {
            // All its files were closed meanwhile.
            return;
        };
        let files = by_file(&analysis.diagnostics, path, self.session.encoding);
        // While something is wrong, completion goes on with what was known before.
        if let Some(former) = self.analyses.remove(&target) {
            if analysis.values.is_none() {
                analysis.values = former.values;
            }
            if analysis.files.is_empty() {
                analysis.files = former.files;
            }
            if analysis.merges.is_empty() {
                analysis.merges = former.merges;
            }
            // The file with the edits may be in a state in which it is not found by its name.
            analysis.edits_file = analysis.edits_file.or(former.edits_file);
            if analysis.objects.is_empty() {
                analysis.objects = former.objects;
            }
        }
        self.analyses.insert(target.clone(), analysis);
        self.publish(&target, files);
    }

    /// Sends the diagnostics of a target, and removes those of its former build.
    fn publish(&mut self, target: &Target, files: BTreeMap<PathBuf, Vec<lsp_types::Diagnostic>>) {
        for path in self.published.replace(target, files) {
            if self.is_pulled(&path) {
                self.needs_refresh |= !self.pulls.iter().any(|pull| pull.path == path);
            } else {
                self.send_diagnostics(&path);
            }
        }
    }

    /// Returns whether the client asks for the diagnostics of a file.
    fn is_pulled(&self, path: &Path) -> bool {
        self.session.abilities.pulls && self.documents.get(path).is_some()
    }

    /// Sends the diagnostics of a file.
    fn send_diagnostics(&self, path: &Path) {
        self.send_publication(path, self.published.of(path));
    }

    /// Removes the diagnostics that were sent for a file which the client asks about from now on.
    fn take_back(&self, path: &Path) {
        if self.session.abilities.pulls && self.published.contains(path) {
            self.send_publication(path, Vec::new());
        }
    }

    fn send_publication(&self, path: &Path, diagnostics: Vec<lsp_types::Diagnostic>) {
        if let Some(uri) = uri_of(path) {
            let version = self.documents.get(path).map(|document| document.version);
            let parameters = PublishDiagnosticsParams {
                uri,
                diagnostics,
                version,
            };
            let method = PublishDiagnostics::METHOD.to_owned();
            self.send(Notification::new(method, parameters));
        }
    }
}

/// Reads the parameters of a notification.
pub(super) fn read<N: NotificationKind>(notification: Notification) -> Option<N::Params> {
    serde_json::from_value(notification.params).ok()
}

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
        let real = self.world.canonical(path).ok();
        let path = real
            .or_else(|| canonical_place(self.world, path))
            .unwrap_or_else(|| path.to_owned());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_in_hidden_folders_are_not_of_a_build() {
        let workspaces = [PathBuf::from("/home/.me/w")];
        let is_hidden = |path: &str| is_in_hidden_folder(Path::new(path), &workspaces);
        assert!(is_hidden("/home/.me/w/.git/index"));
        assert!(!is_hidden("/home/.me/w/config/app.yml"));
        assert!(!is_hidden("/home/.me/w/.settings.yaml"));
    }
}
