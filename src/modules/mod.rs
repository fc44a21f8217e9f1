//! The `@ytt:` modules that need only their arguments and the library that loads them.
//!
//! Each module is a file here with a [`NativeModule`], which lists its functions, and a row in
//! [`MODULES`]. Functions are written against [`Caller`](crate::script::Caller) and do not depend
//! on the Starlark implementation. The computations of Go's libraries are in `golang`; the files
//! here check arguments and convert values.
//!
//! `@ytt:overlay` is in `overlay`, and `@ytt:library` in `workspace`, because they depend on layers
//! above this module.

mod assert;
mod base64;
mod call;
mod data;
mod digest;
mod ip;
mod json;
mod math;
mod module;
mod regexp;
mod structs;
mod template;
mod toml;
mod url;
mod version;
mod yaml;
mod yaml_errors;

pub use assert::{AssertionKind, assertion};

use crate::script::NativeModule;

/// All modules, in alphabetical order.
pub const MODULES: [NativeModule; 16] = [
    assert::MODULE,
    base64::MODULE,
    data::MODULE,
    ip::MODULE,
    json::MODULE,
    math::MODULE,
    digest::MD5,
    module::MODULE,
    regexp::MODULE,
    digest::SHA256,
    structs::MODULE,
    template::MODULE,
    toml::MODULE,
    url::MODULE,
    version::MODULE,
    yaml::MODULE,
];
