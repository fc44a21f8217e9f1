//! `@ytt:template`.

use std::sync::Arc;

use starlark::environment::GlobalsBuilder;
use starlark::starlark_module;
use starlark::values::{Heap, Value};

use crate::script::fragments::{Replacement, ReplacementGen};
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
    /// Puts `value` in the place of the node that this is assigned to.
    fn replace<'v>(
        #[starlark(require = pos)] value: Value<'v>,
    ) -> starlark::Result<Replacement<'v>> {
        Ok(ReplacementGen { value })
    }
}
