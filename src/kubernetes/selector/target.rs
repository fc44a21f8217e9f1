//! Selectors of any number of objects, which are edited.

use std::fmt;

use serde::Deserialize;

use super::ID_FIELDS;
use super::pattern::FieldPattern;
use crate::kubernetes::id::ResourceId;
use crate::kubernetes::label_selector::LabelSelector;
use crate::kubernetes::no_match::SelectorField;
use crate::kubernetes::resource::Resource;
use crate::kubernetes::selector_index::{HintValues, ObjectProperty, SelectorHint};
use crate::source::{Diagnostics, Reported, Result};
use crate::typed::{Spanned, documented};

documented! {
    /// A target selector as written in a configuration.
    #[derive(Clone, Debug, Default, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub struct TargetSelectorConfig {
        /// Pattern for the API group.
        pub group: Option<Spanned<String>>,
        /// Pattern for the API version.
        pub version: Option<Spanned<String>>,
        /// Pattern for the kind.
        pub kind: Option<Spanned<String>>,
        /// Pattern for the name.
        pub name: Option<Spanned<String>>,
        /// Pattern for the namespace as written in the object: `default` does not match an absent
        /// one.
        pub namespace: Option<Spanned<String>>,
        /// Selector string for the labels.
        pub label_selector: Option<Spanned<String>>,
        /// Selector string for the annotations.
        pub annotation_selector: Option<Spanned<String>>,
    }
}

const LABEL_SELECTOR: &str = "labelSelector";
const ANNOTATION_SELECTOR: &str = "annotationSelector";

impl TargetSelectorConfig {
    /// Returns the names and values of the fields that are given and not empty.
    fn given_fields(&self) -> Vec<(&'static str, String)> {
        let fields = [
            ("group", &self.group),
            ("version", &self.version),
            ("kind", &self.kind),
            ("name", &self.name),
            ("namespace", &self.namespace),
            (LABEL_SELECTOR, &self.label_selector),
            (ANNOTATION_SELECTOR, &self.annotation_selector),
        ];
        let mut given = Vec::new();
        for (name, field) in fields {
            if let Some(field) = not_empty(field) {
                given.push((name, field.value.clone()));
            }
        }
        given
    }
}

fn not_empty(field: &Option<Spanned<String>>) -> Option<&Spanned<String>> {
    field.as_ref().filter(|field| !field.value.is_empty())
}

/// Chooses the objects to edit, with compiled patterns.
#[derive(Clone, Debug, Default)]
pub struct TargetSelector {
    /// The patterns for the parts of an id, in the order of [`ID_FIELDS`].
    id_patterns: [Option<FieldPattern>; 5],
    labels: Option<LabelSelector>,
    annotations: Option<LabelSelector>,
    /// The fields as written, for messages.
    given: Vec<(&'static str, String)>,
}

/// Prints the selector in flow style: `{kind: ConfigMap, name: web-.*}`.
impl fmt::Display for TargetSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields: Vec<String> = self
            .given
            .iter()
            .map(|(name, text)| format!("{name}: {text}"))
            .collect();
        write!(f, "{{{}}}", fields.join(", "))
    }
}

/// The properties that the patterns of a selector require of an id, for a look-up.
struct IdHints<'s> {
    /// The parts that are single texts.
    exact: Vec<SelectorHint<'s>>,
    /// The texts with which the other parts begin and end.
    affixes: Vec<SelectorHint<'s>>,
}

