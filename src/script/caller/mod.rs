//! Starlark values and functions for other modules, which do not depend on the crate.
//!
//! Everything outside `script` works with four types:
//!
//! - a [`Value`] is a value of a program, and can be inspected;
//! - [`Arguments`] are the arguments of a call or of an annotation;
//! - a [`Caller`] creates values, calls functions, and reads annotations;
//! - a [`Native`](super::Native) is a Rust function that takes a caller and arguments.
//!
//! A caller is available in two places: a native function receives one, so that `regexp.replace`
//! can call a lambda; and [`Library::with_caller`](super::Library::with_caller) provides one to
//! overlays and rules, which call the functions of annotations after all files were evaluated.

mod inspect;
mod make;
mod value;

use std::any::Any;
use std::sync::Arc;

use starlark::eval::Evaluator;
use starlark::values::dict::DictRef;
use starlark::values::tuple::TupleRef;
use starlark::values::{Heap, Value as Raw};

use super::error;
use super::evaluation::evaluation;
use super::fragments::{Annotation, Annotations, Context, PendingReplacement, argument_store};
use super::function::{NativeFunction, call_value};
use super::limits::work;
use super::loader::Loader;
use super::reads;
use super::session::Session;
use crate::source::{Code, Diagnostic, Location, Result};
use crate::yaml::Node;

pub use value::{Arguments, Value};

/// Calls functions, creates values, and reads annotations.
pub struct Caller<'c, 'v> {
    evaluator: &'c mut dyn Calls<'v>,
    /// The function that received this caller; `None` for the caller of
    /// [`Library::with_caller`](super::Library::with_caller).
    function: Option<&'c NativeFunction>,
}

/// The operations of an evaluator that a caller needs. An evaluator has three lifetimes; this trait
/// hides two of them from everyone who names a caller.
trait Calls<'v> {
    fn heap(&self) -> Heap<'v>;
    fn session(&self) -> starlark::Result<&Session>;
    fn loader(&self) -> starlark::Result<&dyn Loader>;
    fn arguments(&self, annotation: &Annotation) -> starlark::Result<(Raw<'v>, Raw<'v>)>;
    fn call(&mut self, function: Raw<'v>, arguments: &Arguments<'v>) -> starlark::Result<Raw<'v>>;
    fn place(&self) -> Option<Location>;
    fn charge(&self, steps: usize) -> starlark::Result<()>;
    fn is_over(&self) -> bool;
    fn replace(&self, replacement: PendingReplacement) -> starlark::Result<()>;
}

impl<'v> Calls<'v> for Evaluator<'v, '_, '_> {
    fn heap(&self) -> Heap<'v> {
        Evaluator::heap(self)
    }

    fn session(&self) -> starlark::Result<&Session> {
        Ok(evaluation(self)?.session)
    }

    fn loader(&self) -> starlark::Result<&dyn Loader> {
        Ok(evaluation(self)?.loader)
    }

    fn arguments(&self, annotation: &Annotation) -> starlark::Result<(Raw<'v>, Raw<'v>)> {
        argument_store::load(annotation, self)
    }

    fn call(&mut self, function: Raw<'v>, arguments: &Arguments<'v>) -> starlark::Result<Raw<'v>> {
        let positional: Vec<Raw<'v>> = arguments.positional.iter().map(|value| value.0).collect();
        let named: Vec<(&str, Raw<'v>)> = arguments
            .named
            .iter()
            .map(|(name, value)| (name.as_str(), value.0))
            .collect();
        let evaluation = evaluation(self)?;
        let (open, pending) = {
            let contexts = evaluation.contexts.borrow();
            (
                contexts.len(),
                contexts.last().map_or(0, Context::untaken_replacements),
            )
        };
        let result = call_value(function, &positional, &named, self);
        if result.is_err() {
            // A function that fails does not close the contexts that it and its callees have
            // opened. The caller may recover from the failure (`assert.try_to`), and nodes that are
            // built afterwards belong to its own context.
            // A function that fails also replaces nothing.
            let mut contexts = evaluation.contexts.borrow_mut();
            contexts.truncate(open);
            if let Some(context) = contexts.last_mut() {
                context.forget_replacements(pending);
            }
        }
        result
    }

    fn place(&self) -> Option<Location> {
        let session = evaluation(self).ok()?.session;
        // A call that the dialect has rewritten, such as `template.replace(x)`, is made by another
        // native function. It has no place itself, but the call around it does.
        (0..self.call_stack_count()).find_map(|depth| {
            let span = self.call_stack_nth_location(depth)?;
            session.locate(&span)
        })
    }

    fn charge(&self, steps: usize) -> starlark::Result<()> {
        work::charge(steps, self)
    }

    fn is_over(&self) -> bool {
        evaluation(self).is_ok_and(|evaluation| evaluation.watch.is_over())
    }

    fn replace(&self, replacement: PendingReplacement) -> starlark::Result<()> {
        // A function that is called after all templates were evaluated has no context.
        if let Some(context) = evaluation(self)?.contexts.borrow_mut().last_mut() {
            context.expect_replacement(replacement);
        }
        Ok(())
    }
}

