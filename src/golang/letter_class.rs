//! Classifies the letters, digits and blanks of a text by the categories of Go's `unicode`.
//!
//! Rust's own classes are wider: for Rust, `²` is numeric and `ª` is lower case. The tables of the
//! crate `regex` are those of Unicode, as Go's are.

use std::sync::LazyLock;

use regex::Regex;

use super::letter_case;

/// A category of Unicode, such as `\p{L}`.
struct Category(LazyLock<Option<Regex>>);

impl Category {
    fn contains(&self, letter: char) -> bool {
        let mut buffer = [0; 4];
        let text = letter.encode_utf8(&mut buffer);
        // A category that the crate does not know would contain nothing. A test uses each of them.
        self.0.as_ref().is_some_and(|regex| regex.is_match(text))
    }
}

static LETTER: Category = Category(LazyLock::new(|| Regex::new(r"\p{L}").ok()));
static DIGIT: Category = Category(LazyLock::new(|| Regex::new(r"\p{Nd}").ok()));
static LOWER: Category = Category(LazyLock::new(|| Regex::new(r"\p{Ll}").ok()));
static UPPER: Category = Category(LazyLock::new(|| Regex::new(r"\p{Lu}").ok()));
static TITLE: Category = Category(LazyLock::new(|| Regex::new(r"\p{Lt}").ok()));

static PRINTABLE: Category = Category(LazyLock::new(|| {
    Regex::new(r"[\p{L}\p{M}\p{N}\p{P}\p{S}]").ok()
}));

/// Returns whether Go prints a character unescaped in quotes: a letter, mark, digit, sign, or the
/// ASCII space.
pub(super) fn is_printable(letter: char) -> bool {
    match letter.is_ascii() {
        true => !letter.is_ascii_control(),
        false => PRINTABLE.contains(letter),
    }
}

fn is_letter(letter: char) -> bool {
    match letter.is_ascii() {
        true => letter.is_ascii_alphabetic(),
        false => LETTER.contains(letter),
    }
}

fn is_digit(letter: char) -> bool {
    match letter.is_ascii() {
        true => letter.is_ascii_digit(),
        false => DIGIT.contains(letter),
    }
}

/// Returns whether a text is not empty and consists of letters.
pub fn is_alphabetic(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_letter)
}

/// Returns whether a text is not empty and consists of decimal digits.
pub fn is_decimal(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_digit)
}

/// Returns whether a text is not empty and consists of letters and decimal digits.
pub fn is_alphanumeric(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| is_letter(c) || is_digit(c))
}

/// Returns whether a text is not empty and consists of blanks.
pub fn is_blank(text: &str) -> bool {
    !text.is_empty() && text.chars().all(char::is_whitespace)
}

/// Returns whether a text has letters with a case, and all of them are in lower case.
pub fn is_lower(text: &str) -> bool {
    text.chars().any(letter_case::is_cased) && text.chars().all(|c| letter_case::lower(c) == c)
}

/// Returns whether a text has letters with a case, and all of them are in upper case.
pub fn is_upper(text: &str) -> bool {
    text.chars().any(letter_case::is_cased) && text.chars().all(|c| letter_case::upper(c) == c)
}

/// Returns whether a text has words, and each of them starts with a capital and contains no other.
pub fn is_title(text: &str) -> bool {
    let mut has_word = false;
    let mut is_in_word = false;
    for letter in text.chars() {
        let is_capital = letter.is_ascii_uppercase() || TITLE.contains(letter);
        let is_small = !is_capital && LOWER.contains(letter);
        if is_capital && is_in_word || is_small && !is_in_word {
            return false;
        }
        // Go accepts only the capitals of ASCII, and digraphs such as `ǅ`, as the start of a word.
        if !is_capital && !is_small && UPPER.contains(letter) {
            return false;
        }
        is_in_word = is_capital || is_small;
        has_word |= is_in_word;
    }
    has_word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_the_categories_of_unicode() {
        assert!(is_alphabetic("éßªx") && !is_alphabetic("a1") && !is_alphabetic(""));
        assert!(is_decimal("1٣") && !is_decimal("²") && !is_decimal("Ⅷ"));
        assert!(is_alphanumeric("é1") && !is_alphanumeric("é ") && !is_alphanumeric("²"));
        assert!(is_blank(" \t\u{a0}") && !is_blank(""));
    }

    #[test]
    fn finds_the_case_of_a_text() {
        assert!(is_lower("ab1") && is_lower("ß") && !is_lower("ª") && !is_lower("1"));
        assert!(is_upper("AB1") && !is_upper("Ab"));
        assert!(is_title("Ab Cd") && is_title("ǅ") && !is_title("AB") && !is_title("ab"));
        assert!(!is_title("Éa") && !is_title("1"));
    }
}
