//! `@ytt:toml`.

use std::sync::Arc;

use starlark::environment::GlobalsBuilder;
use starlark::eval::Evaluator;
use starlark::starlark_module;
use starlark::values::dict::DictRef;
use starlark::values::tuple::UnpackTuple;
use starlark::values::{Heap, Value};

use super::call::Call;
use crate::golang::toml;
use crate::script::library::Library;
use crate::script::program::Program;
use crate::script::value::plain_value;
use crate::yaml::Data;

/// What a level is indented unless told otherwise; an `indent` of 0 means the same.
const DEFAULT_STEP: usize = 2;

pub(super) fn module<'v>(
    heap: Heap<'v>,
    _: &Library<'_>,
    _: &Arc<Program>,
) -> starlark::Result<Value<'v>> {
    Ok(super::functions(heap, functions, []))
}

#[starlark_module]
fn functions(builder: &mut GlobalsBuilder) {
    /// A value as TOML.
    fn encode<'v>(
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
        #[starlark(kwargs)] options: DictRef<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<String> {
        let call = Call::new("toml.encode", arguments.items);
        let [value] = call.arguments()?;
        call.options(&options, &["indent"])?;
        let node = call.node(value, eval.heap())?;
        let step = call
            .indent(&options)?
            .filter(|indent| *indent > 0)
            .unwrap_or(DEFAULT_STEP);
        let data = Data::of(&node).map_err(|diagnostic| call.diagnosed(diagnostic))?;
        Ok(toml::encode(&data, step).map_err(|error| call.failure(error))?)
    }

    /// The dictionary that a TOML text says.
    fn decode<'v>(
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
        #[starlark(kwargs)] _options: DictRef<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        let call = Call::new("toml.decode", arguments.items);
        let source = call.one_source()?;
        let node = toml::decode(&source).map_err(|diagnostic| call.diagnosed(diagnostic))?;
        plain_value(&node, eval.heap())
    }
}
