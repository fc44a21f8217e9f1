//! `@ytt:assert`.
//!
//! `assert.min(1)` returns an assertion: an object whose method `check` fails for a value below 1.
//! The rules of schemas are the same assertions, created by [`assertion`].

use std::cmp::Ordering;
use std::collections::HashSet;
use std::sync::Arc;

use super::call::Call;
use crate::script::{Arguments, Caller, NativeFunction, NativeModule, ObjectType, Value};
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::{canonical, canonical_node};

pub(super) const MODULE: NativeModule = NativeModule::new(
    "assert",
    &[
        ("assert.equals", equals),
        ("assert.fail", fail),
        ("assert.try_to", try_to),
        ("assert.min", min),
        ("assert.max", max),
        ("assert.min_len", min_len),
        ("assert.max_len", max_len),
        ("assert.not_null", not_null),
        ("assert.one_not_null", one_not_null),
        ("assert.one_of", one_of),
    ],
);

/// `equals(expected, found)`: fails unless both values have the same YAML.
fn equals<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    call.no_named()?;
    let [expected, found] = call.counted()?;
    // ytt compares the printed YAML, so a struct equals a dictionary, and 1 differs from 1.0.
    let expected_yaml = printed(&call, expected, caller)?;
    let found_yaml = printed(&call, found, caller)?;
    if expected_yaml == found_yaml {
        return Ok(Value::none());
    }
    let (expected, found) = (expected.type_name(), found.type_name());
    Err(call.failure(format!(
        "Not equal:\n(expected type: {expected})\n{expected_yaml}\n\n(was type: {found})\n{found_yaml}"
    )))
}

fn printed<'v>(call: &Call<'v>, value: Value<'v>, caller: &Caller<'_, 'v>) -> Result<String> {
    if value.is_function() {
        return Err(call.failure("expected values to compare, found a function"));
    }
    match value.as_documents() {
        Some(documents) => {
            let roots = documents.iter().map(|document| Arc::clone(&document.root));
            canonical(&roots.collect::<Vec<_>>())
        }
        None => canonical_node(&caller.node(value)?),
    }
}

/// `fail(message)`: fails.
fn fail<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    call.no_named()?;
    let [message] = call.counted()?;
    Err(call.failure(format!("fail: {}", message.text())))
}

/// `try_to(function)`: calls a function. Returns its value and `None`, or `None` and the message of
/// its failure. A program that exceeds its steps or its memory ends all the same.
fn try_to<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    call.no_named()?;
    let [function] = call.counted()?;
    if !function.is_function() {
        let found = function.type_name();
        return Err(call.failure(format!(
            "expected argument to be a function, but was a {found}"
        )));
    }
    let pair = match caller.call(function, &Arguments::default()) {
        Ok(value) => [value, Value::none()],
        // The evaluation has ended, and the error shows where.
        Err(error) if caller.is_over() => return Err(error),
        Err(error) => [Value::none(), caller.text(error.caught_message())],
    };
    Ok(caller.tuple(&pair))
}

/// `min(bound)`: the value is not less than `bound`.
fn min<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    bounded(caller, arguments, AssertionKind::Min)
}

/// `max(bound)`: the value is not more than `bound`.
fn max<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    bounded(caller, arguments, AssertionKind::Max)
}

/// `min_len(bound)`: the length of the value is not less than `bound`.
fn min_len<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    bounded(caller, arguments, AssertionKind::MinLength)
}

/// `max_len(bound)`: the length of the value is not more than `bound`.
fn max_len<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    bounded(caller, arguments, AssertionKind::MaxLength)
}

fn bounded<'v>(
    caller: &Caller<'_, 'v>,
    arguments: Arguments<'v>,
    kind: AssertionKind,
) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    call.no_named()?;
    let bound = call.counted::<1>()?;
    Ok(assertion(caller, kind, &bound))
}

/// `not_null()`: the value is not null. `not_null(value)` checks a value immediately.
fn not_null<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    call.no_named()?;
    match call.optional()? {
        None => Ok(assertion(caller, AssertionKind::NotNull, &[])),
        Some(value) if value.is_none() => Err(call.failure("fail: value is null")),
        Some(_) => Ok(Value::boolean(true)),
    }
}

/// `one_not_null(keys)`: exactly one of these keys, or of all keys, has a value that is not null.
fn one_not_null<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    call.no_named()?;
    let keys = call.optional()?;
    match keys.map(Value::as_bool) {
        None | Some(Some(true)) => Ok(assertion(caller, AssertionKind::OneOfAllNotNull, &[])),
        Some(Some(false)) => Err(call.failure("one_not_null() cannot be False")),
        Some(None) => {
            let keys = sequence(&call, "a sequence of keys", keys, caller)?;
            Ok(assertion(caller, AssertionKind::OneNotNull, &keys))
        }
    }
}

