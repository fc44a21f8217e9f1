//! References: everywhere a data value, or a name of a file, is used.

use std::path::PathBuf;

use lsp_types::Position;

use super::code::{Cursor, code_in_line, cursor_at, is_starlark, lines};
use super::hover::{Definition, define};
use super::position::LineIndex;
use super::values_document::{key_at, places_of};
use super::view::{Meaning, View};
use crate::source::Span;

/// A data value by its keys, and where it is written.
pub(super) struct ValueName<'v> {
    pub(super) keys: Vec<&'v str>,
    pub(super) span: Span,
}

/// Returns the data value at a position: in code, or as the key of a document with data values.
pub(super) fn value_at<'v>(view: &View<'v>, position: Position) -> Option<ValueName<'v>> {
    let offset = view.lines.offset(position);
    if let Some(Cursor::Name { mut path, word, .. }) = cursor_at(view.path, view.text, offset) {
        path.push(view.text.get(word.range())?);
        return match view.meaning(&path)? {
            // The local name of `data`, and `values`, come first.
            Meaning::Value(_) => Some(ValueName {
                keys: path.split_off(2),
                span: word,
            }),
            Meaning::Module(_) | Meaning::Symbol { .. } => None,
        };
    }
    let place = key_at(view, offset)?;
    let mut keys = place.parents;
    keys.push(view.text.get(place.key.range())?);
    view.values()?.find(&keys)?;
    Some(ValueName {
        keys,
        span: place.key,
    })
}

/// Returns the places in the files of the target that use or define the name at a position.
pub(super) fn references(view: &View<'_>, position: Position) -> Vec<(PathBuf, Span)> {
    if let Some(ValueName { keys, .. }) = value_at(view, position) {
        let Some(name) = keys.last() else {
            return Vec::new();
        };
        let mut found = places_of(view, &keys);
        found.extend(uses(view, name, |other, place| {
            value_at(other, place).is_some_and(|value| value.keys == keys)
        }));
        return found;
    }
    let offset = view.lines.offset(position);
    let Some(Cursor::Name { word, .. } | Cursor::LoadSymbol { word, .. }) =
        cursor_at(view.path, view.text, offset)
    else {
        return Vec::new();
    };
    let (Some(name), Some(wanted)) = (view.text.get(word.range()), definition(view, position))
    else {
        return Vec::new();
    };
    uses(view, name, |other, place| {
        definition(other, place).as_ref() == Some(&wanted)
    })
}

/// Returns the places of a word in the code of all files at which `is_same` finds that it means the same.
fn uses(
    view: &View<'_>,
    name: &str,
    is_same: impl Fn(&View<'_>, Position) -> bool,
) -> Vec<(PathBuf, Span)> {
    let mut found = Vec::new();
    for file in view.files() {
        let Some(text) = (view.read)(&file.place) else {
            continue;
        };
        let other = View {
            path: &file.place,
            text: &text,
            lines: LineIndex::new(&text, view.lines.encoding()),
            analysis: view.analysis,
            data_values_files: view.data_values_files,
            read: view.read,
        };
        for span in words(&other, name) {
            if is_same(&other, other.lines.position(span.start())) {
                found.push((file.place.clone(), span));
            }
        }
    }
    found
}

/// Returns the file and offset at which the name at a position is defined.
fn definition(view: &View<'_>, position: Position) -> Option<(PathBuf, usize)> {
    match define(view, position)? {
        Definition::Span(path, span) => Some((path, span.start())),
        Definition::Place(place) => {
            let place = place.in_file();
            let path = PathBuf::from(place.source.shown_name());
            Some((path, place.span.start()))
        }
    }
}

/// Returns the places of a word in the code of a file.
fn words(view: &View<'_>, name: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let is_word =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    for line in lines(view.text) {
        let Some(code) = code_in_line(is_starlark(view.path), view.text, line) else {
            continue;
        };
        let content = view.text.get(code.range()).unwrap_or_default();
        let bytes = content.as_bytes();
        for (at, _) in content.match_indices(name) {
            let before = at.checked_sub(1).and_then(|before| bytes.get(before));
            if !is_word(before) && !is_word(bytes.get(at + name.len())) {
                let start = code.start() + at;
                found.push(Span::new(start, start + name.len()));
            }
        }
    }
    found
}
