//! `==`, `<` and `in` as ytt's Starlark defines them.
//!
//! The crate compares an integer with a float as floats, so that 2^53 + 1 equals 2^53. It considers
//! "not a number" equal to itself and larger than all numbers. Here, comparisons of numbers are
//! exact. Like other walks, comparisons count the values that they visit.

use std::cmp::Ordering;

use starlark::values::dict::DictRef;
use starlark::values::float::StarlarkFloat;
use starlark::values::list::ListRef;
use starlark::values::tuple::TupleRef;
use starlark::values::{Heap, UnpackValue, Value, ValueLike};

use super::text::type_name;
use crate::script::failure::Failure;
use crate::script::limits::walk::{Steps, check_hashable, visit_all};

/// An operator that orders two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::script) enum OrderOperator {
    Less,
    Greater,
    AtMost,
    AtLeast,
}

impl OrderOperator {
    fn sign(self) -> &'static str {
        match self {
            OrderOperator::Less => "<",
            OrderOperator::Greater => ">",
            OrderOperator::AtMost => "<=",
            OrderOperator::AtLeast => ">=",
        }
    }

    fn accepts(self, order: Ordering) -> bool {
        match self {
            OrderOperator::Less => order.is_lt(),
            OrderOperator::Greater => order.is_gt(),
            OrderOperator::AtMost => order.is_le(),
            OrderOperator::AtLeast => order.is_ge(),
        }
    }
}

/// Returns the value of a float; `None` for any other value.
fn float(value: Value<'_>) -> Option<f64> {
    value.downcast_ref::<StarlarkFloat>().map(|float| float.0)
}

fn is_integer(value: Value<'_>) -> bool {
    value.get_type() == "int"
}

/// Returns the order of two numbers. The inner `Option` is `None` if one of them is "not a number",
/// and the outer one if one of the values is not of a number type.
fn number_order<'v>(
    left: Value<'v>,
    right: Value<'v>,
) -> starlark::Result<Option<Option<Ordering>>> {
    Ok(match (float(left), float(right)) {
        (Some(left), Some(right)) => Some(left.partial_cmp(&right)),
        (Some(float), None) if is_integer(right) => {
            Some(integer_order(right, float).map(Ordering::reverse))
        }
        (None, Some(float)) if is_integer(left) => Some(integer_order(left, float)),
        (None, None) if is_integer(left) && is_integer(right) => Some(Some(left.compare(right)?)),
        _ => None,
    })
}

/// Compares an integer of any size with a float, exactly.
fn integer_order(integer: Value<'_>, float: f64) -> Option<Ordering> {
    if !float.is_finite() {
        return 0.0.partial_cmp(&float);
    }
    let whole = float.trunc();
    // Below this bound, a float without a fraction fits into an integer of 64 bits.
    let bound = 9_223_372_036_854_775_808.0;
    let order = match i64::unpack_value(integer) {
        Ok(Some(integer)) if whole >= -bound && whole < bound => integer.cmp(&(whole as i64)),
        _ => digit_order(&integer.to_repr(), &format!("{whole:.0}")),
    };
    // 3 and 3.5 have the same whole part; the fraction decides.
    Some(order.then(0.0.partial_cmp(&float.fract())?))
}

/// Compares two integers by their decimal digits.
fn digit_order(left: &str, right: &str) -> Ordering {
    let parts = |text: &str| match text.strip_prefix('-') {
        Some(digits) => (true, digits.to_owned()),
        None => (false, text.to_owned()),
    };
    let ((left_negative, left), (right_negative, right)) = (parts(left), parts(right));
    let size = left.len().cmp(&right.len()).then_with(|| left.cmp(&right));
    match (left_negative, right_negative) {
        (false, false) => size,
        (true, true) => size.reverse(),
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
    }
}

