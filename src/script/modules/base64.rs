//! `@ytt:base64`.

use std::sync::Arc;

use starlark::environment::GlobalsBuilder;
use starlark::starlark_module;
use starlark::values::dict::DictRef;
use starlark::values::tuple::UnpackTuple;
use starlark::values::{Heap, Value};

use super::call::Call;
use crate::golang::base64::{self, Variant};
use crate::script::failure::Failure;
use crate::script::library::Library;
use crate::script::program::Program;

pub(super) fn module<'v>(
    heap: Heap<'v>,
    _: &Library<'_>,
    _: &Arc<Program>,
) -> starlark::Result<Value<'v>> {
    Ok(super::functions(heap, functions, []))
}

#[starlark_module]
fn functions(builder: &mut GlobalsBuilder) {
    /// The base64 of a string.
    fn encode<'v>(
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
        #[starlark(kwargs)] options: DictRef<'v>,
    ) -> starlark::Result<String> {
        let call = Call::new("base64.encode", arguments.items);
        let text = call.one_text()?;
        Ok(base64::encode(text.as_bytes(), variant(&call, &options)?))
    }

    /// The string that base64 spells.
    fn decode<'v>(
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
        #[starlark(kwargs)] options: DictRef<'v>,
    ) -> starlark::Result<String> {
        let call = Call::new("base64.decode", arguments.items);
        let text = call.one_text()?;
        let bytes =
            base64::decode(text, variant(&call, &options)?).map_err(|error| call.failure(error))?;
        Ok(call.utf8(bytes)?)
    }
}

/// Other options are ignored, as in ytt.
fn variant<'v>(call: &Call<'v>, options: &DictRef<'v>) -> Result<Variant, Failure> {
    let flag = |option| Ok::<_, Failure>(call.flag(options, option)?.unwrap_or_default());
    Ok(Variant {
        url: flag("url")?,
        raw: flag("raw")?,
        strict: flag("strict")?,
    })
}
