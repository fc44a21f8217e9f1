//! Selectors, which choose the objects that an edit reads from and writes to.
//!
//! kustomize has two kinds. A [`SourceSelector`] identifies one object by exact values. A
//! [`TargetSelector`] chooses any number of objects by regular expressions, labels and annotations.
//! Both match an object by its current id or by an id that it had before kustomize renamed it. A
//! field that is empty or missing matches everything.

use std::fmt;

use regex::Regex;
use serde::Deserialize;

use super::id::ResourceId;
use super::label_selector::LabelSelector;
use super::no_match::{IdPart, SelectorField};
use super::resource::Resource;
use super::selector_index::{HintValues, ObjectProperty, SelectorHint};
use crate::regexp::{self, PatternBounds};
use crate::source::{Code, Diagnostic, Diagnostics, Location, Reported, Result};
use crate::typed::{Spanned, documented};

/// The selector fields that match a part of an id, with that part.
const ID_FIELDS: [(&str, IdPart); 5] = [
    ("group", |id| id.group),
    ("version", |id| id.version),
    ("kind", |id| id.kind),
    ("name", |id| id.name),
    ("namespace", |id| id.namespace),
];

/// Identifies the object that a value is read from.
#[derive(Clone, Debug, Default)]
pub struct SourceSelector {
    /// The API group.
    pub group: String,
    /// The API version.
    pub version: String,
    /// The kind.
    pub kind: String,
    /// The name.
    pub name: String,
    /// The namespace; `default` also matches an object without one.
    pub namespace: String,
    /// The place of the selector in the configuration.
    pub location: Option<Location>,
}

impl SourceSelector {
    /// Returns the fields as an id, for messages.
    pub fn id(&self) -> ResourceId<'_> {
        ResourceId {
            group: &self.group,
            version: &self.version,
            kind: &self.kind,
            name: &self.name,
            namespace: &self.namespace,
        }
    }

    /// Returns the given fields, each as a separate condition.
    pub fn fields(&self) -> Vec<SelectorField<'_>> {
        let wanted = self.id();
        let mut fields = Vec::new();
        for (name, id_part) in ID_FIELDS {
            if id_part(wanted).is_empty() {
                continue;
            }
            let matches_id = move |id: ResourceId<'_>| match name {
                "namespace" => wanted.effective_namespace() == id.effective_namespace(),
                _ => id_part(wanted) == id_part(id),
            };
            fields.push(SelectorField {
                name,
                wanted: id_part(wanted),
                matches: Box::new(move |resource| resource.ids().any(matches_id)),
                id_part: Some(id_part),
            });
        }
        fields
    }

    /// Returns the properties that an object must have to be selected, for a look-up.
    pub fn hints(&self) -> Vec<SelectorHint<'_>> {
        let mut hints = id_hints(self.id());
        hints.retain(|hint| !matches!(hint.values, HintValues::Text("")));
        hints
    }

    /// Returns whether `resource` has, or had, the selected id.
    pub fn selects(&self, resource: &Resource) -> bool {
        let wanted = self.id();
        resource.ids().any(|id| {
            is_any_or(wanted.group, id.group)
                && is_any_or(wanted.version, id.version)
                && is_any_or(wanted.kind, id.kind)
                && is_any_or(wanted.name, id.name)
                && (wanted.namespace.is_empty()
                    || wanted.effective_namespace() == id.effective_namespace())
        })
    }
}

