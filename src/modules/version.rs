//! `@ytt:version`.

use super::call::Call;
use crate::golang::version;
use crate::script::{Arguments, Caller, NativeModule, Value};
use crate::source::Result;

/// The version of ytt whose language Inlay implements.
const YTT_VERSION: &str = "0.49.0";

pub(super) const MODULE: NativeModule =
    NativeModule::new("version", &[("version.require_at_least", require_at_least)]);

/// `require_at_least(version)`: fails if a later version of ytt is required.
fn require_at_least<'v>(
    caller: &mut Caller<'_, 'v>,
    arguments: Arguments<'v>,
) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    let minimum = call.one_text()?;
    if version::is_at_least(YTT_VERSION, minimum).map_err(|error| call.failure(error))? {
        return Ok(Value::none());
    }
    let message = format!(
        "ytt version '{YTT_VERSION}' does not meet the minimum required version '{minimum}'"
    );
    Err(call
        .failure(message)
        .help("this is the version of ytt whose language Inlay speaks"))
}
