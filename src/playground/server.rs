//! Accepts connections, and answers one request on each.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::guard::Guard;
use super::http::{RequestHead, Response, Status, read_body, read_head};
use super::project::ProjectFolder;
use super::render::Renders;
use super::routes::{self, Routes};
use super::token::SessionToken;
use crate::source::world::{Connection, Loopback, World, reason};
use crate::source::{Code, Diagnostic, Result};

/// How long a peer may take to send a head. Browsers open connections that they never use.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// How long a peer may take to send a body and to read the answer.
const BODY_TIME: Duration = Duration::from_secs(30);

/// How long the server waits after a connection that could not be accepted.
const PAUSE: Duration = Duration::from_millis(50);

/// The most connections at once.
const CONNECTIONS: usize = 64;

/// How much of a refused request is read, so that the peer sees the answer.
const IGNORED: usize = 1 << 20;

/// How a server is started.
pub struct PlaygroundSettings {
    /// The port; 0 is any free one.
    pub port: u16,
    /// How long a render may take.
    pub time_limit: Duration,
    /// The folder whose files the page edits.
    pub project: Option<ProjectFolder>,
}

/// A server that is listening.
pub struct PlaygroundServer<'w> {
    listener: Loopback,
    guard: Guard,
    address: String,
    routes: Routes<'w>,
}

impl<'w> PlaygroundServer<'w> {
    /// Starts to listen on 127.0.0.1.
    ///
    /// # Errors
    /// The port is taken, or the system gives no random bytes.
    pub fn start(
        world: &'w dyn World,
        settings: PlaygroundSettings,
    ) -> Result<PlaygroundServer<'w>> {
        let token = SessionToken::random()?;
        let listener = Loopback::bind(settings.port).map_err(|error| {
            let message = format!(
                "cannot listen on port {} of 127.0.0.1: {}",
                settings.port,
                reason(&error)
            );
            Diagnostic::error(Code::Flag, message).help("without `--port`, a free one is chosen")
        })?;
        let port = listener.port();
        Ok(PlaygroundServer {
            address: format!("http://127.0.0.1:{port}/#t={}", token.as_str()),
            guard: Guard::new(port, token, settings.project.is_some()),
            listener,
            routes: Routes {
                world,
                project: settings.project,
                renders: Renders::new(settings.time_limit),
            },
        })
    }

    /// Returns the address of the page. Its fragment is the token: browsers do not send fragments,
    /// so it is in no log.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Answers requests until the process ends.
    pub fn run(&self) {
        let open = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            loop {
                let Ok(connection) = self.listener.accept(HEAD_TIME) else {
                    // The peer is gone already, or the process has too many open files, which
                    // the end of another connection changes.
                    std::thread::sleep(PAUSE);
                    continue;
                };
                if open.fetch_add(1, Ordering::Relaxed) >= CONNECTIONS {
                    open.fetch_sub(1, Ordering::Relaxed);
                    continue;
                }
                let open = &open;
                let started = std::thread::Builder::new().spawn_scoped(scope, move || {
                    self.serve(connection);
                    open.fetch_sub(1, Ordering::Relaxed);
                });
                if started.is_err() {
                    open.fetch_sub(1, Ordering::Relaxed);
                }
            }
        })
    }

    /// Answers the request of a connection.
    fn serve(&self, mut connection: Connection) {
        let response = match read_head(&mut connection) {
            Ok(head) => match self.answer(&head, &mut connection) {
                Ok(response) | Err(response) => response,
            },
            Err(Some(response)) => response,
            Err(None) => return,
        };
        connection.extend(BODY_TIME);
        // If the peer is gone, nobody is left to report that to.
        if response.write(&mut connection).is_ok() {
            connection.finish(IGNORED);
        }
    }

    /// Checks a request and returns its answer; a refusal is an answer, too.
    fn answer(
        &self,
        head: &RequestHead,
        connection: &mut Connection,
    ) -> Result<Response, Response> {
        self.guard.check_host(head)?;
        let is_call = routes::is_call(&head.target);
        match (head.method.as_str(), is_call) {
            ("GET", false) => Ok(routes::page(&head.target)),
            ("POST", true) => {
                self.guard.check_call(head)?;
                connection.extend(BODY_TIME);
                let body = read_body(head, connection)?;
                Ok(self.routes.call(&head.target, &body))
            }
            // A pre-flight of a browser (OPTIONS) is refused here: no other page may call.
            _ => Err(Response::refusal(
                Status::MethodNotAllowed,
                "calls are POST requests; all other addresses are GET requests",
            )),
        }
    }
}
