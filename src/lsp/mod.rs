//! `inlay lsp`: a language server for templates, data values, overlays and kustomizations.
//!
//! An editor starts the program and talks to it on standard input and output. The server builds what a file belongs to
//! (`target`) with the texts of the editor in place of the files (`analysis`), and shows what the build reports. All
//! other answers come from the last build and the current text:
//!
//! | file | what it answers |
//! | --- | --- |
//! | `diagnostics` | errors and warnings, in every file of the target |
//! | `completion` | annotations and their arguments, modules, data values, load paths |
//! | `configuration` | fields, selectors, paths and patches of kustomizations and configurations |
//! | `hover`, `references`, `rename` | what a name means, where it is defined and used, and its new name there |
//! | `overlays` | what the parts of overlays match |
//! | `hints` | the values behind code |
//! | `actions` | the fixes that help lines suggest |
//! | `structure`, `tokens` | symbols, folding, colours |
//!
//! `session` begins, `server` is the loop, `transport` reads and writes its messages. A build runs on a thread beside it, one at a time: what
//! is typed meanwhile cancels it, and is part of the next one. Only requests for diagnostics (`pull`) wait for a build.
//! `supervisor` is the process that an editor starts. It runs the server as another one, and starts it again after a crash.
//!
//! Sources: Language Server Protocol 3.17; `docs/editors.md` for users.

mod actions;
mod analysis;
mod code;
mod code_places;
mod completion;
mod configuration;
mod diagnostics;
mod documents;
mod evaluated;
mod hints;
mod hover;
mod locals;
mod overlays;
mod position;
mod published;
mod pull;
mod references;
mod rename;
mod requests;
mod server;
mod session;
mod structure;
mod supervisor;
mod target;
#[cfg(test)]
mod tests;
mod tokens;
mod transport;
mod unsaved;
mod uri;
mod values_document;
mod view;
mod vocabulary;
mod waiting;

pub use server::serve;
pub use supervisor::{Supervised, supervise};
pub use transport::serve_streams;
pub use vocabulary::language_page;
