//! One instance of a library: files that load each other and have the same data values.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use starlark::collections::SmallMap;
use starlark::environment::{FrozenModule, Module};
use starlark::eval::{Evaluator, FileLoader};
use starlark::values::{Heap, Value as Raw};

use super::builtins;
use super::caller::Caller;
use super::error;
use super::evaluation::Evaluation;
use super::exported::{Definitions, Exported};
use super::failure::Failure;
use super::fragments::{Built, Context, ContextValue, Instructions, argument_store};
use super::function::{Constant, NativeFunction, NativeModule, NativeState};
use super::limits::{nesting, watch};
use super::loader::Loader;
use super::program::{Program, ProgramKind};
use super::session::Session;
use super::value::Object;
use crate::dialect::INSTRUCTIONS;
use crate::source::suggest::did_you_mean;
use crate::source::{Cancellation, Code, Diagnostic, Location, Result, Span};
use crate::yaml::Node;

/// An instance of a library.
///
/// Invariant: a program that others can load is evaluated at most once, whether it is loaded first
/// or is a file of the build itself. If it fails, that is reported once.
pub struct Library<'a> {
    id: usize,
    session: &'a Session,
    loader: &'a dyn Loader,
    /// `data.values`.
    values: Exported,
    /// The loadable programs that were evaluated, by their ids; `None` for a program that failed.
    modules: RefCell<HashMap<usize, Option<Loaded>>>,
    /// Whether the current file loads a program that has already failed.
    misses_module: Cell<bool>,
    /// The programs that are being evaluated. Each one loads the next one.
    loading: RefCell<Vec<Arc<Program>>>,
}

/// The result of evaluating a file.
#[derive(Clone, Debug)]
pub enum Evaluated {
    /// The documents of a YAML template.
    Documents(Vec<Built>),
    /// The text of a text template.
    Text(String),
    /// The result of a Starlark file, which only defines names.
    Names,
    /// The file loads a file that failed, and that error was already returned.
    LeftOut,
}

/// A file that was evaluated.
#[derive(Clone)]
struct Loaded {
    /// The names that it defines. `None` if no other file can load it and no annotation refers to
    /// its values.
    module: Option<FrozenModule>,
    evaluated: Evaluated,
}

