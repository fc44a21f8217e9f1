//! The limit on the nesting of a module's values.
//!
//! Freezing a module is recursive in the levels of a value, and a loop creates a list of a million
//! levels as easily as one of three. The levels are therefore counted before a module is frozen.

use std::collections::HashSet;

use starlark::environment::Module;

use crate::script::failure::Failure;
use crate::script::value::inner_values;

/// The maximum depth of a module's values.
const NESTING_LIMIT: usize = 20_000;

/// The minimum number of bytes of one level of a value. A module smaller than [`NESTING_LIMIT`]
/// times this cannot be too deep, so most modules are never walked.
const LEVEL: usize = 24;

/// Rejects a module with a value that is nested too deeply to be frozen.
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
            // A shared value is walked only once, because freezing also visits it once.
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
