//! `export(…)`: what the library files of a library define.

use super::memory::Evaluated;
use super::signature::Call;
use crate::script::{Arguments, Exported};
use crate::source::Result;
use crate::source::suggest::{did_you_mean, list};

/// What is asked for.
pub(super) struct Wish<'v> {
    call: Call<'v>,
    name: &'v str,
    /// The path of the file that defines it, from the root of the library.
    path: Option<&'v str>,
}

impl<'v> Wish<'v> {
    /// # Errors
    /// Wrong arguments, and a name that is private.
    pub(super) fn read(arguments: Arguments<'v>) -> Result<Wish<'v>> {
        let call = Call::new("library.export", arguments, &["path"])?;
        let name = call.one_text()?;
        if name.starts_with('_') {
            return Err(call
                .refuse(format!(
                    "expected a name that others can use, found `{name}`"
                ))
                .help("names that start with `_` are private to their file"));
        }
        let path = call.text("path")?;
        Ok(Wish { call, name, path })
    }

    /// The one value of that name.
    ///
    /// # Errors
    /// No file defines the name, or several do.
    pub(super) fn find(&self, library: &Evaluated) -> Result<Exported> {
        let wanted = self.path.map(|path| path.trim_start_matches('/'));
        let files = || {
            library
                .definitions
                .iter()
                .filter(|(path, _)| wanted.is_none_or(|wanted| wanted == path))
        };
        let found: Vec<(&str, Exported)> = files()
            .filter_map(|(path, definitions)| Some((path.as_str(), definitions.get(self.name)?)))
            .collect();
        match found.as_slice() {
            [(_, value)] => Ok(value.clone()),
            [] => Err(self.absent(wanted, library)),
            several => {
                let paths: Vec<&str> = several.iter().map(|(path, _)| *path).collect();
                let message = format!(
                    "expected one definition of `{}`, found one in each of `{}`",
                    self.name,
                    paths.join("`, `")
                );
                Err(self.call.refuse(message).help(format!(
                    "name the file: `export(\"{}\", path=…)`",
                    self.name
                )))
            }
        }
    }

    fn absent(&self, wanted: Option<&str>, library: &Evaluated) -> Box<crate::source::Diagnostic> {
        let mut paths = library.definitions.iter().map(|(path, _)| path.as_str());
        if let Some(wanted) = wanted
            && !paths.clone().any(|path| path == wanted)
        {
            let known = list(paths.clone());
            let known = (!known.is_empty()).then(|| format!("library files are {known}"));
            let message = format!("expected a library file at `{wanted}`, found none");
            return self
                .call
                .refuse(message)
                .help_if(did_you_mean(wanted, &mut paths).or(known));
        }
        let names: Vec<String> = library
            .definitions
            .iter()
            .flat_map(|(_, definitions)| definitions.names())
            .collect();
        self.call
            .refuse(format!(
                "expected a definition of `{}` in a library file, found none",
                self.name
            ))
            .help_if(did_you_mean(self.name, names.iter().map(String::as_str)))
    }
}
