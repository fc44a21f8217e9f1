//! Reimplements the parts of Go's libraries whose output templates can see.
//!
//! ytt is a Go program. The functions of its `@ytt:` modules are those of Go's standard library
//! (`net/url`, `net`, `encoding/json`, `encoding/base64`) and of two more, for TOML and versions.
//! Templates depend on their details: which characters a URL keeps, where JSON writes an exponent,
//! how TOML is indented. Rust's crates for the same formats decide such details differently, so
//! they are used only where the results are equal.
//!
//! This module knows nothing about Starlark; `modules` converts the values.
//!
//! Functions on text fail with a [`GoError`], which has Go's message, because templates can see it
//! through `assert.try_to`. Functions on trees fail with a diagnostic, because trees have places.

pub mod base64;
mod error;
pub mod ip;
pub mod json;
pub mod letter_case;
pub mod letter_class;
pub mod math;
mod number;
mod parse_float;
mod quote;
pub mod toml;
pub mod url;
pub mod version;

pub use error::GoError;
pub use parse_float::parse_float;
pub use quote::quote;
