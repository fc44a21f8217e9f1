//! The instructions of a template: calls of `__ytt`, which each template's program has.
//!
//! ```text
//! template                     program that runs
//! #@overlay/match by="name"    __ytt("annotate", 0, by = "name")
//! - name: #@ name              __ytt("set", 0, name)
//! ```
//!
//! They run for every node, so they name parts, texts and annotations by number. `__ytt` is a value
//! of our own and not a function of the crate, which would register its documentation, and not an
//! object with methods: see [`INSTRUCTIONS`](crate::dialect::INSTRUCTIONS).

#![allow(
    unsafe_code,
    reason = "only the derives of `starlark` write unsafe code here"
)]

use std::fmt;
use std::sync::Arc;

use allocative::Allocative;
use starlark::eval::{Arguments, Evaluator};
use starlark::starlark_simple_value;
use starlark::values::{NoSerialize, ProvidesStaticType, StarlarkValue, Value, starlark_value};

use super::argument_store;
use super::context::{Context, ContextValue};
use super::fill::HoleValues;
use super::{Annotation, Parts};
use crate::script::evaluation::evaluation;
use crate::script::failure::Failure;
use crate::script::reads;
use crate::script::value::{Fragment, FragmentContent, type_name};
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
        let mut positional = args.positions(eval.heap())?;
        let name = positional.next().and_then(|name| name.unpack_str());
        match name {
            Some("set") => {
                let number = number(positional.next());
                let values: Vec<Value<'v>> = positional.collect();
                self.set(number, &values, eval)?;
            }
            Some("start") => self.start(number(positional.next()), eval)?,
            Some("annotate") => {
                let number = number(positional.next());
                let values: Vec<Value<'v>> = positional.collect();
                self.annotate(number, &values, args, eval)?;
            }
            Some("open") => open(Context::default(), eval)?,
            Some("open_text" | "text") => open(Context::for_text(), eval)?,
            Some("close") => return close(positional.next(), eval),
            Some("write") => self.write(number(positional.next()), eval)?,
            Some("print") => print(positional.next(), eval)?,
            Some("key") => set_key(positional.next(), eval)?,
            Some("mark") => reads::mark(record_number(positional.next())),
            Some("hole") => {
                reads::end_expression(record_number(positional.next()));
                return Ok(positional.next().unwrap_or_else(Value::new_none));
            }
            // Programs are written by `template` alone.
            _ => return Err(Failure::new("expected a template around this node").into()),
        }
        Ok(Value::new_none())
    }
}

/// Returns the number of a part, text or annotation. One that is missing names none of them: programs
/// are written by `template` alone.
fn number(argument: Option<Value<'_>>) -> usize {
    let number = argument.and_then(|value| value.unpack_i32());
    let number = number.and_then(|number| usize::try_from(number).ok());
    number.unwrap_or(usize::MAX)
}

/// Returns the number of an instruction that is recorded.
fn record_number(argument: Option<Value<'_>>) -> u32 {
    u32::try_from(number(argument)).unwrap_or(u32::MAX)
}

impl Instructions {
    /// Opens a part. The parts inside it come next.
    fn start(&self, number: usize, eval: &Evaluator<'_, '_, '_>) -> starlark::Result<()> {
        let evaluation = evaluation(eval)?;
        evaluation.session.build(PART)?;
        let table = &mut evaluation.session.annotations.borrow_mut();
        evaluation.with_context(|context| context.start(&self.parts, number, table))
    }

    /// Adds a complete part, with a value for each of its holes.
    fn set<'v>(
        &self,
        number: usize,
        values: &[Value<'v>],
        eval: &Evaluator<'v, '_, '_>,
    ) -> starlark::Result<()> {
        let evaluation = evaluation(eval)?;
        let size = self.parts.parts.get(number).map_or(0, |part| part.size);
        // Count the text before it is built, and the values when their size is known.
        evaluation.session.build(PART + size)?;
        let reads = match values.is_empty() {
            true => Vec::new(),
            false => reads::end_instruction(),
        };
        let table = &mut evaluation.session.annotations.borrow_mut();
        let size = evaluation.with_context(|context| {
            let values = HoleValues::new(values, eval.heap(), reads);
            context.set(&self.parts, number, values, table)
        })?;
        evaluation.session.build(size)
    }

    /// Evaluates an annotation of the part that comes next.
    fn annotate<'v>(
        &self,
        id: usize,
        positional: &[Value<'v>],
        args: &Arguments<'v, '_>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<()> {
        let Some((name, place)) = self.parts.annotations.get(id) else {
            return Err(Failure::new(format!(
                "expected an annotation of the template, found number {id}"
            ))
            .into());
        };
        // The values go to the store and the annotation keeps only their number, because the
        // annotation outlives this evaluation.
        let arguments = argument_store::store(positional, args.names_map()?, eval)?;
        let annotation = Annotation {
            name: Arc::clone(name),
            place: place.clone(),
            arguments,
        };
        evaluation(eval)?.with_context(|context| {
            context.annotate(annotation);
            Ok(())
        })
    }

    /// Adds a piece of text.
    fn write(&self, number: usize, eval: &Evaluator<'_, '_, '_>) -> starlark::Result<()> {
        let text = self.parts.texts.get(number).map(AsRef::as_ref);
        evaluation(eval)?.write(text.unwrap_or_default())
    }
}

/// Opens a context: of a function that builds nodes, or of the text of one scalar.
fn open(context: Context, eval: &Evaluator<'_, '_, '_>) -> starlark::Result<()> {
    evaluation(eval)?.contexts.borrow_mut().push(context);
    Ok(())
}

/// Closes a context; its value is the one given, or what was built.
fn close<'v>(
    value: Option<Value<'v>>,
    eval: &Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let evaluation = evaluation(eval)?;
    let context = evaluation.contexts.borrow_mut().pop().unwrap_or_default();
    match value {
        Some(value) => Ok(value),
        None => Ok(to_value(
            context.finish(&mut evaluation.session.annotations.borrow_mut()),
            eval,
        )),
    }
}

/// Sets the key of the entry that comes next.
fn set_key(key: Option<Value<'_>>, eval: &Evaluator<'_, '_, '_>) -> starlark::Result<()> {
    let key = key.and_then(|key| key.unpack_str()).unwrap_or_default();
    evaluation(eval)?.with_context(|context| {
        context.set_key(Node::string(key));
        Ok(())
    })
}

/// Adds the text of an expression, in a text template.
fn print<'v>(value: Option<Value<'v>>, eval: &Evaluator<'v, '_, '_>) -> starlark::Result<()> {
    let value = value.unwrap_or_else(Value::new_none);
    let Some(text) = value.unpack_str() else {
        return Err(Failure::new(format!(
            "expected a string to print, found {}",
            with_article(type_name(value))
        ))
        .help("convert the value with `str(…)`")
        .into());
    };
    evaluation(eval)?.write(text)
}

/// Returns what a context has built as a value: the result of a function that contains nodes.
fn to_value<'v>(outcome: ContextValue, eval: &Evaluator<'v, '_, '_>) -> Value<'v> {
    let content = match outcome {
        ContextValue::Text(text) => return eval.heap().alloc(text),
        ContextValue::Nothing => FragmentContent::Nothing,
        ContextValue::Node(node) => FragmentContent::Node(node),
        ContextValue::Documents(documents) => FragmentContent::Documents(documents.into()),
    };
    eval.heap().alloc(Fragment::new(content))
}

/// What a part takes besides its text, in bytes.
const PART: usize = 128;
