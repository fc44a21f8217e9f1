//! `@ytt:json`.

use std::sync::Arc;

use starlark::environment::GlobalsBuilder;
use starlark::eval::Evaluator;
use starlark::starlark_module;
use starlark::values::dict::DictRef;
use starlark::values::tuple::UnpackTuple;
use starlark::values::{Heap, Value};

use super::call::Call;
use crate::golang::json::{self, Layout};
use crate::script::library::Library;
use crate::script::program::Program;
use crate::script::value::plain_value;
use crate::yaml::Data;

pub(super) fn module<'v>(
    heap: Heap<'v>,
    _: &Library<'_>,
    _: &Arc<Program>,
) -> starlark::Result<Value<'v>> {
    Ok(super::functions(heap, functions, []))
}

#[starlark_module]
fn functions(builder: &mut GlobalsBuilder) {
    /// A value as JSON.
    fn encode<'v>(
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
        #[starlark(kwargs)] options: DictRef<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<String> {
        let call = Call::new("json.encode", arguments.items);
        let [value] = call.arguments()?;
        call.options(&options, &["indent", "escape_html"])?;
        let node = call.node(value, eval.heap())?;
        let layout = Layout {
            indent: call.indent(&options)?.unwrap_or_default(),
            escape_html: call.flag(&options, "escape_html")?.unwrap_or(true),
        };
        let data = Data::of(&node).map_err(|diagnostic| call.diagnosed(diagnostic))?;
        Ok(json::encode(&data, layout).map_err(|error| call.failure(error))?)
    }

    /// The value that a JSON text says.
    fn decode<'v>(
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
        #[starlark(kwargs)] _options: DictRef<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        let call = Call::new("json.decode", arguments.items);
        let source = call.one_source()?;
        let node = json::decode(&source).map_err(|diagnostic| call.diagnosed(diagnostic))?;
        plain_value(&node, eval.heap())
    }
}
