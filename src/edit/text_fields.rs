//! Fields that hold text whatever it looks like.

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

/// Which fields of an object are text: every field right below one of the listed ones. An object that holds others says
/// what their text fields are.
///
/// A document in a text field stays a string when it is edited or made, and base64 is opened without being asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextFields {
    /// The fields that hold text fields, each with the encoding of what it holds.
    pub parents: &'static [(&'static [&'static str], Encoding)],
    /// The field whose items are objects of their own, if there is one, and what tells the text fields of each.
    pub objects: Option<(&'static str, FieldsOf)>,
}

impl TextFields {
    /// The encoding of the field that `path` leads to, if it is a text field.
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
    fn only_the_fields_right_below_a_listed_one_are_text() {
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
