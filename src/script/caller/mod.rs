//! Values and functions of Starlark for the rooms above, which do not know the crate.
//!
//! An annotation may hold a function (`via=lambda left, right: …`). A room above asks a [`Caller`] for the arguments of
//! the annotation and calls the function with nodes. It has a caller in two places: inside a function of a module that
//! it adds ([`Native`]), and after all evaluation, from [`Library::with_caller`](super::Library::with_caller).

mod rules;

use std::fmt;
use std::sync::Arc;

use starlark::eval::Evaluator;
use starlark::values::dict::DictRef;
use starlark::values::list::{AllocList, ListRef};
use starlark::values::tuple::TupleRef;
use starlark::values::{Heap, UnpackValue, Value as Raw, ValueLike};

use super::error;
use super::evaluation::evaluation;
use super::failure::Failure;
use super::fragments::{Annotation, Annotations, Built};
use super::keep;
use super::session::Session;
use super::value::{
    Bound, Fragment, FragmentContent, from_node, is_callable, repr, to_node, type_name,
};
use crate::source::{Location, Result};
use crate::yaml::Node;

/// A value of a program.
#[derive(Clone, Copy)]
pub struct Value<'v>(pub(super) Raw<'v>);

/// Arguments of a call or of an annotation.
#[derive(Debug, Default)]
pub struct Arguments<'v> {
    /// The positional ones.
    pub positional: Vec<Value<'v>>,
    /// The named ones, in order.
    pub named: Vec<(String, Value<'v>)>,
}

/// A function of a module that a room above adds.
pub type Native = for<'v> fn(&mut Caller<'_, 'v>, Arguments<'v>) -> Result<Value<'v>>;

/// Calls functions and makes values.
pub struct Caller<'c, 'v> {
    evaluator: &'c mut dyn Calls<'v>,
}

/// What a caller needs of an evaluator, whose other lifetimes are of no matter.
trait Calls<'v> {
    fn heap(&self) -> Heap<'v>;
    fn session(&self) -> starlark::Result<&Session>;
    fn kept(&self, annotation: &Annotation) -> starlark::Result<(Raw<'v>, Raw<'v>)>;
    fn call(&mut self, function: Raw<'v>, arguments: &Arguments<'v>) -> starlark::Result<Raw<'v>>;
    fn place(&self) -> Option<Location>;
}

impl<'v> Calls<'v> for Evaluator<'v, '_, '_> {
    fn heap(&self) -> Heap<'v> {
        Evaluator::heap(self)
    }

    fn session(&self) -> starlark::Result<&Session> {
        Ok(evaluation(self)?.session())
    }

    fn kept(&self, annotation: &Annotation) -> starlark::Result<(Raw<'v>, Raw<'v>)> {
        keep::arguments(annotation, self)
    }

    fn call(&mut self, function: Raw<'v>, arguments: &Arguments<'v>) -> starlark::Result<Raw<'v>> {
        let positional: Vec<Raw<'v>> = arguments.positional.iter().map(|value| value.0).collect();
        let named: Vec<(&str, Raw<'v>)> = arguments
            .named
            .iter()
            .map(|(name, value)| (name.as_str(), value.0))
            .collect();
        self.eval_function(function, &positional, &named)
    }

    fn place(&self) -> Option<Location> {
        let span = self.call_stack_top_location()?;
        evaluation(self).ok()?.session().locate(&span)
    }
}

impl<'c, 'v> Caller<'c, 'v> {
    pub(super) fn new(evaluator: &'c mut Evaluator<'v, '_, '_>) -> Caller<'c, 'v> {
        Caller { evaluator }
    }

    /// Returns the same caller for a shorter lifetime, for a struct that owns a caller.
    pub fn reborrow(&mut self) -> Caller<'_, 'v> {
        Caller {
            evaluator: &mut *self.evaluator,
        }
    }

