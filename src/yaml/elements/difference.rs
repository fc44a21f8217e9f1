//! The elements in which two versions of a collection may differ.
//!
//! ```text
//! before    [e0 … e31]  [e32 … e63]  [e64 … e95]
//! after     [e0 … e31]  [e32 … x …]  [e64 … e95]      one element was replaced
//!            shared       differ       shared
//! ```
//!
//! Versions share the chunks that no edit has touched. So a check that has accepted `before` only
//! has to visit the chunks of `after` that `before` does not share: after one edit, that is one
//! chunk and not the whole collection.

use std::collections::HashSet;
use std::sync::Arc;

use super::chunks::Chunk;
use super::{ElementStore, Elements};

/// The elements that two versions of a collection do not share, in order.
pub struct Difference<'a, T> {
    /// The elements of the version before.
    pub before: Vec<&'a T>,
    /// The elements of the version after, each with its index.
    pub after: Vec<(usize, &'a T)>,
}

impl<'a, T> Difference<'a, T> {
    /// Returns the elements of the version after.
    pub fn new_elements(&self) -> impl Iterator<Item = &'a T> {
        self.after.iter().map(|(_, element)| *element)
    }
}

impl<T: Clone> Elements<T> {
    /// Returns the elements of this version and of `before` that are not certain to be the same.
    /// Versions that were not made from each other share nothing.
    pub fn changed_since<'a>(&'a self, before: &'a Elements<T>) -> Difference<'a, T> {
        let (Some(old), Some(new)) = (before.known_chunks(), self.known_chunks()) else {
            return Difference {
                before: before.iter().collect(),
                after: self.iter().enumerate().collect(),
            };
        };
        let before = unshared(old, new);
        Difference {
            before: before.into_iter().map(|(_, element)| element).collect(),
            after: unshared(new, old),
        }
    }

    /// Returns the pairs of elements at equal indices that are not certain to be the same; `None`
    /// if the two versions have different lengths.
    pub fn differing_pairs<'a>(&'a self, other: &'a Elements<T>) -> Option<Vec<(&'a T, &'a T)>> {
        if self.len() != other.len() {
            return None;
        }
        let mut pairs = Vec::new();
        if let (Some(own), Some(others)) = (self.known_chunks(), other.known_chunks())
            && are_aligned(own, others)
        {
            for (own, other) in own.iter().zip(others) {
                if !Arc::ptr_eq(own, other) {
                    pairs.extend(own.elements().iter().zip(other.elements()));
                }
            }
        } else {
            pairs.extend(self.iter().zip(other.iter()));
        }
        Some(pairs)
    }

    /// Returns the chunks if they were built already. Chunks that are built now would not be shared
    /// with any version.
    fn known_chunks(&self) -> Option<&[Arc<Chunk<T>>]> {
        match &self.0 {
            ElementStore::Few(_) => None,
            ElementStore::Many(many) => Some(many.chunks.get()?.all()),
        }
    }
}

/// Returns whether chunks at equal indices contain the same number of elements.
fn are_aligned<T>(chunks: &[Arc<Chunk<T>>], others: &[Arc<Chunk<T>>]) -> bool {
    let mut pairs = chunks.iter().zip(others);
    chunks.len() == others.len()
        && pairs.all(|(one, other)| one.elements().len() == other.elements().len())
}

/// Returns the elements of the chunks that `others` does not contain, each with its index.
fn unshared<'a, T>(chunks: &'a [Arc<Chunk<T>>], others: &[Arc<Chunk<T>>]) -> Vec<(usize, &'a T)> {
    let shared: HashSet<*const Chunk<T>> = others.iter().map(Arc::as_ptr).collect();
    let mut found = Vec::new();
    let mut start = 0;
    for chunk in chunks {
        if !shared.contains(&Arc::as_ptr(chunk)) {
            found.extend((start..).zip(chunk.elements()));
        }
        start += chunk.elements().len();
    }
    found
}
