//! Explains why a selector selects no object: finds the field that is wrong, and its possible
//! values.

use std::collections::BTreeSet;

use super::id::ResourceId;
use super::resource::Resource;
use crate::source::Diagnostic;
use crate::source::suggest::did_you_mean;

/// One field of a selector, which is tested separately.
pub struct SelectorField<'s> {
    /// The name of the field, such as `kind`.
    pub(super) name: &'static str,
    /// Its value.
    pub(super) wanted: &'s str,
    /// Whether an object matches this field.
    pub(super) matches: Box<dyn Fn(&Resource) -> bool + 's>,
    /// The part of an id that the field is compared with; `None` if it selects by labels or
    /// annotations.
    pub(super) id_part: Option<IdPart>,
}

/// Returns one part of an id, such as its kind.
pub(super) type IdPart = for<'a> fn(ResourceId<'a>) -> &'a str;

/// The maximum number of existing values to list.
const MAX_LISTED: usize = 8;

/// Adds notes to `diagnostic` about why a selector with these `fields` selects none of `resources`.
///
/// A field is wrong if the other fields together select some object. If there is no such field,
/// because two are wrong, every field that no object matches is reported.
pub fn explain_no_match(
    mut diagnostic: Box<Diagnostic>,
    fields: &[SelectorField<'_>],
    resources: &[Resource],
) -> Box<Diagnostic> {
    if resources.is_empty() {
        return diagnostic.note("there are no objects at all");
    }
    let mut is_explained = false;
    for index in 0..fields.len() {
        let candidates = selected_without(index, fields, resources);
        if !candidates.is_empty() {
            diagnostic = note_other_values(diagnostic, &fields[index], &candidates);
            is_explained = true;
        }
    }
    if is_explained {
        return diagnostic;
    }
    let all: Vec<&Resource> = resources.iter().collect();
    for field in fields {
        if !resources.iter().any(|resource| (field.matches)(resource)) {
            diagnostic = note_other_values(diagnostic, field, &all);
            is_explained = true;
        }
    }
    if is_explained {
        diagnostic
    } else {
        diagnostic.note("every field matches some object, but no object matches all of them")
    }
}

/// Returns the objects that match every field except the one at `index`.
fn selected_without<'r>(
    index: usize,
    fields: &[SelectorField<'_>],
    resources: &'r [Resource],
) -> Vec<&'r Resource> {
    let mut selected = Vec::new();
    for resource in resources {
        let mut others = fields
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != index);
        if others.all(|(_, field)| (field.matches)(resource)) {
            selected.push(resource);
        }
    }
    selected
}

/// Adds a note that none of the candidates matches `field`, with the values that they have instead.
fn note_other_values(
    diagnostic: Box<Diagnostic>,
    field: &SelectorField<'_>,
    candidates: &[&Resource],
) -> Box<Diagnostic> {
    let SelectorField { name, wanted, .. } = field;
    let Some(id_part) = field.id_part else {
        return diagnostic.note(format!("no object matches {name} `{wanted}`"));
    };
    let mut existing = BTreeSet::new();
    for resource in candidates {
        let value = id_part(resource.id());
        if !value.is_empty() {
            existing.insert(value);
        }
    }
    if existing.is_empty() {
        return diagnostic.note(format!("no object has a {name}"));
    }
    let listed: Vec<String> = existing
        .iter()
        .take(MAX_LISTED)
        .map(|value| format!("`{value}`"))
        .collect();
    let more = match existing.len().saturating_sub(MAX_LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    diagnostic
        .note(format!(
            "no {name} matches `{wanted}`; found {}{more}",
            listed.join(", ")
        ))
        .help_if(did_you_mean(wanted, existing))
}
