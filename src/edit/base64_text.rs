//! Base64 text with or without line breaks, as in the `data` of a Secret.
//!
//! An edited text is written in lines of the same length as the old text.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Returns the text that `encoded` spells, or `None` if it is not base64 or not UTF-8. White space
/// is ignored.
pub fn decode(encoded: &str) -> Option<String> {
    let bare: String = encoded
        .chars()
        .filter(|c| !c.is_ascii_whitespace())
        .collect();
    String::from_utf8(STANDARD.decode(bare).ok()?).ok()
}

/// Returns whether a text is valid base64. The bytes need not be UTF-8.
pub fn is_base64(text: &str) -> bool {
    let bare: String = text.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    STANDARD.decode(bare).is_ok()
}

/// Encodes `text`, in lines as long as those of `like`.
pub fn encode(text: &str, like: &str) -> String {
    let encoded = STANDARD.encode(text);
    // If the old text is on one line, the new one is too, regardless of its length.
    let Some((first, _)) = like.split_once('\n') else {
        return encoded;
    };
    let width = first.trim_end().len().max(1);
    let mut lines = String::with_capacity(encoded.len() + encoded.len() / width + 1);
    let mut rest = encoded.as_str();
    while rest.len() > width {
        let (line, after) = rest.split_at(width);
        lines.push_str(line);
        lines.push('\n');
        rest = after;
    }
    lines.push_str(rest);
    if like.ends_with('\n') {
        lines.push('\n');
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_length_of_the_lines() {
        assert_eq!(encode("hello", ""), "aGVsbG8=");
        assert_eq!(
            encode("hello, world", "abcd\nef\n"),
            "aGVs\nbG8s\nIHdv\ncmxk\n"
        );
        assert_eq!(encode("hello", "abcd\nef"), "aGVs\nbG8=");
    }

    #[test]
    fn decodes_what_it_encodes() {
        assert_eq!(decode("aGVs\n bG8=\n").as_deref(), Some("hello"));
        assert_eq!(decode("not base64!"), None);
        assert_eq!(decode("/w=="), None, "not UTF-8");
    }
}
