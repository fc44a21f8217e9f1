//! Why an edit fails: the path leads nowhere, or something else is wrong.

use crate::source::{Code, Diagnostic, Location};

/// Why nothing came of it.
#[derive(Debug)]
pub enum EditFailure {
    /// The path leads nowhere.
    Missing(Box<Missing>),
    /// Something else is wrong.
    Diagnostic(Box<Diagnostic>),
}

impl From<Box<Diagnostic>> for EditFailure {
    fn from(diagnostic: Box<Diagnostic>) -> EditFailure {
        EditFailure::Diagnostic(diagnostic)
    }
}

impl EditFailure {
    /// Whether nothing is there, and nothing is wrong with what is.
    pub fn is_absent(&self) -> bool {
        matches!(self, EditFailure::Missing(missing) if missing.is_absent())
    }

    /// The diagnostic, where `message` says what was wanted of the path.
    pub fn diagnostic(self, message: impl FnOnce() -> String) -> Box<Diagnostic> {
        match self {
            EditFailure::Missing(missing) => missing.diagnostic(message()),
            EditFailure::Diagnostic(diagnostic) => diagnostic,
        }
    }

    /// The one that tells more, where the path was tried in several places: what is wrong before what is missing, and
    /// the place that was reached by more of the path before others.
    pub fn or_deeper(self, other: EditFailure) -> EditFailure {
        match (&self, &other) {
            (EditFailure::Missing(_), EditFailure::Diagnostic(_)) => other,
            (EditFailure::Missing(first), EditFailure::Missing(second))
                if second.depth > first.depth =>
            {
                other
            }
            _ => self,
        }
    }
}

/// What comes of a walk along a path.
pub type EditResult<T> = std::result::Result<T, EditFailure>;

/// The deepest place that a path reaches, and why it goes no further.
#[derive(Debug)]
pub struct Missing {
    /// What kind of dead end it is.
    pub(super) code: Code,
    /// How many segments of the path were found.
    pub(super) depth: usize,
    /// What the last of them leads to.
    pub(super) location: Option<Location>,
    /// What to say there: "`spec` has no field `replica`".
    pub(super) reason: String,
    /// What to do about it.
    pub(super) help: Option<String>,
    /// A complaint about the text of a string that should hold a document.
    pub(super) cause: Option<Box<Diagnostic>>,
}

impl Missing {
    /// Whether what was looked for is not there; a text that should hold a document and does not is another thing.
    pub(super) fn is_absent(&self) -> bool {
        self.code == Code::PathNotFound && self.cause.is_none()
    }

    /// The diagnostic. `message` says what was wanted, such as ``unable to find field "data.x" in replacement target``.
    pub fn diagnostic(self, message: String) -> Box<Diagnostic> {
        if let Some(cause) = self.cause {
            let Diagnostic {
                code,
                labels,
                notes,
                help,
                ..
            } = *cause;
            let mut diagnostic = Diagnostic::error(code, format!("{message}: {}", cause.message));
            diagnostic.labels = labels;
            diagnostic.notes = notes;
            diagnostic.help = help;
            return diagnostic.note(self.reason);
        }
        Diagnostic::error(self.code, format!("{message}: {}", self.reason))
            .at(self.location, self.reason)
            .help_if(self.help)
    }
}
