//! `library.get(…)`.

use std::sync::Arc;

use super::private::PrivateLibrary;
use super::signature::Call;
use crate::script::{Arguments, Program};
use crate::source::Result;
use crate::workspace::phases::Options;
use crate::workspace::phases::run::Run;

/// Finds libraries for the program that loaded the module.
pub(super) struct Getter {
    /// The number of the library that evaluates the program.
    pub(super) library: usize,
    pub(super) program: Arc<Program>,
}

const NAMED: [&str; 5] = [
    "alias",
    "ignore_unknown_comments",
    "implicit_map_key_overrides",
    "strict",
    "dangerous_data_values_disable_validation",
];

impl Getter {
    /// The library that the arguments name. It is read as the library of the caller is, but for what the arguments say.
    ///
    /// # Errors
    /// Wrong arguments, and a library that is not there.
    pub(super) fn get(&self, run: &Run<'_>, arguments: Arguments<'_>) -> Result<PrivateLibrary> {
        let call = Call::new("library.get", arguments, &NAMED)?;
        let path = call.one_text()?;
        if let Some(name) = path.strip_prefix('@') {
            return Err(call
                .refuse(format!("expected the path of a library, found `{path}`"))
                .help(format!("write `{name}`")));
        }
        let alias = call.text("alias")?;
        let (place, _) = run.programs.place_of(&self.program)?;
        let inherited = run.instance(self.library)?.options;
        let [_, ignore, overrides, strict, disable] = NAMED;
        Ok(PrivateLibrary {
            parent: self.library,
            root: run.tree.private_library(path, place)?,
            path: path.into(),
            alias: alias.map(Arc::from),
            options: Options {
                ignore_unknown_comments: call
                    .flag(ignore)?
                    .unwrap_or(inherited.ignore_unknown_comments),
                implicit_map_key_overrides: call
                    .flag(overrides)?
                    .unwrap_or(inherited.implicit_map_key_overrides),
                strict: call.flag(strict)?.unwrap_or(inherited.strict),
                disable_validation: call.flag(disable)?.unwrap_or_default()
                    || inherited.disable_validation,
            },
            values: Vec::new(),
        })
    }
}
