//! A diagnostic on its way through Starlark.
//!
//! A native function fails with an error of the crate. The crate adds the call stack and passes the
//! error to the code that started the evaluation. There,
//! [`error::diagnose`](super::error::diagnose) extracts the diagnostic and adds the calls.

use std::fmt;

use crate::source::{Code, Diagnostic, Limit, Location};

/// A diagnostic inside an error of the `starlark` crate.
#[derive(Debug)]
pub(in crate::script) struct Failure(pub(crate) Box<Diagnostic>);

impl Failure {
    /// Returns a failure caused by a mistake of the program.
    pub(in crate::script) fn new(message: impl Into<String>) -> Failure {
        Failure(Diagnostic::error(Code::Script, message))
    }

    /// Returns the failure of a program that reaches a configurable limit.
    pub(in crate::script) fn exceeded(limit: Limit, message: impl Into<String>) -> Failure {
        Failure(limit.exceeded(message))
    }

    /// Returns the failure of a program that needs at least the value `needed` of `limit`.
    pub(in crate::script) fn exceeded_by(
        limit: Limit,
        needed: usize,
        message: impl Into<String>,
    ) -> Failure {
        Failure(limit.exceeded_by(needed as u64, message))
    }

    /// Returns the failure of a program that reaches a fixed limit.
    pub(in crate::script) fn limit(message: impl Into<String>) -> Failure {
        Failure(Diagnostic::error(Code::Limit, message))
    }

    /// Returns whether the program has reached a limit.
    pub(in crate::script) fn is_limit(&self) -> bool {
        self.0.code == Code::Limit
    }

    /// Adds a help line.
    pub(in crate::script) fn help(self, text: impl Into<String>) -> Failure {
        Failure(self.0.help(text))
    }

    /// Adds a help line, if there is one.
    pub(in crate::script) fn help_if(self, text: Option<String>) -> Failure {
        Failure(self.0.help_if(text))
    }

    /// Sets the message for a template that catches the error.
    pub(in crate::script) fn caught_as(self, message: impl Into<String>) -> Failure {
        Failure(self.0.caught_as(message))
    }

    /// Adds a place to an error, if it is a failure without a place.
    pub(in crate::script) fn locate(error: starlark::Error, place: Location) -> starlark::Error {
        let failure = match error.kind() {
            starlark::ErrorKind::Other(inner) => inner.downcast_ref::<Failure>(),
            _ => None,
        };
        match failure {
            // An error with a place happened deeper inside, so its place is more precise.
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
