//! Decodes and encodes the tag `!!binary`, whose scalars contain bytes in base64.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};

/// Padding is required. Unused bits of the last character are ignored, as in Go.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true),
);

/// The line length of base64 that is broken into lines.
const LINE_LENGTH: usize = 70;

/// Returns the bytes that the text of a `!!binary` scalar spells; `None` if it is not base64. Line
/// breaks are ignored.
pub(in crate::yaml) fn decode_binary(text: &str) -> Option<Vec<u8>> {
    BASE64.decode(text.replace(['\n', '\r'], "")).ok()
}

/// Spells bytes as the text of a `!!binary` scalar. A text of less than 70 characters is one line
/// without a line break. A longer text has lines of 70 characters that all end with a line break.
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
