//! The errors about the shape of a schema: examples from which no type can be inferred.

use std::sync::Arc;

use crate::schema::path::ValuePath;
use crate::schema::types::kind_of;
use crate::script::fragments::Annotation;
use crate::source::{Code, Diagnostic, Location};
use crate::yaml::Node;

/// Returns the error for null as an example, from which no type can be inferred.
pub(super) fn null(place: Option<&Location>, path: &ValuePath<'_>) -> Box<Diagnostic> {
    Diagnostic::error(
        Code::Schema,
        format!("expected a value that `{path}` gets its type from, found null"),
    )
    .at(place.cloned(), "null has no type")
    .note("in YAML, a key without a value has the value null")
    .help("to make null the default, give a value of the type and annotate it: `#@schema/nullable`")
    .help("to allow any value: `#@schema/type any=True`")
}

/// Returns the error for a list that does not have exactly one item, the type of all its items.
pub(super) fn array(
    items: usize,
    place: Option<&Location>,
    path: &ValuePath<'_>,
) -> Box<Diagnostic> {
    let message =
        format!("expected 1 array item, of the type of all items, for `{path}`, found {items}");
    let error =
        Diagnostic::error(Code::Schema, message).at(place.cloned(), format!("{items} items"));
    let error = error.note("the default of an array is an empty array, not the item in the schema");
    match items {
        0 => error.help("give one item of the type that all items have"),
        _ => error
            .help("for items of several types, allow any in the one item: `#@schema/type any=True`")
            .help("to give a default: `#@schema/default [...]` on the array"),
    }
}

/// Returns the error for a key that is not a string.
pub(super) fn key(
    key: &Arc<Node>,
    place: Option<&Location>,
    path: &ValuePath<'_>,
) -> Box<Diagnostic> {
    let message = format!(
        "expected the name of a data value as a key in `{path}`, found {}",
        kind_of(key)
    );
    Diagnostic::error(Code::Schema, message)
        .at(key.resolved().location().or_else(|| place.cloned()), "")
        .help("write a key of one word or of one text in quotes")
}

/// Returns the error for `@schema/additional-keys` on a value other than a map with one item.
pub(super) fn open_map(
    found: &Arc<Node>,
    place: Option<&Location>,
    path: &ValuePath<'_>,
) -> Box<Diagnostic> {
    let found = match found.as_mapping() {
        Some(mapping) => format!("{} items", mapping.entries.len()),
        None => kind_of(found).to_owned(),
    };
    Diagnostic::error(
        Code::Schema,
        format!("expected a map with 1 example item for `{path}`, found {found}"),
    )
    .at(place.cloned(), "annotated with `@schema/additional-keys`")
    .help("write one item: its key is a placeholder for any key, its value gives the type of all values")
}

/// Returns the error for an annotation about types inside a value of any type.
pub(super) fn inside_any(annotation: &Annotation, annotated: &Arc<Node>) -> Box<Diagnostic> {
    let message = format!(
        "expected no types below a node of any type, found `@{}`",
        annotation.name
    );
    Diagnostic::error(Code::Schema, message)
        .at(annotation.place.clone(), "")
        .at(annotated.resolved().location(), "")
        .help("remove it, or remove `@schema/type any=True` from the node above")
}
