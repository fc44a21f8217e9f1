//! Keeps the server of an editor alive: the server runs in a separate process, which is restarted
//! if a bug ends it.
//!
//! ```text
//! editor  ◀──▶  supervisor  ◀──▶  worker: the server
//!               the texts that are open, the requests without an answer
//! ```
//!
//! A release build ends at a panic, and no program survives a stack overflow or a lack of memory.
//! The supervisor only passes messages on, and stores the state that a new worker needs. After a
//! crash, it answers the open requests with an error. The new worker starts with the next message
//! and not immediately, because a text that crashes one worker would also crash the next one.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded, select, unbounded};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, Exit, Initialized,
    Notification as NotificationKind, PublishDiagnostics, ShowMessage,
};
use lsp_types::request::{Initialize, RegisterCapability, Request as RequestKind, Shutdown};
use serde_json::{Value, json};

use super::documents::OpenDocuments;
use super::position::ColumnEncoding;
use super::server::{protocol_error, read};
use super::transport::{read_all, write_all};
use crate::source::world::{PipedWorker, reason};
use crate::source::{Code, Diagnostic, Result};

/// The maximum time that a worker may take to end after the editor has requested it.
const END_TIME: Duration = Duration::from_secs(5);

/// The outcome of a supervisor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Supervised {
    /// The editor has requested the end of the server.
    Done,
    /// The worker has reported an error, and has ended.
    WorkerFailed,
}

/// Serves a client that writes to `input` and reads from `output`, until it asks to shut down.
/// `start` starts a worker.
///
/// # Errors
/// The client breaks the protocol or goes away, or no worker can be started.
pub fn supervise(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    start: impl Fn() -> std::io::Result<PipedWorker>,
) -> Result<Supervised> {
    let (incoming, from_client) = bounded(0);
    let (to_client, outgoing) = unbounded();
    let fault = Arc::new(OnceLock::new());
    let found = Arc::clone(&fault);
    thread::spawn(move || {
        if let Err(error) = read_all(&mut BufReader::new(input), &incoming) {
            // The loop learns that something is wrong when `incoming` is dropped, after this.
            let _ = found.set(error);
        }
    });
    let writer = thread::spawn(move || write_all(output, &outgoing));
    let (worker_sender, from_workers) = unbounded();
    let supervisor = Supervisor {
        start: &start,
        to_client,
        worker_sender,
        worker: None,
        workers: 0,
        session: EditorSession::default(),
    };
    let ended = supervisor.run(&from_client, &from_workers);
    let ended = ended.map_err(|error| fault.get().cloned().unwrap_or(error))?;
    // The last answer must be out before the process ends.
    let _ = writer.join();
    Ok(ended)
}

/// A message of a worker, with the number of the worker; `None` at its end.
type FromWorker = (usize, Option<Message>);

/// A worker that is running.
struct RunningWorker {
    process: PipedWorker,
    messages: Sender<Message>,
}

/// The state that a new worker needs, and the requests that the client waits for.
#[derive(Default)]
struct EditorSession {
    initialize: Option<Request>,
    is_initialized: bool,
    encoding: Option<ColumnEncoding>,
    /// The open texts, by the address that the client gives them.
    documents: OpenDocuments,
    languages: BTreeMap<PathBuf, String>,
    /// The requests that have no answer yet.
    unanswered: BTreeSet<RequestId>,
    /// The files for which the client has diagnostics.
    reported: BTreeMap<String, Value>,
    is_shut_down: bool,
}

struct Supervisor<'s> {
    start: &'s dyn Fn() -> std::io::Result<PipedWorker>,
    to_client: Sender<Message>,
    worker_sender: Sender<FromWorker>,
    worker: Option<RunningWorker>,
    /// The number of workers so far.
    workers: usize,
    session: EditorSession,
}

/// Returns the error for a client that closes the connection, or was never there.
fn client_is_gone() -> Box<Diagnostic> {
    let message = "the editor closed the connection without `shutdown` and `exit`";
    Diagnostic::error(Code::File, message)
        .help("`inlay lsp` is started by an editor, which sends requests on standard input")
}

