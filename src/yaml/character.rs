//! Classifies the characters of a YAML text, and finds the dashes and colons of collections, for
//! which the parser has no events.

/// Returns whether a character may be written unescaped in a YAML text (YAML 1.2.2, section 5.1).
/// The line breaks of YAML 1.1 and the byte order mark are excluded, because readers treat them
/// differently. So are tabs, which the caller has to check.
pub(super) fn is_printable(c: char) -> bool {
    matches!(c, ' '..='~' | '\u{a0}'..='\u{2027}' | '\u{202a}'..='\u{d7ff}' | '\u{e000}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}' | '\u{10000}'..)
}

/// Returns the offset of the first dash at or after `from` that is not in a comment: the dash of
/// the next item.
///
/// ```text
/// - a   # one - two
/// - b
/// ```
///
/// A search that starts after `a` finds the dash before `b`, and not the one in the comment.
pub(super) fn dash(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'-' => return Some(at),
            b'#' => at += memchr::memchr(b'\n', &bytes[at..])?,
            _ => at += 1,
        }
    }
    None
}

/// Returns the offset of the last question mark that is not in a comment: the mark of the explicit
/// key after this text. `text` is what is between two tokens.
pub(super) fn last_question_mark(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut last = None;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'#' => match memchr::memchr(b'\n', &bytes[at..]) {
                Some(length) => at += length,
                None => break,
            },
            b'?' => last = Some(at),
            _ => {}
        }
        at += 1;
    }
    last
}

/// Returns the offset of the colon of the key that ends at `key_end`. `None` for an explicit key
/// (`? key`) that has no colon. White space and comments may come before the colon, those of YAML
/// and those of JSON: `"port" /* http */ : 80`.
pub(super) fn colon(text: &str, key_end: usize) -> Option<usize> {
    let mut at = key_end;
    loop {
        let rest = text.get(at..)?;
        let start = at + (rest.len() - rest.trim_start().len());
        let rest = &text[start..];
        // No YAML between a key and its colon starts with a slash.
        let comment_end = match rest.as_bytes().first()? {
            b':' => return Some(start),
            b'#' => rest.find('\n')?,
            b'/' if rest.starts_with("//") => rest.find(['\n', '\r'])?,
            b'/' if rest.starts_with("/*") => rest.find("*/")? + "*/".len(),
            _ => return None,
        };
        at = start + comment_end;
    }
}

/// Returns whether a text begins with `---` or `...`, followed by white space or its end. At the
/// start of a line, this begins or ends a document.
pub(super) fn begins_with_document_marker(text: &str) -> bool {
    let rest = text
        .strip_prefix("---")
        .or_else(|| text.strip_prefix("..."));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\n', '\r']))
}
