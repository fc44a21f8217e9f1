//! Hover and definitions: describes the name at a position, and finds its definition.

use std::path::PathBuf;

use lsp_types::Position;

use super::code::{CodeReader, Cursor, cursor_at, definitions, line_around};
use super::completion::describe_value;
use super::configuration;
use super::hints::value_of_line;
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

/// Describes the element at a position.
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
                .or_else(|| describe_name(view, &path, word));
            let value =
                value_of_line(view, offset).map(|value| format!("Value of this line: `{value}`"));
            let parts: Vec<String> = text.into_iter().chain(value).collect();
            (!parts.is_empty() && !word.is_empty()).then(|| Description {
                text: parts.join("\n\n"),
                span: word,
            })
        }
        Cursor::Subscript { path, word } => Some(Description {
            text: describe_name(view, &path, word)?,
            span: word,
        }),
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
    let name = view.text.get(place.key.range())?;
    let value = place.parent_in(view.values()?)?.find(&[name])?;
    Some((value, place.key))
}

/// Describes an annotation and its arguments.
fn describe_annotation(annotation: &Word) -> String {
    let mut text = format!("`@{}`\n\n{}", annotation.name, annotation.summary);
    for argument in annotation.arguments {
        text.push_str(&format!("\n- `{}=` {}", argument.name, argument.summary));
    }
    text
}

/// Describes an argument of an annotation.
fn describe_argument(annotation: Option<&str>, path: &[&str], name: &str) -> Option<String> {
    if !path.is_empty() {
        return None;
    }
    let arguments = find_annotation(annotation?)?.arguments;
    let argument = arguments.iter().find(|argument| argument.name == name)?;
    Some(format!("`{}=`\n\n{}", argument.name, argument.summary))
}

/// Describes a name in code: a member of a module, a data value, or a definition.
fn describe_name<'v>(view: &View<'v>, path: &[&'v str], word: Span) -> Option<String> {
    let name = view.text.get(word.range())?;
    if let Some(Meaning::Module(module)) = view.meaning(path, word.start())
        && let Some(member) = module.members.iter().find(|member| member.name == name)
    {
        let code = format!("{}.{}{}", module.name, member.name, member.signature);
        return Some(format!("`{code}`\n\n{}", member.summary));
    }
    let mut names = path.to_vec();
    names.push(name);
    match view.meaning(&names, word.start()) {
        Some(Meaning::Module(module)) => {
            Some(format!("`@ytt:{}`\n\n{}", module.name, module.summary))
        }
        Some(Meaning::Value(value)) => {
            Some(format!("`{}`: {}", names.join("."), describe_value(value)))
        }
        Some(Meaning::Symbol { path, name }) => {
            let place = view.loaded(path)?;
            let text = (view.read)(&place)?;
            let definition = definition_text(&CodeReader::new(&place, &text), &text, name)?;
            Some(format!("{definition}\n\nof `{path}`"))
        }
        None if path.is_empty() => definition_text(view.code(), view.text, name),
        None => None,
    }
}

/// Returns the line that defines a name, and the comments directly above it.
///
/// ```text
/// #! The labels of each object.
/// #@ def labels(name):
/// ```
fn definition_text(reader: &CodeReader, text: &str, name: &str) -> Option<String> {
    let mut defined = definitions(reader, text).into_iter();
    let (_, span) = defined.find(|(defined, _)| *defined == name)?;
    let own = line_around(text, span.start());
    let code = text[own.range()].trim();
    let code = code.strip_prefix("#@").unwrap_or(code).trim();
    let mut description = format!("```python\n{}\n```", code.trim_end_matches(':'));
    let above = text[..own.start()].lines().rev();
    let comments: Vec<&str> = above.map_while(comment_text).collect();
    if !comments.is_empty() {
        let comments: Vec<&str> = comments.into_iter().rev().collect();
        description.push_str(&format!("\n\n{}", comments.join("\n")));
    }
    Some(description)
}

/// Returns the text of a line that is a comment.
fn comment_text(line: &str) -> Option<&str> {
    let comment = line.trim().strip_prefix('#')?;
    let is_code = comment.starts_with('@');
    (!is_code).then(|| comment.trim_start_matches('!').trim())
}

/// The place of a definition.
pub(super) enum Definition {
    /// A part of a file that a build has read.
    Place(Location),
    /// A part of a file of the target.
    Span(PathBuf, Span),
}

/// Returns the places of the definition of the element at a position: one place for a name, and the
/// places of all selected objects for a selector.
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
            define_chain(view, path, word)
        }
        Cursor::Subscript { path, word } => define_chain(view, path, word),
    }
}

/// Returns the place where the value at the end of `path.word` is defined.
fn define_chain<'v>(view: &View<'v>, path: Vec<&'v str>, word: Span) -> Option<Definition> {
    let mut names = path;
    names.push(view.text.get(word.range())?);
    match view.meaning(&names, word.start())? {
        Meaning::Module(_) => None,
        Meaning::Value(value) => value.place.clone().map(Definition::Place),
        Meaning::Symbol { path, name } => defined_in(view, path, name),
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
