//! `replacements`: which value is copied from where to where.
//!
//! [`ReplacementConfig`] is an entry as it is written; [`check`](check()) makes of it what can be carried out.
//! Everything that can be known to be wrong before the first object is read is found here.

mod apply;
mod check;
mod config;
mod options;
mod read;
mod template;
#[cfg(test)]
mod tests;
mod value;

use std::fmt;

pub use apply::apply;
pub use check::{check, read_file};
pub use config::{ReplacementConfig, SourceConfig, TargetConfig};
pub use options::Options;
pub use template::Template;

use crate::kubernetes::{Selector, SourceSelector};
use crate::source::Location;
use crate::typed::Spanned;

/// An entry of `replacements`.
#[derive(Clone, Debug)]
pub enum Entry {
    /// A replacement.
    Inline(Box<Replacement>),
    /// The file that holds replacements; [`read_file`] reads it.
    Path(Spanned<String>),
}

/// A value and the fields that it is written to.
#[derive(Clone, Debug)]
pub struct Replacement {
    /// The value.
    pub source: Source,
    /// The fields; at least one target.
    pub targets: Vec<Target>,
    /// Where the replacement stands in the configuration.
    pub location: Option<Location>,
}

/// Where the value of a replacement comes from.
#[derive(Clone, Debug)]
pub enum Source {
    /// From the configuration itself.
    Value(Spanned<String>),
    /// From a field of an object.
    Field(Box<SourceField>),
    /// From several fields, put together to one text.
    Template(Box<Template>),
}

/// A field of the one object that a selector names.
#[derive(Clone, Debug)]
pub struct SourceField {
    /// Names the object.
    pub selector: SourceSelector,
    /// The path to the field; `metadata.name`, without a location, if none is given.
    pub field_path: Spanned<String>,
    /// How to read it.
    pub options: Options,
}

/// Prints selector and path as kustomize does: `ConfigMap.[noVer].[noGrp]/a.[noNs]:data.x`, and without the path if it
/// is not given.
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
pub struct Target {
    /// Chooses objects.
    pub select: Selector,
    /// Where that stands in the configuration.
    pub select_location: Option<Location>,
    /// Each takes objects out again.
    pub reject: Vec<Selector>,
    /// The paths to the fields; `metadata.name`, without a location, if none is given.
    pub field_paths: Vec<Spanned<String>>,
    /// How to write them.
    pub options: Options,
    /// Where the target stands in the configuration.
    pub location: Option<Location>,
}

impl Target {
    /// Whether the target writes to `resource`.
    pub fn selects(&self, resource: &crate::kubernetes::Resource) -> bool {
        self.select.selects(resource) && !self.reject.iter().any(|reject| reject.rejects(resource))
    }
}
