//! The limit on the number of values that one operation visits.
//!
//! A value that contains another one twice visits it twice when it is compared, hashed or copied:
//!
//! ```text
//! x = [1]
//! for i in range(40):
//!     x = [x, x]        # 41 lists in memory, 2^40 values to visit
//! ```
//!
//! So each walk counts its [`Steps`], and uses its own list of open values instead of the stack.

use starlark::values::Value;

use crate::script::failure::Failure;
use crate::script::value::{inner_values, type_name};
use crate::source::Limit;

/// The number of bytes of a text that an operation copies, compares or searches in one step.
pub(super) const BYTES_PER_STEP: usize = 2;

/// Counts the values that one operation visits, and the bytes of the texts that it reads.
#[derive(Debug)]
pub(in crate::script) struct Steps {
    taken: usize,
    most: usize,
    limit: Limit,
    /// The bytes of texts. They take time, but are not values: `most` does not count them.
    text: usize,
    /// The steps that the whole evaluation has left.
    left: usize,
}

impl Default for Steps {
    fn default() -> Steps {
        Steps::up_to(Limit::Compared)
    }
}

impl Steps {
    /// Starts counting the values of an operation that may visit at most as many as a limit allows.
    pub(in crate::script) fn up_to(limit: Limit) -> Steps {
        let most = limit.size();
        Steps {
            taken: 0,
            most,
            limit,
            text: 0,
            left: usize::MAX,
        }
    }

    /// Returns the counter of an operation in an evaluation that has `left` steps left.
    pub(in crate::script) fn at_most(self, left: usize) -> Steps {
        let most = self.most.min(left);
        Steps { most, left, ..self }
    }

    /// Counts `count` more values.
    ///
    /// # Errors
    /// Fails if the maximum is exceeded.
    pub(in crate::script) fn take(&mut self, count: usize) -> Result<(), Failure> {
        self.taken = self.taken.saturating_add(count);
        if self.taken <= self.most {
            return Ok(());
        }
        Err(self.exceeded())
    }

    /// Returns the failure of an operation that visits too much. If the steps of the evaluation are
    /// exceeded, the caller replaces it with their failure.
    fn exceeded(&self) -> Failure {
        let most = self.most;
        let message =
            format!("expected an operation that visits at most {most} values, found more");
        Failure::exceeded(self.limit, message)
            .help("does a value contain another one twice, many times over?")
    }

    /// Counts the bytes of a text that is read.
    ///
    /// # Errors
    /// Fails if the steps of the evaluation are exceeded.
    pub(in crate::script) fn take_text(&mut self, length: usize) -> Result<(), Failure> {
        self.text = self.text.saturating_add(length);
        if self.taken() <= self.left {
            return Ok(());
        }
        Err(self.exceeded())
    }

    /// Returns the number of steps so far: the values, and the texts in them.
    pub(in crate::script) fn taken(&self) -> usize {
        self.taken.saturating_add(self.text / BYTES_PER_STEP)
    }
}

/// Counts everything inside `value`, for an operation of the crate that visits it.
///
/// # Errors
/// Fails if the maximum is exceeded.
pub(in crate::script) fn visit_all(value: Value<'_>, steps: &mut Steps) -> Result<(), Failure> {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        steps.take(1)?;
        if is_collection(value) {
            let inner = inner_values(value);
            // Count open values as soon as they are known, so that one huge list ends the walk
            // before its items are visited.
            steps.take(inner.len())?;
            open.extend(inner);
        }
    }
    Ok(())
}

/// Rejects a value that cannot be a key, or whose hash visits too many values: a tuple is hashed
/// with all tuples inside it.
///
/// # Errors
/// Fails with ytt's message, without the name of the operation.
pub(in crate::script) fn check_hashable(
    value: Value<'_>,
    steps: &mut Steps,
) -> Result<(), Failure> {
    if let Some(text) = value.unpack_str() {
        return steps.take_text(text.len());
    }
    if value.unpack_i32().is_some() {
        return Ok(());
    }
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        steps.take(1)?;
        match value.get_type() {
            "string" => steps.take_text(value.unpack_str().map_or(0, str::len))?,
            "tuple" => {
                let mut items = inner_values(value);
                // Visit the first item first: the message shows the first one that cannot be
                // hashed.
                items.reverse();
                open.extend(items);
            }
            "range" => return Err(Failure::new("unhashable: range")),
            "list" | "dict" | "set" | "struct" | "yamlfragment" => {
                let kind = type_name(value);
                return Err(Failure::new(format!("unhashable type: {kind}")));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Returns whether a value can contain other values.
fn is_collection(value: Value<'_>) -> bool {
    matches!(value.get_type(), "list" | "tuple" | "dict" | "struct")
}

#[cfg(test)]
mod tests {
    use starlark::values::Heap;

    use super::*;

    #[test]
    fn counts_a_shared_value_at_each_occurrence() {
        Heap::temp(|heap| {
            let mut value = heap.alloc((1,));
            for _ in 0..3 {
                value = heap.alloc((value, value));
            }
            let mut steps = Steps::default();
            assert!(check_hashable(value, &mut steps).is_ok());
            // 1 + 2 + 4 + 8 tuples, and the number in each of the last.
            assert_eq!(steps.taken(), 23);
        });
    }

    #[test]
    fn refuses_to_visit_a_value_that_is_shared_too_often() {
        Heap::temp(|heap| {
            let mut value = heap.alloc((1,));
            for _ in 0..40 {
                value = heap.alloc((value, value));
            }
            assert!(check_hashable(value, &mut Steps::default()).is_err());
            assert!(visit_all(value, &mut Steps::default()).is_err());
        });
    }

    #[test]
    fn names_the_first_value_that_cannot_be_a_key() {
        Heap::temp(|heap| {
            let list = heap.alloc(vec![1]);
            let key = heap.alloc((1, (2, list)));
            let failure = check_hashable(key, &mut Steps::default()).err();
            let message = failure.map(|failure| failure.0.message);
            assert_eq!(message.as_deref(), Some("unhashable type: list"));
        });
    }
}
