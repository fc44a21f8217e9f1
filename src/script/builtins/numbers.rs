//! Conversions to numbers, and between numbers and characters: `int`, `float`, `chr`, `ord`.

use starlark::eval::Evaluator;
use starlark::values::float::StarlarkFloat;
use starlark::values::{Heap, Value, ValueLike};

use crate::golang::parse_float;
use crate::script::builtin_call::{BuiltinCall, ParameterKind};
use crate::script::failure::Failure;
use crate::script::limits::{noted, size};
use crate::script::value::{repr, type_name};

/// The maximum length of a text that is read as a number. Reading takes quadratic time.
const DIGIT_LIMIT: usize = 1_000;

/// The number of digits in any base (up to 36) that fit into 62 bits.
const CHUNK: usize = 11;

/// `int(x, base=10)`.
pub(super) fn int<'v>(
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let heap = eval.heap();
    let parameters = [("x", ParameterKind::Any), ("base", ParameterKind::Any)];
    let [value, base] = call.by_name(1, parameters, heap)?;
    let value = value.unwrap_or_else(Value::new_none);
    if let Some(text) = value.unpack_str() {
        return integer_of_text(call, text, base, heap);
    }
    if base.is_some() {
        return Err(call
            .failure("can't convert non-string with explicit base")
            .into());
    }
    if let Some(float) = value.downcast_ref::<StarlarkFloat>() {
        return Ok(truncated(float.0, heap).map_err(|failure| call.failure(failure))?);
    }
    match value.get_type() {
        "int" => Ok(value),
        "bool" => Ok(heap.alloc(i32::from(value.to_bool()))),
        _ => {
            let kind = type_name(value);
            Err(call.failure(format!("cannot convert {kind} to int")).into())
        }
    }
}

/// Returns a float without its fraction.
///
/// # Errors
/// Fails for infinity and NaN, with ytt's message, which has no function name in front.
pub(super) fn truncated<'v>(float: f64, heap: Heap<'v>) -> Result<Value<'v>, Failure> {
    if float.is_nan() {
        return Err(Failure::new("cannot convert float NaN to integer"));
    }
    if float.is_infinite() {
        return Err(Failure::new("cannot convert float infinity to integer"));
    }
    let digits = format!("{:.0}", float.trunc().abs());
    let integer = integer_of_digits(&digits, 10, float < 0.0, heap);
    integer.map_err(|error| Failure::new(error.to_string()))
}

fn integer_of_text<'v>(
    call: &BuiltinCall<'_, 'v>,
    text: &str,
    base: Option<Value<'v>>,
    heap: Heap<'v>,
) -> starlark::Result<Value<'v>> {
    let base = match base.map(|base| base.unpack_i32()) {
        None => 10,
        Some(Some(base)) if base == 0 || (2..=36).contains(&base) => base.unsigned_abs(),
        Some(_) => {
            return Err(call.failure("base must be an integer >= 2 && <= 36").into());
        }
    };
    if text.len() > DIGIT_LIMIT {
        return Err(Failure::limit(format!(
            "expected a number of at most {DIGIT_LIMIT} digits, found {}",
            text.len()
        ))
        .into());
    }
    let (is_negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let Some((digits, base)) = digits_in_base(unsigned, base) else {
        return Err(call
            .failure(format!("invalid literal with base {base}: {text}"))
            .into());
    };
    integer_of_digits(digits, base, is_negative, heap)
}

/// Returns the digits after the prefix of a number, and their base. A `base` of 0 means the base
/// of the prefix. Returns `None` for a text that is not a number.
fn digits_in_base(text: &str, base: u32) -> Option<(&str, u32)> {
    let prefix = match text.get(..2).filter(|_| text.len() > 2) {
        Some("0o" | "0O") => Some(8),
        Some("0x" | "0X") => Some(16),
        Some("0b" | "0B") => Some(2),
        _ => None,
    };
    let (digits, actual) = match prefix {
        Some(own) if base == 0 || base == own => (text.get(2..).unwrap_or_default(), own),
        // In base 16, `0b1` could be read both ways, so it is rejected.
        Some(_) => return None,
        // `010` was octal in Python 2, so it is rejected.
        None if base == 0 && text.starts_with('0') && text.bytes().any(|byte| byte != b'0') => {
            return None;
        }
        None if base == 0 => (text, 10),
        None => (text, base),
    };
    let is_number = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(actual));
    is_number.then_some((digits, actual))
}

