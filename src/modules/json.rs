//! `@ytt:json`.

use super::call::Call;
use crate::golang::json::{self, JsonLayout};
use crate::script::{Arguments, Caller, NativeModule, Value};
use crate::source::Result;
use crate::yaml::Data;

pub(super) const MODULE: NativeModule =
    NativeModule::new("json", &[("json.encode", encode), ("json.decode", decode)]);

/// `encode(value)`: a value as JSON.
fn encode<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    let [value] = call.positional()?;
    call.only_named(&["indent", "escape_html"])?;
    let node = caller.encodable_node(value);
    let node = node.map_err(|error| call.library_error(error))?;
    let layout = JsonLayout {
        indent: call.indent()?.unwrap_or_default(),
        // Go's default: `<` is written as `\u003c`.
        escape_html: call.flag("escape_html")?.unwrap_or(true),
    };
    let data = Data::of(&node).map_err(|diagnostic| call.diagnosed(diagnostic))?;
    let text = json::encode(&data, layout).map_err(|error| call.failure(error))?;
    Ok(caller.text(&text))
}

/// `decode(text)`: the value of a JSON text.
fn decode<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    let source = call.one_source(caller)?;
    let node = json::decode(&source).map_err(|diagnostic| call.diagnosed(diagnostic))?;
    caller.plain_value(&node)
}
