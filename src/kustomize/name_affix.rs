//! `namePrefix` and `nameSuffix`: a text before or after every name.
//!
//! Specification: `PrefixTransformer` and `SuffixTransformer` of kustomize.

use std::sync::Arc;

use super::field_spec::{FieldSpec, LeafKind, edit_fields, text_over};
use crate::kubernetes::{Resource, ResourceId};
use crate::source::{Diagnostics, Reported, Result};

/// The path whose change renames an object. A change of any other field is only that.
const NAME: &str = "metadata/name";

/// A text that is added to names.
#[derive(Clone, Debug)]
pub struct NameAffix {
    /// The side of the name that it is added to.
    pub side: AffixSide,
    /// The text. An empty one changes nothing.
    pub text: String,
    /// The fields that contain names.
    pub field_specs: Arc<Vec<FieldSpec>>,
}

/// A side of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AffixSide {
    /// `namePrefix`.
    Prefix,
    /// `nameSuffix`.
    Suffix,
}

impl NameAffix {
    /// Adds the text to the names of all objects, and records their previous ids.
    ///
    /// # Errors
    /// Reports every object that has a collection where a name is expected.
    pub fn apply(
        &self,
        resources: &mut [Resource],
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        let mut outcome = Ok(());
        for resource in resources {
            if let Err(error) = self.apply_to(resource) {
                outcome = Err(diagnostics.report(error));
            }
        }
        outcome
    }

    fn apply_to(&self, resource: &mut Resource) -> Result<()> {
        if self.text.is_empty() || keeps_its_name(resource.original_id()) {
            return Ok(());
        }
        for spec in self.field_specs.iter() {
            if !spec.kinds.matches(resource.original_id()) {
                continue;
            }
            if spec.path.as_str() == NAME {
                self.record(resource);
            }
            if spec.kinds.matches(resource.id()) {
                edit_fields(resource, spec, Some(LeafKind::Scalar), &mut |old| {
                    let name = old.text().unwrap_or_default();
                    text_over(old, &self.added_to(name))
                })?;
            }
        }
        Ok(())
    }

    /// References find the object by its previous ids, and choose among several by their affixes.
    fn record(&self, resource: &mut Resource) {
        resource.record_id();
        let history = &mut resource.history;
        match self.side {
            AffixSide::Prefix => history.prefixes.push(self.text.clone()),
            AffixSide::Suffix => history.suffixes.push(self.text.clone()),
        }
    }

    fn added_to(&self, name: &str) -> String {
        match self.side {
            AffixSide::Prefix => format!("{}{name}", self.text),
            AffixSide::Suffix => format!("{name}{}", self.text),
        }
    }
}

/// Returns whether the name of an object has a meaning that no prefix may change.
fn keeps_its_name(original: ResourceId<'_>) -> bool {
    match original.kind {
        "CustomResourceDefinition" | "Namespace" => true,
        "APIService" => original.group == "apiregistration.k8s.io",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kustomize::field_spec::FieldSpecs;
    use crate::kustomize::test_objects::{TestObjects, run};

    fn prefix(text: &str) -> NameAffix {
        NameAffix {
            side: AffixSide::Prefix,
            text: text.to_owned(),
            field_specs: FieldSpecs::builtin().name_prefix,
        }
    }

    fn prefixed(text: &str, affix: &NameAffix) -> String {
        run(text, |resources, diagnostics| {
            affix.apply(resources, diagnostics)
        })
        .0
        .unwrap()
    }

    #[test]
    fn changes_only_the_bytes_of_the_name() {
        let text = "kind: A # first\nmetadata: {name: 'web', labels: {name: web}} # last\n";
        let expected = text.replacen("'web'", "'p-web'", 1);
        assert_eq!(prefixed(text, &prefix("p-")), expected);
        let suffix = NameAffix {
            side: AffixSide::Suffix,
            ..prefix("-s")
        };
        assert_eq!(
            prefixed(text, &suffix),
            text.replacen("'web'", "'web-s'", 1)
        );
        assert_eq!(prefixed(text, &prefix("")), text);
    }

    #[test]
    fn keeps_names_with_a_meaning() {
        for (head, is_kept) in [
            ("apiVersion: v1\nkind: Namespace", true),
            ("apiVersion: foo/v1\nkind: Namespace", true),
            ("apiVersion: foo/v1\nkind: CustomResourceDefinition", true),
            (
                "apiVersion: apiregistration.k8s.io/v1\nkind: APIService",
                true,
            ),
            ("apiVersion: foo/v1\nkind: APIService", false),
        ] {
            let text = format!("{head}\nmetadata:\n  name: a\n");
            let changed = prefixed(&text, &prefix("p-"));
            assert_eq!(changed == text, is_kept, "{head}");
        }
    }

    #[test]
    fn records_the_id_and_the_prefix() {
        let mut objects = TestObjects::parse("kind: A\nmetadata: {name: 12}\n");
        let mut diagnostics = Diagnostics::default();
        for text in ["1", "p-"] {
            let affix = prefix(text);
            affix
                .apply(&mut objects.resources, &mut diagnostics)
                .unwrap();
        }
        let resource = &objects.resources[0];
        let names: Vec<_> = resource.ids().map(|id| id.name).collect();
        assert_eq!(names, ["p-112", "12", "112"]);
        assert_eq!(resource.history.prefixes, ["1", "p-"]);
    }

    #[test]
    fn changes_the_fields_of_a_configuration_without_recording_them() {
        let mut specs = FieldSpecs::builtin().name_prefix.to_vec();
        specs[0].path = crate::kustomize::field_spec::FieldSpecPath::parse("spec/names");
        let affix = NameAffix {
            field_specs: Arc::new(specs),
            ..prefix("p-")
        };
        let mut objects =
            TestObjects::parse("kind: A\nmetadata: {name: a}\nspec: {names: [x, 3]}\n");
        let mut diagnostics = Diagnostics::default();
        let outcome = affix.apply(&mut objects.resources, &mut diagnostics);
        assert!(outcome.is_err());
        assert!(objects.resources[0].history.previous_ids.is_empty());
    }
}
