//! References: everywhere a data value, a name of a file, or a part of an object is used.

use std::cell::OnceCell;
use std::path::PathBuf;

use lsp_types::Position;

use super::code::{Cursor, cursor_at};
use super::code_places::{code_spans, value_uses};
use super::configuration;
use super::hover::{Definition, define};
use super::position::LineIndex;
use super::values_document::{key_at, places_of};
use super::view::View;
use crate::source::Span;

/// A data value by its keys, and where it is written.
pub(super) struct ValueName {
    pub(super) keys: Vec<String>,
    pub(super) span: Span,
}

impl ValueName {
    /// Returns the keys as texts.
    pub(super) fn path(&self) -> Vec<&str> {
        self.keys.iter().map(String::as_str).collect()
    }
}

/// Returns the data value at a position: in code, or as the key of a document with data values.
pub(super) fn value_at(view: &View<'_>, position: Position) -> Option<ValueName> {
    let offset = view.lines.offset(position);
    let is_here = |span: Span| (span.start()..=span.end()).contains(&offset);
    let code = code_spans(view.path, view.text)?;
    if code.into_iter().any(is_here) {
        let mut uses = value_uses(view.path, view.text)?.into_iter();
        let found = uses.find(|found| is_here(found.span))?;
        let name = ValueName {
            keys: found.keys,
            span: found.span,
        };
        view.values()?.find(&name.path())?;
        return Some(name);
    }
    let place = key_at(view, offset)?;
    let mut keys = place.parent_keys()?;
    keys.push(view.text.get(place.key.range())?);
    view.values()?.find(&keys)?;
    Some(ValueName {
        keys: keys.into_iter().map(str::to_owned).collect(),
        span: place.key,
    })
}

/// Returns every place of a data value in the files of the target, and the files that may use it
/// and are not YAML at the moment.
pub(super) fn value_places(view: &View<'_>, keys: &[&str]) -> (Vec<(PathBuf, Span)>, Vec<PathBuf>) {
    let mut found = places_of(view, keys);
    let mut unread = Vec::new();
    for file in view.files() {
        let Some(text) = (view.read)(&file.place) else {
            continue;
        };
        if keys.last().is_none_or(|name| !text.contains(name)) {
            continue;
        }
        match value_uses(&file.place, &text) {
            Some(uses) => {
                let own = uses.into_iter().filter(|found| found.keys == keys);
                found.extend(own.map(|found| (file.place.clone(), found.span)));
            }
            None => unread.push(file.place.clone()),
        }
    }
    (found, unread)
}

/// Returns the places in the files of the target that use or define the name at a position.
pub(super) fn references(view: &View<'_>, position: Position) -> Vec<(PathBuf, Span)> {
    if let Some(name) = value_at(view, position) {
        return value_places(view, &name.path()).0;
    }
    let offset = view.lines.offset(position);
    let word = match cursor_at(view.code(), view.text, offset) {
        Some(
            Cursor::Name { word, .. }
            | Cursor::Subscript { word, .. }
            | Cursor::LoadSymbol { word, .. },
        ) => word,
        Some(_) => return Vec::new(),
        None => return configuration::references(view, offset),
    };
    let (Some(name), Some(wanted)) = (view.text.get(word.range()), definition(view, position))
    else {
        return Vec::new();
    };
    uses(view, name, |other, place| {
        definition(other, place).as_ref() == Some(&wanted)
    })
}

/// Returns the places of a word in the code of all files at which `is_same` finds that it means the
/// same.
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
            reader: OnceCell::new(),
            analysis: view.analysis,
            analyses: view.analyses,
            data_values_files: view.data_values_files,
            read: view.read,
            list: view.list,
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
    match define(view, position).into_iter().next()? {
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
    for code in code_spans(view.path, view.text).unwrap_or_default() {
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
