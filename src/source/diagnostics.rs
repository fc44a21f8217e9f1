//! The diagnostics of a run, in the order in which they were found.
//!
//! A step that fails reports its error here, and the steps beside it continue, so that one run
//! shows every mistake. Steps that need the result of the failed one are skipped. [`Reported`]
//! keeps the failure in the type.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Code, Diagnostic, Location, Result, Severity, Source};

/// A run stops looking for mistakes after this many errors. More would not be read, and often have
/// the same cause.
pub const ERROR_LIMIT: usize = 20;

/// The token of an error that was reported: the [`Diagnostics`] of the run contain it.
///
/// A function that reports its errors itself returns `Result<T, Reported>`. So `?` works, the
/// caller cannot overlook the failure, and `Option` never means that something failed. Only
/// [`Diagnostics`] creates this token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the run has failed"]
pub struct Reported(());

/// Returns all values, or the failure if there is one among `results`.
///
/// Unlike [`Iterator::collect`], it does not stop at the first failure, so that every item reports
/// its mistakes.
///
/// # Errors
/// At least one of the results is an error, which was reported.
pub fn collect_all<T>(
    results: impl IntoIterator<Item = Result<T, Reported>>,
) -> Result<Vec<T>, Reported> {
    let mut values = Vec::new();
    let mut outcome = Ok(());
    for result in results {
        match result {
            Ok(value) => values.push(value),
            Err(reported) => outcome = Err(reported),
        }
    }
    outcome.map(|()| values)
}

/// The diagnostics of a run.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    found: Vec<Diagnostic>,
    /// The number of errors in `found`, without the one that reports the limit.
    errors: usize,
    /// The files that may contain secrets which messages quote.
    watched: Vec<Arc<Source>>,
    /// The places of values that are secret whatever the file says.
    secrets: Vec<Location>,
    /// Secret texts that messages may quote and that are in no file, such as those of a template.
    secret_texts: BTreeSet<Box<str>>,
}

impl Diagnostics {
    /// Adds a diagnostic.
    ///
    /// The last error within [`ERROR_LIMIT`] is followed by one that reports the limit. Errors
    /// after it are dropped; warnings are always kept.
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
                *Diagnostic::error(Code::Limit, stopped).help("fix these first, then run again"),
            );
        }
    }

    /// Reports an error and returns the token that says so.
    pub fn report(&mut self, error: Box<Diagnostic>) -> Reported {
        self.push(error);
        Reported(())
    }

    /// Reports an error that takes a search to explain. It is not made if it would be dropped.
    pub fn report_with(&mut self, error: impl FnOnce() -> Box<Diagnostic>) -> Reported {
        if !self.is_full() {
            self.push(error());
        }
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
    /// `diagnostics.check(step())?` reports the error and leaves the function.
    ///
    /// # Errors
    /// The error was reported.
    pub fn check<T>(&mut self, result: Result<T>) -> Result<T, Reported> {
        result.map_err(|error| self.report(error))
    }

    /// Succeeds if no error was reported so far.
    ///
    /// A step that continues after an error, so that one run reports every mistake, ends with this.
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

    /// Turns every warning into an error.
    pub fn deny_warnings(&mut self) {
        for diagnostic in &mut self.found {
            if diagnostic.severity == Severity::Warning {
                diagnostic.severity = Severity::Error;
                self.errors += 1;
            }
        }
    }

    /// Adds the diagnostics of a step that collected its own.
    pub fn append(&mut self, others: Diagnostics) {
        for diagnostic in others.found {
            self.push(Box::new(diagnostic));
        }
        self.watched.extend(others.watched);
        self.secrets.extend(others.secrets);
        self.secret_texts.extend(others.secret_texts);
    }

    /// Remembers a file whose values messages may quote. Its secrets are hidden in them.
    pub fn watch(&mut self, source: &Arc<Source>) {
        self.watched.push(Arc::clone(source));
    }

    /// Remembers a value that is secret.
    pub fn keep_secret(&mut self, location: Location) {
        self.secrets.push(location);
    }

    /// Remembers a secret text that messages may quote.
    pub fn keep_secret_text(&mut self, text: &str) {
        self.secret_texts.insert(text.into());
    }

    /// Returns the files that are watched.
    pub fn watched(&self) -> &[Arc<Source>] {
        &self.watched
    }

    /// Returns the places of values that are secret.
    pub fn secrets(&self) -> &[Location] {
        &self.secrets
    }

    /// Returns the secret texts that are in no file.
    pub fn secret_texts(&self) -> &BTreeSet<Box<str>> {
        &self.secret_texts
    }

    /// Returns true if there is an error, so that the result of the run must not be used.
    pub fn failed(&self) -> bool {
        self.errors > 0
    }

    /// Returns the number of errors.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// Returns true if the error limit is reached, so that looking for more is useless.
    pub fn is_full(&self) -> bool {
        self.errors >= ERROR_LIMIT
    }

    /// Returns all diagnostics, to add what only the caller of a step knows.
    pub fn as_mut_slice(&mut self) -> &mut [Diagnostic] {
        &mut self.found
    }

    /// Returns all diagnostics, in the order in which they were found.
    pub fn as_slice(&self) -> &[Diagnostic] {
        &self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn does_not_fail_because_of_a_warning() {
        let mut diagnostics = Diagnostics::default();
        diagnostics.push(Diagnostic::warning(Code::Selector, "w"));
        assert!(!diagnostics.failed());
        diagnostics.push(Diagnostic::error(Code::Selector, "e"));
        assert!(diagnostics.failed());
        let found = diagnostics.as_slice();
        assert_eq!((&*found[0].message, &*found[1].message), ("w", "e"));
    }

    #[test]
    fn denies_warnings() {
        let mut diagnostics = Diagnostics::default();
        diagnostics.push(Diagnostic::warning(Code::Selector, "w"));
        diagnostics.deny_warnings();
        assert_eq!(diagnostics.errors(), 1);
        assert_eq!(diagnostics.as_slice()[0].severity, Severity::Error);
    }

    #[test]
    fn drops_errors_beyond_the_limit_and_reports_the_limit() {
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
