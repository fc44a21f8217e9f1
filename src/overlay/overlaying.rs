//! The state of one application of an overlay: the caller of its functions, the places that the
//! traversal has reached, and the diagnostics.

use std::sync::Arc;

use super::place_in_object::PlaceInObject;
use super::trail::OverlayTrail;
use crate::edit::DocumentFormat;
use crate::provenance::Recorder;
use crate::script::Caller;
use crate::source::{Diagnostic, Diagnostics, Reported, Result};
use crate::yaml::{Node, is_equal};

/// The node to keep if both sides have the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EqualValues {
    /// The node of the left, so that its bytes stay as they are.
    KeepLeft,
    /// The node of the right, so that messages show the last place that sets the value.
    TakeRight,
    /// The node of the right. A replaced element also moves to the place of the part, for `-o pos`.
    /// The result must not be printed faithfully.
    TakeRightAndPlace,
}

/// The options for applying overlays to documents.
#[derive(Clone, Copy, Debug)]
pub struct OverlayOptions {
    /// The node to keep if both sides have the same value.
    pub equal_values: EqualValues,
    /// The format of the text that contains the documents.
    pub format: DocumentFormat,
}

impl OverlayOptions {
    /// Returns the options for documents in YAML.
    pub fn yaml(equal_values: EqualValues) -> OverlayOptions {
        OverlayOptions {
            equal_values,
            format: DocumentFormat::YAML,
        }
    }
}

/// Applies the parts of an overlay.
///
/// Its methods are in `operate` (finds the matches of a part and applies its operation), `merge`
/// (the next value of an element), `added` (new values), `assertion` and `in_string`.
pub(super) struct Overlaying<'o, 'c, 'v> {
    pub(super) caller: &'o mut Caller<'c, 'v>,
    pub(super) diagnostics: &'o mut Diagnostics,
    pub(super) options: OverlayOptions,
    /// The places of the elements that are being changed, from the outermost object inwards.
    pub(super) places: Vec<PlaceInObject>,
    /// The number of strings created for documents so far. A value with such a string depends on
    /// its place in the object (base64 or not), so it must not be reused elsewhere.
    pub(super) new_strings: usize,
    /// Whether the document in a string was edited, or a string was created for a new document.
    pub(super) has_edited_strings: bool,
    /// Records the elements that each part matches, if this is requested.
    pub(super) recorder: Recorder<'o>,
}

impl<'o, 'c, 'v> Overlaying<'o, 'c, 'v> {
    /// Creates the initial state, outside any document. Matches are not recorded.
    pub(super) fn new(
        caller: &'o mut Caller<'c, 'v>,
        options: OverlayOptions,
        diagnostics: &'o mut Diagnostics,
    ) -> Overlaying<'o, 'c, 'v> {
        Overlaying {
            caller,
            diagnostics,
            options,
            places: Vec::new(),
            new_strings: 0,
            has_edited_strings: false,
            recorder: Recorder::off(),
        }
    }

    /// Returns whether `value` must replace `left`.
    pub(super) fn is_change(&self, left: &Arc<Node>, value: &Arc<Node>) -> bool {
        match self.options.equal_values {
            EqualValues::KeepLeft => !is_equal(left, value),
            EqualValues::TakeRight | EqualValues::TakeRightAndPlace => !Arc::ptr_eq(left, value),
        }
    }

    /// Returns whether elements move to the place of the part that replaces them.
    pub(super) fn takes_places(&self) -> bool {
        self.options.equal_values == EqualValues::TakeRightAndPlace
    }

    /// Runs `work` with `place` as the innermost place.
    ///
    /// Invariant: the place is removed even after an error, because the siblings of a failed part
    /// are still tried.
    pub(super) fn inside<T>(
        &mut self,
        place: PlaceInObject,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.places.push(place);
        let result = work(self);
        self.places.pop();
        result
    }

    /// Reports an error at the last part of `trail`.
    pub(super) fn report(
        &mut self,
        trail: &OverlayTrail<'_, 'v>,
        error: Box<Diagnostic>,
    ) -> Reported {
        self.diagnostics.report(trail.locate(error))
    }

    /// Reports an error at the last part of `trail`. The error is created only if it is shown.
    pub(super) fn report_with(
        &mut self,
        trail: &OverlayTrail<'_, 'v>,
        error: impl FnOnce() -> Box<Diagnostic>,
    ) -> Reported {
        self.diagnostics.report_with(|| trail.locate(error()))
    }

    /// Returns the value of `result`, or reports its error at the last part of `trail`.
    pub(super) fn check<T>(
        &mut self,
        trail: &OverlayTrail<'_, 'v>,
        result: Result<T>,
    ) -> Result<T, Reported> {
        result.map_err(|error| self.report(trail, error))
    }
}
