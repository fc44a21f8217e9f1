//! A failure on its way through Starlark: the diagnostic that a native function wants to be shown.

use std::fmt;

use crate::source::{Code, Diagnostic, Location};

/// A diagnostic inside an error of the `starlark` crate.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) Box<Diagnostic>);

impl Failure {
    /// A failure of the program.
    pub(crate) fn new(message: impl Into<String>) -> Failure {
        Failure(Diagnostic::error(Code::Script, message))
    }

    /// A limit that was reached.
    pub(crate) fn limit(message: impl Into<String>) -> Failure {
        Failure(Diagnostic::error(Code::Limit, message))
    }

    pub(crate) fn help(self, text: impl Into<String>) -> Failure {
        Failure(self.0.help(text))
    }

    pub(crate) fn help_if(self, text: Option<String>) -> Failure {
        Failure(self.0.help_if(text))
    }

    /// Points an error at a place, if it is a failure that points nowhere yet.
    pub(crate) fn locate(error: starlark::Error, place: Location) -> starlark::Error {
        let failure = match error.kind() {
            starlark::ErrorKind::Other(inner) => inner.downcast_ref::<Failure>(),
            _ => None,
        };
        match failure {
            Some(Failure(diagnostic)) if diagnostic.labels.is_empty() => {
                Failure(Box::new(Diagnostic::clone(diagnostic)).at(place, "")).into()
            }
            _ => error,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Failure {}

impl From<Box<Diagnostic>> for Failure {
    fn from(diagnostic: Box<Diagnostic>) -> Failure {
        Failure(diagnostic)
    }
}

impl From<Failure> for starlark::Error {
    fn from(failure: Failure) -> starlark::Error {
        starlark::Error::new_other(failure)
    }
}
