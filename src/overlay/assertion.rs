//! `@overlay/assert`: checks the left and changes nothing.

use std::sync::Arc;

use super::comparison::{mismatch, spelled};
use super::error::{overlay_error, type_of};
use super::overlaying::Overlaying;
use super::part::OverlayPart;
use crate::script::Value;
use crate::source::{Location, Result};
use crate::yaml::Node;

/// The answer of the function of an assertion: a boolean, a pair of a boolean and a reason, or None
/// for success.
enum Answer<'v> {
    Holds,
    Fails(Option<&'v str>),
}

impl<'v> Overlaying<'_, '_, 'v> {
    /// Checks `left`, the value of the element at `place`, against a part.
    ///
    /// Without a function, `left` has to contain everything that the part contains.
    pub(super) fn assert(
        &mut self,
        left: &Arc<Node>,
        place: Option<Location>,
        part: &OverlayPart<'v>,
        via: Option<Value<'v>>,
    ) -> Result<()> {
        let Some(via) = via else {
            return match mismatch(left, &part.value) {
                None => Ok(()),
                Some(mismatch) => Err(overlay_error(mismatch.message())
                    .at(mismatch.right(), "asserted here")
                    .at(mismatch.left().or(place), "found here")),
            };
        };
        let answer = self.call(via, Some(left), part)?;
        // A collection is shown by its place; written out, it would fill the screen.
        let found = if left.as_scalar().is_some() {
            format!("found {}", spelled(left))
        } else {
            "found this".to_owned()
        };
        match read_answer(answer) {
            Some(Answer::Holds) => Ok(()),
            Some(Answer::Fails(reason)) => {
                let message = match reason {
                    None => "expected the assertion to hold, found that it does not".to_owned(),
                    Some(reason) => {
                        format!("expected the assertion to hold, found: {reason}")
                    }
                };
                Err(overlay_error(message).at(place, found))
            }
            None => {
                let message = format!(
                    "expected the function of the assertion to return a boolean, a boolean with a text, or None, found {}",
                    type_of(answer)
                );
                Err(overlay_error(message).at(place, found))
            }
        }
    }
}

/// Reads the answer of a function; `None` if it is not one.
fn read_answer<'v>(answer: Value<'v>) -> Option<Answer<'v>> {
    if answer.is_none() {
        return Some(Answer::Holds);
    }
    // ytt accepts a list as well as a tuple for the pair.
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
        Answer::Fails(reason)
    })
}
