//! Errors for arguments that do not fit a function of the user, in ytt's words.
//!
//! The crate reports the first missing parameter, or the number of surplus arguments. ytt counts:
//! `function f accepts 1 positional argument (2 given)`. To produce that message, the call and the
//! definition are analyzed again, in the text of the program.

use std::collections::HashMap;

use starlark::values::Value;

use crate::dialect::{CallShape, FunctionShape, ParameterShape};

/// Returns the reason why a call does not fit a function; `None` if it fits.
pub(in crate::script) fn argument_mismatch(
    name: &str,
    function: &FunctionShape,
    call: &CallShape,
) -> Option<String> {
    let given = call.positional;
    let accepted = function.positional.len();
    let has_parameters =
        accepted > 0 || !function.named.is_empty() || function.has_rest || function.has_named_rest;
    if !has_parameters {
        let given = given + call.named.len();
        return (given > 0)
            .then(|| format!("function {name} accepts no arguments ({given} given)"));
    }
    if given > accepted && !function.has_rest {
        return Some(too_many(name, function, given));
    }
    // The names that have a value so far: first the positional arguments, then the named ones. In
    // this order, ytt reports a second value for a name before an unknown name.
    let mut defined: Vec<&str> = function
        .positional
        .iter()
        .take(given)
        .map(|parameter| parameter.name.as_str())
        .collect();
    for argument in &call.named {
        if defined.contains(&argument.as_str()) {
            return Some(format!(
                "function {name} got multiple values for parameter \"{argument}\""
            ));
        }
        let is_known = parameters(function).any(|parameter| parameter.name == *argument);
        if !is_known && !function.has_named_rest {
            return Some(format!(
                "function {name} got an unexpected keyword argument \"{argument}\""
            ));
        }
        defined.push(argument);
    }
    let missing: Vec<&str> = parameters(function)
        .filter(|parameter| !parameter.is_optional)
        .map(|parameter| parameter.name.as_str())
        .filter(|parameter| !defined.contains(parameter))
        .collect();
    missing_arguments(name, &missing)
}

/// Returns all named parameters, in order.
fn parameters(function: &FunctionShape) -> impl Iterator<Item = &ParameterShape> {
    function.positional.iter().chain(&function.named)
}

fn too_many(name: &str, function: &FunctionShape, given: usize) -> String {
    let accepted = function.positional.len();
    let is_bound = function
        .positional
        .iter()
        .any(|parameter| parameter.is_optional);
    let bound = if is_bound { "at most " } else { "" };
    let plural = if accepted == 1 { "" } else { "s" };
    format!("function {name} accepts {bound}{accepted} positional argument{plural} ({given} given)")
}

fn missing_arguments(name: &str, missing: &[&str]) -> Option<String> {
    let count = missing.len();
    let plural = if count == 1 { "" } else { "s" };
    let names = missing.join(", ");
    (count > 0).then(|| format!("function {name} missing {count} argument{plural} ({names})"))
}

/// Returns ytt's message for an error of the crate about a call of `name`. `call` is the call in
/// the program, if it is known. `function` is the definition, which is unknown for a lambda.
pub(super) fn ytt_message(
    message: &str,
    name: &str,
    function: Option<&FunctionShape>,
    call: Option<&CallShape>,
) -> Option<String> {
    // The text does not show the arguments that `*x` passes.
    let call = call.filter(|call| !call.has_star);
    if let (Some(function), Some(call)) = (function, call)
        && let Some(message) = argument_mismatch(name, function, call)
    {
        return Some(message);
    }
    let named = |message: &str| message.split('`').nth(1).map(str::to_owned);
    if message.starts_with("Missing ") {
        return missing_arguments(name, &[named(message)?.as_str()]);
    }
    if message.starts_with("Found `") {
        let argument = named(message)?;
        return Some(format!(
            "function {name} got an unexpected keyword argument \"{argument}\""
        ));
    }
    let extra = message.strip_prefix("Found ")?.split(' ').next()?;
    let extra: usize = extra.parse().ok()?;
    if let Some(function) = function {
        return Some(too_many(name, function, function.positional.len() + extra));
    }
    let given = call?.positional;
    let accepted = given.checked_sub(extra)?;
    if accepted == 0 {
        return Some(format!(
            "function {name} accepts no arguments ({given} given)"
        ));
    }
    let plural = if accepted == 1 { "" } else { "s" };
    Some(format!(
        "function {name} accepts {accepted} positional argument{plural} ({given} given)"
    ))
}

/// Returns the parameters of a function that is called by a native function.
pub(in crate::script) fn shape_of(function: Value<'_>) -> Option<FunctionShape> {
    let specification = function.parameters_spec()?;
    let types = vec![starlark::typing::Ty::any(); specification.len()];
    let parameters =
        specification
            .documentation_with_default_value_formatter(types, HashMap::new(), |_| String::new());
    let shape = |parameter: &starlark::docs::DocParam| ParameterShape {
        name: parameter.name.clone(),
        is_optional: parameter.default_value.is_some(),
    };
    let positional = parameters.pos_only.iter().chain(&parameters.pos_or_named);
    Some(FunctionShape {
        positional: positional.map(shape).collect(),
        named: parameters.named_only.iter().map(shape).collect(),
        has_rest: parameters.args.is_some(),
        has_named_rest: parameters.kwargs.is_some(),
    })
}
