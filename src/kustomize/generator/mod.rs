//! kustomize's generators: ConfigMaps and Secrets from literals and files.
//!
//! An entry is [checked](check()) when the configuration is read and [carried out](apply()) when it is its turn: its values
//! are read, and the object is added, or merged into the one that is there, or put in its place. With `mergeValues` the
//! documents in its values are merged too. The suffix of a name is a matter of the end of the run, since it follows from
//! what the object has become: see [`add_suffixes`](super::add_suffixes). An object that an earlier run left with a suffix is
//! the same object still.

mod apply;
mod check;
mod config;
mod earlier;
mod env_file;
mod literal;
mod merge_values;
mod object;
mod pairs;
#[cfg(test)]
mod tests;

pub use apply::{Host, Role, TextOverlays, apply};
pub use check::check;
pub use config::{GeneratorConfig, MergeValueConfig, OptionsConfig};

use std::collections::BTreeMap;
use std::fmt;

use crate::edit::{DocumentFormat, MergeOptions};
use crate::kubernetes::Id;
use crate::source::Location;
use crate::typed::{RawNode, Spanned};

/// What a generator makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Text as it is, and bytes in base64.
    ConfigMap,
    /// Everything in base64.
    Secret,
}

impl Kind {
    /// The `kind` of the object.
    pub fn name(self) -> &'static str {
        match self {
            Kind::ConfigMap => "ConfigMap",
            Kind::Secret => "Secret",
        }
    }
}

impl Kind {
    /// The kind of the object with an id; `None` for another one.
    fn of(id: Id<'_>) -> Option<Kind> {
        let known = [Kind::ConfigMap, Kind::Secret]
            .into_iter()
            .filter(|_| id.group.is_empty() && id.version == "v1");
        known.into_iter().find(|kind| kind.name() == id.kind)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What is done with an object that is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Behavior {
    /// There must be none.
    #[default]
    Create,
    /// Its values stay, but for those that are generated.
    Merge,
    /// Its values go.
    Replace,
}

impl Behavior {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Behavior::Create => "create",
            Behavior::Merge => "merge",
            Behavior::Replace => "replace",
        }
    }
}

/// An entry that can be carried out.
#[derive(Clone, Debug)]
pub struct Generator {
    /// What it makes.
    pub kind: Kind,
    name: Spanned<String>,
    namespace: String,
    behavior: Spanned<Behavior>,
    sources: Sources,
    options: Options,
    secret_type: Option<String>,
    merge_values: Vec<MergeValue>,
}

impl Generator {
    /// The id of the object that it makes or changes, before that gets a suffix.
    fn id(&self) -> Id<'_> {
        Id {
            group: "",
            version: "v1",
            kind: self.kind.name(),
            name: &self.name.value,
            namespace: &self.namespace,
        }
    }
}

/// Where the values come from.
#[derive(Clone, Debug, Default)]
struct Sources {
    envs: Vec<Spanned<String>>,
    literals: Vec<RawNode>,
    files: Vec<Spanned<String>>,
}

/// What else the object gets.
#[derive(Clone, Debug, Default)]
struct Options {
    labels: BTreeMap<String, String>,
    annotations: BTreeMap<String, String>,
    immutable: bool,
    without_suffix: bool,
}

/// A key whose document is merged.
#[derive(Clone, Debug)]
struct MergeValue {
    key: Spanned<String>,
    format: Option<DocumentFormat>,
    options: MergeOptions,
    location: Option<Location>,
}
