//! Renaming a data value: in the schema, in the documents that set it, and in the code that reads
//! it.

use std::collections::HashMap;

use lsp_types::{Position, TextEdit, Uri, WorkspaceEdit};

use super::position::LineIndex;
use super::references::{ValueName, value_at, value_places};
use super::uri::uri_of;
use super::values_document::places_of;
use super::view::View;
use crate::dialect::RESERVED_WORDS;
use crate::source::Span;
use crate::yaml::{PlainContext, is_plain_string};

/// Returns the part of the file that a rename at a position would change, if there is something to
/// rename.
pub(super) fn renamed_span(view: &View<'_>, position: Position) -> Option<Span> {
    let ValueName { keys, span } = value_at(view, position)?;
    (!keys.is_empty()).then_some(span)
}

/// Returns the edits that rename the data value at a position.
///
/// # Errors
/// Why it cannot be renamed, as a sentence.
#[expect(
    clippy::mutable_key_type,
    reason = "the type of the protocol's crate, whose hash never changes"
)]
pub(super) fn rename(
    view: &View<'_>,
    position: Position,
    name: &str,
) -> Result<WorkspaceEdit, String> {
    let Some(value) = value_at(view, position).filter(|value| !value.keys.is_empty()) else {
        return Err("only data values can be renamed".to_owned());
    };
    let keys = value.path();
    check_name(view, &keys, name)?;
    let (places, unread) = value_places(view, &keys);
    if let Some(path) = unread.first() {
        let path = path.display();
        return Err(format!(
            "`{path}` may use the value, and is not YAML: correct it first"
        ));
    }
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for (path, span) in places {
        let (Some(text), Some(uri)) = ((view.read)(&path), uri_of(&path)) else {
            continue;
        };
        let lines = LineIndex::new(&text, view.lines.encoding());
        changes.entry(uri).or_default().push(TextEdit {
            range: lines.range(span),
            new_text: name.to_owned(),
        });
    }
    Ok(WorkspaceEdit {
        changes: Some(changes),
        ..WorkspaceEdit::default()
    })
}

/// Refuses a name that code cannot use, that YAML does not read as a string, or that is taken.
fn check_name(view: &View<'_>, keys: &[&str], name: &str) -> Result<(), String> {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    if name.is_empty()
        || !name.chars().all(is_letter)
        || name.starts_with(|letter: char| letter.is_ascii_digit())
    {
        return Err(format!(
            "`data.values.{name}` is not an expression: use letters, digits and `_`"
        ));
    }
    if RESERVED_WORDS.contains(&name) {
        return Err(format!(
            "`data.values.{name}` is not an expression: `{name}` is a word of the language"
        ));
    }
    if !is_plain_string(name, PlainContext::Block) {
        return Err(format!("`{name}` as a key of YAML is not a text"));
    }
    let Some((own, parents)) = keys.split_last() else {
        return Ok(());
    };
    let mut sibling = parents.to_vec();
    sibling.push(name);
    let is_known = view
        .values()
        .is_some_and(|values| values.find(&sibling).is_some());
    if *own != name && (is_known || !places_of(view, &sibling).is_empty()) {
        return Err(format!(
            "there is a data value `{}` already",
            sibling.join(".")
        ));
    }
    Ok(())
}
