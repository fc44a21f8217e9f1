//! `@ytt:module`.

use super::call::Call;
use crate::script::{Arguments, Caller, NativeModule, Value};
use crate::source::Result;

pub(super) const MODULE: NativeModule = NativeModule::new("module", &[("module.make", make)]);

/// `make(name, **members)`: a module, like those that programs load.
fn make<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    let [name] = call.counted()?;
    let name = call.text(name)?;
    let members: Vec<(&str, Value<'v>)> = call
        .named()
        .iter()
        .map(|(name, value)| (name.as_str(), *value))
        .collect();
    Ok(caller.module(name, &members))
}
