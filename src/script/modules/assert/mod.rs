//! `@ytt:assert`.

mod assertion;

use std::sync::Arc;

use starlark::environment::GlobalsBuilder;
use starlark::eval::Evaluator;
use starlark::starlark_module;
use starlark::values::list::ListRef;
use starlark::values::none::NoneType;
use starlark::values::tuple::{TupleRef, UnpackTuple};
use starlark::values::{Heap, Value, ValueLike};

use super::arguments::{at_most_one, exactly};
use crate::script::error;
use crate::script::evaluation::evaluation;
use crate::script::failure::Failure;
use crate::script::library::Library;
use crate::script::program::Program;
use crate::script::value::{Fragment, FragmentContent, is_callable, text, to_node, type_name};
use crate::yaml::canonical_node;
use assertion::Assertion;
pub(in crate::script) use assertion::AssertionGen;
pub use assertion::Rule;

pub(super) fn module<'v>(
    heap: Heap<'v>,
    _: &Library<'_>,
    _: &Arc<Program>,
) -> starlark::Result<Value<'v>> {
    Ok(super::functions(heap, functions, []))
}

/// What a value prints as.
fn yaml<'v>(value: Value<'v>, heap: Heap<'v>) -> starlark::Result<String> {
    if is_callable(value) {
        return Err(
            Failure::new("assert.equals: expected values to compare, found a function").into(),
        );
    }
    if let Some(Fragment {
        content: FragmentContent::Documents(documents),
        ..
    }) = value.downcast_ref::<Fragment>()
    {
        let roots: Vec<_> = documents
            .iter()
            .map(|document| Arc::clone(&document.root))
            .collect();
        return Ok(crate::yaml::canonical(&roots).map_err(Failure::from)?);
    }
    Ok(canonical_node(&to_node(value, heap)?).map_err(Failure::from)?)
}

fn is_sequence(value: Value<'_>) -> bool {
    let is_list_fragment = value
        .downcast_ref::<Fragment>()
        .is_some_and(|fragment| !fragment.is_mapping());
    ListRef::from_value(value).is_some()
        || TupleRef::from_value(value).is_some()
        || is_list_fragment
}

/// The items of a sequence; an error names what `name` expected.
fn sequence<'v>(
    name: &str,
    expected: &str,
    value: Value<'v>,
    heap: Heap<'v>,
) -> starlark::Result<Vec<Value<'v>>> {
    if !is_sequence(value) {
        let found = type_name(value);
        return Err(
            Failure::new(format!("{name}: expected {expected}, but was a '{found}'")).into(),
        );
    }
    Ok(value.iterate(heap)?.collect())
}

fn assertion<'v>(rule: Rule, values: Vec<Value<'v>>) -> Assertion<'v> {
    AssertionGen { rule, values }
}