impl<'a> Library<'a> {
    /// Creates a library whose programs see the tree `values` as `data.values`.
    ///
    /// # Errors
    /// Fails for a key of `values` that cannot be the name of a field.
    pub fn new(
        session: &'a Session,
        loader: &'a dyn Loader,
        values: &Arc<Node>,
    ) -> Result<Library<'a>> {
        let values = Exported::data_values(values, session)?;
        Ok(Library::seeing(session, loader, &values))
    }

    /// Creates a library with data values that were already converted.
    pub fn seeing(session: &'a Session, loader: &'a dyn Loader, values: &Exported) -> Library<'a> {
        Library {
            id: session.next_library(),
            session,
            loader,
            values: values.clone(),
            modules: RefCell::default(),
            misses_module: Cell::default(),
            loading: RefCell::default(),
        }
    }

    /// Returns the number of the library, which is unique in the session.
    pub fn id(&self) -> usize {
        self.id
    }

    /// Evaluates a file that no other file can load.
    ///
    /// # Errors
    /// Returns a diagnostic at the place in the template that failed, with the calls that led
    /// there.
    pub fn evaluate(&self, program: &Arc<Program>) -> Result<Evaluated> {
        let loaded = self.report_once(|| self.run(program, ProgramRole::Main))?;
        Ok(loaded.map_or(Evaluated::LeftOut, |loaded| loaded.evaluated))
    }

    /// Evaluates a file that others can load, or returns the earlier result if it was already
    /// loaded.
    ///
    /// # Errors
    /// Fails as [`evaluate`](Library::evaluate) does.
    pub fn evaluate_module(&self, program: &Arc<Program>) -> Result<Evaluated> {
        let loaded = self.report_once(|| self.module(program))?;
        Ok(loaded.map_or(Evaluated::LeftOut, |loaded| loaded.evaluated))
    }

    /// Evaluates a library file, unless it was already loaded, and returns the names that it
    /// defines. Returns `None` if it loads a file that failed and that error was already returned.
    ///
    /// # Errors
    /// Fails as [`evaluate`](Library::evaluate) does.
    pub fn definitions(&self, program: &Arc<Program>) -> Result<Option<Definitions>> {
        let loaded = self.report_once(|| self.module(program))?;
        let module = loaded.and_then(|loaded| loaded.module);
        Ok(module.map(|module| Definitions::new(module, program)))
    }

    /// Runs `evaluate`, and turns its error into `None` if the error was already returned.
    fn report_once(&self, evaluate: impl FnOnce() -> Result<Loaded>) -> Result<Option<Loaded>> {
        self.misses_module.set(false);
        match evaluate() {
            Ok(loaded) => Ok(Some(loaded)),
            Err(_) if self.misses_module.get() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Lets `work` call functions in annotations after the files that contain them were evaluated.
    ///
    /// Such a function may build annotated nodes itself, and these outlive `work`. The arguments of
    /// their annotations are therefore frozen and kept with the session, like those of a file.
    ///
    /// # Errors
    /// Returns the error of `work`.
    pub fn with_caller<R>(&self, work: impl FnOnce(&mut Caller<'_, '_>) -> Result<R>) -> Result<R> {
        // This evaluation has no program: it only runs functions of other programs, and their
        // places lead to those programs.
        let number = self.session.start_evaluation(None);
        let evaluation = Evaluation::new(number, self.session, self.loader, None);
        Module::with_temp_heap(|module| {
            argument_store::add_store(&module);
            let result = {
                let mut eval = Evaluator::new(&module);
                eval.disable_gc();
                eval.extra = Some(&evaluation);
                self.set_limits(&mut eval, &module, &evaluation)
                    .map_err(|error| error::diagnose(error, self.session))?;
                work(&mut Caller::new(&mut eval))?
            };
            if argument_store::has_arguments(&module) {
                let frozen =
                    freeze(module).map_err(|error| error::diagnose(error, self.session))?;
                self.session
                    .end_evaluation(number, frozen.owned_extra_value());
            }
            Ok(result)
        })
    }

    /// Returns a file that others load. It is evaluated at the first request.
    fn module(&self, program: &Arc<Program>) -> Result<Loaded> {
        match self.modules.borrow().get(&program.id()) {
            Some(Some(loaded)) => return Ok(loaded.clone()),
            // The error was returned to the first file that loaded the program. The flag turns the
            // error of this file into `LeftOut`; see `report_once`.
            Some(None) => {
                self.misses_module.set(true);
                let name = program.source().shown_name();
                return Err(Diagnostic::error(Code::Load, format!("`{name}` failed")));
            }
            None => {}
        }
        // A circle is not recorded as a failure, because the program that closes it is still being
        // evaluated.
        self.check_circle(program)?;
        let loaded = self.run(program, ProgramRole::Module);
        self.modules
            .borrow_mut()
            // Record a failure too: if a hundred files load the program, it is evaluated and
            // reported once.
            .insert(program.id(), loaded.as_ref().ok().cloned());
        loaded
    }

    /// Rejects loading a program that is being evaluated. The message shows the circle:
    ///
    /// ```text
    /// loading:  config.yml -> a.star -> b.star     and b.star loads a.star
    /// circle:                 a.star -> b.star -> a.star
    /// ```
    fn check_circle(&self, program: &Program) -> Result<()> {
        let loading = self.loading.borrow();
        let start = loading.iter().position(|other| other.id() == program.id());
        let Some(start) = start else { return Ok(()) };
        let circle = loading.get(start..).unwrap_or_default();
        let mut names: Vec<&str> = circle
            .iter()
            .map(|other| other.source().shown_name())
            .collect();
        names.push(program.source().shown_name());
        Err(Diagnostic::error(
            Code::Load,
            format!("files load each other in a circle: {}", names.join(" -> ")),
        )
        .help("move what both need into a separate file"))
    }

    fn run(&self, program: &Arc<Program>, role: ProgramRole) -> Result<Loaded> {
        self.loading.borrow_mut().push(Arc::clone(program));
        let result = self.values.seen_by(|| self.run_program(program, role));
        self.loading.borrow_mut().pop();
        result
    }

    fn run_program(&self, program: &Arc<Program>, role: ProgramRole) -> Result<Loaded> {
        let runs = match role {
            ProgramRole::Main if !program.should_run_in_function() => Arc::clone(program),
            ProgramRole::Main => program.in_function(called(program), false),
            ProgramRole::Module => program.in_function(called(program), true),
        };
        let number = self.session.start_evaluation(Some(&runs));
        let context = match program.kind() {
            ProgramKind::Text => Context::for_text(),
            ProgramKind::Yaml | ProgramKind::Starlark => Context::default(),
        };
        // The crate requests files by path alone, so each program gets its own loader, which knows
        // the program that a path belongs to.
        let loads = Loads {
            library: self,
            program,
        };
        let evaluation =
            Evaluation::new(number, self.session, self.loader, Some(context)).loading(&loads);
        let module = self
            .run_module(&runs, &loads, &evaluation, role)
            .map_err(|error| self.diagnose(error, program))?;
        // From here on, functions in annotations can be called after this evaluation.
        let arguments = module.as_ref().and_then(FrozenModule::owned_extra_value);
        self.session.end_evaluation(number, arguments);
        let context = evaluation.contexts.borrow_mut().pop().unwrap_or_default();
        // This follows `end_evaluation`, because it attaches annotations to nodes, and from then on
        // other code may request their arguments.
        let outcome = context.finish(&mut self.session.annotations.borrow_mut());
        Ok(Loaded {
            module,
            evaluated: evaluated(outcome, program.kind()),
        })
    }

    fn run_module(
        &self,
        program: &Program,
        loads: &Loads<'_>,
        evaluation: &Evaluation<'_>,
        role: ProgramRole,
    ) -> starlark::Result<Option<FrozenModule>> {
        Module::with_temp_heap(|module| {
            argument_store::add_store(&module);
            if program.kind() != ProgramKind::Starlark {
                let instructions = Instructions {
                    parts: Arc::clone(&program.parts),
                };
                // A Starlark file does not get the instructions, because it builds nothing.
                module.set(INSTRUCTIONS, module.heap().alloc(instructions));
            }
            self.define_redefined(&module, program);
            // Other files would see the variables as names of this file.
            if role == ProgramRole::Main {
                define_called(&module, program);
            }
            {
                let mut eval = Evaluator::new(&module);
                // The collector is recursive in the levels of a value, and finds little garbage
                // between the statements of a template.
                eval.disable_gc();
                eval.extra = Some(evaluation);
                eval.set_loader(loads);
                self.set_limits(&mut eval, &module, evaluation)?;
                let globals = self.session.globals.get_or_init(builtins::globals);
                eval.eval_module(program.ast(), globals)?;
                watch::check_end(&eval, self.session.limits)?;
                // A Starlark file has no nodes. It may define replacements for the files that load
                // it.
                if program.kind() != ProgramKind::Starlark {
                    let parts = Arc::clone(&program.parts);
                    Instructions { parts }.apply_replacements(evaluation)?;
                }
            }
            // The cost of freezing depends on the size of the module's values, and most files are
            // not loaded by any other file.
            if role == ProgramRole::Main && !argument_store::has_arguments(&module) {
                return Ok(None);
            }
            freeze(module).map(Some)
        })
    }

    /// Defines the predeclared functions whose names the program redefines as names of its module.
    ///
    /// A program may use a function and redefine its name further down:
    ///
    /// ```python
    /// n = len(values)   # the function
    /// len = 3           # makes `len` a variable of the module, in Starlark from its first line on
    /// ```
    fn define_redefined(&self, module: &Module<'_>, program: &Program) {
        let globals = self.session.globals.get_or_init(builtins::globals);
        for (name, value) in globals.iter() {
            if program.defines(name) {
                module.heap().add_reference(globals.heap());
                module.set(name, value.to_value());
            }
        }
    }

    fn set_limits<'v, 'm, 'e>(
        &self,
        eval: &mut Evaluator<'v, 'm, 'e>,
        module: &'m Module<'v>,
        evaluation: &'m Evaluation<'e>,
    ) -> starlark::Result<()> {
        // All evaluations of a thread share one stack, so the calls that wait for this evaluation
        // reduce its depth.
        let depth = self.session.call_depth();
        if depth == 0 {
            let depth = self.session.limits.depth;
            return Err(Failure::limit(format!("calls nest deeper than {depth} levels")).into());
        }
        eval.set_max_callstack_size(depth)?;
        let limits = self.session.limits;
        watch::set_higher_limits(eval, limits)?;
        let cancellation = Cancellation::current();
        eval.set_check_cancelled(Box::new(move || {
            let exceeded = evaluation.watch.check(module, limits);
            let is_over = exceeded.is_some();
            if let Some(exceeded) = exceeded {
                evaluation.session.note_exceeded(exceeded);
            }
            is_over || cancellation.is_cancelled()
        }));
        Ok(())
    }

    fn diagnose(&self, error: starlark::Error, program: &Arc<Program>) -> Box<Diagnostic> {
        let is_undefined = matches!(error.kind(), starlark::ErrorKind::Scope(_));
        let mut diagnostic = error::diagnose(error, self.session);
        if diagnostic.labels.is_empty() {
            // A limit may be noticed only at the end, where there is no place.
            let start = Location::new(program.source(), Span::at(0));
            diagnostic = diagnostic.at(start, "while this file was evaluated");
        }
        if !is_undefined {
            return diagnostic;
        }
        let globals = self.session.globals.get_or_init(builtins::globals);
        let mut known: Vec<String> = globals
            .names()
            .map(|name| name.as_str().to_owned())
            .collect();
        known.push(INSTRUCTIONS.to_owned());
        error::with_undefined(diagnostic, program, &known)
    }
}

