//! `x[1:3]` and `x[::2]`, which count the bytes of a string.

use starlark::values::list::{AllocList, ListRef};
use starlark::values::{Heap, UnpackValue, Value};

use super::methods::bound;
use crate::script::failure::Failure;
use crate::script::limits::size;

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
    // The crate counts characters, which is the same as bytes for ASCII.
    let text = match value.unpack_str() {
        Some(text) if !text.is_ascii() => text,
        _ => return value.slice(given(start), given(stop), stride, heap),
    };
    let step = match stride.map(i64::unpack_value) {
        None => Some(1),
        Some(step) => step.ok().flatten(),
    };
    match step {
        Some(1) => {
            let start = bound(text, given(start), 0)?;
            let stop = bound(text, given(stop), text.len())?;
            Ok(heap.alloc(part(text, start, stop.max(start))?))
        }
        // The crate says what is wrong with a stride.
        None | Some(0) => value.slice(given(start), given(stop), stride, heap),
        Some(_) => Ok(heap.alloc(strided(text, given(start), given(stop), stride, heap)?)),
    }
}

/// Returns the bytes from `start` to before `stop`.
///
/// # Errors
/// One of the bounds is inside of a character, so the part is not text.
pub(super) fn part(text: &str, start: usize, stop: usize) -> Result<&str, Failure> {
    text.get(start..stop).ok_or_else(|| {
        let inner = if text.is_char_boundary(start) {
            stop
        } else {
            start
        };
        Failure::new(format!(
            "expected a slice between two characters, found byte {inner} inside of one"
        ))
        .help("strings are sliced by bytes; `codepoints()` gives their characters")
    })
}

/// Returns every n-th byte of a text. The crate selects them from a list of all positions.
fn strided<'v>(
    text: &str,
    start: Option<Value<'v>>,
    stop: Option<Value<'v>>,
    stride: Option<Value<'v>>,
    heap: Heap<'v>,
) -> starlark::Result<String> {
    size::check_list(text.len())?;
    let bytes = heap.alloc(AllocList(text.bytes().map(i32::from)));
    let selected = bytes.slice(start, stop, stride, heap)?;
    let selected = ListRef::from_value(selected).map_or(&[][..], |list| list.content());
    let bytes = selected.iter().filter_map(|byte| byte.unpack_i32());
    let bytes: Vec<u8> = bytes.filter_map(|byte| u8::try_from(byte).ok()).collect();
    Ok(String::from_utf8(bytes).map_err(|_| {
        Failure::new("expected a slice of whole characters, found only some bytes of one")
            .help("strings are sliced by bytes; `codepoints()` gives their characters")
    })?)
}
