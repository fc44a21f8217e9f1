//! `@ytt:md5`.

use std::sync::Arc;

use starlark::environment::GlobalsBuilder;
use starlark::starlark_module;
use starlark::values::dict::DictRef;
use starlark::values::tuple::UnpackTuple;
use starlark::values::{Heap, Value};

use super::call::Call;
use crate::golang::digest;
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
    /// The MD5 sum of a string, in hexadecimal digits.
    fn sum<'v>(
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
        #[starlark(kwargs)] _options: DictRef<'v>,
    ) -> starlark::Result<String> {
        Ok(digest::md5(
            Call::new("md5.sum", arguments.items).one_text()?.as_bytes(),
        ))
    }
}
