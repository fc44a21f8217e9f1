//! The state that all libraries of one run share.

use std::cell::{Cell, OnceCell, Ref, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use starlark::codemap::FileSpan;
use starlark::environment::Globals;
use starlark::values::OwnedFrozenValue;

use super::failure::Failure;
use super::fragments::{Annotations, Built};
use super::function::NativeModule;
use super::limits::Limits;
use super::program::{Program, file_span};
use crate::source::{Diagnostic, Limit, Location};
use crate::yaml::{AheadPrinter, PrintedRun};

/// One run: its limits, modules and annotations, and the programs that errors may refer to.
pub struct Session {
    /// Receives the lines that programs print.
    pub(super) print: Box<dyn Fn(&str)>,
    pub(super) limits: Limits,
    pub(super) modules: Vec<NativeModule>,
    /// The predeclared functions of every program, created when the first program runs.
    pub(super) globals: OnceCell<Globals>,
    /// The function that adds items to a list, created when it is first needed.
    pub(super) list_extension: OnceCell<OwnedFrozenValue>,
    /// Prints documents while templates build others, if the output is printed.
    ahead: RefCell<Option<AheadPrinter>>,
    /// The annotations of all nodes that were built.
    pub(super) annotations: RefCell<Annotations>,
    /// The arguments of annotations, by the number of the evaluation that computed them; `None` for
    /// an evaluation without annotations.
    pub(super) arguments: RefCell<Vec<Option<OwnedFrozenValue>>>,
    /// The warnings recorded since they were last taken.
    warnings: RefCell<Vec<Diagnostic>>,
    programs: RefCell<HashMap<usize, Arc<Program>>>,
    evaluations: Cell<usize>,
    libraries: Cell<usize>,
    /// The number of calls that wait for an evaluation that they started.
    suspended: Cell<usize>,
    /// The bytes that templates have built.
    built: Cell<usize>,
    /// The limit that a program exceeded last, if the crate noticed it.
    exceeded: RefCell<Option<Failure>>,
}

impl Session {
    /// Starts a run whose programs print through `print`.
    pub fn new(limits: Limits, print: impl Fn(&str) + 'static) -> Session {
        Session {
            print: Box::new(print),
            limits,
            modules: Vec::new(),
            globals: OnceCell::new(),
            list_extension: OnceCell::new(),
            ahead: RefCell::default(),
            annotations: RefCell::default(),
            arguments: RefCell::default(),
            warnings: RefCell::default(),
            programs: RefCell::default(),
            evaluations: Cell::new(0),
            libraries: Cell::new(0),
            suspended: Cell::new(0),
            built: Cell::new(0),
            exceeded: RefCell::default(),
        }
    }

    /// Adds a module that programs can load.
    pub fn with_module(mut self, module: NativeModule) -> Session {
        self.modules.push(module);
        self
    }

    /// Adds modules that programs can load.
    pub fn with_modules(mut self, modules: &[NativeModule]) -> Session {
        self.modules.extend_from_slice(modules);
        self
    }

    /// Sets whether documents are printed while templates build others.
    pub fn print_ahead(&self, is_on: bool) {
        self.ahead.replace(is_on.then(AheadPrinter::default));
    }

    /// Prints a document of a template as it is now, on another thread.
    pub(super) fn complete_document(&self, document: &Built) {
        // A document with annotations is an overlay, or is changed by one.
        if document.annotations.is_empty()
            && let Some(ahead) = &mut *self.ahead.borrow_mut()
        {
            ahead.add(&document.root);
        }
    }

    /// Returns the documents that were printed.
    pub fn take_printed(&self) -> Vec<PrintedRun> {
        let ahead = self.ahead.take();
        ahead.map(AheadPrinter::finish).unwrap_or_default()
    }

    /// Returns the annotations of all nodes that were built.
    pub fn annotations(&self) -> Ref<'_, Annotations> {
        self.annotations.borrow()
    }

    /// Records a warning. A place that is evaluated many times warns only once.
    pub fn warn(&self, warning: Box<Diagnostic>) {
        let mut warnings = self.warnings.borrow_mut();
        if !warnings
            .iter()
            .any(|earlier| earlier.is_same_fault(&warning))
        {
            warnings.push(*warning);
        }
    }

    /// Returns the warnings since the last call.
    pub fn take_warnings(&self) -> Vec<Diagnostic> {
        self.warnings.take()
    }

    /// Notes the limit because of which a program is ended.
    pub(super) fn note_exceeded(&self, failure: Failure) {
        self.exceeded.replace(Some(failure));
    }

    /// Returns the limit because of which a program was ended last.
    pub(super) fn exceeded(&self) -> Option<Box<Diagnostic>> {
        let exceeded = self.exceeded.borrow();
        exceeded.as_ref().map(|failure| failure.0.clone())
    }

    /// Starts an evaluation and returns its number. From now on, errors may refer to `program`.
    pub(super) fn start_evaluation(&self, program: Option<&Arc<Program>>) -> usize {
        if let Some(program) = program {
            self.programs
                .borrow_mut()
                .insert(program.id(), Arc::clone(program));
        }
        self.evaluations.replace(self.evaluations.get() + 1)
    }

    /// Keeps the annotation arguments of an evaluation that has ended.
    pub(super) fn end_evaluation(&self, number: usize, arguments: Option<OwnedFrozenValue>) {
        // Evaluations are nested, so they do not end in the order of their numbers.
        let mut kept = self.arguments.borrow_mut();
        if kept.len() <= number {
            kept.resize_with(number + 1, || None);
        }
        if let Some(slot) = kept.get_mut(number) {
            *slot = arguments;
        }
    }

    /// Returns the number of a new library.
    pub(super) fn next_library(&self) -> usize {
        self.libraries.replace(self.libraries.get() + 1)
    }

    /// Counts `calls` that wait for another evaluation. Returns the value for
    /// [`resume`](Session::resume).
    pub(super) fn suspend(&self, calls: usize) -> usize {
        self.suspended.replace(self.suspended.get() + calls)
    }

    /// Undoes a [`suspend`](Session::suspend).
    pub(super) fn resume(&self, before: usize) {
        self.suspended.set(before);
    }

    /// Returns the maximum depth of calls in an evaluation that starts now.
    pub(super) fn call_depth(&self) -> usize {
        self.limits.depth.saturating_sub(self.suspended.get())
    }

    /// Counts the output of templates, in bytes of their text, and fails above the limit.
    pub(super) fn build(&self, bytes: usize) -> starlark::Result<()> {
        // Never reduced: the built nodes are kept until the end of the run.
        self.built.set(self.built.get().saturating_add(bytes));
        let limit = self.limits.built;
        if self.built.get() <= limit {
            return Ok(());
        }
        let message = format!("expected templates that build at most {limit} bytes, found more");
        Err(
            Failure::exceeded_by(Limit::Built, self.built.get(), message)
                .help("is there a loop or a function that never ends?")
                .into(),
        )
    }

    /// Returns the place of a function of a program, up to the start of its body.
    pub(super) fn definition(&self, program: usize, name: &str) -> Option<Location> {
        self.programs.borrow().get(&program)?.definition(name)
    }

    /// Returns the place in the user's text for a place in the running code; `None` for the code of
    /// a native module.
    pub(super) fn locate(&self, span: &FileSpan) -> Option<Location> {
        // The crate identifies programs by their number; see `Program::compile`. A native module
        // has another name.
        let id: usize = span.file.filename().parse().ok()?;
        let programs = self.programs.borrow();
        let program = programs.get(&id)?;
        Some(program.locate(file_span(span)))
    }
}
