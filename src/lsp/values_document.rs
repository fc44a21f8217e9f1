//! Keys of data values, in the documents that give them.
//!
//! ```yaml
//! #@data/values
//! ---
//! app:
//!   na|            keys: app, word: na
//! ```
//!
//! The schema knows which keys there are, so they can be completed and described. Like code, the text is read by its
//! lines and their indentation: a key that is being typed is not YAML yet.

use std::path::PathBuf;

use super::code::lines;
use super::view::View;
use crate::source::{Source, Span};
use crate::template::{TemplateOptions, annotations};
use crate::yaml::{Content, parse};

/// A key, and those of the maps that it is in.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct KeyPlace<'t> {
    pub(super) parents: Vec<&'t str>,
    /// The key, or what is typed of it.
    pub(super) key: Span,
}

/// Returns the key at a place in a document with data values or in their schema; `None` anywhere else.
pub(super) fn key_at<'v>(view: &View<'v>, offset: usize) -> Option<KeyPlace<'v>> {
    let place = place_at(view.text, offset)?;
    is_values_document(view, offset).then_some(place)
}

fn place_at(text: &str, offset: usize) -> Option<KeyPlace<'_>> {
    let mut above = Vec::new();
    for line in lines(text) {
        if line.start() > offset {
            break;
        }
        above.push(line);
    }
    let own = above.pop().unwrap_or(Span::at(0));
    // Behind the last line break of the text there is no line yet.
    let own = if own.end() < offset {
        Span::at(offset)
    } else {
        own
    };
    let content = text.get(own.range())?;
    let key = key_of(content)?;
    let key = Span::new(own.start() + key.0, own.start() + key.1);
    if !(key.start()..=key.end()).contains(&offset) {
        return None;
    }
    let mut indentation = key.start() - own.start();
    let mut parents = Vec::new();
    for line in above.into_iter().rev() {
        let content = text.get(line.range())?;
        if indentation == 0 || content.starts_with("---") {
            break;
        }
        let Some((start, end)) = key_of(content).filter(|(start, end)| start < end) else {
            let trimmed = content.trim_start();
            let is_nothing = trimmed.is_empty() || trimmed.starts_with('#');
            if is_nothing || content.len() - trimmed.len() >= indentation {
                continue;
            }
            // The keys are in an item of a list, which no `data.values` path leads to.
            return None;
        };
        if start < indentation {
            indentation = start;
            parents.push(&content[start..end]);
        }
    }
    parents.reverse();
    Some(KeyPlace { parents, key })
}

/// Returns where the key of a line is, without its quotes; an empty place for a blank line. `None` for an item of a list
/// and everything else that is no key.
fn key_of(line: &str) -> Option<(usize, usize)> {
    let start = line.len() - line.trim_start_matches(' ').len();
    let length = line[start..]
        .find(|character: char| !(character.is_alphanumeric() || "_-./".contains(character)))
        .unwrap_or(line.len() - start);
    let end = start + length;
    let rest = line[end..].trim_start();
    let is_key = rest.is_empty() || rest.starts_with(':');
    let is_item = line[start..end].starts_with('-');
    (is_key && !is_item).then_some((start, end))
}

/// Returns whether the document around a place contains data values or their schema.
fn is_values_document(view: &View<'_>, offset: usize) -> bool {
    if view.is_data_values_file() {
        return true;
    }
    let before = view.text.get(..offset).unwrap_or_default();
    // The annotations of a document are directly above its marker.
    let mut above = before
        .lines()
        .rev()
        .skip_while(|line| !line.starts_with("---"));
    above.next();
    above
        .take_while(|line| line.trim().is_empty() || line.starts_with('#'))
        .any(|line| line.starts_with("#@data/values"))
}

/// Returns every key at a path of keys in the files of the target that give data values or their schema.
pub(super) fn places_of(view: &View<'_>, keys: &[&str]) -> Vec<(PathBuf, Span)> {
    let mut found = Vec::new();
    for file in view.files() {
        let Some(text) = (view.read)(&file.place) else {
            continue;
        };
        let is_values_file = view.is_data_values_place(&file.place);
        if !is_values_file && !text.contains("#@data/values") {
            continue;
        }
        let Ok(source) = Source::new(file.path.as_str(), &*text) else {
            continue;
        };
        let Ok(stream) = parse(&source) else { continue };
        let annotated = annotations(&stream, &TemplateOptions::default()).unwrap_or_default();
        for (index, document) in stream.documents.iter().enumerate() {
            let is_annotated = annotated.iter().any(|annotation| {
                annotation.document == Some(index) && annotation.name.starts_with("data/values")
            });
            if !is_annotated && !is_values_file {
                continue;
            }
            let mut node = &document.root;
            let mut key_span = None;
            for key in keys {
                let Content::Mapping(mapping) = &node.content else {
                    key_span = None;
                    break;
                };
                let entry = mapping
                    .entries
                    .iter()
                    .find(|entry| entry.key.text() == Some(key));
                let Some(entry) = entry else {
                    key_span = None;
                    break;
                };
                key_span = entry.key.origin.as_ref().map(|origin| origin.span);
                node = &entry.value;
            }
            found.extend(key_span.map(|span| (file.place.clone(), span)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(marked: &str) -> Option<(String, String)> {
        let offset = marked.find('|').unwrap();
        let text = marked.replacen('|', "", 1);
        let place = place_at(&text, offset)?;
        Some((place.parents.join("."), text[place.key.range()].to_owned()))
    }

    #[test]
    fn finds_the_keys_around_a_place() {
        let found = |parents: &str, key: &str| Some((parents.to_owned(), key.to_owned()));
        assert_eq!(at("a: 1\nb|"), found("", "b"));
        assert_eq!(at("a:\n  b: 1\n  |"), found("a", ""));
        assert_eq!(
            at("x:\n  y: 1\na:\n\n  # note\n  b:\n    c|c: 1"),
            found("a.b", "cc")
        );
        assert_eq!(at("a:\n  b: val|ue"), None);
        assert_eq!(at("a:\n- b: 1\n  c|"), None, "in an item of a list");
        assert_eq!(at("---\na: 1\n|"), found("", ""));
    }
}
