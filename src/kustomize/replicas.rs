//! `replicas`: the number of copies of a workload.
//!
//! Specification: `ReplicaCountTransformer` of kustomize.

use std::sync::Arc;

use serde::Deserialize;

use super::field_spec::{FieldSpec, LeafKind, edit_fields, number_over};
use crate::kubernetes::{Resource, ResourceId};
use crate::source::{Code, Diagnostic, Diagnostics, Location, Reported, Result};
use crate::typed::{Spanned, documented};
use crate::yaml::Node;

documented! {
    /// An entry of `replicas` as written.
    #[derive(Clone, Debug, Default, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct ReplicaConfig {
        /// The name of the workload, now or before it was renamed.
        pub name: Option<Spanned<String>>,
        /// The number of copies.
        pub count: Option<i64>,
    }
}

/// The number of copies of the workloads with a name.
#[derive(Clone, Debug)]
pub struct ReplicaTransformer {
    name: String,
    count: i64,
    location: Option<Location>,
    field_specs: Arc<Vec<FieldSpec>>,
}

impl ReplicaTransformer {
    /// Creates the transformer of an entry.
    pub fn new(config: ReplicaConfig, field_specs: Arc<Vec<FieldSpec>>) -> ReplicaTransformer {
        let name = config.name.unwrap_or_default();
        ReplicaTransformer {
            name: name.value,
            count: config.count.unwrap_or_default(),
            location: name.location,
            field_specs,
        }
    }

    /// Sets the number in all workloads with the name.
    ///
    /// # Errors
    /// Reports an entry without a workload, and a workload with a collection in the place of the
    /// number.
    pub fn apply(
        &self,
        resources: &mut [Resource],
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        let count = self.count.to_string();
        let mut has_found = false;
        let mut outcome = Ok(());
        for resource in resources {
            // Most objects have another name, which is quicker to see than the kind.
            if !resource.ids().any(|id| id.name == self.name) {
                continue;
            }
            for spec in self.field_specs.iter() {
                if !resource.ids().any(|id| self.is_meant(id, spec)) {
                    continue;
                }
                has_found = true;
                // The kind may have changed since the object had the name.
                if !spec.kinds.matches(resource.id()) {
                    continue;
                }
                let created = Some(LeafKind::Scalar);
                let mut set = |old: &Arc<Node>| number_over(old, &count);
                if let Err(error) = edit_fields(resource, spec, created, &mut set) {
                    outcome = Err(diagnostics.report(error));
                }
            }
        }
        if !has_found {
            return Err(diagnostics.report(self.not_found()));
        }
        outcome
    }

    fn is_meant(&self, id: ResourceId<'_>, spec: &FieldSpec) -> bool {
        id.name == self.name && spec.kinds.matches(id)
    }

    fn not_found(&self) -> Box<Diagnostic> {
        let kinds = self.field_specs.iter().map(|spec| spec.kinds.to_string());
        let kinds: Vec<String> = kinds.collect();
        let message = format!(
            "resource with name {} does not match a config with the following GVK: expected one of the kinds {}",
            self.name,
            kinds.join(", ")
        );
        Diagnostic::error(Code::Resource, message)
            .at(self.location.clone(), "the name")
            .help("correct the name; other kinds with replicas are declared under `configurations`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kustomize::field_spec::FieldSpecs;
    use crate::kustomize::test_objects::run;

    fn scaled(text: &str) -> Result<String, String> {
        let config = ReplicaConfig {
            name: Some(Spanned::made("web".to_owned())),
            count: Some(5),
        };
        let transformer = ReplicaTransformer::new(config, FieldSpecs::builtin().replicas);
        run(text, |resources, diagnostics| {
            transformer.apply(resources, diagnostics)
        })
        .0
    }

    #[test]
    fn sets_the_number_of_every_workload_with_the_name() {
        let cases = [
            ("replicas: 1 # one", "replicas: 5 # one"),
            ("replicas: '1'", "replicas: '5'"),
            ("replicas:", "replicas: 5"),
            ("paused: true", "paused: true\n  replicas: 5"),
        ];
        for kind in [
            "Deployment",
            "StatefulSet",
            "ReplicaSet",
            "ReplicationController",
        ] {
            for (old, new) in cases {
                let head =
                    format!("apiVersion: any/v1\nkind: {kind}\nmetadata: {{name: web}}\nspec:\n  ");
                let scaled = scaled(&format!("{head}{old}\n")).unwrap();
                assert_eq!(scaled, format!("{head}{new}\n"));
            }
        }
    }

    #[test]
    fn refuses_a_name_that_no_workload_has() {
        for text in [
            "kind: Deployment\nmetadata: {name: other}\n",
            "kind: DaemonSet\nmetadata: {name: web}\n",
        ] {
            let message = scaled(text).unwrap_err();
            assert!(
                message.starts_with("resource with name web does not match"),
                "{message}"
            );
        }
    }

    #[test]
    fn refuses_a_collection() {
        let message = scaled("kind: Deployment\nmetadata: {name: web}\nspec: {replicas: [1]}\n");
        assert!(
            message
                .unwrap_err()
                .contains("expected a scalar, found a list")
        );
    }
}