/// `one_of(value, …)` or `one_of([value, …])`: the value is one of these.
fn one_of<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    call.no_named()?;
    let allowed = match call.all() {
        [] => return Err(call.failure("got 0 arguments, want at least 1")),
        // A single argument is the list of values, not the only value, as in ytt.
        [only] => sequence(&call, "a sequence", Some(*only), caller)?,
        all => all.to_vec(),
    };
    Ok(assertion(caller, AssertionKind::OneOf, &allowed))
}

fn sequence<'v>(
    call: &Call<'v>,
    expected: &str,
    value: Option<Value<'v>>,
    caller: &Caller<'_, 'v>,
) -> Result<Vec<Value<'v>>> {
    let value = value.unwrap_or(Value::none());
    caller.sequence(value)?.ok_or_else(|| {
        let found = value.type_name();
        call.failure(format!("expected {expected}, but was a '{found}'"))
    })
}

/// The condition that an assertion requires of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssertionKind {
    /// It is at least another value.
    Min,
    /// It is at most another value.
    Max,
    /// Its length is at least a number.
    MinLength,
    /// Its length is at most a number.
    MaxLength,
    /// It is not null.
    NotNull,
    /// Exactly one of the given keys has a value that is not null.
    OneNotNull,
    /// Exactly one of all keys has a value that is not null.
    OneOfAllNotNull,
    /// It is one of the given values.
    OneOf,
}

static ASSERTION: ObjectType = ObjectType {
    name: "@ytt:assert.assertion",
    text: "@ytt:assert.assertion",
    methods: &[],
};

/// Creates an assertion. `operands` contains the bound, the keys or the allowed values, depending
/// on the kind.
pub fn assertion<'v>(
    caller: &Caller<'_, 'v>,
    kind: AssertionKind,
    operands: &[Value<'v>],
) -> Value<'v> {
    // The operands are values of the program, which may be frozen later. They are therefore bound
    // arguments of the function and not part of its state.
    let choices = (kind == AssertionKind::OneOf).then(|| Choices::new(operands));
    let state = Arc::new(AssertionState { kind, choices });
    let function = NativeFunction::new("check", check).with_state(state);
    let unbound = caller.native_function(function);
    let check = caller.bind(unbound, &[caller.tuple(operands)]);
    caller.object(&ASSERTION, Arc::new(kind), &[("check", check)])
}

/// The state of the function that checks an assertion.
struct AssertionState {
    kind: AssertionKind,
    /// The allowed values of `one_of`.
    choices: Option<Choices>,
}

/// The allowed values of an assertion, for look-ups: a schema may have thousands of them, for
/// thousands of values.
#[derive(Default)]
struct Choices {
    texts: HashSet<String>,
    integers: HashSet<i64>,
    /// The indices of the values of other types, which are compared.
    others: Vec<usize>,
    /// The number of values.
    count: usize,
}

impl Choices {
    fn new(values: &[Value<'_>]) -> Choices {
        let mut choices = Choices {
            count: values.len(),
            ..Choices::default()
        };
        for (index, value) in values.iter().enumerate() {
            match (value.as_str(), value.as_integer()) {
                (Some(text), _) => {
                    choices.texts.insert(text.to_owned());
                }
                (None, Some(integer)) => {
                    choices.integers.insert(integer);
                }
                (None, None) => choices.others.push(index),
            }
        }
        choices
    }

    /// Returns whether a value is one of the texts or integers.
    fn contains(&self, value: Value<'_>) -> bool {
        match (value.as_str(), value.as_integer()) {
            (Some(text), _) => self.texts.contains(text),
            (None, Some(integer)) => self.integers.contains(&integer),
            (None, None) => false,
        }
    }

    /// Returns the indices of the values that a value must be compared with, because a look-up is
    /// not enough: `1.0` is equal to 1.
    fn compared_with(&self, value: Value<'_>) -> Vec<usize> {
        match (value.as_str(), value.as_integer()) {
            (Some(_), _) => Vec::new(),
            (None, Some(_)) => self.others.clone(),
            (None, None) => (0..self.count).collect(),
        }
    }
}

/// `check(value)`: returns `True`, or fails with the reason.
fn check<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let state = caller.state::<AssertionState>()?;
    // The first argument is the tuple that `assertion` has bound.
    let mut arguments = arguments;
    let operands = match arguments.positional.is_empty() {
        true => Value::none(),
        false => arguments.positional.remove(0),
    };
    let check = Check { state, operands };
    let value = check.value(&Call::new(caller, arguments))?;
    match check.fault(value, caller)? {
        None => Ok(Value::boolean(true)),
        Some(fault) => Err(error(format!("{}: {fault}", check.prefix()))),
    }
}

/// One check of a value.
struct Check<'s, 'v> {
    state: &'s AssertionState,
    /// The tuple of the operands.
    operands: Value<'v>,
}