/// Returns `left == right`.
///
/// # Errors
/// Fails for values that are too large to be compared.
pub(in crate::script) fn values_equal<'v>(
    left: Value<'v>,
    right: Value<'v>,
    steps: &mut Steps,
) -> starlark::Result<bool> {
    steps.take(1)?;
    // Most values are scalars, which need no list of open values.
    if let Some(is_equal) = scalars_equal(left, right, steps)? {
        return Ok(is_equal);
    }
    let mut open = vec![(left, right)];
    while let Some((left, right)) = open.pop() {
        steps.take(1)?;
        let is_equal = match scalars_equal(left, right, steps)? {
            Some(is_equal) => is_equal,
            None => parts_to_compare(left, right, &mut open, steps)?,
        };
        if !is_equal {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns whether two values are equal; `None` if their contents must be compared.
fn scalars_equal<'v>(
    left: Value<'v>,
    right: Value<'v>,
    steps: &mut Steps,
) -> starlark::Result<Option<bool>> {
    if let (Some(left), Some(right)) = (left.unpack_str(), right.unpack_str()) {
        if left.len() == right.len() {
            steps.take_text(left.len())?;
        }
        return Ok(Some(left == right));
    }
    if let Some(order) = number_order(left, right)? {
        return Ok(Some(order == Some(Ordering::Equal)));
    }
    Ok(left.ptr_eq(right).then_some(true))
}

/// Adds the pairs of inner values that must be equal for the two values to be equal. Returns
/// `false` if the values are already known to be unequal.
fn parts_to_compare<'v>(
    left: Value<'v>,
    right: Value<'v>,
    open: &mut Vec<(Value<'v>, Value<'v>)>,
    steps: &mut Steps,
) -> starlark::Result<bool> {
    if let (Some(left), Some(right)) = (items(left), items(right))
        && left.is_list == right.is_list
    {
        if left.values.len() != right.values.len() {
            return Ok(false);
        }
        // Add them in reverse, because the last pair is compared first.
        let pairs = left.values.iter().zip(right.values).rev();
        open.extend(pairs.map(|(left, right)| (*left, *right)));
        return Ok(true);
    }
    if let (Some(left), Some(right)) = (DictRef::from_value(left), DictRef::from_value(right)) {
        if left.len() != right.len() {
            return Ok(false);
        }
        for (key, value) in left.iter() {
            steps.take(1)?;
            match right.get(key)? {
                Some(other) => open.push((value, other)),
                None => return Ok(false),
            }
        }
        return Ok(true);
    }
    if left.get_type() == right.get_type() {
        // The crate compares both up to the end of the shorter one.
        visit_all(left, steps)?;
    }
    left.equals(right)
}

/// The items of a list or a tuple.
struct Items<'v> {
    values: &'v [Value<'v>],
    is_list: bool,
}

fn items<'v>(value: Value<'v>) -> Option<Items<'v>> {
    if let Some(list) = ListRef::from_value(value) {
        return Some(Items {
            values: list.content(),
            is_list: true,
        });
    }
    let tuple = TupleRef::from_value(value)?;
    Some(Items {
        values: tuple.content(),
        is_list: false,
    })
}

/// Returns whether `left operator right` is true.
///
/// # Errors
/// Fails for values without an order, and for values that are too large to be compared.
pub(in crate::script) fn is_ordered<'v>(
    operator: OrderOperator,
    left: Value<'v>,
    right: Value<'v>,
    steps: &mut Steps,
) -> starlark::Result<bool> {
    let (mut left, mut right) = (left, right);
    // The order of two lists is the order of the first items that differ, which may be lists
    // themselves.
    while let (Some(left_items), Some(right_items)) = (items(left), items(right)) {
        if left_items.is_list != right_items.is_list {
            break;
        }
        match first_difference(&left_items, &right_items, steps)? {
            Some(pair) => (left, right) = pair,
            None => {
                let order = left_items.values.len().cmp(&right_items.values.len());
                return Ok(operator.accepts(order));
            }
        }
    }
    if let (Some(left), Some(right)) = (left.unpack_str(), right.unpack_str()) {
        steps.take_text(left.len().min(right.len()))?;
        return Ok(operator.accepts(left.cmp(right)));
    }
    if let Some(order) = number_order(left, right)? {
        return Ok(order.is_some_and(|order| operator.accepts(order)));
    }
    if let (Some(left), Some(right)) = (left.unpack_bool(), right.unpack_bool()) {
        return Ok(operator.accepts(left.cmp(&right)));
    }
    if left.is_none() && right.is_none() {
        return Ok(operator.accepts(Ordering::Equal));
    }
    let (left, right) = (type_name(left), type_name(right));
    let sign = operator.sign();
    Err(Failure::new(format!("{left} {sign} {right} not implemented")).into())
}

fn first_difference<'v>(
    left: &Items<'v>,
    right: &Items<'v>,
    steps: &mut Steps,
) -> starlark::Result<Option<(Value<'v>, Value<'v>)>> {
    for (left, right) in left.values.iter().zip(right.values) {
        if !values_equal(*left, *right, steps)? {
            return Ok(Some((*left, *right)));
        }
    }
    Ok(None)
}

/// Returns the position of a value in a list or tuple. The inner `Option` is `None` if the value is
/// not there, and the outer one if `collection` is neither a list nor a tuple.
///
/// # Errors
/// Fails for values that are too large to be compared.
fn position_in<'v>(
    value: Value<'v>,
    collection: Value<'v>,
    steps: &mut Steps,
) -> starlark::Result<Option<Option<usize>>> {
    let Some(items) = items(collection) else {
        return Ok(None);
    };
    for (index, item) in items.values.iter().enumerate() {
        if values_equal(value, *item, steps)? {
            return Ok(Some(Some(index)));
        }
    }
    Ok(Some(None))
}

