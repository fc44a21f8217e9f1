//! The state of one application of an overlay: what its functions are called with, the places that
//! the walk has reached, and where mistakes are reported.

use std::sync::Arc;

use super::place_in_object::PlaceInObject;
use super::trail::OverlayTrail;
use crate::edit::DocumentFormat;
use crate::provenance::Recorder;
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

/// How overlays are applied to documents.
#[derive(Clone, Copy, Debug)]
pub struct OverlayOptions {
    /// Which node is kept if both sides have the same value.
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
/// Its methods are in `operate` (what a part matches and does), `merge` (the next value of an
/// element), `added` (values that are new), `assertion` and `in_string`.
pub(super) struct Overlaying<'o, 'c, 'v> {
    pub(super) caller: &'o mut Caller<'c, 'v>,
    pub(super) diagnostics: &'o mut Diagnostics,
    pub(super) options: OverlayOptions,
    /// The places of the elements that are being changed, from the outermost object in.
    pub(super) places: Vec<PlaceInObject>,
    /// How many strings were made for documents so far. A value with such a string depends on its
    /// place in the object (base64 or not), so it must not be reused elsewhere.
    pub(super) new_strings: usize,
    /// Whether the document in a string was edited, or a string was made for a new document.
    pub(super) has_edited_strings: bool,
    /// Gets what each part matches, if somebody asks for it.
    pub(super) recorder: Recorder<'o>,
}

impl<'o, 'c, 'v> Overlaying<'o, 'c, 'v> {
    /// Returns the state at the start, outside of any document. What parts match is not recorded.
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

    /// Returns whether `value` has to replace `left`.
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

    /// Runs `work` while `place` is the innermost place.
    ///
    /// Invariant: the place is removed again also after an error, because the siblings of a part
    /// that failed are still tried.
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