/// Returns an integer of any size. The crate adds and multiplies such integers but has no public
/// function that parses them, so the integer is computed from chunks that fit into 64 bits.
fn integer_of_digits<'v>(
    digits: &str,
    base: u32,
    is_negative: bool,
    heap: Heap<'v>,
) -> starlark::Result<Value<'v>> {
    // Each chunk makes two integers, which are as long as the digits so far.
    noted::note(digits.len() * digits.len() / (2 * CHUNK));
    let mut integer = heap.alloc(0);
    let mut rest = digits;
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at(rest.len().min(CHUNK));
        let shift = i64::from(base).pow(u32::try_from(chunk.len()).unwrap_or(0));
        let chunk = i64::from_str_radix(chunk, base).unwrap_or(0);
        integer = integer.mul(heap.alloc(shift), heap)?;
        integer = integer.add(heap.alloc(chunk), heap)?;
        rest = after;
    }
    if is_negative {
        integer = integer.minus(heap)?;
    }
    Ok(integer)
}

/// `float(x)`.
pub(super) fn float<'v>(
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let heap = eval.heap();
    if !call.named.is_empty() {
        return Err(Failure::new("float does not accept keyword arguments").into());
    }
    let value = match call.positional {
        [] => return Ok(heap.alloc(0.0)),
        [only] => *only,
        others => {
            let given = others.len();
            return Err(Failure::new(format!("float got {given} arguments, wants 1")).into());
        }
    };
    if let Some(text) = value.unpack_str() {
        size::check_string(text.len())?;
        return Ok(heap.alloc(parse_float(text).map_err(|error| call.failure(error))?));
    }
    if value.downcast_ref::<StarlarkFloat>().is_some() {
        return Ok(value);
    }
    match value.get_type() {
        "bool" => Ok(heap.alloc(f64::from(value.to_bool()))),
        "int" => Ok(heap.alloc(value.to_repr().parse::<f64>().unwrap_or(f64::NAN))),
        _ => {
            let kind = type_name(value);
            Err(Failure::new(format!("float got {kind}, want number or string")).into())
        }
    }
}

/// `chr(i)`: the character with the code point `i`.
pub(super) fn chr<'v>(
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let value = one_argument(call)?;
    if value.get_type() != "int" {
        let kind = type_name(value);
        return Err(call.failure(format!("got {kind}, want int")).into());
    }
    let Some(number) = value.unpack_i32() else {
        return Err(call.failure(format!("{} out of range", repr(value))).into());
    };
    let Ok(code) = u32::try_from(number) else {
        return Err(call
            .failure(format!("Unicode code point {number} out of range (<0)"))
            .into());
    };
    if code > u32::from(char::MAX) {
        return Err(call
            .failure(format!(
                "Unicode code point U+{code:X} out of range (>0x10FFFF)"
            ))
            .into());
    }
    // Half of a surrogate pair is not a character. Go writes the replacement character for it.
    let character = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
    Ok(eval.heap().alloc(character.to_string()))
}

/// `ord(s)`: the code point of a character.
pub(super) fn ord<'v>(
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let value = one_argument(call)?;
    let Some(text) = value.unpack_str() else {
        let kind = type_name(value);
        return Err(call.failure(format!("got {kind}, want string")).into());
    };
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (Some(only), None) => Ok(eval.heap().alloc(u32::from(only))),
        _ => {
            let found = text.chars().count();
            Err(call
                .failure(format!(
                    "string encodes {found} Unicode code points, want 1"
                ))
                .into())
        }
    }
}

/// Returns the only argument of a function whose message for a wrong number of arguments says
/// `want 1`.
pub(super) fn one_argument<'v>(call: &BuiltinCall<'_, 'v>) -> Result<Value<'v>, Failure> {
    match call.positional {
        [only] if call.named.is_empty() => Ok(*only),
        others if call.named.is_empty() => {
            let given = others.len();
            Err(call.failure(format!("got {given} arguments, want 1")))
        }
        _ => call.only(),
    }
}