impl Supervisor<'_> {
    fn run(
        mut self,
        from_client: &Receiver<Message>,
        from_workers: &Receiver<FromWorker>,
    ) -> Result<Supervised> {
        loop {
            select! {
                recv(from_client) -> message => {
                    let message = message.map_err(|_| client_is_gone())?;
                    let is_exit =
                        matches!(&message, Message::Notification(last) if last.method == Exit::METHOD);
                    self.pass_to_worker(message)?;
                    if is_exit {
                        return self.end(from_workers);
                    }
                }
                recv(from_workers) -> message => {
                    let message = message.map_err(|_| protocol_error("it has gone away"))?;
                    if let Some(ended) = self.take(message) {
                        return Ok(ended);
                    }
                }
            }
        }
    }

    /// Waits for the end of the worker, and passes on its last messages.
    fn end(&mut self, from_workers: &Receiver<FromWorker>) -> Result<Supervised> {
        while self.worker.is_some() {
            match from_workers.recv_timeout(END_TIME) {
                Ok((_, None)) | Err(_) => self.worker = None,
                Ok(message) => {
                    self.take(message);
                }
            }
        }
        match self.session.is_shut_down {
            true => Ok(Supervised::Done),
            false => Err(protocol_error("it ends without `shutdown`")),
        }
    }

    fn pass_to_worker(&mut self, message: Message) -> Result<()> {
        // A new worker gets the texts as they were before this message.
        let messages = self.worker()?;
        self.session.note(&message);
        // If the worker is gone, its end is the next message from it.
        let _ = messages.send(message);
        Ok(())
    }

    /// Returns the channel for messages to the worker. Starts a worker if there is none.
    fn worker(&mut self) -> Result<Sender<Message>> {
        if let Some(worker) = &self.worker {
            return Ok(worker.messages.clone());
        }
        let failed = |error| protocol_error(format!("no worker starts: {}", reason(&error)));
        let mut process = (self.start)().map_err(failed)?;
        let (input, output) = process.pipes().map_err(failed)?;
        let (messages, outgoing) = unbounded();
        thread::spawn(move || write_all(input, &outgoing));
        self.workers += 1;
        let (number, sender) = (self.workers, self.worker_sender.clone());
        thread::spawn(move || {
            let (incoming, from_worker) = unbounded();
            let reader = thread::spawn(move || read_all(&mut BufReader::new(output), &incoming));
            for message in from_worker {
                let _ = sender.send((number, Some(message)));
            }
            let _ = reader.join();
            let _ = sender.send((number, None));
        });
        for message in self.session.replay() {
            let _ = messages.send(message);
        }
        self.worker = Some(RunningWorker {
            process,
            messages: messages.clone(),
        });
        Ok(messages)
    }

    /// Handles a message of a worker, or its end. Returns the outcome of the supervisor, if the
    /// worker was the last one.
    fn take(&mut self, (number, message): FromWorker) -> Option<Supervised> {
        if number != self.workers {
            return None;
        }
        match message {
            Some(message) => self.pass_to_client(message),
            None => {
                let worker = self.worker.take()?;
                // A worker that ends without a crash has already reported the reason.
                if matches!(worker.process.wait(), Some(0 | 1)) {
                    return Some(Supervised::WorkerFailed);
                }
                self.report_crash();
            }
        }
        None
    }

    fn pass_to_client(&mut self, message: Message) {
        match &message {
            // The answer to a replayed request.
            Message::Response(response) if response.id == replayed() => return,
            Message::Response(response) => self.session.note_answer(response),
            // The client has registered the first worker.
            Message::Request(request)
                if request.method == RegisterCapability::METHOD && self.workers > 1 =>
            {
                return;
            }
            Message::Notification(notification) => self.session.note_report(notification),
            Message::Request(_) => {}
        }
        // If the client is gone, the loop ends with its next message.
        let _ = self.to_client.send(message);
    }

    fn report_crash(&mut self) {
        for id in std::mem::take(&mut self.session.unanswered) {
            let message = "the request failed because of a bug in inlay".to_owned();
            let error = Response::new_err(id, ErrorCode::InternalError as i32, message);
            let _ = self.to_client.send(error.into());
        }
        // The next worker does not know what the client shows.
        for (_, uri) in std::mem::take(&mut self.session.reported) {
            let parameters = json!({"uri": uri, "diagnostics": []});
            self.notify_client(PublishDiagnostics::METHOD, parameters);
        }
        let message = "inlay has ended because of a bug, and starts again with your next edit. \
                       Please report what its log says.";
        self.notify_client(ShowMessage::METHOD, json!({"type": 1, "message": message}));
    }

    fn notify_client(&self, method: &str, parameters: Value) {
        let notification = Notification::new(method.to_owned(), parameters);
        let _ = self.to_client.send(notification.into());
    }
}

