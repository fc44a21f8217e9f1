//! The parts of an answer.

use std::rc::Rc;
use std::sync::Arc;

use crate::kubernetes::{ResourceId, split_api_version};
use crate::provenance::StepKind;
use crate::source::Location;
use crate::yaml::Node;

/// The answer for one value.
#[derive(Debug)]
pub struct Explanation {
    /// The object that contains the value.
    pub object: ExplainedObject,
    /// The path to the value, which leads to it alone.
    pub path: String,
    /// The value; `None` if a step removed it.
    pub value: Option<Arc<Node>>,
    /// Whether the value belongs to a Secret and must not be shown.
    pub is_secret: bool,
    /// The steps that made or changed the value, the newest first.
    pub links: Vec<Link>,
}

/// The identity of an object as people read it. Fields that the object does not have are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExplainedObject {
    /// `apiVersion`.
    pub api_version: String,
    /// `kind`.
    pub kind: String,
    /// `metadata.namespace`.
    pub namespace: String,
    /// `metadata.name`.
    pub name: String,
}

impl ExplainedObject {
    /// Returns the id of the object.
    pub fn id(&self) -> ResourceId<'_> {
        let (group, version) = split_api_version(&self.api_version);
        ResourceId {
            group,
            version,
            kind: &self.kind,
            name: &self.name,
            namespace: &self.namespace,
        }
    }
}

/// One step that made or changed a value.
#[derive(Debug)]
pub struct Link {
    /// The kind of the step.
    pub kind: LinkKind,
    /// The place where it is written.
    pub place: Option<Location>,
    /// The code of an expression, or the text that the user typed for a flag.
    pub text: Option<String>,
    /// The value before; `None` if there was none.
    pub before: Option<Arc<Node>>,
    /// The value after; `None` if the step removed it.
    pub after: Option<Arc<Node>>,
    /// The values from elsewhere that the step read.
    pub inputs: Vec<Input>,
    /// Whether the value must never be shown, for example because it is from an environment
    /// variable or a Secret.
    pub is_secret: bool,
}

/// The kinds of link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkKind {
    /// The value is written in a file.
    File,
    /// An expression of a template made it.
    Template,
    /// Code made it, and the place is unknown.
    Code,
    /// The default of a schema.
    SchemaDefault,
    /// A Data Values File.
    ValuesFile,
    /// A document with `@data/values`, or values that a template gave to a library.
    DataValues,
    /// A flag.
    Flag,
    /// An environment variable.
    Environment,
    /// A step of the journal.
    Step(StepKind),
}

impl LinkKind {
    /// Returns the name of the kind in JSON.
    pub fn name(self) -> &'static str {
        match self {
            LinkKind::File => "file",
            LinkKind::Template => "template",
            LinkKind::Code => "code",
            LinkKind::SchemaDefault => "schemaDefault",
            LinkKind::ValuesFile => "valuesFile",
            LinkKind::DataValues => "dataValues",
            LinkKind::Flag => "flag",
            LinkKind::Environment => "environment",
            LinkKind::Step(kind) => kind.name(),
        }
    }

    /// Returns the name of the kind for people.
    pub fn title(self) -> &'static str {
        match self {
            LinkKind::SchemaDefault => "schema default",
            LinkKind::ValuesFile => "values file",
            LinkKind::DataValues => "data values",
            LinkKind::Step(StepKind::NameHash) => "name hash",
            LinkKind::Step(StepKind::NameReference) => "name reference",
            LinkKind::Step(StepKind::BuildMetadata) => "build metadata",
            LinkKind::Step(StepKind::LocalConfig) => "annotation local-config",
            other => other.name(),
        }
    }
}

/// A value from elsewhere that a step read.
#[derive(Clone, Debug)]
pub struct Input {
    /// The data value or field that was read.
    pub kind: InputKind,
    /// The value that was read.
    pub value: Option<Arc<Node>>,
    /// The links of the value, the newest first. They are shared by all inputs that read it.
    pub links: Rc<[Link]>,
}

/// The data value or field that a step read.
#[derive(Clone, Debug)]
pub enum InputKind {
    /// A data value.
    DataValue {
        /// The library; `None` for the build itself.
        library: Option<String>,
        /// The keys that lead to it.
        key: String,
    },
    /// A field of an object.
    Field {
        /// The object.
        object: ExplainedObject,
        /// The path to the field.
        path: String,
    },
}
