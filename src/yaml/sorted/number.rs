//! Numbers with a fraction, printed as kustomize prints them after a round trip through JSON.

use crate::yaml::canonical::scalar::float;
use crate::yaml::value::ShortestFloat;

/// Prints a float.
///
/// JSON spells a float below 1e21 with all its digits. A number without a point that fits 64 bits
/// is read back as an integer:
///
/// ```text
/// 1e3                     JSON: 1000                     1000
/// 18e18                   JSON: 18000000000000000000     18000000000000000000
/// 1e20                    JSON: 100000000000000000000    1e+20    too large for an integer
/// 1000000.5               JSON: 1000000.5                1.0000005e+06
/// -0.0                    JSON: -0                       0
/// ```
///
/// Returns `None` for infinity and NaN, which JSON cannot express.
pub(super) fn json_float(number: f64) -> Option<String> {
    let shortest = ShortestFloat::of(number)?;
    if number == 0.0 {
        return Some("0".to_owned());
    }
    if number.fract() == 0.0 && shortest.exponent < JSON_EXPONENT {
        let digits = shortest.positional();
        if digits.parse::<i64>().is_ok() || digits.parse::<u64>().is_ok() {
            return Some(digits);
        }
    }
    Some(float(number))
}

/// The smallest decimal exponent that JSON spells with `e`. Such a number stays a float.
const JSON_EXPONENT: i32 = 21;

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what kustomize v5.8.2 prints.
    #[test]
    fn prints_whole_numbers_as_integers_if_they_fit() {
        let table = [
            (1.0, "1"),
            (-0.0, "0"),
            (1e18, "1000000000000000000"),
            (-1e18, "-1000000000000000000"),
            (18e18, "18000000000000000000"),
            (11068046444225730560.0, "11068046444225730000"),
            (-9223372036854775809.0, "-9.223372036854776e+18"),
            (18446744073709551616.0, "1.8446744073709552e+19"),
            (1e20, "1e+20"),
            (1e21, "1e+21"),
            (1e300, "1e+300"),
            (999_999.5, "999999.5"),
            (1_000_000.5, "1.0000005e+06"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (5e-324, "5e-324"),
        ];
        for (number, expected) in table {
            assert_eq!(json_float(number).as_deref(), Some(expected));
        }
        assert_eq!(json_float(f64::INFINITY), None);
        assert_eq!(json_float(f64::NAN), None);
    }
}
