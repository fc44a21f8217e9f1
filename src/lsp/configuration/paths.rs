//! Field paths and JSON pointers: the next parts that are possible, and the values that they lead
//! to.
//!
//! ```text
//! fieldPath: data.config\.json.server.ho|
//!            ───────────────────────────   leads into a string of the selected objects
//!                                    ──    is completed with the keys that are there
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use super::cursor::{CursorPart, TreeCursor};
use super::selected::{SelectorKind, selected, targets};
use crate::edit::{EditOptions, FieldPath, PathStep, Pointer, find, spelled_key};
use crate::kubernetes::{Resource, text_fields};
use crate::source::Span;
use crate::yaml::{Content, Node};

/// The two languages of paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PathLanguage {
    /// `spec.containers.[name=web].image`
    Field,
    /// `/spec/containers/0/image`
    Pointer,
}

/// A path that is being typed, and its objects.
pub(super) struct PathPlace<'r> {
    pub(super) language: PathLanguage,
    pub(super) objects: Vec<&'r Resource>,
    /// The path in the text, without quotes.
    pub(super) span: Span,
    /// The quote around it, which decides how `\` is written.
    pub(super) quote: Option<char>,
}

/// A possible next part of a path.
pub(super) struct NextPart {
    /// The part as the path spells it.
    pub(super) spelled: String,
    /// The first value that it leads to.
    pub(super) example: Arc<Node>,
}

/// Returns the path at a position.
pub(super) fn path_at<'r>(cursor: &TreeCursor, objects: &'r [Resource]) -> Option<PathPlace<'r>> {
    let field = |objects| PathPlace {
        language: PathLanguage::Field,
        objects,
        span: cursor.span,
        quote: cursor.quote,
    };
    match cursor.last_names(4).as_slice() {
        [.., "source", "fieldPath"] | [.., "sources", _, "fieldPath"]
            if cursor.part == CursorPart::Value =>
        {
            let source = cursor.holder(0)?;
            Some(field(selected(SelectorKind::Source, source, None, objects)))
        }
        [.., "fieldPaths", "*"] if cursor.part == CursorPart::Value => {
            Some(field(targets(cursor.holder(1)?, objects)))
        }
        [.., "patch", "*", "path" | "from"] if cursor.part == CursorPart::Value => {
            let target = cursor.holder(2)?.get("target")?;
            Some(PathPlace {
                language: PathLanguage::Pointer,
                ..field(selected(SelectorKind::Patch, target, None, objects))
            })
        }
        _ => None,
    }
}

impl<'r> PathPlace<'r> {
    /// Returns the path up to `offset`, without the quotes' own spelling.
    fn typed(&self, text: &str, offset: usize) -> Option<String> {
        let typed = text.get(self.span.start()..offset)?;
        Some(match self.quote {
            Some('"') => typed.replace("\\\\", "\\"),
            _ => typed.to_owned(),
        })
    }

    /// Returns a part as it is written between the quotes around the path.
    pub(super) fn quoted(&self, part: &str) -> String {
        match self.quote {
            Some('"') => part.replace('\\', "\\\\").replace('"', "\\\""),
            Some('\'') => part.replace('\'', "''"),
            _ => part.to_owned(),
        }
    }

    /// Returns the bytes of the part that is being typed.
    pub(super) fn part_span(&self, text: &str, offset: usize) -> Span {
        let typed = text.get(self.span.start()..offset).unwrap_or_default();
        let separator = match self.language {
            PathLanguage::Field => last_separator(typed),
            PathLanguage::Pointer => typed.rfind('/'),
        };
        let start = self.span.start() + separator.map_or(0, |at| at + 1);
        let rest = text.get(offset..self.span.end()).unwrap_or_default();
        let end = rest.find(['.', '/', '\\', '[']).unwrap_or(rest.len());
        Span::new(start, offset + end)
    }

    /// Returns the parts that can follow the typed text, in the order of the objects.
    pub(super) fn next_parts(&self, text: &str, offset: usize) -> Vec<NextPart> {
        let Some(typed) = self.typed(text, offset) else {
            return Vec::new();
        };
        let (parent, is_pointer) = match self.language {
            PathLanguage::Field => (last_separator(&typed).map_or("", |at| &typed[..at]), false),
            PathLanguage::Pointer => (typed.rfind('/').map_or("", |at| &typed[..at]), true),
        };
        let mut parts = Parts::default();
        for object in &self.objects {
            for node in self.values(object, parent) {
                parts.add_children(&node, is_pointer);
            }
        }
        parts.found
    }

