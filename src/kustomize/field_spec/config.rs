//! Reads field specs from the files under `configurations:` of a kustomization.
//!
//! ```yaml
//! images:
//! - path: spec/runtime/image
//!   kind: Function
//! nameReference:
//! - kind: ConfigMap
//!   fieldSpecs:
//!   - path: spec/settings
//!     kind: Function
//! ```

use std::sync::Arc;

use serde::Deserialize;

use super::{FieldSpec, FieldSpecPath, FieldSpecs, KindPattern, NameReferenceSpec};
use crate::source::{Diagnostics, Reported, Result};
use crate::typed::{Spanned, read_any_case};
use crate::yaml::Node;

/// A field spec as written.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldSpecConfig {
    group: Option<String>,
    version: Option<String>,
    kind: Option<String>,
    path: Option<String>,
    create: Option<bool>,
}

/// A file with field specs.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
struct FieldSpecsConfig {
    name_prefix: SpecList,
    name_suffix: SpecList,
    namespace: SpecList,
    common_labels: SpecList,
    labels: SpecList,
    template_labels: SpecList,
    volume_claim_template_labels: SpecList,
    common_annotations: SpecList,
    name_reference: Option<Vec<NameReferenceConfig>>,
    var_reference: SpecList,
    images: SpecList,
    replicas: SpecList,
}

type SpecList = Option<Vec<Spanned<FieldSpecConfig>>>;

/// The kind of an object, and the fields that contain its name.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
struct NameReferenceConfig {
    group: Option<String>,
    version: Option<String>,
    kind: Option<String>,
    field_specs: SpecList,
}

impl FieldSpec {
    /// Creates the spec that is written at a place of a configuration.
    pub fn of(config: Spanned<FieldSpecConfig>) -> FieldSpec {
        let Spanned { value, location } = config;
        FieldSpec {
            kinds: kinds(value.group, value.version, value.kind),
            path: FieldSpecPath::parse(&value.path.unwrap_or_default()),
            create: value.create.unwrap_or_default(),
            location,
        }
    }
}

impl FieldSpecs {
    /// Reads the root of a file under `configurations:`.
    ///
    /// # Errors
    /// Reports every mistake: unknown fields, values of another type, specs that contradict each
    /// other.
    pub fn read(node: &Arc<Node>, diagnostics: &mut Diagnostics) -> Result<FieldSpecs, Reported> {
        let config: FieldSpecsConfig = read_any_case(node, diagnostics)?;
        let mut read = FieldSpecs::default();
        let written = [
            config.name_prefix,
            config.name_suffix,
            config.namespace,
            config.common_labels,
            config.labels,
            config.template_labels,
            config.volume_claim_template_labels,
            config.common_annotations,
            config.var_reference,
            config.images,
            config.replicas,
        ];
        for ((_, list), written) in read.lists().into_iter().zip(written) {
            *list = Arc::new(specs(written));
        }
        let references = config.name_reference.unwrap_or_default();
        read.name_reference = Arc::new(references.into_iter().map(reference).collect());
        read.without_repetitions(diagnostics)
    }
}

fn specs(written: SpecList) -> Vec<FieldSpec> {
    let written = written.unwrap_or_default();
    written.into_iter().map(FieldSpec::of).collect()
}

fn reference(config: NameReferenceConfig) -> NameReferenceSpec {
    NameReferenceSpec {
        target: kinds(config.group, config.version, config.kind),
        referrers: specs(config.field_specs),
    }
}

fn kinds(group: Option<String>, version: Option<String>, kind: Option<String>) -> KindPattern {
    KindPattern {
        group: group.unwrap_or_default().into(),
        version: version.unwrap_or_default().into(),
        kind: kind.unwrap_or_default().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::yaml::parse;

    /// Reads a file and merges it into the specs that are built in.
    fn merged(text: &str) -> (Option<FieldSpecs>, Vec<String>) {
        let stream = parse(&Source::new("specs.yaml", text).unwrap()).unwrap();
        let mut diagnostics = Diagnostics::default();
        let mut specs = FieldSpecs::builtin();
        let outcome = FieldSpecs::read(&stream.documents[0].root, &mut diagnostics)
            .and_then(|read| specs.merge(read, &mut diagnostics));
        let messages = diagnostics.as_slice().iter();
        let messages = messages.map(|diagnostic| diagnostic.message.clone());
        (outcome.ok().map(|()| specs), messages.collect())
    }

    fn paths(specs: &[FieldSpec]) -> Vec<&str> {
        specs.iter().map(|spec| spec.path.as_str()).collect()
    }

    #[test]
    fn adds_the_specs_of_a_file_by_kind() {
        let (specs, messages) = merged(
            "NamePrefix:\n- {path: spec/b, kind: Zoo}\n- {path: spec/a, kind: Secret}\n\
             images: null\nreplicas: [{path: spec/replicas, kind: Zoo, create: true}]\n",
        );
        let specs = specs.unwrap();
        assert_eq!(messages, Vec::<String>::new());
        assert_eq!(
            paths(&specs.name_prefix),
            ["spec/a", "spec/b", "metadata/name"]
        );
        assert_eq!(specs.replicas.len(), 5);
    }

    #[test]
    fn adds_references_to_those_of_the_same_kind() {
        let (specs, _) = merged(
            "nameReference:\n- kind: ConfigMap\n  version: v1\n  fieldSpecs: [{path: spec/a, kind: Zoo}]\n\
             - kind: ConfigMap\n  fieldSpecs: [{path: spec/b, kind: Zoo}]\n\
             - kind: Zoo\n",
        );
        let specs = specs.unwrap();
        let built_in = FieldSpecs::builtin().name_reference.len();
        assert_eq!(specs.name_reference.len(), built_in + 2);
        let target = |version: &str| {
            let mut references = specs.name_reference.iter();
            let reference = references.find(|reference| {
                (&*reference.target.kind, &*reference.target.version) == ("ConfigMap", version)
            });
            paths(&reference.unwrap().referrers)
        };
        assert_eq!(target("v1").last(), Some(&"spec/a"));
        assert_eq!(target(""), ["spec/b"]);
    }

    #[test]
    fn refuses_a_spec_that_differs_in_create_only() {
        let (specs, messages) = merged("namePrefix: [{path: metadata/name, create: true}]");
        assert!(specs.is_none());
        assert!(
            messages[0].contains("failed to merge NamePrefix fieldSpec: conflicting fieldspecs")
        );
        // Also within one file.
        let (specs, _) = merged("images: [{path: a}, {path: a, create: true}]");
        assert!(specs.is_none());
    }

    #[test]
    fn reports_a_wide_spec_that_is_ignored_for_narrow_ones() {
        let (specs, messages) =
            merged("commonLabels: [{path: spec/template/metadata/labels, create: true}]");
        let built_in = FieldSpecs::builtin().common_labels.len();
        assert_eq!(specs.unwrap().common_labels.len(), built_in);
        assert!(messages[0].contains("is ignored"), "{messages:?}");
        // The other way round, both are kept.
        let (specs, messages) = merged("namePrefix: [{path: metadata/name, kind: Zoo}]");
        assert_eq!((specs.unwrap().name_prefix.len(), messages.len()), (2, 0));
    }

    #[test]
    fn refuses_unknown_fields() {
        let (_, messages) = merged("foo: []\nimages: [{path: a, creat: true}]");
        assert_eq!(messages.len(), 2, "{messages:?}");
    }
}
