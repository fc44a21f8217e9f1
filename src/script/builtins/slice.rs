//! `x[1:3]` and `x[::2]`. Positions in a string count bytes.

use starlark::values::{Heap, Value};

use crate::script::failure::Failure;
use crate::script::value::{repr, type_name};

/// Returns a slice of a string, a list or a tuple.
pub(super) fn slice<'v>(
    value: Value<'v>,
    start: Value<'v>,
    stop: Value<'v>,
    stride: Option<Value<'v>>,
    heap: Heap<'v>,
) -> starlark::Result<Value<'v>> {
    let kind = type_name(value);
    if matches!(
        kind,
        "int"
            | "float"
            | "bool"
            | "NoneType"
            | "dict"
            | "set"
            | "struct"
            | "elems"
            | "codepoints"
            | "function"
            | "builtin_function_or_method"
    ) {
        return Err(Failure::new(format!("invalid slice operand {kind}")).into());
    }
    let given = |value: Value<'v>| (!value.is_none()).then_some(value);
    let (start, stop, stride) = (given(start), given(stop), stride.and_then(given));
    let step = step(stride)?;
    check_bound(start, "start")?;
    check_bound(stop, "end")?;
    match value.unpack_str() {
        // The crate counts characters from the start of the text.
        Some(text) if step == 1 => {
            let start = bound(text, start, 0, "start")?;
            let stop = bound(text, stop, text.len(), "end")?;
            Ok(heap.alloc(part(text, start, stop.max(start))?))
        }
        Some(text) => Ok(heap.alloc(strided(text, start, stop, step)?)),
        None => value.slice(start, stop, stride, heap),
    }
}

fn step(stride: Option<Value<'_>>) -> Result<i32, Failure> {
    let Some(stride) = stride else {
        return Ok(1);
    };
    if stride.get_type() != "int" {
        let kind = type_name(stride);
        return Err(Failure::new(format!("got {kind} for slice step, want int")));
    }
    match stride.unpack_i32() {
        Some(0) => Err(Failure::new("zero is not a valid slice step")),
        Some(step) => Ok(step),
        None => Err(Failure::new(format!("{} out of range", repr(stride)))),
    }
}

/// Returns a bound of a slice, if it is given. `which` is `start` or `end`.
pub(super) fn check_bound(value: Option<Value<'_>>, which: &str) -> Result<Option<i32>, Failure> {
    let Some(value) = value.filter(|value| !value.is_none()) else {
        return Ok(None);
    };
    if value.get_type() != "int" {
        let kind = type_name(value);
        return Err(Failure::new(format!(
            "invalid {which} index: got {kind}, want int"
        )));
    }
    match value.unpack_i32() {
        Some(bound) => Ok(Some(bound)),
        None => {
            let value = repr(value);
            Err(Failure::new(format!(
                "invalid {which} index: {value} out of range"
            )))
        }
    }
}

/// Returns a bound of a slice of a text, in bytes. A negative bound counts from the end.
pub(super) fn bound(
    text: &str,
    value: Option<Value<'_>>,
    default: usize,
    which: &str,
) -> Result<usize, Failure> {
    let Some(number) = check_bound(value, which)? else {
        return Ok(default);
    };
    let (number, length) = (i64::from(number), text.len() as i64);
    // Clamp the bound, so that a bound beyond either end means that end, as in Python.
    let number = if number < 0 { number + length } else { number };
    Ok(usize::try_from(number.clamp(0, length)).unwrap_or(0))
}

/// Returns the bytes from `start` up to `stop`.
///
/// # Errors
/// Fails if one of the bounds is inside a character, because the part is then not text.
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

/// Returns every n-th byte of a text, backwards for a negative `step`, which is not 0.
fn strided<'v>(
    text: &str,
    start: Option<Value<'v>>,
    stop: Option<Value<'v>>,
    step: i32,
) -> Result<String, Failure> {
    let length = text.len() as i64;
    // The places at which a slice can start and stop: backwards, they are one to the left.
    let (first, last) = match step > 0 {
        true => (0, length),
        false => (-1, length - 1),
    };
    let place = |value, default, which| -> Result<i64, Failure> {
        let Some(number) = check_bound(value, which)?.map(i64::from) else {
            return Ok(default);
        };
        let number = if number < 0 { number + length } else { number };
        Ok(number.clamp(first, last))
    };
    let (start, stop) = match step > 0 {
        true => (place(start, first, "start")?, place(stop, last, "end")?),
        false => (place(start, last, "start")?, place(stop, first, "end")?),
    };
    let step = i64::from(step);
    let distance = if step > 0 { stop - start } else { start - stop };
    let count = distance.max(0).unsigned_abs().div_ceil(step.unsigned_abs());
    let bytes = text.as_bytes();
    let selected = (0..count).filter_map(|turn| {
        let place = start + step * i64::try_from(turn).ok()?;
        bytes.get(usize::try_from(place).ok()?).copied()
    });
    String::from_utf8(selected.collect()).map_err(|_| {
        Failure::new("expected a slice of whole characters, found only some bytes of one")
            .help("strings are sliced by bytes; `codepoints()` gives their characters")
    })
}
