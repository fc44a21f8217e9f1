//! Reads floats as Go's `strconv.ParseFloat` does.
//!
//! Go reads more forms than Rust: underscores between digits, and hexadecimal floats (`0x1.8p1` is
//! 3). It refuses numbers that are too large, for which Rust returns infinity.

use super::GoError;
use super::quote::quote;

/// Reads a float.
///
/// # Errors
/// A text that is not a float, or that is too large.
pub fn parse_float(text: &str) -> Result<f64, GoError> {
    let fault = |reason: &str| {
        let quoted = quote(text.as_bytes());
        GoError::new(format!("strconv.ParseFloat: parsing {quoted}: {reason}"))
    };
    let (is_negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let has_sign = unsigned.len() < text.len();
    let is_word = |words: &[&str]| words.iter().any(|word| unsigned.eq_ignore_ascii_case(word));
    let size = if is_word(&["inf", "infinity"]) {
        Some(f64::INFINITY)
    } else if is_word(&["nan"]) && !has_sign {
        Some(f64::NAN)
    } else {
        let finite = parse_digits(unsigned).ok_or_else(|| fault("invalid syntax"))?;
        Some(finite).filter(|number| number.is_finite())
    };
    let size = size.ok_or_else(|| fault("value out of range"))?;
    Ok(if is_negative { -size } else { size })
}

/// Reads a number without a sign. Returns infinity for a number that is too large.
fn parse_digits(text: &str) -> Option<f64> {
    let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    if !are_underscores_between_digits(text, hexadecimal.is_some()) {
        return None;
    }
    if let Some(digits) = hexadecimal {
        return parse_hexadecimal(&digits.replace('_', ""));
    }
    // The words that Rust accepts were handled before, and a sign may only be in the exponent.
    if !text.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return None;
    }
    text.replace('_', "").parse().ok()
}

/// Returns whether each underscore has a digit on both sides. The `0x` of a number is treated as a
/// digit.
fn are_underscores_between_digits(text: &str, is_hexadecimal: bool) -> bool {
    let bytes = text.as_bytes();
    let is_digit = |place: Option<usize>| {
        let byte = place.and_then(|place| bytes.get(place));
        byte.is_some_and(|byte| match is_hexadecimal {
            true => byte.is_ascii_hexdigit() || byte.eq_ignore_ascii_case(&b'x'),
            false => byte.is_ascii_digit(),
        })
    };
    let mut underscores = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'_');
    underscores.all(|(place, _)| is_digit(place.checked_sub(1)) && is_digit(Some(place + 1)))
}

/// Reads the text after `0x`: digits, an optional point, and an exponent of two.
fn parse_hexadecimal(text: &str) -> Option<f64> {
    let (digits, exponent) = text.split_once(['p', 'P'])?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut exponent: i64 = exponent.parse().ok()?;
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut mantissa: u64 = 0;
    for (index, digit) in whole.chars().chain(fraction.chars()).enumerate() {
        let is_fraction = index >= whole.len();
        let digit = u64::from(digit.to_digit(16)?);
        if mantissa >> 59 == 0 {
            mantissa = mantissa * 16 + digit;
            exponent -= if is_fraction { 4 } else { 0 };
        } else {
            // There is no room for the digit. Whether it is zero still decides how the number is
            // rounded.
            mantissa |= u64::from(digit != 0);
            exponent += if is_fraction { 0 } else { 4 };
        }
    }
    let exponent = i32::try_from(exponent.clamp(-2_000, 2_000)).unwrap_or(0);
    // In two steps: 2^-1074 is a float, but 2^1074 is not.
    let half = exponent / 2;
    Some(mantissa as f64 * 2f64.powi(half) * 2f64.powi(exponent - half))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_go_reads() {
        let table = [
            ("1.", 1.0),
            (".5", 0.5),
            ("-1e+5", -100_000.0),
            ("1_0", 10.0),
            ("0x1p3", 8.0),
            ("0x_1p1", 2.0),
            ("0x1.8p1", 3.0),
            ("-0X.8P0", -0.5),
            ("0x1.00000000000000000000001p0", 1.0),
            ("1e-400", 0.0),
            ("INF", f64::INFINITY),
            ("-Infinity", f64::NEG_INFINITY),
        ];
        for (text, expected) in table {
            assert_eq!(parse_float(text).ok(), Some(expected), "{text}");
        }
        assert!(parse_float("nan").is_ok_and(f64::is_nan));
    }

    #[test]
    fn refuses_what_go_refuses() {
        let table = [
            ("", "invalid syntax"),
            (" 1", "invalid syntax"),
            ("1e", "invalid syntax"),
            ("+nan", "invalid syntax"),
            ("+-1", "invalid syntax"),
            ("_1", "invalid syntax"),
            ("1__0", "invalid syntax"),
            ("0x1", "invalid syntax"),
            ("0xp1", "invalid syntax"),
            ("1e400", "value out of range"),
            ("0x1p5000", "value out of range"),
        ];
        for (text, reason) in table {
            let error = parse_float(text).err().map(|error| error.to_string());
            let expected = format!("strconv.ParseFloat: parsing \"{text}\": {reason}");
            assert_eq!(error, Some(expected));
        }
    }
}
