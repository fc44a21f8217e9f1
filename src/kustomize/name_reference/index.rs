//! Finds the references that an object of some kind can have.

use std::collections::HashMap;

use crate::kubernetes::ResourceId;
use crate::kustomize::field_spec::{FieldSpec, FieldSpecs, KindPattern};

/// A field of an object that contains the name of an object of some kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReferenceTo<'a> {
    /// The kind of the object that is named.
    pub(super) target: &'a KindPattern,
    /// The field.
    pub(super) field: &'a FieldSpec,
}

impl ReferenceTo<'_> {
    /// Returns whether no object can be the target: neither a group nor a version of an object
    /// contains a slash.
    pub(super) fn can_match_nothing(&self) -> bool {
        self.target.group.contains('/') || self.target.version.contains('/')
    }
}

/// All references, by the kind of the object that has them.
///
/// The table has some hundreds of rows, and nearly all are for a few kinds. So an object must not
/// be compared with all of them.
pub(super) struct ReferenceIndex<'a> {
    references: Vec<ReferenceTo<'a>>,
    /// The positions of those for one kind, in order.
    by_kind: HashMap<&'a str, Vec<usize>>,
    /// The positions of those for any kind, in order.
    of_any_kind: Vec<usize>,
}

impl<'a> ReferenceIndex<'a> {
    /// Returns the index of the table `nameReference`, that of kustomize with the additions of
    /// configurations.
    pub(super) fn new(specs: &'a FieldSpecs) -> ReferenceIndex<'a> {
        let mut index = ReferenceIndex {
            references: Vec::new(),
            by_kind: HashMap::new(),
            of_any_kind: Vec::new(),
        };
        for reference in specs.name_reference.iter() {
            for field in &reference.referrers {
                let position = index.references.len();
                let target = &reference.target;
                index.references.push(ReferenceTo { target, field });
                match &*field.kinds.kind {
                    "" => index.of_any_kind.push(position),
                    kind => index.by_kind.entry(kind).or_default().push(position),
                }
            }
        }
        index
    }

    /// Returns the references that an object with this id can have, in the order of the table: a
    /// later one sees the name that an earlier one wrote.
    pub(super) fn of(&self, id: ResourceId<'_>) -> impl Iterator<Item = ReferenceTo<'a>> {
        let of_kind = self.by_kind.get(id.kind).map_or(&[][..], |found| found);
        let mut positions = [of_kind, &self.of_any_kind].concat();
        positions.sort_unstable();
        let references = positions
            .into_iter()
            .map(|position| self.references[position]);
        references.filter(move |reference| reference.field.kinds.matches(id))
    }
}
