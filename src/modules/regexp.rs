//! `@ytt:regexp`.

use super::call::Call;
use crate::regexp::{self, Captures, PatternCost, Regex};
use crate::script::{Arguments, Caller, NativeModule, Value};
use crate::source::{Limit, Result};

pub(super) const MODULE: NativeModule = NativeModule::new(
    "regexp",
    &[("regexp.match", is_match), ("regexp.replace", replace)],
);

/// The steps for compiling any pattern.
const COMPILE_STEPS: usize = 1_000;

/// The steps for compiling a pattern, for each unit of its size.
const COMPILE_STEPS_PER_SIZE: usize = 64;

/// The bytes of a text times the size of a pattern that a search visits in one step.
const VISITS_PER_STEP: usize = 16;

/// The steps for one match, without reading the text.
const MATCH_STEPS: usize = 32;

/// The bytes that the search for one match of many may read in one step. Most of them read only a
/// few bytes, so this is less strict than for one search.
const BYTES_READ_PER_STEP: usize = 256;

/// `match(pattern, text)`: whether a pattern matches anywhere in a string.
fn is_match<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    let [pattern, text] = call.positional()?;
    let (pattern, text) = (call.text(pattern)?, call.text(text)?);
    let (pattern, cost) = compile(&call, pattern, caller)?;
    charge_search(cost, text, caller)?;
    Ok(Value::boolean(pattern.is_match(text)))
}

/// `replace(pattern, text, replacement)`: a string with each match replaced, either by a template
/// such as `$1-$2`, or by the result of a function that is called with the match.
fn replace<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    let [pattern, text, replacement] = call.positional()?;
    let (pattern, text) = (call.text(pattern)?, call.text(text)?);
    let (pattern, cost) = compile(&call, pattern, caller)?;
    charge_search(cost, text, caller)?;
    let mut budget = Budget::default();
    let replaced = if replacement.is_function() {
        regexp::replace_all(&pattern, text, |captures| {
            charge_match(cost, text, captures, caller)?;
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
            charge_match(cost, text, captures, caller)?;
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
        let message = Limit::ValueText.named(&message);
        Err(call
            .limit(message)
            // The replacements so far: the text may need more.
            .help(Limit::ValueText.help(Some(self.length as u64))))
    }
}

/// Compiles a pattern, and charges for it: a short pattern such as `\pL{100}` takes milliseconds.
fn compile(
    call: &Call<'_>,
    pattern: &str,
    caller: &Caller<'_, '_>,
) -> Result<(Regex, PatternCost)> {
    let compiled = regexp::compile(pattern).map_err(|error| call.failure(error))?;
    let cost = PatternCost::of(&compiled);
    let steps = cost.size.saturating_mul(COMPILE_STEPS_PER_SIZE);
    caller.charge(steps.saturating_add(COMPILE_STEPS))?;
    Ok((compiled, cost))
}

/// Charges for a search in a text. It follows every part of the pattern at the same time.
fn charge_search(cost: PatternCost, text: &str, caller: &Caller<'_, '_>) -> Result<()> {
    caller.charge(text.len().saturating_mul(cost.size) / VISITS_PER_STEP)
}

/// Charges for finding one match of many. If matches can be long, a search may read the text to its
/// end before it knows that a short match is the longest:
///
/// ```text
/// .*[^A-Z]|[A-Z]   in   AAAAAA     each match is one letter, but every search reads the rest
/// ```
fn charge_match(
    cost: PatternCost,
    text: &str,
    captures: &Captures<'_>,
    caller: &Caller<'_, '_>,
) -> Result<()> {
    let start = captures.get(0).map_or(0, |found| found.start());
    let rest = text.len() - start;
    let read = cost.longest_match.unwrap_or(rest).min(rest);
    caller.charge(MATCH_STEPS + read / BYTES_READ_PER_STEP)
}