/// Returns the parts of an id as hints, the most selective ones first. The namespace is the effective
/// one if it is given.
pub fn id_hints(id: ResourceId<'_>) -> Vec<SelectorHint<'_>> {
    let parts = [
        (ObjectProperty::Name, id.name),
        (ObjectProperty::Namespace, id.namespace),
        (ObjectProperty::Kind, id.kind),
        (ObjectProperty::Group, id.group),
        (ObjectProperty::Version, id.version),
    ];
    let mut hints = Vec::with_capacity(parts.len());
    for (property, part) in parts {
        hints.push(SelectorHint {
            property,
            values: HintValues::Text(part),
        });
    }
    hints
}

fn is_any_or(wanted: &str, found: &str) -> bool {
    wanted.is_empty() || wanted == found
}

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
    /// Reports every field that cannot be compiled, with [`Code::Selector`].
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

    fn field<'s>(&'s self, name: &'static str, wanted: &'s str) -> SelectorField<'s> {
        for ((id_field, id_part), pattern) in ID_FIELDS.into_iter().zip(&self.id_patterns) {
            if let (true, Some(pattern)) = (id_field == name, pattern) {
                return SelectorField {
                    name,
                    wanted,
                    matches: Box::new(move |resource| {
                        resource.ids().any(|id| pattern.is_match(id_part(id)))
                    }),
                    id_part: Some(id_part),
                };
            }
        }
        let matches: Box<dyn Fn(&Resource) -> bool> = if name == LABEL_SELECTOR {
            Box::new(|resource| self.matches_labels(resource))
        } else {
            Box::new(|resource| self.matches_annotations(resource))
        };
        SelectorField {
            name,
            wanted,
            matches,
            id_part: None,
        }
    }

    /// Returns the properties that an object must have to be selected, for a look-up.
    pub fn hints(&self) -> Vec<SelectorHint<'_>> {
        let (mut hints, patterns) = self.id_hints();
        hints.extend(self.metadata_hints());
        hints.extend(patterns);
        hints
    }

    /// Returns the properties of which an object must have all of one list to be excluded by this
    /// selector under `reject`, for a look-up.
    pub fn reject_hints(&self) -> Vec<Vec<SelectorHint<'_>>> {
        let mut lists = Vec::new();
        if self.id_patterns.iter().any(Option::is_some) {
            let (mut hints, patterns) = self.id_hints();
            hints.extend(patterns);
            lists.push(hints);
        }
        if self.labels.is_some() || self.annotations.is_some() {
            lists.push(self.metadata_hints());
        }
        lists
    }

    /// Returns the parts of an id that are single texts, and the texts with which the others begin
    /// and end.
    fn id_hints(&self) -> (Vec<SelectorHint<'_>>, Vec<SelectorHint<'_>>) {
        let mut texts = Vec::new();
        let mut patterns = Vec::new();
        for (property, index) in HINTED {
            let hint = |values| SelectorHint { property, values };
            match &self.id_patterns[index] {
                Some(FieldPattern::Literal(text)) => texts.push(hint(HintValues::Text(text))),
                Some(FieldPattern::Regex(_, bounds)) => {
                    let prefixes = bounds.prefixes.as_deref().map(HintValues::BeginningWith);
                    let suffixes = bounds.suffixes.as_deref().map(HintValues::EndingWith);
                    patterns.extend([prefixes, suffixes].into_iter().flatten().map(hint));
                }
                None => {}
            }
        }
        (texts, patterns)
    }

    /// Returns the labels and annotations that an object must have.
    fn metadata_hints(&self) -> Vec<SelectorHint<'_>> {
        let labels = self.labels.iter().flat_map(LabelSelector::wanted);
        let labels = labels.map(|(key, values)| (ObjectProperty::Label(key), values));
        let annotations = self.annotations.iter().flat_map(LabelSelector::wanted);
        let annotations =
            annotations.map(|(key, values)| (ObjectProperty::Annotation(key), values));
        let hints = labels.chain(annotations);
        hints
            .map(|(property, values)| SelectorHint { property, values })
            .collect()
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
        resource.ids().any(|id| {
            self.id_patterns
                .iter()
                .zip(ID_FIELDS)
                .all(|(pattern, (_, id_part))| match pattern {
                    Some(pattern) => pattern.is_match(id_part(id)),
                    None => true,
                })
        })
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

/// A pattern for a whole field. Most patterns are plain words, which are compared directly and can
/// be indexed.
#[derive(Clone, Debug)]
enum FieldPattern {
    Literal(String),
    Regex(Regex, PatternBounds),
}

impl FieldPattern {
    fn new(pattern: &Spanned<String>) -> Result<FieldPattern> {
        if pattern.value.chars().all(is_literal) {
            return Ok(FieldPattern::Literal(pattern.value.clone()));
        }
        regexp::compile_whole(&pattern.value)
            .map(|regex| {
                let bounds = PatternBounds::of(&regex);
                FieldPattern::Regex(regex, bounds)
            })
            .map_err(|error| {
                Diagnostic::error(
                    Code::Selector,
                    format!("error creating target selector: {error}"),
                )
                .at(pattern.location.clone(), "")
            })
    }

    fn is_match(&self, text: &str) -> bool {
        match self {
            FieldPattern::Literal(word) => word == text,
            FieldPattern::Regex(regex, _) => regex.is_match(text),
        }
    }
}

