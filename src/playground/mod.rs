//! `inlay playground`: a page in the browser that renders while the user types.
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
//! Each render is a separate process. So a time limit or a newer keystroke can end it at any time,
//! the limits of a run apply to one render, and a bug ends the render but not the server. Its world
//! is [`Memory`](crate::source::world::Memory): it can access only the files that the page sent.
//!
//! The sources of the page are in `playground/` of the repository. The built files are in
//! `assets/`, so that `cargo build` needs no other tool. `tests/playground` checks that the assets
//! are up to date.

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
