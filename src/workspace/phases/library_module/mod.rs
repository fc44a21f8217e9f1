//! `@ytt:library`: templates pass values to private libraries and evaluate them.
//!
//! `library.get` finds a library below `_ytt_lib` next to the calling file. The returned library is
//! immutable: `with_data_values` returns a new one. A library is evaluated once for equal inputs
//! ([`loader`]).
//!
//! Here the build becomes recursive: phases run programs, programs call this module, and the module
//! runs the phases of another library. The recursion goes through the trait [`Loader`], so that no
//! phase depends on this module.

mod call;
mod export;
mod get;
mod inputs;
mod loader;
mod private;

use std::sync::Arc;

pub(super) use self::loader::LibraryLoader;

use self::get::Getter;
use self::private::PrivateLibrary;
use crate::script::{Arguments, Caller, Loader, NativeFunction, Program, Value};
use crate::source::{Code, Diagnostic, Result};

/// The name of the module.
const NAME: &str = "library";

impl Loader for LibraryLoader<'_> {
    fn find(&self, path: &str, from: &Program) -> Result<Arc<Program>> {
        let mut template_file = self.context.contents.origin(from)?;
        // Only the file changes: a loaded file is compiled with the options of the library that
        // loads it.
        template_file.file = self.context.tree.load(path, template_file.file)?;
        self.context.contents.program(template_file)
    }

    fn read(&self, path: &str, from: &Program) -> Result<String> {
        let origin = self.context.contents.origin(from)?;
        let found = self.context.tree.read(path, origin.file)?;
        let file = self.context.contents.file(found.index)?;
        let content = file.read(self.context.world)?;
        file.shown_source(content)
            .map(|source| source.text().to_owned())
    }

    fn list(&self, path: Option<&str>, from: &Program) -> Result<Vec<String>> {
        let origin = self.context.contents.origin(from)?;
        self.context.tree.list(path, origin.file)
    }

    fn module(
        &self,
        name: &str,
        library: usize,
        from: &Arc<Program>,
    ) -> Option<Vec<NativeFunction>> {
        if name != NAME {
            return None;
        }
        let getter = Getter {
            library,
            program: Arc::clone(from),
        };
        Some(vec![NativeFunction::of_loader("get", Arc::new(getter))])
    }

    /// Calls `library.get`, or a method of a library that it returned.
    fn call<'v>(
        &self,
        function: &NativeFunction,
        caller: &mut Caller<'_, 'v>,
        arguments: Arguments<'v>,
    ) -> Result<Value<'v>> {
        if let Some(getter) = function.state::<Getter>() {
            let library = getter.get(self.context, arguments)?;
            return Ok(private::value(library, caller));
        }
        match function.state::<PrivateLibrary>() {
            Some(library) => library.call(function.name(), self, caller, arguments),
            None => Err(Diagnostic::error(
                Code::Internal,
                format!("`@ytt:library` has no function `{}`", function.name()),
            )),
        }
    }
}
