//! Finds the objects that a selector may choose.
//!
//! Most selectors choose one object, and a configuration may have as many selectors as there are
//! objects. Testing every object for every selector would take quadratic time. So a selector says
//! which properties its objects must have, as [`SelectorHint`]s, and the one that the fewest
//! objects have decides which objects are tested.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound;

use super::id::ResourceId;
use super::resource::Resource;
use crate::source::steps;

/// A property that an object must have to be chosen by a selector.
#[derive(Clone, Copy, Debug)]
pub struct SelectorHint<'s> {
    /// The property.
    pub property: ObjectProperty<'s>,
    /// The values that the property can have.
    pub values: HintValues<'s>,
}

/// A property by which objects are looked up. The parts of an id are those that the object has now
/// or had earlier.
#[derive(Clone, Copy, Debug)]
pub enum ObjectProperty<'s> {
    /// The API group.
    Group,
    /// The API version.
    Version,
    /// The kind.
    Kind,
    /// The name.
    Name,
    /// The namespace, as written, or as objects are compared by it.
    Namespace,
    /// The label with this key.
    Label(&'s str),
    /// The annotation with this key.
    Annotation(&'s str),
}

/// The values that a property can have.
#[derive(Clone, Copy, Debug)]
pub enum HintValues<'s> {
    /// This text.
    Text(&'s str),
    /// One of these texts.
    OneOf(&'s [String]),
    /// A text that begins with one of these.
    BeginningWith(&'s [String]),
    /// A text that ends with one of these.
    EndingWith(&'s [String]),
    /// Any text.
    Any,
}

/// The objects of a run, by their ids and metadata. Each part is filled when it is first used, and
/// none before there were some look-ups, because filling a part takes as long as testing all objects
/// a few times.
///
/// Invariant: the candidates may include objects that no longer have the property, but never miss
/// one that has it. The selector therefore makes the decision.
#[derive(Debug, Default)]
pub struct SelectorIndex {
    /// The number of look-ups so far, up to [`SCANS`].
    lookups: usize,
    groups: Option<TextIndex>,
    versions: Option<TextIndex>,
    kinds: Option<TextIndex>,
    names: Option<TextIndex>,
    namespaces: Option<TextIndex>,
    labels: Option<MetadataIndex>,
    annotations: Option<MetadataIndex>,
}

/// The objects by the texts of one property.
#[derive(Debug, Default)]
struct TextIndex {
    texts: BTreeMap<Box<str>, Places>,
    /// The texts in reverse, to find them by their ends.
    reversed: Option<BTreeMap<Box<str>, Places>>,
}

/// The objects by the values of each of their labels or annotations.
type MetadataIndex = HashMap<Box<str>, TextIndex>;

/// The indices of objects.
type Places = BTreeSet<usize>;

/// The number of look-ups that test all objects.
const SCANS: usize = 3;

/// A property with so few objects is used without looking at the others.
const FEW: usize = 4;

impl SelectorIndex {
    /// Returns the indices of the objects that may have all properties, in order; of all objects if
    /// there are no hints. Hints that are quick to look up come first.
    pub fn candidates(&mut self, hints: &[SelectorHint<'_>], resources: &[Resource]) -> Vec<usize> {
        if self.lookups < SCANS {
            self.lookups += 1;
            steps::count(resources.len());
            return (0..resources.len()).collect();
        }
        let mut best: Option<(&SelectorHint<'_>, usize)> = None;
        for hint in hints {
            let fewest = best.map_or(usize::MAX, |(_, count)| count);
            if fewest <= FEW {
                break;
            }
            let count = self.count(hint, fewest, resources);
            if count < fewest {
                best = Some((hint, count));
            }
        }
        let found: Vec<usize> = match best {
            Some((hint, _)) => {
                let places: Places = self.places(hint, resources).flatten().copied().collect();
                places.into_iter().collect()
            }
            None => (0..resources.len()).collect(),
        };
        steps::count(found.len());
        found
    }

    /// Records the properties of an object after a change.
    pub fn update(&mut self, index: usize, resource: &Resource) {
        // The old properties stay: removing them would need a second map, and the selector rejects
        // the object anyway.
        let parts = [
            (&mut self.groups, ObjectProperty::Group),
            (&mut self.versions, ObjectProperty::Version),
            (&mut self.kinds, ObjectProperty::Kind),
            (&mut self.names, ObjectProperty::Name),
            (&mut self.namespaces, ObjectProperty::Namespace),
        ];
        for (texts, part) in parts {
            if let Some(texts) = texts {
                add_part(texts, part, index, resource);
            }
        }
        if let Some(labels) = &mut self.labels {
            add_metadata(labels, LABELS, index, resource);
        }
        if let Some(annotations) = &mut self.annotations {
            add_metadata(annotations, ANNOTATIONS, index, resource);
        }
    }

    /// Discards the index, because objects were added, removed or reordered.
    pub fn clear(&mut self) {
        *self = SelectorIndex {
            lookups: self.lookups,
            ..SelectorIndex::default()
        };
    }

    /// Returns the number of objects that may have a property. Counting stops at `limit`.
    fn count(&mut self, hint: &SelectorHint<'_>, limit: usize, resources: &[Resource]) -> usize {
        let mut count = 0;
        for places in self.places(hint, resources) {
            steps::count(1);
            count += places.len();
            if count >= limit {
                break;
            }
        }
        count
    }

    /// Returns the objects that may have a property, by its values.
    fn places<'a>(
        &'a mut self,
        hint: &SelectorHint<'a>,
        resources: &[Resource],
    ) -> Box<dyn Iterator<Item = &'a Places> + 'a> {
        let part = hint.property;
        let parts = match part {
            ObjectProperty::Group => &mut self.groups,
            ObjectProperty::Version => &mut self.versions,
            ObjectProperty::Kind => &mut self.kinds,
            ObjectProperty::Name => &mut self.names,
            ObjectProperty::Namespace => &mut self.namespaces,
            ObjectProperty::Label(key) => {
                return in_metadata(&mut self.labels, LABELS, key, hint.values, resources);
            }
            ObjectProperty::Annotation(key) => {
                let annotations = &mut self.annotations;
                return in_metadata(annotations, ANNOTATIONS, key, hint.values, resources);
            }
        };
        let texts = parts.get_or_insert_with(|| {
            let mut texts = TextIndex::default();
            for (index, resource) in resources.iter().enumerate() {
                add_part(&mut texts, part, index, resource);
            }
            texts
        });
        texts.places(hint.values)
    }
}

/// The fields of `metadata`.
const LABELS: &str = "labels";
const ANNOTATIONS: &str = "annotations";

/// Returns the objects with a label or annotation, by its values.
fn in_metadata<'a>(
    known: &'a mut Option<MetadataIndex>,
    field: &str,
    key: &str,
    values: HintValues<'a>,
    resources: &[Resource],
) -> Box<dyn Iterator<Item = &'a Places> + 'a> {
    // All keys are read at once, because each selector may ask for another one.
    let known = known.get_or_insert_with(|| {
        let mut known = MetadataIndex::new();
        for (index, resource) in resources.iter().enumerate() {
            add_metadata(&mut known, field, index, resource);
        }
        known
    });
    match known.get_mut(key) {
        Some(texts) => texts.places(values),
        None => Box::new(std::iter::empty()),
    }
}

/// Adds a part of the ids of an object.
fn add_part(texts: &mut TextIndex, part: ObjectProperty<'_>, index: usize, resource: &Resource) {
    for id in resource.ids() {
        steps::count(1);
        texts.add(part_of(id, part), index);
        // Some selectors compare the written namespace, and some its effect.
        if let ObjectProperty::Namespace = part {
            texts.add(id.effective_namespace(), index);
            texts.add(id.scoped_namespace(), index);
        }
    }
}

fn part_of<'a>(id: ResourceId<'a>, part: ObjectProperty<'_>) -> &'a str {
    match part {
        ObjectProperty::Group => id.group,
        ObjectProperty::Version => id.version,
        ObjectProperty::Kind => id.kind,
        ObjectProperty::Name => id.name,
        _ => id.namespace,
    }
}

/// Adds the labels or annotations of an object.
fn add_metadata(known: &mut MetadataIndex, field: &str, index: usize, resource: &Resource) {
    for key in resource.metadata_keys(field) {
        steps::count(1);
        let Some(value) = resource.metadata_text(field, key) else {
            continue;
        };
        match known.get_mut(key) {
            Some(texts) => texts.add(value, index),
            None => known.entry(key.into()).or_default().add(value, index),
        }
    }
}

impl TextIndex {
    fn add(&mut self, text: &str, index: usize) {
        add(&mut self.texts, text, index);
        if let Some(reversed) = &mut self.reversed {
            add(reversed, &backwards(text), index);
        }
    }

    /// Returns the objects with some texts, by text.
    fn places<'a>(
        &'a mut self,
        values: HintValues<'a>,
    ) -> Box<dyn Iterator<Item = &'a Places> + 'a> {
        let texts = &self.texts;
        match values {
            HintValues::Text(text) => Box::new(texts.get(text).into_iter()),
            HintValues::OneOf(wanted) => {
                Box::new(wanted.iter().filter_map(|text| texts.get(text.as_str())))
            }
            HintValues::BeginningWith(beginnings) => Box::new(beginning_with(texts, beginnings)),
            HintValues::EndingWith(ends) => {
                let reversed = self.reversed.get_or_insert_with(|| {
                    let texts = texts.iter();
                    let reversed = texts
                        .map(|(text, places)| (backwards(text).into_boxed_str(), places.clone()));
                    reversed.collect()
                });
                let ends: Vec<String> = ends.iter().map(|end| backwards(end)).collect();
                let places: Vec<&Places> = beginning_with(reversed, &ends).collect();
                Box::new(places.into_iter())
            }
            HintValues::Any => Box::new(texts.values()),
        }
    }
}

fn add(texts: &mut BTreeMap<Box<str>, Places>, text: &str, index: usize) {
    match texts.get_mut(text) {
        Some(places) => {
            places.insert(index);
        }
        None => {
            texts.insert(text.into(), Places::from([index]));
        }
    }
}

fn backwards(text: &str) -> String {
    text.chars().rev().collect()
}

/// Returns the objects of all texts that begin with one of the given ones.
fn beginning_with<'a>(
    texts: &'a BTreeMap<Box<str>, Places>,
    beginnings: &[String],
) -> impl Iterator<Item = &'a Places> {
    beginnings.iter().flat_map(|beginning| {
        // Texts are sorted, so those with the same beginning are adjacent.
        let from = (Bound::Included(beginning.as_str()), Bound::Unbounded);
        let found = texts.range::<str, _>(from);
        let found = found.take_while(move |(text, _)| text.starts_with(beginning.as_str()));
        found.map(|(_, places)| places)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::regexp::{PatternBounds, compile_whole};
    use crate::source::Source;
    use crate::yaml::parse;

    /// Returns an index that is used from the first look-up on.
    fn used_index() -> SelectorIndex {
        SelectorIndex {
            lookups: SCANS,
            ..SelectorIndex::default()
        }
    }

    fn object(text: &str) -> Resource {
        let source = Source::new("resource.yaml", text).unwrap();
        Resource::new(Arc::clone(&parse(&source).unwrap().documents[0].root)).unwrap()
    }

    fn named(name: &str) -> Resource {
        object(&format!(
            "metadata: {{name: {name}, labels: {{app: {name}}}}}\n"
        ))
    }

    fn hint<'s>(property: ObjectProperty<'s>, values: HintValues<'s>) -> SelectorHint<'s> {
        SelectorHint { property, values }
    }

    fn name(name: &str) -> SelectorHint<'_> {
        hint(ObjectProperty::Name, HintValues::Text(name))
    }

    #[test]
    fn tests_all_objects_for_the_first_selectors() {
        let resources = ["a", "b"].map(named);
        let mut index = SelectorIndex::default();
        for _ in 0..SCANS {
            assert_eq!(index.candidates(&[name("b")], &resources), [0, 1]);
        }
        assert_eq!(index.candidates(&[name("b")], &resources), [1]);
    }

    #[test]
    fn finds_an_object_by_a_name_it_got_later() {
        let mut resources = vec![named("a"), named("b"), named("a")];
        let mut index = used_index();
        assert_eq!(index.candidates(&[name("a")], &resources), [0, 2]);
        resources[1] = named("a");
        index.update(1, &resources[1]);
        assert_eq!(index.candidates(&[name("a")], &resources), [0, 1, 2]);
        assert_eq!(index.candidates(&[name("c")], &resources), [0; 0]);
        assert_eq!(index.candidates(&[], &resources), [0, 1, 2]);
        resources.remove(0);
        index.clear();
        assert_eq!(index.candidates(&[name("a")], &resources), [0, 1]);
    }

    #[test]
    fn finds_objects_by_the_ends_of_their_names() {
        let resources = ["web-1", "web-2", "db-1", "web"].map(named);
        let mut index = used_index();
        let table: [(&str, &[usize]); 6] = [
            ("web-.*", &[0, 1]),
            (".*-1", &[0, 2]),
            ("(web|db)-[12]", &[0, 1, 2]),
            ("w.*2", &[1]),
            (".*", &[0, 1, 2, 3]),
            ("x.*", &[]),
        ];
        for (pattern, expected) in table {
            let bounds = PatternBounds::of(&compile_whole(pattern).unwrap());
            let prefixes = bounds.prefixes.as_deref().map(HintValues::BeginningWith);
            let suffixes = bounds.suffixes.as_deref().map(HintValues::EndingWith);
            let values = [prefixes, suffixes].into_iter().flatten();
            let hints: Vec<_> = values
                .map(|values| hint(ObjectProperty::Name, values))
                .collect();
            let mut found = index.candidates(&hints, &resources);
            found.retain(|&at| {
                compile_whole(pattern)
                    .unwrap()
                    .is_match(resources[at].name())
            });
            assert_eq!(found, expected, "{pattern}");
        }
        let ends = ["-1".to_owned()];
        let by_end = hint(ObjectProperty::Name, HintValues::EndingWith(&ends));
        assert_eq!(index.candidates(&[by_end], &resources), [0, 2]);
    }

    #[test]
    fn finds_objects_by_labels_also_those_that_they_got_later() {
        let mut resources = ["a", "b", "a"].map(named);
        let mut index = used_index();
        let values = ["a".to_owned()];
        let label = |key| hint(ObjectProperty::Label(key), HintValues::OneOf(&values));
        assert_eq!(index.candidates(&[label("app")], &resources), [0, 2]);
        resources[1] = named("a");
        index.update(1, &resources[1]);
        assert_eq!(index.candidates(&[label("app")], &resources), [0, 1, 2]);
        assert_eq!(index.candidates(&[label("tier")], &resources), [0; 0]);
        let any = |property| hint(property, HintValues::Any);
        let has_label = any(ObjectProperty::Label("app"));
        assert_eq!(index.candidates(&[has_label], &resources), [0, 1, 2]);
        let has_annotation = any(ObjectProperty::Annotation("app"));
        assert_eq!(index.candidates(&[has_annotation], &resources), [0; 0]);
    }

    #[test]
    fn uses_the_property_that_the_fewest_objects_have() {
        let text = |at: usize| {
            let namespace = ["x", "y"][at % 2];
            object(&format!(
                "kind: K{at}\nmetadata: {{name: a, namespace: {namespace}}}\n"
            ))
        };
        let resources: Vec<Resource> = (0..20).map(text).collect();
        let mut index = used_index();
        let namespace = hint(ObjectProperty::Namespace, HintValues::Text("y"));
        let kind = hint(ObjectProperty::Kind, HintValues::Text("K7"));
        let mut found = |hints: &[SelectorHint<'_>]| index.candidates(hints, &resources);
        assert_eq!(found(&[name("a")]).len(), 20);
        assert_eq!(found(&[name("a"), namespace]).len(), 10);
        assert_eq!(found(&[name("a"), namespace, kind]), [7]);
    }

    #[test]
    fn finds_an_object_by_its_written_and_its_effective_namespace() {
        let resources = [
            object("kind: ConfigMap\nmetadata: {name: a}\n"),
            object("kind: ConfigMap\nmetadata: {name: a, namespace: x}\n"),
        ];
        let mut index = used_index();
        for (namespace, expected) in [("", 0), ("default", 0), ("x", 1)] {
            let hint = hint(ObjectProperty::Namespace, HintValues::Text(namespace));
            assert_eq!(index.candidates(&[hint], &resources), [expected]);
        }
    }
}
