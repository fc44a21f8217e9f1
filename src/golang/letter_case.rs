//! Upper, lower and title case as Go's `unicode` maps letters: one letter to one letter.
//!
//! Rust maps `ß` to `SS` and the `Σ` at the end of a word to `ς`. Go knows only the simple mappings
//! of Unicode: `ß` stays, and `Σ` is always `σ`.

/// Returns the upper case of a letter.
pub fn upper(letter: char) -> char {
    let mut mapped = letter.to_uppercase();
    match (mapped.next(), mapped.next()) {
        (Some(only), None) => only,
        _ => single_capital(letter),
    }
}

/// Returns the lower case of a letter.
pub fn lower(letter: char) -> char {
    // `İ` becomes `i` and a combining dot. The simple mapping is the `i` alone.
    letter.to_lowercase().next().unwrap_or(letter)
}

/// Returns the title case of a letter. It is the upper case, except for digraphs such as `ǆ`, and
/// for Georgian, whose capitals are only used for whole words.
pub fn title(letter: char) -> char {
    match letter {
        '\u{1c4}'..='\u{1c6}' => '\u{1c5}',
        '\u{1c7}'..='\u{1c9}' => '\u{1c8}',
        '\u{1ca}'..='\u{1cc}' => '\u{1cb}',
        '\u{1f1}'..='\u{1f3}' => '\u{1f2}',
        '\u{10d0}'..='\u{10ff}' => letter,
        _ => upper(letter),
    }
}

/// Returns whether a letter has another case. `ß` has one, its capital `ẞ`, although no mapping
/// leads to it. `ﬁ` has none.
pub fn is_cased(letter: char) -> bool {
    lower(letter) != letter || upper(letter) != letter || letter == 'ß'
}

/// Returns a text with a capital at the start of each word.
pub fn to_title(text: &str) -> String {
    let mut is_in_word = false;
    let mapped = text.chars().map(|letter| {
        let mapped = if is_in_word {
            lower(letter)
        } else {
            title(letter)
        };
        is_in_word = is_cased(mapped);
        mapped
    });
    mapped.collect()
}

/// Returns a text with a capital at its start and no other.
pub fn to_sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(title);
    first.into_iter().chain(letters.map(lower)).collect()
}

/// Returns the simple upper case of a letter whose full upper case is several letters. Only Greek
/// vowels with an iota below have one.
fn single_capital(letter: char) -> char {
    let code = u32::from(letter);
    let capital = match code {
        0x1f80..=0x1f87 | 0x1f90..=0x1f97 | 0x1fa0..=0x1fa7 => code + 8,
        0x1fb3 | 0x1fc3 | 0x1ff3 => code + 9,
        _ => code,
    };
    char::from_u32(capital).unwrap_or(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_one_letter_to_one_letter() {
        let text = "straße ŉ ﬁ ᾳ ᾀ ǆ ÿ ა";
        assert_eq!(
            text.chars().map(upper).collect::<String>(),
            "STRAßE ŉ ﬁ ᾼ ᾈ Ǆ Ÿ Ა"
        );
        assert_eq!(
            text.chars().map(title).collect::<String>(),
            "STRAßE ŉ ﬁ ᾼ ᾈ ǅ Ÿ ა"
        );
        assert_eq!(
            "İΑΣ ẞ".chars().map(lower).collect::<String>(),
            "iας ß".replace('ς', "σ")
        );
        assert!(is_cased('ß') && is_cased('A') && !is_cased('1'));
    }
}
