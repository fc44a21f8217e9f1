//! Base64 as Go's `encoding/base64` reads and writes it: line breaks do not count, and neither do bits that are left over
//! in the last character, unless that is asked for.

use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use base64::{DecodeError, Engine};

use super::Error;

/// How many characters spell three bytes.
const GROUP: usize = 4;

/// Which base64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    /// With `-` and `_` instead of `+` and `/`.
    pub url: bool,
    /// Without `=` at the end.
    pub raw: bool,
    /// Whether the bits that are left over have to be zero.
    pub strict: bool,
}

/// Spells bytes.
pub fn encode(bytes: &[u8], variant: Variant) -> String {
    engine(variant).encode(bytes)
}

/// The bytes that a text spells.
///
/// # Errors
/// The offset in the text where it is wrong.
pub fn decode(text: &str, variant: Variant) -> Result<Vec<u8>, Error> {
    let is_break = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let kept: Vec<u8> = text.bytes().filter(|byte| !is_break(byte)).collect();
    engine(variant).decode(&kept).map_err(|error| {
        let offset = wrong_offset(&error, &kept, variant);
        let mut offsets = text
            .bytes()
            .enumerate()
            .filter(|(_, byte)| !is_break(byte))
            .map(|(offset, _)| offset);
        let offset = offsets.nth(offset).unwrap_or(text.len());
        Error::new(format!("illegal base64 data at input byte {offset}"))
    })
}

/// Where a text is wrong. Where the crate does not say, it is padding that should not be there, or else the last group.
fn wrong_offset(error: &DecodeError, text: &[u8], variant: Variant) -> usize {
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

fn engine(variant: Variant) -> GeneralPurpose {
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

    const PLAIN: Variant = Variant {
        url: false,
        raw: false,
        strict: false,
    };
    const URL: Variant = Variant { url: true, ..PLAIN };
    const RAW: Variant = Variant { raw: true, ..PLAIN };
    const STRICT: Variant = Variant {
        strict: true,
        ..PLAIN
    };

    #[test]
    fn each_variant_has_its_spelling() {
        for (variant, expected) in [
            (PLAIN, "YT4/fn4="),
            (URL, "YT4_fn4="),
            (RAW, "YT4/fn4"),
            (Variant { url: true, ..RAW }, "YT4_fn4"),
            (STRICT, "YT4/fn4="),
        ] {
            assert_eq!(encode(b"a>?~~", variant), expected);
            assert_eq!(decode(expected, variant), Ok(b"a>?~~".to_vec()));
        }
    }

    #[test]
    fn line_breaks_do_not_count() {
        for text in ["YT4/\nfn4=\n", "\r\nYT4/f\nn4\n=\n"] {
            assert_eq!(decode(text, STRICT), Ok(b"a>?~~".to_vec()));
        }
    }

    #[test]
    fn bits_left_over_count_only_if_strict() {
        assert_eq!(decode("YWJjZB==", PLAIN), Ok(b"abcd".to_vec()));
        assert!(decode("YWJjZB==", STRICT).is_err());
    }

    #[test]
    fn bytes_need_not_be_text() {
        assert_eq!(decode("/w==", PLAIN), Ok(vec![0xff]));
    }

    #[test]
    fn an_error_names_the_wrong_byte() {
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