/// Returns whether a character matches itself in every regular expression.
fn is_literal(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '/')
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::source::Source;
    use crate::typed::from_node;
    use crate::yaml::{Node, parse};

    fn root(text: &str) -> Arc<Node> {
        let source = Source::new("text.yaml", text).unwrap();
        Arc::clone(&parse(&source).unwrap().documents[0].root)
    }

    /// Compiles the selector, or returns the first error.
    fn selector(text: &str) -> Result<TargetSelector> {
        let config: TargetSelectorConfig = from_node(&root(text))?;
        let mut diagnostics = Diagnostics::default();
        TargetSelector::new(&config, &mut diagnostics)
            .map_err(|_| Box::new(diagnostics.as_slice()[0].clone()))
    }

    fn web() -> Resource {
        Resource::new(root(
            "apiVersion: apps/v1
kind: Deployment
metadata:
  name: dev-web
  labels: {app: web}
  annotations:
    note: x
    internal.config.kubernetes.io/previousKinds: Deployment
    internal.config.kubernetes.io/previousNames: web
    internal.config.kubernetes.io/previousNamespaces: default
",
        ))
        .unwrap()
    }

    #[test]
    fn selects_a_target_that_matches_every_field() {
        let cases = [
            ("{}", true),
            ("{kind: Deployment, name: web}", true),
            ("{kind: Deployment, name: dev-web}", true),
            ("{name: we}", false),
            ("{name: we.*}", true),
            ("{name: 'db|web'}", true),
            ("{name: '[a-z]+'}", true),
            ("{group: apps, version: v\\d}", true),
            ("{group: ''}", true),
            ("{kind: deployment}", false),
            ("{kind: (?i)deployment}", true),
            ("{labelSelector: app=web, annotationSelector: note}", true),
            ("{labelSelector: app=db}", false),
            ("{name: web, labelSelector: app=db}", false),
            ("{name: web, annotationSelector: '!note'}", false),
        ];
        for (text, expected) in cases {
            assert_eq!(selector(text).unwrap().selects(&web()), expected, "{text}");
        }
    }

    #[test]
    fn compares_the_namespace_of_a_target_as_written() {
        assert!(
            selector("{namespace: default, name: web}")
                .unwrap()
                .selects(&web())
        );
        assert!(
            !selector("{namespace: default, name: dev-web}")
                .unwrap()
                .selects(&web())
        );
    }

    #[test]
    fn rejects_by_id_or_by_metadata() {
        let cases = [
            ("{}", false),
            ("{name: ''}", false),
            ("{name: web}", true),
            ("{name: db}", false),
            ("{name: db, kind: Deployment}", false),
            ("{name: db, labelSelector: app=web}", true),
            ("{name: web, labelSelector: app=db}", true),
            ("{labelSelector: app=web, annotationSelector: none}", false),
        ];
        for (text, expected) in cases {
            assert_eq!(selector(text).unwrap().rejects(&web()), expected, "{text}");
        }
    }

    #[test]
    fn reports_an_invalid_pattern_at_its_place() {
        let error = selector("kind: Deployment\nname: (web\n").unwrap_err();
        assert_eq!(
            error.message,
            "error creating target selector: error parsing regexp: missing closing ): `(web`"
        );
        assert_eq!(
            (error.code, error.labels[0].location.line_column().line),
            (Code::Selector, 2)
        );
    }

    #[test]
    fn reports_every_invalid_field() {
        let config = from_node(&root("{kind: '(', name: '[', labelSelector: 'a b'}")).unwrap();
        let mut diagnostics = Diagnostics::default();
        assert!(TargetSelector::new(&config, &mut diagnostics).is_err());
        assert_eq!(diagnostics.errors(), 3);
    }

    #[test]
    fn refuses_an_unknown_field() {
        let error = selector("{apiVersion: v1}").unwrap_err();
        assert_eq!(error.message, "unknown field `apiVersion`");
    }

    #[test]
    fn selects_a_source_by_exact_values() {
        let cases = [
            (["", "", "", "", ""], true),
            (["apps", "v1", "Deployment", "dev-web", ""], true),
            (["", "", "Deployment", "web", ""], true),
            (["", "", "Deployment", "web", "default"], true),
            (["", "", "Deployment", "dev-web", "default"], true),
            (["", "", "", "w.b", ""], false),
            (["", "", "", "web", "prod"], false),
            (["batch", "", "", "", ""], false),
        ];
        for ([group, version, kind, name, namespace], expected) in cases {
            let [group, version, kind, name, namespace] =
                [group, version, kind, name, namespace].map(String::from);
            let selector = SourceSelector {
                group,
                version,
                kind,
                name,
                namespace,
                location: None,
            };
            assert_eq!(selector.selects(&web()), expected, "{}", selector.id());
        }
    }
}
