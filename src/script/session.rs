//! What all libraries of one run share.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use starlark::codemap::FileSpan;
use starlark::environment::Globals;
use starlark::values::OwnedFrozenValue;

use super::builtins;
use super::failure::Failure;
use super::fragments::Annotations;
use super::limits::Limits;
use super::native::NativeModule;
use super::program::{Program, file_span};
use crate::source::Location;

/// One run.
pub struct Session {
    /// Takes what `print` prints, line by line.
    pub(super) print: Box<dyn Fn(&str)>,
    pub(super) limits: Limits,
    /// The modules that rooms above add.
    pub(super) modules: Vec<NativeModule>,
    /// The annotations of all nodes that were built.
    pub(super) annotations: RefCell<Annotations>,
    /// What each evaluation that is over keeps, by its number.
    pub(super) kept: RefCell<Vec<Option<OwnedFrozenValue>>>,
    programs: RefCell<HashMap<usize, Arc<Program>>>,
    evaluations: Cell<usize>,
    libraries: Cell<usize>,
    /// How many calls wait for an evaluation that they asked for.
    suspended: Cell<usize>,
    /// Bytes of templates that were built.
    built: Cell<usize>,
    globals: OnceCell<Globals>,
}

impl Session {
    /// A run whose programs print through `print`.
    pub fn new(limits: Limits, print: impl Fn(&str) + 'static) -> Session {
        Session {
            print: Box::new(print),
            limits,
            modules: Vec::new(),
            annotations: RefCell::default(),
            kept: RefCell::default(),
            programs: RefCell::default(),
            evaluations: Cell::new(0),
            libraries: Cell::new(0),
            suspended: Cell::new(0),
            built: Cell::new(0),
            globals: OnceCell::new(),
        }
    }

    /// Adds a module that programs can load.
    pub fn with_module(mut self, module: NativeModule) -> Session {
        self.modules.push(module);
        self
    }

    /// The annotations of all nodes that were built.
    pub fn annotations(&self) -> std::cell::Ref<'_, Annotations> {
        self.annotations.borrow()
    }

    pub(super) fn globals(&self) -> &Globals {
        self.globals.get_or_init(builtins::globals)
    }

    /// A number for the next evaluation, of a program that errors may point into from now on.
    pub(super) fn enter(&self, program: Option<&Arc<Program>>) -> usize {
        if let Some(program) = program {
            self.programs
                .borrow_mut()
                .insert(program.id(), Arc::clone(program));
        }
        let number = self.evaluations.get();
        self.evaluations.set(number + 1);
        number
    }

    /// A number for the next library.
    pub(super) fn found_library(&self) -> usize {
        let number = self.libraries.get();
        self.libraries.set(number + 1);
        number
    }

    /// Counts calls that wait for an evaluation; returns what to [`resume`](Session::resume) with.
    pub(super) fn suspend(&self, calls: usize) -> usize {
        let before = self.suspended.get();
        self.suspended.set(before + calls);
        before
    }

    /// Undoes a [`suspend`](Session::suspend).
    pub(super) fn resume(&self, before: usize) {
        self.suspended.set(before);
    }

    /// How many calls may nest in the evaluation that starts now.
    pub(super) fn depth(&self) -> usize {
        self.limits.depth.saturating_sub(self.suspended.get())
    }

    /// Counts what templates build, in bytes of their text.
    pub(super) fn build(&self, bytes: usize) -> starlark::Result<()> {
        self.built.set(self.built.get().saturating_add(bytes));
        if self.built.get() <= self.limits.built {
            return Ok(());
        }
        let limit = self.limits.built;
        Err(Failure::limit(format!(
            "expected templates that build at most {limit} bytes, found more"
        ))
        .help("does a loop or a function go on without end?")
        .into())
    }

    /// Keeps values for the annotations of an evaluation that is over.
    pub(super) fn keep(&self, number: usize, value: Option<OwnedFrozenValue>) {
        let mut kept = self.kept.borrow_mut();
        if kept.len() <= number {
            kept.resize_with(number + 1, || None);
        }
        if let Some(slot) = kept.get_mut(number) {
            *slot = value;
        }
    }

    /// The place of a function of a program, with the start of its body.
    pub(super) fn definition(&self, id: usize, name: &str) -> Option<Location> {
        self.programs.borrow().get(&id)?.definition(name)
    }

    /// The place in the user's text of a place in what runs; `None` for a native module.
    pub(super) fn locate(&self, span: &FileSpan) -> Option<Location> {
        let id: usize = span.file.filename().parse().ok()?;
        self.programs
            .borrow()
            .get(&id)
            .map(|program| program.locate(file_span(span)))
    }
}