    pub(super) fn heap(&self) -> Heap<'v> {
        self.evaluator.heap()
    }

    /// The arguments of an annotation, as they were when it was evaluated.
    ///
    /// # Errors
    /// An annotation of another session.
    pub fn arguments(&self, annotation: &Annotation) -> Result<Arguments<'v>> {
        let (positional, named) = self
            .evaluator
            .kept(annotation)
            .map_err(|error| self.diagnose(error))?;
        let positional =
            TupleRef::from_value(positional).map(|tuple| tuple.iter().map(Value).collect());
        let named = DictRef::from_value(named).map(|dict| {
            let name = |key: Raw<'v>| key.unpack_str().unwrap_or_default().to_owned();
            dict.iter()
                .map(|(key, value)| (name(key), Value(value)))
                .collect()
        });
        Ok(Arguments {
            positional: positional.unwrap_or_default(),
            named: named.unwrap_or_default(),
        })
    }

    /// The call of the function that has this caller, in a template or a library file. `None` outside of all calls.
    pub fn place(&self) -> Option<Location> {
        self.evaluator.place()
    }

    /// The annotations of all nodes that were built.
    ///
    /// # Errors
    /// Only where there is no session, which would be a fault here.
    pub fn with_annotations<R>(&self, read: impl FnOnce(&Annotations) -> R) -> Result<R> {
        let session = self
            .evaluator
            .session()
            .map_err(|error| error::without_places(&error))?;
        Ok(read(&session.annotations()))
    }

    /// Connects the annotations of an item with its next version, see [`Annotations::carry`].
    ///
    /// # Errors
    /// Only where there is no session, which would be a fault here.
    pub fn carry_annotations(&self, item: &Arc<Node>, value: &Arc<Node>) -> Result<Arc<Node>> {
        let session = self
            .evaluator
            .session()
            .map_err(|error| error::without_places(&error))?;
        Ok(session.annotations.borrow_mut().carry(item, value))
    }

    /// Calls a function.
    ///
    /// # Errors
    /// What the function fails with, at its place in the template.
    pub fn call(&mut self, function: Value<'v>, arguments: &Arguments<'v>) -> Result<Value<'v>> {
        match self.evaluator.call(function.0, arguments) {
            Ok(value) => Ok(Value(value)),
            Err(error) => Err(self.diagnose(error)),
        }
    }

    /// A node as a value: a scalar, or a fragment that shares the node.
    pub fn value(&self, node: &Arc<Node>) -> Value<'v> {
        Value(from_node(node, self.evaluator.heap()))
    }

    /// Documents as one value.
    pub fn documents(&self, documents: Vec<Built>) -> Value<'v> {
        Value(
            self.evaluator
                .heap()
                .alloc(Fragment::new(FragmentContent::Documents(documents.into()))),
        )
    }

    /// A text as a value.
    pub fn text(&self, text: &str) -> Value<'v> {
        Value(self.evaluator.heap().alloc(text))
    }

    /// An integer as a value.
    pub fn integer(&self, integer: i64) -> Value<'v> {
        Value(self.evaluator.heap().alloc(integer))
    }

    /// A list of values.
    pub fn list(&self, values: &[Value<'v>]) -> Value<'v> {
        Value(
            self.evaluator
                .heap()
                .alloc(AllocList(values.iter().map(|value| value.0))),
        )
    }

    /// A function that is called with `first` before its own arguments: a matcher that knows what to look for.
    pub fn bind(&self, function: Value<'v>, first: &[Value<'v>]) -> Value<'v> {
        let first = first.iter().map(|value| value.0).collect();
        Value(Bound::alloc(function.0, first, self.evaluator.heap()))
    }

    /// A function of a room above as a value.
    pub fn function(&self, name: &'static str, native: Native) -> Value<'v> {
        Value(
            self.evaluator
                .heap()
                .alloc(super::native::NativeFunction { name, native }),
        )
    }

    /// The node that says what a value says.
    ///
    /// # Errors
    /// A value that YAML has no form for.
    pub fn node(&self, value: Value<'v>) -> Result<Arc<Node>> {
        to_node(value.0, self.evaluator.heap()).map_err(|error| self.diagnose(error))
    }

    /// The key of an entry with other annotations, which may be none: a key of its own for each entry that has any.
    ///
    /// # Errors
    /// As [`with_annotations`](Self::with_annotations).
    pub fn annotated_key(
        &self,
        key: &Arc<Node>,
        annotations: Vec<Annotation>,
    ) -> Result<Arc<Node>> {
        if annotations.is_empty() {
            return Ok(key.with_content(key.content.clone()));
        }
        let session = self
            .evaluator
            .session()
            .map_err(|error| error::without_places(&error))?;
        Ok(session
            .annotations
            .borrow_mut()
            .connect_entry(key, annotations))
    }

    /// The value that an item has to have to have annotations, which may be none.
    ///
    /// # Errors
    /// As [`with_annotations`](Self::with_annotations).
    pub fn annotated_item(
        &self,
        value: &Arc<Node>,
        annotations: Vec<Annotation>,
    ) -> Result<Arc<Node>> {
        if annotations.is_empty() {
            return Ok(Arc::clone(value.resolved()));
        }
        let session = self
            .evaluator
            .session()
            .map_err(|error| error::without_places(&error))?;
        Ok(session
            .annotations
            .borrow_mut()
            .connect_item(value, annotations))
    }

    fn diagnose(&self, error: starlark::Error) -> Box<crate::source::Diagnostic> {
        match self.evaluator.session() {
            Ok(session) => error::diagnose(error, session),
            Err(_) => error::without_places(&error),
        }
    }
}

