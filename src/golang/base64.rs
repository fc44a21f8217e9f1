//! Base64 as Go's `encoding/base64` reads and writes it.
//!
//! Go ignores line breaks anywhere in the text. It also ignores the unused bits of the last
//! character, unless the encoding is strict. The crate `base64` refuses both by default.

use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use base64::{DecodeError, Engine};

use super::GoError;

/// The number of characters for three bytes.
const GROUP: usize = 4;

/// A variant of base64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Base64Variant {
    /// Uses `-` and `_` instead of `+` and `/`.
    pub url: bool,
    /// Has no `=` at the end.
    pub raw: bool,
    /// Refuses unused bits that are not zero.
    pub strict: bool,
}

/// Encodes bytes.
pub fn encode(bytes: &[u8], variant: Base64Variant) -> String {
    engine(variant).encode(bytes)
}

/// Decodes a text.
///
/// # Errors
/// A text that is not base64. The message names the offset of the wrong byte, as in Go.
pub fn decode(text: &str, variant: Base64Variant) -> Result<Vec<u8>, GoError> {
    // The crate does not accept line breaks, so it gets the text without them. `offsets` maps each
    // byte of that text to its offset in the original text.
    let mut kept = Vec::with_capacity(text.len());
    let mut offsets = Vec::with_capacity(text.len());
    for (offset, byte) in text.bytes().enumerate() {
        if !matches!(byte, b'\n' | b'\r') {
            kept.push(byte);
            offsets.push(offset);
        }
    }
    engine(variant).decode(&kept).map_err(|error| {
        let offset = offsets.get(wrong_offset(&error, &kept, variant));
        let offset = offset.copied().unwrap_or(text.len());
        GoError::new(format!("illegal base64 data at input byte {offset}"))
    })
}

/// Returns the offset of the byte at which Go would stop.
///
/// The crate does not report it for wrong padding. Go stops at invalid padding, or otherwise at the
/// start of the last group of four.
fn wrong_offset(error: &DecodeError, text: &[u8], variant: Base64Variant) -> usize {
    match error {
        DecodeError::InvalidByte(offset, _) | DecodeError::InvalidLastSymbol { offset, .. } => {
            *offset
        }
        _ => {
            let padding = text.iter().position(|&byte| variant.raw && byte == b'=');
            padding.unwrap_or(text.len().saturating_sub(1) / GROUP * GROUP)
        }
    }
}

fn engine(variant: Base64Variant) -> GeneralPurpose {
    let padding = if variant.raw {
        DecodePaddingMode::RequireNone
    } else {
        DecodePaddingMode::RequireCanonical
    };
    let config = GeneralPurposeConfig::new()
        .with_encode_padding(!variant.raw)
        .with_decode_padding_mode(padding)
        .with_decode_allow_trailing_bits(!variant.strict);
    GeneralPurpose::new(if variant.url { &URL_SAFE } else { &STANDARD }, config)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Base64Variant = Base64Variant {
        url: false,
        raw: false,
        strict: false,
    };
    const URL: Base64Variant = Base64Variant { url: true, ..PLAIN };
    const RAW: Base64Variant = Base64Variant { raw: true, ..PLAIN };
    const STRICT: Base64Variant = Base64Variant {
        strict: true,
        ..PLAIN
    };

    #[test]
    fn encodes_each_variant() {
        for (variant, expected) in [
            (PLAIN, "YT4/fn4="),
            (URL, "YT4_fn4="),
            (RAW, "YT4/fn4"),
            (Base64Variant { url: true, ..RAW }, "YT4_fn4"),
            (STRICT, "YT4/fn4="),
        ] {
            assert_eq!(encode(b"a>?~~", variant), expected);
            assert_eq!(decode(expected, variant), Ok(b"a>?~~".to_vec()));
        }
    }

    #[test]
    fn ignores_line_breaks() {
        for text in ["YT4/\nfn4=\n", "\r\nYT4/f\nn4\n=\n"] {
            assert_eq!(decode(text, STRICT), Ok(b"a>?~~".to_vec()));
        }
    }

    #[test]
    fn checks_unused_bits_only_if_strict() {
        assert_eq!(decode("YWJjZB==", PLAIN), Ok(b"abcd".to_vec()));
        assert!(decode("YWJjZB==", STRICT).is_err());
    }

    #[test]
    fn decodes_bytes_that_are_not_text() {
        assert_eq!(decode("/w==", PLAIN), Ok(vec![0xff]));
    }

    #[test]
    fn names_the_wrong_byte() {
        let table = [
            ("YT4_fn4=", PLAIN, 3),
            ("YT4/fn4", PLAIN, 4),
            ("YT4/fn4=", RAW, 7),
            (" YWJj", PLAIN, 0),
            ("YWJj*", PLAIN, 4),
            ("Y\nW*j", PLAIN, 3),
            ("YW=j", PLAIN, 2),
            ("YWJj====", PLAIN, 4),
            ("=", PLAIN, 0),
            ("é", PLAIN, 0),
            ("YWJjZ", RAW, 4),
            ("YWJjZA", PLAIN, 4),
        ];
        for (text, variant, offset) in table {
            let message = decode(text, variant).unwrap_err().to_string();
            assert_eq!(
                message,
                format!("illegal base64 data at input byte {offset}"),
                "{text:?}"
            );
        }
    }
}
