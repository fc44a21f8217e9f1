//! The entry points: these apply overlays to the documents of all files, to one document, or to a
//! value.
//!
//! ```text
//! left          right                                    what happens, part by part
//!
//! - name: a     #@overlay/match by="name"                 matches item 1, so the item is merged:
//!   n: 1        - name: b                                   key `name`: equal, nothing changes
//! - name: b       n: 3                                      key `n`: 2 → 3
//!   n: 2        #@overlay/append                          appended
//!               - name: c
//! ```
//!
//! `operate` finds the elements that a part selects and applies its operation; `merge` computes the
//! value of an element after the operation. Both work on
//! [`Overlaying`].

use std::sync::Arc;

use super::elements::{LeftDocuments, OverlaidRoot};
use super::error::overlay_error;
use super::instruction::MatchDefaults;
use super::operate::MatchedPart;
use super::overlaying::{EqualValues, OverlayOptions, Overlaying};
use super::part::OverlayPart;
use super::place_in_object::PlaceInObject;
use super::trail::OverlayTrail;
use crate::edit::DocumentFormat;
use crate::kubernetes::keep_secrets;
use crate::provenance::Recorder;
use crate::script::Caller;
use crate::script::fragments::Built;
use crate::source::{Diagnostics, Reported};
use crate::yaml::Node;

/// The documents of all files, to which overlays are applied one after another.
#[derive(Debug)]
pub struct DocumentGroups<'j> {
    documents: LeftDocuments,
    has_edited_strings: bool,
    recorder: Recorder<'j>,
}

impl<'j> DocumentGroups<'j> {
    /// Creates the groups from one list of documents for each file. The lists contain no empty
    /// documents.
    pub fn new(files: Vec<Vec<Built>>) -> DocumentGroups<'j> {
        DocumentGroups {
            documents: LeftDocuments::new(files),
            has_edited_strings: false,
            recorder: Recorder::off(),
        }
    }

    /// Returns the same documents with `recorder`, which records the elements that overlays match.
    pub fn with_recorder(self, recorder: Recorder<'j>) -> DocumentGroups<'j> {
        DocumentGroups { recorder, ..self }
    }

    /// Applies one overlay to the documents that its `@overlay/match` selects.
    ///
    /// An appended document goes to the last file; a document added by `or_add` goes to the first.
    /// If there is no file, a list is added for it.
    ///
    /// # Errors
    /// Reports each part of the overlay that fails.
    pub fn apply(
        &mut self,
        caller: &mut Caller<'_, '_>,
        overlay: &Built,
        options: OverlayOptions,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        let part = OverlayPart::document(overlay);
        let mut overlaying = Overlaying {
            recorder: self.recorder,
            ..Overlaying::new(caller, options, diagnostics)
        };
        let trail = overlaying.root_trail(&part)?;
        let outcome = overlaying.apply_part(&mut self.documents, &trail);
        self.has_edited_strings |= overlaying.has_edited_strings;
        if outcome.is_err() {
            // The message may quote a value that templates created and that no file contains.
            for root in self.documents.roots().chain([&overlay.root]) {
                keep_secrets(root, diagnostics);
            }
        }
        outcome
    }

    /// Returns whether an overlay has edited a document in a string, or created one.
    pub fn has_edited_strings(&self) -> bool {
        self.has_edited_strings
    }

    /// Returns the same documents. Their changes are recorded from now on.
    pub fn recorded(self) -> DocumentGroups<'j> {
        DocumentGroups {
            documents: self.documents.recorded(),
            ..self
        }
    }

    /// Returns the changes since the last call, if they are recorded.
    pub fn take_changes(&mut self) -> Vec<OverlaidRoot> {
        self.documents.take_changes()
    }

    /// Returns the number of files.
    pub fn count(&self) -> usize {
        self.documents.files()
    }

    /// Returns the documents of each file.
    pub fn into_files(self) -> Vec<Vec<Built>> {
        self.documents.into_files()
    }
}

/// Applies overlays, one after another, to one document, and ignores their `@overlay/match`.
/// Schemas and data values are combined this way.
///
/// Overlay annotations are not part of the result. Other annotations are: those of the left where
/// parts are merged, and those of the right where it replaces or adds a value.
///
/// # Errors
/// Reports each part of the first overlay that fails, and an overlay that removes the document.
pub fn apply_to_one(
    caller: &mut Caller<'_, '_>,
    left: Built,
    overlays: &[Built],
    options: OverlayOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Built, Reported> {
    let mut document = left;
    for overlay in overlays {
        document = apply_unmatched(caller, document, overlay, options, diagnostics)?;
    }
    Ok(document)
}

/// Applies one overlay to one document and ignores its `@overlay/match`.
fn apply_unmatched(
    caller: &mut Caller<'_, '_>,
    left: Built,
    overlay: &Built,
    options: OverlayOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Built, Reported> {
    let part = OverlayPart::document(overlay);
    let mut overlaying = Overlaying::new(caller, options, diagnostics);
    let trail = overlaying.root_trail(&part)?;
    // This reads the annotations without `@overlay/match` and keeps the result in the part, so
    // later calls of `part.instruction` do not fail for the missing annotation.
    let instruction = trail.part.unmatched_instruction(overlaying.caller);
    let instruction = overlaying.check(&trail, instruction)?;
    // An operation works on a collection. This one contains only the document.
    let mut documents = LeftDocuments::new(vec![vec![left]]);
    let part = MatchedPart {
        trail: &trail,
        instruction,
        matched: &[0],
    };
    overlaying.operate(&mut documents, part)?;
    let mut remaining = documents.into_files().into_iter().flatten();
    remaining.next().ok_or_else(|| {
        let message = "expected an overlay that keeps the document, found one that removes it";
        diagnostics.report(overlay_error(message).at(overlay.place.clone(), ""))
    })
}

/// Applies an overlay that is a mapping or a list to a value.
///
/// # Errors
/// Reports each part of the overlay that fails.
pub(super) fn apply_to_value(
    caller: &mut Caller<'_, '_>,
    left: &Arc<Node>,
    right: &Arc<Node>,
    diagnostics: &mut Diagnostics,
) -> Result<Arc<Node>, Reported> {
    let part = OverlayPart::value(right);
    let trail = OverlayTrail::root(&part);
    let options = OverlayOptions::yaml(EqualValues::KeepLeft);
    let mut overlaying = Overlaying::new(caller, options, diagnostics);
    let place = PlaceInObject::root(left, options.format);
    overlaying.places.push(place);
    let outcome = overlaying.merge(left, &trail, MatchDefaults::default());
    if outcome.is_err() {
        keep_secrets(left, diagnostics);
        keep_secrets(right, diagnostics);
    }
    outcome
}

impl<'v> Overlaying<'_, '_, 'v> {
    /// Returns the trail of an overlay whose keys suit the format of the documents: in every format
    /// except YAML, all keys are text.
    fn root_trail<'t>(
        &mut self,
        part: &'t OverlayPart<'v>,
    ) -> Result<OverlayTrail<'t, 'v>, Reported> {
        let trail = OverlayTrail::root(part);
        if self.options.format == DocumentFormat::YAML {
            return Ok(trail);
        }
        let text_keyed = self.check(&trail, part.with_text_keys(self.caller))?;
        Ok(OverlayTrail::root(text_keyed))
    }
}