/// Returns `value in collection`.
///
/// # Errors
/// Fails for a collection without members, and for values that are too large to be compared.
pub(in crate::script) fn is_member<'v>(
    value: Value<'v>,
    collection: Value<'v>,
    heap: Heap<'v>,
    steps: &mut Steps,
) -> starlark::Result<bool> {
    if let Some(place) = position_in(value, collection, steps)? {
        return Ok(place.is_some());
    }
    if let Some(dict) = DictRef::from_value(collection) {
        // A value that cannot be a key is not in the dictionary: `[] in {1: 2}` is false.
        return match check_hashable(value, steps) {
            Ok(()) => Ok(entry_value(&dict, value, heap)?.is_some()),
            Err(failure) if failure.is_limit() => Err(failure.into()),
            Err(_) => Ok(false),
        };
    }
    match collection.get_type() {
        "string" if value.unpack_str().is_none() => {
            let found = type_name(value);
            Err(Failure::new(format!(
                "'in <string>' requires string as left operand, not {found}"
            ))
            .into())
        }
        "range" => match float(value) {
            Some(float) => collection.is_in(heap.alloc(float.trunc())),
            None if is_integer(value) => collection.is_in(value),
            None => {
                let found = type_name(value);
                Err(Failure::new(format!(
                    "'in <range>' requires integer as left operand, not {found}"
                ))
                .into())
            }
        },
        "set" => {
            check_hashable(value, steps)?;
            collection.is_in(value)
        }
        "int" | "float" | "bool" | "NoneType" | "function" | "builtin_function_or_method" => {
            let (value, collection) = (type_name(value), type_name(collection));
            Err(Failure::new(format!("unknown binary op: {value} in {collection}")).into())
        }
        _ => collection.is_in(value),
    }
}

/// Returns the value of a key. An integer beyond 32 bits also finds the float that it equals, and
/// vice versa, although the crate gives them different hashes.
///
/// # Errors
/// Fails for a key that cannot be hashed.
pub(in crate::script) fn entry_value<'v>(
    dict: &DictRef<'v>,
    key: Value<'v>,
    heap: Heap<'v>,
) -> starlark::Result<Option<Value<'v>>> {
    match dict.get(key)? {
        Some(value) => Ok(Some(value)),
        None => match other_spelling(key, heap) {
            Some(key) => dict.get(key),
            None => Ok(None),
        },
    }
}

/// Returns the key in the form that the dictionary already contains, so that an assignment replaces
/// its value.
///
/// # Errors
/// Fails as [`entry_value`] does.
pub(in crate::script) fn known_key<'v>(
    dict: &DictRef<'v>,
    key: Value<'v>,
    heap: Heap<'v>,
) -> starlark::Result<Value<'v>> {
    let Some(other) = other_spelling(key, heap) else {
        return Ok(key);
    };
    let is_other = dict.get(key)?.is_none() && dict.get(other)?.is_some();
    Ok(if is_other { other } else { key })
}

/// Returns the integer that a float equals, or vice versa, if their hashes differ.
fn other_spelling<'v>(key: Value<'v>, heap: Heap<'v>) -> Option<Value<'v>> {
    if key.unpack_i32().is_some() || key.unpack_str().is_some() {
        return None;
    }
    if let Some(float) = float(key) {
        let is_whole = float.fract() == 0.0 && float.abs() < 9_223_372_036_854_775_808.0;
        return is_whole.then(|| heap.alloc(float as i64));
    }
    let integer = i64::unpack_value(key).ok().flatten()?;
    let float = integer as f64;
    (integer_order(key, float) == Some(Ordering::Equal)).then(|| heap.alloc(float))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compares_integers_and_floats_exactly() {
        Heap::temp(|heap| {
            let table = [
                (
                    heap.alloc(9_007_199_254_740_993_i64),
                    9_007_199_254_740_992.0,
                    Some(Ordering::Greater),
                ),
                (
                    heap.alloc(9_007_199_254_740_992_i64),
                    9_007_199_254_740_992.0,
                    Some(Ordering::Equal),
                ),
                (heap.alloc(3), 3.5, Some(Ordering::Less)),
                (heap.alloc(-3), -3.5, Some(Ordering::Greater)),
                (
                    heap.alloc(u64::MAX),
                    18_446_744_073_709_551_616.0,
                    Some(Ordering::Less),
                ),
                (
                    heap.alloc(i64::MIN),
                    -9_223_372_036_854_775_808.0,
                    Some(Ordering::Equal),
                ),
                (heap.alloc(1), f64::INFINITY, Some(Ordering::Less)),
                (heap.alloc(1), f64::NAN, None),
            ];
            for (integer, float, expected) in table {
                assert_eq!(integer_order(integer, float), expected, "{integer} {float}");
            }
        });
    }

    #[test]
    fn compares_two_large_values_if_they_differ_early() {
        Heap::temp(|heap| {
            let doubled = |start: i32| {
                let mut value = heap.alloc(vec![start]);
                for _ in 0..40 {
                    value = heap.alloc(vec![value, value]);
                }
                value
            };
            let equal = |left, right| values_equal(left, right, &mut Steps::default());
            assert!(matches!(equal(doubled(1), doubled(2)), Ok(false)));
            assert!(equal(doubled(1), doubled(1)).is_err());
        });
    }
}
