//! `@ytt:template`.

use super::call::Call;
use crate::script::{Arguments, Caller, NativeModule, Value};
use crate::source::Result;

pub(super) const MODULE: NativeModule =
    NativeModule::new("template", &[("template.replace", replace)]);

/// `replace(value)`: replaces the node that the result is assigned to, or else the node that was
/// written last, with the entries, items or documents of `value`.
fn replace<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    call.no_named()?;
    let [value] = call.positional()?;
    caller.replacement(value)
}
