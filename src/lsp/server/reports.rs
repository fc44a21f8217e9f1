//! The diagnostics that the client gets: sent after a build, or as the answer to a request.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lsp_server::{ErrorCode, Notification, Request, RequestId, Response};
use lsp_types::notification::{Cancel, Notification as NotificationKind, PublishDiagnostics};
use lsp_types::request::{
    DocumentDiagnosticRequest, InlayHintRefreshRequest, Request as RequestKind,
    WorkspaceDiagnosticRefresh,
};
use lsp_types::{NumberOrString, PublishDiagnosticsParams};

use super::{Server, read};
use crate::lsp::diagnostics::by_file;
use crate::lsp::pull::{PullRequest, report};
use crate::lsp::requests::read as read_parameters;
use crate::lsp::target::Target;
use crate::lsp::uri::uri_of;
use crate::source::Diagnostic;

impl Server<'_> {
    /// Answers a request for diagnostics, or lets it wait for the build that reads the text.
    pub(super) fn pull(&mut self, request: Request) {
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
        let path = self.path_at(&parameters.text_document.uri);
        self.pulls.push(PullRequest {
            id,
            path: path.unwrap_or_default(),
            previous: parameters.previous_result_id,
        });
        self.answer_pulls();
    }

    /// Answers the requests for diagnostics whose text was built.
    pub(super) fn answer_pulls(&mut self) {
        for pull in std::mem::take(&mut self.pulls) {
            if self.is_being_built(&pull.path) {
                self.pulls.push(pull);
                continue;
            }
            let items = self.published.of(&pull.path);
            let report = report(items, pull.previous.as_deref());
            self.send(Response::new_ok(pull.id, report));
        }
    }

    /// Returns whether a build of a file is running or scheduled.
    fn is_being_built(&self, path: &Path) -> bool {
        let running = self.running.as_ref().map(|(target, _)| target);
        let target = self.targets.get(path);
        target.is_some_and(|target| self.waiting.contains(target) || running == Some(target))
    }

    /// Handles `$/cancelRequest`.
    pub(super) fn cancelled(&mut self, notification: Notification) {
        if let Some(cancelled) = read::<Cancel>(notification) {
            self.cancel(&match cancelled.id {
                NumberOrString::Number(id) => RequestId::from(id),
                NumberOrString::String(id) => RequestId::from(id),
            });
        }
    }

    /// Answers a request that the client no longer needs. All other requests were already answered.
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

    /// Asks the client to ask again for what has changed without an edit.
    pub(super) fn refresh(&mut self) {
        if std::mem::take(&mut self.needs_refresh) && self.session.abilities.refreshes_diagnostics {
            self.ask_client(WorkspaceDiagnosticRefresh::METHOD);
        }
        if self.session.abilities.refreshes_hints {
            self.ask_client(InlayHintRefreshRequest::METHOD);
        }
    }

    /// Sends the diagnostics of the settings of a workspace.
    pub(super) fn publish_settings(&mut self, path: &Path, diagnostics: &[Diagnostic]) {
        let target = Target::Yaml(path.to_owned());
        let files = by_file(diagnostics, path, self.session.encoding);
        self.publish(&target, files);
    }

    /// Sends the diagnostics of a target, and removes those of its former build.
    pub(super) fn publish(
        &mut self,
        target: &Target,
        files: BTreeMap<PathBuf, Vec<lsp_types::Diagnostic>>,
    ) {
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
    pub(super) fn send_diagnostics(&self, path: &Path) {
        self.send_publication(path, self.published.of(path));
    }

    /// Removes the diagnostics that were sent for a file which the client asks about from now on.
    pub(super) fn take_back(&self, path: &Path) {
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
