//! The children of a collection: the entries of a mapping, the items of a list.
//!
//! Readers see a slice. Edits come one at a time, and thousands of them may change one collection:
//! each finds its child by a text and creates a new version of the collection. With a slice alone,
//! each of them would copy and search all children. So a large collection has two forms, and each
//! is built from the other when it is first needed:
//!
//! ```text
//! slice     [e0 e1 e2 … e255]                      for readers
//! chunks    [e0 … e99] [e100 … e199] [e200 … e255] for edits; versions share unchanged chunks
//! ```
//!
//! A version that is searched many times gets one table of all its texts.
//!
//! Code that edits one child uses `at`, `position`, `replaced`, `inserted` and `removed`. They
//! never build the slice, so a thousand edits of one collection cost about a thousand times one
//! edit.

mod chunks;
mod difference;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::Deref;
use std::slice;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

pub(super) use self::chunks::Element;
use self::chunks::{Chunks, HashTable, SearchedBy};
pub(super) use self::difference::Difference;

/// The maximum size of a collection that is only a slice: copying and searching it costs next to
/// nothing.
const SMALL: usize = 64;

/// The number of children at the beginning that are searched before tables are built. The keys that
/// are read most, such as `kind` and `metadata`, are there.
const FIRST: usize = 8;

/// The children of a collection in order. They are immutable: an edit creates a new version, which
/// shares as much as possible.
pub struct Elements<T>(ElementStore<T>);

enum ElementStore<T> {
    Few(Box<[T]>),
    Many(Box<Many<T>>),
}

/// A large collection.
///
/// Invariant: at least one of `slice` and `chunks` is set.
struct Many<T> {
    slice: OnceLock<Box<[T]>>,
    chunks: OnceLock<Chunks<T>>,
    known: Known,
    /// The number of searches of this version by [`Element::text`] without a field.
    searches: AtomicUsize,
    /// The table of all these texts. It is built after many searches.
    texts: OnceLock<HashTable>,
}

/// Facts about the elements that were found by visiting all of them.
#[derive(Clone, Default)]
struct Known {
    /// No two elements have the same text.
    are_distinct: OnceLock<()>,
    /// No two elements have the same text, and all have string keys (see
    /// [`Element::has_string_key`]).
    are_plain: OnceLock<()>,
}

impl<T: Clone> Many<T> {
    fn slice(&self) -> &[T] {
        self.slice
            .get_or_init(|| self.chunks.get().map(Chunks::to_slice).unwrap_or_default())
    }

    fn chunks(&self) -> &Chunks<T> {
        self.chunks
            .get_or_init(|| Chunks::of(self.slice.get().map_or(&[], |slice| slice)))
    }
}

impl<T: Element> Many<T> {
    /// Returns the index of the first element that is found by `text`.
    fn position(&self, text: &str) -> Option<usize> {
        let Some(texts) = self.texts() else {
            return self.chunks().positions(None, text).next();
        };
        let elements = self.slice();
        texts
            .with_hash(chunks::hash(text))
            .find(|&at| elements.get(at).and_then(|element| element.text(None)) == Some(text))
    }

    /// Returns the table of all texts. Each search of all chunks takes about √n steps, so after √n
    /// searches of one version, the table costs no more than they did. Each version in a series of
    /// edits is searched once and never builds it.
    fn texts(&self) -> Option<&HashTable> {
        if let Some(texts) = self.texts.get() {
            return Some(texts);
        }
        let searches = self.searches.fetch_add(1, Ordering::Relaxed);
        if searches * searches < self.chunks().len() {
            return None;
        }
        let build = || HashTable::of(self.slice(), SearchedBy::Text(None));
        Some(self.texts.get_or_init(build))
    }
}

impl<T> Elements<T> {
    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        match &self.0 {
            ElementStore::Few(slice) => slice.len(),
            ElementStore::Many(many) => match (many.slice.get(), many.chunks.get()) {
                (Some(slice), _) => slice.len(),
                (None, Some(chunks)) => chunks.len(),
                (None, None) => 0,
            },
        }
    }

    /// Returns whether there are so many elements that searching them one by one is slow.
    pub fn is_large(&self) -> bool {
        matches!(&self.0, ElementStore::Many(_))
    }

    /// Returns whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T: Clone> Elements<T> {
    /// Returns the element at an index, without building the slice.
    pub fn at(&self, at: usize) -> Option<&T> {
        match &self.0 {
            ElementStore::Few(slice) => slice.get(at),
            ElementStore::Many(many) => match (many.slice.get(), many.chunks.get()) {
                (None, Some(chunks)) => chunks.get(at),
                (slice, _) => slice.and_then(|slice| slice.get(at)),
            },
        }
    }

    /// Returns the element at an index that the caller got from these elements, without building
    /// the slice.
    ///
    /// # Panics
    /// If there is no such element.
    pub fn existing(&self, at: usize) -> &T {
        // The index of the slice has the message of the panic.
        self.at(at).unwrap_or_else(|| &self[at])
    }
}

