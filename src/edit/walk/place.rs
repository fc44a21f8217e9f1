//! The place that a walk has reached: the format of the text, the field of the object, and the node
//! that messages point at.

use std::sync::Arc;

use crate::edit::field_place::FieldPlace;
use crate::edit::options::EditTarget;
use crate::edit::path::PathSegment;
use crate::edit::text_fields::{Encoding, FieldType, ITEM, TextFields};
use crate::formats::DocumentFormat;
use crate::yaml::Node;

/// The place of a node.
#[derive(Clone, Copy)]
pub(super) struct WalkPlace<'a> {
    /// The format of the text around it.
    pub(super) format: DocumentFormat,
    /// The names from the root of the object to the node, with [`ITEM`] for an item of a list.
    /// `None` inside a string.
    pub(super) names: Option<FieldNames<'a>>,
    /// The text fields of the object.
    pub(super) fields: TextFields,
    /// The key of the node's entry, if it is in a mapping.
    pub(super) key: Option<&'a str>,
    /// The key or item that contains the node. Messages point at it rather than at a whole
    /// collection.
    pub(super) label: Option<&'a Arc<Node>>,
}

/// A list of names, from the last to the first.
#[derive(Clone, Copy)]
pub(super) struct FieldNames<'a> {
    name: Option<&'a str>,
    outer: Option<&'a FieldNames<'a>>,
}

/// The place of the object itself.
const ROOT: FieldNames<'static> = FieldNames {
    name: None,
    outer: None,
};

impl FieldNames<'_> {
    /// Returns whether the names consist of `field` alone.
    fn is_only(&self, field: &str) -> bool {
        self.name == Some(field)
            && self
                .outer
                .is_some_and(|outer| outer.outer.is_none() && outer.name.is_none())
    }

    /// Returns the names, starting at the root of the object.
    fn list(&self) -> Vec<&str> {
        let mut names = Vec::new();
        let mut next = Some(self);
        while let Some(here) = next {
            names.extend(here.name);
            next = here.outer;
        }
        names.reverse();
        names
    }
}

impl WalkPlace<'_> {
    /// Returns the encoding of the field, if it is a text field of the object.
    pub(super) fn text_field(&self) -> Option<Encoding> {
        self.field_type().and_then(FieldType::encoding)
    }

    /// Returns whether the object decides that keys are text.
    pub(super) fn has_text_keys(&self) -> bool {
        self.names.is_some() && self.fields.has_text_keys
    }

    /// Returns the type of the field, if the object decides it.
    pub(super) fn field_type(&self) -> Option<FieldType> {
        self.names
            .as_ref()
            .and_then(|names| self.fields.type_of(&names.list()))
    }
}

impl<'a> WalkPlace<'a> {
    /// Returns the place of the root of an object.
    pub(super) fn root(format: DocumentFormat, fields: TextFields) -> WalkPlace<'a> {
        WalkPlace {
            format,
            names: Some(ROOT),
            fields,
            key: None,
            label: None,
        }
    }

    /// Returns the place of the root of a document in a string.
    pub(super) fn in_string(format: DocumentFormat, label: Option<&'a Arc<Node>>) -> WalkPlace<'a> {
        WalkPlace {
            format,
            names: None,
            fields: TextFields::default(),
            key: None,
            label,
        }
    }

    /// Returns the place of the value of an entry.
    pub(super) fn below<'b>(
        &'b self,
        name: Option<&'b str>,
        label: Option<&'b Arc<Node>>,
    ) -> WalkPlace<'b>
    where
        'a: 'b,
    {
        let names = match (&self.names, name) {
            (Some(outer), Some(_)) => Some(FieldNames {
                name,
                outer: Some(outer),
            }),
            _ => None,
        };
        WalkPlace {
            format: self.format,
            names,
            fields: self.fields,
            key: name,
            label,
        }
    }

    /// Returns the place of an item of a list.
    pub(super) fn below_item<'b>(&'b self, item: &'b Arc<Node>) -> WalkPlace<'b>
    where
        'a: 'b,
    {
        // The items of a list of objects are objects themselves, each with its own text fields.
        let (names, fields) = match (self.names.as_ref(), self.fields.objects) {
            (Some(names), Some((field, fields))) if names.is_only(field) => {
                (Some(ROOT), fields(item.resolved()))
            }
            (Some(names), _) => {
                let names = FieldNames {
                    name: Some(ITEM),
                    outer: Some(names),
                };
                (Some(names), self.fields)
            }
            (None, _) => (None, self.fields),
        };
        let label = match item.as_scalar() {
            Some(_) => Some(item),
            None => self.label,
        };
        WalkPlace {
            format: self.format,
            names,
            fields,
            key: None,
            label,
        }
    }
}

impl WalkPlace<'_> {
    /// Returns the target that is passed to a visitor for the value here, or for the value that the
    /// new segments `created` will lead to. The caller adds the wanted format and the trail, which
    /// the walk knows.
    pub(super) fn target<'b>(
        &'b self,
        current: Option<&'b Arc<Node>>,
        created: &'b [PathSegment],
    ) -> EditTarget<'b> {
        EditTarget {
            current,
            format: self.format,
            wanted: None,
            place: self.in_object(created),
            has_text_keys: self.has_text_keys(),
            key: self.key,
            trail: &[],
        }
    }

    /// Returns the place in the object that the new `segments` lead to from here.
    pub(super) fn in_object<'b>(&'b self, segments: &'b [PathSegment]) -> FieldPlace<'b> {
        let Some(names) = &self.names else {
            return FieldPlace::default();
        };
        let mut names = names.list();
        names.extend(segments.iter().map(created_name));
        FieldPlace::new(self.fields, names)
    }

    /// Returns whether `segments` lead from here to a part of an object of Kubernetes. There, the
    /// field `name` contains only letters, digits and a few other characters. A document in a
    /// string may contain any name.
    pub(super) fn reaches_names(&self, segments: &[PathSegment]) -> bool {
        let enters_string = || {
            (1..=segments.len()).any(|end| self.in_object(&segments[..end]).text_field().is_some())
        };
        self.has_text_keys() && self.text_field().is_none() && !enters_string()
    }
}

/// Returns the name that a created segment has in an object: the name of a field, or [`ITEM`].
fn created_name(segment: &PathSegment) -> &str {
    match segment.as_key() {
        Some(key) if !segment.is_last() && segment.as_index().is_none() => key,
        _ => ITEM,
    }
}
