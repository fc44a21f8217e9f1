//! Edits of an overlay that correct a wrong number of matches.
//!
//! ```yaml
//! #@overlay/match by=overlay.all            #@overlay/match by=overlay.all, expects="1+"
//! ---                                   ─▶  ---
//! spec:                                     spec:
//!                                             #@overlay/match missing_ok=True
//!   paused: true                              paused: true
//! ```

use super::part::OverlayPart;
use crate::script::fragments::Annotation;
use crate::source::suggest::nearest;
use crate::source::{Diagnostic, Location, Remedy, Span, TextFix};
use crate::yaml::{PlainContext, is_plain_string};

/// The arguments of `@overlay/match` that say how many elements are expected.
const COUNTS: [&str; 3] = ["expects", "missing_ok", "when"];

/// Adds the edit that gives `@overlay/match` of a part an argument, such as `expects="1+"`.
pub(super) fn with_argument(
    error: Box<Diagnostic>,
    part: &OverlayPart<'_>,
    argument: &str,
) -> Box<Diagnostic> {
    let edit = match part.match_annotation() {
        Some(annotation) => longer_annotation(annotation, argument),
        None => new_annotation(part, argument),
    };
    with_edit(error, edit)
}

fn with_edit(mut error: Box<Diagnostic>, edit: Option<TextFix>) -> Box<Diagnostic> {
    error.remedies.extend(edit.map(Remedy::Edit));
    error
}

/// Adds an argument after the others, unless one of them already sets the expected number.
fn longer_annotation(annotation: &Annotation, argument: &str) -> Option<TextFix> {
    let (place, text) = written(&annotation.place)?;
    let text = text.trim_end();
    let has_count = COUNTS.iter().any(|name| text.contains(&format!("{name}=")));
    // An argument after a comment would be a part of the comment.
    let has_comment = text.trim_start_matches('#').contains('#');
    if has_count || has_comment {
        return None;
    }
    let separator = match text.contains(' ') {
        true => ", ",
        false => " ",
    };
    Some(TextFix {
        place: Location::new(&place.source, Span::at(place.span.start() + text.len())),
        text: format!("{separator}{argument}"),
    })
}

/// Adds an annotation in a line above a part that begins its own line.
fn new_annotation(part: &OverlayPart<'_>, argument: &str) -> Option<TextFix> {
    let (place, _) = written(part.place.as_ref()?)?;
    let before = place.source.text().get(..place.span.start())?;
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let indentation = &before[line..];
    let is_first = indentation.bytes().all(|byte| byte == b' ');
    is_first.then(|| TextFix {
        place: Location::new(&place.source, Span::at(line)),
        text: format!("{indentation}#@overlay/match {argument}\n"),
    })
}

/// Adds the edit that replaces a key or value of the overlay by the one that the help of the error
/// suggests.
pub(super) fn with_rename(
    error: Box<Diagnostic>,
    place: Option<&Location>,
    wrong: &str,
) -> Box<Diagnostic> {
    let edit = meant(&error).and_then(|meant| {
        let (place, text) = written(place?)?;
        let can_replace = text == wrong && is_plain_string(meant, PlainContext::Block);
        can_replace.then(|| TextFix {
            place: place.clone(),
            text: meant.to_owned(),
        })
    });
    with_edit(error, edit)
}

/// Adds the edit that replaces a string in `@overlay/match` by the one that the help of the error
/// suggests: ``by=overlay.subset({"kind": "Deploymnt"})``.
pub(super) fn with_renamed_argument(
    error: Box<Diagnostic>,
    part: &OverlayPart<'_>,
) -> Box<Diagnostic> {
    let edit = meant(&error).and_then(|meant| {
        let (place, text) = written(&part.match_annotation()?.place)?;
        let is_named = |string: &&str| error.notes.iter().any(|note| note.contains(string));
        let strings = text.split(['"', '\'']).skip(1).step_by(2).filter(is_named);
        let wrong = nearest(meant, strings.filter(|string| *string != meant))?;
        if meant.contains(['"', '\'', '\\']) {
            return None;
        }
        // The string is a part of the text.
        let start = place.span.start() + (wrong.as_ptr().addr() - text.as_ptr().addr());
        Some(TextFix {
            place: Location::new(&place.source, Span::new(start, start + wrong.len())),
            text: meant.to_owned(),
        })
    });
    with_edit(error, edit)
}

/// Returns the name that the help of an error suggests.
fn meant(error: &Diagnostic) -> Option<&str> {
    error.remedies.iter().find_map(|remedy| match remedy {
        Remedy::Rename(meant) => Some(meant.as_str()),
        _ => None,
    })
}

/// Returns a place and its text; `None` in a document inside a string, whose lines the file writes
/// in another way.
fn written(place: &Location) -> Option<(&Location, &str)> {
    let is_in_file = place.source.outer().is_none();
    is_in_file.then(|| (place, place.source.slice(place.span)))
}