impl<T: Element> Elements<T> {
    /// Returns the index of the first element that is found by `text`. `field` names the entry of
    /// an item that has the text; entries of mappings are found by their key, without a `field`.
    pub fn position(&self, field: Option<&str>, text: &str) -> Option<usize> {
        match &self.0 {
            ElementStore::Few(slice) => slice
                .iter()
                .position(|element| element.text(field) == Some(text)),
            ElementStore::Many(many) => {
                // Without this, asking for `kind` once would build the tables of all chunks.
                for at in 0..FIRST {
                    if self.at(at)?.text(field) == Some(text) {
                        return Some(at);
                    }
                }
                match field {
                    None => many.position(text),
                    field => many.chunks().positions(field, text).next(),
                }
            }
        }
    }

    /// Returns the indices of all elements that are found by `text`, in order.
    pub fn positions(&self, field: Option<&str>, text: &str) -> Vec<usize> {
        match &self.0 {
            ElementStore::Few(slice) => {
                let all = slice.iter().enumerate();
                all.filter(|(_, element)| element.text(field) == Some(text))
                    .map(|(at, _)| at)
                    .collect()
            }
            ElementStore::Many(many) => many.chunks().positions(field, text).collect(),
        }
    }

    /// Returns the indices of the elements that may have a value under a key, in order, given the
    /// hash of the value. Returns `None` unless each element is certain to have exactly one value
    /// under the key, and that is a scalar.
    pub(super) fn only_candidates(&self, key: &str, hash: u64) -> Option<Vec<usize>> {
        let searched = SearchedBy::OnlyValue(key);
        match &self.0 {
            ElementStore::Few(slice) => {
                let mut found = Vec::new();
                for (at, element) in slice.iter().enumerate() {
                    if element.only_hash(key)? == hash {
                        found.push(at);
                    }
                }
                Some(found)
            }
            ElementStore::Many(many) => {
                let chunks = many.chunks();
                let is_certain = chunks.all_have(searched);
                is_certain.then(|| chunks.with_hash(searched, hash).collect())
            }
        }
    }

    /// Returns whether it is known that no two elements have the same text.
    pub fn are_distinct(&self) -> bool {
        matches!(&self.0, ElementStore::Many(many) if many.known.are_distinct.get().is_some())
    }

    /// Records that no two elements have the same text, for this version and those that are made
    /// from it.
    pub fn set_distinct(&self) {
        if let ElementStore::Many(many) = &self.0 {
            many.known.are_distinct.get_or_init(|| ());
        }
    }

    /// Returns whether it is known that no two elements have the same text and all have string
    /// keys.
    pub fn are_plain(&self) -> bool {
        matches!(&self.0, ElementStore::Many(many) if many.known.are_plain.get().is_some())
    }

    /// Records that no two elements have the same text and all have string keys, for this version
    /// and those that are made from it.
    pub fn set_plain(&self) {
        if let ElementStore::Many(many) = &self.0 {
            many.known.are_plain.get_or_init(|| ());
            many.known.are_distinct.get_or_init(|| ());
        }
    }

    /// Returns a version with other elements at some indices. `changes` is in ascending order.
    pub fn replaced(&self, changes: Vec<(usize, T)>) -> Elements<T> {
        match &self.0 {
            // Each change copies a chunk. With as many changes as chunks, one copy of everything is
            // cheaper.
            ElementStore::Many(many) if changes.len() < many.chunks().count() => {
                let mut version = self.clone();
                for (at, new) in changes {
                    version.set(at, new);
                }
                version
            }
            _ => {
                let mut all = self.to_vec();
                for (at, new) in changes {
                    if let Some(old) = all.get_mut(at) {
                        *old = new;
                    }
                }
                all.into()
            }
        }
    }

    /// Returns a version with one more element before the one at `at`, or at the end.
    pub fn inserted(&self, at: usize, element: T) -> Elements<T> {
        let mut version = self.clone();
        version.insert(at, element);
        version
    }

    /// Returns a version without the element at `at`.
    pub fn removed(&self, at: usize) -> Elements<T> {
        let mut version = self.clone();
        version.remove(at);
        version
    }