/// Returns the name of the request that a new worker gets in place of the client's first one.
fn replayed() -> RequestId {
    RequestId::from("inlay-initialize".to_owned())
}

/// Returns the key of an open text.
fn key(uri: &lsp_types::Uri) -> PathBuf {
    PathBuf::from(uri.as_str())
}

impl EditorSession {
    /// Records the changes by a message of the client.
    fn note(&mut self, message: &Message) {
        match message {
            Message::Request(request) => {
                self.unanswered.insert(request.id.clone());
                if request.method == Initialize::METHOD {
                    self.initialize = Some(request.clone());
                }
                self.is_shut_down |= request.method == Shutdown::METHOD;
            }
            Message::Notification(notification) => self.note_edit(notification),
            Message::Response(_) => {}
        }
    }

    fn note_edit(&mut self, notification: &Notification) {
        match notification.method.as_str() {
            Initialized::METHOD => self.is_initialized = true,
            DidOpenTextDocument::METHOD => {
                if let Some(opened) = read::<DidOpenTextDocument>(notification.clone()) {
                    let document = opened.text_document;
                    let key = key(&document.uri);
                    self.languages.insert(key.clone(), document.language_id);
                    self.documents.open(key, document.text, document.version);
                }
            }
            DidChangeTextDocument::METHOD => {
                if let Some(changed) = read::<DidChangeTextDocument>(notification.clone()) {
                    let document = changed.text_document;
                    let encoding = self.encoding.unwrap_or(ColumnEncoding::Utf16);
                    let (key, changes) = (key(&document.uri), changed.content_changes);
                    self.documents
                        .change(&key, document.version, changes, encoding);
                }
            }
            DidCloseTextDocument::METHOD => {
                if let Some(closed) = read::<DidCloseTextDocument>(notification.clone()) {
                    self.documents.close(&key(&closed.text_document.uri));
                }
            }
            _ => {}
        }
    }

    /// Records that a request was answered. The answer to `initialize` contains the encoding of
    /// columns.
    fn note_answer(&mut self, response: &Response) {
        self.unanswered.remove(&response.id);
        let is_first = self.initialize.as_ref().map(|first| &first.id) == Some(&response.id);
        if let (true, Ok(result)) = (is_first, &response.response_result) {
            let encoding = result.pointer("/capabilities/positionEncoding");
            self.encoding = match encoding.and_then(Value::as_str) {
                Some("utf-8") => Some(ColumnEncoding::Utf8),
                _ => Some(ColumnEncoding::Utf16),
            };
        }
    }

    /// Records which files have diagnostics.
    fn note_report(&mut self, notification: &Notification) {
        if notification.method != PublishDiagnostics::METHOD {
            return;
        }
        let uri = &notification.params["uri"];
        let is_clear = notification.params["diagnostics"] == json!([]);
        let name = uri.as_str().unwrap_or_default().to_owned();
        match is_clear {
            true => self.reported.remove(&name),
            false => self.reported.insert(name, uri.clone()),
        };
    }

    /// Returns the messages that bring a new worker into the state of the last one; none for the
    /// first worker.
    fn replay(&self) -> Vec<Message> {
        let Some(initialize) = &self.initialize else {
            return Vec::new();
        };
        let mut messages = vec![Message::Request(Request {
            id: replayed(),
            ..initialize.clone()
        })];
        if self.is_initialized {
            let notification = Notification::new(Initialized::METHOD.to_owned(), json!({}));
            messages.push(notification.into());
        }
        for path in self.documents.paths() {
            messages.extend(self.opening(path));
        }
        messages
    }

    fn opening(&self, path: &Path) -> Option<Message> {
        let document = self.documents.get(path)?;
        let parameters = json!({"textDocument": {
            "uri": path.to_str()?,
            "languageId": self.languages.get(path)?,
            "version": document.version,
            "text": &*document.text,
        }});
        let method = DidOpenTextDocument::METHOD.to_owned();
        Some(Notification::new(method, parameters).into())
    }
}
