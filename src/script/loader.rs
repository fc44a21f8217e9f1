//! The trait through which programs reach files and libraries, which the modules above know.

use std::sync::Arc;

use super::caller::{Arguments, Caller, Value};
use super::function::NativeFunction;
use super::program::Program;
use crate::source::{Code, Diagnostic, Result};

/// Finds files for programs, and carries out functions that need to know the whole build.
///
/// A program knows only paths. What they mean depends on the program: they are relative to its
/// file.
pub trait Loader {
    /// Returns the library file that `load("path", …)` means in the program `from`. The same file
    /// is the same `Arc` each time.
    ///
    /// # Errors
    /// A diagnostic without a place: the caller adds the place of the `load`.
    fn find(&self, path: &str, from: &Program) -> Result<Arc<Program>>;

    /// Returns the text of the file that `data.read(path)` means in the program `from`.
    ///
    /// # Errors
    /// A diagnostic without a place.
    fn read(&self, path: &str, from: &Program) -> Result<String>;

    /// Returns the paths of the files that `data.list(path)` means in the program `from`.
    ///
    /// # Errors
    /// A diagnostic without a place.
    fn list(&self, path: Option<&str>, from: &Program) -> Result<Vec<String>>;

    /// Returns the functions of the module `@ytt:name`, if the loader has a module of that name.
    ///
    /// They are made by [`NativeFunction::of_loader`] for the program `from` of a
    /// [library](super::Library::id).
    fn module(
        &self,
        _name: &str,
        _library: usize,
        _from: &Arc<Program>,
    ) -> Option<Vec<NativeFunction>> {
        None
    }

    /// Carries out a function that was made by [`NativeFunction::of_loader`].
    ///
    /// # Errors
    /// A diagnostic; the caller adds the place of the call.
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
