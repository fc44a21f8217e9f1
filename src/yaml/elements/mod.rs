//! The children of a collection: the entries of a mapping, the items of a list.
//!
//! They are a slice, and whoever reads them reads a slice. Edits come one at a time, and thousands of them may go into one
//! collection: each finds its child by a text and makes a new version of the collection. So large collections are kept
//! in [`chunks`] besides, which versions share and which know their texts; a version is laid out as a slice when someone
//! reads it as one.

mod chunks;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::Deref;
use std::slice;
use std::sync::OnceLock;

use self::chunks::Chunks;
use super::node::{Entry, Item};

/// Collections up to this size are only a slice: to copy and to search them costs next to nothing.
const SMALL: usize = 64;

/// How many children at the beginning are looked at before a table of texts is made: what is asked for most, such as
/// `kind` and `metadata`, stands there.
const FIRST: usize = 8;

/// A child that can be found by a text.
pub trait Element: Clone {
    /// The text that it is found by: for an entry that of its key; for an item that of its entry `field`, or its own.
    fn text(&self, field: Option<&str>) -> Option<&str>;

    /// Whether `self` and `other` are certain to be found by the same texts.
    fn is_found_as(&self, other: &Self) -> bool;
}

impl Element for Entry {
    fn text(&self, _: Option<&str>) -> Option<&str> {
        self.key.resolved().text()
    }

    fn is_found_as(&self, other: &Entry) -> bool {
        std::sync::Arc::ptr_eq(&self.key, &other.key)
    }
}

impl Element for Item {
    fn text(&self, field: Option<&str>) -> Option<&str> {
        let value = self.value.resolved();
        match field {
            Some(field) => value.get(field)?.resolved().text(),
            None => value.text(),
        }
    }

    fn is_found_as(&self, _: &Item) -> bool {
        false
    }
}

/// The children of a collection in order. They never change; an edit makes a new version, which shares what it can.
pub struct Elements<T>(Kept<T>);

enum Kept<T> {
    Few(Box<[T]>),
    Many(Box<Many<T>>),
}

/// A large collection, in one of the two forms at least; the other is made when it is asked for.
struct Many<T> {
    slice: OnceLock<Box<[T]>>,
    chunks: OnceLock<Chunks<T>>,
    /// Set when it is known that no two elements have the same text.
    are_distinct: OnceLock<()>,
}

impl<T: Clone> Many<T> {
    fn of(chunks: Chunks<T>) -> Many<T> {
        Many {
            slice: OnceLock::new(),
            chunks: OnceLock::from(chunks),
            are_distinct: OnceLock::new(),
        }
    }

    fn slice(&self) -> &[T] {
        self.slice
            .get_or_init(|| self.chunks.get().map(Chunks::to_slice).unwrap_or_default())
    }

    fn chunks(&self) -> &Chunks<T> {
        self.chunks
            .get_or_init(|| Chunks::of(self.slice.get().map_or(&[], |slice| slice)))
    }
}

