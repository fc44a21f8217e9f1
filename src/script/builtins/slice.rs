//! `x[1:3]`, which counts the bytes of a string.

use starlark::values::{Heap, UnpackValue, Value};

use super::methods::bound;
use crate::script::failure::Failure;

/// Returns a part of a string, a list or a tuple.
pub(super) fn slice<'v>(
    value: Value<'v>,
    start: Value<'v>,
    stop: Value<'v>,
    stride: Option<Value<'v>>,
    heap: Heap<'v>,
) -> starlark::Result<Value<'v>> {
    let given = |value: Value<'v>| (!value.is_none()).then_some(value);
    let stride = stride.and_then(given);
    let step = stride.map(i64::unpack_value).transpose().ok().flatten();
    match value.unpack_str() {
        // The crate counts characters. That is the same as bytes for ASCII. With a stride other
        // than 1 the result of bytes would not be text, so those slices count characters here too.
        Some(text) if !text.is_ascii() && (stride.is_none() || step == Some(Some(1))) => {
            let (start, stop) = (
                bound(text, given(start), 0)?,
                bound(text, given(stop), text.len())?,
            );
            let part = text.get(start..stop.max(start)).ok_or_else(|| {
                let inner = if text.is_char_boundary(start) {
                    stop
                } else {
                    start
                };
                Failure::new(format!(
                    "expected a slice between two characters, found byte {inner} inside of one"
                ))
                .help("strings are sliced by bytes; `codepoints()` gives their characters")
            })?;
            Ok(heap.alloc(part))
        }
        _ => value.slice(given(start), given(stop), stride, heap),
    }
}
