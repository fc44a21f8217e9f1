//! The contents of a journal.

use std::sync::Arc;

use crate::edit::PathStep;
use crate::source::Location;
use crate::yaml::Node;

/// The records of a build, in the order in which they were made.
#[derive(Debug, Default)]
pub struct Records {
    /// The steps that changed objects.
    pub steps: Vec<JournalStep>,
    /// The nodes that expressions of templates created.
    pub holes: Vec<Hole>,
    /// Nodes that were copied to another place, with their originals.
    pub copies: Vec<NodeCopy>,
    /// The data values of each library.
    pub values: Vec<ValuesRecord>,
    /// The matches of overlay parts, in a [journal of matches](super::Journal::of_matches).
    pub matches: Vec<OverlayMatch>,
    /// The collections that parts of overlays were merged into, in a journal of matches.
    pub merges: Vec<OverlayMerge>,
}

/// A part of an overlay, and the elements that it matched in one collection.
#[derive(Debug)]
pub struct OverlayMatch {
    /// The place of the part: its marker, key or dash.
    pub part: Location,
    /// The number of elements.
    pub count: usize,
    /// The first of these elements: their values, and the places of their keys or values.
    pub elements: Vec<(Arc<Node>, Location)>,
}

/// A part of an overlay, and a collection that it was merged into.
#[derive(Debug)]
pub struct OverlayMerge {
    /// The place of the part: its marker, key or dash.
    pub part: Location,
    /// The mapping or list before the merge. For a structured string, this is the root of its
    /// document.
    pub left: Arc<Node>,
}

/// One step, and its change to one object.
#[derive(Debug)]
pub struct JournalStep {
    /// The kind of the step.
    pub kind: StepKind,
    /// The place where the step is configured: the entry of a kustomization, or the document of an
    /// overlay.
    pub place: Option<Location>,
    /// The root of the object before the step; `None` for an object that the step created.
    pub before: Option<Arc<Node>>,
    /// The root after the step; `None` for an object that it removed.
    pub after: Option<Arc<Node>>,
    /// The tree in which the step is written, if it has the shape of the object: an overlay or a
    /// merge patch.
    pub written: Option<Arc<Node>>,
    /// The edits that the step consists of, if each of them has a path: the operations of a JSON
    /// patch.
    pub edits: Vec<WrittenEdit>,
    /// The fields of objects that the step copied values from.
    pub reads: Vec<FieldRead>,
}

/// An edit at a path.
#[derive(Clone, Debug)]
pub struct WrittenEdit {
    /// The keys and indices of the changed value, as they are written.
    pub keys: Vec<String>,
    /// The place where it is written.
    pub place: Location,
}

/// A field of an object that a step read.
#[derive(Clone, Debug)]
pub struct FieldRead {
    /// The root of the object at that time.
    pub root: Arc<Node>,
    /// The path to the field, as it is written in the configuration.
    pub path: String,
}

/// The kinds of steps. Their names are part of the output of `inlay explain -o json`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepKind {
    /// An overlay of ytt.
    Overlay,
    /// A ConfigMap or Secret was generated, or values were merged into it.
    Generator,
    /// A document that a template of a configuration renders.
    Template,
    /// An entry of `patches`, or one of the older fields.
    Patch,
    /// An entry of `replacements`.
    Replacement,
    /// `namespace`.
    Namespace,
    /// `namePrefix`.
    NamePrefix,
    /// `nameSuffix`.
    NameSuffix,
    /// `labels` and `commonLabels`.
    Labels,
    /// `commonAnnotations`.
    Annotations,
    /// `replicas`.
    Replicas,
    /// `images`.
    Images,
    /// The hash at the end of a name.
    NameHash,
    /// A reference followed the name of its object.
    NameReference,
    /// `vars`.
    Variables,
    /// A plugin or function under `transformers` or `generators`.
    Plugin,
    /// The same object in another tree, for example with its aliases written out. It is followed
    /// but not shown.
    Rewritten,
    /// An object that is only for tools, which a build removes at its end: it has the annotation
    /// `config.kubernetes.io/local-config`.
    LocalConfig,
    /// `buildMetadata`, and annotations that a build removes at its end.
    BuildMetadata,
}

