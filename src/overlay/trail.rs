//! Where an overlay is at work: a part, the parts around it, and the elements of the left that it is applied to.

use std::sync::Arc;

use super::part::{Kind, Part};
use crate::source::{Diagnostic, Location};
use crate::yaml::Node;

/// A part and the way to it.
#[derive(Clone, Copy)]
pub(super) struct Trail<'t, 'v> {
    pub(super) part: &'t Part<'v>,
    /// The way to the part around it; `None` for the outermost.
    pub(super) outer: Option<&'t Trail<'t, 'v>>,
}

impl<'t, 'v> Trail<'t, 'v> {
    /// The way to a child of the last part.
    pub(super) fn child(&'t self, part: &'t Part<'v>) -> Trail<'t, 'v> {
        Trail {
            part,
            outer: Some(self),
        }
    }

    /// Adds to an error where in the overlay it is, before the places that it has.
    pub(super) fn locate(&self, error: Box<Diagnostic>) -> Box<Diagnostic> {
        let mut error = error;
        if let Some(place) = &self.part.place {
            let label = crate::source::Label {
                location: place.clone(),
                text: String::new(),
            };
            error.labels.insert(0, label);
        }
        match self.words() {
            words if words.is_empty() => error,
            words => error.note(format!("in the overlay: {words}")),
        }
    }

    /// The parts from the outermost in, with their places.
    fn words(&self) -> String {
        let outer = self.outer.map(Trail::words).unwrap_or_default();
        match (outer.is_empty(), self.part.kind) {
            (_, Kind::Value) => outer,
            (true, _) => step(self.part),
            (false, _) => format!("{outer} > {}", step(self.part)),
        }
    }
}

/// A part and its place.
fn step(part: &Part<'_>) -> String {
    let (name, _) = part.kind.words();
    let key = part.key.as_ref().and_then(|key| key.resolved().text());
    let name = match (part.kind, key) {
        (Kind::Entry, Some(key)) => format!("{name} `{key}`"),
        _ => name.to_owned(),
    };
    match &part.place {
        Some(place) => format!("{name} ({})", line(place)),
        None => name,
    }
}

/// A place as `file:line`.
pub(super) fn line(place: &Location) -> String {
    let place = place.in_file();
    format!(
        "{}:{}",
        place.source.name(),
        place.source.line(place.span.start())
    )
}

/// The key of an element as a message shows it.
pub(super) fn shown_key(key: &Arc<Node>) -> String {
    key.resolved().text().unwrap_or("…").to_owned()
}