    /// Replaces the element at `at`, in place if no other version shares it.
    pub fn set(&mut self, at: usize, element: T) {
        match &mut self.0 {
            ElementStore::Few(slice) => {
                if let Some(old) = slice.get_mut(at) {
                    *old = element;
                }
            }
            ElementStore::Many(many) => {
                let is_found_as_before = many
                    .chunks()
                    .get(at)
                    .is_some_and(|old| element.is_found_as(old));
                if !is_found_as_before {
                    many.forget_unless_new(&element);
                }
                many.edit(|chunks| chunks.replace(at, element));
            }
        }
    }

    /// Inserts an element before the one at `at`, or at the end.
    pub fn insert(&mut self, at: usize, element: T) {
        match &mut self.0 {
            ElementStore::Many(many) => {
                many.forget_unless_new(&element);
                many.edit(|chunks| chunks.insert(at, element));
            }
            ElementStore::Few(slice) => {
                let mut all = std::mem::take(slice).into_vec();
                all.insert(at.min(all.len()), element);
                *self = all.into();
            }
        }
    }

    /// Adds an element at the end.
    pub fn push(&mut self, element: T) {
        self.insert(usize::MAX, element);
    }

    /// Removes the element at `at`.
    pub fn remove(&mut self, at: usize) {
        match &mut self.0 {
            ElementStore::Many(many) => {
                many.edit(|chunks| chunks.remove(at));
                // After removals, a large collection can be small enough to be a slice again.
                if many.chunks().len() <= SMALL {
                    self.0 = ElementStore::Few(many.chunks().to_slice());
                }
            }
            ElementStore::Few(slice) => {
                let mut all = std::mem::take(slice).into_vec();
                if at < all.len() {
                    all.remove(at);
                }
                *slice = all.into();
            }
        }
    }
}

impl<T: Element> Many<T> {
    /// Changes the chunks, and drops the slice, which is then out of date.
    fn edit(&mut self, change: impl FnOnce(&mut Chunks<T>)) {
        self.chunks();
        if let Some(chunks) = self.chunks.get_mut() {
            change(chunks);
            self.slice = OnceLock::new();
            self.texts = OnceLock::new();
            self.searches = AtomicUsize::new(0);
        }
    }

    /// Forgets the known facts that a new element may break, because its text may be there already.
    fn forget_unless_new(&mut self, element: &T) {
        // Search only if there is something to forget.
        if self.known.are_distinct.get().is_none() {
            return;
        }
        let is_new = element
            .text(None)
            .is_none_or(|text| self.chunks().positions(None, text).next().is_none());
        if !is_new {
            self.known = Known::default();
        } else if !element.has_string_key() {
            self.known.are_plain = OnceLock::new();
        }
    }
}

impl<T: Clone> Deref for Elements<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.0 {
            ElementStore::Few(slice) => slice,
            ElementStore::Many(many) => many.slice(),
        }
    }
}

impl<T: Clone> Clone for Elements<T> {
    fn clone(&self) -> Elements<T> {
        match &self.0 {
            ElementStore::Few(slice) => Elements(ElementStore::Few(slice.clone())),
            // A clone is about to be edited. It can share the chunks, but not a slice.
            ElementStore::Many(many) => Elements(ElementStore::Many(Box::new(Many {
                slice: OnceLock::new(),
                chunks: OnceLock::from(many.chunks().clone()),
                known: many.known.clone(),
                searches: AtomicUsize::new(0),
                texts: OnceLock::new(),
            }))),
        }
    }
}

impl<T> From<Box<[T]>> for Elements<T> {
    fn from(slice: Box<[T]>) -> Elements<T> {
        if slice.len() <= SMALL {
            return Elements(ElementStore::Few(slice));
        }
        Elements(ElementStore::Many(Box::new(Many {
            slice: OnceLock::from(slice),
            chunks: OnceLock::new(),
            known: Known::default(),
            searches: AtomicUsize::new(0),
            texts: OnceLock::new(),
        })))
    }
}

impl<T> From<Vec<T>> for Elements<T> {
    fn from(all: Vec<T>) -> Elements<T> {
        all.into_boxed_slice().into()
    }
}

impl<T, const N: usize> From<[T; N]> for Elements<T> {
    fn from(all: [T; N]) -> Elements<T> {
        Box::<[T]>::from(all).into()
    }
}

impl<T> FromIterator<T> for Elements<T> {
    fn from_iter<I: IntoIterator<Item = T>>(all: I) -> Elements<T> {
        all.into_iter().collect::<Box<[T]>>().into()
    }
}

impl<'a, T: Clone> IntoIterator for &'a Elements<T> {
    type Item = &'a T;
    type IntoIter = slice::Iter<'a, T>;

    fn into_iter(self) -> slice::Iter<'a, T> {
        self.iter()
    }
}

impl<T: Clone + fmt::Debug> fmt::Debug for Elements<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
