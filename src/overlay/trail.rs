//! The path of parts from the root of an overlay, which every error of an overlay shows.

use std::sync::Arc;

use super::element_kind::ElementKind;
use super::part::OverlayPart;
use crate::source::{Diagnostic, Label, Location};
use crate::yaml::Node;

/// A part and the parts around it, as a chain on the stack.
#[derive(Clone, Copy)]
pub(super) struct OverlayTrail<'t, 'v> {
    pub(super) part: &'t OverlayPart<'v>,
    outer: Option<&'t OverlayTrail<'t, 'v>>,
}

impl<'t, 'v> OverlayTrail<'t, 'v> {
    /// Returns the trail of an outermost part.
    pub(super) fn root(part: &'t OverlayPart<'v>) -> OverlayTrail<'t, 'v> {
        OverlayTrail { part, outer: None }
    }

    /// Returns the trail of a child of the last part.
    pub(super) fn child(&'t self, part: &'t OverlayPart<'v>) -> OverlayTrail<'t, 'v> {
        OverlayTrail {
            part,
            outer: Some(self),
        }
    }

    /// Returns the same trail with another last part.
    pub(super) fn with_part(&self, part: &'t OverlayPart<'v>) -> OverlayTrail<'t, 'v> {
        OverlayTrail {
            part,
            outer: self.outer,
        }
    }

    /// Adds the place of the last part to an error, before its other places, and a note with the
    /// path: `in the overlay: document (a.yml:2) > map item `spec` (a.yml:3)`.
    pub(super) fn locate(&self, error: Box<Diagnostic>) -> Box<Diagnostic> {
        let caught = format!("{}{}", self.caught_path(), error.caught_message());
        let mut error = error.caught_as(caught);
        if let Some(place) = &self.part.place {
            let label = Label {
                location: place.clone(),
                text: String::new(),
            };
            // The first label determines the place in the message, and the overlay is the file that
            // the user can change.
            error.labels.insert(0, label);
        }
        let path = self.path();
        if path.is_empty() {
            return error;
        }
        error.note(format!("in the overlay: {path}"))
    }

    /// Returns ytt's prefix for a message: the parts from the outermost inwards.
    fn caught_path(&self) -> String {
        let outer = self
            .outer
            .map(OverlayTrail::caught_path)
            .unwrap_or_default();
        outer + &caught_prefix(self.part)
    }

    /// Returns the parts from the outermost inwards, with their places. Parts of kind `Value` have
    /// no name and are omitted.
    fn path(&self) -> String {
        let outer = self.outer.map(OverlayTrail::path).unwrap_or_default();
        if self.part.kind == ElementKind::Value {
            return outer;
        }
        let own = name_with_place(self.part);
        if outer.is_empty() {
            own
        } else {
            format!("{outer} > {own}")
        }
    }
}

/// Returns ytt's prefix for one part, with its place and up to the colon.
fn caught_prefix(part: &OverlayPart<'_>) -> String {
    let kind = match part.kind {
        ElementKind::Value => return String::new(),
        ElementKind::Document => "Document".to_owned(),
        ElementKind::Item => "Array item".to_owned(),
        ElementKind::Entry => {
            let key = part.key.as_ref().map(shown_key).unwrap_or_default();
            format!("Map item (key '{key}')")
        }
    };
    let place = part.place.as_ref().map(in_workspace);
    format!("{kind} on line {}: ", place.as_deref().unwrap_or("?"))
}

fn name_with_place(part: &OverlayPart<'_>) -> String {
    let kind = part.kind.singular();
    let key = part.key.as_ref().and_then(|key| key.resolved().text());
    let name = match key {
        Some(key) => format!("{kind} `{key}`"),
        None => kind.to_owned(),
    };
    match &part.place {
        // The label above shows the full path of the file. Repeating it for each part would be
        // noise.
        Some(place) => format!("{name} ({})", in_workspace(place)),
        None => name,
    }
}

/// Returns a place as `file:line`, with the file's path in the workspace.
pub(super) fn in_workspace(place: &Location) -> String {
    let place = place.in_file();
    let line = place.source.line(place.span.start());
    format!("{}:{line}", place.source.name())
}

/// Returns a place as `file:line`, with the file's path as the user gave it.
pub(super) fn file_and_line(place: &Location) -> String {
    let place = place.in_file();
    let line = place.source.line(place.span.start());
    format!("{}:{line}", place.source.shown_name())
}

/// Returns a key as a message shows it.
pub(super) fn shown_key(key: &Arc<Node>) -> String {
    key.resolved().text().unwrap_or("…").to_owned()
}
