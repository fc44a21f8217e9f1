//! The place of an element in its object, which decides how a string there encodes its document.

use std::sync::Arc;

use super::matcher::ElementIndex;
use crate::edit::{DocumentFormat, Encoding, ITEM, TextFields};
use crate::kubernetes::text_fields;
use crate::yaml::Node;

/// The place of an element in its object.
#[derive(Debug)]
pub(super) struct PlaceInObject {
    /// The fields of the object that are text, such as `data` of a Secret.
    fields: TextFields,
    /// The keys from the root of the object; `None` for an item of a list.
    path: Vec<Option<Arc<Node>>>,
    /// The format of the text that contains the object.
    pub(super) holder: DocumentFormat,
}

impl PlaceInObject {
    /// Returns the place of the root of an object, or of any other document.
    pub(super) fn root(object: &Arc<Node>, holder: DocumentFormat) -> PlaceInObject {
        PlaceInObject {
            fields: text_fields(object),
            path: Vec::new(),
            holder,
        }
    }

    /// Returns the place of the child at `index`, whose value is `value`.
    pub(super) fn below(&self, index: ElementIndex<'_, '_>, value: &Arc<Node>) -> PlaceInObject {
        // An item of a `List` is a separate object, with its own text fields.
        if let (ElementIndex::Number(_), Some((field, fields_of))) = (index, self.fields.objects)
            && let [Some(key)] = self.path.as_slice()
            && key.resolved().text() == Some(field)
        {
            return PlaceInObject {
                fields: fields_of(value),
                path: Vec::new(),
                holder: self.holder,
            };
        }
        let mut path = self.path.clone();
        path.push(match index {
            ElementIndex::Key(key) => Some(Arc::clone(key)),
            ElementIndex::Number(_) | ElementIndex::Value(_) => None,
        });
        PlaceInObject {
            fields: self.fields,
            path,
            holder: self.holder,
        }
    }

    /// Returns whether all keys at this place are text. Only YAML has keys of other types.
    pub(super) fn has_text_keys(&self) -> bool {
        self.holder != DocumentFormat::YAML
    }

    /// Returns the encoding of a string at this place.
    pub(super) fn encoding(&self) -> Encoding {
        let path: Vec<&str> = self
            .path
            .iter()
            .map(|key| key_text(key).unwrap_or(ITEM))
            .collect();
        self.fields.encoding(&path).unwrap_or(Encoding::Plain)
    }

    /// Returns the format that the key suggests: `config.json` is JSON.
    pub(super) fn suggested_format(&self) -> Option<DocumentFormat> {
        self.key().and_then(DocumentFormat::of_key)
    }

    /// Returns the key of the element; `None` for an item of a list.
    pub(super) fn key(&self) -> Option<&str> {
        self.path.last().and_then(key_text)
    }
}

fn key_text(key: &Option<Arc<Node>>) -> Option<&str> {
    key.as_ref()?.resolved().text()
}
