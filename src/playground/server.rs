//! Accepts connections, and answers one request on each.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::guard::Guard;
use super::http::{RequestHead, Response, Status, read_body, read_head};
use super::project::ProjectFolder;
use super::render::Renders;
use super::routes::{self, Routes};
use super::token::SessionToken;
use crate::source::world::{Connection, Loopback, World, reason};
use crate::source::{Code, Diagnostic, Result};

/// The maximum time for a peer to send a head. Browsers open connections that they never use.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// The maximum time for a peer to send a body and to read the answer.
const BODY_TIME: Duration = Duration::from_secs(30);

/// The time that the server waits after a connection that could not be accepted.
const PAUSE: Duration = Duration::from_millis(50);

/// The maximum number of connections at the same time.
const CONNECTIONS: usize = 64;

/// The number of bytes of a refused request that are read, so that the peer sees the answer.
const IGNORED: usize = 1 << 20;

/// The options of a server.
pub struct PlaygroundSettings {
    /// The port; 0 is any free one.
    pub port: u16,
    /// The time limit of a render.
    pub time_limit: Duration,
    /// The time without an open page after which the server ends; `None` if it keeps running.
    pub idle_exit: Option<Duration>,
    /// The folder whose files the page edits.
    pub project: Option<ProjectFolder>,
}

/// A server that is listening.
pub struct PlaygroundServer<'w> {
    listener: Loopback,
    guard: Guard,
    address: String,
    routes: Routes<'w>,
    idle_exit: Option<Duration>,
    /// The time of the last call of a page. An open page calls every few seconds.
    last_call: Mutex<Instant>,
    is_idle: AtomicBool,
}

impl<'w> PlaygroundServer<'w> {
    /// Starts to listen on 127.0.0.1.
    ///
    /// # Errors
    /// Fails if the port is already used, or if the system provides no random bytes.
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
            idle_exit: settings.idle_exit,
            last_call: Mutex::new(Instant::now()),
            is_idle: AtomicBool::new(false),
        })
    }

    /// Returns the address of the page. Its fragment is the token: browsers do not send fragments,
    /// so the token is not in any log.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Answers requests until the process ends, or until no page was open for the given time.
    pub fn run(&self) {
        let open = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            if let Some(limit) = self.idle_exit {
                scope.spawn(move || self.watch_for_idleness(limit));
            }
            loop {
                let accepted = self.listener.accept(HEAD_TIME);
                if self.is_idle.load(Ordering::Relaxed) {
                    return;
                }
                let Ok(connection) = accepted else {
                    // The peer has already disconnected, or the process has too many open files
                    // until another connection ends.
                    std::thread::sleep(PAUSE);
                    continue;
                };
                let Some(slot) = Slot::take(&open) else {
                    continue;
                };
                // If no thread can be started, the slot is dropped together with the closure.
                let _ = std::thread::Builder::new().spawn_scoped(scope, move || {
                    let _slot = slot;
                    self.serve(connection);
                });
            }
        })
    }

    /// Ends the server when no page has called for `limit`.
    fn watch_for_idleness(&self, limit: Duration) {
        loop {
            let idle = self.last_call().elapsed();
            match limit.checked_sub(idle) {
                Some(rest) if !rest.is_zero() => std::thread::sleep(rest),
                _ => break,
            }
        }
        self.is_idle.store(true, Ordering::Relaxed);
        self.listener.wake();
    }

    fn last_call(&self) -> MutexGuard<'_, Instant> {
        self.last_call
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
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
        // If the peer has disconnected, the error cannot be reported to anyone.
        let is_written = response.write(&mut connection).is_ok();
        self.routes.prepare();
        if is_written {
            connection.finish(IGNORED);
        }
    }

    /// Checks a request and returns its answer, which may be a refusal.
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
                *self.last_call() = Instant::now();
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

/// One of the connections that may be open at the same time. It is released when it is dropped,
/// even by a panic.
struct Slot<'s>(&'s AtomicUsize);

impl<'s> Slot<'s> {
    fn take(open: &'s AtomicUsize) -> Option<Slot<'s>> {
        let before = open.fetch_add(1, Ordering::Relaxed);
        // If there are too many connections, the slot is dropped, which decrements the counter.
        let slot = Slot(open);
        (before < CONNECTIONS).then_some(slot)
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_given_back_by_a_panic() {
        let open = AtomicUsize::new(0);
        for _ in 0..2 * CONNECTIONS {
            let slot = Slot::take(&open);
            assert!(slot.is_some());
            let panicked = std::panic::catch_unwind(|| {
                let _slot = slot;
                std::panic::resume_unwind(Box::new(()));
            });
            assert!(panicked.is_err());
        }
        let slots: Vec<Option<Slot<'_>>> = (0..CONNECTIONS).map(|_| Slot::take(&open)).collect();
        assert!(slots.iter().all(Option::is_some) && Slot::take(&open).is_none());
    }
}
