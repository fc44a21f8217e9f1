//! Errors in an overlay, and the names of values in their messages.

use crate::script::Value;
use crate::source::suggest::with_article;
use crate::source::{Code, Diagnostic};
use crate::yaml::{Node, Value as Scalar};

/// Returns an error with the diagnostic code of overlays.
pub(super) fn overlay_error(message: impl Into<String>) -> Box<Diagnostic> {
    Diagnostic::error(Code::Overlay, message)
}

/// Returns ytt's name for the kind of a node, for a template that catches an error.
pub(super) fn caught_kind(node: &Node) -> &'static str {
    match node.kind() {
        "mapping" => "map",
        "list" => "array",
        "number" => match node.value() {
            Some(Scalar::Float(_)) => "float",
            _ => "integer",
        },
        other => other,
    }
}

/// Returns the type of a value with its article: `an int`.
pub(super) fn type_of(value: Value<'_>) -> String {
    with_article(value.type_name())
}
