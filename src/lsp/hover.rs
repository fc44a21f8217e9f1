//! Hover and definitions: what the name at a place means, and where it is from.

use std::path::PathBuf;

use lsp_types::Position;

use super::code::{CodeReader, Cursor, cursor_at, definitions};
use super::completion::describe_value;
use super::configuration;
use super::overlays;
use super::values_document::key_at;
use super::view::{Meaning, View};
use super::vocabulary::{Word, find_annotation, find_module};
use crate::schema::ValueOutline;
use crate::source::{Location, Span};

/// A description in Markdown, and the part of the file that it describes.
pub(super) struct Description {
    pub(super) text: String,
    pub(super) span: Span,
}

/// Describes what is at a position.
pub(super) fn describe(view: &View<'_>, position: Position) -> Option<Description> {
    let offset = view.lines.offset(position);
    let Some(cursor) = cursor_at(view.code(), view.text, offset) else {
        let Some((value, span)) = value_of_key(view, offset) else {
            return configuration::describe(view, offset);
        };
        let text = describe_value(value);
        return Some(Description { text, span });
    };
    match cursor {
        Cursor::Annotation { name } => {
            let annotation = find_annotation(view.text.get(name.range())?)?;
            let mut text = describe_annotation(annotation);
            if let Some(matches) = overlays::describe_matches(view, offset) {
                text.push_str(&format!("\n\n{matches}"));
            }
            Some(Description { text, span: name })
        }
        Cursor::Name {
            annotation,
            path,
            word,
        } => {
            let name = view.text.get(word.range())?;
            let annotation = annotation.and_then(|name| view.text.get(name.range()));
            let text = describe_argument(annotation, &path, name)
                .or_else(|| describe_name(view, &path, name))?;
            Some(Description { text, span: word })
        }
        Cursor::LoadPath { path } => {
            let module = find_module(view.text.get(path.range())?)?;
            Some(Description {
                text: module.summary.to_owned(),
                span: path,
            })
        }
        Cursor::LoadSymbol { .. } => None,
    }
}

/// Returns the data value whose key is at a place in a document with data values.
fn value_of_key<'v>(view: &View<'v>, offset: usize) -> Option<(&'v ValueOutline, Span)> {
    let place = key_at(view, offset)?;
    let mut keys = place.parents;
    keys.push(view.text.get(place.key.range())?);
    Some((view.values()?.find(&keys)?, place.key))
}

fn describe_annotation(annotation: &Word) -> String {
    let mut text = format!("`@{}`\n\n{}", annotation.name, annotation.summary);
    for argument in annotation.arguments {
        text.push_str(&format!("\n- `{}=` {}", argument.name, argument.summary));
    }
    text
}

fn describe_argument(annotation: Option<&str>, path: &[&str], name: &str) -> Option<String> {
    if !path.is_empty() {
        return None;
    }
    let arguments = find_annotation(annotation?)?.arguments;
    let argument = arguments.iter().find(|argument| argument.name == name)?;
    Some(format!("`{}=`\n\n{}", argument.name, argument.summary))
}

fn describe_name<'v>(view: &View<'v>, path: &[&'v str], name: &'v str) -> Option<String> {
    if let Some(Meaning::Module(module)) = view.meaning(path)
        && let Some(member) = module.members.iter().find(|member| member.name == name)
    {
        let code = format!("{}.{}{}", module.name, member.name, member.signature);
        return Some(format!("`{code}`\n\n{}", member.summary));
    }
    let mut names = path.to_vec();
    names.push(name);
    match view.meaning(&names)? {
        Meaning::Module(module) => Some(format!("`@ytt:{}`\n\n{}", module.name, module.summary)),
        Meaning::Value(value) => Some(format!("`{}`: {}", names.join("."), describe_value(value))),
        Meaning::Symbol { path, name } => Some(format!("`{name}` of `{path}`")),
    }
}

/// Where a name is defined.
pub(super) enum Definition {
    /// A part of a file that a build has read.
    Place(Location),
    /// A part of a file of the target.
    Span(PathBuf, Span),
}

/// Returns where what is at a position is defined: a name has one place, a selector those of all
/// objects that it means.
pub(super) fn define(view: &View<'_>, position: Position) -> Vec<Definition> {
    let offset = view.lines.offset(position);
    let Some(cursor) = cursor_at(view.code(), view.text, offset) else {
        if let Some((value, _)) = value_of_key(view, offset) {
            return value
                .place
                .clone()
                .map(Definition::Place)
                .into_iter()
                .collect();
        }
        let matched = overlays::matched_by_key(view, offset);
        if !matched.is_empty() {
            return matched.into_iter().map(Definition::Place).collect();
        }
        return configuration::define(view, offset);
    };
    if matches!(cursor, Cursor::Annotation { .. }) {
        let matched = overlays::matched_below(view, offset);
        return matched.into_iter().map(Definition::Place).collect();
    }
    define_name(view, cursor).into_iter().collect()
}

fn define_name(view: &View<'_>, cursor: Cursor<'_>) -> Option<Definition> {
    match cursor {
        Cursor::Annotation { .. } => None,
        Cursor::LoadPath { path } => {
            let place = view.loaded(view.text.get(path.range())?)?;
            Some(Definition::Span(place, Span::at(0)))
        }
        Cursor::LoadSymbol { path, word } => defined_in(view, path, view.text.get(word.range())?),
        Cursor::Name { path, word, .. } => {
            let name = view.text.get(word.range())?;
            if path.is_empty()
                && let Some((_, span)) = definitions(view.code(), view.text)
                    .into_iter()
                    .find(|(defined, _)| *defined == name)
            {
                return Some(Definition::Span(view.path.to_owned(), span));
            }
            let mut names = path;
            names.push(name);
            match view.meaning(&names)? {
                Meaning::Module(_) => None,
                Meaning::Value(value) => value.place.clone().map(Definition::Place),
                Meaning::Symbol { path, name } => defined_in(view, path, name),
            }
        }
    }
}

fn defined_in(view: &View<'_>, path: &str, name: &str) -> Option<Definition> {
    let place = view.loaded(path)?;
    let text = (view.read)(&place)?;
    let (_, span) = definitions(&CodeReader::new(&place, &text), &text)
        .into_iter()
        .find(|(defined, _)| *defined == name)?;
    Some(Definition::Span(place, span))
}
