//! `vars`: fields of objects whose values replace `$(NAME)` in other objects.
//!
//! ```text
//! vars:                                           Deployment after the build
//! - name: HOST                                    args: [--host=$(HOST)]
//!   objref: {apiVersion: v1, kind: Service,        -> args: [--host=dev-web]
//!            name: web}
//! ```
//!
//! A variable is bound to its object when the kustomization that declares it has run, and refers to
//! it through all later renames. At the end of the build, all values are read and all texts
//! replaced. The fields whose text is replaced are field specs (`var_reference` of
//! [`FieldSpecs`](super::field_spec::FieldSpecs)). Specification: `ResAccumulator` and
//! `filters/refvar` of kustomize.

mod config;
mod expand;
mod path;
mod substitute;
#[cfg(test)]
mod tests;
mod value;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use self::config::ObjectConfig;
pub use self::config::VarConfig;
use crate::kubernetes::{
    ObjectProperty, Resource, ResourceId, SelectorHint, SelectorIndex, id_hints, split_api_version,
};
use crate::source::{Code, Diagnostic, Diagnostics, Location, Reported, Result};

/// The path of a variable without `fieldref`.
const NAME: &str = "metadata.name";

/// The variables that a kustomization and everything that it includes declare.
#[derive(Clone, Debug, Default)]
pub struct Variables {
    by_name: BTreeMap<Arc<str>, Variable>,
}

/// A variable.
#[derive(Clone, Debug)]
struct Variable {
    object: ObjectName,
    /// The path to the value in the object.
    path: String,
    location: Option<Location>,
}

/// The object that a variable is read from.
#[derive(Clone, Debug)]
struct ObjectName {
    group: String,
    version: String,
    kind: String,
    name: String,
    namespace: String,
}

impl Variables {
    /// Adds the variables that a kustomization declares, and binds each to its object. A missing
    /// object is not an error yet, because an overlay may add it.
    ///
    /// # Errors
    /// Reports a name that is already used, and a variable that may refer to several objects.
    pub fn bind(
        &mut self,
        entries: Vec<VarConfig>,
        resources: &mut [Resource],
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        let mut objects = SelectorIndex::default();
        let mut outcome = Ok(());
        for entry in entries {
            let name: Arc<str> = entry.name.value.as_str().into();
            let variable = Variable::new(entry);
            let added = variable
                .bind(&name, resources, &mut objects)
                .and_then(|()| self.add(&name, variable));
            if let Err(error) = added {
                outcome = Err(diagnostics.report(error));
            }
        }
        outcome
    }

    /// Adds the variables of a base.
    ///
    /// # Errors
    /// Reports each name that is already used.
    pub fn merge(
        &mut self,
        other: Variables,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        let mut outcome = Ok(());
        for (name, variable) in other.by_name {
            if let Err(error) = self.add(&name, variable) {
                outcome = Err(diagnostics.report(error));
            }
        }
        outcome
    }

    fn add(&mut self, name: &Arc<str>, variable: Variable) -> Result<()> {
        match self.by_name.entry(Arc::clone(name)) {
            Entry::Vacant(entry) => {
                entry.insert(variable);
                Ok(())
            }
            Entry::Occupied(known) => {
                let message = format!("var '{name}' already encountered");
                Err(Diagnostic::error(Code::Config, message)
                    .at(variable.location, "declared here")
                    .at(known.get().location.clone(), "declared here before")
                    .help("give the variables different names; a base that declares one can be included only once"))
            }
        }
    }
}

impl Variable {
    fn new(entry: VarConfig) -> Variable {
        let path = entry.fieldref.unwrap_or_default().field_path;
        let path = path.filter(|path| !path.is_empty());
        Variable {
            object: ObjectName::new(entry.objref.unwrap_or_default()),
            path: path.unwrap_or_else(|| NAME.to_owned()),
            location: entry.name.location,
        }
    }

    /// Records the variable in its object.
    fn bind(
        &self,
        name: &Arc<str>,
        resources: &mut [Resource],
        objects: &mut SelectorIndex,
    ) -> Result<()> {
        let mut meant = objects.candidates(&self.object.hints(), resources);
        meant.retain(|&index| resources[index].ids().any(|id| self.object.is(id)));
        let Some(&first) = meant.first() else {
            return Ok(());
        };
        let first = &mut resources[first];
        let others = meant.len() - 1;
        if others > 0 {
            let message = format!(
                "found {} resId matches for var {name} (unable to disambiguate)",
                others + 1
            );
            return Err(Diagnostic::error(Code::Selector, message)
                .at(self.location.clone(), "the variable")
                .at(first.name_location(), "the first object that it may mean")
                .help("add `namespace` to `objref`"));
        }
        first.history.variables.push(Arc::clone(name));
        Ok(())
    }
}

impl ObjectName {
    fn new(config: ObjectConfig) -> ObjectName {
        let api_version = config.api_version.unwrap_or_default();
        let (group, version) = match split_api_version(&api_version) {
            ("", "") => (
                config.group.unwrap_or_default(),
                config.version.unwrap_or_default(),
            ),
            (group, version) => (group.to_owned(), version.to_owned()),
        };
        ObjectName {
            group,
            version,
            kind: config.kind.unwrap_or_default(),
            name: config.name.unwrap_or_default(),
            namespace: config.namespace.unwrap_or_default(),
        }
    }

    fn id(&self) -> ResourceId<'_> {
        ResourceId {
            group: &self.group,
            version: &self.version,
            kind: &self.kind,
            name: &self.name,
            namespace: &self.namespace,
        }
    }

    /// Returns whether the object can be in any namespace.
    fn has_any_namespace(&self) -> bool {
        self.namespace.is_empty() && !self.id().is_cluster_scoped()
    }

    /// Returns the properties that the object must have, for a look-up.
    fn hints(&self) -> Vec<SelectorHint<'_>> {
        let mut hints = id_hints(ResourceId {
            namespace: self.id().scoped_namespace(),
            ..self.id()
        });
        if self.has_any_namespace() {
            hints.retain(|hint| !matches!(hint.property, ObjectProperty::Namespace));
        }
        hints
    }

    /// Returns whether an object with this id matches. Without a namespace, any namespace matches.
    fn is(&self, id: ResourceId<'_>) -> bool {
        let own = self.id();
        if self.has_any_namespace() {
            (own.group, own.version, own.kind, own.name) == (id.group, id.version, id.kind, id.name)
        } else {
            own.is_same_object(id)
        }
    }
}
