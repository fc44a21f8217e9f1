//! The spelling of numbers (RFC 8259, section 6).

use crate::yaml::Value;

/// Returns whether `text` is a number as JSON spells them.
pub fn is_json_number(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    integer_end(unsigned)
        .and_then(fraction_end)
        .and_then(exponent_end)
        .is_some_and(str::is_empty)
}

/// Returns a number as JSON spells it. `None` for a value that is not a number or has no spelling
/// (infinity, NaN). A float keeps its point or exponent, so it is read back as a float.
pub(in crate::yaml) fn json_number(value: Value<'_>) -> Option<String> {
    match value {
        Value::Int(number) => Some(number.to_string()),
        Value::UInt(number) => Some(number.to_string()),
        Value::Float(number) if number.is_finite() => Some(format!("{number:?}")),
        _ => None,
    }
}

/// Returns the help for a word that was meant as a number but is not a valid one. `None` for any
/// other word.
pub(super) fn remedy(word: &str) -> Option<&'static str> {
    let unsigned = word.trim_start_matches(['+', '-']);
    let lower = unsigned.to_ascii_lowercase();
    if matches!(lower.as_str(), "nan" | ".nan" | "inf" | ".inf" | "infinity") {
        return Some("JSON has no NaN and no infinity: write `null` or a string");
    }
    if !unsigned
        .trim_start_matches('.')
        .starts_with(|first: char| first.is_ascii_digit())
    {
        return None;
    }
    if word.starts_with('+') && is_json_number(unsigned) {
        return Some("write the number without `+`");
    }
    if lower.starts_with('.') {
        return Some("write a `0` before the `.`");
    }
    if ["0x", "0o", "0b"]
        .iter()
        .any(|prefix| lower.starts_with(prefix))
    {
        return Some("write the number in decimal");
    }
    if lower.starts_with('0') && is_json_number(unsigned.trim_start_matches('0')) {
        return Some("write the number without leading zeros");
    }
    if lower.ends_with('.') || lower.contains(".e") {
        return Some("write a digit after the `.`");
    }
    Some("put text that starts with a digit in double quotes")
}

/// Returns the rest of `text` after `0` or digits without a leading zero.
fn integer_end(text: &str) -> Option<&str> {
    text.strip_prefix('0').or_else(|| digits_end(text))
}

/// Returns the rest of `text` after an optional fraction.
fn fraction_end(text: &str) -> Option<&str> {
    text.strip_prefix('.').map_or(Some(text), digits_end)
}

/// Returns the rest of `text` after an optional exponent.
fn exponent_end(text: &str) -> Option<&str> {
    let Some(exponent) = text.strip_prefix(['e', 'E']) else {
        return Some(text);
    };
    digits_end(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))
}

/// Returns the rest of `text` after one or more digits.
fn digits_end(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|digit: char| digit.is_ascii_digit());
    (rest.len() < text.len()).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spelled_as_rfc_8259_says() {
        for text in [
            "0",
            "-0",
            "1",
            "10",
            "-12.50",
            "0.0",
            "1e5",
            "1E+05",
            "1.5e-300",
            "123456789012345678901234567890",
        ] {
            assert!(is_json_number(text), "{text}");
        }
        let wrong = [
            "", "-", "+1", "01", "-01", "00", ".5", "1.", "1.e5", "1e", "1e+", "0x1", "1_000",
            "--1", "1-2", "٣",
        ];
        for text in wrong {
            assert!(!is_json_number(text), "{text}");
        }
    }

    #[test]
    fn a_number_has_a_spelling_unless_it_is_infinite() {
        for (value, expected) in [
            (Value::Int(-3), Some("-3")),
            (Value::UInt(u64::MAX), Some("18446744073709551615")),
            (Value::Float(1.0), Some("1.0")),
            (Value::Float(-0.0), Some("-0.0")),
            (Value::Float(1e100), Some("1e100")),
            (Value::Float(1e-7), Some("1e-7")),
            (Value::Float(f64::INFINITY), None),
            (Value::Float(f64::NAN), None),
            (Value::String("1"), None),
            (Value::Null, None),
        ] {
            let spelled = json_number(value);
            assert_eq!(spelled.as_deref(), expected);
            assert!(spelled.is_none_or(|text| is_json_number(&text)));
        }
    }

    #[test]
    fn a_wrong_number_has_a_remedy_and_a_word_has_none() {
        let table = [
            ("NaN", "no NaN"),
            ("-Infinity", "no infinity"),
            (".inf", "no infinity"),
            ("+1", "without `+`"),
            (".5", "`0` before"),
            ("-.5", "`0` before"),
            ("0xFF", "decimal"),
            ("007", "leading zeros"),
            ("1.", "digit after"),
            ("1.e3", "digit after"),
            ("12px", "double quotes"),
        ];
        for (word, help) in table {
            assert!(
                remedy(word).is_some_and(|found| found.contains(help)),
                "{word}: {:?}",
                remedy(word)
            );
        }
        for word in ["yes", "-", "v1", "...", "-x"] {
            assert_eq!(remedy(word), None, "{word}");
        }
    }
}
