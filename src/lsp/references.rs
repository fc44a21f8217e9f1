//! References: everywhere a data value, or a name of a file, is used.

use std::path::PathBuf;

use lsp_types::Position;

use super::code::{Cursor, code_in_line, cursor_at, is_starlark, lines};
use super::hover::{Definition, define};
use super::view::{Meaning, View};
use crate::source::Span;

/// Returns the places in the files of the target that use the name at a position.
///
/// A place counts if the name means the same there. So the text of every file is searched for the word, and then each
/// place is asked.
pub(super) fn references(view: &View<'_>, position: Position) -> Vec<(PathBuf, Span)> {
    let offset = view.lines.offset(position);
    let Some(Cursor::Name { word, .. } | Cursor::LoadSymbol { word, .. }) =
        cursor_at(view.path, view.text, offset)
    else {
        return Vec::new();
    };
    let (Some(name), Some(wanted)) = (view.text.get(word.range()), origin(view, position)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for file in view.files() {
        let Some(text) = (view.read)(&file.place) else {
            continue;
        };
        let other = View {
            path: &file.place,
            text: &text,
            lines: super::position::LineIndex::new(&text, view.lines.encoding()),
            analysis: view.analysis,
            read: view.read,
        };
        for span in words(&other, name) {
            let position = other.lines.position(span.start());
            if origin(&other, position).as_ref() == Some(&wanted) {
                found.push((file.place.clone(), span));
            }
        }
    }
    found
}

/// What a name refers to, for comparison.
#[derive(PartialEq, Eq)]
enum NameOrigin {
    Place(PathBuf, usize),
    /// A data value without a place, by its keys.
    Value(Vec<String>),
}

fn origin(view: &View<'_>, position: Position) -> Option<NameOrigin> {
    match define(view, position) {
        Some(Definition::Span(path, span)) => Some(NameOrigin::Place(path, span.start())),
        Some(Definition::Place(place)) => {
            let place = place.in_file();
            let path = PathBuf::from(place.source.shown_name());
            Some(NameOrigin::Place(path, place.span.start()))
        }
        None => {
            let offset = view.lines.offset(position);
            let Some(Cursor::Name { mut path, word, .. }) = cursor_at(view.path, view.text, offset)
            else {
                return None;
            };
            path.push(view.text.get(word.range())?);
            matches!(view.meaning(&path)?, Meaning::Value(_))
                .then(|| NameOrigin::Value(path.into_iter().map(str::to_owned).collect()))
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
