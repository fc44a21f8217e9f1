//! Compares documents by value, with a YAML reader other than Inlay's own.

use libtest_mimic::Failed;
use serde::Deserialize;
use yaml_serde::{Deserializer, Value};

use crate::common::compare::difference;

/// Fails unless both texts contain the same documents. Mappings have no order, and a string that
/// contains a document has the value of that document.
pub(crate) fn same_documents(expected: &str, found: &str) -> Result<(), Failed> {
    let (left, right) = (documents(expected)?, documents(found)?);
    if left.len() == right.len()
        && left
            .iter()
            .zip(&right)
            .all(|(left, right)| same(left, right))
    {
        return Ok(());
    }
    Err(format!(
        "the documents differ in value (- expected, + found)\n{}",
        difference(expected, found)
    )
    .into())
}

fn documents(text: &str) -> Result<Vec<Value>, yaml_serde::Error> {
    let documents: Result<Vec<Value>, _> = Deserializer::from_str(text)
        .map(Value::deserialize)
        .collect();
    Ok(documents?
        .into_iter()
        .filter(|document| !document.is_null())
        .collect())
}

fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Mapping(left), Value::Mapping(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .all(|(key, value)| right.get(key).is_some_and(|other| same(value, other)))
        }
        (Value::Sequence(left), Value::Sequence(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|(left, right)| same(left, right))
        }
        (Value::String(left), Value::String(right)) => left == right || same_embedded(left, right),
        _ => left == right,
    }
}

fn same_embedded(left: &str, right: &str) -> bool {
    let (Ok(left), Ok(right)) = (documents(left), documents(right)) else {
        return false;
    };
    let collections = left
        .iter()
        .chain(&right)
        .all(|value| value.is_mapping() || value.is_sequence());
    collections
        && left.len() == right.len()
        && left
            .iter()
            .zip(&right)
            .all(|(left, right)| same(left, right))
}
