//! `@ytt:md5` and `@ytt:sha256`.

use super::call::Call;
use crate::golang::digest;
use crate::script::{Arguments, Caller, NativeModule, Value};
use crate::source::Result;

pub(super) const MD5: NativeModule = NativeModule::new("md5", &[("md5.sum", md5)]);

pub(super) const SHA256: NativeModule = NativeModule::new("sha256", &[("sha256.sum", sha256)]);

/// `sum(text)`: the MD5 sum of a string, in hexadecimal digits.
fn md5<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let text = Call::new(caller, arguments).one_text()?;
    Ok(caller.text(&digest::md5(text.as_bytes())))
}

/// `sum(text)`: the SHA-256 sum of a string, in hexadecimal digits.
fn sha256<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let text = Call::new(caller, arguments).one_text()?;
    Ok(caller.text(&digest::sha256(text.as_bytes())))
}
