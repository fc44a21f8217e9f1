//! `@overlay/assert`: checks the left value without changing it.

use std::sync::Arc;

use super::comparison::{mismatch, spelled};
use super::error::{overlay_error, type_of};
use super::overlaying::Overlaying;
use super::part::OverlayPart;
use crate::script::Value;
use crate::source::{Diagnostic, Location, Result};
use crate::yaml::Node;

/// ytt's message for a function that returns a value other than an [`Answer`].
const BAD_ANSWER: &str = "Expected via invocation to return NoneType, Bool or Tuple(Bool,String), but returned neither of those";

/// The result of an assertion's function: a boolean, a boolean and a reason, or None for success.
enum Answer<'v> {
    Holds,
    Fails { reason: Option<&'v str> },
}

impl<'v> Overlaying<'_, '_, 'v> {
    /// Checks `left`, the value of the element at `place`, against a part.
    ///
    /// If `via` is given, this function decides. Otherwise `left` must contain everything that the
    /// part contains.
    ///
    /// # Errors
    /// The assertion is not satisfied, the function fails, or it returns a value that is not an
    /// answer.
    pub(super) fn assert(
        &mut self,
        left: &Arc<Node>,
        place: Option<Location>,
        part: &OverlayPart<'v>,
        via: Option<Value<'v>>,
    ) -> Result<()> {
        let Some(via) = via else {
            return assert_contains(left, place, &part.value);
        };
        let answer = self.call(via, Some(left), part)?;
        let error = match read_answer(answer) {
            Some(Answer::Holds) => return Ok(()),
            Some(Answer::Fails { reason }) => failed_assertion(reason),
            None => overlay_error(format!(
                "expected the function of the assertion to return a boolean, a boolean with a text, or None, found {}",
                type_of(answer)
            ))
            .caught_as(BAD_ANSWER),
        };
        // Refer to a collection by its place, because its text could fill the screen.
        let found = if left.as_scalar().is_some() {
            format!("found {}", spelled(left))
        } else {
            "found this".to_owned()
        };
        Err(error.at(place, found))
    }
}

/// Checks that `left`, at `place`, contains everything that `right` contains.
fn assert_contains(left: &Arc<Node>, place: Option<Location>, right: &Arc<Node>) -> Result<()> {
    let Some(mismatch) = mismatch(left, right) else {
        return Ok(());
    };
    let caught = format!(
        "Expected objects to equal, but did not: {}",
        mismatch.caught_message()
    );
    Err(overlay_error(mismatch.message())
        .caught_as(caught)
        .at(mismatch.right(), "asserted here")
        .at(mismatch.left().or(place), "found here"))
}

/// Returns the error for a function that returned false, with its reason if it gave one.
fn failed_assertion(reason: Option<&str>) -> Box<Diagnostic> {
    let caught = "Expected via invocation to return true, but was false";
    match reason {
        None => overlay_error("expected the assertion to hold, found that it does not")
            .caught_as(caught),
        Some(reason) => overlay_error(format!("expected the assertion to hold, found: {reason}"))
            .caught_as(format!("{caught} with message: {reason}")),
    }
}

/// Reads the answer of a function. Returns `None` for any other value.
fn read_answer<'v>(answer: Value<'v>) -> Option<Answer<'v>> {
    if answer.is_none() {
        return Some(Answer::Holds);
    }
    // ytt accepts a list or a tuple for the pair.
    let (holds, reason) = match answer.as_tuple().or_else(|| answer.as_list()) {
        None => (answer.as_bool()?, None),
        Some(pair) => match pair.as_slice() {
            [holds, reason] => (holds.as_bool()?, Some(reason.as_str()?)),
            _ => return None,
        },
    };
    Some(if holds {
        Answer::Holds
    } else {
        Answer::Fails { reason }
    })
}
