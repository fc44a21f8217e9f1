//! The addresses of the server.
//!
//! An address is compared with a fixed list and never becomes a path of a file; files of the user
//! have numbers.

use serde::{Deserialize, Serialize};

use super::assets;
use super::http::{Response, Status};
use super::project::ProjectFolder;
use super::render::Renders;
use super::token::SessionToken;
use crate::source::Diagnostic;
use crate::source::world::World;

/// The parts of the server that the addresses give access to.
pub(super) struct Routes<'w> {
    pub(super) world: &'w dyn World,
    pub(super) project: Option<ProjectFolder>,
    pub(super) renders: Renders,
}

/// The answer to `/api/meta`.
#[derive(Serialize)]
struct Meta<'a> {
    version: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    project: Option<&'a ProjectFolder>,
}

/// The calls with a separate type of body.
#[derive(Deserialize)]
struct FileNumber {
    id: usize,
}

#[derive(Deserialize)]
struct FileChange {
    id: usize,
    /// The hash of the content that the page last saw.
    hash: String,
    text: String,
}

/// A call, without the page that it comes from.
const CALLS: [&str; 6] = [
    "/api/alive",
    "/api/meta",
    "/api/render",
    "/api/edit",
    "/api/file/read",
    "/api/file/write",
];

/// Returns whether the target is a call, which needs a POST request.
pub(super) fn is_call(target: &str) -> bool {
    CALLS.contains(&target)
}

/// Answers a GET request.
pub(super) fn page(target: &str) -> Response {
    if target == "/" {
        return match SessionToken::random() {
            Ok(nonce) => {
                let shell = assets::SHELL.replace("{{nonce}}", nonce.as_str());
                Response::page(shell, nonce.as_str().to_owned())
            }
            Err(error) => failed(&error),
        };
    }
    assets::file(target).unwrap_or_else(|| Response::refusal(Status::NotFound, "not found"))
}

impl Routes<'_> {
    /// Answers a call.
    pub(super) fn call(&self, target: &str, body: &[u8]) -> Response {
        match target {
            "/api/meta" => json(&Meta {
                version: env!("CARGO_PKG_VERSION"),
                project: self.project.as_ref(),
            }),
            // This call only shows that a page is open.
            "/api/alive" => Response::json(b"{}".to_vec()),
            "/api/render" | "/api/edit" => self.renders.answer(body),
            "/api/file/read" => self.read_file(body),
            "/api/file/write" => self.write_file(body),
            _ => Response::refusal(Status::NotFound, "not found"),
        }
    }

    /// Prepares the next call, so that it need not wait.
    pub(super) fn prepare(&self) {
        self.renders.prepare();
    }

    fn read_file(&self, body: &[u8]) -> Response {
        let Ok(FileNumber { id }) = serde_json::from_slice(body) else {
            return not_understood();
        };
        match &self.project {
            Some(project) => match project.read(self.world, id) {
                Ok(file) => json(&file),
                Err(error) => failed(&error),
            },
            None => no_project(),
        }
    }

    fn write_file(&self, body: &[u8]) -> Response {
        let Ok(FileChange { id, hash, text }) = serde_json::from_slice(body) else {
            return not_understood();
        };
        let Some(project) = &self.project else {
            return no_project();
        };
        match project.write(self.world, id, &hash, &text) {
            Ok(Some(written)) => json(&written),
            Ok(None) => Response::refusal(
                Status::Conflict,
                "the file was changed by another program since it was read; copy your text, and load the page again",
            ),
            Err(error) => failed(&error),
        }
    }
}

fn json(answer: &impl Serialize) -> Response {
    match serde_json::to_vec(answer) {
        Ok(body) => Response::json(body),
        Err(error) => Response::refusal(Status::Failed, &error.to_string()),
    }
}

fn failed(error: &Diagnostic) -> Response {
    Response::refusal(Status::Failed, &error.message)
}

fn not_understood() -> Response {
    Response::refusal(Status::BadRequest, "expected the fields of this call")
}

fn no_project() -> Response {
    Response::refusal(
        Status::NotFound,
        "the playground was started without a folder",
    )
}