/// Defines the predeclared functions that the program calls as variables of its module, which
/// keeps the crate from registering its own; see [`builtins`].
fn define_called(module: &Module<'_>, program: &Program) {
    for function in called(program) {
        if !program.defines(function.name()) {
            module.set(function.name(), module.heap().alloc(function.clone()));
        }
    }
}

/// Returns the predeclared functions that a program may call or redefine.
fn called(program: &Program) -> &[NativeFunction] {
    let called = || builtins::called_functions(program.converted(), |name| program.defines(name));
    program.called.get_or_init(called)
}

/// Freezes a module, unless it contains a value that is nested too deeply.
fn freeze(module: Module<'_>) -> starlark::Result<FrozenModule> {
    nesting::check(&module)?;
    Ok(module.freeze()?)
}

fn evaluated(outcome: ContextValue, kind: ProgramKind) -> Evaluated {
    match (outcome, kind) {
        (_, ProgramKind::Starlark) => Evaluated::Names,
        (ContextValue::Text(text), _) => Evaluated::Text(text),
        (ContextValue::Documents(documents), _) => Evaluated::Documents(documents),
        // A YAML template that built no document, such as one that only defines functions.
        (ContextValue::Nothing | ContextValue::Node(_), _) => Evaluated::Documents(Vec::new()),
    }
}

