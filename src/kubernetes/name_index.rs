//! Finding objects by name.
//!
//! Most selectors name one object, and a configuration may have as many selectors as there are
//! objects. Asking every object for every selector would take quadratic time, so the candidates are
//! looked up by name first.

use std::collections::HashMap;

use super::resource::Resource;

/// The objects of a run, by their current and previous names. It is filled when it is first used.
///
/// Invariant: the candidates of a name may include objects that no longer have it, but never miss
/// one that does. So the selector still decides.
#[derive(Debug, Default)]
pub struct NameIndex {
    /// For each name, the indices of its objects, in ascending order.
    by_name: Option<HashMap<Box<str>, Vec<usize>>>,
}

impl NameIndex {
    /// Returns the indices of the objects that may have the name, in order. Without a name, returns
    /// all of them.
    pub fn candidates(&mut self, name: Option<&str>, resources: &[Resource]) -> Vec<usize> {
        let Some(name) = name else {
            return (0..resources.len()).collect();
        };
        let by_name = self.by_name.get_or_insert_with(|| {
            let mut by_name = HashMap::new();
            for (index, resource) in resources.iter().enumerate() {
                add(&mut by_name, index, resource);
            }
            by_name
        });
        by_name.get(name).cloned().unwrap_or_default()
    }

    /// Records the names of an object after a change.
    pub fn update(&mut self, index: usize, resource: &Resource) {
        // The old name stays: removing it would need a second map, and the selector skips the
        // object anyway.
        if let Some(by_name) = &mut self.by_name {
            add(by_name, index, resource);
        }
    }

    /// Discards the index, because objects were added, removed or reordered.
    pub fn clear(&mut self) {
        self.by_name = None;
    }
}

fn add(by_name: &mut HashMap<Box<str>, Vec<usize>>, index: usize, resource: &Resource) {
    for id in resource.ids() {
        match by_name.get_mut(id.name) {
            Some(indices) => {
                if let Err(position) = indices.binary_search(&index) {
                    indices.insert(position, index);
                }
            }
            None => {
                by_name.insert(id.name.into(), vec![index]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::source::Source;
    use crate::yaml::parse;

    fn named(name: &str) -> Resource {
        let source = Source::new("resource.yaml", format!("metadata: {{name: {name}}}\n")).unwrap();
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
}
