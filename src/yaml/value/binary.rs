//! The tag `!!binary`, whose scalars contain bytes in base64.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};

/// Padding is needed; bits left over in the last character are not looked at, as Go does.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true),
);

/// Longer base64 is broken into lines of this many characters.
const LINE_LENGTH: usize = 70;

/// The bytes that the text of a `!!binary` scalar spells; `None` when it is not base64. Line breaks
/// do not count.
pub(in crate::yaml) fn decode_binary(text: &str) -> Option<Vec<u8>> {
    BASE64.decode(text.replace(['\n', '\r'], "")).ok()
}

/// Spells bytes as the text of a `!!binary` scalar: on one line without a line break if it is
/// shorter than 70 characters, else in lines of 70 that all end with one.
pub(in crate::yaml) fn encode_binary(bytes: &[u8]) -> String {
    let encoded = BASE64.encode(bytes);
    if encoded.len() < LINE_LENGTH {
        return encoded;
    }
    let mut lines = String::with_capacity(encoded.len() + encoded.len() / LINE_LENGTH + 1);
    for (index, c) in encoded.char_indices() {
        if index > 0 && index % LINE_LENGTH == 0 {
            lines.push('\n');
        }
        lines.push(c);
    }
    lines.push('\n');
    lines
}
