//! `@ytt:regexp`.

use super::call::Call;
use crate::regexp::{self, Regex};
use crate::script::{Arguments, Caller, NativeModule, Value};
use crate::source::{Limit, Result};

pub(super) const MODULE: NativeModule = NativeModule::new(
    "regexp",
    &[("regexp.match", is_match), ("regexp.replace", replace)],
);

/// `match(pattern, text)`: whether a pattern matches anywhere in a string.
fn is_match<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    let [pattern, text] = call.positional()?;
    let (pattern, text) = (call.text(pattern)?, call.text(text)?);
    Ok(Value::boolean(compile(&call, pattern)?.is_match(text)))
}

/// `replace(pattern, text, replacement)`: a string with each match replaced, either by a template
/// such as `$1-$2`, or by the result of a function that is called with the match.
fn replace<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    let [pattern, text, replacement] = call.positional()?;
    let (pattern, text) = (call.text(pattern)?, call.text(text)?);
    let pattern = compile(&call, pattern)?;
    let mut budget = Budget::default();
    let replaced = if replacement.is_function() {
        regexp::replace_all(&pattern, text, |captures| {
            let matched = captures.get(0).map_or("", |matched| matched.as_str());
            let arguments = Arguments {
                positional: vec![caller.text(matched)],
                named: Vec::new(),
            };
            // The function receives only the whole match, as in ytt. Groups are only available in
            // templates.
            let replaced = caller.call(replacement, &arguments);
            let replaced = replaced.map_err(|error| call.failed_inside(error))?;
            budget.spend(&call, call.text(replaced)?.to_owned())
        })?
    } else {
        let template = call.text(replacement)?;
        regexp::replace_all(&pattern, text, |captures| {
            budget.spend(&call, regexp::expand(template, captures))
        })?
    };
    Ok(caller.text(&replaced))
}

/// Counts the bytes that the replacements of a call add, because a short template can repeat a long
/// match any number of times.
#[derive(Default)]
struct Budget {
    length: usize,
}

impl Budget {
    fn spend(&mut self, call: &Call<'_>, replacement: String) -> Result<String> {
        self.length += replacement.len();
        let most = Limit::ValueText.size();
        if self.length <= most {
            return Ok(replacement);
        }
        let message = format!("expected replacements of at most {most} bytes, found more");
        Err(call.limit(message).help(Limit::ValueText.help()))
    }
}

fn compile(call: &Call<'_>, pattern: &str) -> Result<Regex> {
    regexp::compile(pattern).map_err(|error| call.failure(error))
}
