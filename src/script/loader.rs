//! The trait through which programs access files and libraries. The modules above implement it.

use std::sync::Arc;

use super::caller::{Arguments, Caller, Value};
use super::function::NativeFunction;
use super::program::Program;
use crate::source::{Code, Diagnostic, Result};

/// Finds files for programs, and executes functions that need to know the whole build.
///
/// A program contains only paths. Their meaning depends on the program, because they are relative
/// to its file.
pub trait Loader {
    /// Returns the library file for `load("path", …)` in the program `from`. The same file is the
    /// same `Arc` each time.
    ///
    /// # Errors
    /// Returns a diagnostic without a place: the caller adds the place of the `load`.
    fn find(&self, path: &str, from: &Program) -> Result<Arc<Program>>;

    /// Returns the text of the file for `data.read(path)` in the program `from`.
    ///
    /// # Errors
    /// Returns a diagnostic without a place.
    fn read(&self, path: &str, from: &Program) -> Result<String>;

    /// Returns the paths of the files for `data.list(path)` in the program `from`.
    ///
    /// # Errors
    /// Returns a diagnostic without a place.
    fn list(&self, path: Option<&str>, from: &Program) -> Result<Vec<String>>;

    /// Returns the functions of the module `@ytt:name`, if the loader has a module of that name.
    ///
    /// They are created by [`NativeFunction::of_loader`] for the program `from` of a
    /// [library](super::Library::id).
    fn module(
        &self,
        _name: &str,
        _library: usize,
        _from: &Arc<Program>,
    ) -> Option<Vec<NativeFunction>> {
        None
    }

    /// Executes a function that was created by [`NativeFunction::of_loader`].
    ///
    /// # Errors
    /// Returns a diagnostic; the caller adds the place of the call.
    fn call<'v>(
        &self,
        function: &NativeFunction,
        _caller: &mut Caller<'_, 'v>,
        _arguments: Arguments<'v>,
    ) -> Result<Value<'v>> {
        Err(Diagnostic::error(
            Code::Internal,
            format!("nobody carries out `{}`", function.name()),
        ))
    }
}
