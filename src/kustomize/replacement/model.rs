//! A replacement that was checked: everything in it is parsed, and nothing is missing.

use std::fmt;

use super::options::ReplacementOptions;
use super::template::TextTemplate;
use crate::edit::FieldPath;
use crate::kubernetes::{Resource, SourceSelector, TargetSelector};
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
    /// Returns whether the target writes to `resource`.
    pub(super) fn selects(&self, resource: &Resource) -> bool {
        let is_rejected = || self.reject.iter().any(|reject| reject.rejects(resource));
        self.select.value.selects(resource) && !is_rejected()
    }
}
