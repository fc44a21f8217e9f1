//! Which objects an edit reads from and writes to.
//!
//! kustomize has two kinds of selector. A [`SourceSelector`] names one object by exact words. A [`Selector`] chooses
//! targets by regular expressions that must match the whole of a field, and by labels and annotations. Both look at the
//! ids that an object has and had; a field that is empty or absent means any.

use std::fmt;

use regex::Regex;
use serde::Deserialize;

use super::id::Id;
use super::label_selector::LabelSelector;
use super::near_miss::{Part, Word};
use super::resource::Resource;
use crate::regexp;
use crate::source::{Code, Diagnostic, Location, Result};
use crate::typed::Spanned;

/// Names the object that a value is read from.
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
    /// The namespace; `default` also means no namespace.
    pub namespace: String,
    /// Where the selector stands in the configuration.
    pub location: Option<Location>,
}

impl SourceSelector {
    /// The words as an id, for messages.
    pub fn id(&self) -> Id<'_> {
        Id {
            group: &self.group,
            version: &self.version,
            kind: &self.kind,
            name: &self.name,
            namespace: &self.namespace,
        }
    }

    /// The words that are given, each on its own.
    pub fn parts(&self) -> Vec<Part<'_>> {
        let wanted = self.id();
        let given = WORDS
            .into_iter()
            .filter(move |(_, word)| !word(wanted).is_empty());
        let part = |(name, word): (&'static str, Word)| {
            let fits = move |id: Id<'_>| match name {
                "namespace" => wanted.effective_namespace() == id.effective_namespace(),
                _ => word(wanted) == word(id),
            };
            let fits = Box::new(move |resource: &Resource| resource.ids().any(fits));
            Part {
                name,
                wanted: word(wanted),
                fits,
                word: Some(word),
            }
        };
        given.map(part).collect()
    }

    /// The name that is wanted, if one is.
    pub fn name(&self) -> Option<&str> {
        Some(&*self.name).filter(|name| !name.is_empty())
    }

    /// Whether `resource` has, or had, the id that is named.
    pub fn selects(&self, resource: &Resource) -> bool {
        let wanted = self.id();
        let fits = |wanted: &str, found: &str| wanted.is_empty() || wanted == found;
        resource.ids().any(|id| {
            fits(wanted.group, id.group)
                && fits(wanted.version, id.version)
                && fits(wanted.kind, id.kind)
                && fits(wanted.name, id.name)
                && (wanted.namespace.is_empty()
                    || wanted.effective_namespace() == id.effective_namespace())
        })
    }
}

/// The words that identify an object: the field of a selector, and where an id has it.
const WORDS: [(&str, Word); 5] = [
    ("group", |id| id.group),
    ("version", |id| id.version),
    ("kind", |id| id.kind),
    ("name", |id| id.name),
    ("namespace", |id| id.namespace),
];

/// A target selector as it is written.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SelectorConfig {
    /// Pattern for the API group.
    pub group: Option<Spanned<String>>,
    /// Pattern for the API version.
    pub version: Option<Spanned<String>>,
    /// Pattern for the kind.
    pub kind: Option<Spanned<String>>,
    /// Pattern for the name.
    pub name: Option<Spanned<String>>,
    /// Pattern for the namespace as it is written: `default` does not mean an absent one.
    pub namespace: Option<Spanned<String>>,
    /// Selector string for the labels.
    pub label_selector: Option<Spanned<String>>,
    /// Selector string for the annotations.
    pub annotation_selector: Option<Spanned<String>>,
}

/// The name of the field for labels.
const LABELS: &str = "labelSelector";

impl SelectorConfig {
    /// The fields that are there and not empty.
    fn written(&self) -> Vec<(&'static str, String)> {
        let words = [
            &self.group,
            &self.version,
            &self.kind,
            &self.name,
            &self.namespace,
        ];
        let names = WORDS.map(|(name, _)| name).into_iter().zip(words);
        let metadata = [
            (LABELS, &self.label_selector),
            ("annotationSelector", &self.annotation_selector),
        ];
        let fields = names
            .chain(metadata)
            .filter_map(|(name, field)| Some((name, field.as_ref()?.value.clone())));
        fields.filter(|(_, text)| !text.is_empty()).collect()
    }
}

/// Chooses target objects.
#[derive(Clone, Debug, Default)]
pub struct Selector {
    group: Option<Matcher>,
    version: Option<Matcher>,
    kind: Option<Matcher>,
    name: Option<Matcher>,
    namespace: Option<Matcher>,
    labels: Option<LabelSelector>,
    annotations: Option<LabelSelector>,
    /// The fields that are given and what stands there, for messages.
    written: Vec<(&'static str, String)>,
}

/// Prints the selector as it could be written: `{kind: ConfigMap, name: web-.*}`.
impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields: Vec<String> = self
            .written
            .iter()
            .map(|(name, text)| format!("{name}: {text}"))
            .collect();
        write!(f, "{{{}}}", fields.join(", "))
    }
}

