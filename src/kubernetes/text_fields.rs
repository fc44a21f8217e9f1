//! Which fields of an object are text.

use std::sync::Arc;

use crate::edit::{Encoding, TextFields};
use crate::yaml::Node;

/// Labels and annotations of every object are text.
const ANY: TextFields = TextFields {
    parents: &[LABELS, ANNOTATIONS],
    objects: None,
};

/// A list of objects, each with its own.
const LIST: TextFields = TextFields {
    objects: Some(("items", text_fields)),
    ..ANY
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

const LABELS: (&[&str], Encoding) = (&["metadata", "labels"], Encoding::Plain);
const ANNOTATIONS: (&[&str], Encoding) = (&["metadata", "annotations"], Encoding::Plain);

/// The text fields of `object`: those that the API server takes only as strings. The `data` of a Secret and the
/// `binaryData` of a ConfigMap are base64. The items of a list have their own.
pub fn text_fields(object: &Arc<Node>) -> TextFields {
    let text = |key| object.get(key).and_then(|node| node.resolved().text());
    match (text("apiVersion"), text("kind")) {
        (Some("v1"), Some("ConfigMap")) => CONFIG_MAP,
        (Some("v1"), Some("Secret")) => SECRET,
        (_, Some(kind)) if kind.ends_with("List") => LIST,
        _ => ANY,
    }
}
