//! `@ytt:base64`.

use super::call::Call;
use crate::golang::base64::{self, Base64Variant};
use crate::script::{Arguments, Caller, NativeModule, Value};
use crate::source::Result;

pub(super) const MODULE: NativeModule = NativeModule::new(
    "base64",
    &[("base64.encode", encode), ("base64.decode", decode)],
);

/// `encode(text)`: the base64 of a string.
fn encode<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    let text = call.one_text()?;
    Ok(caller.text(&base64::encode(text.as_bytes(), variant(&call)?)))
}

/// `decode(text)`: the string encoded by a base64 text.
fn decode<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    let text = call.one_text()?;
    let bytes = base64::decode(text, variant(&call)?).map_err(|error| call.failure(error))?;
    Ok(caller.text(&call.utf8(bytes)?))
}

/// Returns the variant that the named arguments select. Other named arguments are ignored, as in
/// ytt.
fn variant(call: &Call<'_>) -> Result<Base64Variant> {
    Ok(Base64Variant {
        url: call.flag("url")?.unwrap_or_default(),
        raw: call.flag("raw")?.unwrap_or_default(),
        strict: call.flag("strict")?.unwrap_or_default(),
    })
}