impl StepKind {
    /// Returns whether a step of this kind may change a value inside a string. The transformers of
    /// a kustomization only write whole strings.
    pub fn edits_strings(self) -> bool {
        match self {
            StepKind::Overlay
            | StepKind::Generator
            | StepKind::Template
            | StepKind::Patch
            | StepKind::Replacement
            | StepKind::Plugin
            | StepKind::Rewritten => true,
            StepKind::Namespace
            | StepKind::NamePrefix
            | StepKind::NameSuffix
            | StepKind::Labels
            | StepKind::Annotations
            | StepKind::Replicas
            | StepKind::Images
            | StepKind::NameHash
            | StepKind::NameReference
            | StepKind::Variables
            | StepKind::LocalConfig
            | StepKind::BuildMetadata => false,
        }
    }

    /// Returns the name of the kind.
    pub fn name(self) -> &'static str {
        match self {
            StepKind::Overlay => "overlay",
            StepKind::Generator => "generator",
            StepKind::Template => "template",
            StepKind::Patch => "patch",
            StepKind::Replacement => "replacement",
            StepKind::Namespace => "namespace",
            StepKind::NamePrefix => "namePrefix",
            StepKind::NameSuffix => "nameSuffix",
            StepKind::Labels => "labels",
            StepKind::Annotations => "annotations",
            StepKind::Replicas => "replicas",
            StepKind::Images => "images",
            StepKind::NameHash => "nameHash",
            StepKind::NameReference => "nameReference",
            StepKind::Variables => "vars",
            StepKind::Plugin => "plugin",
            StepKind::Rewritten => "rewritten",
            StepKind::LocalConfig => "localConfig",
            StepKind::BuildMetadata => "buildMetadata",
        }
    }
}

/// A node that an expression of a template created.
#[derive(Debug)]
pub struct Hole {
    /// The node. It stays in the tree until a step replaces it.
    pub node: Arc<Node>,
    /// The place of the expression.
    pub expression: Location,
    /// The root of the data values of its template, as in [`ValuesRecord::root`].
    pub values: Option<Arc<Node>>,
    /// The data values that the expression read, in order.
    pub reads: Vec<HoleRead>,
}

/// A node that has the value of another one.
#[derive(Debug)]
pub struct NodeCopy {
    /// The new node.
    pub copy: Arc<Node>,
    /// The node that it was copied from.
    pub original: Arc<Node>,
}

/// A data value that an expression read.
#[derive(Clone, Debug)]
pub struct HoleRead {
    /// The root of the data values, as in [`ValuesRecord::root`].
    pub values: Arc<Node>,
    /// The keys and indices of the value.
    pub path: Vec<PathStep>,
}

/// The data values of one instance of a library.
#[derive(Debug)]
pub struct ValuesRecord {
    /// The values that templates see.
    pub root: Arc<Node>,
    /// The name of the library; `None` for the root library.
    pub library: Option<String>,
    /// The documents with the values, in the order in which they were applied.
    pub sources: Vec<ValuesSource>,
}

/// A document that set data values.
#[derive(Debug)]
pub struct ValuesSource {
    /// The way it was applied.
    pub merge: ValuesMerge,
    /// Its values.
    pub document: Arc<Node>,
    /// The place of its start.
    pub place: Option<Location>,
}

/// The way a document was applied to the previous values.
#[derive(Clone, Debug)]
pub enum ValuesMerge {
    /// The defaults of the schema, which are the initial values.
    Defaults,
    /// Mappings of this many levels were merged; values below them were replaced.
    Below(usize),
    /// An overlay.
    Overlay {
        /// The values before the overlay; `None` if it was the first document.
        before: Option<Arc<Node>>,
        /// The values after it.
        after: Arc<Node>,
    },
}

impl HoleRead {
    /// Returns whether this is a value inside `other`.
    pub fn is_below(&self, other: &HoleRead) -> bool {
        Arc::ptr_eq(&self.values, &other.values)
            && self.path.len() > other.path.len()
            && self.path.starts_with(&other.path)
    }
}

impl PartialEq for HoleRead {
    fn eq(&self, other: &HoleRead) -> bool {
        Arc::ptr_eq(&self.values, &other.values) && self.path == other.path
    }
}

impl Eq for HoleRead {}
