//! ytt's overlays: documents that say how other documents are to be changed.
//!
//! The *left* is what is changed, the *right* is an overlay. A right document becomes a tree of [`part::Part`]s, each a
//! document, map item or array item with what its annotations say ([`instruction`]), read once however many documents
//! it is applied to. [`apply`] carries the parts out on the [`elements`] of the left, which share all that no part
//! touches with what they were made from.

mod apply;
mod comparison;
mod elements;
mod instruction;
mod key;
mod made;
mod matcher;
mod module;
mod near_miss;
mod part;
mod strip;
mod structured;
mod trail;

use std::sync::Arc;

use apply::{Faults, Overlaying};
use elements::Documents;
pub use module::module;
use part::Part;

use crate::script::Caller;
use crate::script::fragments::Built;
use crate::source::{Code, Diagnostic, Diagnostics, Reported};
use crate::yaml::Node;

/// The annotation that makes a document an overlay.
pub const MATCH: &str = "overlay/match";

/// Whether a document is an overlay, and not one that is printed.
pub fn is_overlay(document: &Built) -> bool {
    document
        .annotations
        .iter()
        .any(|annotation| &*annotation.name == MATCH)
}

/// Which of two values that say the same comes out where an overlay says nothing new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Same {
    /// That of the left, as it is written there.
    Left,
    /// That of the right, so that it is known where it was last said.
    Right,
}

/// Applies one overlay to the documents of all files: `files` has a list for each, empty documents left out. The overlay
/// says with `@overlay/match` which documents it changes.
///
/// A document that is appended goes to the last file, one that `or_add` adds to the first; where there is no file at
/// all, a list is added for it.
///
/// `None` where that failed, and `diagnostics` says why, for each part of the overlay that fails.
pub fn apply_to_all(
    caller: &mut Caller<'_, '_>,
    files: Vec<Vec<Built>>,
    overlay: &Built,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Vec<Built>>, Reported> {
    report(documents(caller, files, overlay), diagnostics)
}

/// Applies overlays, one after the other, to one document, whatever their `@overlay/match` says: how schemas and data
/// values are put together.
///
/// Annotations of `overlay/` do not come out; others do: those of the left where parts are merged, those of the right
/// where it replaces or adds something.
///
/// `None` where that failed, and `diagnostics` says why, for each part of the overlays that fails.
pub fn apply_to_one(
    caller: &mut Caller<'_, '_>,
    left: Built,
    overlays: &[Built],
    same: Same,
    diagnostics: &mut Diagnostics,
) -> Result<Built, Reported> {
    let mut left = left;
    for overlay in overlays {
        let part = Part::document(overlay);
        let mut documents = Documents::new(vec![vec![left]]);
        let outcome = Overlaying {
            same,
            ..Overlaying::new(caller)
        }
        .only_document(&mut documents, &part);
        report(outcome, diagnostics)?;
        let Some(document) = documents.into_files().into_iter().flatten().next() else {
            let error = Diagnostic::error(
                Code::Overlay,
                "expected an overlay that keeps the document, found one that removes it",
            );
            return Err(diagnostics.report(error.at(overlay.place.clone(), "")));
        };
        left = document;
    }
    Ok(left)
}

/// One overlay on the documents of all files.
fn documents(
    caller: &mut Caller<'_, '_>,
    files: Vec<Vec<Built>>,
    overlay: &Built,
) -> Result<Vec<Vec<Built>>, Faults> {
    let part = Part::document(overlay);
    let mut documents = Documents::new(files);
    Overlaying::new(caller).document(&mut documents, &part)?;
    Ok(documents.into_files())
}

/// An overlay that is a mapping or a list on a value.
fn node(
    caller: &mut Caller<'_, '_>,
    left: &Arc<Node>,
    overlay: &Arc<Node>,
) -> Result<Arc<Node>, Faults> {
    Overlaying::new(caller).root(left, overlay)
}

fn report<T>(outcome: Result<T, Faults>, diagnostics: &mut Diagnostics) -> Result<T, Reported> {
    outcome.map_err(|faults| {
        let mut reported = None;
        for fault in faults {
            reported = Some(diagnostics.report(fault));
        }
        reported.unwrap_or_else(|| {
            let failed = "an overlay failed without an error";
            diagnostics.report(Diagnostic::error(Code::Internal, failed))
        })
    })
}
