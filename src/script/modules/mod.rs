//! The modules of `@ytt:`.
//!
//! Each is a file here with one function that makes its value, and a line in [`MODULES`].

mod arguments;
mod assert;
mod base64;
mod call;
mod data;
mod ip;
mod json;
mod math;
mod md5;
mod regexp;
mod sha256;
mod structs;
mod template;
mod toml;
mod url;
mod version;
mod yaml;

pub(super) use assert::AssertionGen;
pub use assert::Rule;

use std::sync::Arc;

use starlark::collections::SmallMap;
use starlark::environment::{FrozenModule, Globals, GlobalsBuilder, Module};
use starlark::values::{Heap, Value};

use super::bounded::{Bound, Bounded};
use super::caller::Native;
use super::failure::Failure;
use super::host;
use super::library::Library;
use super::native::{NativeFunction, NativeModule};
use super::program::Program;
use super::value::ModuleValue;
use crate::source::suggest::did_you_mean;
use crate::source::{Code, Diagnostic};

/// Makes the value of a module for the program that loads it.
type Make = for<'v> fn(Heap<'v>, &Library<'_>, &Arc<Program>) -> starlark::Result<Value<'v>>;

/// Every module, by name.
const MODULES: &[(&str, Make)] = &[
    ("assert", assert::module),
    ("base64", base64::module),
    ("data", data::module),
    ("ip", ip::module),
    ("json", json::module),
    ("math", math::module),
    ("md5", md5::module),
    ("regexp", regexp::module),
    ("sha256", sha256::module),
    ("struct", structs::module),
    ("template", template::module),
    ("toml", toml::module),
    ("url", url::module),
    ("version", version::module),
    ("yaml", yaml::module),
];

/// The module `@ytt:name`, which exports its own name.
pub(super) fn module(
    name: &str,
    library: &Library<'_>,
    program: &Arc<Program>,
) -> starlark::Result<FrozenModule> {
    if let Some(added) = library
        .session
        .modules
        .iter()
        .find(|added| added.name == name)
    {
        return Module::with_temp_heap(|module| {
            module.set(added.name, added_module(added, module.heap()));
            Ok(module.freeze()?)
        });
    }
    if let Some(functions) = library.loader.module(name, library.id(), program) {
        return Module::with_temp_heap(|module| {
            module.set(name, host::module(&functions, module.heap()));
            Ok(module.freeze()?)
        });
    }
    let Some((name, make)) = MODULES.iter().find(|(known, _)| *known == name) else {
        let help = did_you_mean(name, MODULES.iter().map(|(known, _)| *known));
        let diagnostic = Diagnostic::error(
            Code::Load,
            format!("expected a module of ytt, found `@ytt:{name}`"),
        );
        return Err(Failure::from(diagnostic.help_if(help)).into());
    };
    Module::with_temp_heap(|module| {
        let value = make(module.heap(), library, program)?;
        module.set(name, value);
        Ok(module.freeze()?)
    })
}

/// The value of a module that a room above added.
fn added_module<'v>(module: &NativeModule, heap: Heap<'v>) -> Value<'v> {
    let function = |(name, native): &(&'static str, Native)| {
        let own = name.rsplit('.').next().unwrap_or(name);
        (
            own.to_owned(),
            heap.alloc(NativeFunction {
                name,
                native: *native,
            }),
        )
    };
    let fields: SmallMap<String, Value<'v>> = module.functions.iter().map(function).collect();
    ModuleValue::alloc(fields, heap)
}

/// A module of native functions, and of what `more` adds.
fn functions<'v>(
    heap: Heap<'v>,
    functions: fn(&mut GlobalsBuilder),
    more: impl IntoIterator<Item = (&'static str, Value<'v>)>,
) -> Value<'v> {
    let globals: Globals = GlobalsBuilder::new().with(functions).build();
    heap.add_reference(globals.heap());
    let natives = globals.iter().map(|(name, value)| {
        let bounded = Bounded {
            name: name.to_owned(),
            function: value,
            bound: Bound::None,
        };
        (name.to_owned(), heap.alloc(bounded))
    });
    let more = more
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value));
    let fields: SmallMap<String, Value<'v>> = natives.chain(more).collect();
    ModuleValue::alloc(fields, heap)
}