impl<T> Elements<T> {
    /// How many there are.
    pub fn len(&self) -> usize {
        match &self.0 {
            Kept::Few(slice) => slice.len(),
            Kept::Many(many) => many
                .slice
                .get()
                .map(|slice| slice.len())
                .or(many.chunks.get().map(Chunks::len))
                .unwrap_or(0),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T: Clone> Elements<T> {
    /// The element at an index, without laying the version out as a slice.
    pub fn at(&self, at: usize) -> Option<&T> {
        match &self.0 {
            Kept::Few(slice) => slice.get(at),
            Kept::Many(many) => match (many.slice.get(), many.chunks.get()) {
                (None, Some(chunks)) => chunks.get(at),
                (slice, _) => slice.and_then(|slice| slice.get(at)),
            },
        }
    }
}

impl<T: Element> Elements<T> {
    /// The index of the first element that is found by `text`.
    pub fn position(&self, field: Option<&str>, text: &str) -> Option<usize> {
        let scan = |range: usize| {
            (0..range).find(|&at| self.at(at).and_then(|element| element.text(field)) == Some(text))
        };
        match &self.0 {
            Kept::Few(slice) => slice
                .iter()
                .position(|element| element.text(field) == Some(text)),
            Kept::Many(many) => scan(FIRST).or_else(|| many.chunks().positions(field, text).next()),
        }
    }

    /// The indices of all elements that are found by `text`, in order.
    pub fn positions(&self, field: Option<&str>, text: &str) -> Vec<usize> {
        match &self.0 {
            Kept::Few(slice) => {
                let all = slice.iter().enumerate();
                all.filter(|(_, element)| element.text(field) == Some(text))
                    .map(|(at, _)| at)
                    .collect()
            }
            Kept::Many(many) => many.chunks().positions(field, text).collect(),
        }
    }

    /// Whether it is known that no two elements have the same text.
    pub fn are_distinct(&self) -> bool {
        matches!(&self.0, Kept::Many(many) if many.are_distinct.get().is_some())
    }

    /// Notes that no two elements have the same text, for this version and those that are made of it.
    pub fn set_distinct(&self) {
        if let Kept::Many(many) = &self.0 {
            many.are_distinct.get_or_init(|| ());
        }
    }

    /// The version with other elements at some indices, which are in order.
    pub fn replaced(&self, changes: Vec<(usize, T)>) -> Elements<T> {
        match &self.0 {
            Kept::Many(many) if changes.len() < many.chunks().count() => {
                let keeps_texts =
                    |(at, new): &(usize, T)| self.at(*at).is_some_and(|old| new.is_found_as(old));
                let are_distinct = self.are_distinct() && changes.iter().all(keeps_texts);
                let mut chunks = many.chunks().clone();
                changes
                    .into_iter()
                    .for_each(|(at, new)| chunks.replace(at, new));
                Elements::version(chunks, are_distinct)
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

    /// The version with one more element before the one at `at`, or at the end.
    pub fn inserted(&self, at: usize, element: T) -> Elements<T> {
        match &self.0 {
            Kept::Many(many) => {
                let is_new = |text| many.chunks().positions(None, text).next().is_none();
                let are_distinct = self.are_distinct() && element.text(None).is_none_or(is_new);
                let mut chunks = many.chunks().clone();
                chunks.insert(at, element);
                Elements::version(chunks, are_distinct)
            }
            Kept::Few(slice) => {
                let mut all = slice.to_vec();
                all.insert(at.min(all.len()), element);
                all.into()
            }
        }
    }

    /// The version without the element at `at`.
    pub fn removed(&self, at: usize) -> Elements<T> {
        match &self.0 {
            Kept::Many(many) => {
                let mut chunks = many.chunks().clone();
                chunks.remove(at);
                Elements::version(chunks, self.are_distinct())
            }
            Kept::Few(slice) => {
                let others = slice.iter().enumerate().filter(|(index, _)| *index != at);
                others.map(|(_, element)| element.clone()).collect()
            }
        }
    }

    fn version(chunks: Chunks<T>, are_distinct: bool) -> Elements<T> {
        if chunks.len() <= SMALL {
            return Elements(Kept::Few(chunks.to_slice()));
        }
        let version = Elements(Kept::Many(Box::new(Many::of(chunks))));
        if are_distinct {
            version.set_distinct();
        }
        version
    }
}

impl<T: Clone> Deref for Elements<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.0 {
            Kept::Few(slice) => slice,
            Kept::Many(many) => many.slice(),
        }
    }
}

impl<T: Clone> Clone for Elements<T> {
    fn clone(&self) -> Elements<T> {
        match &self.0 {
            Kept::Few(slice) => Elements(Kept::Few(slice.clone())),
            Kept::Many(many) => {
                let chunks = OnceLock::from(many.chunks().clone());
                let are_distinct = many.are_distinct.clone();
                Elements(Kept::Many(Box::new(Many {
                    slice: OnceLock::new(),
                    chunks,
                    are_distinct,
                })))
            }
        }
    }
}

impl<T> From<Box<[T]>> for Elements<T> {
    fn from(slice: Box<[T]>) -> Elements<T> {
        if slice.len() <= SMALL {
            return Elements(Kept::Few(slice));
        }
        let slice = OnceLock::from(slice);
        Elements(Kept::Many(Box::new(Many {
            slice,
            chunks: OnceLock::new(),
            are_distinct: OnceLock::new(),
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
