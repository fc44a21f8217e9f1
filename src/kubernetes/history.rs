//! The facts that a build of a kustomization records about an object in addition to its tree.
//!
//! kustomize stores them in annotations with the prefix `internal.config.kubernetes.io/`, parses
//! them whenever it needs an id, and removes them at the end. Here they are separate data, so the
//! tree contains only the values that users wrote and edits produced.

use std::sync::Arc;

use crate::source::Location;
use crate::yaml::{Node, Stream};

/// The record of one object in a build.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The ids that the object had, the oldest first. Group and version are always the current
    /// ones.
    pub previous_ids: Vec<PreviousId>,
    /// The prefixes that were added to the name, in order.
    pub prefixes: Vec<String>,
    /// The suffixes that were added to the name, in order.
    pub suffixes: Vec<String>,
    /// The file or generator that the object comes from, if the build records origins.
    pub origin: Option<Arc<ObjectOrigin>>,
    /// The transformers that ran over the object, if the build records them.
    pub transformations: Vec<Arc<ObjectOrigin>>,
    /// The text that the object was read from; `None` for a generated object.
    pub source: Option<SourceDocument>,
    /// The names of the `vars` whose values are read from the object.
    pub variables: Vec<Arc<str>>,
    /// The most recently recorded root, if the run is recorded.
    pub recorded: Option<Arc<Node>>,
    /// Whether `helm` rendered the object, so that the namespace transformer skips it.
    pub is_helm_generated: bool,
    /// The labels and annotations that a step of the build added in several places.
    pub shared_values: Vec<Arc<Node>>,
    /// Whether kustomize would have printed the object and parsed it again since it was loaded.
    /// Only strings that need quotes then have them.
    pub is_reprinted: bool,
}

impl History {
    /// Returns whether kustomize would have its own annotations in the object, so that the mapping
    /// of annotations exists.
    pub fn is_in_annotations(&self) -> bool {
        !self.previous_ids.is_empty()
            || !self.prefixes.is_empty()
            || !self.suffixes.is_empty()
            || self.origin.is_some()
            || self.is_helm_generated
    }
}

/// The place of an object in the text that it was read from.
#[derive(Clone, Debug)]
pub struct SourceDocument {
    /// The text and its trees.
    pub stream: Arc<Stream>,
    /// The index of the document that is the object, or that contains it.
    pub document: usize,
    /// The object as it was parsed, if it is an item of a list.
    pub item: Option<Arc<Node>>,
}

/// An id that an object had before it was renamed or moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviousId {
    /// The kind at that time.
    pub kind: String,
    /// The name at that time.
    pub name: String,
    /// The namespace at that time, as [`ResourceId::scoped_namespace`] returns it.
    ///
    /// [`ResourceId::scoped_namespace`]: super::ResourceId::scoped_namespace
    pub namespace: String,
    /// The place of the name, for diagnostics; `None` for a name that a build created.
    pub location: Option<Location>,
}

/// The origin of an object, as in the annotation `config.kubernetes.io/origin`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectOrigin {
    /// The file, with slashes, relative to the root of the build.
    pub path: String,
    /// The kustomization file or plugin configuration of a generated object.
    pub configured_in: String,
    /// The generator or transformer, if there is one.
    pub configured_by: Option<ConfiguredBy>,
    /// The annotation of an object that already had it when it was created, for example by a
    /// program.
    pub as_written: Option<Arc<str>>,
}

/// The identity of a generator or transformer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConfiguredBy {
    /// The API version; `builtin` for kustomize's own generators and transformers.
    pub api_version: String,
    /// The kind, such as `ConfigMapGenerator`.
    pub kind: String,
    /// The name of a plugin configuration; empty for a field of a kustomization.
    pub name: String,
    /// The namespace of a plugin configuration.
    pub namespace: String,
}
