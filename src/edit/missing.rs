//! Why a path leads nowhere.

use crate::source::{Code, Diagnostic, Location};

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
