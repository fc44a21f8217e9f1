//! One instance of a library: files that load each other and see the same data values.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use starlark::environment::{FrozenModule, Module};
use starlark::eval::{Evaluator, FileLoader};
use starlark::values::{OwnedFrozenValue, ValueLike};

use super::caller::{Arguments, Caller, Value};
use super::depth;
use super::error;
use super::evaluation::Evaluation;
use super::failure::Failure;
use super::fragments::{Built, Context, Instructions, Outcome};
use super::host::{Definitions, Exported, HostFunction};
use super::keep::Kept;
use super::memory::Taken;
use super::modules;
use super::program::{Program, ProgramKind};
use super::session::Session;
use super::value::struct_value;
use crate::dialect::INSTRUCTIONS;
use crate::source::{Code, Diagnostic, Location, Result, Span};
use crate::yaml::Node;

/// Finds files for programs. The room above knows where files are; a program knows only paths.
pub trait Loader {
    /// The library file that `load("path", …)` means in the program `from`. The same file is the same `Arc` each time.
    ///
    /// # Errors
    /// A diagnostic without a place: the caller adds the place of the `load`.
    fn find(&self, path: &str, from: &Program) -> Result<Arc<Program>>;

    /// The text of the file that `data.read(path)` means in the program `from`.
    ///
    /// # Errors
    /// A diagnostic without a place.
    fn read(&self, path: &str, from: &Program) -> Result<String>;

    /// The paths of the files that `data.list(path)` means in the program `from`.
    ///
    /// # Errors
    /// A diagnostic without a place.
    fn list(&self, path: Option<&str>, from: &Program) -> Result<Vec<String>>;

    /// The functions of the module `@ytt:name` for the program `from` of a [library](Library::id), if the loader
    /// carries out a module of that name.
    fn module(
        &self,
        _name: &str,
        _library: usize,
        _from: &Arc<Program>,
    ) -> Option<Vec<HostFunction>> {
        None
    }

    /// Carries out a function of [`module`](Loader::module), or one that this gave to programs.
    ///
    /// # Errors
    /// A diagnostic; the caller adds the place of the call.
    fn call<'v>(
        &self,
        function: &HostFunction,
        _caller: &mut Caller<'_, 'v>,
        _arguments: Arguments<'v>,
    ) -> Result<Value<'v>> {
        Err(Diagnostic::error(
            Code::Internal,
            format!("nobody carries out `{}`", function.name),
        ))
    }
}

/// An instance of a library.
pub struct Library<'a> {
    id: usize,
    pub(super) session: &'a Session,
    pub(super) loader: &'a dyn Loader,
    /// `data.values`.
    pub(super) values: OwnedFrozenValue,
    /// Each program that others may load and that was evaluated, by its number; `None` for one that failed.
    modules: RefCell<HashMap<usize, Option<Loaded>>>,
    /// Whether the file at hand loads one that has failed before.
    misses_module: Cell<bool>,
    /// The programs that are being loaded, from the first on.
    loading: RefCell<Vec<Arc<Program>>>,
}

/// What a file gave.
#[derive(Clone, Debug)]
pub enum Evaluated {
    /// The documents of a YAML template.
    Documents(Vec<Built>),
    /// The text of a text template.
    Text(String),
    /// A Starlark file gives names alone.
    Names,
    /// The file loads one that failed, whose error was returned before.
    LeftOut,
}

/// A file that was evaluated.
#[derive(Clone)]
struct Loaded {
    /// What it defines, if others can load it or an annotation keeps a value.
    module: Option<FrozenModule>,
    evaluated: Evaluated,
}

