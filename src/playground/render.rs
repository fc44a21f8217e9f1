//! Renders in worker processes: at most four at the same time, each with a time limit. A newer
//! render of the same page ends the older one.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Deserialize;

use super::http::{Response, Status};
use crate::source::world::Worker;

/// The arguments with which this program is a worker; see `cli::playground`.
const WORKER: [&str; 2] = ["playground", "--worker"];

/// The maximum number of renders at the same time.
const AT_ONCE: usize = 4;

/// The largest answer, in bytes. The page could not show more.
const ANSWER_LIMIT: usize = 64 << 20;

/// The part of a job that the server reads. The worker reads all of it.
#[derive(Deserialize)]
struct JobOfPage {
    /// A number that the page has chosen for itself.
    page: u64,
}

/// The renders of a server.
pub(super) struct Renders {
    time_limit: Duration,
    state: Mutex<RenderState>,
}

#[derive(Default)]
struct RenderState {
    /// The worker of each page that waits for an answer.
    running: BTreeMap<u64, Arc<Worker>>,
    /// A worker that was started in advance, so that no keystroke waits for a process to start.
    spare: Option<Worker>,
}

/// The outcome of a worker.
enum Outcome {
    Answer(Vec<u8>),
    TimeOut,
    TooLarge,
    /// It was ended for a newer job, or ended by itself.
    Ended,
}

impl Renders {
    /// Creates the renders of a server whose renders may take `time_limit`.
    pub(super) fn new(time_limit: Duration) -> Renders {
        let spare = Worker::start(&WORKER).ok();
        Renders {
            time_limit,
            state: Mutex::new(RenderState {
                spare,
                ..RenderState::default()
            }),
        }
    }

    /// Executes a job, and returns its answer.
    pub(super) fn answer(&self, job: &[u8]) -> Response {
        let Ok(JobOfPage { page }) = serde_json::from_slice(job) else {
            return Response::refusal(Status::BadRequest, "expected a job as JSON");
        };
        let worker = match self.begin(page) {
            Ok(worker) => worker,
            Err(refusal) => return refusal,
        };
        let outcome = ask_in_time(&worker, job, self.time_limit);
        let is_newest = self.finish(page, &worker);
        match outcome {
            Outcome::Answer(answer) => Response::json(answer),
            Outcome::TimeOut => problem(&format!(
                "the render takes longer than {:?}; `inlay playground --time-limit` raises the limit",
                self.time_limit
            )),
            Outcome::TooLarge => problem("the output is too large for the page"),
            Outcome::Ended if is_newest => {
                problem("this is a bug in inlay: the render ended without an answer")
            }
            Outcome::Ended => Response::refusal(Status::Conflict, "a newer render has replaced it"),
        }
    }

    /// Takes a worker for a job of `page`, and ends the worker that this page is waiting for.
    fn begin(&self, page: u64) -> Result<Arc<Worker>, Response> {
        let mut state = self.state();
        if let Some(older) = state.running.remove(&page) {
            older.end();
        }
        if state.running.len() >= AT_ONCE {
            return Err(Response::refusal(
                Status::TooManyRequests,
                "too many pages render at once",
            ));
        }
        let worker = match state.spare.take() {
            Some(worker) => worker,
            None => Worker::start(&WORKER).map_err(|error| {
                let message = format!("cannot start a worker: {error}");
                Response::refusal(Status::Failed, &message)
            })?,
        };
        let worker = Arc::new(worker);
        state.running.insert(page, Arc::clone(&worker));
        Ok(worker)
    }

    /// Starts the worker of the next job, unless one is already waiting. It is called after an
    /// answer was sent, so that the answer is not delayed.
    pub(super) fn prepare(&self) {
        if self.state().spare.is_some() {
            return;
        }
        // Do not hold the lock, so that other pages do not wait for the start of a process.
        let worker = Worker::start(&WORKER).ok();
        let replaced = std::mem::replace(&mut self.state().spare, worker);
        drop(replaced);
    }

    /// Records that a job is done. Returns whether it is still the newest job of the page.
    fn finish(&self, page: u64, worker: &Arc<Worker>) -> bool {
        let mut state = self.state();
        let is_newest = state
            .running
            .get(&page)
            .is_some_and(|running| Arc::ptr_eq(running, worker));
        if is_newest {
            state.running.remove(&page);
        }
        is_newest
    }

    fn state(&self) -> MutexGuard<'_, RenderState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Gives a worker its job, and ends it if it takes longer than `time_limit`.
fn ask_in_time(worker: &Worker, job: &[u8], time_limit: Duration) -> Outcome {
    let (done, is_done) = channel::<()>();
    std::thread::scope(|scope| {
        let clock = scope.spawn(move || {
            let is_late = is_done.recv_timeout(time_limit) == Err(RecvTimeoutError::Timeout);
            if is_late {
                worker.end();
            }
            is_late
        });
        let answer = worker.ask(job, ANSWER_LIMIT);
        // Dropping the sender wakes the thread with the time limit.
        drop(done);
        let is_late = clock.join().unwrap_or(false);
        match answer {
            Ok(answer) => Outcome::Answer(answer),
            Err(_) if is_late => Outcome::TimeOut,
            Err(error) if error.kind() == ErrorKind::FileTooLarge => Outcome::TooLarge,
            Err(_) => Outcome::Ended,
        }
    })
}

/// Returns an answer that is only one message. The page shows it like an error of the render.
fn problem(message: &str) -> Response {
    Response::json(
        serde_json::json!({ "problem": message })
            .to_string()
            .into_bytes(),
    )
}
