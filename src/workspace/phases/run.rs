//! What all libraries of a build share: the files, the session of their programs, and what was evaluated before.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::Write;
use std::rc::Rc;
use std::sync::Arc;

use super::instance::Instance;
use super::programs::Programs;
use super::{Input, library_module};
use crate::overlay;
use crate::script::{
    Arguments, Caller, Exported, HostFunction, Library, Limits, Loader, Program, Session, Value,
};
use crate::source::world::{World, source_of};
use crate::source::{Code, Diagnostic, Diagnostics, Result, Severity};
use crate::workspace::file::InputFile;
use crate::workspace::library::LibraryTree;

/// One run.
pub(super) struct Run<'b> {
    pub(super) files: &'b [InputFile],
    pub(super) tree: LibraryTree<'b>,
    pub(super) programs: Programs<'b>,
    pub(super) session: Session,
    /// What was evaluated for private libraries.
    pub(super) memory: library_module::Memory,
    world: &'b dyn World,
    /// The instance that each library of the session is, by its number.
    instances: RefCell<HashMap<usize, Rc<Instance>>>,
    /// What is wrong inside of libraries beside the one mistake that the call of the library fails with.
    beside: RefCell<Vec<Diagnostic>>,
}

impl<'b> Run<'b> {
    pub(super) fn new(input: &Input<'b>) -> Run<'b> {
        Run {
            files: input.files,
            tree: LibraryTree::new(input.files),
            programs: Programs::new(input.files, input.world),
            session: Session::new(Limits::default(), print).with_module(overlay::module()),
            memory: library_module::Memory::default(),
            world: input.world,
            instances: RefCell::default(),
            beside: RefCell::default(),
        }
    }

    /// The library in which the files of an instance see these data values.
    pub(super) fn library(&self, instance: &Rc<Instance>, values: &Exported) -> Library<'_> {
        let library = Library::seeing(&self.session, self, values);
        self.instances
            .borrow_mut()
            .insert(library.id(), Rc::clone(instance));
        library
    }

    /// The instance that a library of the session is.
    ///
    /// # Errors
    /// A library of another run, which would be a fault here.
    pub(super) fn instance(&self, library: usize) -> Result<Rc<Instance>> {
        let found = self.instances.borrow().get(&library).map(Rc::clone);
        found
            .ok_or_else(|| Diagnostic::error(Code::Internal, "a library that is not of this build"))
    }

    /// Keeps all diagnostics of a library but the first error, and returns that. All say that they are of the `library`.
    pub(super) fn set_aside(
        &self,
        diagnostics: &Diagnostics,
        library: &str,
    ) -> Option<Box<Diagnostic>> {
        let all = diagnostics.as_slice().iter().cloned().map(Box::new);
        let mut all: Vec<Diagnostic> = all
            .map(|one| *one.note(format!("in the library `{library}`")))
            .collect();
        let first = all
            .iter()
            .position(|diagnostic| diagnostic.severity == Severity::Error);
        let first = first.map(|first| Box::new(all.remove(first)));
        self.beside.borrow_mut().append(&mut all);
        first
    }

    /// Takes the outcome of evaluating a file, and says what was set aside meanwhile. A library that several files
    /// evaluate fails in each of them, and is told once.
    pub(super) fn take<T>(&self, outcome: Result<T>, diagnostics: &mut Diagnostics) -> Option<T> {
        let is_told = |error: &Diagnostic| {
            diagnostics
                .as_slice()
                .iter()
                .any(|told| told.is_same_fault(error))
        };
        // Where the file succeeds, its code expected that the library may fail.
        let is_expected = outcome.is_ok();
        let outcome = match outcome {
            Err(error) if is_told(&error) => None,
            outcome => diagnostics.take(outcome),
        };
        let beside = self.beside.take().into_iter();
        let beside =
            beside.filter(|diagnostic| !(is_expected && diagnostic.severity == Severity::Error));
        beside.for_each(|diagnostic| diagnostics.push(Box::new(diagnostic)));
        outcome
    }
}

impl Loader for Run<'_> {
    fn find(&self, path: &str, from: &Program) -> Result<Arc<Program>> {
        let (place, options) = self.programs.place_of(from)?;
        self.programs.program(self.tree.load(path, place)?, options)
    }

    fn read(&self, path: &str, from: &Program) -> Result<String> {
        let (place, _) = self.programs.place_of(from)?;
        let file = self.programs.file(self.tree.read(path, place)?.file)?;
        source_of(file.path.to_string(), file.read(self.world)?)
            .map(|source| source.text().to_owned())
    }

    fn list(&self, path: Option<&str>, from: &Program) -> Result<Vec<String>> {
        let (place, _) = self.programs.place_of(from)?;
        self.tree.list(path, place)
    }

    fn module(&self, name: &str, library: usize, from: &Arc<Program>) -> Option<Vec<HostFunction>> {
        (name == library_module::NAME).then(|| library_module::functions(library, from))
    }

    fn call<'v>(
        &self,
        function: &HostFunction,
        caller: &mut Caller<'_, 'v>,
        arguments: Arguments<'v>,
    ) -> Result<Value<'v>> {
        library_module::call(self, function, caller, arguments)
    }
}

/// Shows what code prints. Nothing can be done where standard error itself is gone.
fn print(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}