/// The reason why a program is evaluated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ProgramRole {
    /// It is a file of the build: its output is used.
    Main,
    /// Other files load it: the names that it defines are used.
    Module,
}

/// The `load` statements of one program.
struct Loads<'a> {
    library: &'a Library<'a>,
    program: &'a Arc<Program>,
}

impl FileLoader for Loads<'_> {
    fn load(&self, path: &str) -> starlark::Result<FrozenModule> {
        if let Some(name) = path.strip_prefix("@ytt:") {
            return self.native_module(name);
        }
        let found = self.library.loader.find(path, self.program);
        let program = found.map_err(Failure::from)?;
        let loaded = self.library.module(&program).map_err(Failure::from)?;
        loaded
            .module
            // Does not occur: `module` always requests a frozen module.
            .ok_or_else(|| Failure::new("expected a module that defines something").into())
    }
}

impl Loads<'_> {
    /// Creates the module `@ytt:name` for the program that loads it. It exports one value, under
    /// the module's name.
    fn native_module(&self, name: &str) -> starlark::Result<FrozenModule> {
        let Library {
            session, loader, ..
        } = self.library;
        if let Some(native) = session.modules.iter().find(|native| native.name == name) {
            return Module::with_temp_heap(|module| {
                module.set(native.name, self.native_members(native, module.heap()));
                Ok(module.freeze()?)
            });
        }
        // Modules of the loader come second, so that a build cannot replace a module of ytt.
        if let Some(functions) = loader.module(name, self.library.id, self.program) {
            return Module::with_temp_heap(|module| {
                module.set(name, object_of(name, functions, module.heap()));
                Ok(module.freeze()?)
            });
        }
        let known = session.modules.iter().map(|native| native.name);
        let diagnostic = Diagnostic::error(
            Code::Load,
            format!("expected a module of ytt, found `@ytt:{name}`"),
        );
        Err(Failure::from(diagnostic.help_if(did_you_mean(name, known))).into())
    }

    fn native_members<'v>(&self, native: &NativeModule, heap: Heap<'v>) -> Raw<'v> {
        let state: NativeState = Arc::clone(self.program) as _;
        let mut members = SmallMap::new();
        for (name, value) in native.constants {
            let value = match value {
                Constant::Float(float) => heap.alloc(*float),
                Constant::DataValues => heap.access_owned_frozen_value(&self.library.values.0),
            };
            members.insert((*name).to_owned(), value);
        }
        for (name, native) in native.functions {
            let function = NativeFunction::new(name, *native).with_state(Arc::clone(&state));
            members.insert(function.member_name().to_owned(), heap.alloc(function));
        }
        Object::module(native.name, members, heap)
    }
}

fn object_of<'v>(name: &str, functions: Vec<NativeFunction>, heap: Heap<'v>) -> Raw<'v> {
    let mut members = SmallMap::new();
    for function in functions {
        members.insert(function.member_name().to_owned(), heap.alloc(function));
    }
    Object::module(name, members, heap)
}
