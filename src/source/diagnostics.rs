//! The diagnostics of a run, in the order in which they were found.
//!
//! A step that fails reports its error here, and independent steps continue, so that one run shows
//! every mistake. Steps that need the result of the failed one are skipped. [`Reported`] expresses
//! the failure in the type.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Code, Diagnostic, Location, Result, Severity, Source};

/// The number of errors after which a run stops searching for mistakes. Users would not read more,
/// and further errors often have the same cause.
pub const ERROR_LIMIT: usize = 20;

/// The token of an error that was reported and is in the [`Diagnostics`] of the run.
///
/// A function that reports its errors itself returns `Result<T, Reported>`. So `?` works, the
/// caller cannot overlook the failure, and `Option` never means that an operation failed. Only
/// [`Diagnostics`] creates this token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the run has failed"]
pub struct Reported(());

/// Returns all values, or the failure if at least one of `results` is a failure.
///
/// Unlike [`Iterator::collect`], it does not stop at the first failure, so that every item reports
/// its mistakes.
///
/// # Errors
/// The token, if at least one result is an error, which was already reported.
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
    /// The files that may contain secrets which messages could quote.
    watched: Vec<Arc<Source>>,
    /// The places of values that are secret regardless of the content of the file.
    secrets: Vec<Location>,
    /// Secret texts that messages may quote and that are in no file, such as those of a template.
    secret_texts: BTreeSet<Box<str>>,
}

impl Diagnostics {
    /// Adds a diagnostic, and the further errors that its step has found.
    ///
    /// The last error within [`ERROR_LIMIT`] is followed by an error that reports the limit.
    /// Further errors are dropped. Warnings are always kept.
    pub fn push(&mut self, mut diagnostic: Box<Diagnostic>) {
        let further_errors = std::mem::take(&mut diagnostic.further_errors);
        self.push_one(diagnostic);
        for error in further_errors {
            self.push_one(Box::new(error));
        }
    }

    fn push_one(&mut self, diagnostic: Box<Diagnostic>) {
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

    /// Reports an error and returns the token for it.
    pub fn report(&mut self, error: Box<Diagnostic>) -> Reported {
        self.push(error);
        Reported(())
    }

    /// Adds a diagnostic that is an error or a warning.
    ///
    /// # Errors
    /// The token, if the diagnostic is an error.
    pub fn report_by_severity(&mut self, diagnostic: Box<Diagnostic>) -> Result<(), Reported> {
        match diagnostic.severity {
            Severity::Error => Err(self.report(diagnostic)),
            _ => {
                self.push(diagnostic);
                Ok(())
            }
        }
    }

    /// Reports an error whose creation needs a search. It is not created if it would be dropped.
    pub fn report_with(&mut self, error: impl FnOnce() -> Box<Diagnostic>) -> Reported {
        if !self.is_full() {
            self.push(error());
        }
        Reported(())
    }

    /// Adds a diagnostic, unless the same mistake was added before.
    pub fn push_once(&mut self, diagnostic: Box<Diagnostic>) {
        let mut found = self.found.iter();
        if !found.any(|found| found.is_same_fault(&diagnostic)) {
            self.push(diagnostic);
        }
    }

    /// Reports an error, unless the same mistake was reported before.
    pub fn report_once(&mut self, error: Box<Diagnostic>) -> Reported {
        self.push_once(error);
        Reported(())
    }

    /// Returns the value of `result`, or reports its error.
    ///
    /// `diagnostics.check(step())?` reports the error and returns from the function.
    ///
    /// # Errors
    /// The token of the reported error.
    pub fn check<T>(&mut self, result: Result<T>) -> Result<T, Reported> {
        result.map_err(|error| self.report(error))
    }

    /// Succeeds if no error was reported so far.
    ///
    /// A step that continues after an error, so that one run reports every mistake, ends with this
    /// call.
    ///
    /// # Errors
    /// The token, if this step or an earlier one reported an error.
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

    /// Adds the diagnostics of a step that collected them separately.
    pub fn append(&mut self, others: Diagnostics) {
        for diagnostic in others.found {
            self.push(Box::new(diagnostic));
        }
        self.watched.extend(others.watched);
        self.secrets.extend(others.secrets);
        self.secret_texts.extend(others.secret_texts);
    }

    /// Removes the diagnostics that a caller does not want to show.
    pub fn retain(&mut self, keep: impl Fn(&Diagnostic) -> bool) {
        self.found.retain(keep);
        let errors = self.found.iter();
        self.errors = errors
            .filter(|diagnostic| diagnostic.severity == Severity::Error)
            .count();
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

    /// Returns whether there is an error, so that the result of the run must not be used.
    pub fn failed(&self) -> bool {
        self.errors > 0
    }

    /// Returns the number of errors.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// Returns whether the error limit is reached, so that there is no need to search for further
    /// mistakes.
    pub fn is_full(&self) -> bool {
        self.errors >= ERROR_LIMIT
    }

    /// Returns all diagnostics, so that a caller can add facts that the step does not know.
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
    fn reports_further_errors_with_what_outer_steps_add() {
        let mut error = Diagnostic::error(Code::UndefinedName, "a");
        let further = Diagnostic::error(Code::UndefinedName, "b").in_field("spec");
        error.further_errors.push(*further);
        let mut diagnostics = Diagnostics::default();
        diagnostics.push(error.note("in c").in_field("metadata"));
        let found = diagnostics.as_slice().iter();
        let found: Vec<_> = found
            .map(|error| (&*error.message, &*error.notes[0], error.field.as_deref()))
            .collect();
        let expected = [("a", "in c", Some("metadata")), ("b", "in c", Some("spec"))];
        assert_eq!(found, expected);
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