/// The properties that patterns match, with their indices in [`ID_FIELDS`], the most selective ones
/// first.
const HINTED: [(ObjectProperty<'static>, usize); 5] = [
    (ObjectProperty::Name, 3),
    (ObjectProperty::Namespace, 4),
    (ObjectProperty::Kind, 2),
    (ObjectProperty::Group, 0),
    (ObjectProperty::Version, 1),
];

impl TargetSelector {
    /// Compiles the patterns and selector strings.
    ///
    /// # Errors
    /// Reports every field that cannot be compiled.
    pub fn new(
        config: &TargetSelectorConfig,
        diagnostics: &mut Diagnostics,
    ) -> Result<TargetSelector, Reported> {
        let group = compile(&config.group, FieldPattern::new, diagnostics);
        let version = compile(&config.version, FieldPattern::new, diagnostics);
        let kind = compile(&config.kind, FieldPattern::new, diagnostics);
        let name = compile(&config.name, FieldPattern::new, diagnostics);
        let namespace = compile(&config.namespace, FieldPattern::new, diagnostics);
        let labels = compile(&config.label_selector, LabelSelector::parse, diagnostics);
        let annotations = compile(
            &config.annotation_selector,
            LabelSelector::parse,
            diagnostics,
        );
        Ok(TargetSelector {
            id_patterns: [group?, version?, kind?, name?, namespace?],
            labels: labels?,
            annotations: annotations?,
            given: config.given_fields(),
        })
    }

    /// Returns the given fields, each as a separate condition.
    pub fn fields(&self) -> Vec<SelectorField<'_>> {
        self.given
            .iter()
            .map(|(name, wanted)| self.field(name, wanted))
            .collect()
    }

    /// Returns a given field as a condition.
    fn field<'s>(&'s self, name: &'static str, wanted: &'s str) -> SelectorField<'s> {
        let id_part = ID_FIELDS.iter().find(|(id_field, _)| *id_field == name);
        let matches: Box<dyn Fn(&Resource) -> bool> = match name {
            LABEL_SELECTOR => Box::new(|resource| self.matches_labels(resource)),
            ANNOTATION_SELECTOR => Box::new(|resource| self.matches_annotations(resource)),
            _ => Box::new(move |resource| self.matches_id_part(name, resource)),
        };
        SelectorField {
            name,
            wanted,
            matches,
            id_part: id_part.map(|(_, id_part)| *id_part),
        }
    }

    /// Returns whether an id of `resource` matches the pattern of one field.
    fn matches_id_part(&self, name: &str, resource: &Resource) -> bool {
        let mut patterns = ID_FIELDS.iter().zip(&self.id_patterns);
        let Some(((_, id_part), Some(pattern))) = patterns.find(|((field, _), _)| *field == name)
        else {
            return true;
        };
        resource.ids().any(|id| pattern.is_match(id_part(id)))
    }

    /// Returns the properties that an object must have to be selected, for a look-up.
    pub fn hints(&self) -> Vec<SelectorHint<'_>> {
        let IdHints { exact, affixes } = self.id_hints();
        let mut hints = exact;
        hints.extend(self.metadata_hints());
        hints.extend(affixes);
        hints
    }

    /// Returns lists of properties for a look-up of the objects that this selector excludes under
    /// `reject`. An excluded object has all properties of at least one list.
    pub fn reject_hints(&self) -> Vec<Vec<SelectorHint<'_>>> {
        let mut lists = Vec::new();
        if self.id_patterns.iter().any(Option::is_some) {
            let IdHints { exact, affixes } = self.id_hints();
            lists.push([exact, affixes].concat());
        }
        if self.labels.is_some() || self.annotations.is_some() {
            lists.push(self.metadata_hints());
        }
        lists
    }

    /// Returns the properties that the patterns for an id require.
    fn id_hints(&self) -> IdHints<'_> {
        let mut exact = Vec::new();
        let mut affixes = Vec::new();
        for (property, index) in HINTED {
            let hint = |values| SelectorHint { property, values };
            match &self.id_patterns[index] {
                Some(FieldPattern::Literal(text)) => exact.push(hint(HintValues::Text(text))),
                Some(FieldPattern::Regex(_, bounds)) => {
                    let prefixes = bounds.prefixes.as_deref().map(HintValues::BeginningWith);
                    let suffixes = bounds.suffixes.as_deref().map(HintValues::EndingWith);
                    affixes.extend(prefixes.map(hint));
                    affixes.extend(suffixes.map(hint));
                }
                None => {}
            }
        }
        IdHints { exact, affixes }
    }

    /// Returns the labels and annotations that an object must have.
    fn metadata_hints(&self) -> Vec<SelectorHint<'_>> {
        let mut hints = Vec::new();
        for (key, values) in self.labels.iter().flat_map(LabelSelector::wanted) {
            let property = ObjectProperty::Label(key);
            hints.push(SelectorHint { property, values });
        }
        for (key, values) in self.annotations.iter().flat_map(LabelSelector::wanted) {
            let property = ObjectProperty::Annotation(key);
            hints.push(SelectorHint { property, values });
        }
        hints
    }

    /// Returns whether `resource` matches every field of the selector.
    pub fn selects(&self, resource: &Resource) -> bool {
        self.matches_labels(resource)
            && self.matches_annotations(resource)
            && self.matches_id(resource)
    }

    /// Returns whether `resource` is a target of a patch of a kustomization.
    ///
    /// kustomize compares the current group, version and kind, the current or original name, and
    /// the current or original effective namespace: `default` also matches an object without one.
    pub fn selects_for_patch(&self, resource: &Resource) -> bool {
        let (current, original) = (resource.id(), resource.original_id());
        let [group, version, kind, name, namespace] = &self.id_patterns;
        let is_match = |pattern: &Option<FieldPattern>, texts: &[&str]| match pattern {
            Some(pattern) => texts.iter().any(|text| pattern.is_match(text)),
            None => true,
        };
        is_match(group, &[current.group])
            && is_match(version, &[current.version])
            && is_match(kind, &[current.kind])
            && is_match(name, &[current.name, original.name])
            && is_match(
                namespace,
                &[current.scoped_namespace(), original.scoped_namespace()],
            )
            && self.matches_labels(resource)
            && self.matches_annotations(resource)
    }

    /// Returns whether this selector, written under `reject`, excludes `resource`.
    ///
    /// As in kustomize, an object is excluded if it matches all patterns, or if it matches both the
    /// labels and the annotations. A selector without fields excludes nothing.
    pub fn rejects(&self, resource: &Resource) -> bool {
        let has_metadata = self.labels.is_some() || self.annotations.is_some();
        if has_metadata && self.matches_labels(resource) && self.matches_annotations(resource) {
            return true;
        }
        self.id_patterns.iter().any(Option::is_some) && self.matches_id(resource)
    }

    fn matches_labels(&self, resource: &Resource) -> bool {
        match &self.labels {
            Some(selector) => selector.selects(|key| resource.metadata_text("labels", key)),
            None => true,
        }
    }

    fn matches_annotations(&self, resource: &Resource) -> bool {
        match &self.annotations {
            Some(selector) => selector.selects(|key| resource.metadata_text("annotations", key)),
            None => true,
        }
    }

    /// Returns whether a single id of `resource` matches all patterns. It is not enough if the
    /// patterns match different ids.
    fn matches_id(&self, resource: &Resource) -> bool {
        let matches = |id: ResourceId<'_>| {
            let mut patterns = self.id_patterns.iter().zip(ID_FIELDS);
            patterns.all(|(pattern, (_, id_part))| match pattern {
                Some(pattern) => pattern.is_match(id_part(id)),
                None => true,
            })
        };
        resource.ids().any(matches)
    }
}

/// Compiles a field, if it is given and not empty.
fn compile<T>(
    field: &Option<Spanned<String>>,
    read: impl Fn(&Spanned<String>) -> Result<T>,
    diagnostics: &mut Diagnostics,
) -> Result<Option<T>, Reported> {
    match not_empty(field) {
        Some(field) => diagnostics.check(read(field)).map(Some),
        None => Ok(None),
    }
}
