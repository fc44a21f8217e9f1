//! A replacement that was checked: everything in it is parsed, and nothing is missing.

use std::collections::BTreeSet;
use std::fmt;

use super::options::ReplacementOptions;
use super::template::TextTemplate;
use crate::edit::FieldPath;
use crate::kubernetes::{Resource, SelectorIndex, SourceSelector, TargetSelector};
use crate::source::Location;
use crate::typed::Spanned;

/// A value and the fields that it is written to.
#[derive(Clone, Debug)]
pub struct Replacement {
    /// The value.
    pub(super) source: ReplacementSource,
    /// The fields. Invariant: there is at least one target.
    pub(super) targets: Vec<ReplacementTarget>,
}

/// Where the value of a replacement comes from.
#[derive(Clone, Debug)]
pub(super) enum ReplacementSource {
    /// The configuration contains it.
    Value(String),
    /// A field of an object contains it.
    Field(Box<SourceField>),
    /// It is a text with several fields inserted.
    Template(Box<SourceTemplate>),
}

/// A template and the fields that are inserted.
#[derive(Clone, Debug)]
pub(super) struct SourceTemplate {
    /// The text; its parts refer to `sources` by index.
    pub(super) text: TextTemplate,
    /// The fields, in the order of their names.
    pub(super) sources: Vec<NamedSource>,
}

/// A field with the name that a template uses for it.
#[derive(Clone, Debug)]
pub(super) struct NamedSource {
    pub(super) name: String,
    pub(super) field: SourceField,
}

/// A field of the one object that a selector identifies.
#[derive(Clone, Debug)]
pub(super) struct SourceField {
    /// Identifies the object.
    pub(super) selector: SourceSelector,
    /// The path to the field. It is `metadata.name`, without a location, if none is given.
    pub(super) field_path: Spanned<FieldPath>,
    /// How the value is read.
    pub(super) options: ReplacementOptions,
}

impl SourceField {
    /// Returns the place to show for the path: the path itself, or the selector if the path is the
    /// default.
    pub(super) fn path_location(&self) -> Option<Location> {
        let path = self.field_path.location.as_ref();
        path.or(self.selector.location.as_ref()).cloned()
    }
}

/// Prints selector and path as kustomize does: `ConfigMap.[noVer].[noGrp]/a.[noNs]:data.x`. A
/// default path is left out.
impl fmt::Display for SourceField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.selector.id())?;
        match self.field_path.location {
            Some(_) => write!(f, ":{}", self.field_path.value),
            None => Ok(()),
        }
    }
}

/// The number of objects up to which each is tested by all selectors under `reject`. For more
/// objects, those that are rejected are looked up.
const TESTED_DIRECTLY: usize = 16;

/// Fields of the objects that a selector chooses.
#[derive(Clone, Debug)]
pub(super) struct ReplacementTarget {
    /// Chooses objects.
    pub(super) select: Spanned<TargetSelector>,
    /// Each excludes some of them again.
    pub(super) reject: Vec<TargetSelector>,
    /// The paths to the fields. It is `metadata.name`, without a location, if none is given.
    pub(super) field_paths: Vec<Spanned<FieldPath>>,
    /// How the value is written.
    pub(super) options: ReplacementOptions,
    /// The place of the target in the configuration.
    pub(super) location: Option<Location>,
}

impl ReplacementTarget {
    /// Returns the indices of the objects that the target writes to, in order.
    pub(super) fn selected(
        &self,
        objects: &mut SelectorIndex,
        resources: &[Resource],
    ) -> Vec<usize> {
        let mut selected = objects.candidates(&self.select.value.hints(), resources);
        selected.retain(|&index| self.select.value.selects(&resources[index]));
        if selected.len() <= TESTED_DIRECTLY {
            selected.retain(|&index| {
                let resource = &resources[index];
                !self.reject.iter().any(|reject| reject.rejects(resource))
            });
            return selected;
        }
        let mut rejected = BTreeSet::new();
        for reject in &self.reject {
            for hints in reject.reject_hints() {
                let mut found = objects.candidates(&hints, resources);
                found.retain(|&index| reject.rejects(&resources[index]));
                rejected.extend(found);
            }
        }
        selected.retain(|index| !rejected.contains(index));
        selected
    }
}
