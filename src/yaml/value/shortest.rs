//! The shortest digits that are read back as the same float, as Go finds them.
//!
//! Rust's `{}` and `{:e}` print such digits too. They differ if the float is exactly in the middle
//! between two candidates of the same length: Rust takes the larger one, and Go the even one.
//!
//! ```text
//! float   70370000000000.625
//! Rust    70370000000000.63
//! Go      70370000000000.62
//! ```

/// The shortest digits of a finite float: `digits[0].digits[1..] * 10^exponent`.
#[derive(Debug, PartialEq, Eq)]
pub struct ShortestFloat {
    is_negative: bool,
    digits: String,
    /// The decimal exponent, if the point is after the first digit.
    pub exponent: i32,
}

impl ShortestFloat {
    /// Returns the digits of a number; `None` for infinity and NaN.
    pub fn of(number: f64) -> Option<ShortestFloat> {
        if !number.is_finite() {
            return None;
        }
        let mut float = ShortestFloat::parse(&format!("{:e}", number.abs()))?;
        float.is_negative = number.is_sign_negative();
        float.round_to_even(number.abs());
        Some(float)
    }

    /// Returns the digits with a point after the first one, if there are more, and without the
    /// exponent: `-1.5`.
    pub fn mantissa(&self) -> String {
        let (first, rest) = self.digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        format!("{}{first}{point}{rest}", self.sign())
    }

    /// Returns the number without an exponent: `-1500000`, `0.0015`.
    pub fn positional(&self) -> String {
        let sign = self.sign();
        let digits = &self.digits;
        match usize::try_from(self.exponent) {
            Err(_) => {
                let zeros = "0".repeat(self.exponent.unsigned_abs() as usize - 1);
                format!("{sign}0.{zeros}{digits}")
            }
            Ok(exponent) if exponent + 1 < digits.len() => {
                let (whole, fraction) = digits.split_at(exponent + 1);
                format!("{sign}{whole}.{fraction}")
            }
            Ok(exponent) => {
                let zeros = "0".repeat(exponent + 1 - digits.len());
                format!("{sign}{digits}{zeros}")
            }
        }
    }

    fn sign(&self) -> &'static str {
        if self.is_negative { "-" } else { "" }
    }

    /// Parses the output of `{:e}`: `7.03e13`.
    fn parse(text: &str) -> Option<ShortestFloat> {
        let (mantissa, exponent) = text.split_once('e')?;
        Some(ShortestFloat {
            is_negative: false,
            digits: mantissa.replace('.', ""),
            exponent: exponent.parse().ok()?,
        })
    }

    /// Replaces an odd last digit by the even one before it, if both are equally near.
    fn round_to_even(&mut self, number: f64) {
        /// A number of zeros that proves a middle: no other float has so many zeros in its exact
        /// digits.
        const MORE: usize = 60;
        let Some(last @ (b'1' | b'3' | b'5' | b'7' | b'9')) = self.digits.bytes().last() else {
            return;
        };
        // The exact digits of the middle are those of the smaller neighbour, a 5, and zeros.
        let kept = self.digits.len() - 1;
        let exact = format!("{:.*e}", kept + 1 + MORE, number);
        let smaller = format!("{}{}", &self.digits[..kept], char::from(last - 1));
        let middle = format!("{smaller}5{}", "0".repeat(MORE));
        let is_middle = ShortestFloat::parse(&exact)
            .is_some_and(|exact| exact.digits == middle && exact.exponent == self.exponent);
        let smaller = ShortestFloat {
            is_negative: false,
            digits: smaller,
            exponent: self.exponent,
        };
        if is_middle && smaller.positional().parse() == Ok(number) {
            self.digits = smaller.digits;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_even_digits_of_two_that_are_equally_near() {
        let table = [
            (70_370_000_000_000.0 + 0.625, "70370000000000.62"),
            (-70_370_000_000_000.0 - 0.625, "-70370000000000.62"),
            (70_370_000_000_000.0 + 0.875, "70370000000000.88"),
            (0.5, "0.5"),
            (0.15, "0.15"),
            (1e23, "100000000000000000000000"),
            (5e-7, "0.0000005"),
            (1500.0, "1500"),
            (0.0, "0"),
        ];
        for (number, expected) in table {
            assert_eq!(ShortestFloat::of(number).unwrap().positional(), expected);
        }
        assert_eq!(ShortestFloat::of(f64::NAN), None);
    }

    #[test]
    fn separates_mantissa_and_exponent() {
        for (number, mantissa, exponent) in [(-1.5e300, "-1.5", 300), (5e-324, "5", -324)] {
            let float = ShortestFloat::of(number).unwrap();
            assert_eq!((&*float.mantissa(), float.exponent), (mantissa, exponent));
        }
    }
}
