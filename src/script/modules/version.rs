//! `@ytt:version`.

use std::sync::Arc;

use starlark::environment::GlobalsBuilder;
use starlark::starlark_module;
use starlark::values::dict::DictRef;
use starlark::values::none::NoneType;
use starlark::values::tuple::UnpackTuple;
use starlark::values::{Heap, Value};

use super::call::Call;
use crate::golang::version;
use crate::script::library::Library;
use crate::script::program::Program;

/// The version of ytt whose language Inlay speaks.
const YTT_VERSION: &str = "0.49.0";

pub(super) fn module<'v>(
    heap: Heap<'v>,
    _: &Library<'_>,
    _: &Arc<Program>,
) -> starlark::Result<Value<'v>> {
    Ok(super::functions(heap, functions, []))
}

#[starlark_module]
fn functions(builder: &mut GlobalsBuilder) {
    /// Fails if a later version of ytt is needed.
    fn require_at_least<'v>(
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
        #[starlark(kwargs)] _options: DictRef<'v>,
    ) -> starlark::Result<NoneType> {
        let call = Call::new("version.require_at_least", arguments.items);
        let minimum = call.one_text()?;
        if version::is_at_least(YTT_VERSION, minimum).map_err(|error| call.failure(error))? {
            return Ok(NoneType);
        }
        let message = format!(
            "ytt version '{YTT_VERSION}' does not meet the minimum required version '{minimum}'"
        );
        Err(call
            .failure(message)
            .help("this is the version of ytt whose language Inlay speaks")
            .into())
    }
}
