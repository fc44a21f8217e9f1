//! Field specs: where a transformer of kustomize finds its fields.
//!
//! A transformer such as `namePrefix` does not know where names are. It has a list of field specs,
//! each a path in objects of some kinds:
//!
//! ```yaml
//! path: spec/template/metadata/labels   # keys; a list on the path is followed into all items
//! kind: Deployment                      # group, version and kind, each optional
//! create: true                          # missing fields on the path are created
//! ```
//!
//! [`FieldSpecs`] are the lists of all transformers: those [built in](builtin), extended by the
//! files under `configurations:` and `crds:` of a kustomization. One [`walk`] follows the paths for
//! all transformers. Specification: `filters/fieldspec` and `konfig/builtinpluginconsts` of
//! kustomize's `api`.

mod builtin;
mod config;
mod crds;
mod leaf;
mod path;
mod specs;
mod walk;

use std::fmt;

pub use self::config::FieldSpecConfig;
pub(super) use self::leaf::{
    number_over, string_over, strings_in, text_over, untyped_text, wrong_kind,
};
pub use self::path::FieldSpecPath;
pub(super) use self::specs::LabelScope;
pub use self::specs::{FieldSpecs, NameReferenceSpec};
pub(super) use self::walk::{
    LeafEdit, LeafKind, edit_fields, edit_node, edit_object, in_object, is_null,
};
use crate::kubernetes::ResourceId;
use crate::source::Location;

/// A field of some kinds of objects.
#[derive(Clone, Debug)]
pub struct FieldSpec {
    /// The objects that have the field.
    pub kinds: KindPattern,
    /// The path to the field.
    pub path: FieldSpecPath,
    /// Whether the field is created if it is missing.
    pub create: bool,
    /// The place in a configuration file; `None` for those built in.
    pub location: Option<Location>,
}

/// Group, version and kind. An empty one matches all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct KindPattern {
    /// The API group, such as `apps`. The core group cannot be required.
    pub group: Box<str>,
    /// The API version, such as `v1`.
    pub version: Box<str>,
    /// The kind, such as `Deployment`.
    pub kind: Box<str>,
}

impl KindPattern {
    /// Returns whether an object with this id matches.
    pub fn matches(&self, id: ResourceId<'_>) -> bool {
        is_any_or(&self.kind, id.kind)
            && is_any_or(&self.group, id.group)
            && is_any_or(&self.version, id.version)
    }

    /// Returns the parts as an id without a name.
    pub fn as_id(&self) -> ResourceId<'_> {
        ResourceId {
            group: &self.group,
            version: &self.version,
            kind: &self.kind,
            ..ResourceId::default()
        }
    }
}

fn is_any_or(pattern: &str, part: &str) -> bool {
    pattern.is_empty() || pattern == part
}

/// Prints group, version and kind with blanks between them, as far as they are given.
impl fmt::Display for KindPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [&*self.group, &*self.version, &*self.kind];
        let given: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        match &*given {
            [] => f.write_str("any kind"),
            given => write!(f, "`{}`", given.join(" ")),
        }
    }
}
