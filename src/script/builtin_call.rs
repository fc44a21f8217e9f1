//! The arguments of a built-in function or method, checked with ytt's messages.
//!
//! ytt's Starlark checks the arguments of each function with one of two helpers, whose messages
//! differ: by position (`count: for parameter 1: got int, want string`) or by name
//! (`sorted: for parameter iterable: got int, want iterable`). [`BuiltinCall`] implements both.

use starlark::eval::{Arguments, Evaluator};
use starlark::values::{Heap, Value};

use crate::dialect::RENAMED;
use crate::script::failure::Failure;
use crate::script::value::{is_callable, repr, type_name};
use crate::source::suggest::did_you_mean;

/// The body of a function that is predeclared in every program.
pub(in crate::script) type Builtin =
    for<'v> fn(&BuiltinCall<'_, 'v>, &mut Evaluator<'v, '_, '_>) -> starlark::Result<Value<'v>>;

/// The body of a function that only rewritten programs call, such as `__ytt_plus` for `+`.
///
/// It gets the arguments as the crate passes them, because collecting them into lists would cost
/// more than most operators. It charges for its own work.
pub(in crate::script) type Operation =
    for<'v> fn(&Arguments<'v, '_>, &mut Evaluator<'v, '_, '_>) -> starlark::Result<Value<'v>>;

/// One call of a function or method.
#[derive(Clone, Copy)]
pub(in crate::script) struct BuiltinCall<'a, 'v> {
    /// The name of the function, which starts each message.
    pub(in crate::script) name: &'a str,
    /// The positional arguments.
    pub(in crate::script) positional: &'a [Value<'v>],
    /// The named arguments, with their names as the user wrote them.
    pub(in crate::script) named: &'a [(&'a str, Value<'v>)],
}

/// The kinds of values that a parameter accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::script) enum ParameterKind {
    Any,
    Text,
    Integer,
    Boolean,
    Iterable,
    Callable,
}

impl ParameterKind {
    fn name(self) -> &'static str {
        match self {
            ParameterKind::Any => "value",
            ParameterKind::Text => "string",
            ParameterKind::Integer => "int",
            ParameterKind::Boolean => "bool",
            ParameterKind::Iterable => "iterable",
            ParameterKind::Callable => "callable",
        }
    }

    fn accepts<'v>(self, value: Value<'v>, heap: Heap<'v>) -> bool {
        match self {
            ParameterKind::Any => true,
            ParameterKind::Text => value.unpack_str().is_some(),
            ParameterKind::Integer => value.get_type() == "int",
            ParameterKind::Boolean => value.unpack_bool().is_some(),
            ParameterKind::Iterable => value.iterate(heap).is_ok(),
            ParameterKind::Callable => is_callable(value),
        }
    }

    /// Rejects a value that the parameter does not accept. `parameter` is its number or its name.
    fn check<'v>(self, value: Value<'v>, parameter: &str, heap: Heap<'v>) -> Result<(), Failure> {
        if !self.accepts(value, heap) {
            let (found, wanted) = (type_name(value), self.name());
            return Err(Failure::new(format!(
                "for parameter {parameter}: got {found}, want {wanted}"
            )));
        }
        // ytt stores these integers in 32 bits.
        if self == ParameterKind::Integer && value.unpack_i32().is_none() {
            let value = repr(value);
            return Err(Failure::new(format!(
                "for parameter {parameter}: {value} out of range"
            )));
        }
        Ok(())
    }
}

