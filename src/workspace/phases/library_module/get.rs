//! `library.get(…)`: finds a private library.

use std::sync::Arc;

use super::call::LibraryCall;
use super::private::PrivateLibrary;
use crate::script::{Arguments, Program};
use crate::source::Result;
use crate::workspace::phases::context::BuildContext;
use crate::workspace::phases::input::BuildOptions;

/// The function `library.get` in a program that loaded the module.
pub(super) struct Getter {
    /// The id of the library that evaluates the program.
    pub(super) library: usize,
    pub(super) program: Arc<Program>,
}

/// The named arguments. All but the first are options, which have the names of build flags.
const NAMED: [&str; 5] = [
    "alias",
    "ignore_unknown_comments",
    "implicit_map_key_overrides",
    "strict",
    "dangerous_data_values_disable_validation",
];

impl Getter {
    /// Returns the library that the arguments describe. Options that they do not set are inherited
    /// from the calling library.
    ///
    /// # Errors
    /// Fails for wrong arguments, and for a library that does not exist.
    pub(super) fn get(
        &self,
        context: &BuildContext<'_>,
        arguments: Arguments<'_>,
    ) -> Result<PrivateLibrary> {
        let call = LibraryCall::new("library.get", arguments, &NAMED)?;
        let path = call.one_text()?;
        if let Some(name) = path.strip_prefix('@') {
            return Err(call
                .error(format!("expected the path of a library, found `{path}`"))
                .help(format!("write `{name}`")));
        }
        let alias = call.text("alias")?;
        let from = context.contents.origin(&self.program)?.file;
        let inherited = context.instance(self.library)?.options;
        let [
            _,
            ignore_unknown_comments,
            implicit_map_key_overrides,
            strict,
            disable_validation,
        ] = NAMED;
        Ok(PrivateLibrary {
            parent: self.library,
            root: context.tree.private_library(path, from)?,
            path: path.into(),
            alias: alias.map(Arc::from),
            options: BuildOptions {
                ignore_unknown_comments: call
                    .flag(ignore_unknown_comments)?
                    .unwrap_or(inherited.ignore_unknown_comments),
                implicit_map_key_overrides: call
                    .flag(implicit_map_key_overrides)?
                    .unwrap_or(inherited.implicit_map_key_overrides),
                strict: call.flag(strict)?.unwrap_or(inherited.strict),
                strict_annotations: inherited.strict_annotations,
                records: inherited.records,
                overlay_places: inherited.overlay_places,
                // The documents become a value of the template.
                reprints: false,
                // A library cannot turn validation back on: the flag is for emergencies, and must
                // apply everywhere.
                dangerous_data_values_disable_validation: call
                    .flag(disable_validation)?
                    .unwrap_or_default()
                    || inherited.dangerous_data_values_disable_validation,
            },
            values: Vec::new(),
        })
    }
}
