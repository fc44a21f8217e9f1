//! Fields whose value is always text, even if it looks like a number or a document.
//!
//! The set of these fields depends on the kind of an object, and `edit` does not know Kubernetes.
//! So the caller passes a [`TextFields`], which `kubernetes` creates from its table.

use std::sync::Arc;

use crate::yaml::Node;

/// The encoding of the text in a text field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// No encoding.
    Plain,
    /// Base64, as in the `data` of a Secret.
    Base64,
}

/// The type that a field of an object requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldType {
    /// A string.
    Text(Encoding),
    /// An integer, if the text is one.
    Integer,
}

/// The step of a path into any item of a list.
pub const ITEM: &str = "*";

/// Returns the text fields of an object.
pub type FieldsOf = fn(&Arc<Node>) -> TextFields;

/// Returns the type of the field that a path from the root of an object leads to. [`ITEM`] is the
/// step into a list.
pub type TypeOf = fn(&[&str]) -> Option<FieldType>;

/// The fields of an object whose type is known. If the object contains other objects, a function
/// returns the fields of each of them.
///
/// A document in a text field stays a string when it is edited or created, and base64 is decoded
/// automatically.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextFields {
    /// The fields that contain text fields, each with the encoding of these text fields.
    pub parents: &'static [(&'static [&'static str], Encoding)],
    /// Whether the keys of the object are text, even if YAML reads them as another type. This is
    /// true of every object of Kubernetes, because it is stored as JSON.
    pub has_text_keys: bool,
    /// The types of other fields.
    pub typed: Option<TypeOf>,
    /// Whether a scalar is written with its own type, as kustomize does, which knows no types of
    /// fields.
    pub keeps_scalars: bool,
    /// The field whose items are objects themselves, if there is one, and the function that returns
    /// their text fields.
    pub objects: Option<(&'static str, FieldsOf)>,
}

impl TextFields {
    /// Returns the type of the field that `path` leads to, if it is known.
    pub fn type_of(&self, path: &[&str]) -> Option<FieldType> {
        let (_, parent) = path.split_last()?;
        let text = self.parents.iter().find(|(fields, _)| *fields == parent);
        match text {
            Some(&(_, encoding)) => Some(FieldType::Text(encoding)),
            None => self.typed.and_then(|type_of| type_of(path)),
        }
    }

    /// Returns the encoding of the field that `path` leads to, if it is a text field.
    pub fn encoding(&self, path: &[&str]) -> Option<Encoding> {
        self.type_of(path).and_then(FieldType::encoding)
    }
}

impl FieldType {
    /// Returns the encoding of a text field.
    pub fn encoding(self) -> Option<Encoding> {
        match self {
            FieldType::Text(encoding) => Some(encoding),
            FieldType::Integer => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_fields_directly_below_a_listed_one_are_text() {
        let fields = TextFields {
            parents: &[
                (&["data"], Encoding::Base64),
                (&["metadata", "labels"], Encoding::Plain),
            ],
            ..TextFields::default()
        };
        let encoding = |path: &[&str]| fields.encoding(path);
        assert_eq!(encoding(&["data", "a"]), Some(Encoding::Base64));
        assert_eq!(
            encoding(&["metadata", "labels", "a"]),
            Some(Encoding::Plain)
        );
        assert_eq!(encoding(&["data"]), None);
        assert_eq!(encoding(&["data", "a", "b"]), None);
        assert_eq!(encoding(&[]), None);
    }
}
