//! The instructions of a template: calls of `__ytt`, which the program of each template contains.
//!
//! ```text
//! template                     program that runs
//! #@overlay/match by="name"    __ytt("annotate", 0, by = "name")
//! - name: #@ name              __ytt("set", 0, name)
//! ```
//!
//! They run for every node, so they refer to parts, texts and annotations by number. `__ytt` is a
//! value of our own type. A function of the crate would have to register its documentation, and an
//! object with methods its methods; see [`INSTRUCTIONS`](crate::dialect::INSTRUCTIONS).

#![allow(
    unsafe_code,
    reason = "only the derives of `starlark` write unsafe code here"
)]

use std::fmt;
use std::sync::Arc;

use allocative::Allocative;
use smallvec::SmallVec;
use starlark::eval::{Arguments, Evaluator};
use starlark::starlark_simple_value;
use starlark::values::{
    Heap, NoSerialize, ProvidesStaticType, StarlarkValue, Value, ValueLike, starlark_value,
};

use super::argument_store;
use super::context::{Context, ContextValue};
use super::fill::HoleValues;
use super::{Annotation, PartKind, Parts};
use crate::script::evaluation::{Evaluation, evaluation};
use crate::script::failure::Failure;
use crate::script::reads;
use crate::script::value::{Fragment, FragmentContent, Replacement, type_name};
use crate::source::suggest::with_article;
use crate::yaml::Node;

/// The value of `__ytt`: the parts that the instructions of a template refer to.
#[derive(Debug, ProvidesStaticType, NoSerialize, Allocative, starlark::StarlarkPagablePanic)]
pub(in crate::script) struct Instructions {
    #[allocative(skip)]
    pub(in crate::script) parts: Arc<Parts>,
}
starlark_simple_value!(Instructions);

impl fmt::Display for Instructions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("template")
    }
}

#[starlark_value(type = "@ytt:template.instructions")]
impl<'v> StarlarkValue<'v> for Instructions {
    fn invoke(
        &self,
        _me: Value<'v>,
        args: &Arguments<'v, '_>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        let evaluation = evaluation(eval)?;
        let mut operands = args.positions(eval.heap())?;
        let name = operands.next().and_then(|name| name.unpack_str());
        match name {
            Some("set") => {
                let part = number(operands.next());
                let values: SmallVec<[Value<'v>; 4]> = operands.collect();
                self.set(part, &values, evaluation, eval.heap())?;
            }
            Some("replace") => self.apply_replacements(evaluation)?,
            Some("start") => self.start(number(operands.next()), evaluation)?,
            Some("annotate") => {
                let annotation = number(operands.next());
                let values: Vec<Value<'v>> = operands.collect();
                let annotation = self.annotation(annotation, &values, args, eval)?;
                evaluation.context()?.annotate(annotation);
            }
            Some("open") => open(Context::default(), evaluation),
            Some("open_text" | "text") => open(Context::for_text(), evaluation),
            Some("close") => {
                // A function with a `return` value returns that value, and discards the nodes that
                // it has built.
                if let Some(returned) = operands.next() {
                    return_replacement(&mut close(evaluation), returned, evaluation);
                    return Ok(returned);
                }
                self.apply_replacements(evaluation)?;
                return Ok(built(close(evaluation), evaluation, eval.heap()));
            }
            Some("write") => self.write(number(operands.next()), evaluation)?,
            Some("print") => print(operands.next(), evaluation)?,
            Some("key") => set_key(operands.next(), evaluation)?,
            Some("mark") => reads::mark(record_number(operands.next())),
            Some("hole") => {
                reads::end_expression(record_number(operands.next()));
                return Ok(operands.next().unwrap_or_else(Value::new_none));
            }
            // Only `template` writes programs, so this does not occur.
            _ => return Err(Failure::new("expected a template around this node").into()),
        }
        Ok(Value::new_none())
    }
}

/// Returns the number of a part, text or annotation. A missing number becomes one that identifies
/// none of them, which does not occur because only `template` writes programs.
fn number(argument: Option<Value<'_>>) -> usize {
    let number = argument.and_then(|value| value.unpack_i32());
    let number = number.and_then(|number| usize::try_from(number).ok());
    number.unwrap_or(usize::MAX)
}

/// Returns the number of an instruction for recording.
fn record_number(argument: Option<Value<'_>>) -> u32 {
    u32::try_from(number(argument)).unwrap_or(u32::MAX)
}

impl Instructions {
    /// Opens a part. The parts inside it follow.
    fn start(&self, part: usize, evaluation: &Evaluation<'_>) -> starlark::Result<()> {
        evaluation.session.build(PART)?;
        let annotations = &mut evaluation.session.annotations.borrow_mut();
        let mut context = evaluation.context()?;
        reads::end_plain_instruction();
        context.start(&self.parts, part, annotations)?;
        drop(context);
        self.pass_on_documents(part, evaluation)
    }

