//! The table of text fields: fields that the API server accepts only as strings.
//!
//! Replacements, patches, `inlay set` and overlays write a document into such a field as text, and
//! quote a number. This module only contains the table; [`TextFields`] is how `edit` receives it.

use std::sync::Arc;

use crate::edit::{Encoding, TextFields};
use crate::yaml::Node;

/// A mapping whose values are text, with the encoding of that text.
type TextParent = (&'static [&'static str], Encoding);

const LABELS: TextParent = (&["metadata", "labels"], Encoding::Plain);
const ANNOTATIONS: TextParent = (&["metadata", "annotations"], Encoding::Plain);

/// Labels and annotations are text in every object.
const ANY_OBJECT: TextFields = TextFields {
    parents: &[LABELS, ANNOTATIONS],
    objects: None,
};

/// Each item of a list of objects has the text fields of its own kind.
const LIST: TextFields = TextFields {
    objects: Some(("items", text_fields)),
    ..ANY_OBJECT
};

const CONFIG_MAP: TextFields = TextFields {
    parents: &[
        LABELS,
        ANNOTATIONS,
        (&["data"], Encoding::Plain),
        (&["binaryData"], Encoding::Base64),
    ],
    objects: None,
};

const SECRET: TextFields = TextFields {
    parents: &[
        LABELS,
        ANNOTATIONS,
        (&["data"], Encoding::Base64),
        (&["stringData"], Encoding::Plain),
    ],
    objects: None,
};

/// Returns the text fields of an object, by its `apiVersion` and `kind`.
pub fn text_fields(object: &Arc<Node>) -> TextFields {
    let api_version = object
        .get("apiVersion")
        .and_then(|node| node.resolved().text());
    let kind = object.get("kind").and_then(|node| node.resolved().text());
    match (api_version, kind) {
        (Some("v1"), Some("ConfigMap")) => CONFIG_MAP,
        (Some("v1"), Some("Secret")) => SECRET,
        (_, Some(kind)) if kind.ends_with("List") => LIST,
        _ => ANY_OBJECT,
    }
}
