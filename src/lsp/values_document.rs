//! Finds the keys of data values in the documents that set them.
//!
//! ```yaml
//! #@data/values
//! ---
//! app:
//!   na|            keys: app, word: na
//! ```
//!
//! The schema contains all keys, so they can be completed and described. Like code, the text is
//! read line by line, by its indentation, because a key that is being typed is not YAML yet.

use std::path::PathBuf;
use std::sync::Arc;

use super::code::lines;
use super::view::View;
use crate::schema::ValueOutline;
use crate::source::{Source, Span};
use crate::template::{TemplateOptions, annotations};
use crate::yaml::{Node, parse};

/// A key, and the collections that contain it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct KeyPlace<'t> {
    /// From the root of the document.
    parents: Vec<KeyParent<'t>>,
    /// The key, or its typed part.
    pub(super) key: Span,
}

/// A step of the path to a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KeyParent<'t> {
    /// A map below this key.
    Key(&'t str),
    /// An item of a list.
    Item,
}

impl KeyPlace<'_> {
    /// Returns what the schema says about the map with the key.
    pub(super) fn parent_in<'v>(&self, values: &'v ValueOutline) -> Option<&'v ValueOutline> {
        self.parents
            .iter()
            .try_fold(values, |value, parent| match parent {
                KeyParent::Key(key) => value.find(&[key]),
                KeyParent::Item => value.item.as_deref(),
            })
    }

    /// Returns the keys that lead to the map with the key; `None` in an item of a list, which no
    /// `data.values` path leads to.
    pub(super) fn parent_keys(&self) -> Option<Vec<&str>> {
        let parents = self.parents.iter();
        let keys = parents.map(|parent| match parent {
            KeyParent::Key(key) => Some(*key),
            KeyParent::Item => None,
        });
        keys.collect()
    }
}

/// Returns the key at a place in a document with data values or in their schema; `None` anywhere
/// else.
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
    // After the last line break, the line of the position is empty and not in the list.
    let own = if own.end() < offset {
        Span::at(offset)
    } else {
        own
    };
    let content = text.get(own.range())?;
    let (start, end) = key_of(content)?;
    let key = Span::new(own.start() + start, own.start() + end);
    if !(key.start()..=key.end()).contains(&offset) {
        return None;
    }
    let mut search = ParentSearch::from(start);
    search.add_items(content, start);
    for line in above.into_iter().rev() {
        let content = text.get(line.range())?;
        if search.is_done() || content.starts_with("---") {
            break;
        }
        search.add_line(content)?;
    }
    search.found.reverse();
    Some(KeyPlace {
        parents: search.found,
        key,
    })
}

/// Finds the parents of a key, line by line upwards.
struct ParentSearch<'t> {
    /// The parents, the innermost first.
    found: Vec<KeyParent<'t>>,
    /// The column of the key or dash for which a parent is searched.
    column: usize,
    /// Whether it is a dash, which may be below the key of its list without indentation.
    is_dash: bool,
}

impl<'t> ParentSearch<'t> {
    fn from(column: usize) -> ParentSearch<'t> {
        ParentSearch {
            found: Vec::new(),
            column,
            is_dash: false,
        }
    }

    /// Returns whether the root of the document is reached.
    fn is_done(&self) -> bool {
        self.column == 0 && !self.is_dash
    }

    /// Searches a parent in the line above. `None` if the key is inside something other than a key.
    fn add_line(&mut self, line: &'t str) -> Option<()> {
        let trimmed = line.trim_start();
        let indentation = line.len() - trimmed.len();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            return Some(());
        }
        let Some((start, end)) = key_of(line) else {
            return (indentation >= self.column).then_some(());
        };
        let is_parent = start < self.column || self.is_dash && start == self.column;
        if is_parent && start < end {
            self.found.push(KeyParent::Key(&line[start..end]));
            (self.column, self.is_dash) = (start, false);
        }
        self.add_items(line, start);
        Some(())
    }

    /// Adds the items that begin in a line, in front of its key at a column.
    fn add_items(&mut self, line: &str, start: usize) {
        for (column, _) in line[..start].rmatch_indices('-') {
            if column < self.column {
                self.found.push(KeyParent::Item);
                (self.column, self.is_dash) = (column, true);
            }
        }
    }
}

/// Returns where the key of a line is, without the dashes of list items before it; an empty place
/// if there is none yet. `None` for everything else.
fn key_of(line: &str) -> Option<(usize, usize)> {
    let mut start = line.len() - line.trim_start_matches(' ').len();
    while let Some(rest) = line[start..].strip_prefix("- ") {
        start = line.len() - rest.trim_start_matches(' ').len();
    }
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
    let annotations: Vec<&str> = above
        .take_while(|line| line.trim().is_empty() || line.starts_with('#'))
        .collect();
    let has = |name: &str| annotations.iter().any(|line| line.starts_with(name));
    has("#@data/values") && !has("#@library/ref")
}

/// Returns every key at a path of keys in the files of the target that set data values or declare
/// their schema.
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
            let has = |name: &str| {
                annotated.iter().any(|annotation| {
                    annotation.document == Some(index) && annotation.name.starts_with(name)
                })
            };
            // A document for a private library has the keys of that library.
            let is_own = (is_values_file || has("data/values")) && !has("library/ref");
            let span = key_span(&document.root, keys).filter(|_| is_own);
            found.extend(span.map(|span| (file.place.clone(), span)));
        }
    }
    found
}

/// Returns the place of the last of `keys` in a document, if the document has all of them.
fn key_span(root: &Arc<Node>, keys: &[&str]) -> Option<Span> {
    let mut node = root;
    let mut span = None;
    for key in keys {
        let mut entries = node.as_mapping()?.entries.iter();
        let entry = entries.find(|entry| entry.key.text() == Some(key))?;
        span = entry.key.origin.as_ref().map(|origin| origin.span);
        node = &entry.value;
    }
    span
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(marked: &str) -> Option<(String, String)> {
        let offset = marked.find('|').unwrap();
        let text = marked.replacen('|', "", 1);
        let place = place_at(&text, offset)?;
        let parents = place.parents.iter().map(|parent| match parent {
            KeyParent::Key(key) => *key,
            KeyParent::Item => "*",
        });
        let parents = parents.collect::<Vec<&str>>().join(".");
        Some((parents, text[place.key.range()].to_owned()))
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
        assert_eq!(at("a:\n- b: 1\n  c|"), found("a.*", "c"));
        assert_eq!(at("a:\n- b: 1\n- c|"), found("a.*", "c"));
        assert_eq!(at("a:\n  - b: 1\n  - |"), found("a.*", ""));
        assert_eq!(at("a:\n- b:\n    c: 1\n    d|"), found("a.*.b", "d"));
        assert_eq!(at("a:\n- - b: 1\n    c|"), found("a.*.*", "c"));
        assert_eq!(at("x:\n- y: 1\na|"), found("", "a"));
        assert_eq!(at("a:\n- b: >\n    text\n  c|"), found("a.*", "c"));
        assert_eq!(at("---\na: 1\n|"), found("", ""));
    }
}
