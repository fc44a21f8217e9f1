//! The operator `%`: formats a string, or computes a remainder.

use std::fmt::Write;

use starlark::values::ValueLike;
use starlark::values::dict::DictRef;
use starlark::values::float::StarlarkFloat;
use starlark::values::tuple::TupleRef;
use starlark::values::{Heap, Value};

use crate::script::failure::Failure;
use crate::script::limits::size;
use crate::script::value::{float_text, repr, text, type_name};
use crate::source::suggest::with_article;

/// Computes `left % right`.
pub(super) fn percent<'v>(
    left: Value<'v>,
    right: Value<'v>,
    heap: Heap<'v>,
) -> starlark::Result<Value<'v>> {
    if let Some(pattern) = left.unpack_str() {
        return Ok(heap.alloc(format(pattern, right)?));
    }
    let is_float = |value: Value<'_>| value.downcast_ref::<StarlarkFloat>().is_some();
    // The crate has no remainder of floats.
    if (is_float(left) || is_float(right))
        && let (Some(left), Some(right)) = (number(left), number(right))
    {
        if right == 0.0 {
            return Err(Failure::new("float modulo by zero").into());
        }
        // The sign is the dividend's, unlike that of a remainder of integers.
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

/// The values of a pattern, in order or by name.
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
            return Err(Failure::new(format!(
                "expected a dictionary to format, found {}",
                with_article(type_name(self.all))
            )));
        };
        dict.get_str(name).ok_or_else(|| {
            Failure::new(format!(
                "expected the key \"{name}\" in the dictionary to format"
            ))
        })
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

fn format(pattern: &str, arguments: Value<'_>) -> Result<String, Failure> {
    let tuple = TupleRef::from_value(arguments);
    let mut arguments = FormatArguments {
        all: arguments,
        tuple,
        used: 0,
        by_name: false,
    };
    let mut out = String::new();
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        rest = conversion(after, &mut arguments, &mut out)?;
        size::check_string(out.len())?;
    }
    out.push_str(rest);
    arguments.finish()?;
    Ok(out)
}

/// Writes one conversion and returns what follows it.
fn conversion<'a>(
    after: &'a str,
    arguments: &mut FormatArguments<'_>,
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
        // The letters of starlark-go. Widths and flags (`%5d`) do not exist there.
        's' => out.push_str(&text(value)),
        'r' => out.push_str(&repr(value)),
        'd' | 'i' | 'o' | 'x' | 'X' => integer(kind, value, out)?,
        'e' | 'f' | 'g' | 'E' | 'F' | 'G' => float(kind, value, out)?,
        'c' => character(value, out)?,
        _ => return Err(Failure::new(format!("unknown conversion %{kind}"))),
    }
    Ok(letter.get(kind.len_utf8()..).unwrap_or_default())
}

fn integer(kind: char, value: Value<'_>, out: &mut String) -> Result<(), Failure> {
    let digits = match value.downcast_ref::<StarlarkFloat>() {
        Some(float) if float.0.is_finite() => format!("{:.0}", float.0.trunc()),
        Some(_) => return Err(Failure::new("cannot convert float to int")),
        None if value.get_type() == "int" => value.to_repr(),
        None => {
            let found = with_article(type_name(value));
            return Err(Failure::new(format!(
                "expected an integer for %{kind}, found {found}"
            )));
        }
    };
    // `-0.5` is truncated to a negative zero, which integers do not have.
    let digits = if digits == "-0" {
        "0".to_owned()
    } else {
        digits
    };
    if matches!(kind, 'd' | 'i') {
        out.push_str(&digits);
        return Ok(());
    }
    let Ok(number) = digits.parse::<i128>() else {
        return Err(Failure::limit(format!(
            "expected an integer of at most 128 bits for %{kind}"
        )));
    };
    if number < 0 {
        out.push('-');
    }
    let size = number.unsigned_abs();
    let _ = match kind {
        'o' => write!(out, "{size:o}"),
        'x' => write!(out, "{size:x}"),
        _ => write!(out, "{size:X}"),
    };
    Ok(())
}

fn float(kind: char, value: Value<'_>, out: &mut String) -> Result<(), Failure> {
    let Some(number) = number(value) else {
        return Err(Failure::new(format!(
            "expected a float for %{kind}, found {}",
            with_article(type_name(value))
        )));
    };
    match kind.to_ascii_lowercase() {
        'f' => {
            let _ = write!(out, "{number:.6}");
        }
        'e' => {
            // Go writes at least two digits of the exponent and its sign, Rust neither:
            //
            //    Rust  1.500000e7      Go  1.500000e+07
            let scientific = format!("{number:.6e}");
            let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
            let exponent: i32 = exponent.parse().unwrap_or(0);
            let sign = if exponent < 0 { '-' } else { '+' };
            let _ = write!(
                out,
                "{digits}{}{sign}{:02}",
                if kind == 'E' { 'E' } else { 'e' },
                exponent.abs()
            );
        }
        _ => out.push_str(&float_text(number)),
    }
    Ok(())
}

fn character(value: Value<'_>, out: &mut String) -> Result<(), Failure> {
    let code = value
        .unpack_i32()
        .and_then(|code| u32::try_from(code).ok())
        .and_then(char::from_u32);
    match (value.unpack_str(), code) {
        (Some(text), _) if text.chars().count() == 1 => out.push_str(text),
        (None, Some(code)) => out.push(code),
        _ => {
            return Err(Failure::new(
                "expected a single character or its number for %c",
            ));
        }
    }
    Ok(())
}