impl<'v> Check<'_, 'v> {
    fn operands(&self) -> Vec<Value<'v>> {
        self.operands.as_tuple().unwrap_or_default()
    }

    /// Returns the prefix of a failure's message. In ytt, some assertions are lambdas that call
    /// `fail`.
    fn prefix(&self) -> &'static str {
        match self.state.kind {
            AssertionKind::OneNotNull | AssertionKind::OneOfAllNotNull => "check",
            _ => "fail",
        }
    }

    /// Returns the value to check. For assertions that are lambdas in ytt, the messages are those
    /// of a lambda with one parameter.
    fn value(&self, call: &Call<'v>) -> Result<Value<'v>> {
        call.no_named()?;
        match call.all() {
            [value] => Ok(*value),
            _ if self.prefix() == "check" => {
                let [value] = call.counted()?;
                Ok(value)
            }
            [] => Err(error("function lambda missing 1 argument (val)".to_owned())),
            more => {
                let given = more.len();
                Err(error(format!(
                    "function lambda accepts 1 positional argument ({given} given)"
                )))
            }
        }
    }

    /// Returns the reason why a value fails; `None` if it passes.
    fn fault(&self, value: Value<'v>, caller: &Caller<'_, 'v>) -> Result<Option<String>> {
        match self.state.kind {
            AssertionKind::Min => self.order_fault(value, Ordering::Less, "<", caller),
            AssertionKind::Max => self.order_fault(value, Ordering::Greater, ">", caller),
            AssertionKind::MinLength => self.length_fault(value, Ordering::Less, caller),
            AssertionKind::MaxLength => self.length_fault(value, Ordering::Greater, caller),
            AssertionKind::NotNull => Ok(value.is_none().then(|| "value is null".to_owned())),
            AssertionKind::OneNotNull | AssertionKind::OneOfAllNotNull => {
                self.null_fault(value, caller)
            }
            AssertionKind::OneOf => self.choice_fault(value, caller),
        }
    }

    fn order_fault(
        &self,
        value: Value<'v>,
        wrong: Ordering,
        sign: &str,
        caller: &Caller<'_, 'v>,
    ) -> Result<Option<String>> {
        let Some(bound) = self.operands().first().copied() else {
            return Ok(None);
        };
        // ytt defines no order for fragments.
        let (value, limit) = (plain(value, caller)?, plain(bound, caller)?);
        let is_wrong = match wrong {
            Ordering::Less => caller.is_less(value, limit)?,
            _ => caller.is_less(limit, value)?,
        };
        Ok(is_wrong.then(|| format!("value {sign} {}", bound.text())))
    }

    fn length_fault(
        &self,
        value: Value<'v>,
        wrong: Ordering,
        caller: &Caller<'_, 'v>,
    ) -> Result<Option<String>> {
        // Compare as floats: `max_len(5.5)` accepts five items.
        let bound = self.operands().first().and_then(|bound| bound.as_number());
        let length = caller.length(value)?;
        let order = (length as f64).partial_cmp(&bound.unwrap_or_default());
        Ok((order == Some(wrong)).then(|| format!("length = {length}")))
    }

    fn null_fault(&self, value: Value<'v>, caller: &Caller<'_, 'v>) -> Result<Option<String>> {
        let Some(all) = caller.keys(value)? else {
            return Ok(Some(format!(
                "value must be a map or dict, but was '{}'",
                value.type_name()
            )));
        };
        if all.is_empty() {
            return Ok(Some("value is empty".to_owned()));
        }
        // Explicitly named keys may be missing in the value. A missing key is treated as null.
        let keys = match self.state.kind {
            AssertionKind::OneNotNull => self.operands(),
            _ => all,
        };
        let mut not_null = Vec::new();
        for key in keys {
            let item = caller.item(value, key)?;
            if item.is_some_and(|item| !item.is_none()) {
                not_null.push(key.repr());
            }
        }
        Ok(match not_null.len() {
            0 => Some("all values are null".to_owned()),
            1 => None,
            _ => Some(format!("[{}] are not null", not_null.join(", "))),
        })
    }

    fn choice_fault(&self, value: Value<'v>, caller: &Caller<'_, 'v>) -> Result<Option<String>> {
        let choices = self.state.choices.as_ref();
        if choices.is_some_and(|choices| choices.contains(value)) {
            return Ok(None);
        }
        let compared = choices.map_or_else(Vec::new, |choices| choices.compared_with(value));
        if !compared.is_empty() {
            let value = plain(value, caller)?;
            let operands = self.operands();
            for index in compared {
                if caller.is_equal(plain(operands[index], caller)?, value)? {
                    return Ok(None);
                }
            }
        }
        Ok(Some("not one of allowed values".to_owned()))
    }
}

/// Converts a value so that it is compared in its printed form: fragments become dictionaries and
/// lists.
fn plain<'v>(value: Value<'v>, caller: &Caller<'_, 'v>) -> Result<Value<'v>> {
    caller.plain_value(&caller.node(value)?)
}

fn error(message: String) -> Box<Diagnostic> {
    Diagnostic::error(Code::Script, message)
}
