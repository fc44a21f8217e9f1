//! `openapi`: the schema by which strategic merge patches merge lists.
//!
//! The rules of Kubernetes 1.21 are built in, as in kustomize. A schema of the user is read, but its
//! merge keys are not applied yet, so there is a warning.

use super::accumulate::Build;
use super::config::KustomizationConfig;
use super::place::Place;
use crate::source::{Code, Diagnostic, Reported};
use crate::typed::Spanned;

/// The version of Kubernetes whose rules are built in.
const VERSION: &str = "v1.21.2";

impl Build<'_> {
    /// Checks the schema that a kustomization asks for.
    ///
    /// # Errors
    /// Reports another version than the one that is built in, a version beside a schema, and a
    /// schema that cannot be read.
    pub(super) fn check_schema(
        &mut self,
        config: &KustomizationConfig,
        place: &Place,
    ) -> Result<(), Reported> {
        let Some(Spanned { value, location }) = &config.openapi else {
            return Ok(());
        };
        let error =
            |message: &str| Diagnostic::error(Code::Config, message).at(location.clone(), "");
        let given = |key: &str| value.get(key).filter(|text| !text.is_empty());
        match (given("version"), given("path")) {
            (Some(_), Some(_)) => {
                let message = "builtin version and custom schema provided, cannot use both";
                Err(self.diagnostics.report(error(message)))
            }
            (Some(version), None) if version != VERSION => {
                let message = "the specified OpenAPI version is not built in";
                let error = error(message).help(format!("use `version: {VERSION}`"));
                Err(self.diagnostics.report(error))
            }
            (None, Some(path)) => {
                let folder = place.folder(self.world);
                let schema = folder.path(path).and_then(|path| folder.read(&path));
                let schema = schema.map_err(|error| error.at(location.clone(), "named here"));
                self.diagnostics.check(schema)?;
                let message = "the merge keys of the schema are not used";
                self.diagnostics.push(
                    Diagnostic::warning(Code::Config, message)
                        .at(location.clone(), "")
                        .note("lists of types that Kubernetes does not define are replaced as a whole"),
                );
                Ok(())
            }
            _ => Ok(()),
        }
    }
}
