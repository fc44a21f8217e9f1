//! `replicas`: the number of copies of a workload.
//!
//! Specification: `ReplicaCountTransformer` of kustomize.

use std::sync::Arc;

use serde::Deserialize;

use super::field_spec::{FieldSpec, LeafKind, edit_fields, number_over};
use crate::kubernetes::{
    EntryRecorder, HintValues, ObjectProperty, Resource, ResourceId, SelectorHint, SelectorIndex,
};
use crate::source::{Code, Diagnostic, Diagnostics, Location, Reported, Result, steps};
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

/// Sets the numbers of copies by all entries of a list.
#[derive(Clone, Debug)]
pub struct ReplicaTransformer {
    entries: Vec<ReplicaCount>,
    field_specs: Arc<Vec<FieldSpec>>,
}

/// The number of copies of the workloads with a name.
#[derive(Clone, Debug)]
struct ReplicaCount {
    name: String,
    count: i64,
    location: Option<Location>,
}

impl ReplicaTransformer {
    /// Creates the transformer of a list of entries.
    pub fn new(entries: Vec<ReplicaConfig>, field_specs: Arc<Vec<FieldSpec>>) -> Self {
        let mut counts = Vec::with_capacity(entries.len());
        for entry in entries {
            let name = entry.name.unwrap_or_default();
            counts.push(ReplicaCount {
                name: name.value,
                count: entry.count.unwrap_or_default(),
                location: name.location,
            });
        }
        ReplicaTransformer {
            entries: counts,
            field_specs,
        }
    }

    /// Returns the number of entries.
    pub fn entry_count(&self) -> usize {
        self.entries.len()
    }

    /// Sets the number of each entry in all workloads with its name.
    ///
    /// # Errors
    /// Reports the first entry without a workload, or with workloads that have a collection in the
    /// place of the number.
    pub fn apply(
        &self,
        resources: &mut [Resource],
        recorder: EntryRecorder<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        let mut objects = SelectorIndex::default();
        for (entry, wanted) in self.entries.iter().enumerate() {
            let mut has_found = false;
            let mut outcome = Ok(());
            let name = SelectorHint {
                property: ObjectProperty::Name,
                values: HintValues::Text(&wanted.name),
            };
            for index in objects.candidates(&[name], resources) {
                let resource = &mut resources[index];
                match self.set(wanted, resource) {
                    Ok(is_meant) => has_found |= is_meant,
                    Err(error) => outcome = Err(diagnostics.report(error)),
                }
                recorder.record(entry, resource);
            }
            outcome?;
            if !has_found {
                return Err(diagnostics.report(self.not_found(wanted)));
            }
        }
        Ok(())
    }

    /// Sets the number in an object. Returns whether it is one of the workloads with the name.
    fn set(&self, wanted: &ReplicaCount, resource: &mut Resource) -> Result<bool> {
        steps::count(1);
        let count = wanted.count.to_string();
        let mut is_meant = false;
        for spec in self.field_specs.iter() {
            let is_named = |id: ResourceId<'_>| id.name == wanted.name && spec.kinds.matches(id);
            if !resource.ids().any(is_named) {
                continue;
            }
            is_meant = true;
            // The kind may have changed since the object had the name.
            if spec.kinds.matches(resource.id()) {
                let mut set = |old: &Arc<Node>| number_over(old, &count);
                edit_fields(resource, spec, Some(LeafKind::Scalar), &mut set)?;
            }
        }
        Ok(is_meant)
    }

    fn not_found(&self, wanted: &ReplicaCount) -> Box<Diagnostic> {
        let kinds = self.field_specs.iter().map(|spec| spec.kinds.to_string());
        let kinds: Vec<String> = kinds.collect();
        let message = format!(
            "resource with name {} does not match a config with the following GVK: expected one of the kinds {}",
            wanted.name,
            kinds.join(", ")
        );
        Diagnostic::error(Code::Resource, message)
            .at(wanted.location.clone(), "the name")
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
        let transformer = ReplicaTransformer::new(vec![config], FieldSpecs::builtin().replicas);
        run(text, |resources, diagnostics| {
            transformer.apply(resources, EntryRecorder::off(), diagnostics)
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
