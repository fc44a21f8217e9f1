//! Reads integers: decimal, octal, hexadecimal and binary, with underscores.

use super::Value;

/// Reads an integer: decimal, `0x`, `0o`, `0b`, or octal by a leading zero, with or without a sign.
///
/// Returns `None` for a number that is too large for 64 bits; it may still be a float. The caller
/// has removed underscores.
pub(super) fn parse(text: &str) -> Option<Value<'static>> {
    let (sign, unsigned) = split_sign(text);
    if let (None, Some(digits)) = (
        sign,
        unsigned
            .strip_prefix("0b")
            .filter(|digits| digits.starts_with(['+', '-'])),
    ) {
        // After `0b` the sign may follow the prefix, an old form that the resolver keeps.
        let (sign, digits) = split_sign(digits);
        return signed(sign, magnitude(digits, 2)?);
    }
    let (radix, digits) = split_radix(unsigned);
    signed(sign, magnitude(digits, radix)?)
}

/// Reads `0o-7` and `0o+7`. As with `0b`, a sign may follow the prefix, but only kustomize's reader
/// of resources accepts this.
pub(super) fn parse_signed_octal(text: &str) -> Option<Value<'static>> {
    let (sign, digits) = split_sign(text.strip_prefix("0o")?);
    signed(Some(sign?), magnitude(digits, 8)?)
}

#[derive(Clone, Copy)]
enum Sign {
    Plus,
    Minus,
}

fn split_sign(text: &str) -> (Option<Sign>, &str) {
    match text.as_bytes().first() {
        Some(b'+') => (Some(Sign::Plus), &text[1..]),
        Some(b'-') => (Some(Sign::Minus), &text[1..]),
        _ => (None, text),
    }
}

fn split_radix(text: &str) -> (u32, &str) {
    let prefixes = [
        ("0x", 16),
        ("0X", 16),
        ("0o", 8),
        ("0O", 8),
        ("0b", 2),
        ("0B", 2),
    ];
    for (prefix, radix) in prefixes {
        if let Some(digits) = text.strip_prefix(prefix) {
            return (radix, digits);
        }
    }
    (if text.starts_with('0') { 8 } else { 10 }, text)
}

fn magnitude(digits: &str, radix: u32) -> Option<u64> {
    // `from_str_radix` would accept a second sign.
    if digits.starts_with(['+', '-']) {
        return None;
    }
    u64::from_str_radix(digits, radix).ok()
}

/// Adds the sign to a number. With a sign, even `+`, the number has to fit a signed integer;
/// without one, it may use all 64 bits (as in Go's yaml.v2).
fn signed(sign: Option<Sign>, magnitude: u64) -> Option<Value<'static>> {
    match sign {
        Some(Sign::Minus) => 0i64.checked_sub_unsigned(magnitude).map(Value::Int),
        Some(Sign::Plus) => i64::try_from(magnitude).ok().map(Value::Int),
        None => Some(i64::try_from(magnitude).map_or(Value::UInt(magnitude), Value::Int)),
    }
}
