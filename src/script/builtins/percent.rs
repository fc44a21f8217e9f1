//! The operator `%`: formats a string, or computes a remainder.

use starlark::values::ValueLike;
use starlark::values::dict::DictRef;
use starlark::values::float::StarlarkFloat;
use starlark::values::tuple::TupleRef;
use starlark::values::{Heap, Value};

use super::numbers;
use crate::script::failure::Failure;
use crate::script::limits::size;
use crate::script::value::{float_text, push_text, repr, shortest_float_text, type_name};

/// The digits in another base that one division of a large number gives.
const DIGITS_PER_DIVISION: u32 = 7;

/// Computes `left % right`.
pub(super) fn percent<'v>(
    left: Value<'v>,
    right: Value<'v>,
    heap: Heap<'v>,
) -> starlark::Result<Value<'v>> {
    if let Some(pattern) = left.unpack_str() {
        return Ok(heap.alloc(format(pattern, right, heap)?));
    }
    let is_float = |value: Value<'_>| value.downcast_ref::<StarlarkFloat>().is_some();
    // The crate does not implement the remainder of floats.
    if (is_float(left) || is_float(right))
        && let (Some(left), Some(right)) = (number(left), number(right))
    {
        if right == 0.0 {
            return Err(Failure::new("float modulo by zero").into());
        }
        // The result has the sign of the dividend, unlike the remainder of integers.
        return Ok(heap.alloc(left % right));
    }
    if left.get_type() == "int" && right.unpack_i32() == Some(0) {
        return Err(Failure::new("integer modulo by zero").into());
    }
    left.percent(right, heap)
}

fn number(value: Value<'_>) -> Option<f64> {
    match value.downcast_ref::<StarlarkFloat>() {
        Some(float) => Some(float.0),
        None if value.get_type() == "int" => value.to_repr().parse().ok(),
        None => None,
    }
}

/// The values for a pattern, in order or by name.
struct FormatArguments<'v> {
    all: Value<'v>,
    tuple: Option<&'v TupleRef<'v>>,
    used: usize,
    by_name: bool,
}

impl<'v> FormatArguments<'v> {
    fn next(&mut self) -> Result<Value<'v>, Failure> {
        let index = self.used;
        self.used += 1;
        match self.tuple {
            Some(tuple) => tuple.content().get(index).copied(),
            // A value that is not a tuple is the only argument: `"%s" % 1`.
            None => Some(self.all).filter(|_| index == 0),
        }
        .ok_or_else(|| Failure::new("not enough arguments for format string"))
    }

    fn named(&mut self, name: &str) -> Result<Value<'v>, Failure> {
        self.by_name = true;
        let Some(dict) = DictRef::from_value(self.all) else {
            return Err(Failure::new("format requires a mapping"));
        };
        dict.get_str(name)
            .ok_or_else(|| Failure::new(format!("key not found: {name}")))
    }

    fn finish(&self) -> Result<(), Failure> {
        let count = self.tuple.map_or(1, TupleRef::len);
        // A dictionary may have keys that the pattern does not use.
        if self.by_name || self.used >= count {
            return Ok(());
        }
        Err(Failure::new("too many arguments for format string"))
    }
}

fn format(pattern: &str, arguments: Value<'_>, heap: Heap<'_>) -> Result<String, Failure> {
    let tuple = TupleRef::from_value(arguments);
    let mut arguments = FormatArguments {
        all: arguments,
        tuple,
        used: 0,
        by_name: false,
    };
    let mut out = String::new();
    let mut rest = pattern;
    while let Some(sign) = memchr::memchr(b'%', rest.as_bytes()) {
        let (before, after) = rest.split_at(sign);
        out.push_str(before);
        let after = after.get(1..).unwrap_or_default();
        rest = conversion(after, &mut arguments, heap, &mut out)?;
        size::check_string(out.len())?;
    }
    out.push_str(rest);
    arguments.finish()?;
    Ok(out)
}

/// Writes one conversion and returns the text after it.
fn conversion<'a>(
    after: &'a str,
    arguments: &mut FormatArguments<'_>,
    heap: Heap<'_>,
    out: &mut String,
) -> Result<&'a str, Failure> {
    if let Some(rest) = after.strip_prefix('%') {
        out.push('%');
        return Ok(rest);
    }
    let (value, letter) = match after.strip_prefix('(') {
        Some(named) => {
            let (name, rest) = named
                .split_once(')')
                .ok_or_else(|| Failure::new("incomplete format key"))?;
            (arguments.named(name)?, rest)
        }
        None => (arguments.next()?, after),
    };
    let Some(kind) = letter.chars().next() else {
        return Err(Failure::new("incomplete format"));
    };
    match kind {
        // The letters of starlark-go, which supports neither widths nor flags (`%5d`).
        's' => push_text(value, out),
        'r' => out.push_str(&repr(value)),
        'd' | 'i' | 'o' | 'x' | 'X' => integer(kind, value, heap, out)?,
        'e' | 'f' | 'g' | 'E' | 'F' | 'G' => float(kind, value, out)?,
        'c' => character(value, out)?,
        _ => return Err(Failure::new(format!("unknown conversion %{kind}"))),
    }
    Ok(letter.get(kind.len_utf8()..).unwrap_or_default())
}

