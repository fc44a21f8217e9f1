//! The dashes and colons of collections, for which there are no events.

/// The first dash at or after `from` that is not in a comment: that of the item which comes next.
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

/// The colon of the key that ends at `key_end`: white space and comments may stand before it. `None` for a key without
/// one.
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