impl<'a> Library<'a> {
    /// A library whose programs see the tree `values` as `data.values`.
    ///
    /// # Errors
    /// A key of `values` that cannot be the name of a field.
    pub fn new(
        session: &'a Session,
        loader: &'a dyn Loader,
        values: &Arc<Node>,
    ) -> Result<Library<'a>> {
        Ok(Library::seeing(
            session,
            loader,
            &Exported::data_values(values, session)?,
        ))
    }

    /// A library whose programs see data values that were converted before.
    pub fn seeing(session: &'a Session, loader: &'a dyn Loader, values: &Exported) -> Library<'a> {
        Library {
            id: session.found_library(),
            session,
            loader,
            values: values.0.clone(),
            modules: RefCell::default(),
            misses_module: Cell::default(),
            loading: RefCell::default(),
        }
    }

    /// A number that no other library of the session has.
    pub fn id(&self) -> usize {
        self.id
    }

    /// Evaluates a file that no other file can load.
    ///
    /// # Errors
    /// A diagnostic at the place in the template that failed, with the calls that led there.
    pub fn evaluate(&self, program: &Arc<Program>) -> Result<Evaluated> {
        self.unless_told(|| self.run(program, false).map(|loaded| loaded.evaluated))
    }

    /// Evaluates a file that others can load, or gives what it gave when it was loaded.
    ///
    /// # Errors
    /// As [`evaluate`](Library::evaluate).
    pub fn evaluate_module(&self, program: &Arc<Program>) -> Result<Evaluated> {
        self.unless_told(|| self.module(program).map(|loaded| loaded.evaluated))
    }

    /// Fails with an error only if it was not returned before.
    fn unless_told(&self, evaluate: impl FnOnce() -> Result<Evaluated>) -> Result<Evaluated> {
        self.misses_module.set(false);
        match evaluate() {
            Err(_) if self.misses_module.get() => Ok(Evaluated::LeftOut),
            evaluated => evaluated,
        }
    }

    /// What a library file defines. It is evaluated once, also if others load it. `None` for one that loads a file that
    /// failed, whose error was returned before.
    ///
    /// # Errors
    /// See [`evaluate`](Library::evaluate).
    pub fn definitions(&self, program: &Arc<Program>) -> Result<Option<Definitions>> {
        self.misses_module.set(false);
        match self.module(program) {
            Ok(loaded) => Ok(loaded
                .module
                .map(|module| Definitions::new(module, program))),
            Err(_) if self.misses_module.get() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Lets `work` call functions that annotations contain, after the files that contain them were evaluated.
    ///
    /// Such a function may build annotated nodes itself, and these live longer than `work`. So the arguments of their
    /// annotations are frozen and kept with the session, as those of a file are.
    ///
    /// # Errors
    /// What `work` fails with.
    pub fn with_caller<R>(&self, work: impl FnOnce(&mut Caller<'_, '_>) -> Result<R>) -> Result<R> {
        let number = self.session.enter(None);
        let evaluation = Evaluation {
            number,
            library: self,
            contexts: RefCell::default(),
            taken: Taken::default(),
        };
        let diagnose = |error| error::diagnose(error, self.session);
        Module::with_temp_heap(|module| {
            module.set_extra_value(module.heap().alloc(Kept::new()));
            let result = {
                let mut eval = Evaluator::new(&module);
                eval.disable_gc();
                eval.extra = Some(&evaluation);
                self.limit(&mut eval).map_err(diagnose)?;
                work(&mut Caller::new(&mut eval))?
            };
            if keeps_arguments(&module) {
                let frozen = freeze(module).map_err(diagnose)?;
                self.session.keep(number, frozen.owned_extra_value());
            }
            Ok(result)
        })
    }

    /// Evaluates a file that others load: once, however many do.
    fn module(&self, program: &Arc<Program>) -> Result<Loaded> {
        match self.modules.borrow().get(&program.id()) {
            Some(Some(loaded)) => return Ok(loaded.clone()),
            Some(None) => {
                self.misses_module.set(true);
                let name = program.source().name();
                return Err(Diagnostic::error(Code::Load, format!("`{name}` failed")));
            }
            None => {}
        }
        if self
            .loading
            .borrow()
            .iter()
            .any(|other| other.id() == program.id())
        {
            return Err(self.circle(program));
        }
        let loaded = self.run(program, true);
        self.modules
            .borrow_mut()
            .insert(program.id(), loaded.as_ref().ok().cloned());
        loaded
    }

    fn circle(&self, program: &Program) -> Box<Diagnostic> {
        let loading = self.loading.borrow();
        let circle = loading
            .iter()
            .skip_while(|other| other.id() != program.id());
        let mut names: Vec<&str> = circle.map(|program| program.source().name()).collect();
        names.push(program.source().name());
        Diagnostic::error(
            Code::Load,
            format!("files load each other in a circle: {}", names.join(" -> ")),
        )
        .help("move what both need into a file of its own")
    }

    fn run(&self, program: &Arc<Program>, is_module: bool) -> Result<Loaded> {
        self.loading.borrow_mut().push(Arc::clone(program));
        let result = self.run_program(program, is_module);
        self.loading.borrow_mut().pop();
        result
    }

    fn run_program(&self, program: &Arc<Program>, is_module: bool) -> Result<Loaded> {
        let number = self.session.enter(Some(program));
        let is_text = program.kind() == ProgramKind::Text;
        let context = if is_text {
            Context::for_text()
        } else {
            Context::default()
        };
        let evaluation = Evaluation {
            number,
            library: self,
            contexts: RefCell::new(vec![context]),
            taken: Taken::default(),
        };
        let module = self
            .run_module(program, &evaluation, is_module)
            .map_err(|error| {
                let is_scope = matches!(error.kind(), starlark::ErrorKind::Scope(_));
                let mut diagnostic = error::diagnose(error, self.session);
                if diagnostic.labels.is_empty() {
                    // A limit may be noticed only at the end.
                    let start = Location::new(program.source(), Span::at(0));
                    diagnostic = diagnostic.at(start, "while this file was evaluated");
                }
                if is_scope {
                    error::with_undefined(diagnostic, program, &self.known_names())
                } else {
                    diagnostic
                }
            })?;
        self.session.keep(
            number,
            module.as_ref().and_then(FrozenModule::owned_extra_value),
        );
        let context = evaluation.contexts.borrow_mut().pop().unwrap_or_default();
        let outcome = context.finish(&mut self.session.annotations.borrow_mut());
        Ok(Loaded {
            module,
            evaluated: evaluated(outcome, program.kind()),
        })
    }

    fn run_module(
        &self,
        program: &Arc<Program>,
        evaluation: &Evaluation<'_>,
        is_module: bool,
    ) -> starlark::Result<Option<FrozenModule>> {
        let loads = Loads {
            library: self,
            program,
        };
        Module::with_temp_heap(|module| {
            module.set_extra_value(module.heap().alloc(Kept::new()));
            if program.kind() != ProgramKind::Starlark {
                let instructions = Instructions {
                    parts: Arc::clone(&program.parts),
                };
                module.set(INSTRUCTIONS, module.heap().alloc(instructions));
            }
            self.keep_builtins(&module, program);
            {
                let mut eval = Evaluator::new(&module);
                // It calls itself for each level of a value, and finds little between the statements of a template.
                eval.disable_gc();
                eval.extra = Some(evaluation);
                eval.set_loader(&loads);
                self.limit(&mut eval)?;
                eval.eval_module(program.ast(), self.session.globals())?;
            }
            if !is_module && !keeps_arguments(&module) {
                return Ok(None);
            }
            freeze(module).map(Some)
        })
    }

    /// A program may use a function that every program has, and give its name another meaning further down.
    fn keep_builtins(&self, module: &Module<'_>, program: &Program) {
        let globals = self.session.globals();
        for (name, value) in globals
            .iter()
            .filter(|(name, _)| program.redefined.iter().any(|own| **own == **name))
        {
            module.heap().add_reference(globals.heap());
            module.set(name, value.to_value());
        }
    }

    fn limit(&self, eval: &mut Evaluator<'_, '_, '_>) -> starlark::Result<()> {
        let limits = self.session.limits;
        let depth = self.session.depth();
        if depth == 0 {
            return Err(
                Failure::limit(format!("calls nest deeper than {} levels", limits.depth)).into(),
            );
        }
        eval.set_max_callstack_size(depth)?;
        eval.set_max_tick_count(limits.ticks)?;
        eval.set_max_heap_size(limits.memory)?;
        Ok(())
    }

    fn known_names(&self) -> Vec<String> {
        let names = self
            .session
            .globals()
            .names()
            .map(|name| name.as_str().to_owned());
        names.chain([INSTRUCTIONS.to_owned()]).collect()
    }
}

/// Whether arguments of annotations are kept in `module`, so that it has to outlive its evaluation.
fn keeps_arguments(module: &Module<'_>) -> bool {
    module
        .extra_value()
        .and_then(|value| value.downcast_ref::<Kept<'_>>())
        .is_some_and(Kept::holds)
}

/// Freezes a module, unless a value in it nests too deep for that.
fn freeze(module: Module<'_>) -> starlark::Result<FrozenModule> {
    depth::check(&module)?;
    Ok(module.freeze()?)
}

fn evaluated(outcome: Outcome, kind: ProgramKind) -> Evaluated {
    match (outcome, kind) {
        (_, ProgramKind::Starlark) => Evaluated::Names,
        (Outcome::Text(text), _) => Evaluated::Text(text),
        (Outcome::Documents(documents), _) => Evaluated::Documents(documents),
        (Outcome::Nothing | Outcome::Node(_), _) => Evaluated::Documents(Vec::new()),
    }
}

impl Exported {
    /// Data values, converted once for all programs of a library.
    ///
    /// # Errors
    /// A key that cannot be the name of a field.
    pub fn data_values(values: &Arc<Node>, session: &Session) -> Result<Exported> {
        freeze_values(values)
            .map(Exported)
            .map_err(|error| error::diagnose(error, session))
    }
}

fn freeze_values(values: &Arc<Node>) -> starlark::Result<OwnedFrozenValue> {
    let module = Module::with_temp_heap(|module| {
        let value = struct_value(values, module.heap())?;
        module.set("values", value);
        Ok::<_, starlark::Error>(module.freeze()?)
    })?;
    Ok(module.get("values")?)
}

/// The loads of one program.
struct Loads<'a> {
    library: &'a Library<'a>,
    program: &'a Arc<Program>,
}

impl FileLoader for Loads<'_> {
    fn load(&self, path: &str) -> starlark::Result<FrozenModule> {
        if let Some(name) = path.strip_prefix("@ytt:") {
            return modules::module(name, self.library, self.program);
        }
        let program = self
            .library
            .loader
            .find(path, self.program)
            .map_err(Failure::from)?;
        let loaded = self.library.module(&program).map_err(Failure::from)?;
        loaded
            .module
            .ok_or_else(|| Failure::new("expected a module that defines something").into())
    }
}
