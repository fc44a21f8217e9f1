//! The server: one thread that handles messages, and another one for each build.
//!
//! ```text
//! client ── messages ──▶ loop ── target, texts ──▶ build
//!        ◀── answers ───      ◀──── analysis ─────
//! ```
//!
//! A request is answered at once, from the texts of the editor and the last builds. At most one
//! build runs. The loop starts the next one when no message waits, so that everything that was
//! typed until then is part of it.

mod builds;
mod notifications;
mod reports;
mod views;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use crossbeam_channel::{Receiver, Sender, select, unbounded};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::Notification as NotificationKind;
use lsp_types::request::{DocumentDiagnosticRequest, Request as RequestKind};
use serde_json::Value;

pub(super) use self::builds::failed_analysis;
use super::analysis::{Analysis, analyze};
use super::documents::OpenDocuments;
use super::published::PublishedDiagnostics;
use super::pull::PullRequest;
use super::requests::answer;
use super::session::ClientSession;
use super::target::Target;
use super::unsaved::canonical_place;
use super::uri::path_of;
use super::waiting::WaitingTargets;
use crate::source::world::World;
use crate::source::{Cancellation, Code, Diagnostic, Result};

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
    /// Whether the diagnostics of an open file differ from those that the client has.
    needs_refresh: bool,
    /// The number of requests that were sent to the client.
    refreshes: usize,
}

impl Server<'_> {
    /// Handles messages until the client shuts down. `build` starts a build, whose result comes
    /// through `done`.
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
            if !connection.receiver.is_empty() {
                continue;
            }
            // A checkout changes many files, which are looked for once.
            if std::mem::take(&mut self.is_disk_changed) {
                self.find_targets();
            }
            if self.running.is_none()
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
            // The answer to the registration of watchers. A client that has none says when it saves
            // a file.
            Message::Response(_) => {}
        }
    }

    fn send(&self, message: impl Into<Message>) {
        // If the client is gone, the loop ends with its next message.
        let _ = self.sender.send(message.into());
    }

    fn ask_client(&mut self, method: &str) {
        self.refreshes += 1;
        let id = RequestId::from(format!("inlay-refresh-{}", self.refreshes));
        self.send(Request::new(id, method.to_owned(), Value::Null));
    }

    /// Returns the canonical path of the file at an address.
    fn path_at(&self, uri: &lsp_types::Uri) -> Option<PathBuf> {
        Some(self.canonical(&path_of(uri)?))
    }

    /// Returns the canonical path of a file, also of one that is not saved yet.
    fn canonical(&self, path: &Path) -> PathBuf {
        let real = self.world.canonical(path).ok();
        real.or_else(|| canonical_place(self.world, path))
            .unwrap_or_else(|| path.to_owned())
    }
}

/// Reads the parameters of a notification.
pub(super) fn read<N: NotificationKind>(notification: Notification) -> Option<N::Params> {
    serde_json::from_value(notification.params).ok()
}
