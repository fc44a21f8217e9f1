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
    /// Returns whether nothing is there, and nothing is wrong with what is.
    pub fn is_absent(&self) -> bool {
        matches!(self, EditFailure::Missing(missing) if missing.is_absent())
    }

    /// Returns whether the path was probably meant to be another one, which the diagnostic names.
    pub fn is_misspelt(&self) -> bool {
        matches!(self, EditFailure::Missing(missing) if missing.corrected.is_some())
    }

    /// Returns whether the path enters a text that does not parse, so that nobody knows if the
    /// value is there.
    pub fn is_unreadable(&self) -> bool {
        matches!(self, EditFailure::Missing(missing) if missing.cause.is_some())
    }

    /// Returns the diagnostic. `message` describes the goal, such as ``unable to find field
    /// "data.x"``.
    pub fn diagnostic(self, message: impl FnOnce() -> String) -> Box<Diagnostic> {
        match self {
            EditFailure::Missing(missing) => missing.diagnostic(message()),
            EditFailure::Diagnostic(diagnostic) => diagnostic,
        }
    }

    /// Returns the more helpful of two failures of one path in several places: an error before a
    /// missing value, and of two missing values the one where more of the path was found.
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

/// The result of a walk along a path.
pub type EditResult<T> = std::result::Result<T, EditFailure>;

/// The deepest place that a path reaches, and why it goes no further.
#[derive(Debug)]
pub struct Missing {
    /// The code of the diagnostic.
    pub(super) code: Code,
    /// How many segments of the path were found.
    pub(super) depth: usize,
    /// Where the last of them leads.
    pub(super) location: Option<Location>,
    /// The message at that place: "`spec` has no field `replica`".
    pub(super) reason: String,
    /// How to fix it.
    pub(super) help: Option<String>,
    /// The path that was probably meant, which leads further.
    pub(super) corrected: Option<String>,
    /// The error in the text of a string that should contain a document.
    pub(super) cause: Option<Box<Diagnostic>>,
}

impl Missing {
    /// Returns whether there is simply no value. A text that should contain a document but does not
    /// parse is an error of another kind.
    pub(super) fn is_absent(&self) -> bool {
        self.code == Code::PathNotFound && self.cause.is_none()
    }

    /// Returns the diagnostic. `message` describes the goal, such as ``unable to find field
    /// "data.x" in replacement target``.
    pub fn diagnostic(self, message: String) -> Box<Diagnostic> {
        if let Some(cause) = self.cause {
            let Diagnostic {
                code,
                labels,
                notes,
                help,
                remedies,
                ..
            } = *cause;
            let mut diagnostic = Diagnostic::error(code, format!("{message}: {}", cause.message));
            diagnostic.labels = labels;
            diagnostic.notes = notes;
            diagnostic.help = help;
            diagnostic.remedies = remedies;
            // What is too deep or too large is a document, and its format is known.
            return match code {
                Code::Limit => diagnostic,
                _ => diagnostic.note(self.reason).help_if(self.help),
            };
        }
        let corrected = self.corrected.map(|path| format!("did you mean `{path}`?"));
        Diagnostic::error(self.code, format!("{message}: {}", self.reason))
            .at(self.location, self.reason)
            .help_if(corrected)
            .help_if(self.help)
    }
}
