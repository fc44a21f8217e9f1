//! How deep the values of a module nest, before it is frozen.
//!
//! The crate freezes a module by calling itself for each level of a value, and a loop makes a list of a million levels
//! as easily as one of three.

use std::collections::HashSet;

use starlark::environment::Module;
use starlark::values::dict::DictRef;
use starlark::values::list::ListRef;
use starlark::values::tuple::TupleRef;
use starlark::values::{Value, ValueLike};

use super::failure::Failure;
use super::fragments::Replacement;
use super::value::{Bound, Structure};

/// Values of a module nest this deep at most.
const LIMIT: usize = 20_000;

/// The least that one level of a value takes.
const LEVEL: usize = 24;

/// Refuses a module with a value that nests too deep to be frozen.
pub(super) fn check(module: &Module<'_>) -> Result<(), Failure> {
    if module.heap().allocated_bytes() < LIMIT * LEVEL {
        return Ok(());
    }
    let mut seen = HashSet::new();
    let names: Vec<_> = module.names().collect();
    for name in names {
        let Some(value) = module.get(name.as_str()) else {
            continue;
        };
        // For each level, the values on it that are still to be looked at.
        let mut levels = vec![vec![value]];
        while let Some(level) = levels.last_mut() {
            let Some(value) = level.pop() else {
                levels.pop();
                continue;
            };
            if value.unpack_str().is_some() || !seen.insert(value.identity()) {
                continue;
            }
            let inner = inner(value);
            if !inner.is_empty() {
                levels.push(inner);
            }
            if levels.len() > LIMIT {
                return Err(Failure::limit(format!(
                    "the value of `{}` nests deeper than {LIMIT} levels",
                    name.as_str()
                ))
                .help("keep such values inside of a function"));
            }
        }
    }
    Ok(())
}

/// The values that a value holds.
pub(super) fn inner(value: Value<'_>) -> Vec<Value<'_>> {
    if let Some(list) = ListRef::from_value(value) {
        return list.iter().collect();
    }
    if let Some(tuple) = TupleRef::from_value(value) {
        return tuple.iter().collect();
    }
    if let Some(dict) = DictRef::from_value(value) {
        return dict.iter().flat_map(|(key, value)| [key, value]).collect();
    }
    if let Some(structure) = Structure::from_value(value) {
        return structure
            .fields
            .values()
            .map(|value| value.to_value())
            .collect();
    }
    if let Some(bound) = Bound::from_value(value) {
        return bound.parts();
    }
    Replacement::from_value(value)
        .map(|replacement| vec![replacement.value.to_value()])
        .unwrap_or_default()
}