fn integer(kind: char, value: Value<'_>, heap: Heap<'_>, out: &mut String) -> Result<(), Failure> {
    if matches!(kind, 'd' | 'i')
        && let Some(integer) = value.unpack_i32()
    {
        out.push_str(itoa::Buffer::new().format(integer));
        return Ok(());
    }
    let requires =
        |reason: &str| Failure::new(format!("%{kind} format requires integer: {reason}"));
    let digits = match value.downcast_ref::<StarlarkFloat>() {
        // `-0.5` is truncated to zero without a sign.
        Some(float) => match numbers::truncated(float.0, heap) {
            Ok(integer) => integer.to_repr(),
            Err(Failure(diagnostic)) => return Err(requires(&diagnostic.message)),
        },
        None if value.get_type() == "int" => value.to_repr(),
        None => {
            let found = type_name(value);
            return Err(requires(&format!("cannot convert {found} to int")));
        }
    };
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(digits) => ("-", digits.to_owned()),
        None => ("", digits),
    };
    out.push_str(sign);
    match kind {
        'o' => out.push_str(&in_base(&digits, 8)),
        'x' => out.push_str(&in_base(&digits, 16)),
        'X' => out.push_str(&in_base(&digits, 16).to_ascii_uppercase()),
        _ => out.push_str(&digits),
    }
    Ok(())
}

/// Returns a decimal number in another base, by repeated division:
///
/// ```text
/// 300 in base 16:   300 = 18 * 16 + 12     18 = 1 * 16 + 2     1     →   12c
/// ```
///
/// Each division is by a power of the base and gives several digits, and each part of the number
/// contains nine decimal digits.
fn in_base(decimal: &str, base: u32) -> String {
    const PART: u64 = 1_000_000_000;
    let mut parts: Vec<u64> = decimal
        .as_bytes()
        .rchunks(9)
        .rev()
        .map(|part| {
            part.iter()
                .fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0'))
        })
        .collect();
    let divisor = u64::from(base).pow(DIGITS_PER_DIVISION);
    let mut reversed = Vec::new();
    while !parts.is_empty() {
        let mut rest = 0;
        for part in &mut parts {
            let value = rest * PART + *part;
            *part = value / divisor;
            rest = value % divisor;
        }
        for _ in 0..DIGITS_PER_DIVISION {
            let digit = u32::try_from(rest % u64::from(base)).unwrap_or(0);
            reversed.extend(char::from_digit(digit, base));
            rest /= u64::from(base);
        }
        let zeros = parts.iter().take_while(|part| **part == 0).count();
        parts.drain(..zeros);
    }
    // The last division may give digits beyond the first one of the number.
    while reversed.len() > 1 && reversed.last() == Some(&'0') {
        reversed.pop();
    }
    reversed.iter().rev().collect()
}

fn float(kind: char, value: Value<'_>, out: &mut String) -> Result<(), Failure> {
    let Some(number) = number(value) else {
        let found = type_name(value);
        return Err(Failure::new(format!(
            "%{kind} format requires float, not {found}"
        )));
    };
    if !number.is_finite() {
        out.push_str(&float_text(number));
        return Ok(());
    }
    let text = match kind.to_ascii_lowercase() {
        'f' => format!("{number:.6}"),
        'e' => scientific(number),
        _ => shortest_float_text(number),
    };
    match kind.is_ascii_uppercase() {
        true => out.push_str(&text.to_ascii_uppercase()),
        false => out.push_str(&text),
    }
    Ok(())
}

/// Returns a float with an exponent. Go writes the exponent's sign and at least two digits; Rust
/// does neither:
///
/// ```text
/// Rust  1.500000e7      Go  1.500000e+07
/// ```
fn scientific(number: f64) -> String {
    let text = format!("{number:.6e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

fn character(value: Value<'_>, out: &mut String) -> Result<(), Failure> {
    if let Some(text) = value.unpack_str() {
        if text.chars().count() != 1 {
            return Err(Failure::new("%c format requires a single-character string"));
        }
        out.push_str(text);
        return Ok(());
    }
    if value.get_type() != "int" {
        let found = type_name(value);
        return Err(Failure::new(format!(
            "%c format requires int or single-character string, not {found}"
        )));
    }
    let code = value.unpack_i32().and_then(|code| u32::try_from(code).ok());
    match code.filter(|code| *code <= u32::from(char::MAX)) {
        // Half of a surrogate pair is not a character.
        Some(code) => out.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)),
        None => {
            let found = repr(value);
            return Err(Failure::new(format!(
                "%c format requires a valid Unicode code point, got {found}"
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_numbers_of_any_length_in_another_base() {
        let table = [
            ("0", "0", "0"),
            ("8", "10", "8"),
            ("255", "377", "ff"),
            ("2097152", "10000000", "200000"),
            ("268435456", "2000000000", "10000000"),
            ("1000000000", "7346545000", "3b9aca00"),
            (
                "1267650600228229401496703205376",
                "2000000000000000000000000000000000",
                "10000000000000000000000000",
            ),
        ];
        for (decimal, octal, hexadecimal) in table {
            assert_eq!(in_base(decimal, 8), octal);
            assert_eq!(in_base(decimal, 16), hexadecimal);
        }
    }
}
