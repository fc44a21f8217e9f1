//! `export(…)`: a value that a module of a private library defines.

use super::call::LibraryCall;
use super::loader::PrivateOutput;
use crate::script::{Arguments, Exported};
use crate::source::suggest::{did_you_mean, list};
use crate::source::{Diagnostic, Result};

/// The arguments of `export`.
pub(super) struct ExportCall<'v> {
    call: LibraryCall<'v>,
    name: &'v str,
    /// The path of the file that defines the name, relative to the root of the library.
    path: Option<&'v str>,
}

impl<'v> ExportCall<'v> {
    /// Reads the arguments.
    ///
    /// # Errors
    /// Fails for wrong arguments, and for a private name.
    pub(super) fn read(arguments: Arguments<'v>) -> Result<ExportCall<'v>> {
        let call = LibraryCall::new("library.export", arguments, &["path"])?;
        let name = call.one_text()?;
        if name.starts_with('_') {
            return Err(call
                .error(format!("expected a public name, found `{name}`"))
                .help("names that start with `_` are private to their file"));
        }
        let path = call.text("path")?.map(|path| path.trim_start_matches('/'));
        Ok(ExportCall { call, name, path })
    }

    /// Returns the value of the name.
    ///
    /// # Errors
    /// Fails if not exactly one file defines the name.
    pub(super) fn find(&self, library: &PrivateOutput) -> Result<Exported> {
        let mut paths = Vec::new();
        let mut value = None;
        for module in &library.modules {
            if self.path.is_some_and(|path| path != module.path) {
                continue;
            }
            // Continue after the first definition, because several definitions are an error.
            if let Some(found) = module.definitions.get(self.name) {
                paths.push(module.path.as_str());
                value = Some(found);
            }
        }
        match value {
            Some(value) if paths.len() == 1 => Ok(value),
            Some(_) => Err(self.ambiguous(&paths)),
            None => Err(self.missing(library)),
        }
    }

    fn ambiguous(&self, paths: &[&str]) -> Box<Diagnostic> {
        let name = self.name;
        let message = format!(
            "expected one definition of `{name}`, found one in each of `{}`",
            paths.join("`, `")
        );
        self.call
            .error(message)
            .help(format!("name the file: `export(\"{name}\", path=…)`"))
    }

    fn missing(&self, library: &PrivateOutput) -> Box<Diagnostic> {
        let paths = library.modules.iter().map(|module| module.path.as_str());
        if let Some(wanted) = self.path
            && !paths.clone().any(|path| path == wanted)
        {
            let known = list(paths.clone());
            let known = (!known.is_empty()).then(|| format!("library files are {known}"));
            return self
                .call
                .error(format!("expected a library file at `{wanted}`, found none"))
                .help_if(did_you_mean(wanted, paths).or(known));
        }
        // List all names of all files, because it is unknown which file the misspelled name belongs
        // to.
        let mut names = Vec::new();
        for module in &library.modules {
            names.extend(module.definitions.names());
        }
        let message = format!(
            "expected a definition of `{}` in a library file, found none",
            self.name
        );
        self.call
            .error(message)
            .help_if(did_you_mean(self.name, names.iter().map(String::as_str)))
    }
}
