//! Structs and fragments that are used as a dictionary: `**value`, `dict(value)`.

use starlark::collections::SmallMap;
use starlark::values::dict::Dict;
use starlark::values::{Heap, Value, ValueLike};

use super::{Fragment, copy_all, fields};

/// Converts a struct or a fragment to a dictionary. Returns any other value unchanged.
///
/// # Errors
/// Fails for a key that cannot be hashed.
pub(in crate::script) fn dictionary<'v>(
    value: Value<'v>,
    heap: Heap<'v>,
) -> starlark::Result<Value<'v>> {
    let mut pairs = SmallMap::new();
    copy_all(value, heap);
    if let Some(fields) = fields(value) {
        for (name, value) in fields {
            let name: Value<'v> = heap.alloc(name);
            pairs.insert_hashed(name.get_hashed()?, value);
        }
    } else if value
        .downcast_ref::<Fragment>()
        .is_some_and(Fragment::is_nothing)
    {
        // The result of a function that built none of its nodes has no entries.
    } else if let Some(fragment) = value.downcast_ref::<Fragment>()
        && let Some(entries) = fragment.entries()
    {
        for entry in entries {
            pairs.insert_hashed(
                fragment.inner(&entry.key, heap).get_hashed()?,
                fragment.inner(&entry.value, heap),
            );
        }
    } else {
        // Neither a struct nor a fragment. If it is not a dictionary either, the crate reports
        // that.
        return Ok(value);
    }
    Ok(heap.alloc(Dict::new(pairs)))
}