impl<'v> BuiltinCall<'_, 'v> {
    /// Returns a failure of this call, with the function's name in front of the message.
    pub(in crate::script) fn failure(&self, message: impl std::fmt::Display) -> Failure {
        Failure::new(format!("{}: {message}", self.name))
    }

    /// Returns the failure with the name of this call in front of its message. The failure of a
    /// limit is returned unchanged, because a limit belongs to the program and not to the call.
    pub(in crate::script) fn prefixed(&self, failure: Failure) -> Failure {
        let mut failure = failure;
        if !failure.is_limit() {
            failure.0.message = format!("{}: {}", self.name, failure.0.message);
        }
        failure
    }

    /// Returns the error with the name of this call in front; see [`prefixed`](Self::prefixed).
    pub(in crate::script) fn named_failure(&self, error: starlark::Error) -> starlark::Error {
        let starlark::ErrorKind::Other(inner) = error.kind() else {
            return error;
        };
        match inner.downcast_ref::<Failure>() {
            Some(Failure(diagnostic)) => self.prefixed(Failure(diagnostic.clone())).into(),
            None => error,
        }
    }

    /// Returns the arguments of a function that takes no named arguments. The first `required`
    /// arguments must be given.
    pub(in crate::script) fn by_position<const N: usize>(
        &self,
        required: usize,
        kinds: [ParameterKind; N],
        heap: Heap<'v>,
    ) -> Result<[Option<Value<'v>>; N], Failure> {
        self.check_positions(required, &kinds, heap)?;
        Ok(std::array::from_fn(|index| {
            self.positional.get(index).copied()
        }))
    }

    /// Checks the arguments that [`by_position`](Self::by_position) returns.
    pub(in crate::script) fn check_positions(
        &self,
        required: usize,
        kinds: &[ParameterKind],
        heap: Heap<'v>,
    ) -> Result<(), Failure> {
        if !self.named.is_empty() {
            return Err(self.failure("unexpected keyword arguments"));
        }
        let given = self.positional.len();
        let bound = match required == kinds.len() {
            true => "",
            false if given < required => "at least ",
            false => "at most ",
        };
        if given < required {
            return Err(self.failure(format!("got {given} arguments, want {bound}{required}")));
        }
        if given > kinds.len() {
            let most = kinds.len();
            return Err(self.failure(format!("got {given} arguments, want {bound}{most}")));
        }
        for (index, (value, kind)) in self.positional.iter().zip(kinds).enumerate() {
            let number = (index + 1).to_string();
            kind.check(*value, &number, heap)
                .map_err(|failure| self.prefixed(failure))?;
        }
        Ok(())
    }

    /// Returns the failure for a named argument that matches no parameter.
    fn unexpected<const N: usize>(&self, name: &str, known: [&str; N]) -> Failure {
        self.failure(format!("unexpected keyword argument \"{name}\""))
            .help_if(did_you_mean(name, known))
    }

    /// Returns the arguments of a function with named parameters. The first `required` parameters
    /// must be given, by position or by name.
    pub(in crate::script) fn by_name<const N: usize>(
        &self,
        required: usize,
        parameters: [(&str, ParameterKind); N],
        heap: Heap<'v>,
    ) -> Result<[Option<Value<'v>>; N], Failure> {
        let given = self.positional.len();
        if given > N {
            return Err(self.failure(format!("got {given} arguments, want at most {N}")));
        }
        let mut values: [Option<Value<'v>>; N] =
            std::array::from_fn(|index| self.positional.get(index).copied());
        for (value, (name, kind)) in self.positional.iter().zip(parameters) {
            kind.check(*value, name, heap)
                .map_err(|failure| self.prefixed(failure))?;
        }
        for (name, value) in self.named {
            let Some(place) = parameters.iter().position(|(known, _)| known == name) else {
                return Err(self.unexpected(name, parameters.map(|(known, _)| known)));
            };
            if values[place].is_some() {
                return Err(self.failure(format!(
                    "got multiple values for keyword argument \"{name}\""
                )));
            }
            let (_, kind) = parameters[place];
            kind.check(*value, &format!("\"{name}\""), heap)
                .map_err(|failure| self.prefixed(failure))?;
            values[place] = Some(*value);
        }
        let missing = values.iter().take(required).position(Option::is_none);
        match missing.and_then(|place| parameters.get(place)) {
            Some((name, _)) => Err(self.failure(format!("missing argument for {name}"))),
            None => Ok(values),
        }
    }

    /// Returns the argument of a function with exactly one parameter.
    pub(in crate::script) fn only(&self) -> Result<Value<'v>, Failure> {
        if !self.named.is_empty() {
            let name = self.name;
            return Err(Failure::new(format!(
                "{name} does not accept keyword arguments"
            )));
        }
        match self.positional {
            [only] => Ok(*only),
            others => {
                let given = others.len();
                Err(self.failure(format!("got {given} arguments, want exactly 1")))
            }
        }
    }
}

/// Returns the name of an argument as the user wrote it: `f(await=1)` arrives as
/// `__ytt_name_await`.
pub(in crate::script) fn written(name: &str) -> &str {
    name.strip_prefix(RENAMED).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message<'v>(call: &BuiltinCall<'_, 'v>, heap: Heap<'v>) -> Option<String> {
        let kinds = [ParameterKind::Text, ParameterKind::Integer];
        let result = call.by_position(1, kinds, heap);
        result.err().map(|failure| failure.0.message)
    }

    #[test]
    fn words_a_mistake_by_position_as_ytt_does() {
        Heap::temp(|heap| {
            let (text, number) = (heap.alloc("a"), heap.alloc(1));
            let table: &[(&[Value<'_>], Option<&str>)] = &[
                (&[text, number], None),
                (&[text], None),
                (&[], Some("f: got 0 arguments, want at least 1")),
                (&[text; 3], Some("f: got 3 arguments, want at most 2")),
                (&[number], Some("f: for parameter 1: got int, want string")),
                (
                    &[text, text],
                    Some("f: for parameter 2: got string, want int"),
                ),
            ];
            for (positional, expected) in table {
                let call = BuiltinCall {
                    name: "f",
                    positional,
                    named: &[],
                };
                assert_eq!(message(&call, heap).as_deref(), *expected);
            }
        });
    }
}
