//! Reads numbers with a fraction or an exponent, and integers that are too large for 64 bits.

/// Reads `[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?`. The caller must have removed underscores.
///
/// A number that is too large for a float is not a number, so `1e400` stays text. A number that is
/// too small is zero.
pub(super) fn parse(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if !is_decimal(unsigned) {
        return None;
    }
    let number: f64 = text.parse().ok()?;
    number.is_finite().then_some(number)
}

/// Returns whether a text without a sign is a decimal number, of any size.
pub(super) fn is_decimal(unsigned: &str) -> bool {
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    is_mantissa(mantissa)
        && exponent.is_none_or(|exponent| {
            are_digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))
        })
}

/// Reads a float that begins with its point. In this form an underscore must be between two
/// digits.
pub(super) fn parse_fraction(text: &str) -> Option<f64> {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let separates = |at: usize| at > 0 && is_digit(at - 1) && is_digit(at + 1);
    let separators_fit = (0..bytes.len()).all(|at| bytes[at] != b'_' || separates(at));
    separators_fit.then(|| parse(&super::without_underscores(text)))?
}

fn is_mantissa(text: &str) -> bool {
    match text.split_once('.') {
        Some(("", fraction)) => are_digits(fraction),
        Some((whole, fraction)) => {
            are_digits(whole) && (fraction.is_empty() || are_digits(fraction))
        }
        None => are_digits(text),
    }
}

fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
