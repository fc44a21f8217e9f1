//! A generator that was checked: everything in its entry is parsed.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::edit::{DocumentFormat, MergeOptions};
use crate::kubernetes::{Resource, ResourceId};
use crate::source::world::RelativePath;
use crate::source::{Diagnostic, Location, Source};
use crate::typed::Spanned;

/// The kind of the objects that a generator creates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GeneratorKind {
    /// Contains text as it is, and other bytes in base64.
    ConfigMap,
    /// Contains everything in base64.
    Secret,
}

impl GeneratorKind {
    /// Returns the `kind` of the objects.
    pub(super) fn name(self) -> &'static str {
        match self {
            GeneratorKind::ConfigMap => "ConfigMap",
            GeneratorKind::Secret => "Secret",
        }
    }

    /// Returns the kind of the object with an id, or `None` if no generator creates such objects.
    pub(super) fn of(id: ResourceId<'_>) -> Option<GeneratorKind> {
        if !id.group.is_empty() || id.version != "v1" {
            return None;
        }
        match id.kind {
            "ConfigMap" => Some(GeneratorKind::ConfigMap),
            "Secret" => Some(GeneratorKind::Secret),
            _ => None,
        }
    }
}

impl fmt::Display for GeneratorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What happens if an object with the id exists, or does not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Behavior {
    /// It must not exist.
    #[default]
    Create,
    /// It must exist. Its values stay, except those that are generated.
    Merge,
    /// It must exist. Its values are removed.
    Replace,
}

impl Behavior {
    /// Every behavior.
    pub(super) const ALL: [Behavior; 3] = [Behavior::Create, Behavior::Merge, Behavior::Replace];

    /// Returns the name that configurations use.
    pub(super) fn name(self) -> &'static str {
        match self {
            Behavior::Create => "create",
            Behavior::Merge => "merge",
            Behavior::Replace => "replace",
        }
    }
}

/// An entry of `configMapGenerator` or `secretGenerator`.
#[derive(Clone, Debug)]
pub struct Generator {
    pub(super) kind: GeneratorKind,
    pub(super) name: Spanned<String>,
    pub(super) namespace: String,
    pub(super) behavior: Spanned<Behavior>,
    pub(super) sources: ValueSources,
    pub(super) options: ObjectOptions,
    /// The `type` of a Secret, if one is given.
    pub(super) secret_type: Option<String>,
    pub(super) merge_values: Vec<MergeValue>,
}

impl Generator {
    /// Returns the id of the object that is created or edited, without the suffix.
    pub(super) fn id(&self) -> ResourceId<'_> {
        ResourceId {
            group: "",
            version: "v1",
            kind: self.kind.name(),
            name: &self.name.value,
            namespace: &self.namespace,
        }
    }

    /// Returns whether the generator replaces the values of an object that is there.
    pub fn replaces(&self, resource: &Resource) -> bool {
        let own = self.id();
        self.behavior.value == Behavior::Replace
            && resource.ids().any(|id| {
                GeneratorKind::of(id) == Some(self.kind)
                    && id.name == own.name
                    && id.effective_namespace() == own.effective_namespace()
            })
    }

    /// Adds to an error which generator it happened in.
    pub(super) fn locate(&self, error: Box<Diagnostic>) -> Box<Diagnostic> {
        error.at(self.name.location.clone(), "the generator")
    }
}

/// Where the values come from. kustomize reads `envs` first, then literals, then files; keys are in
/// this order.
#[derive(Clone, Debug, Default)]
pub(super) struct ValueSources {
    pub(super) envs: Vec<Spanned<RelativePath>>,
    pub(super) literals: Vec<GeneratedPair>,
    pub(super) files: Vec<FileSource>,
}

/// A file whose content is a value.
#[derive(Clone, Debug)]
pub(super) struct FileSource {
    pub(super) key: String,
    pub(super) path: Spanned<RelativePath>,
}

/// A key and its value.
#[derive(Clone, Debug)]
pub(super) struct GeneratedPair {
    pub(super) key: String,
    pub(super) value: GeneratedValue,
    /// The place where the key is given.
    pub(super) place: Option<Location>,
}

/// A generated value. Most are text.
#[derive(Clone, Debug)]
pub(super) enum GeneratedValue {
    /// Text, with its place in a file.
    Text(Arc<Source>),
    /// Bytes that are not UTF-8.
    Binary(Vec<u8>),
}

/// Properties of the object other than its values.
#[derive(Clone, Debug, Default)]
pub(super) struct ObjectOptions {
    pub(super) labels: BTreeMap<String, String>,
    pub(super) annotations: BTreeMap<String, String>,
    pub(super) is_immutable: bool,
    /// Whether the name gets no suffix.
    pub(super) disables_suffix: bool,
}

/// An entry of `mergeValues`: a key whose document is merged instead of replaced.
#[derive(Clone, Debug)]
pub(super) struct MergeValue {
    pub(super) key: Spanned<String>,
    pub(super) format: Option<DocumentFormat>,
    pub(super) options: MergeOptions,
    pub(super) location: Option<Location>,
}
