//! The state of one application of an overlay.

use std::sync::Arc;

use super::place_in_object::PlaceInObject;
use super::trail::OverlayTrail;
use crate::edit::DocumentFormat;
use crate::script::Caller;
use crate::source::{Diagnostic, Diagnostics, Reported, Result};
use crate::yaml::{Node, is_equal};

/// Which node is kept if both sides have the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EqualValues {
    /// The node of the left, so that its bytes stay as they are.
    KeepLeft,
    /// The node of the right, so that messages show where the value was given last.
    TakeRight,
    /// The node of the right. An element that is replaced also moves to the place of the part, for
    /// `-o pos`. The result must not be printed faithfully.
    TakeRightAndPlace,
}

/// Applies the parts of an overlay.
///
/// Its methods are in `apply` (parts and what they match), `added` (values that are new),
/// `assertion` and `in_string`.
pub(super) struct Overlaying<'o, 'c, 'v> {
    pub(super) caller: &'o mut Caller<'c, 'v>,
    diagnostics: &'o mut Diagnostics,
    equal_values: EqualValues,
    /// The format of the text that contains the documents.
    pub(super) format: DocumentFormat,
    /// The places of the elements that are being changed, from the outermost object in.
    pub(super) places: Vec<PlaceInObject>,
    /// How many strings were made for documents so far. A value with such a string depends on its
    /// place in the object (base64 or not), so it must not be reused elsewhere.
    pub(super) new_strings: usize,
}

impl<'o, 'c, 'v> Overlaying<'o, 'c, 'v> {
    pub(super) fn new(
        caller: &'o mut Caller<'c, 'v>,
        equal_values: EqualValues,
        format: DocumentFormat,
        diagnostics: &'o mut Diagnostics,
    ) -> Overlaying<'o, 'c, 'v> {
        Overlaying {
            caller,
            diagnostics,
            equal_values,
            format,
            places: Vec::new(),
            new_strings: 0,
        }
    }

    /// Returns whether `value` has to replace `left`.
    pub(super) fn is_change(&self, left: &Arc<Node>, value: &Arc<Node>) -> bool {
        match self.equal_values {
            EqualValues::KeepLeft => !is_equal(left, value),
            EqualValues::TakeRight | EqualValues::TakeRightAndPlace => !Arc::ptr_eq(left, value),
        }
    }

    /// Returns whether elements move to the place of the part that replaces them.
    pub(super) fn takes_places(&self) -> bool {
        self.equal_values == EqualValues::TakeRightAndPlace
    }

    /// Reports an error of the last part of `trail`.
    pub(super) fn report(
        &mut self,
        trail: &OverlayTrail<'_, 'v>,
        error: Box<Diagnostic>,
    ) -> Reported {
        self.diagnostics.report(trail.locate(error))
    }

    /// Reports an error of the last part of `trail`, which is made only if it is shown.
    pub(super) fn report_with(
        &mut self,
        trail: &OverlayTrail<'_, 'v>,
        error: impl FnOnce() -> Box<Diagnostic>,
    ) -> Reported {
        self.diagnostics.report_with(|| trail.locate(error()))
    }

    /// Returns the value of `result`, or reports its error as one of the last part of `trail`.
    pub(super) fn check<T>(
        &mut self,
        trail: &OverlayTrail<'_, 'v>,
        result: Result<T>,
    ) -> Result<T, Reported> {
        result.map_err(|error| self.report(trail, error))
    }
}
