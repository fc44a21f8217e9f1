//! How deep the values of a module may nest.
//!
//! Freezing a module calls itself for each level of a value, and a loop makes a list of a million
//! levels as easily as one of three. So the levels are counted before a module is frozen.

use std::collections::HashSet;

use starlark::environment::Module;

use crate::script::failure::Failure;
use crate::script::value::inner_values;

/// How deep the values of a module may nest.
const NESTING_LIMIT: usize = 20_000;

/// The fewest bytes that one level of a value takes. A module below [`NESTING_LIMIT`] times this
/// cannot be too deep, so most modules are never walked.
const LEVEL: usize = 24;

/// Refuses a module with a value that nests too deep to be frozen.
pub(in crate::script) fn check(module: &Module<'_>) -> Result<(), Failure> {
    if module.heap().allocated_bytes() < NESTING_LIMIT * LEVEL {
        return Ok(());
    }
    let mut seen = HashSet::new();
    let names: Vec<_> = module.names().collect();
    for name in names {
        let Some(value) = module.get(name.as_str()) else {
            continue;
        };
        // The values of each level that were not visited yet. The length of this list is the depth.
        let mut levels = vec![vec![value]];
        while let Some(level) = levels.last_mut() {
            let Some(value) = level.pop() else {
                levels.pop();
                continue;
            };
            // A shared value is walked once: freezing visits it once, too.
            if value.unpack_str().is_some() || !seen.insert(value.identity()) {
                continue;
            }
            let inner = inner_values(value);
            if !inner.is_empty() {
                levels.push(inner);
            }
            if levels.len() > NESTING_LIMIT {
                return Err(Failure::limit(format!(
                    "the value of `{}` nests deeper than {NESTING_LIMIT} levels",
                    name.as_str()
                ))
                .help("keep such values inside of a function"));
            }
        }
    }
    Ok(())
}
