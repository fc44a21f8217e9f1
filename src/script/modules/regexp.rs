//! `@ytt:regexp`.

use std::sync::Arc;

use starlark::environment::GlobalsBuilder;
use starlark::eval::Evaluator;
use starlark::starlark_module;
use starlark::values::dict::DictRef;
use starlark::values::tuple::UnpackTuple;
use starlark::values::{Heap, Value};

use super::call::Call;
use crate::regexp::{self, Regex};
use crate::script::failure::Failure;
use crate::script::library::Library;
use crate::script::program::Program;
use crate::script::value::is_callable;

pub(super) fn module<'v>(
    heap: Heap<'v>,
    _: &Library<'_>,
    _: &Arc<Program>,
) -> starlark::Result<Value<'v>> {
    Ok(super::functions(heap, functions, []))
}

#[starlark_module]
fn functions(builder: &mut GlobalsBuilder) {
    /// Whether a pattern matches anywhere in a string.
    fn r#match<'v>(
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
        #[starlark(kwargs)] _options: DictRef<'v>,
    ) -> starlark::Result<bool> {
        let call = Call::new("regexp.match", arguments.items);
        let [pattern, text] = call.arguments()?;
        let (pattern, text) = (call.text(pattern)?, call.text(text)?);
        Ok(compile(&call, pattern)?.is_match(text))
    }

    /// A string with each match of a pattern replaced, by a template or by what a function makes of the match.
    fn replace<'v>(
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
        #[starlark(kwargs)] _options: DictRef<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<String> {
        let call = Call::new("regexp.replace", arguments.items);
        let [pattern, text, replacement] = call.arguments()?;
        let (pattern, text) = (call.text(pattern)?, call.text(text)?);
        let pattern = compile(&call, pattern)?;
        let mut budget = Budget::default();
        if !is_callable(replacement) {
            let template = call.text(replacement)?;
            return regexp::replace_all(&pattern, text, |captures| {
                Ok(budget.spend(&call, regexp::expand(template, captures))?)
            });
        }
        regexp::replace_all(&pattern, text, |captures| {
            let found = eval
                .heap()
                .alloc(captures.get(0).map_or("", |found| found.as_str()));
            let replaced = eval.eval_function(replacement, &[found], &[])?;
            Ok(budget.spend(&call, call.text(replaced)?.to_owned())?)
        })
    }
}

/// All replacements of a call together may be this long.
const LENGTH_LIMIT: usize = 64 << 20;

/// Counts what the replacements of a call add.
#[derive(Default)]
struct Budget {
    length: usize,
}

impl Budget {
    fn spend(&mut self, call: &Call<'_>, replacement: String) -> Result<String, Failure> {
        self.length += replacement.len();
        if self.length <= LENGTH_LIMIT {
            return Ok(replacement);
        }
        Err(call.limit("expected replacements of at most 64 MiB, found more"))
    }
}

fn compile(call: &Call<'_>, pattern: &str) -> Result<Regex, Failure> {
    regexp::compile(pattern).map_err(|error| call.failure(error))
}
