//! The state that all libraries of a build share.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{IsTerminal, Write};
use std::rc::Rc;

use super::content::Contents;
use super::input::{BuildInput, ValuesFindings};
use super::instance::LibraryInstance;
use crate::modules::MODULES;
use crate::overlay;
use crate::provenance::Recorder;
use crate::script::{Limits, Session};
use crate::source::world::World;
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result, Severity, visible_line};
use crate::workspace::file::InputFile;
use crate::workspace::library::LibraryTree;

/// The files of a build, the session of its programs, and the libraries that were instantiated.
///
/// Invariant: nothing here depends on a phase. Phases access the context through a `LibraryBuild`,
/// and programs access phases only through the `Loader` that their library was created with.
pub(super) struct BuildContext<'b> {
    pub(super) files: &'b [InputFile],
    pub(super) world: &'b dyn World,
    pub(super) tree: LibraryTree<'b>,
    pub(super) contents: Contents<'b>,
    pub(super) session: Session,
    pub(super) recorder: Recorder<'b>,
    pub(super) findings: Option<&'b ValuesFindings>,
    /// The instance that each library of the session evaluates, by the library's id.
    instances: RefCell<HashMap<usize, Rc<LibraryInstance>>>,
    /// Diagnostics of private libraries, except the error that the failed call returned.
    set_aside: RefCell<Vec<Diagnostic>>,
}

impl<'b> BuildContext<'b> {
    /// Creates the context of a build, with all modules in its session.
    pub(super) fn new(input: &BuildInput<'b>) -> BuildContext<'b> {
        BuildContext {
            files: input.files,
            world: input.world,
            tree: LibraryTree::new(input.files),
            contents: Contents::new(input),
            session: Session::new(Limits::default(), print)
                .with_modules(&MODULES)
                .with_module(overlay::module()),
            recorder: input.recorder,
            findings: input.findings,
            instances: RefCell::default(),
            set_aside: RefCell::default(),
        }
    }

    /// Reports the warnings of all libraries, as errors if `strict` is set.
    ///
    /// # Errors
    /// Fails if `strict` is set and there is a warning.
    pub(super) fn report_warnings(
        &self,
        strict: bool,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        // The same file may be compiled for two libraries, so it can have the same warning twice.
        for warning in self.contents.take_warnings() {
            self.session.warn(Box::new(warning));
        }
        let mut outcome = Ok(());
        for mut warning in self.session.take_warnings() {
            if strict {
                warning.severity = Severity::Error;
                outcome = Err(diagnostics.report(Box::new(warning)));
            } else {
                diagnostics.push(Box::new(warning));
            }
        }
        outcome
    }

    /// Records that the library with this id evaluates files of `instance`.
    pub(super) fn register(&self, library: usize, instance: &Rc<LibraryInstance>) {
        self.instances
            .borrow_mut()
            .insert(library, Rc::clone(instance));
    }

    /// Returns the instance that a library evaluates.
    ///
    /// # Errors
    /// Fails for a library of another build, which is a bug in Inlay.
    pub(super) fn instance(&self, library: usize) -> Result<Rc<LibraryInstance>> {
        let found = self.instances.borrow().get(&library).map(Rc::clone);
        found
            .ok_or_else(|| Diagnostic::error(Code::Internal, "a library that is not of this build"))
    }

    /// Runs phases of a private library with diagnostics of their own.
    ///
    /// Returns what they return, and the first error. The other diagnostics are kept for
    /// [`check_evaluation`](BuildContext::check_evaluation). Each gets a note that names the
    /// library.
    ///
    /// A call in a template can fail with only one error, but the user should see all of them.
    pub(super) fn within_library<T>(
        &self,
        library: &str,
        work: impl FnOnce(&mut Diagnostics) -> T,
    ) -> (T, Option<Box<Diagnostic>>) {
        // The template that calls may have called other libraries before. What was set aside for
        // them belongs to the template, and the files of this library must not take it.
        let earlier = self.set_aside.take();
        let mut diagnostics = Diagnostics::default();
        let outcome = work(&mut diagnostics);
        let left_over = self.set_aside.replace(earlier);

        let mut first_error = None;
        let mut set_aside = self.set_aside.borrow_mut();
        for diagnostic in diagnostics.as_slice().iter().chain(&left_over) {
            let diagnostic =
                Box::new(diagnostic.clone()).note(format!("in the library `{library}`"));
            if first_error.is_none() && diagnostic.severity == Severity::Error {
                first_error = Some(diagnostic);
            } else {
                set_aside.push(*diagnostic);
            }
        }
        (outcome, first_error)
    }

    /// Reports the error of evaluating a file, and the diagnostics that were set aside during the
    /// evaluation.
    ///
    /// # Errors
    /// Fails if the evaluation failed. A library that several files evaluate fails in each of them,
    /// but is reported once.
    pub(super) fn check_evaluation<T>(
        &self,
        outcome: Result<T>,
        diagnostics: &mut Diagnostics,
    ) -> Result<T, Reported> {
        // The same library can fail in many files with the same error.
        let outcome = outcome.map_err(|error| diagnostics.report_once(error));
        for diagnostic in self.set_aside.take() {
            // If the file succeeded although its library failed, its code handled the failure
            // (`assert.try_to`).
            if outcome.is_err() || diagnostic.severity != Severity::Error {
                diagnostics.push(Box::new(diagnostic));
            }
        }
        outcome
    }
}

/// Prints the output of code to standard error.
fn print(text: &str) {
    let mut errors = std::io::stderr().lock();
    // A terminal would interpret control characters in the text.
    let text = match errors.is_terminal() {
        true => Cow::Owned(
            text.split('\n')
                .map(visible_line)
                .collect::<Vec<_>>()
                .join("\n"),
        ),
        false => Cow::Borrowed(text),
    };
    // If standard error is closed, there is no way to report it.
    let _ = writeln!(errors, "{text}");
}
