//! Which of many objects have a name.
//!
//! Most selectors name one object, and a configuration may have as many selectors as there are objects. To ask every object
//! for every selector would take the product of the two; so objects are found by name first.

use std::collections::HashMap;

use super::resource::Resource;

/// The objects of a run by the names that they have and had.
///
/// What it answers may have objects too many, never too few: the selector decides. It is made when it is first asked.
#[derive(Debug, Default)]
pub struct Names {
    places: Option<HashMap<Box<str>, Vec<usize>>>,
}

impl Names {
    /// The indices of the objects that may be named `name`, in order; all of them where no name is given.
    pub fn candidates(&mut self, name: Option<&str>, resources: &[Resource]) -> Vec<usize> {
        let Some(name) = name else {
            return (0..resources.len()).collect();
        };
        let places = self.places.get_or_insert_with(|| {
            let mut places = HashMap::new();
            resources
                .iter()
                .enumerate()
                .for_each(|(at, resource)| add(&mut places, at, resource));
            places
        });
        places.get(name).cloned().unwrap_or_default()
    }

    /// Takes notice of an object that changed.
    pub fn changed(&mut self, at: usize, resource: &Resource) {
        if let Some(places) = &mut self.places {
            add(places, at, resource);
        }
    }

    /// Forgets everything: objects came, went or changed places.
    pub fn forget(&mut self) {
        self.places = None;
    }
}

fn add(places: &mut HashMap<Box<str>, Vec<usize>>, at: usize, resource: &Resource) {
    for id in resource.ids() {
        match places.get_mut(id.name) {
            Some(known) => {
                if let Err(place) = known.binary_search(&at) {
                    known.insert(place, at);
                }
            }
            None => {
                places.insert(id.name.into(), vec![at]);
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
    fn an_object_is_found_by_a_name_that_it_got_later_too() {
        let mut resources = vec![named("a"), named("b"), named("a")];
        let mut names = Names::default();
        assert_eq!(names.candidates(Some("a"), &resources), [0, 2]);
        resources[1] = named("a");
        names.changed(1, &resources[1]);
        assert_eq!(names.candidates(Some("a"), &resources), [0, 1, 2]);
        assert_eq!(names.candidates(Some("c"), &resources), Vec::<usize>::new());
        assert_eq!(names.candidates(None, &resources), [0, 1, 2]);
        resources.remove(0);
        names.forget();
        assert_eq!(names.candidates(Some("a"), &resources), [0, 1]);
    }
}
