//! Formats floats as Go does in JSON and TOML.

use crate::yaml::ShortestFloat;

/// Formats a float for JSON, as `encoding/json` and ECMAScript do: with the shortest digits that
/// are read back as the same number, without a point in an integer, and with an exponent only below
/// 1e-6 and from 1e21 on.
///
/// Returns `None` for infinity and NaN, which JSON cannot express.
pub(super) fn json(number: f64) -> Option<String> {
    let shortest = ShortestFloat::of(number)?;
    if number == 0.0 || (-6..21).contains(&shortest.exponent) {
        return Some(shortest.positional());
    }
    let plus = if shortest.exponent < 0 { "" } else { "+" };
    Some(format!(
        "{}e{plus}{}",
        shortest.mantissa(),
        shortest.exponent
    ))
}

/// Formats a float for TOML, as `BurntSushi/toml` does: all digits and a point, never an exponent.
pub(super) fn toml(number: f64) -> String {
    if number.is_nan() {
        return "nan".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "+inf" } else { "-inf" }.to_owned();
    }
    let text = ShortestFloat::of(number).map_or_else(String::new, |float| float.positional());
    if text.contains('.') {
        text
    } else {
        format!("{text}.0")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_an_exponent_in_json_only_for_very_large_and_small_numbers() {
        let table = [
            (1.0, "1"),
            (-0.0, "-0"),
            (0.1 + 0.2, "0.30000000000000004"),
            (123_456.789, "123456.789"),
            (70_370_000_000_000.0 + 0.625, "70370000000000.62"),
            (1e6, "1000000"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (-1.5e300, "-1.5e+300"),
            (1e-6, "0.000001"),
            (1e-7, "1e-7"),
            (5e-324, "5e-324"),
        ];
        for (number, expected) in table {
            assert_eq!(json(number).as_deref(), Some(expected));
        }
        assert_eq!((json(f64::NAN), json(f64::INFINITY)), (None, None));
    }

    #[test]
    fn writes_toml_floats_with_a_point_and_without_an_exponent() {
        let table = [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (1e21, "1000000000000000000000.0"),
            (1e-7, "0.0000001"),
            (123_456.789, "123456.789"),
            (f64::INFINITY, "+inf"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "nan"),
        ];
        for (number, expected) in table {
            assert_eq!(toml(number), expected);
        }
    }
}
