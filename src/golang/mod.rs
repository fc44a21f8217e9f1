//! What Go's libraries answer.
//!
//! ytt is a Go program, and the functions of its `@ytt:` modules are those of Go's standard library (`net/url`, `net`,
//! `encoding/json`, `encoding/base64`) and of two more. A template that was written against them expects their answers: which
//! characters an URL keeps, where JSON puts an exponent, how TOML is laid out. This room gives these answers, and knows
//! nothing of Starlark.
//!
//! Functions of texts fail with an [`Error`], in Go's words. Functions of trees fail with a diagnostic, since a tree
//! has places.

pub mod base64;
pub mod digest;
mod error;
pub mod ip;
pub mod json;
pub mod math;
mod number;
mod quote;
pub mod toml;
pub mod url;
pub mod version;

pub use error::Error;
