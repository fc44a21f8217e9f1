//! What Inlay says to people: one struct for every error, warning and remark.
//!
//! Nobody matches on the kind of an error, so there is one type for all. It keeps what the printed forms need: the
//! places meant, how to mend it, and the resource and field for the results of a KRM function.
//!
//! House rules for a message: short, lower case, no final stop, no jargon; what was expected stands before what was
//! found. A remedy is a `help` line, never part of the message.

use super::{Code, Location};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing is wrong; something is worth knowing.
    Info,
    /// The run goes on, but the outcome may not be what was meant.
    Warning,
    /// The run fails and nothing is written.
    Error,
}

impl Severity {
    /// The name that every output format uses, which is also the `severity` of a KRM result.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A place that a diagnostic points at, and what to say there.
#[derive(Clone, Debug)]
pub struct Label {
    /// The place; it may lie in an embedded document.
    pub location: Location,
    /// What to print beside the underlined text; may be empty.
    pub text: String,
}

/// The Kubernetes object that a diagnostic is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectReference {
    /// `apiVersion`, such as `apps/v1`.
    pub api_version: String,
    /// `kind`, such as `Deployment`.
    pub kind: String,
    /// `metadata.name`.
    pub name: String,
    /// `metadata.namespace`; empty where there is none.
    pub namespace: String,
}

/// One thing to tell the user.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The stable name of this kind of diagnostic.
    pub code: Code,
    /// What is wrong, in one line.
    pub message: String,
    /// The places meant; the first is the main one.
    pub labels: Vec<Label>,
    /// Facts that help to understand it.
    pub notes: Vec<String>,
    /// What to do about it.
    pub help: Vec<String>,
    /// The object it is about, for KRM results.
    pub object: Option<ObjectReference>,
    /// The field of that object, as a field path.
    pub field: Option<String>,
}

/// The outcome of a step that fails with one diagnostic. The error is boxed to keep the good case small.
pub type Result<T, E = Box<Diagnostic>> = std::result::Result<T, E>;

impl Diagnostic {
    /// An error with no place yet.
    pub fn error(code: Code, message: impl Into<String>) -> Box<Diagnostic> {
        Diagnostic::new(Severity::Error, code, message)
    }

    /// A warning with no place yet.
    pub fn warning(code: Code, message: impl Into<String>) -> Box<Diagnostic> {
        Diagnostic::new(Severity::Warning, code, message)
    }

    fn new(severity: Severity, code: Code, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic {
            severity,
            code,
            message: message.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
            object: None,
            field: None,
        })
    }

    /// Whether both tell the same mistake: the same message at the same places. Notes may differ, such as who called.
    pub fn is_same_fault(&self, other: &Diagnostic) -> bool {
        let places = |diagnostic: &Diagnostic| -> Vec<Location> {
            diagnostic
                .labels
                .iter()
                .map(|label| label.location.clone())
                .collect()
        };
        (self.severity, self.code) == (other.severity, other.code)
            && self.message == other.message
            && places(self) == places(other)
    }

    /// Points at a place, if there is one. The first place given is the main one.
    pub fn at(
        mut self: Box<Self>,
        location: impl Into<Option<Location>>,
        text: impl Into<String>,
    ) -> Box<Self> {
        if let Some(location) = location.into() {
            self.labels.push(Label {
                location,
                text: text.into(),
            });
        }
        self
    }

    /// Adds a fact.
    pub fn note(mut self: Box<Self>, text: impl Into<String>) -> Box<Self> {
        self.notes.push(text.into());
        self
    }

    /// Adds a remedy.
    pub fn help(mut self: Box<Self>, text: impl Into<String>) -> Box<Self> {
        self.help.push(text.into());
        self
    }

    /// Adds a remedy, if there is one.
    pub fn help_if(mut self: Box<Self>, text: Option<String>) -> Box<Self> {
        self.help.extend(text);
        self
    }

    /// Says which object it is about, unless a step further in has said so already.
    pub fn about(mut self: Box<Self>, object: ObjectReference) -> Box<Self> {
        self.object.get_or_insert(object);
        self
    }

    /// Says which field it is about, unless a step further in has said so already.
    pub fn in_field(mut self: Box<Self>, path: impl Into<String>) -> Box<Self> {
        self.field.get_or_insert_with(|| path.into());
        self
    }
}
