//! The place of a value in an object, which decides the types of the value and of everything below
//! it.
//!
//! ```text
//! patch:   {op: add, path: /spec/template/spec/containers/0/env, value: [{name: A, value: 80}]}
//! place:   spec.template.spec.containers.*.env, where `*.value` is a text
//! written: env: [{name: A, value: "80"}]
//! ```

use std::sync::Arc;

use super::text_fields::{Encoding, FieldType, ITEM, TextFields};
use crate::source::Result;
use crate::yaml::Node;

/// The place of a value that an edit writes.
#[derive(Clone, Debug, Default)]
pub struct FieldPlace<'a> {
    field_type: Option<FieldType>,
    /// The object, and the names that lead from its root to the value. `None` if the object decides
    /// nothing, as in the document of a string.
    names: Option<(TextFields, Vec<&'a str>)>,
}

impl<'a> FieldPlace<'a> {
    /// Returns the place that `names` lead to from the root of an object with these fields.
    pub fn new(fields: TextFields, names: Vec<&'a str>) -> FieldPlace<'a> {
        FieldPlace {
            field_type: fields.type_of(&names),
            names: Some((fields, names)),
        }
    }

    /// Returns the place of a value whose own type is known, and of nothing below it.
    pub fn of_type(field_type: Option<FieldType>) -> FieldPlace<'a> {
        FieldPlace {
            field_type,
            names: None,
        }
    }

    /// Returns the encoding, if it is a text field.
    pub fn text_field(&self) -> Option<Encoding> {
        self.field_type.and_then(FieldType::encoding)
    }

    /// Returns whether the field accepts integers, and no strings of digits.
    pub fn is_integer(&self) -> bool {
        self.field_type == Some(FieldType::Integer)
    }

    /// Returns whether a name that is written here is only text. No reference to an object by name
    /// is in the text of a string, or in a text field outside of `metadata`.
    pub fn is_free_text(&self) -> bool {
        match &self.names {
            None => true,
            Some((_, names)) => {
                self.text_field().is_some() && names.first().is_some_and(|name| *name != "metadata")
            }
        }
    }

    /// Returns the place of `item`, an item of the list at this place.
    pub fn item(&self, item: &Arc<Node>) -> FieldPlace<'a> {
        let Some((fields, names)) = &self.names else {
            return FieldPlace::default();
        };
        // The items of a list of objects are objects, each with fields of its own.
        if let Some((field, fields_of)) = fields.objects
            && matches!(names.as_slice(), [name] if *name == field)
        {
            return FieldPlace::new(fields_of(item.resolved()), Vec::new());
        }
        self.below(fields, names, ITEM)
    }

    /// Returns the place of the value of a key in the mapping at this place.
    pub fn key<'b>(&self, key: &'b str) -> FieldPlace<'b>
    where
        'a: 'b,
    {
        match &self.names {
            Some((fields, names)) => self.below(fields, names, key),
            None => FieldPlace::default(),
        }
    }

    /// Returns whether a written scalar keeps its own type.
    pub(super) fn keeps_scalars(&self) -> bool {
        self.names
            .as_ref()
            .is_some_and(|(fields, _)| fields.keeps_scalars)
    }

    /// Returns whether the object decides nothing at this place and below it.
    pub(super) fn is_free(&self) -> bool {
        self.field_type.is_none() && self.names.is_none()
    }

    fn below<'b>(&self, fields: &TextFields, names: &[&'a str], name: &'b str) -> FieldPlace<'b>
    where
        'a: 'b,
    {
        let names = names.iter().copied().chain([name]).collect();
        FieldPlace::new(*fields, names)
    }
}

/// Converts one field of a collection that is written to an object. The arguments are the value,
/// its place and its key.
pub(super) type FieldChange<'c> =
    dyn FnMut(&Arc<Node>, FieldPlace<'_>, Option<&str>) -> Result<Arc<Node>> + 'c;

/// Returns a collection in which `fit` converted every value whose type the object decides. `fit`
/// gets the value, its place and its key.
///
/// Unchanged parts are shared. The recursion is as deep as the value, whose depth the parser
/// limits.
///
/// # Errors
/// The errors of `fit`.
pub(super) fn typed(
    value: &Arc<Node>,
    place: &FieldPlace<'_>,
    fit: &mut FieldChange<'_>,
) -> Result<Arc<Node>> {
    let value = value.resolved();
    if let Some(mapping) = value.as_mapping() {
        let mut entries = mapping.entries.to_vec();
        let mut is_changed = false;
        for entry in &mut entries {
            let Some(key) = entry.key.resolved().text() else {
                continue;
            };
            let changed = typed_child(&entry.value, place.key(key), Some(key), fit)?;
            is_changed |= !Arc::ptr_eq(&changed, &entry.value);
            entry.value = changed;
        }
        return Ok(match is_changed {
            true => value.with_entries(entries),
            false => Arc::clone(value),
        });
    }
    if let Some(sequence) = value.as_sequence() {
        let mut items = sequence.items.to_vec();
        let mut is_changed = false;
        for item in &mut items {
            let changed = typed_child(&item.value, place.item(&item.value), None, fit)?;
            is_changed |= !Arc::ptr_eq(&changed, &item.value);
            item.value = changed;
        }
        return Ok(match is_changed {
            true => value.with_items(items),
            false => Arc::clone(value),
        });
    }
    Ok(Arc::clone(value))
}

fn typed_child(
    value: &Arc<Node>,
    place: FieldPlace<'_>,
    key: Option<&str>,
    fit: &mut FieldChange<'_>,
) -> Result<Arc<Node>> {
    let is_scalar = value.resolved().as_scalar().is_some();
    if place.is_free() || is_scalar && place.field_type.is_none() {
        return Ok(Arc::clone(value));
    }
    if is_scalar || place.text_field().is_some() {
        return fit(value, place, key);
    }
    let changed = typed(value, &place, fit)?;
    // An alias to an unchanged collection stays an alias.
    Ok(match Arc::ptr_eq(&changed, value.resolved()) {
        true => Arc::clone(value),
        false => changed,
    })
}
