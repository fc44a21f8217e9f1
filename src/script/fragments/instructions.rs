//! The instructions of a template: methods of the variable `__ytt` that each template has.

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
use super::context::{Context, Outcome};
use super::{Annotation, Parts};
use crate::script::evaluation::evaluation;
use crate::script::failure::Failure;

use crate::script::value::{Fragment, FragmentContent, article, type_name};
use crate::yaml::Node;

/// The parts of a template, for its program.
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

/// What a context gave, as a value.
fn outcome_value<'v>(outcome: Outcome, eval: &Evaluator<'v, '_, '_>) -> Value<'v> {
    let content = match outcome {
        Outcome::Text(text) => return eval.heap().alloc(text),
        Outcome::Nothing => FragmentContent::Nothing,
        Outcome::Node(node) => FragmentContent::Node(node),
        Outcome::Documents(documents) => FragmentContent::Documents(documents.into()),
    };
    eval.heap().alloc(Fragment::new(content))
}

/// What a part takes besides its text.
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
            None => Ok(outcome_value(
                context.finish(&mut evaluation.session.annotations.borrow_mut()),
                eval,
            )),
        }
    }

    /// Opens a part, whose own parts come next.
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

    /// Adds a whole part, with a value for each of its holes.
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
        evaluation.session.build(PART + size)?;
        let heap = eval.heap();
        let table = &mut evaluation.session.annotations.borrow_mut();
        let size = evaluation.with_context(|context| {
            context.set(&this.parts, id as usize, &values.items, heap, table)
        })?;
        evaluation.session.build(size)?;
        Ok(NoneType)
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

    /// Adds the text that an expression gives.
    fn print<'v>(
        this: &Instructions,
        #[starlark(require = pos)] value: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<NoneType> {
        let _ = this;
        let Some(text) = value.unpack_str() else {
            return Err(Failure::new(format!(
                "expected a string to print, found {}",
                article(type_name(value))
            ))
            .help("convert the value with `str(…)`")
            .into());
        };
        evaluation(eval)?.write(text)?;
        Ok(NoneType)
    }
}
