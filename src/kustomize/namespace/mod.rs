//! `namespace`: the namespace of all objects.
//!
//! Most objects only get `metadata.namespace`, unless they are cluster-scoped. The field specs are
//! for the exceptions, such as the name of a Namespace. The subjects of role bindings have their
//! own rules.
//!
//! Specification: `NamespaceTransformer` and `filters/namespace` of kustomize.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use serde::Deserialize;

use crate::kubernetes::{Resource, ResourceId};
use crate::kustomize::field_spec::{
    FieldSpec, FieldSpecPath, KindPattern, LeafKind, edit_fields, edit_node, is_null, string_over,
    wrong_kind,
};
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result};
use crate::yaml::Node;

/// The paths that the transformer handles itself, so that field specs for them are ignored.
const NAMESPACE: &str = "metadata/namespace";
const NAME: &str = "metadata/name";
const SUBJECTS: &str = "subjects/namespace";

/// The namespace of all objects.
#[derive(Clone, Debug)]
pub struct NamespaceTransformer {
    /// The namespace. An empty one changes nothing.
    pub namespace: String,
    /// Fields other than `metadata.namespace`.
    pub field_specs: Arc<Vec<FieldSpec>>,
    /// Whether namespaces that are set already stay.
    pub unset_only: bool,
    /// The subjects of role bindings that get the namespace.
    pub subjects: RoleBindingSubjects,
}

/// Subjects of role bindings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RoleBindingSubjects {
    /// Those with the name `default`, of any kind.
    #[default]
    #[serde(alias = "")]
    DefaultOnly,
    /// All service accounts.
    AllServiceAccounts,
    /// None.
    None,
}

impl NamespaceTransformer {
    /// Sets the namespace in all objects, and records their previous ids.
    ///
    /// # Errors
    /// Reports every object that has a collection where a namespace is expected, and objects that
    /// have the same id afterwards.
    pub fn apply(
        &self,
        resources: &mut [Resource],
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        if self.namespace.is_empty() {
            return Ok(());
        }
        let mut outcome = Ok(());
        for resource in resources.iter_mut() {
            if resource.history.is_helm_generated {
                continue;
            }
            resource.record_id();
            if let Err(error) = self.apply_to(resource) {
                outcome = Err(diagnostics.report(error));
            }
        }
        outcome.and_then(|()| refuse_equal_ids(resources, diagnostics))
    }

    /// Sets the namespace in one object.
    pub(super) fn apply_to(&self, resource: &mut Resource) -> Result<()> {
        if !resource.id().is_cluster_scoped() {
            self.set(resource, &spec_of(NAMESPACE, true))?;
        }
        if is_role_binding(resource.kind()) {
            self.set_in_subjects(resource)?;
        }
        for spec in self.field_specs.iter() {
            if spec.kinds.matches(resource.id()) && !is_special(spec, resource) {
                self.set(resource, spec)?;
            }
        }
        Ok(())
    }

    fn set(&self, resource: &mut Resource, spec: &FieldSpec) -> Result<()> {
        let mut set = |old: &Arc<Node>| self.namespace_over(old);
        edit_fields(resource, spec, Some(LeafKind::Scalar), &mut set)?;
        Ok(())
    }

    /// Returns the namespace that replaces a value, or `None` to keep it.
    fn namespace_over(&self, old: &Node) -> Result<Option<Arc<Node>>> {
        let is_set = !is_null(old) && old.text() != Some("");
        if self.unset_only && is_set {
            return Ok(None);
        }
        string_over(old, &self.namespace)
    }

    /// Sets the namespace of the subjects of a role binding that get it.
    fn set_in_subjects(&self, resource: &mut Resource) -> Result<()> {
        let (key, text) = match self.subjects {
            RoleBindingSubjects::DefaultOnly => ("name", "default"),
            RoleBindingSubjects::AllServiceAccounts => ("kind", "ServiceAccount"),
            RoleBindingSubjects::None => return Ok(()),
        };
        let subjects = spec_of("subjects", false);
        edit_fields(resource, &subjects, None, &mut |subjects| match subjects {
            subjects if is_null(subjects) => Ok(None),
            subjects => self.changed_subjects(subjects, key, text),
        })?;
        Ok(())
    }

    /// Returns the subjects with the namespace in those whose `key` is `text`.
    fn changed_subjects(
        &self,
        subjects: &Arc<Node>,
        key: &str,
        text: &str,
    ) -> Result<Option<Arc<Node>>> {
        if subjects.as_sequence().is_none() {
            return Err(wrong_kind(subjects, "a list"));
        }
        let namespace = spec_of("namespace", true);
        subjects.try_map_values(|item| {
            let subject = item.resolved();
            if subject.as_mapping().is_none() {
                return Err(wrong_kind(subject, "a mapping"));
            }
            let found = subject.get(key).and_then(|node| node.resolved().text());
            if found != Some(text) {
                return Ok(None);
            }
            let mut set = |old: &Arc<Node>| self.namespace_over(old);
            edit_node(subject, &namespace, Some(LeafKind::Scalar), &mut set)
        })
    }
}

/// Returns whether a field spec is for a field that the transformer handles itself.
fn is_special(spec: &FieldSpec, resource: &Resource) -> bool {
    match spec.path.as_str() {
        NAMESPACE => true,
        // A kind with the name `Namespace` in another group is not a namespace, and has one.
        NAME => resource.api_version() != "v1",
        SUBJECTS => is_role_binding(resource.kind()) && is_role_binding(&spec.kinds.kind),
        _ => false,
    }
}

fn is_role_binding(kind: &str) -> bool {
    matches!(kind, "RoleBinding" | "ClusterRoleBinding")
}

/// Returns a field spec for a path in any object.
fn spec_of(path: &str, create: bool) -> FieldSpec {
    FieldSpec {
        kinds: KindPattern::default(),
        path: FieldSpecPath::parse(path),
        create,
        location: None,
    }
}

/// Reports objects that have the same id now: they had different namespaces before.
fn refuse_equal_ids(resources: &[Resource], diagnostics: &mut Diagnostics) -> Result<(), Reported> {
    let mut first_of: HashMap<ResourceId<'_>, &Resource> = HashMap::with_capacity(resources.len());
    let mut outcome = Ok(());
    for resource in resources {
        let id = resource.id();
        let namespace = id.scoped_namespace();
        if let Some(first) = first_of.insert(ResourceId { namespace, ..id }, resource) {
            outcome = Err(diagnostics.report(equal_ids(first, resource)));
        }
    }
    outcome
}

fn equal_ids(first: &Resource, second: &Resource) -> Box<Diagnostic> {
    let message = format!(
        "namespace transformation produces ID conflict: two objects are `{}` now",
        second.id().short()
    );
    Diagnostic::error(Code::Resource, message)
        .at(second.name_location(), "this object")
        .at(first.name_location(), "this one")
        .about(second.object_reference())
        .help("give one of them another name")
}
