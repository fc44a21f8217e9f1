//! Finds the objects that a selector may choose.
//!
//! Most selectors name one object, and a configuration may have as many selectors as there are
//! objects. Testing every object for every selector would take quadratic time, so the candidates
//! are first looked up by name, by the beginning or the end of the name, or by a label.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound;

use super::resource::Resource;
use crate::regexp::PatternBounds;

/// A property that an object must have to be chosen by a selector.
#[derive(Clone, Copy, Debug)]
pub enum SelectorHint<'s> {
    /// No property that can be looked up.
    Any,
    /// This name, now or earlier.
    Name(&'s str),
    /// A name that a pattern with these bounds can match, now or earlier.
    NameBounds(&'s PatternBounds),
    /// One of these values of a label.
    Label {
        /// The name of the label.
        key: &'s str,
        /// Its values.
        values: &'s [String],
    },
}

/// The objects of a run, by their current and previous names and by labels. Each part is filled
/// when it is first used.
///
/// Invariant: the candidates may include objects that no longer have the property, but never miss
/// one that has it. The selector therefore makes the decision.
#[derive(Debug, Default)]
pub struct NameIndex {
    names: Option<BTreeMap<Box<str>, Places>>,
    /// The names in reverse, to find them by their ends.
    reversed: Option<BTreeMap<Box<str>, Places>>,
    /// The values of each label that was looked up.
    labels: BTreeMap<Box<str>, HashMap<Box<str>, Places>>,
}

/// The indices of objects.
type Places = BTreeSet<usize>;

impl NameIndex {
    /// Returns the indices of the objects that may have the name, in order; of all objects if there
    /// is no name.
    pub fn candidates(&mut self, name: Option<&str>, resources: &[Resource]) -> Vec<usize> {
        let hint = name.map_or(SelectorHint::Any, SelectorHint::Name);
        self.hinted(hint, resources)
    }

    /// Returns the indices of the objects that may match a hint, in order.
    pub fn hinted(&mut self, hint: SelectorHint<'_>, resources: &[Resource]) -> Vec<usize> {
        let found = match hint {
            SelectorHint::Any => None,
            SelectorHint::Name(name) => {
                let names = self.names(resources);
                Some(names.get(name).cloned().unwrap_or_default())
            }
            SelectorHint::NameBounds(bounds) => self.within(bounds, resources),
            SelectorHint::Label { key, values } => Some(self.labelled(key, values, resources)),
        };
        match found {
            Some(found) => found.into_iter().collect(),
            None => (0..resources.len()).collect(),
        }
    }

    /// Records the names and labels of an object after a change.
    pub fn update(&mut self, index: usize, resource: &Resource) {
        // The old names and labels stay: removing them would need a second map, and the selector
        // rejects the object anyway.
        if let Some(names) = &mut self.names {
            add_names(names, index, resource, str::to_owned);
        }
        if let Some(reversed) = &mut self.reversed {
            add_names(reversed, index, resource, backwards);
        }
        for (key, values) in &mut self.labels {
            add_label(values, key, index, resource);
        }
    }

    /// Discards the index, because objects were added, removed or reordered.
    pub fn clear(&mut self) {
        *self = NameIndex::default();
    }

    fn names(&mut self, resources: &[Resource]) -> &BTreeMap<Box<str>, Places> {
        self.names
            .get_or_insert_with(|| all_names(resources, str::to_owned))
    }

    /// Returns the objects whose names begin or end like those that a pattern matches.
    fn within(&mut self, bounds: &PatternBounds, resources: &[Resource]) -> Option<Places> {
        let by_prefix = bounds
            .prefixes
            .as_ref()
            .map(|prefixes| beginning_with(self.names(resources), prefixes.iter().cloned()));
        // A pattern with `.*` at one end is useless for that end, and the text at the other end is
        // usually longer.
        match (&by_prefix, &bounds.suffixes) {
            (Some(found), Some(_)) if found.len() <= 1 => by_prefix,
            (_, Some(suffixes)) => {
                let reversed = self
                    .reversed
                    .get_or_insert_with(|| all_names(resources, backwards));
                let suffixes = suffixes.iter().map(|suffix| backwards(suffix));
                let by_suffix = beginning_with(reversed, suffixes);
                match by_prefix {
                    Some(by_prefix) if by_prefix.len() <= by_suffix.len() => Some(by_prefix),
                    _ => Some(by_suffix),
                }
            }
            (_, None) => by_prefix,
        }
    }

    fn labelled(&mut self, key: &str, values: &[String], resources: &[Resource]) -> Places {
        if !self.labels.contains_key(key) {
            let mut known = HashMap::new();
            for (index, resource) in resources.iter().enumerate() {
                add_label(&mut known, key, index, resource);
            }
            self.labels.insert(key.into(), known);
        }
        let mut found = Places::new();
        if let Some(known) = self.labels.get(key) {
            for value in values {
                found.extend(known.get(value.as_str()).into_iter().flatten());
            }
        }
        found
    }
}

fn all_names(resources: &[Resource], spelled: fn(&str) -> String) -> BTreeMap<Box<str>, Places> {
    let mut names = BTreeMap::new();
    for (index, resource) in resources.iter().enumerate() {
        add_names(&mut names, index, resource, spelled);
    }
    names
}

fn add_names(
    names: &mut BTreeMap<Box<str>, Places>,
    index: usize,
    resource: &Resource,
    spelled: fn(&str) -> String,
) {
    for id in resource.ids() {
        let name = spelled(id.name).into_boxed_str();
        names.entry(name).or_default().insert(index);
    }
}

fn add_label(values: &mut HashMap<Box<str>, Places>, key: &str, index: usize, resource: &Resource) {
    if let Some(value) = resource.label(key) {
        values.entry(value.into()).or_default().insert(index);
    }
}

fn backwards(text: &str) -> String {
    text.chars().rev().collect()
}

/// Returns the objects of all names that begin with one of the texts.
fn beginning_with(
    names: &BTreeMap<Box<str>, Places>,
    texts: impl Iterator<Item = String>,
) -> Places {
    let mut found = Places::new();
    for text in texts {
        // Names are sorted, so those that begin with the same text are adjacent.
        let from_text = names.range::<str, _>((Bound::Included(text.as_str()), Bound::Unbounded));
        for (_, places) in from_text.take_while(|(name, _)| name.starts_with(&text)) {
            found.extend(places);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::regexp::compile_whole;
    use crate::source::Source;
    use crate::yaml::parse;

    fn named(name: &str) -> Resource {
        let text = format!("metadata: {{name: {name}, labels: {{app: {name}}}}}\n");
        let source = Source::new("resource.yaml", text).unwrap();
        Resource::new(Arc::clone(&parse(&source).unwrap().documents[0].root)).unwrap()
    }

    #[test]
    fn finds_an_object_by_a_name_it_got_later() {
        let mut resources = vec![named("a"), named("b"), named("a")];
        let mut index = NameIndex::default();
        assert_eq!(index.candidates(Some("a"), &resources), [0, 2]);
        resources[1] = named("a");
        index.update(1, &resources[1]);
        assert_eq!(index.candidates(Some("a"), &resources), [0, 1, 2]);
        assert_eq!(index.candidates(Some("c"), &resources), Vec::<usize>::new());
        assert_eq!(index.candidates(None, &resources), [0, 1, 2]);
        resources.remove(0);
        index.clear();
        assert_eq!(index.candidates(Some("a"), &resources), [0, 1]);
    }

    #[test]
    fn finds_objects_by_the_ends_of_their_names() {
        let resources = ["web-1", "web-2", "db-1", "web"].map(named);
        let mut index = NameIndex::default();
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
            let found = index.hinted(SelectorHint::NameBounds(&bounds), &resources);
            assert_eq!(found, expected, "{pattern}");
        }
    }

    #[test]
    fn finds_objects_by_labels_also_those_that_they_got_later() {
        let mut resources = ["a", "b", "a"].map(named);
        let mut index = NameIndex::default();
        let values = ["a".to_owned()];
        let hint = SelectorHint::Label {
            key: "app",
            values: &values,
        };
        assert_eq!(index.hinted(hint, &resources), [0, 2]);
        resources[1] = named("a");
        index.update(1, &resources[1]);
        assert_eq!(index.hinted(hint, &resources), [0, 1, 2]);
    }
}
