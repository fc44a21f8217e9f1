//! `openapi`: the schema by which strategic merge patches merge lists.
//!
//! The rules of Kubernetes 1.21 are built in, as in kustomize. A schema of the user replaces them:
//! the lists of a Deployment are then merged only if the schema describes Deployments. As in
//! kustomize, the first schema of a build is used. If the root kustomization has a schema, this is
//! the first.

use std::sync::Arc;

use super::accumulate::KustomizationBuild;
use super::config::KustomizationConfig;
use super::file;
use super::place::Place;
use crate::kubernetes::{OpenApiSchema, Resource, is_builtin_kind};
use crate::source::{Code, Diagnostic, Location, Reported};
use crate::typed::Spanned;
use crate::yaml::expand;

/// The version of Kubernetes whose rules are built in.
const VERSION: &str = "v1.21.2";

/// The schema of a build.
#[derive(Clone, Debug, Default)]
pub(super) enum BuildSchema {
    /// No kustomization has set one yet.
    #[default]
    Unset,
    /// The built-in rules, which a kustomization has requested.
    Builtin,
    /// A schema of a user.
    Custom(Arc<OpenApiSchema>),
}

impl BuildSchema {
    /// Returns the schema of a user.
    pub(super) fn custom(&self) -> Option<&Arc<OpenApiSchema>> {
        match self {
            BuildSchema::Custom(schema) => Some(schema),
            BuildSchema::Unset | BuildSchema::Builtin => None,
        }
    }
}

impl KustomizationBuild<'_> {
    /// Reads the schema of a kustomization. If it is the first one, it is used from now on.
    ///
    /// # Errors
    /// Reports a version that is not built in, a version together with a schema, and a schema that
    /// cannot be read.
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
        let schema = match (given("version"), given("path")) {
            (Some(_), Some(_)) => {
                let message = "builtin version and custom schema provided, cannot use both";
                return Err(self.diagnostics.report(error(message)));
            }
            (Some(version), None) if version != VERSION => {
                let message = "the specified OpenAPI version is not built in";
                let error = error(message).help(format!("use `version: {VERSION}`"));
                return Err(self.diagnostics.report(error));
            }
            (Some(_), None) => BuildSchema::Builtin,
            (None, Some(path)) => BuildSchema::Custom(self.read_schema(path, location, place)?),
            (None, None) => return Ok(()),
        };
        if matches!(self.schema, BuildSchema::Unset) {
            self.schema = schema;
        }
        Ok(())
    }

    /// Records objects that were read. kustomize reads the built-in schema when it first finds a
    /// kind that it does not know, and then adds a later schema of a user to the built-in one.
    pub(super) fn note_kinds(&mut self, objects: &[Resource]) {
        if matches!(self.schema, BuildSchema::Unset) && !self.needs_builtin_schema {
            let is_known = |object: &Resource| is_builtin_kind(object.api_version(), object.kind());
            self.needs_builtin_schema = !objects.iter().all(is_known);
        }
    }

    fn read_schema(
        &mut self,
        path: &str,
        location: &Option<Location>,
        place: &Place,
    ) -> Result<Arc<OpenApiSchema>, Reported> {
        let folder = place.folder(self.world);
        let read = folder.path(path).and_then(|path| folder.read(&path));
        let read = read.map_err(|error| error.at(location.clone(), "named here"));
        let source = self.diagnostics.check(read)?;
        let Some(root) = self.diagnostics.check(file::document(&source))? else {
            return Ok(Arc::default());
        };
        let root = self.diagnostics.check(expand(&root))?;
        let schema = self.diagnostics.check(OpenApiSchema::read(&root))?;
        Ok(Arc::new(match self.needs_builtin_schema {
            true => schema.with_builtin(),
            false => schema,
        }))
    }
}
