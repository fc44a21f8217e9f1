//! The characters that the reader leaves to the parser crate.

use super::{Handled, Unhandled};

/// Gives up on characters that readers of YAML treat differently: control characters, the line
/// breaks of YAML 1.1, and byte order marks.
pub(super) fn check_characters(bytes: &[u8]) -> Handled<()> {
    if bytes.chunks(BLOCK).any(has_control) {
        return Err(Unhandled);
    }
    if bytes.is_ascii() {
        return Ok(());
    }
    for at in memchr::memchr3_iter(0xc2, 0xe2, 0xef, bytes) {
        match bytes[at..] {
            // C1 control characters, among them the line break U+0085.
            [0xc2, 0x80..=0x9f, ..]
            // The line breaks U+2028 and U+2029.
            | [0xe2, 0x80, 0xa8 | 0xa9, ..]
            // The byte order mark, U+FFFE and U+FFFF.
            | [0xef, 0xbb, 0xbf, ..]
            | [0xef, 0xbf, 0xbe | 0xbf, ..] => return Err(Unhandled),
            _ => {}
        }
    }
    Ok(())
}

/// The number of bytes that are checked together.
const BLOCK: usize = 64;

/// Returns whether a block contains a control character. It checks all bytes, even after the first
/// match: without a branch for each byte, the compiler produces one instruction for sixteen bytes.
fn has_control(block: &[u8]) -> bool {
    block.iter().fold(false, |found, &byte| {
        let is_control = byte < b' ' && byte != b'\n' && byte != b'\t';
        found | is_control | (byte == 0x7f)
    })
}