impl<'v> Value<'v> {
    /// `None`.
    pub fn none() -> Value<'v> {
        Value(Raw::new_none())
    }

    /// A boolean.
    pub fn boolean(value: bool) -> Value<'v> {
        Value(Raw::new_bool(value))
    }

    /// Whether it is `None`.
    pub fn is_none(self) -> bool {
        self.0.is_none()
    }

    /// The boolean, if it is one.
    pub fn as_bool(self) -> Option<bool> {
        self.0.unpack_bool()
    }

    /// The string, if it is one.
    pub fn as_str(self) -> Option<&'v str> {
        self.0.unpack_str()
    }

    /// The integer, if it is one of 64 bits.
    pub fn as_integer(self) -> Option<i64> {
        i64::unpack_value(self.0).ok().flatten()
    }

    /// The values of a tuple, if it is one.
    pub fn as_tuple(self) -> Option<Vec<Value<'v>>> {
        TupleRef::from_value(self.0).map(|tuple| tuple.iter().map(Value).collect())
    }

    /// The values of a list, if it is one.
    pub fn as_list(self) -> Option<Vec<Value<'v>>> {
        ListRef::from_value(self.0).map(|list| list.iter().map(Value).collect())
    }

    /// The function and the arguments that [`Caller::bind`] put together, if it is of that kind.
    pub fn as_bound(self) -> Option<(Value<'v>, Vec<Value<'v>>)> {
        let bound = Bound::from_value(self.0)?;
        Some((
            Value(bound.function()),
            bound.arguments().map(Value).collect(),
        ))
    }

    /// The name of a function of a room above, if it is one: what [`Caller::function`] or a [`NativeModule`] gave it.
    ///
    /// [`NativeModule`]: super::NativeModule
    pub fn native_name(self) -> Option<&'static str> {
        self.0
            .downcast_ref::<super::native::NativeFunction>()
            .map(|function| function.name)
    }

    /// The documents, if it is a document set.
    pub fn as_documents(self) -> Option<Arc<[Built]>> {
        match &self.0.downcast_ref::<Fragment>()?.content {
            FragmentContent::Documents(documents) => Some(Arc::clone(documents)),
            _ => None,
        }
    }

    /// What `repr(value)` gives.
    pub fn repr(self) -> String {
        repr(self.0)
    }

    /// Whether it can be called.
    pub fn is_function(self) -> bool {
        is_callable(self.0)
    }

    /// What `type(value)` says.
    pub fn type_name(self) -> &'static str {
        type_name(self.0)
    }
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Value({})", self.type_name())
    }
}

/// The arguments of a call as the crate has them.
pub(super) fn arguments<'v>(
    args: &starlark::eval::Arguments<'v, '_>,
    heap: Heap<'v>,
) -> starlark::Result<Arguments<'v>> {
    let positional = args.positions(heap)?.map(Value).collect();
    let named = args.names_map()?;
    let named = named
        .iter()
        .map(|(name, value)| (name.as_str().to_owned(), Value(*value)))
        .collect();
    Ok(Arguments { positional, named })
}

/// The failure of a native function, for the crate.
pub(super) fn outcome<'v>(result: Result<Value<'v>>) -> starlark::Result<Raw<'v>> {
    Ok(result.map_err(Failure::from)?.0)
}
