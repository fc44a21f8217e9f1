//! `labels`, `commonLabels` and `commonAnnotations`: entries of mappings in many objects.
//!
//! Specification: `LabelTransformer` and `AnnotationsTransformer` of kustomize.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;

use super::field_spec::{
    FieldSpec, FieldSpecConfig, FieldSpecs, LabelScope, LeafKind, edit_object, strings_in,
};
use super::shared_values;
use crate::kubernetes::Resource;
use crate::source::{Diagnostics, Reported, Result};
use crate::typed::{Spanned, documented};
use crate::yaml::Node;

documented! {
    /// An entry of `labels` as written.
    #[derive(Clone, Debug, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub struct LabelConfig {
        /// The labels.
        pub pairs: Option<BTreeMap<String, String>>,
        /// Whether selectors get them too, and the objects that these select.
        pub include_selectors: Option<bool>,
        /// Whether the templates of pods get them too.
        pub include_templates: Option<bool>,
        /// Whether the templates of volume claims get them too.
        pub include_volume_claim_templates: Option<bool>,
        /// More fields that get them.
        pub fields: Option<Vec<Spanned<FieldSpecConfig>>>,
    }
}

/// Entries that are set in mappings: labels or annotations.
#[derive(Clone, Debug)]
pub struct MetadataTransformer {
    /// The entries.
    pub entries: BTreeMap<String, String>,
    /// The mappings.
    pub field_specs: Arc<Vec<FieldSpec>>,
}

impl MetadataTransformer {
    /// Creates the transformer of an entry of `labels`. Warns if the fields of the entry hide those
    /// of kustomize's table for one of `resources`.
    ///
    /// # Errors
    /// Reports fields that are there with another `create`.
    pub fn of_labels(
        config: LabelConfig,
        specs: &FieldSpecs,
        resources: &[Resource],
        diagnostics: &mut Diagnostics,
    ) -> Result<MetadataTransformer, Reported> {
        let fields = config.fields.unwrap_or_default();
        let fields = fields.into_iter().map(FieldSpec::of).collect();
        let field_specs = specs.of_labels(
            fields,
            LabelScope {
                selectors: config.include_selectors.unwrap_or_default(),
                templates: config.include_templates.unwrap_or_default(),
                volume_claim_templates: config.include_volume_claim_templates.unwrap_or_default(),
            },
            resources,
            diagnostics,
        )?;
        Ok(MetadataTransformer {
            entries: config.pairs.unwrap_or_default(),
            field_specs: Arc::new(field_specs),
        })
    }

    /// Sets the entries in all objects.
    ///
    /// # Errors
    /// Reports every object that has something else where a mapping is expected.
    pub fn apply(
        &self,
        resources: &mut [Resource],
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        if self.entries.is_empty() {
            return Ok(());
        }
        let mut outcome = Ok(());
        for resource in resources {
            // All new entries of one object share a node, as in kustomize.
            let entries = self.entries.iter();
            let nodes = entries.map(|(key, text)| (&**key, Node::string(&**text)));
            let nodes: BTreeMap<&str, Arc<Node>> = nodes.collect();
            let mut set = |mapping: &Arc<Node>| strings_in(mapping, &nodes);
            let created = Some(LeafKind::Mapping);
            let before = Arc::clone(&resource.node);
            if let Err(error) = edit_object(resource, &self.field_specs, created, &mut set) {
                outcome = Err(diagnostics.report(error));
            }
            for key in shared_values::follow(resource, &before) {
                diagnostics.push(shared_values::changed_everywhere(&key, resource));
            }
            drop(before);
            shared_values::share(resource, nodes.values());
        }
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kustomize::test_objects::run;
    use crate::source::Source;
    use crate::typed::read_any_case;
    use crate::yaml::parse;

    /// The text of objects after an entry of `labels`.
    fn labelled(entry: &str, text: &str) -> (Result<String, String>, Vec<String>) {
        let stream = parse(&Source::new("entry.yaml", entry).unwrap()).unwrap();
        run(text, |resources, diagnostics| {
            let config = read_any_case(&stream.documents[0].root, diagnostics)?;
            let specs = FieldSpecs::builtin();
            MetadataTransformer::of_labels(config, &specs, resources, diagnostics)?
                .apply(resources, diagnostics)
        })
    }

    const DEPLOYMENT: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web # mine
spec:
  selector: {matchLabels: {app: 'web'}}
  template:
    metadata:
      labels:
        app: web
";

    #[test]
    fn adds_labels_only_to_objects() {
        let (text, _) = labelled("pairs: {b: '1', a: x}", DEPLOYMENT);
        let expected =
            DEPLOYMENT.replace("# mine\n", "# mine\n  labels:\n    a: x\n    b: \"1\"\n");
        assert_eq!(text.unwrap(), expected);
    }

    #[test]
    fn adds_labels_to_templates_and_selectors_when_asked() {
        let templates = "        app: web\n";
        let in_template = format!("{templates}        a: x\n");
        let (text, _) = labelled("{pairs: {a: x}, includeTemplates: true}", DEPLOYMENT);
        assert!(text.unwrap().ends_with(&in_template));
        let (text, _) = labelled("{pairs: {a: x}, includeSelectors: true}", DEPLOYMENT);
        let text = text.unwrap();
        assert!(
            text.ends_with(&in_template) && text.contains("{app: 'web', a: 'x'}"),
            "{text}"
        );
    }

    #[test]
    fn labels_the_fields_of_an_entry() {
        let entry =
            "pairs: {a: x}\nfields:\n- {path: spec/other, kind: Deployment, create: true}\n";
        let (text, _) = labelled(entry, DEPLOYMENT);
        assert!(text.unwrap().ends_with("app: web\n  other:\n    a: x\n"));
        let (text, _) = labelled(
            "{pairs: {a: x}, fields: [{path: metadata/labels}]}",
            DEPLOYMENT,
        );
        assert!(text.unwrap_err().contains("conflicting fieldspecs"));
    }

    #[test]
    fn labels_claims_only_when_asked() {
        let claims = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: a, labels: {a: x}}\n\
                      spec:\n  volumeClaimTemplates:\n  - metadata: {name: c}\n";
        let (text, _) = labelled("{pairs: {a: x}}", claims);
        assert_eq!(text.unwrap(), claims);
        let (text, _) = labelled("{pairs: {a: x}, includeVolumeClaimTemplates: true}", claims);
        assert!(
            text.unwrap()
                .ends_with("- metadata: {name: c, labels: {a: x}}\n")
        );
    }

    #[test]
    fn refuses_labels_that_are_not_a_mapping() {
        let (text, _) = labelled(
            "pairs: {a: x}",
            "kind: A\nmetadata: {name: a, labels: [x]}\n",
        );
        let message = text.unwrap_err();
        assert!(
            message.starts_with("considering field 'metadata/labels' of object A."),
            "{message}"
        );
        assert!(
            message.contains("wrong node kind: expected a mapping, found a list"),
            "{message}"
        );
    }
}
