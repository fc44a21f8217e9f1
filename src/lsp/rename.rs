//! Renaming a data value: in the schema, in the documents that set it, and in the code that reads it.

use std::collections::HashMap;

use lsp_types::{Position, TextEdit, Uri, WorkspaceEdit};

use super::position::LineIndex;
use super::references::{ValueName, references, value_at};
use super::uri::uri_of;
use super::view::View;
use crate::source::Span;

/// Returns the part of the file that a rename at a position would change, if there is something to rename.
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
    if renamed_span(view, position).is_none() {
        return Err("only data values can be renamed".to_owned());
    }
    let is_name = |character: char| character.is_ascii_alphanumeric() || character == '_';
    if name.is_empty()
        || !name.chars().all(is_name)
        || name.starts_with(|c: char| c.is_ascii_digit())
    {
        return Err(format!(
            "`data.values.{name}` is not an expression: use letters, digits and `_`"
        ));
    }
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for (path, span) in references(view, position) {
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
