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
//! | `hover`, `references`, `rename` | what a name means, where it is defined and used, and its new name there |
//! | `hints` | the values behind code |
//! | `actions` | the fixes that help lines suggest |
//! | `structure`, `tokens` | symbols, folding, colours |
//!
//! `server` is the loop. A build runs on a thread beside it, one at a time: what is typed meanwhile is part of the next
//! one. So an answer never waits for a build.
//!
//! Sources: Language Server Protocol 3.17; `docs/editors.md` for users.

mod actions;
mod analysis;
mod code;
mod completion;
mod diagnostics;
mod documents;
mod evaluated;
mod hints;
mod hover;
mod position;
mod references;
mod rename;
mod requests;
mod server;
mod structure;
mod target;
#[cfg(test)]
mod tests;
mod tokens;
mod unsaved;
mod uri;
mod values_document;
mod view;
mod vocabulary;

pub use server::serve;
