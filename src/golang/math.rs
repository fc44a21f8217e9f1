//! Go's `math` package.
//!
//! The functions are computed in software (`libm`), with the same steps on every machine. The
//! functions of the processor or of the system's C library would be faster, but their last digits
//! differ between machines, and then the same template would print different bytes.
//!
//! `pow` and `hypot` follow Go's algorithms to the last digit, because templates use them with
//! simple numbers. The exponential, hyperbolic, trigonometric and gamma functions may differ from
//! Go's in the last digits.

use std::f64::consts::PI;

pub use libm::{
    acos, acosh, asin, asinh, atan, atan2, atanh, ceil, copysign, cos, cosh, exp, fabs, floor,
    fmod, remainder, round, sin, sinh, sqrt, tan, tanh, tgamma as gamma,
};

/// 2^63. Every float from here on is an integer that does not fit an `i64`.
const LARGE: f64 = 9_223_372_036_854_775_808.0;

/// Returns the natural logarithm.
pub fn log(x: f64) -> f64 {
    libm::log(x)
}

/// Returns the logarithm to any base.
pub fn log_to_base(x: f64, base: f64) -> f64 {
    libm::log(x) / libm::log(base)
}

/// Converts an angle from radians to degrees.
pub fn degrees(x: f64) -> f64 {
    x * 180.0 / PI
}

/// Converts an angle from degrees to radians.
pub fn radians(x: f64) -> f64 {
    x * PI / 180.0
}

/// Returns the length of the hypotenuse of a right triangle.
pub fn hypot(x: f64, y: f64) -> f64 {
    let (short, long) = if x.abs() < y.abs() {
        (x.abs(), y.abs())
    } else {
        (y.abs(), x.abs())
    };
    if !long.is_finite() || !short.is_finite() || long == 0.0 {
        return libm::hypot(x, y);
    }
    // Dividing first keeps the squares from overflowing.
    let ratio = short / long;
    long * sqrt(1.0 + ratio * ratio)
}

/// Returns `x` to the power of `y` by Go's algorithm: squaring for the integer part of `y`, the
/// logarithm for the fraction.
pub fn pow(x: f64, y: f64) -> f64 {
    let is_special = x == 0.0
        || !x.is_finite()
        || y.abs() >= LARGE
        || !y.is_finite()
        || (x < 0.0 && y.fract() != 0.0);
    if is_special {
        return libm::pow(x, y);
    }
    if y.abs() == 0.5 {
        return if y > 0.0 { sqrt(x) } else { 1.0 / sqrt(x) };
    }
    let (mut whole, mut fraction) = (y.abs().trunc(), y.abs().fract());
    // A fraction closer to zero makes the factor from the logarithm more precise: x^2.7 = x^3 *
    // x^-0.3.
    if fraction > 0.5 {
        fraction -= 1.0;
        whole += 1.0;
    }
    let start = if fraction == 0.0 {
        1.0
    } else {
        exp(fraction * log(x))
    };
    scaled_power(start, x, whole as u64, y < 0.0)
}

/// Returns `start` times `x` to the power of `power`, or the reciprocal of that.
///
/// Fractions and binary exponents are multiplied separately. So no intermediate result overflows or
/// becomes zero unless the final one does.
fn scaled_power(start: f64, x: f64, mut power: u64, is_inverse: bool) -> f64 {
    let (mut square, square_exponent) = libm::frexp(x);
    let mut square_exponent = i64::from(square_exponent);
    let (mut product, mut exponent) = (start, 0_i64);
    while power != 0 {
        if square_exponent.abs() > 1 << 12 {
            // Far outside the range of floats: the remaining factors cannot change the result.
            exponent += square_exponent;
            break;
        }
        if power & 1 == 1 {
            product *= square;
            exponent += square_exponent;
        }
        square *= square;
        square_exponent *= 2;
        if square < 0.5 {
            square *= 2.0;
            square_exponent -= 1;
        }
        power >>= 1;
    }
    if is_inverse {
        product = 1.0 / product;
        exponent = -exponent;
    }
    libm::ldexp(
        product,
        i32::try_from(exponent.clamp(-10_000, 10_000)).unwrap_or(0),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computes_powers_like_go_to_the_last_digit() {
        let table = [
            (2.0, 10.0, "1024"),
            (10.0, -2.0, "0.01"),
            (0.1, 7.0, "0.00000010000000000000007"),
            (0.1, 10.0, "0.00000000010000000000000011"),
            (-3.0, 3.0, "-27"),
            (2.0, 0.5, "1.4142135623730951"),
            (2.0, -1.5, "0.3535533905932738"),
            (1024.0, 3.0, "1073741824"),
            (
                2.0,
                1023.0,
                "89884656743115800000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
            ),
            (2.0, 1024.0, "inf"),
            (2.0, -2000.0, "0"),
            (-8.0, 1.0 / 3.0, "NaN"),
            (0.0, -1.0, "inf"),
            (1.0, f64::NAN, "1"),
            (-1.0, 1e300, "1"),
            (1.000_000_1, 1e18, "inf"),
        ];
        for (x, y, expected) in table {
            assert_eq!(pow(x, y).to_string(), expected, "{x} to the power of {y}");
        }
    }

    #[test]
    fn computes_other_functions_as_documented() {
        let table = [
            (hypot(3.0, 4.0), "5"),
            (hypot(0.0, 0.0), "0"),
            (hypot(f64::INFINITY, f64::NAN), "inf"),
            (log_to_base(8.0, 2.0), "3"),
            (log_to_base(10.0, 1.0), "inf"),
            (log(10.0), "2.302585092994046"),
            (degrees(0.1), "5.729577951308232"),
            (degrees(2.7), "154.6986046853223"),
            (radians(2.7), "0.047123889803846894"),
            (fmod(-7.0, 3.0), "-1"),
            (fmod(7.0, 0.0), "NaN"),
            (remainder(7.0, 4.0), "-1"),
            (remainder(5.0, 2.0), "1"),
            (round(2.5), "3"),
            (round(-0.5), "-1"),
            (gamma(5.0), "24"),
            (gamma(0.0), "inf"),
            (gamma(-1.0), "NaN"),
            (gamma(f64::NEG_INFINITY), "NaN"),
        ];
        for (found, expected) in table {
            assert_eq!(found.to_string(), expected);
        }
    }
}
