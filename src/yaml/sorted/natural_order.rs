//! The order of keys of Go's yaml.v2, which compares numbers inside keys by their value.
//!
//! ```text
//! x      1 2 10 A B a-1 a1 a2 a10 aB aa b
//! bytes  1 10 2 A B a-1 a1 a10 a2 aB aa b
//! ```
//!
//! The relation is not transitive if letters follow numbers: `2Z < 9 < 22 < 2Z`. kustomize prints
//! such keys in a different order in each run. Rust's sort may panic on such a relation, so
//! [`sort`] is a merge sort of its own. It starts from the order of bytes, so its result does not
//! depend on the order of the input.

use std::sync::LazyLock;

use regex::Regex;

/// Sorts items by their keys. The items must be in the order of the bytes of their keys, which is
/// nearly the same order.
pub(super) fn sort<T: Copy>(items: &mut [T], key: impl Fn(&T) -> &str) {
    let is_less = |one: &T, other: &T| is_less(key(one), key(other));
    if items.is_sorted_by(|one, other| !is_less(other, one)) {
        return;
    }
    let mut merged = Vec::with_capacity(items.len());
    let mut width = 1;
    while width < items.len() {
        for pair in items.chunks_mut(2 * width) {
            if pair.len() > width {
                merge(pair, width, &mut merged, is_less);
            }
        }
        width *= 2;
    }
}

/// Merges the two sorted parts of `items`. The second starts at `middle`.
fn merge<T: Copy>(
    items: &mut [T],
    middle: usize,
    merged: &mut Vec<T>,
    is_less: impl Fn(&T, &T) -> bool,
) {
    // Bytes are nearly in the right order, so most parts need no merging.
    if !is_less(&items[middle], &items[middle - 1]) {
        return;
    }
    merged.clear();
    let (mut left, mut right) = (0, middle);
    while left < middle && right < items.len() {
        if is_less(&items[right], &items[left]) {
            merged.push(items[right]);
            right += 1;
        } else {
            merged.push(items[left]);
            left += 1;
        }
    }
    // The rest of the second part is already in its place.
    merged.extend_from_slice(&items[left..middle]);
    items[..merged.len()].copy_from_slice(merged);
}

/// Returns whether a key comes before another one. The first different character decides:
///
/// 1. two letters are compared by their code points;
/// 2. a letter comes after any other character;
/// 3. otherwise the numbers that begin here are compared, then their number of digits, then the
///    code points.
fn is_less(one: &str, other: &str) -> bool {
    let equal = equal_bytes(one, other);
    let (Some(a), Some(b)) = (one[equal..].chars().next(), other[equal..].chars().next()) else {
        return one.len() < other.len();
    };
    match (is_letter(a), is_letter(b)) {
        (true, true) => a < b,
        (false, true) => true,
        (true, false) => false,
        (false, false) => {
            // If the difference is a zero, the number before it decides: `a100` and `a11` are
            // compared as 100 and 11, not as 0 and 1.
            let continues = (a == '0' || b == '0') && ends_in_number(&one[..equal]);
            let a_number = Number::read(&one[equal..], continues);
            let b_number = Number::read(&other[equal..], continues);
            (a_number, a) < (b_number, b)
        }
    }
}

/// Returns the length of the common prefix of two texts.
fn equal_bytes(one: &str, other: &str) -> usize {
    let pairs = one.bytes().zip(other.bytes());
    let mut equal = pairs.take_while(|(one, other)| one == other).count();
    while !one.is_char_boundary(equal) {
        equal -= 1;
    }
    equal
}

/// Returns whether a text ends in digits that are not all zero.
fn ends_in_number(text: &str) -> bool {
    let mut digits = text.chars().rev().take_while(|c| is_digit(*c));
    digits.any(|c| c != '0')
}

/// The number at the start of a text; 0 without digits if the text starts differently.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Number {
    value: i64,
    digits: usize,
}

impl Number {
    fn read(text: &str, continues: bool) -> Number {
        let mut number = Number {
            value: i64::from(continues),
            digits: 0,
        };
        for c in text.chars().take_while(|c| is_digit(*c)) {
            // Too many digits overflow, as they do in Go.
            let digit = i64::from(u32::from(c)) - i64::from(b'0');
            number.value = number.value.wrapping_mul(10).wrapping_add(digit);
            number.digits += 1;
        }
        number
    }
}

/// Returns whether a character is in Unicode's category L, as Go's `unicode.IsLetter` does. This is
/// not `is_alphabetic`.
fn is_letter(c: char) -> bool {
    static LETTER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^\p{L}$").ok());
    if c.is_ascii() {
        return c.is_ascii_alphabetic();
    }
    is_match(&LETTER, c)
}

/// Returns whether a character is in Unicode's category Nd, as Go's `unicode.IsDigit` does.
fn is_digit(c: char) -> bool {
    static DIGIT: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^\p{Nd}$").ok());
    if c.is_ascii() {
        return c.is_ascii_digit();
    }
    is_match(&DIGIT, c)
}

fn is_match(class: &Option<Regex>, c: char) -> bool {
    let class = class.as_ref();
    class.is_some_and(|class| class.is_match(c.encode_utf8(&mut [0; 4])))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(keys: &str) -> String {
        let mut keys: Vec<&str> = keys.split(' ').collect();
        keys.sort_unstable();
        sort(&mut keys, |key| key);
        keys.join(" ")
    }

    /// The order in which kustomize v5.8.2 prints these keys.
    #[test]
    fn sorts_as_kustomize_does() {
        for expected in [
            "-x .x _y ~ 1 1.5 2 10 A B a-1 a.1 a/b a:b a_1 a1 a1b a01 a001 a2 a10 aB aa ab ab1 b z é",
            "x1 x11 x100 x1000",
        ] {
            let mut reversed: Vec<&str> = expected.split(' ').collect();
            reversed.reverse();
            assert_eq!(sorted(expected), expected);
            assert_eq!(sorted(&reversed.join(" ")), expected);
        }
    }

    #[test]
    fn an_order_that_is_not_one_is_the_same_for_each_input() {
        let expected = sorted("2Z 9 22 10 1b 1 2b 19a 3");
        assert_eq!(sorted("3 19a 2b 1 1b 10 22 9 2Z"), expected);
        assert_eq!(sorted("22 2Z 9 1 10 19a 1b 2b 3"), expected);
    }

    #[test]
    fn a_number_may_be_of_any_length() {
        let long = "9".repeat(100);
        assert_eq!(sorted(&format!("a{long} a")), format!("a a{long}"));
    }
}