impl<'c, 'v> Caller<'c, 'v> {
    /// Returns a caller outside all functions.
    pub(super) fn new(evaluator: &'c mut Evaluator<'v, '_, '_>) -> Caller<'c, 'v> {
        Caller {
            evaluator,
            function: None,
        }
    }

    /// Returns the caller of a native function.
    pub(super) fn of(
        function: &'c NativeFunction,
        evaluator: &'c mut Evaluator<'v, '_, '_>,
    ) -> Caller<'c, 'v> {
        Caller {
            evaluator,
            function: Some(function),
        }
    }

    /// Returns the same caller with a shorter lifetime, for a struct that owns a caller.
    pub fn reborrow(&mut self) -> Caller<'_, 'v> {
        Caller {
            evaluator: &mut *self.evaluator,
            function: self.function,
        }
    }

    /// Returns the heap on which results are created.
    pub(super) fn heap(&self) -> Heap<'v> {
        self.evaluator.heap()
    }

    /// Returns the full name of the native function that received this caller, as in messages.
    pub fn function_name(&self) -> &'static str {
        self.function.map_or("a function", NativeFunction::name)
    }

    /// Returns the state of the native function that received this caller. For a function of a
    /// [`NativeModule`](super::NativeModule), that is the [`Program`](super::Program) that loaded
    /// the module.
    ///
    /// # Errors
    /// Fails if the function was created with a state of another type, which would be a bug in
    /// Inlay.
    pub fn state<T: Any>(&self) -> Result<&'c T> {
        let state = self.function.and_then(NativeFunction::state);
        state.ok_or_else(|| {
            let name = self.function_name();
            Diagnostic::error(Code::Internal, format!("`{name}` has another state"))
        })
    }

    /// Returns the loader, which finds files for the programs of this evaluation.
    ///
    /// # Errors
    /// Fails if there is no evaluation, which would be a bug in Inlay.
    pub fn loader(&self) -> Result<&dyn Loader> {
        let loader = self.evaluator.loader();
        loader.map_err(|error| error::without_places(&error))
    }

    /// Returns the place of the call of the function that received this caller, in a template or a
    /// library file. Returns `None` outside all calls.
    pub fn place(&self) -> Option<Location> {
        self.evaluator.place()
    }

    /// Charges for work whose duration does not follow from the lengths of the arguments.
    ///
    /// # Errors
    /// Fails if the evaluation has taken too long.
    pub fn charge(&self, steps: usize) -> Result<()> {
        let charged = self.evaluator.charge(steps);
        charged.map_err(|error| self.diagnose(error))
    }

    /// Returns whether the evaluation has exceeded its steps or its memory. The error that says so
    /// must not be caught.
    pub fn is_over(&self) -> bool {
        self.evaluator.is_over()
    }

    /// Records that this call returns a value created by code, if the build is recorded. The text
    /// of the value says which data values it contains.
    pub fn record_given(&self, value: &Arc<Node>) {
        if reads::is_on()
            && let Some(place) = self.place()
        {
            reads::hole(value, place, Vec::new());
        }
    }

    /// Calls a function.
    ///
    /// # Errors
    /// Returns the failure of the function, at its place in the template.
    pub fn call(&mut self, function: Value<'v>, arguments: &Arguments<'v>) -> Result<Value<'v>> {
        match self.evaluator.call(function.0, arguments) {
            Ok(value) => Ok(Value(value)),
            Err(error) => Err(self.diagnose(error)),
        }
    }

    /// Returns the arguments of an annotation as they were when it was evaluated.
    ///
    /// # Errors
    /// Fails for an annotation of another session.
    pub fn arguments(&self, annotation: &Annotation) -> Result<Arguments<'v>> {
        let loaded = self.evaluator.arguments(annotation);
        let (positional, named) = loaded.map_err(|error| self.diagnose(error))?;
        let mut arguments = Arguments::default();
        if let Some(positional) = TupleRef::from_value(positional) {
            arguments.positional.extend(positional.iter().map(Value));
        }
        if let Some(named) = DictRef::from_value(named) {
            for (name, value) in named.iter() {
                let name = name.unpack_str().unwrap_or_default().to_owned();
                arguments.named.push((name, Value(value)));
            }
        }
        Ok(arguments)
    }

    /// Records a warning, unless it was recorded before.
    ///
    /// # Errors
    /// Fails if there is no session, which would be a bug in Inlay.
    pub fn warn(&self, warning: Box<Diagnostic>) -> Result<()> {
        self.session()?.warn(warning);
        Ok(())
    }

    /// Calls `read` with the annotations of all nodes that were built.
    ///
    /// # Errors
    /// Fails if there is no session, which would be a bug in Inlay.
    pub fn with_annotations<R>(&self, read: impl FnOnce(&Annotations) -> R) -> Result<R> {
        Ok(read(&self.session()?.annotations()))
    }

    /// Attaches the annotations of an item to its next version; see [`Annotations::carry`].
    ///
    /// # Errors
    /// Fails as [`with_annotations`](Self::with_annotations) does.
    pub fn carry_annotations(&self, item: &Arc<Node>, value: &Arc<Node>) -> Result<Arc<Node>> {
        let mut annotations = self.session()?.annotations.borrow_mut();
        Ok(annotations.carry(item, value))
    }

    /// Returns the key of an entry with other annotations, which may be empty. The key is a
    /// separate node, so that no other entry gets its annotations.
    ///
    /// # Errors
    /// Fails as [`with_annotations`](Self::with_annotations) does.
    pub fn annotated_key(
        &self,
        key: &Arc<Node>,
        annotations: Vec<Annotation>,
    ) -> Result<Arc<Node>> {
        if annotations.is_empty() {
            // Annotations are found by the node's pointer, so a key without annotations must be a
            // new node.
            return Ok(key.with_content(key.content.clone()));
        }
        let mut table = self.session()?.annotations.borrow_mut();
        Ok(table.connect_entry(key, annotations))
    }

    /// Returns the value that an item must have in order to have `annotations`, which may be empty.
    ///
    /// # Errors
    /// Fails as [`with_annotations`](Self::with_annotations) does.
    pub fn annotated_item(
        &self,
        value: &Arc<Node>,
        annotations: Vec<Annotation>,
    ) -> Result<Arc<Node>> {
        if annotations.is_empty() {
            return Ok(Arc::clone(value.resolved()));
        }
        let mut table = self.session()?.annotations.borrow_mut();
        Ok(table.connect_item(value, annotations))
    }

    /// Returns the diagnostic of an error of the crate.
    fn diagnose(&self, error: starlark::Error) -> Box<Diagnostic> {
        match self.evaluator.session() {
            Ok(session) => error::diagnose(error, session),
            Err(_) => error::without_places(&error),
        }
    }

    fn session(&self) -> Result<&Session> {
        let session = self.evaluator.session();
        session.map_err(|error| error::without_places(&error))
    }
}
