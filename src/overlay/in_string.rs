//! `@overlay/structured`: the left is a string that contains a document, and the right is applied
//! to that document.
//!
//! ```text
//! left                     right                            result
//!
//! data:                    data:                            data:
//!   app.json: |              #@overlay/structured             app.json: |
//!     {"a": 1, "b": 2}       app.json:                          {"a": 7, "b": 2}
//!                              a: 7
//! ```
//!
//! Every operation works on the document as it works on a value. The string keeps its layout. Its
//! place in the object decides how the text is encoded (base64 or plain).

use std::sync::Arc;

use super::element_kind::ElementKind;
use super::error::overlay_error;
use super::instruction::Structured;
use super::matcher::ElementIndex;
use super::overlaying::Overlaying;
use super::part::OverlayPart;
use super::place_in_object::PlaceInObject;
use super::trail::OverlayTrail;
use crate::edit::{DocumentFormat, Encoding, StringDocument};
use crate::source::{Reported, Result};
use crate::yaml::{Node, Value, is_equal};

impl<'v> Overlaying<'_, '_, 'v> {
    /// Opens the document in the string `left`, which is at the innermost place.
    pub(super) fn open_string(
        &mut self,
        left: &Arc<Node>,
        structured: Structured,
        trail: &OverlayTrail<'_, 'v>,
    ) -> Result<StringDocument, Reported> {
        let opened = open(left, structured.format, self.places.last());
        let opened = opened.map_err(|error| {
            // Errors of the parser already point into the string. Other errors get a label on the
            // whole string.
            if error.labels.is_empty() {
                error.at(left.location(), "the string")
            } else {
                error
            }
        });
        self.check(trail, opened)
    }

    /// Returns the string `left` with `root` as the root of its document. Returns `left` itself if
    /// the document already equals `root`.
    pub(super) fn close_string(
        &mut self,
        left: &Arc<Node>,
        document: StringDocument,
        root: &Arc<Node>,
        trail: &OverlayTrail<'_, 'v>,
    ) -> Result<Arc<Node>, Reported> {
        // An equal document is not written again, so that the string keeps every byte, even in a
        // layout that the writer would not produce.
        if is_equal(document.root(), root) {
            return Ok(Arc::clone(left));
        }
        self.has_edited_strings = true;
        self.check(trail, document.with_root(root))
    }

    /// Returns a new string at `place` that contains a document.
    pub(super) fn new_string(
        &mut self,
        root: &Arc<Node>,
        structured: Structured,
        place: &PlaceInObject,
        trail: &OverlayTrail<'_, 'v>,
    ) -> Result<Arc<Node>, Reported> {
        self.new_strings += 1;
        self.has_edited_strings = true;
        let format = structured
            .format
            .or_else(|| place.suggested_format())
            .unwrap_or(DocumentFormat::YAML);
        let document = self.check(trail, StringDocument::new(place.encoding(), format))?;
        self.check(trail, document.with_root(root))
    }

    /// Returns the place of a new element that a part creates.
    pub(super) fn place_of_new(&self, part: &OverlayPart<'v>) -> PlaceInObject {
        match (&part.key, self.places.last()) {
            (Some(key), Some(outer)) => outer.below(ElementIndex::Key(key), &part.value),
            // The index does not matter: all items of a list have the same text fields.
            (None, Some(outer)) if part.kind == ElementKind::Item => {
                outer.below(ElementIndex::Number(0), &part.value)
            }
            _ => PlaceInObject::root(&part.value, DocumentFormat::YAML),
        }
    }
}

/// Opens the document in `left`. `format` is the format given in the annotation.
fn open(
    left: &Arc<Node>,
    format: Option<DocumentFormat>,
    place: Option<&PlaceInObject>,
) -> Result<StringDocument> {
    let encoding = place.map_or(Encoding::Plain, PlaceInObject::encoding);
    let holder = place.map_or(DocumentFormat::YAML, |place| place.holder);
    let key = place.and_then(PlaceInObject::key);
    let suggested = format.or_else(|| place?.suggested_format());
    // Check this before reading the value of `left`, which would print the text of the string once
    // for each overlay.
    if StringDocument::is_open(left) {
        return StringDocument::open(left, encoding, holder, key, suggested);
    }
    match left.value() {
        Some(Value::Null) => {
            StringDocument::new(encoding, suggested.unwrap_or(DocumentFormat::YAML))
        }
        // An empty text shows no format, so only in this case does the key (`config.json`) decide.
        Some(Value::String(text)) if text.trim().is_empty() => {
            StringDocument::open(left, encoding, holder, key, suggested)
        }
        // The text itself shows whether it is JSON or YAML. Other formats are recognized only by
        // their key.
        Some(Value::String(_)) => StringDocument::open(left, encoding, holder, key, format),
        _ => Err(overlay_error(format!(
            "expected a string that contains a document, found {}",
            left.described()
        ))
        .at(left.location(), left.described())
        .help("leave out `#@overlay/structured` to apply the overlay to the value itself")),
    }
}