    /// Returns the values that a path leads to in an object. For a string that contains a document,
    /// returns the document.
    fn values(&self, object: &Resource, path: &str) -> Vec<Arc<Node>> {
        if path.is_empty() {
            return vec![Arc::clone(&object.node)];
        }
        let Some(path) = self.parsed(path) else {
            return Vec::new();
        };
        let mut values = Vec::new();
        for node in find_in(object, &path) {
            match node.as_scalar() {
                None => values.push(node),
                Some(_) => values.extend(find_in(object, &path.clone().document())),
            }
        }
        values
    }

    /// Returns the values that the whole path leads to, in each object that has such values.
    pub(super) fn found(&self, text: &str) -> Vec<(&'r Resource, Arc<Node>)> {
        let whole = self.typed(text, self.span.end());
        let Some(path) = whole.and_then(|path| self.parsed(&path)) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for object in &self.objects {
            found.extend(
                find_in(object, &path)
                    .into_iter()
                    .map(|node| (*object, node)),
            );
        }
        found
    }

    fn parsed(&self, path: &str) -> Option<FieldPath> {
        if self.language == PathLanguage::Field {
            return FieldPath::parse(path).ok();
        }
        let keys = Pointer::parse(path).ok()?.keys().into_iter();
        let steps = keys.map(|key| match key.parse() {
            Ok(index) => PathStep::Index(index),
            Err(_) => PathStep::Key(key.into()),
        });
        Some(FieldPath::of_steps(&steps.collect::<Vec<_>>()))
    }
}

/// Returns the values that a path leads to in an object.
pub(super) fn find_in(object: &Resource, path: &FieldPath) -> Vec<Arc<Node>> {
    let options = EditOptions {
        text_fields: text_fields(&object.node),
        ..EditOptions::default()
    };
    let found = find(&object.node, path, &options).unwrap_or_default();
    found.into_iter().map(|found| found.node).collect()
}

/// Returns the offset of the last dot that separates two parts of a field path.
fn last_separator(path: &str) -> Option<usize> {
    let (mut found, mut is_escaped, mut is_bracketed) = (None, false, false);
    for (at, character) in path.char_indices() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' => is_bracketed = true,
            ']' => is_bracketed = false,
            '.' if !is_bracketed => found = Some(at),
            _ => {}
        }
    }
    found
}

/// Collects parts, each once.
#[derive(Default)]
struct Parts {
    found: Vec<NextPart>,
    /// The positions in `found`.
    seen: BTreeMap<String, usize>,
}

impl Parts {
    fn add(&mut self, spelled: String, example: &Arc<Node>) {
        let next = self.found.len();
        if *self.seen.entry(spelled.clone()).or_insert(next) == next {
            self.found.push(NextPart {
                spelled,
                example: Arc::clone(example.resolved()),
            });
        }
    }

    fn add_children(&mut self, node: &Arc<Node>, is_pointer: bool) {
        match &node.resolved().content {
            Content::Mapping(mapping) => {
                for entry in &mapping.entries {
                    let Some(key) = entry.key.text() else {
                        continue;
                    };
                    let spelled = match is_pointer {
                        true => key.replace('~', "~0").replace('/', "~1"),
                        false => spelled_key(key),
                    };
                    self.add(spelled, &entry.value);
                }
            }
            Content::Sequence(sequence) => {
                for (index, item) in sequence.items.iter().enumerate() {
                    let name = item.value.resolved().get("name");
                    if let Some(name) = name.and_then(|name| name.text())
                        && !is_pointer
                    {
                        self.add(format!("[name={name}]"), &item.value);
                    }
                    self.add(index.to_string(), &item.value);
                }
            }
            Content::Scalar(_) | Content::Alias(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_part_that_is_typed() {
        for (path, parent) in [
            ("spec", None),
            ("spec.re", Some(4)),
            (r"data.config\.js", Some(4)),
            (r"data.config\.json.ho", Some(17)),
            ("a.[x.y/z].b", Some(9)),
            ("a.[x.y", Some(1)),
        ] {
            assert_eq!(last_separator(path), parent, "{path}");
        }
    }
}
