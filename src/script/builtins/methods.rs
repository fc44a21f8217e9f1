//! Calls of the methods of strings, lists, dictionaries and sets. Their arguments are checked here.

use smallvec::SmallVec;
use starlark::eval::{Arguments, Evaluator};
use starlark::values::{Heap, Value, ValueError};

use super::method_table::{Method, ReceiverRead, method_names, methods_of};
use super::rewritten::text;
use super::{collections, rewritten, strings};
use crate::script::builtin_call::{BuiltinCall, Operation, written};
use crate::script::failure::Failure;
use crate::script::limits::{memory, outside, size, work};
use crate::script::value::type_name;
use crate::source::suggest::{did_you_mean, nearest};

/// The memory is not checked for operations on texts up to this length.
const SMALL: usize = 512;

/// Returns the methods of a value's type; `None` for a type that defines its methods itself.
fn methods(receiver: Value<'_>) -> Option<&'static [Method]> {
    methods_of(receiver.get_type())
}

/// Returns the names of a value's attributes.
pub(super) fn names(value: Value<'_>) -> Vec<String> {
    match method_names(value.get_type()) {
        Some(names) => names.map(str::to_owned).collect(),
        None => {
            let mut names = value.dir_attr();
            names.sort();
            names
        }
    }
}

/// Returns whether ytt has the attribute. The crate has additional ones for some types.
pub(super) fn is_known(value: Value<'_>, name: &str) -> bool {
    methods(value).is_none_or(|methods| methods.iter().any(|method| method.name == name))
}

/// Returns the failure for a missing attribute.
pub(super) fn missing(value: Value<'_>, name: &str) -> Failure {
    let names = names(value);
    let help = did_you_mean(name, names.iter().map(String::as_str));
    let kind = type_name(value);
    Failure::new(format!("{kind} has no .{name} field or method")).help_if(help)
}

/// Calls a method of a string, a list, a dictionary or a set.
fn call_method<'v>(
    receiver: Value<'v>,
    methods: &[Method],
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let Some(method) = methods.iter().find(|method| method.name == call.name) else {
        return Err(missing(receiver, call.name).into());
    };
    // The two methods with named arguments check them themselves.
    if !matches!(call.name, "format" | "update") {
        call.check_positions(method.required, method.parameters, eval.heap())?;
    }
    match (method.reads, receiver.unpack_str()) {
        (ReceiverRead::Constant, _) => {}
        (ReceiverRead::Characters, Some(text)) => work::charge_characters(text.len(), eval)?,
        (ReceiverRead::Characters, None) | (ReceiverRead::Whole, _) => {
            work::charge_value(receiver, eval)?;
        }
    }
    for argument in call.positional {
        // `x.append(y)` takes the same time for a large `y`.
        if !matches!(call.name, "append" | "insert") {
            work::charge_value(*argument, eval)?;
        }
    }
    let Some(text) = receiver.unpack_str() else {
        return collections::call_method(receiver, call, eval);
    };
    let value = strings::call_method(text, call, eval)?;
    work::charge_value(value, eval)?;
    // The result of a method of a short string is short, except for `format`, `join` and `replace`.
    let is_long = |value: Value<'_>| value.unpack_str().is_some_and(|made| made.len() > SMALL);
    if text.len() > SMALL || is_long(value) {
        memory::check(eval)?;
    }
    Ok(value)
}

/// Calls a method of any other value.
fn call_own_method<'v>(
    receiver: Value<'v>,
    call: &BuiltinCall<'_, 'v>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let method = attribute(receiver, call.name, eval.heap())?;
    outside::call(method, call.positional, call.named, eval)
}

/// The functions that `dialect` calls for the methods of a program.
pub(super) const FUNCTIONS: &[(&str, Operation)] =
    &[("__ytt_method", call), ("__ytt_member", member)];

/// Implements `__ytt_method(receiver, "name", …)`, which calls a method. `dialect` writes it for
/// `receiver.name(…)` if a string, list, dictionary or set has a method of that name.
fn call<'v>(
    args: &Arguments<'v, '_>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let mut positional = args.positions(eval.heap())?;
    let (Some(receiver), Some(name)) = (positional.next(), text(positional.next())) else {
        return Err(rewritten::unexpected_call());
    };
    let positional: SmallVec<[Value<'v>; 4]> = positional.collect();
    let named = args.names_map()?;
    let named: SmallVec<[(&str, Value<'v>); 2]> = named
        .iter()
        .map(|(name, value)| (written(name), *value))
        .collect();
    let call = BuiltinCall {
        name,
        positional: &positional,
        named: &named,
    };
    size::check_list(positional.len())?;
    match methods(receiver) {
        Some(methods) => call_method(receiver, methods, &call, eval),
        None => call_own_method(receiver, &call, eval),
    }
}

/// Implements `__ytt_member(receiver, "name")`, which returns a function of a module, a struct or
/// another object. `dialect` writes it for the callee of any other call `receiver.name(…)`.
fn member<'v>(
    args: &Arguments<'v, '_>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let [receiver, name] = args.positional(eval.heap())?;
    let name = name.unpack_str().ok_or_else(rewritten::unexpected_call)?;
    attribute(receiver, name, eval.heap())
}

/// Returns an attribute of a value. `Value::get_attr_error` of the crate suggests no name, so this
/// creates the error that compiled code would give.
fn attribute<'v>(receiver: Value<'v>, name: &str, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
    // All methods of these types are called through `__ytt_method`.
    let has_only_methods = methods(receiver).is_some();
    if !has_only_methods && let Some(value) = receiver.get_attr(name, heap)? {
        return Ok(value);
    }
    let known = names(receiver);
    let (kind, name) = (receiver.get_type().to_owned(), name.to_owned());
    let near = nearest(&name, known.iter().map(String::as_str)).map(str::to_owned);
    Err(match near {
        Some(near) => ValueError::NoAttrDidYouMean(kind, name, near),
        None => ValueError::NoAttr(kind, name),
    }
    .into())
}
