//! `@ytt:toml`.

use super::call::Call;
use crate::golang::toml;
use crate::script::{Arguments, Caller, NativeModule, Value};
use crate::source::Result;
use crate::yaml::Data;

pub(super) const MODULE: NativeModule =
    NativeModule::new("toml", &[("toml.encode", encode), ("toml.decode", decode)]);

/// The indentation of each level if the call does not set it. An `indent` of 0 means the same.
const DEFAULT_INDENT: usize = 2;

/// `encode(value)`: a value as TOML.
fn encode<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    let [value] = call.positional()?;
    call.only_named(&["indent"])?;
    let node = caller.encodable_node(value);
    let node = node.map_err(|error| call.library_error(error))?;
    let indent = match call.indent()? {
        None | Some(0) => DEFAULT_INDENT,
        Some(indent) => indent,
    };
    let data = Data::of(&node).map_err(|diagnostic| call.diagnosed(diagnostic))?;
    let text = toml::encode(&data, indent).map_err(|error| call.failure(error))?;
    Ok(caller.text(&text))
}

/// `decode(text)`: the dictionary of a TOML text.
fn decode<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    let source = call.one_source(caller)?;
    let node = toml::decode(&source).map_err(|diagnostic| call.diagnosed(diagnostic))?;
    caller.plain_value(&node)
}
