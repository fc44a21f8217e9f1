//! What a run has to say: several diagnostics, in the order in which they were found.
//!
//! A step that fails says so here and lets the steps beside it go on, so that one run shows all that is wrong. A step
//! that needs what the failed one would have made is left out.

use super::{Code, Diagnostic, Result, Severity};

/// Nothing more is looked for after this many errors.
pub const ERROR_LIMIT: usize = 20;

/// Says that an error was reported: the [`Diagnostics`] of the run contain it.
///
/// A function that reports its errors itself returns `Result<T, Reported>`. So `?` works, the caller cannot overlook the
/// failure, and `Option` never means that something failed. Only [`Diagnostics`] creates this token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the run has failed"]
pub struct Reported(());

/// The diagnostics of a run.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    found: Vec<Diagnostic>,
    errors: usize,
}

impl Diagnostics {
    /// Adds a diagnostic. The last error that there is room for is followed by one that says so; errors after it are
    /// dropped.
    pub fn push(&mut self, diagnostic: Box<Diagnostic>) {
        if diagnostic.severity != Severity::Error {
            return self.found.push(*diagnostic);
        }
        if self.is_full() {
            return;
        }
        self.found.push(*diagnostic);
        self.errors += 1;
        if self.is_full() {
            let stopped = format!("stopped after {ERROR_LIMIT} errors");
            self.found.push(
                *Diagnostic::error(Code::Limit, stopped).help("mend these first, then run again"),
            );
        }
    }

    /// Reports an error and returns the token that says so.
    pub fn report(&mut self, error: Box<Diagnostic>) -> Reported {
        self.push(error);
        Reported(())
    }

    /// Reports an error, unless the same mistake was reported before.
    pub fn report_once(&mut self, error: Box<Diagnostic>) -> Reported {
        if !self.found.iter().any(|found| found.is_same_fault(&error)) {
            self.push(error);
        }
        Reported(())
    }

    /// Returns the value of `result`, or reports its error.
    ///
    /// # Errors
    /// The error was reported.
    pub fn check<T>(&mut self, result: Result<T>) -> Result<T, Reported> {
        result.map_err(|error| self.report(error))
    }

    /// Succeeds if no error was reported so far.
    ///
    /// A step that goes on after an error, so that one run reports every mistake, ends with this.
    ///
    /// # Errors
    /// An error was reported, by this step or an earlier one.
    pub fn outcome(&self) -> Result<(), Reported> {
        if self.failed() {
            Err(Reported(()))
        } else {
            Ok(())
        }
    }

    /// Adds those of a step.
    pub fn append(&mut self, others: Diagnostics) {
        others
            .found
            .into_iter()
            .for_each(|diagnostic| self.push(Box::new(diagnostic)));
    }

    /// The value, or `None` after adding the error.
    pub fn take<T>(&mut self, result: Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    /// Whether there is an error, so that what the run made is to be thrown away.
    pub fn failed(&self) -> bool {
        self.errors > 0
    }

    /// How many errors there are.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// Whether there are so many errors that looking for more is of no use.
    pub fn is_full(&self) -> bool {
        self.errors >= ERROR_LIMIT
    }

    /// All diagnostics, in order.
    pub fn as_slice(&self) -> &[Diagnostic] {
        &self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_is_no_failure() {
        let mut diagnostics = Diagnostics::default();
        diagnostics.push(Diagnostic::warning(Code::Selector, "w"));
        assert!(!diagnostics.failed());
        diagnostics.push(Diagnostic::error(Code::Selector, "e"));
        assert!(diagnostics.failed());
        let messages: Vec<&str> = diagnostics
            .as_slice()
            .iter()
            .map(|diagnostic| &*diagnostic.message)
            .collect();
        assert_eq!(messages, ["w", "e"]);
    }

    #[test]
    fn errors_past_the_limit_are_dropped_and_the_last_line_says_so() {
        let mut diagnostics = Diagnostics::default();
        for number in 0..100 {
            diagnostics.push(Diagnostic::error(Code::Selector, number.to_string()));
        }
        assert_eq!(diagnostics.as_slice().len(), ERROR_LIMIT + 1);
        assert_eq!(
            diagnostics.as_slice()[ERROR_LIMIT].message,
            "stopped after 20 errors"
        );
    }
}
