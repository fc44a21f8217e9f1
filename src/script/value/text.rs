//! Values as text in the format of ytt's Starlark: floats with six digits, strings in double
//! quotes.

use std::fmt::Write;

use starlark::values::dict::DictRef;
use starlark::values::float::StarlarkFloat;
use starlark::values::list::ListRef;
use starlark::values::tuple::TupleRef;
use starlark::values::{Value, ValueLike};

use super::string_parts::{STRING_PARTS, StringParts};
use super::{OBJECT, Object};
use crate::dialect::RENAMED;
use crate::golang::quote;
use crate::source::Limit;

/// The depth from which a value is written as `...`.
const DEPTH_LIMIT: usize = 255;

/// Returns the result of `type(value)`.
pub(in crate::script) fn type_name(value: Value<'_>) -> &'static str {
    match value.get_type() {
        "function" if !is_defined(value) => "builtin_function_or_method",
        STRING_PARTS => value
            .downcast_ref::<StringParts>()
            .map_or(STRING_PARTS, StringParts::type_name),
        OBJECT => Object::from_value(value).map_or(OBJECT, |object| object.type_name()),
        other => other,
    }
}

/// Returns whether a value can be called.
pub(in crate::script) fn is_callable(value: Value<'_>) -> bool {
    matches!(type_name(value), "function" | "builtin_function_or_method")
}

/// Returns whether a function is defined in a program. The crate shows such a function as `7.name`,
/// where 7 is the id of its program, and its own functions as `name`.
fn is_defined(value: Value<'_>) -> bool {
    value
        .to_repr()
        .starts_with(|first: char| first.is_ascii_digit())
}

/// Returns the result of `str(value)`.
pub(in crate::script) fn text(value: Value<'_>) -> String {
    match value.unpack_str() {
        Some(text) => text.to_owned(),
        None => repr(value),
    }
}

/// Adds the result of `str(value)` to a text.
pub(in crate::script) fn push_text(value: Value<'_>, out: &mut String) {
    if let Some(text) = value.unpack_str() {
        out.push_str(text);
    } else if let Some(integer) = value.unpack_i32() {
        out.push_str(itoa::Buffer::new().format(integer));
    } else {
        out.push_str(&repr(value));
    }
}

/// Returns the result of `repr(value)`.
pub(in crate::script) fn repr(value: Value<'_>) -> String {
    let mut writer = Writer {
        most: Limit::StringLength.size().saturating_add(1),
        ..Writer::default()
    };
    writer.value(value);
    writer.out
}

#[derive(Default)]
struct Writer<'v> {
    out: String,
    /// The collections that are being written. A collection that contains itself would never end.
    open: Vec<Value<'v>>,
    /// The length in bytes after which the text is cut. It exceeds the maximum length of a string,
    /// so a cut text never becomes a value. Without it, a list that contains another one twice,
    /// over forty levels, would take practically forever.
    most: usize,
}

impl<'v> Writer<'v> {
    fn value(&mut self, value: Value<'v>) {
        if self.open.len() > DEPTH_LIMIT || self.out.len() > self.most {
            self.out.push_str("...");
            return;
        }
        if let Some(text) = value.unpack_str() {
            self.out.push_str(&quote(text.as_bytes()));
        } else if let Some(integer) = value.unpack_i32() {
            // The crate formats integers much slower.
            self.out.push_str(itoa::Buffer::new().format(integer));
        } else if let Some(float) = value.downcast_ref::<StarlarkFloat>() {
            self.out.push_str(&float_text(float.0));
        } else if matches!(value.get_type(), "list" | "tuple" | "dict") {
            self.collection(value);
        } else {
            self.other(value);
        }
    }

    fn collection(&mut self, value: Value<'v>) {
        let is_open = self.open.iter().any(|open| open.ptr_eq(value));
        self.open.push(value);
        if let Some(list) = ListRef::from_value(value) {
            match is_open {
                true => self.out.push_str("[...]"),
                false => self.list("[", list.iter(), "]"),
            }
        } else if let Some(tuple) = TupleRef::from_value(value) {
            // `(1,)` is a tuple, and `(1)` is a number.
            self.list("(", tuple.iter(), if tuple.len() == 1 { ",)" } else { ")" });
        } else if let Some(dict) = DictRef::from_value(value) {
            match is_open {
                true => self.out.push_str("{...}"),
                false => self.dict(&dict),
            }
        }
        self.open.pop();
    }