    /// Prints the documents before a part that begins or ends one, while the next ones are built.
    fn pass_on_documents(&self, part: usize, evaluation: &Evaluation<'_>) -> starlark::Result<()> {
        let part = self.parts.parts.get(part);
        let is_document = part.is_some_and(|part| matches!(part.kind, PartKind::Document));
        // Code may still change the documents of a function.
        if is_document && evaluation.contexts.borrow().len() == 1 {
            for document in evaluation.context()?.new_documents() {
                evaluation.session.complete_document(document);
            }
        }
        Ok(())
    }

    /// Adds a complete part, with a value for each of its holes.
    fn set<'v>(
        &self,
        part: usize,
        values: &[Value<'v>],
        evaluation: &Evaluation<'_>,
        heap: Heap<'v>,
    ) -> starlark::Result<()> {
        let text_size = self.parts.parts.get(part).map_or(0, |part| part.size);
        // Count the text before it is built, and the values as soon as their size is known.
        evaluation.session.build(PART + text_size)?;
        let reads = match values.is_empty() {
            true => {
                reads::end_plain_instruction();
                Vec::new()
            }
            false => reads::end_instruction(),
        };
        let values = HoleValues::new(values, heap, reads);
        let value_size = {
            let annotations = &mut evaluation.session.annotations.borrow_mut();
            let mut context = evaluation.context()?;
            let made = context.set(&self.parts, part, values, annotations)?;
            // A replacement that the expressions made, but whose result they did not use, replaces this
            // node.
            made.saturating_add(context.apply_replacements(&self.parts, annotations)?)
        };
        self.pass_on_documents(part, evaluation)?;
        evaluation.session.build(value_size)
    }

    /// Replaces the last node by the replacements that no hole has taken.
    pub(in crate::script) fn apply_replacements(
        &self,
        evaluation: &Evaluation<'_>,
    ) -> starlark::Result<()> {
        let made = {
            let annotations = &evaluation.session.annotations.borrow();
            let mut context = evaluation.context()?;
            context.apply_replacements(&self.parts, annotations)?
        };
        evaluation.session.build(made)
    }

    /// Returns an annotation with its evaluated arguments, for the next part.
    fn annotation<'v>(
        &self,
        id: usize,
        positional: &[Value<'v>],
        args: &Arguments<'v, '_>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Annotation> {
        let Some((name, place)) = self.parts.annotations.get(id) else {
            return Err(Failure::new(format!(
                "expected an annotation of the template, found number {id}"
            ))
            .into());
        };
        // The values go to the store and the annotation keeps only their id, because the annotation
        // outlives this evaluation.
        let arguments = argument_store::store(positional, args.names_map()?, eval)?;
        Ok(Annotation {
            name: Arc::clone(name),
            place: place.clone(),
            arguments,
        })
    }

    /// Adds a piece of text.
    fn write(&self, text: usize, evaluation: &Evaluation<'_>) -> starlark::Result<()> {
        let text = self.parts.texts.get(text).map(AsRef::as_ref);
        evaluation.write(text.unwrap_or_default())
    }
}

/// Opens a context for a function that builds nodes, or for the text of one scalar.
fn open(context: Context, evaluation: &Evaluation<'_>) {
    evaluation.contexts.borrow_mut().push(context);
}

/// Closes the innermost context, and returns it.
fn close(evaluation: &Evaluation<'_>) -> Context {
    let mut contexts = evaluation.contexts.borrow_mut();
    contexts.pop().unwrap_or_default()
}

/// Moves the replacement that a function returns from its context to the one of its caller.
fn return_replacement(context: &mut Context, returned: Value<'_>, evaluation: &Evaluation<'_>) {
    if let Some(replacement) = returned.downcast_ref::<Replacement>()
        && let Some(pending) = context.take_replacement(replacement)
        && let Some(outer) = evaluation.contexts.borrow_mut().last_mut()
    {
        outer.expect_replacement(pending);
    }
}

/// Sets the key of the next entry.
fn set_key(key: Option<Value<'_>>, evaluation: &Evaluation<'_>) -> starlark::Result<()> {
    let key = key.and_then(|key| key.unpack_str()).unwrap_or_default();
    evaluation.context()?.set_key(Node::string(key));
    Ok(())
}

/// Adds the text of an expression, in a text template.
fn print(value: Option<Value<'_>>, evaluation: &Evaluation<'_>) -> starlark::Result<()> {
    let value = value.unwrap_or_else(Value::new_none);
    let Some(text) = value.unpack_str() else {
        return Err(Failure::new(format!(
            "expected a string to print, found {}",
            with_article(type_name(value))
        ))
        .help("convert the value with `str(…)`")
        .into());
    };
    evaluation.write(text)
}

/// Returns the result of a context as a value: the result of a function that contains nodes.
fn built<'v>(context: Context, evaluation: &Evaluation<'_>, heap: Heap<'v>) -> Value<'v> {
    let annotations = &mut evaluation.session.annotations.borrow_mut();
    let content = match context.finish(annotations) {
        ContextValue::Text(text) => return heap.alloc(text),
        ContextValue::Nothing => FragmentContent::Nothing,
        ContextValue::Node(node) => FragmentContent::Node(node),
        ContextValue::Documents(documents) => FragmentContent::Documents(documents.into()),
    };
    heap.alloc(Fragment::built(content))
}

/// The bytes that a part takes in addition to its text.
const PART: usize = 128;
