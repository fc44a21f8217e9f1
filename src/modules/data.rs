//! `@ytt:data`: data values, and the text of files.

use super::call::Call;
use crate::script::{Arguments, Caller, Constant, NativeModule, Program, Value};
use crate::source::suggest::with_article;
use crate::source::{Code, Diagnostic, Result};

/// The paths of `list` and `read` are relative to the file that loads the module, no matter where
/// the functions are called.
pub(super) const MODULE: NativeModule = NativeModule {
    name: "data",
    functions: &[("data.list", list), ("data.read", read)],
    constants: &[("values", Constant::DataValues)],
};

/// `list(path)`: the paths of the files below a folder; of all files if no path is given.
fn list<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    call.no_named()?;
    let path = match call.all() {
        [] => None,
        [only] => Some(path(*only)?),
        _ => return Err(call.failure("expected at most one argument")),
    };
    // Paths are relative to the file that loaded the module, even if another file calls the
    // function.
    let program = caller.state::<Program>()?;
    let paths = caller.loader()?.list(path, program)?;
    let paths: Vec<Value<'v>> = paths.iter().map(|path| caller.text(path)).collect();
    Ok(caller.list(&paths))
}

/// `read(path)`: the text of a file.
fn read<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    call.no_named()?;
    let [path_value] = call.positional()?;
    let program = caller.state::<Program>()?;
    let text = caller.loader()?.read(path(path_value)?, program);
    let text = text.map_err(|error| call.library_error(error))?;
    Ok(caller.text(&text))
}

fn path(value: Value<'_>) -> Result<&str> {
    value.as_str().ok_or_else(|| {
        let found = with_article(value.type_name());
        Diagnostic::error(Code::Script, format!("expected a path, found {found}"))
    })
}