    fn list(&mut self, open: &str, values: impl Iterator<Item = Value<'v>>, close: &str) {
        self.out.push_str(open);
        for (index, value) in values.enumerate() {
            self.separate(index);
            self.value(value);
        }
        self.out.push_str(close);
    }

    fn dict(&mut self, dict: &DictRef<'v>) {
        self.out.push('{');
        for (index, (key, value)) in dict.iter().enumerate() {
            self.separate(index);
            self.value(key);
            self.out.push_str(": ");
            self.value(value);
        }
        self.out.push('}');
    }

    fn separate(&mut self, index: usize) {
        if index > 0 {
            self.out.push_str(", ");
        }
    }

    fn other(&mut self, value: Value<'_>) {
        let text = value.to_repr();
        match value.get_type() {
            "function" if !is_defined(value) => {
                let _ = write!(self.out, "<built-in function {text}>");
            }
            "function" => {
                // Omit the number of the program (`7.name`), which is an implementation detail.
                let name = text.rsplit('.').next().unwrap_or_default();
                let name = name.strip_prefix(RENAMED).unwrap_or(name);
                let _ = write!(self.out, "<function {name}>");
            }
            _ => self.out.push_str(&text),
        }
    }
}

/// Returns a float with at most six digits, in the format of C's `%g`.
pub(in crate::script) fn float_text(value: f64) -> String {
    // Round to six digits first: rounding can raise the exponent, as 999999.9 becomes 1e+06.
    general(value, &format!("{value:.5e}"))
}

/// Returns a float with as many digits as are needed to read it back, in the format of Go's `%g`.
pub(in crate::script) fn shortest_float_text(value: f64) -> String {
    general(value, &format!("{value:e}"))
}

/// Returns a float with the digits of `scientific`, such as `-1.25e-3`.
fn general(value: f64, scientific: &str) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    let Some((digits, exponent)) = scientific.split_once('e') else {
        return scientific.to_owned();
    };
    let digits = match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.'),
        false => digits,
    };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    // The bounds of `%g`: an exponent form is used above six digits, and below an exponent of -4.
    if !(-4..6).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{digits}e{sign}{:02}", exponent.abs());
    }
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(digits) => ("-", digits.replace('.', "")),
        None => ("", digits.replace('.', "")),
    };
    // The decimal point is after the first digit, moved by the exponent.
    match usize::try_from(exponent) {
        Ok(exponent) if digits.len() > exponent + 1 => {
            let (whole, fraction) = digits.split_at(exponent + 1);
            format!("{sign}{whole}.{fraction}")
        }
        Ok(exponent) => format!("{sign}{digits:0<width$}", width = exponent + 1),
        Err(_) => {
            let zeros = "0".repeat(usize::try_from(-1 - exponent).unwrap_or(0));
            format!("{sign}0.{zeros}{digits}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_floats_with_six_digits() {
        let cases = [
            (1.0, "1"),
            (0.1 + 0.2, "0.3"),
            (123456.789, "123457"),
            (1234567.0, "1.23457e+06"),
            (1e6, "1e+06"),
            (1e5, "100000"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (-0.0, "-0"),
            (1.0 / 3.0, "0.333333"),
            (1e100, "1e+100"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "+Inf"),
            (f64::NEG_INFINITY, "-Inf"),
        ];
        for (value, expected) in cases {
            assert_eq!(float_text(value), expected);
        }
    }

    #[test]
    fn writes_floats_with_the_digits_they_need() {
        let cases = [
            (1_234_567.0, "1.234567e+06"),
            (123_456.789, "123456.789"),
            (0.1, "0.1"),
            (100_000.0, "100000"),
            (-0.000_12, "-0.00012"),
            (1e-5, "1e-05"),
            (0.0, "0"),
            (-0.0, "-0"),
        ];
        for (value, expected) in cases {
            assert_eq!(shortest_float_text(value), expected);
        }
    }
}
