//! Compares two values in a filter as RFC 9535 defines it.

use std::cmp::Ordering;
use std::sync::Arc;

use super::session::PathSession;
use crate::source::Result;
use crate::yaml::{Data, Node, Value, measure};

/// Returns whether two values are equal. Two missing values are equal.
pub(super) fn is_equal(
    left: Option<&Arc<Node>>,
    right: Option<&Arc<Node>>,
    session: &PathSession,
) -> Result<bool> {
    let (Some(left), Some(right)) = (left, right) else {
        return Ok(left.is_none() && right.is_none());
    };
    if left.kind() != right.kind() {
        return Ok(false);
    }
    if left.resolved().as_scalar().is_none() {
        // A filter compares each candidate, and with aliases a small text can contain a huge value.
        // So the work is counted before it is done.
        session.spend(measure(left, 0)? + measure(right, 0)?)?;
    }
    Ok(Data::of(left)?.equals(&Data::of(right)?))
}

/// Returns the order of two numbers or two texts. Other values have none.
pub(super) fn order(left: Option<&Arc<Node>>, right: Option<&Arc<Node>>) -> Option<Ordering> {
    match (left?.value()?, right?.value()?) {
        (Value::String(left), Value::String(right)) => Some(left.cmp(right)),
        // Compare integers exactly, because large ones lose digits as floats.
        (Value::Int(left), Value::Int(right)) => Some(left.cmp(&right)),
        (left, right) => float(left)?.partial_cmp(&float(right)?),
    }
}

fn float(value: Value<'_>) -> Option<f64> {
    match value {
        Value::Int(number) => Some(number as f64),
        Value::UInt(number) => Some(number as f64),
        Value::Float(number) => Some(number),
        _ => None,
    }
}