#[starlark_module]
fn functions(builder: &mut GlobalsBuilder) {
    /// Fails unless both values print as the same YAML.
    fn equals<'v>(
        #[starlark(args)] values: UnpackTuple<Value<'v>>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<NoneType> {
        let [expected, found] = exactly("assert.equals", &values.items)?;
        let (expected_yaml, found_yaml) = (yaml(expected, eval.heap())?, yaml(found, eval.heap())?);
        if expected_yaml == found_yaml {
            return Ok(NoneType);
        }
        let (expected, found) = (type_name(expected), type_name(found));
        let message = format!(
            "assert.equals: Not equal:\n(expected type: {expected})\n{expected_yaml}\n\n(was type: {found})\n{found_yaml}"
        );
        Err(Failure::new(message).into())
    }

    /// Fails with a message.
    fn fail<'v>(#[starlark(args)] values: UnpackTuple<Value<'v>>) -> starlark::Result<NoneType> {
        let [message] = exactly("assert.fail", &values.items)?;
        Err(Failure::new(format!("assert.fail: fail: {}", text(message))).into())
    }

    /// Calls a function: its value and None, or None and why it failed.
    fn try_to<'v>(
        #[starlark(args)] values: UnpackTuple<Value<'v>>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<(Value<'v>, Value<'v>)> {
        let [function] = exactly("assert.try_to", &values.items)?;
        if !is_callable(function) {
            let found = type_name(function);
            let message =
                format!("assert.try_to: expected argument to be a function, but was a {found}");
            return Err(Failure::new(message).into());
        }
        let evaluation = evaluation(eval)?;
        let open = evaluation.contexts.borrow().len();
        match eval.eval_function(function, &[], &[]) {
            Ok(value) => Ok((value, Value::new_none())),
            Err(error) => {
                evaluation.contexts.borrow_mut().truncate(open);
                Ok((Value::new_none(), eval.heap().alloc(error::message(&error))))
            }
        }
    }

    fn min<'v>(
        #[starlark(args)] values: UnpackTuple<Value<'v>>,
    ) -> starlark::Result<Assertion<'v>> {
        Ok(assertion(
            Rule::Min,
            exactly::<1>("assert.min", &values.items)?.to_vec(),
        ))
    }

    fn max<'v>(
        #[starlark(args)] values: UnpackTuple<Value<'v>>,
    ) -> starlark::Result<Assertion<'v>> {
        Ok(assertion(
            Rule::Max,
            exactly::<1>("assert.max", &values.items)?.to_vec(),
        ))
    }

    fn min_len<'v>(
        #[starlark(args)] values: UnpackTuple<Value<'v>>,
    ) -> starlark::Result<Assertion<'v>> {
        Ok(assertion(
            Rule::MinLength,
            exactly::<1>("assert.min_len", &values.items)?.to_vec(),
        ))
    }

    fn max_len<'v>(
        #[starlark(args)] values: UnpackTuple<Value<'v>>,
    ) -> starlark::Result<Assertion<'v>> {
        Ok(assertion(
            Rule::MaxLength,
            exactly::<1>("assert.max_len", &values.items)?.to_vec(),
        ))
    }

    /// Given a value, checks it at once.
    fn not_null<'v>(
        #[starlark(args)] values: UnpackTuple<Value<'v>>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        match at_most_one("assert.not_null", &values.items)? {
            None => Ok(eval.heap().alloc(assertion(Rule::NotNull, Vec::new()))),
            Some(value) if value.is_none() => {
                Err(Failure::new("assert.not_null: fail: value is null").into())
            }
            Some(_) => Ok(Value::new_bool(true)),
        }
    }

    /// Of the values of the keys given, or of all keys, one is not null.
    fn one_not_null<'v>(
        #[starlark(args)] values: UnpackTuple<Value<'v>>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Assertion<'v>> {
        let keys = at_most_one("assert.one_not_null", &values.items)?;
        match keys.map(|keys| keys.unpack_bool().ok_or(keys)) {
            None | Some(Ok(true)) => Ok(assertion(Rule::OneOfAllNotNull, Vec::new())),
            Some(Ok(false)) => {
                Err(Failure::new("assert.one_not_null: one_not_null() cannot be False").into())
            }
            Some(Err(keys)) => {
                let keys = sequence(
                    "assert.one_not_null",
                    "a sequence of keys",
                    keys,
                    eval.heap(),
                )?;
                Ok(assertion(Rule::OneNotNull, keys))
            }
        }
    }

    /// The value is one of those given.
    fn one_of<'v>(
        #[starlark(args)] values: UnpackTuple<Value<'v>>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Assertion<'v>> {
        let allowed = match values.items.as_slice() {
            [] => {
                return Err(Failure::new("assert.one_of: got 0 arguments, want at least 1").into());
            }
            [only] => sequence("assert.one_of", "a sequence", *only, eval.heap())?,
            all => all.to_vec(),
        };
        Ok(assertion(Rule::OneOf, allowed))
    }
}
