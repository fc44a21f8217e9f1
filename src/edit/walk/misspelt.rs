//! Finds the intended path if a key does not exist.
//!
//! ```text
//! data:
//!   app.json: '{"port": 80}'      data.app.json.port       did you mean `data.app\.json.port`?
//!                                 data.new.json.port       creates the key `new`, with a document
//!                                                          whose only key is `json`
//! ```
//!
//! Nothing is created for such a path: the result would be valid, but not intended. A key in
//! brackets is always used as it is written: `data.[app].json.port`.

use super::PathWalk;
use super::place::WalkPlace;
use crate::edit::path::{PathSegment, is_index};
use crate::formats::DocumentFormat;
use crate::source::suggest::nearest;
use crate::yaml::Mapping;

/// The advice about a key that does not exist.
#[derive(Default)]
pub(super) struct MisspeltKey {
    /// The intended path.
    pub(super) corrected: Option<String>,
    /// Another help text.
    pub(super) help: Option<String>,
}

impl PathWalk<'_, '_> {
    /// Returns advice about the key at `index`, which `mapping` does not have.
    pub(super) fn misspelt(
        &self,
        mapping: &Mapping,
        index: usize,
        place: &WalkPlace<'_>,
    ) -> MisspeltKey {
        if let Some(help) = self.dotted_key(mapping, index, place) {
            return MisspeltKey {
                help: Some(help),
                corrected: None,
            };
        }
        if let Some(corrected) = self.corrected(mapping, index) {
            return MisspeltKey {
                corrected: Some(corrected),
                help: None,
            };
        }
        let keys = mapping.entries.iter().filter_map(|entry| entry.key.text());
        let name = self.path.segments().get(index);
        MisspeltKey {
            help: name
                .and_then(PathSegment::as_key)
                .and_then(|name| self.path.spelling_of_key(nearest(name, keys)?))
                .map(|key| format!("did you mean `{key}`?")),
            corrected: None,
        }
    }

    /// Returns the intended path if creating the key at `index` would most likely be a mistake.
    /// `inner` is the place of its value.
    pub(super) fn not_to_create(
        &self,
        mapping: &Mapping,
        index: usize,
        inner: &WalkPlace<'_>,
    ) -> Option<String> {
        // A JSON pointer has no dots that need to be escaped.
        if self.path.is_pointer() {
            return None;
        }
        self.corrected(mapping, index)
            .or_else(|| self.with_extension(index, inner))
    }

    /// Returns advice if a path reads a key with dots as several keys, in a format whose keys may
    /// have dots.
    fn dotted_key(&self, mapping: &Mapping, index: usize, place: &WalkPlace<'_>) -> Option<String> {
        let rest = self
            .path
            .segments()
            .get(index..)
            .filter(|_| place.format.has_only_text())?;
        // Only the whole rest of the path can be one key: `a.b.c` may be the key "b.c" of `a`.
        let keys: Option<Vec<&str>> = rest.iter().map(PathSegment::as_key).collect();
        let key = keys?.join(".");
        mapping
            .get(&key)
            .map(|_| format!("a key with dots is one key here: write `[{key}]`"))
    }

    /// Returns the intended path if a key of `mapping` has dots that the path does not escape, or
    /// if the path is written in another language.
    fn corrected(&self, mapping: &Mapping, index: usize) -> Option<String> {
        let mut names = self.plain_names(index);
        // Try the longest key first: `a.b.json` before `a.b`.
        let joined = names.join(".");
        let mut key = &*joined;
        while names.len() > 1 {
            if mapping.get(key).is_some() {
                return self.path.with_one_key(index, names.len(), key);
            }
            let last = names.pop().map_or(0, str::len);
            key = &key[..key.len() - last - ".".len()];
        }
        // Only dots can be escaped: `\[a\.b\]` was probably meant as the key `[a.b]`.
        let name = self
            .path
            .segments()
            .get(index)
            .and_then(PathSegment::as_key);
        if let Some(name) = name.filter(|name| name.contains(r"\[") && !self.path.is_json_path()) {
            let key = name.replace(r"\[", "[").replace(r"\]", "]");
            if mapping.get(&key).is_some() {
                return self.path.with_one_key(index, 1, &key);
            }
        }
        // Only the root can have the first key of a path that is written with slashes.
        self.path
            .respelt(|first| index == 0 && mapping.get(first).is_some())
    }

    /// Returns the path with the next two keys joined, if the result is the key of a document:
    /// `new.json`.
    fn with_extension(&self, index: usize, inner: &WalkPlace<'_>) -> Option<String> {
        // Only the values of text fields are strings that contain documents.
        inner.text_field()?;
        let names = self.plain_names(index);
        let key = names.get(..2)?.join(".");
        DocumentFormat::of_key(&key)?;
        self.path.with_one_key(index, 2, &key)
    }

    /// Returns the intended path if `segment` is an index of a list in brackets.
    pub(super) fn without_brackets(&self, segment: &PathSegment, index: usize) -> Option<String> {
        match segment {
            PathSegment::Key(key) if is_index(key) => Some(self.path.with_index(index, key)),
            _ => None,
        }
    }

    /// Returns the keys from `index` on, up to the first segment that is not a key or is in
    /// brackets.
    fn plain_names(&self, index: usize) -> Vec<&str> {
        let rest = self.path.segments().iter().enumerate().skip(index);
        rest.map_while(|(at, segment)| {
            let spelling = &self.path.prefix(at + 1)[self.path.prefix(at).len()..];
            let is_bracketed = spelling.trim_start_matches('.').starts_with('[');
            segment.as_key().filter(|_| !is_bracketed)
        })
        .collect()
    }
}
