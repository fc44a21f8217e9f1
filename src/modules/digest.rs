//! `@ytt:md5` and `@ytt:sha256`.

use md5::Md5;
use sha2::{Digest, Sha256};

use super::call::Call;
use crate::script::{Arguments, Caller, NativeModule, Value};
use crate::source::Result;

pub(super) const MD5: NativeModule = NativeModule::new("md5", &[("md5.sum", md5)]);

pub(super) const SHA256: NativeModule = NativeModule::new("sha256", &[("sha256.sum", sha256)]);

/// `sum(text)`: the MD5 sum of a string, in hexadecimal digits.
fn md5<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let text = Call::new(caller, arguments).one_text()?;
    Ok(caller.text(&hex_digest::<Md5>(text)))
}

/// `sum(text)`: the SHA-256 sum of a string, in hexadecimal digits.
fn sha256<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let text = Call::new(caller, arguments).one_text()?;
    Ok(caller.text(&hex_digest::<Sha256>(text)))
}

/// Returns the digest of the UTF-8 bytes of a text, in lower-case hexadecimal digits.
fn hex_digest<D: Digest>(text: &str) -> String {
    let mut digits = String::new();
    for byte in D::digest(text.as_bytes()) {
        digits.push_str(&format!("{byte:02x}"));
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computes_the_digests_of_the_standards() {
        assert_eq!(hex_digest::<Md5>(""), "d41d8cd98f00b204e9800998ecf8427e");
        assert_eq!(hex_digest::<Md5>("é"), "66ddcd97cfdeabb2f6fb8a999b4bc76f");
        assert_eq!(
            hex_digest::<Sha256>("data"),
            "3a6eb0790f39ac87c94f3856b2dd2c5d110e6811602261a9a923d3bb23adc8b7"
        );
    }
}
