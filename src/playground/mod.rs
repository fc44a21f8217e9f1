//! `inlay playground`: a page in the browser that renders while one types.
//!
//! ```text
//! browser           server process                       worker process, one for each render
//! ───────           ──────────────                       ───────────────────────────────────
//! page        ──▶   guard: Host, Origin, token
//! POST render ──▶   render: 4 at once, a time limit ──▶  RenderJob: files in memory, a command line
//!                                                          │ the command itself, in `cli`
//! documents   ◀──   the same bytes                  ◀──  RenderAnswer: documents, diagnostics, fixes
//! POST file   ──▶   project: the files of DIR
//! ```
//!
//! A render is a process of its own. It can be ended in the middle of its work, by the clock or by a
//! newer keystroke; the limits of a run count for one process; and a bug ends the render and not the
//! server. Its world is [`Memory`](crate::source::world::Memory): it sees the files that the page
//! sent and nothing of the machine.
//!
//! The page is in `playground/` of the repository. What it is built to is in `assets/`, so that
//! `cargo build` needs no other tool; `tests/playground` proves that the assets belong to the
//! sources.

mod answer;
mod assets;
mod guard;
mod http;
mod job;
mod project;
mod render;
mod routes;
mod server;
mod token;
mod values_edit;

pub use answer::RenderAnswer;
pub use job::{CommandKind, RenderJob};
pub use project::ProjectFolder;
pub use server::{PlaygroundServer, PlaygroundSettings};
pub use values_edit::ValuesEdit;
