//! Errors in an overlay.

use crate::script::Value;
use crate::source::suggest::with_article;
use crate::source::{Code, Diagnostic};

/// Returns an error with the code of overlays.
pub(super) fn overlay_error(message: impl Into<String>) -> Box<Diagnostic> {
    Diagnostic::error(Code::Overlay, message)
}

/// Returns the type of a value with its article: `an int`.
pub(super) fn type_of(value: Value<'_>) -> String {
    with_article(value.type_name())
}
