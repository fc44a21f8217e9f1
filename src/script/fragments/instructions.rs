//! The instructions of a template: methods of the variable `__ytt` that each template's program
//! has.
//!
//! ```text
//! template                     program that runs
//! #@overlay/match by="name"    __ytt.annotate(0, by = "name")
//! - name: #@ name              __ytt.set(0, name)
//! ```
//!
//! They run for every node. So they are methods of the crate, whose positional arguments arrive
//! without an allocation, and name parts, texts and annotations by number.

#![allow(
    unsafe_code,
    reason = "only the derives of `starlark` write unsafe code here"
)]

use std::fmt;
use std::sync::Arc;

use allocative::Allocative;
use starlark::environment::{Methods, MethodsBuilder};
use starlark::eval::Evaluator;
use starlark::starlark_module;
use starlark::starlark_simple_value;
use starlark::values::dict::DictRef;
use starlark::values::none::NoneType;
use starlark::values::tuple::UnpackTuple;
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

starlark::methods_static!(METHODS = methods);

#[starlark_value(type = "@ytt:template.instructions")]
impl<'v> StarlarkValue<'v> for Instructions {
    fn get_methods() -> Option<&'static Methods> {
        Some(METHODS.methods())
    }
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

#[starlark_module]
fn methods(builder: &mut MethodsBuilder) {
    /// Opens the context of a function that builds nodes.
    fn open<'v>(this: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> starlark::Result<NoneType> {
        let _ = this;
        evaluation(eval)?
            .contexts
            .borrow_mut()
            .push(Context::default());
        Ok(NoneType)
    }

    /// Opens a context for text.
    fn open_text<'v>(
        this: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<NoneType> {
        let _ = this;
        evaluation(eval)?
            .contexts
            .borrow_mut()
            .push(Context::for_text());
        Ok(NoneType)
    }

    /// Opens a context for the text of one scalar.
    fn text<'v>(this: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> starlark::Result<NoneType> {
        let _ = this;
        evaluation(eval)?
            .contexts
            .borrow_mut()
            .push(Context::for_text());
        Ok(NoneType)
    }

    /// Closes a context; its value is the one given, or what was built.
    fn close<'v>(
        this: Value<'v>,
        #[starlark(require = pos)] value: Option<Value<'v>>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        let _ = this;
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

    /// Opens a part. The parts inside it come next.
    fn start<'v>(
        this: &Instructions,
        #[starlark(require = pos)] id: u32,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<NoneType> {
        let evaluation = evaluation(eval)?;
        evaluation.session.build(PART)?;
        let table = &mut evaluation.session.annotations.borrow_mut();
        evaluation.with_context(|context| context.start(&this.parts, id as usize, table))?;
        Ok(NoneType)
    }

    /// Adds a complete part, with a value for each of its holes.
    fn set<'v>(
        this: &Instructions,
        #[starlark(require = pos)] id: u32,
        #[starlark(args)] values: UnpackTuple<Value<'v>>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<NoneType> {
        let evaluation = evaluation(eval)?;
        let size = this
            .parts
            .parts
            .get(id as usize)
            .map_or(0, |part| part.size);
        // Count the text before it is built, and the values when their size is known.
        evaluation.session.build(PART + size)?;
        let heap = eval.heap();
        let reads = match values.items.is_empty() {
            true => Vec::new(),
            false => reads::end_instruction(),
        };
        let table = &mut evaluation.session.annotations.borrow_mut();
        let size = evaluation.with_context(|context| {
            let values = HoleValues::new(&values.items, heap, reads);
            context.set(&this.parts, id as usize, values, table)
        })?;
        evaluation.session.build(size)?;
        Ok(NoneType)
    }

    /// Starts an instruction with expressions, in a program that is recorded.
    fn mark<'v>(
        this: Value<'v>,
        #[starlark(require = pos)] number: u32,
    ) -> starlark::Result<NoneType> {
        let _ = this;
        reads::mark(number);
        Ok(NoneType)
    }

    /// Ends an expression, in a program that is recorded. Returns its value.
    fn hole<'v>(
        this: Value<'v>,
        #[starlark(require = pos)] number: u32,
        #[starlark(require = pos)] value: Value<'v>,
    ) -> starlark::Result<Value<'v>> {
        let _ = this;
        reads::end_expression(number);
        Ok(value)
    }

    /// Sets the key of the entry that comes next.
    fn key<'v>(
        this: Value<'v>,
        #[starlark(require = pos)] key: &str,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<NoneType> {
        let _ = this;
        evaluation(eval)?.with_context(|context| {
            context.set_key(Node::string(key));
            Ok(())
        })?;
        Ok(NoneType)
    }

    /// Evaluates an annotation of the part that comes next.
    fn annotate<'v>(
        this: &Instructions,
        #[starlark(require = pos)] id: u32,
        #[starlark(args)] positional: UnpackTuple<Value<'v>>,
        #[starlark(kwargs)] named: DictRef<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<NoneType> {
        let Some((name, place)) = this.parts.annotations.get(id as usize) else {
            return Err(Failure::new(format!(
                "expected an annotation of the template, found number {id}"
            ))
            .into());
        };
        // The values go to the store and the annotation keeps only their number, because the
        // annotation outlives this evaluation.
        let arguments = argument_store::store(&positional.items, &named, eval)?;
        let annotation = Annotation {
            name: Arc::clone(name),
            place: place.clone(),
            arguments,
        };
        evaluation(eval)?.with_context(|context| {
            context.annotate(annotation);
            Ok(())
        })?;
        Ok(NoneType)
    }

    /// Adds a piece of text.
    fn write<'v>(
        this: &Instructions,
        #[starlark(require = pos)] text: u32,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<NoneType> {
        let text = this
            .parts
            .texts
            .get(text as usize)
            .map(AsRef::as_ref)
            .unwrap_or_default();
        evaluation(eval)?.write(text)?;
        Ok(NoneType)
    }

    /// Adds the text of an expression, in a text template.
    fn print<'v>(
        this: &Instructions,
        #[starlark(require = pos)] value: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<NoneType> {
        let _ = this;
        let Some(text) = value.unpack_str() else {
            return Err(Failure::new(format!(
                "expected a string to print, found {}",
                with_article(type_name(value))
            ))
            .help("convert the value with `str(…)`")
            .into());
        };
        evaluation(eval)?.write(text)?;
        Ok(NoneType)
    }
}
