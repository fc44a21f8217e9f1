//! Methods of strings, lists, dictionaries and sets. Their arguments are checked here.

use starlark::eval::{Arguments, Evaluator};
use starlark::values::{Heap, Value, ValueError};

use super::rewritten::text;
use super::{collections, rewritten, strings};
use crate::script::builtin_call::ParameterKind::{self, Any, Boolean, Integer, Iterable, Text};
use crate::script::builtin_call::{BuiltinCall, Operation, written};
use crate::script::failure::Failure;
use crate::script::limits::{memory, size, work};
use crate::script::value::type_name;
use crate::source::suggest::{did_you_mean, nearest};

/// The memory is not checked for operations on texts up to this length.
const SMALL: usize = 512;

/// A method, with the arguments that ytt accepts.
struct Method {
    name: &'static str,
    /// The number of arguments that must be given.
    required: usize,
    parameters: &'static [ParameterKind],
    /// Whether the method takes as long for a large receiver as for a small one.
    is_constant: bool,
}

/// Returns a row of the tables below.
const fn method(
    name: &'static str,
    required: usize,
    parameters: &'static [ParameterKind],
) -> Method {
    Method {
        name,
        required,
        parameters,
        is_constant: false,
    }
}

/// Returns a row for a method that does not read the whole receiver.
const fn constant(
    name: &'static str,
    required: usize,
    parameters: &'static [ParameterKind],
) -> Method {
    Method {
        is_constant: true,
        ..method(name, required, parameters)
    }
}

const STRING_METHODS: &[Method] = &[
    method("capitalize", 0, &[]),
    method("codepoint_ords", 0, &[]),
    method("codepoints", 0, &[]),
    method("count", 1, &[Text, Any, Any]),
    method("elem_ords", 0, &[]),
    method("elems", 0, &[]),
    constant("endswith", 1, &[Any, Any, Any]),
    method("find", 1, &[Text, Any, Any]),
    method("format", 0, &[]),
    method("index", 1, &[Text, Any, Any]),
    method("isalnum", 0, &[]),
    method("isalpha", 0, &[]),
    method("isdigit", 0, &[]),
    method("islower", 0, &[]),
    method("isspace", 0, &[]),
    method("istitle", 0, &[]),
    method("isupper", 0, &[]),
    method("join", 1, &[Iterable]),
    method("lower", 0, &[]),
    method("lstrip", 0, &[Text]),
    method("partition", 1, &[Text]),
    method("replace", 2, &[Text, Text, Integer]),
    method("rfind", 1, &[Text, Any, Any]),
    method("rindex", 1, &[Text, Any, Any]),
    method("rpartition", 1, &[Text]),
    method("rsplit", 0, &[Any, Integer]),
    method("rstrip", 0, &[Text]),
    method("split", 0, &[Any, Integer]),
    method("splitlines", 0, &[Boolean]),
    constant("startswith", 1, &[Any, Any, Any]),
    method("strip", 0, &[Text]),
    method("title", 0, &[]),
    method("upper", 0, &[]),
];

const LIST_METHODS: &[Method] = &[
    constant("append", 1, &[Any]),
    method("clear", 0, &[]),
    constant("extend", 1, &[Iterable]),
    // These charge for the values that they compare or move.
    constant("index", 1, &[Any, Any, Any]),
    constant("insert", 2, &[Integer, Any]),
    constant("pop", 0, &[Integer]),
    constant("remove", 1, &[Any]),
];

const DICT_METHODS: &[Method] = &[
    method("clear", 0, &[]),
    constant("get", 1, &[Any, Any]),
    method("items", 0, &[]),
    method("keys", 0, &[]),
    // Not constant: removing an entry moves all entries after it.
    method("pop", 1, &[Any, Any]),
    method("popitem", 0, &[]),
    constant("setdefault", 1, &[Any, Any]),
    constant("update", 0, &[Any]),
    method("values", 0, &[]),
];

const SET_METHODS: &[Method] = &[method("union", 0, &[Iterable])];

/// Returns the methods of a value's type; `None` for a type that defines its methods itself.
fn methods(receiver: Value<'_>) -> Option<&'static [Method]> {
    methods_of(receiver.get_type())
}

fn methods_of(kind: &str) -> Option<&'static [Method]> {
    match kind {
        "string" => Some(STRING_METHODS),
        "list" => Some(LIST_METHODS),
        "dict" => Some(DICT_METHODS),
        "set" => Some(SET_METHODS),
        _ => None,
    }
}

/// Returns the names of the methods that ytt has for a type; `None` for a type that defines its
/// methods itself.
pub(in crate::script) fn method_names(kind: &str) -> Option<impl Iterator<Item = &'static str>> {
    let methods = methods_of(kind)?;
    Some(methods.iter().map(|method| method.name))
}

/// Returns the names of a value's attributes.
pub(super) fn names(value: Value<'_>) -> Vec<String> {
    match methods(value) {
        Some(methods) => methods
            .iter()
            .map(|method| method.name.to_owned())
            .collect(),
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
    if !method.is_constant {
        work::charge_value(receiver, eval)?;
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
    let value = strings::call_method(receiver, text, call, eval)?;
    // The result of a method of a short string is short, except for `format` and `join`, which
    // check it themselves.
    if text.len() > SMALL {
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
    eval.eval_function(method, call.positional, call.named)
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
    let positional: Vec<Value<'v>> = positional.collect();
    let named = args.names_map()?;
    let named: Vec<(&str, Value<'v>)> = named
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
