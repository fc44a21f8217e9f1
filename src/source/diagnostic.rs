//! The common type of all errors, warnings and remarks.
//!
//! No code matches on the kind of an error, so there is one error type for the whole crate. It
//! contains the data of all printed forms: the places, the remedy, and the resource and field for
//! the results of a KRM function.
//!
//! Rules for a message: it is short, in lower case, without a final full stop, and uses the terms
//! of the user and not of this program. It says first what was expected, then what was found. A
//! remedy is a `help` line, never part of the message.

use std::collections::BTreeSet;

use super::{Code, Location, Remedy};

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing is wrong.
    Info,
    /// The run continues, but its result may not be the intended one.
    Warning,
    /// The run fails and nothing is written.
    Error,
}

impl Severity {
    /// Returns the name that every output format uses, also as the `severity` of a KRM result.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A place that a diagnostic points at.
#[derive(Clone, Debug)]
pub struct Label {
    /// The place. It may be inside an embedded document; renderers convert it to a place in the
    /// file.
    pub location: Location,
    /// The text printed next to the underlined source; may be empty.
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
    /// `metadata.namespace`; empty if it is missing.
    pub namespace: String,
}

/// An error, a warning or a remark for the user.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// Its kind.
    pub code: Code,
    /// The message, in one line.
    pub message: String,
    /// The message for a template that catches the error, if it differs. Templates compare messages
    /// that they catch, so this one is in the words of ytt.
    pub caught_as: Option<String>,
    /// The places that it is about. The first is the main one.
    pub labels: Vec<Label>,
    /// Facts that explain it.
    pub notes: Vec<String>,
    /// Advice for the user: a command or an edit.
    pub help: Vec<String>,
    /// Advice for programs: the part of the help that can be recognized.
    pub remedies: Vec<Remedy>,
    /// The object it is about, for KRM results.
    pub object: Option<ObjectReference>,
    /// The field of that object, as a field path.
    pub field: Option<String>,
    /// Secret texts that the diagnostic may quote and that are in no file, such as those of a
    /// template.
    pub secret_texts: BTreeSet<Box<str>>,
    /// Further errors that the failed step has found. They become diagnostics of their own when this
    /// one is reported. Until then, they get the same notes, object and field.
    pub further_errors: Vec<Diagnostic>,
}

/// The maximum length of one text of a diagnostic. A message may contain any value: `fail("x" *
/// 16000000)`.
const TEXT_LIMIT: usize = 16 << 10;

/// Cuts a text that is too long to read.
fn bounded(text: String) -> String {
    if text.len() <= TEXT_LIMIT {
        return text;
    }
    let end = (0..=TEXT_LIMIT)
        .rev()
        .find(|end| text.is_char_boundary(*end));
    let start = text.get(..end.unwrap_or(0)).unwrap_or_default();
    format!("{start}… ({} bytes)", text.len())
}

/// The result of a step that fails with one diagnostic.
///
/// The error is boxed because a diagnostic is ten times as large as most values, and every success
/// would pay for its size (clippy's `result_large_err`).
pub type Result<T, E = Box<Diagnostic>> = std::result::Result<T, E>;

impl Diagnostic {
    /// Creates an error without a place.
    pub fn error(code: Code, message: impl Into<String>) -> Box<Diagnostic> {
        Diagnostic::new(Severity::Error, code, message)
    }

    /// Creates a warning without a place.
    pub fn warning(code: Code, message: impl Into<String>) -> Box<Diagnostic> {
        Diagnostic::new(Severity::Warning, code, message)
    }

    fn new(severity: Severity, code: Code, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic {
            severity,
            code,
            message: bounded(message.into()),
            caught_as: None,
            labels: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
            remedies: Vec::new(),
            object: None,
            field: None,
            secret_texts: BTreeSet::new(),
            further_errors: Vec::new(),
        })
    }

    /// Returns whether both report the same mistake: the same message at the same places.
    ///
    /// Notes are not compared. A template function that fails in two calls is one mistake with two
    /// different callers.
    pub fn is_same_fault(&self, other: &Diagnostic) -> bool {
        let own_places = self.labels.iter().map(|label| &label.location);
        let other_places = other.labels.iter().map(|label| &label.location);
        (self.severity, self.code) == (other.severity, other.code)
            && self.message == other.message
            && own_places.eq(other_places)
    }

    /// Adds a place, if there is one. The first place added is the main one.
    pub fn at(
        mut self: Box<Self>,
        location: impl Into<Option<Location>>,
        text: impl Into<String>,
    ) -> Box<Self> {
        if let Some(location) = location.into() {
            self.labels.push(Label {
                location,
                text: bounded(text.into()),
            });
        }
        self
    }

    /// Returns whether the diagnostic has a place in a text.
    pub fn has_place(&self) -> bool {
        !self.labels.is_empty()
    }

    /// Sets the message for a template that catches the error.
    pub fn caught_as(mut self: Box<Self>, message: impl Into<String>) -> Box<Self> {
        self.caught_as = Some(bounded(message.into()));
        self
    }

    /// Returns the message for a template that catches the error.
    pub fn caught_message(&self) -> &str {
        self.caught_as.as_deref().unwrap_or(&self.message)
    }

    /// Adds a fact that explains the diagnostic and its further errors.
    pub fn note(mut self: Box<Self>, text: impl Into<String>) -> Box<Self> {
        let text = bounded(text.into());
        for further in &mut self.further_errors {
            further.notes.push(text.clone());
        }
        self.notes.push(text);
        self
    }

    /// Adds advice for the user.
    pub fn help(mut self: Box<Self>, text: impl Into<String>) -> Box<Self> {
        let text = bounded(text.into());
        self.remedies.extend(Remedy::in_help(&text));
        self.help.push(text);
        self
    }

    /// Adds advice for the user, if there is any.
    pub fn help_if(self: Box<Self>, text: Option<String>) -> Box<Self> {
        match text {
            Some(text) => self.help(text),
            None => self,
        }
    }

    /// Replaces the advice for the user.
    pub fn only_help(mut self: Box<Self>, text: impl Into<String>) -> Box<Self> {
        self.help.clear();
        self.remedies.clear();
        self.help(text)
    }

    /// Sets the object that it and its further errors are about, unless an inner step has set it,
    /// which knows it better.
    pub fn about(mut self: Box<Self>, object: ObjectReference) -> Box<Self> {
        for further in &mut self.further_errors {
            further.object.get_or_insert_with(|| object.clone());
        }
        self.object.get_or_insert(object);
        self
    }

    /// Sets the field that it and its further errors are about, unless an inner step has set it,
    /// which knows it better.
    pub fn in_field(mut self: Box<Self>, path: impl Into<String>) -> Box<Self> {
        let path = path.into();
        for further in &mut self.further_errors {
            further.field.get_or_insert_with(|| path.clone());
        }
        self.field.get_or_insert(path);
        self
    }
}
