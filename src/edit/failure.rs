//! The reasons why an edit fails: its path leads to no value, or something else is wrong.

use crate::source::{Code, Diagnostic, Location};

/// The reason why an edit fails.
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
    /// Returns whether there is no value, and nothing is wrong with the values that exist.
    pub fn is_absent(&self) -> bool {
        matches!(self, EditFailure::Missing(missing) if missing.is_absent())
    }

    /// Returns whether another path was probably meant. The diagnostic names it.
    pub fn is_misspelt(&self) -> bool {
        matches!(self, EditFailure::Missing(missing) if missing.corrected.is_some())
    }

    /// Returns whether the path enters a text that does not parse, so that it is unknown whether
    /// the value exists.
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

    /// Returns the more helpful of two failures of the same path in several places. An error is
    /// preferred to a missing value. Of two missing values, the one is preferred for which more of
    /// the path was found.
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

/// The deepest place that a path reaches, and the reason why it goes no further.
#[derive(Debug)]
pub struct Missing {
    /// The code of the diagnostic.
    pub(super) code: Code,
    /// The number of segments of the path that were found.
    pub(super) depth: usize,
    /// The place that the last of them leads to.
    pub(super) location: Option<Location>,
    /// The message at that place, such as "`spec` has no field `replica`".
    pub(super) reason: String,
    /// The advice on how to fix it.
    pub(super) help: Option<String>,
    /// The path that was probably meant. It leads further.
    pub(super) corrected: Option<String>,
    /// The error in the text of a string that should contain a document.
    pub(super) cause: Option<Box<Diagnostic>>,
}

impl Missing {
    /// Returns whether there is simply no value. A text that should contain a document but does not
    /// parse is another kind of error.
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
            // A text that is too deep or too large is a document, so its format is known.
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
