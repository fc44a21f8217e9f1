//! White space and comments between the tokens of a JSON text.

/// A byte order mark, which is skipped at the start of a text.
pub(super) const BYTE_ORDER_MARK: &str = "\u{feff}";

/// A comment that starts at a given offset.
pub(super) enum JsonComment {
    /// It ends before this offset. The line break after a `//` comment is not part of it.
    Closed(usize),
    /// A `/*` without a `*/`.
    Unterminated,
}

/// Returns whether the first token in a text, after a byte order mark, blanks and comments, starts
/// an object or an array.
///
/// This is a quick check to choose between JSON and YAML. The text may still be invalid further on.
pub fn looks_like_json(text: &str) -> bool {
    let mut offset = text_start(text);
    loop {
        offset = white_space_end(text, offset);
        match comment_at(text, offset) {
            Some(JsonComment::Closed(end)) => offset = end,
            Some(JsonComment::Unterminated) => return false,
            None => return matches!(text.as_bytes().get(offset), Some(b'{' | b'[')),
        }
    }
}

/// Returns the start of a text, which is after a byte order mark.
pub(super) fn text_start(text: &str) -> usize {
    if text.starts_with(BYTE_ORDER_MARK) {
        BYTE_ORDER_MARK.len()
    } else {
        0
    }
}

/// Returns the offset of the first byte from `offset` on that is not white space.
pub(super) fn white_space_end(text: &str, offset: usize) -> usize {
    let rest = text.as_bytes().get(offset..).unwrap_or(&[]);
    let blanks = rest
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
    offset + blanks.count()
}

/// Returns the comment that starts at `offset`, if there is one.
pub(super) fn comment_at(text: &str, offset: usize) -> Option<JsonComment> {
    let rest = text.get(offset..)?;
    if let Some(body) = rest.strip_prefix("//") {
        let length = body.find(['\n', '\r']).unwrap_or(body.len());
        return Some(JsonComment::Closed(offset + 2 + length));
    }
    let body = rest.strip_prefix("/*")?;
    Some(body.find("*/").map_or(JsonComment::Unterminated, |length| {
        JsonComment::Closed(offset + length + 4)
    }))
}

/// Returns the offset after the first line break in the blanks and comments from `offset` up to
/// `end`. A line break inside a comment does not count.
pub(super) fn first_line_end(text: &str, mut offset: usize, end: usize) -> Option<usize> {
    while offset < end {
        let blanks_end = white_space_end(text, offset);
        let blanks = text.get(offset..blanks_end)?;
        if let Some(position) = blanks.find('\n') {
            return Some(offset + position + 1);
        }
        let Some(JsonComment::Closed(comment_end)) = comment_at(text, blanks_end) else {
            return None;
        };
        offset = comment_end;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_looks_like_json_when_an_object_or_an_array_comes_first() {
        for text in [
            "{}",
            "[",
            " \t\r\n{",
            "\u{feff}{",
            "\u{feff}\n[1]",
            "// a\n/* b */ {",
            "{{ template }}",
        ] {
            assert!(looks_like_json(text), "{text:?}");
        }
        for text in [
            "",
            " ",
            "a: {}",
            "\"{\"",
            "12",
            "// {",
            "/* {",
            "# a\n{}",
            "/ {",
            "- {}",
            " \u{feff}{",
        ] {
            assert!(!looks_like_json(text), "{text:?}");
        }
    }

    #[test]
    fn a_line_ends_outside_comments_only() {
        let ends = |text: &str| first_line_end(text, 0, text.len());
        assert_eq!(ends(" \n\n"), Some(2));
        assert_eq!(ends(" // a\r\n "), Some(7));
        assert_eq!(ends("/*\n*/ \n"), Some(7));
        assert_eq!(ends("/*\n*/  "), None);
        assert_eq!(ends(""), None);
    }
}
