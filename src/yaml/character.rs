//! Characters that a YAML text may contain, and the dashes and colons of collections, for which the
//! parser has no events.

/// Returns whether a character may be written in a YAML text as it is: YAML 1.2.2, section 5.1,
/// without the line breaks of YAML 1.1 and without the byte order mark, which readers treat
/// differently. A tab is for the caller to judge.
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
/// From after `a`, that is the dash before `b`, and not the one in the comment.
pub(super) fn dash(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'-' => return Some(at),
            b'#' => at += bytes[at..].iter().position(|&byte| byte == b'\n')?,
            _ => at += 1,
        }
    }
    None
}

/// Returns the offset of the colon of the key that ends at `key_end`; `None` for an explicit key
/// (`? key`) without one. White space and comments may come before the colon.
pub(super) fn colon(text: &str, key_end: usize) -> Option<usize> {
    let mut at = key_end;
    loop {
        let rest = text.get(at..)?;
        let start = at + (rest.len() - rest.trim_start().len());
        match text.as_bytes().get(start)? {
            b':' => return Some(start),
            b'#' => at = start + text.get(start..)?.find('\n')?,
            _ => return None,
        }
    }
}