impl Selector {
    /// Reads the patterns and selector strings.
    ///
    /// # Errors
    /// [`Code::Selector`] at the one that cannot be read.
    pub fn new(config: &SelectorConfig) -> Result<Selector> {
        Ok(Selector {
            group: optional(&config.group, Matcher::new)?,
            version: optional(&config.version, Matcher::new)?,
            kind: optional(&config.kind, Matcher::new)?,
            name: optional(&config.name, Matcher::new)?,
            namespace: optional(&config.namespace, Matcher::new)?,
            labels: optional(&config.label_selector, LabelSelector::parse)?,
            annotations: optional(&config.annotation_selector, LabelSelector::parse)?,
            written: config.written(),
        })
    }

    /// The parts that are given, each on its own.
    pub fn parts(&self) -> Vec<Part<'_>> {
        self.written
            .iter()
            .map(|(name, wanted)| self.part(name, wanted))
            .collect()
    }

    fn part<'a>(&'a self, name: &'static str, wanted: &'a str) -> Part<'a> {
        let word = WORDS
            .into_iter()
            .zip(self.matchers())
            .find(|((word, _), _)| *word == name);
        let fits: Box<dyn Fn(&Resource) -> bool + 'a> = match word {
            Some(((_, word), Some(matcher))) => {
                Box::new(move |resource| resource.ids().any(|id| matcher.is_match(word(id))))
            }
            Some((_, None)) => Box::new(|_| true),
            None if name == LABELS => Box::new(|resource| self.fits_labels(resource)),
            None => Box::new(|resource| self.fits_annotations(resource)),
        };
        Part {
            name,
            wanted,
            fits,
            word: word.map(|((_, word), _)| word),
        }
    }

    /// The name that an object must have or have had, where one is given and no pattern.
    pub fn name(&self) -> Option<&str> {
        match &self.name {
            Some(Matcher::Word(name)) => Some(name),
            _ => None,
        }
    }

    /// Whether every part of the selector fits `resource`.
    pub fn selects(&self, resource: &Resource) -> bool {
        self.fits_metadata(resource) && self.fits_id(resource)
    }

    /// Whether `resource` is taken out by this selector under `reject`: the patterns together are one reason for it,
    /// the labels and annotations together another, and either is enough. A selector without any part rejects nothing.
    pub fn rejects(&self, resource: &Resource) -> bool {
        let by_metadata =
            (self.labels.is_some() || self.annotations.is_some()) && self.fits_metadata(resource);
        let by_id =
            self.matchers().iter().any(|matcher| matcher.is_some()) && self.fits_id(resource);
        by_metadata || by_id
    }

    fn fits_metadata(&self, resource: &Resource) -> bool {
        self.fits_labels(resource) && self.fits_annotations(resource)
    }

    fn fits_labels(&self, resource: &Resource) -> bool {
        self.labels
            .as_ref()
            .is_none_or(|selector| selector.selects(|key| resource.label(key)))
    }

    fn fits_annotations(&self, resource: &Resource) -> bool {
        self.annotations
            .as_ref()
            .is_none_or(|selector| selector.selects(|key| resource.annotation(key)))
    }

    fn fits_id(&self, resource: &Resource) -> bool {
        let matchers = self.matchers();
        let fits = |id: Id<'_>| {
            let mut pairs = matchers.iter().zip(WORDS);
            pairs.all(|(matcher, (_, word))| {
                matcher.is_none_or(|matcher| matcher.is_match(word(id)))
            })
        };
        resource.ids().any(fits)
    }

    fn matchers(&self) -> [Option<&Matcher>; 5] {
        [
            &self.group,
            &self.version,
            &self.kind,
            &self.name,
            &self.namespace,
        ]
        .map(Option::as_ref)
    }
}

/// Reads a field that is there and not empty.
fn optional<T>(
    field: &Option<Spanned<String>>,
    read: impl Fn(&Spanned<String>) -> Result<T>,
) -> Result<Option<T>> {
    field
        .as_ref()
        .filter(|field| !field.value.is_empty())
        .map(read)
        .transpose()
}

/// A pattern for a whole field. Most patterns are plain words, for which comparing is enough.
#[derive(Clone, Debug)]
enum Matcher {
    Word(String),
    Pattern(Regex),
}

impl Matcher {
    fn new(pattern: &Spanned<String>) -> Result<Matcher> {
        if pattern
            .value
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '/'))
        {
            return Ok(Matcher::Word(pattern.value.clone()));
        }
        regexp::compile_whole(&pattern.value)
            .map(Matcher::Pattern)
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
            Matcher::Word(word) => word == text,
            Matcher::Pattern(pattern) => pattern.is_match(text),
        }
    }
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

    fn selector(text: &str) -> Result<Selector> {
        Selector::new(&from_node(&root(text))?)
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
    fn a_target_is_selected_by_every_part_together() {
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
    fn a_target_namespace_is_the_written_one() {
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
    fn one_part_is_enough_to_reject() {
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
    fn a_pattern_that_cannot_be_read_is_shown_where_it_stands() {
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
    fn an_unknown_field_is_refused() {
        let error = selector("{apiVersion: v1}").unwrap_err();
        assert_eq!(error.message, "unknown field `apiVersion`");
    }

    #[test]
    fn a_source_is_named_by_exact_words() {
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
