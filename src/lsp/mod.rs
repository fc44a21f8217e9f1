//! `inlay lsp`: a language server for templates, data values, overlays and kustomizations.
//!
//! An editor starts the program and communicates with it on standard input and output. The server
//! builds the target of a file (`target`) with the texts of the editor instead of the files
//! (`analysis`), and shows the diagnostics of the build. All other answers come from the last build
//! and the current text:
//!
//! | file | answers |
//! | --- | --- |
//! | `diagnostics` | errors and warnings, in every file of the target |
//! | `completion` | annotations and their arguments, modules, data values, load paths |
//! | `configuration` | fields, selectors, paths and patches of kustomizations and configurations |
//! | `hover`, `references`, `rename` | the meaning of a name, its definition and uses, and the edits that rename it |
//! | `overlays` | the elements that the parts of overlays match |
//! | `hints` | the values of code |
//! | `actions` | the fixes that help lines suggest |
//! | `structure`, `tokens` | symbols, folding, colours |
//!
//! `session` starts a session, `server` is the loop, and `transport` reads and writes its messages.
//! One build at a time runs on another thread. A change of the text cancels it and starts the next
//! one. Only requests for diagnostics (`pull`) wait for a build. `supervisor` is the process that
//! an editor starts. It runs the server in a second process, and restarts it after a crash.
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
