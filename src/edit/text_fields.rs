//! Fields whose value is always a text, even if it looks like a number or a document.

use std::sync::Arc;

use crate::yaml::Node;

/// How a text field spells its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// As it is.
    Plain,
    /// In base64, as the `data` of a Secret.
    Base64,
}

/// Tells the text fields of an object.
pub type FieldsOf = fn(&Arc<Node>) -> TextFields;

/// The text fields of an object: every field directly below one of the listed ones. If the object
/// contains other objects, a function returns the text fields of each.
///
/// A document in a text field stays a string when it is edited or created, and base64 is decoded
/// without being asked to.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextFields {
    /// The fields that contain text fields, each with the encoding of their texts.
    pub parents: &'static [(&'static [&'static str], Encoding)],
    /// The field whose items are objects of their own, if there is one, and the function for their
    /// text fields.
    pub objects: Option<(&'static str, FieldsOf)>,
}

impl TextFields {
    /// Returns the encoding of the field that `path` leads to, if it is a text field.
    pub fn encoding<'a>(
        &self,
        path: impl DoubleEndedIterator<Item = &'a str> + Clone,
    ) -> Option<Encoding> {
        let mut parent = path.clone();
        parent.next_back()?;
        self.parents
            .iter()
            .find(|(fields, _)| fields.iter().copied().eq(parent.clone()))
            .map(|&(_, encoding)| encoding)
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
            objects: None,
        };
        let encoding = |path: &[&str]| fields.encoding(path.iter().copied());
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
