//! A diagnostic on its way through Starlark.
//!
//! A native function fails with an error of the crate. The crate adds the call stack and passes the
//! error on to where the evaluation was started; [`error::diagnose`](super::error::diagnose) takes
//! the diagnostic out again and adds the calls.

use std::fmt;

use crate::source::{Code, Diagnostic, Limit, Location};

/// A diagnostic inside an error of the `starlark` crate.
#[derive(Debug)]
pub(in crate::script) struct Failure(pub(crate) Box<Diagnostic>);

impl Failure {
    /// Returns the failure of a program that does something wrong.
    pub(in crate::script) fn new(message: impl Into<String>) -> Failure {
        Failure(Diagnostic::error(Code::Script, message))
    }

    /// Returns the failure of a program that reaches a limit which can be raised.
    pub(in crate::script) fn exceeded(limit: Limit, message: impl Into<String>) -> Failure {
        Failure(limit.exceeded(message))
    }

    /// Returns the failure of a program that reaches a fixed limit.
    pub(in crate::script) fn limit(message: impl Into<String>) -> Failure {
        Failure(Diagnostic::error(Code::Limit, message))
    }

    /// Returns whether the program has reached a limit.
    pub(in crate::script) fn is_limit(&self) -> bool {
        self.0.code == Code::Limit
    }

    /// Adds how to fix it.
    pub(in crate::script) fn help(self, text: impl Into<String>) -> Failure {
        Failure(self.0.help(text))
    }

    /// Adds how to fix it, if that is known.
    pub(in crate::script) fn help_if(self, text: Option<String>) -> Failure {
        Failure(self.0.help_if(text))
    }

    /// Sets the message for a template that catches the error.
    pub(in crate::script) fn caught_as(self, message: impl Into<String>) -> Failure {
        Failure(self.0.caught_as(message))
    }

    /// Points an error at a place, if it is a failure without a place.
    pub(in crate::script) fn locate(error: starlark::Error, place: Location) -> starlark::Error {
        let failure = match error.kind() {
            starlark::ErrorKind::Other(inner) => inner.downcast_ref::<Failure>(),
            _ => None,
        };
        match failure {
            // An error with a place happened deeper inside, and that place is more precise.
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
