//! A sequence of elements in chunks, with a table of texts in each.
//!
//! ```text
//! chunks    [e0 e1 … e99]   [e100 … e199]   [e200 … e255]      about √n chunks of about √n elements
//! tables    text → index    text → index    text → index       built when a search first asks for them
//! ```
//!
//! A new version copies the list of chunks and the one chunk that changed: 2√n steps instead of n.
//! A search asks the table of every chunk, and after an edit only the table of the changed chunk is
//! built again.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, OnceLock};

/// The smallest size of a full chunk.
const SMALLEST: usize = 32;

/// The number of fields that have a table in each chunk. For any further field the elements are
/// searched one by one.
const TABLES: usize = 4;

/// A child of a collection that can be found by a text.
pub trait Element: Clone {
    /// Returns the text that it is found by. `field` names the entry of an item that has the text;
    /// `None` asks for the text of the element itself.
    fn text(&self, field: Option<&str>) -> Option<&str>;

    /// Whether `self` and `other` are certain to be found by the same texts.
    fn is_found_as(&self, other: &Self) -> bool;
}

pub(super) struct Chunks<T> {
    chunks: Vec<Arc<Chunk<T>>>,
    len: usize,
    /// The size of a full chunk. Insertions let a chunk grow to twice that before it is split.
    size: usize,
}

struct Chunk<T> {
    elements: Vec<T>,
    /// Shared with the chunks of other versions whose elements are found by the same texts.
    tables: Arc<[OnceLock<TextTable>; TABLES]>,
}

/// An index of one chunk by one field.
struct TextTable {
    field: Option<Box<str>>,
    /// The hash of each text and the index of its element, sorted. Texts are compared by the
    /// caller, so that tables need not copy them.
    places: Vec<(u64, usize)>,
}

impl<T> Clone for Chunks<T> {
    fn clone(&self) -> Chunks<T> {
        Chunks {
            chunks: self.chunks.clone(),
            len: self.len,
            size: self.size,
        }
    }
}

impl<T> Chunks<T> {
    /// Returns the number of elements.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns the number of chunks.
    pub(super) fn count(&self) -> usize {
        self.chunks.len()
    }

    pub(super) fn get(&self, at: usize) -> Option<&T> {
        let (chunk, inner) = self.place(at);
        self.chunks.get(chunk)?.elements.get(inner)
    }

    /// Returns the chunk of the element at `at` and its index there. An index behind the last
    /// element is at the end of the last chunk.
    fn place(&self, at: usize) -> (usize, usize) {
        let mut inner = at;
        // Sums of lengths could be kept for a binary search, but then every edit would have to
        // update them.
        for (index, chunk) in self.chunks.iter().enumerate() {
            let len = chunk.elements.len();
            if inner < len || index + 1 == self.chunks.len() {
                return (index, inner.min(len));
            }
            inner -= len;
        }
        (0, 0)
    }
}

impl<T: Clone> Chunks<T> {
    pub(super) fn of(all: &[T]) -> Chunks<T> {
        let size = all.len().isqrt().max(SMALLEST);
        let chunks = all
            .chunks(size)
            .map(|chunk| Chunk::of(chunk.to_vec()))
            .collect();
        Chunks {
            chunks,
            len: all.len(),
            size,
        }
    }

    pub(super) fn to_slice(&self) -> Box<[T]> {
        let mut all = Vec::with_capacity(self.len);
        for chunk in &self.chunks {
            all.extend_from_slice(&chunk.elements);
        }
        all.into()
    }
}

impl<T: Element> Chunks<T> {
    /// Returns the indices of the elements that are found by `text`, in order.
    pub(super) fn positions<'a>(
        &'a self,
        field: Option<&'a str>,
        text: &'a str,
    ) -> impl Iterator<Item = usize> + 'a {
        // One table for all elements would find a text in one step, but each edit would have to
        // build it again. With a table for each chunk, both a search and an edit take about √n
        // steps.
        let hash = hash(text);
        let mut start = 0;
        self.chunks.iter().flat_map(move |chunk| {
            let offset = start;
            start += chunk.elements.len();
            let inner = chunk.positions(field, text, hash).into_iter();
            inner.map(move |at| offset + at)
        })
    }

    pub(super) fn replace(&mut self, at: usize, element: T) {
        let (index, inner) = self.place(at);
        let Some(chunk) = self.chunks.get_mut(index) else {
            return;
        };
        let mut elements = chunk.elements.clone();
        let Some(old) = elements.get_mut(inner) else {
            return;
        };
        let keeps_texts = element.is_found_as(old);
        *old = element;
        *chunk = if keeps_texts {
            // The usual edit gives an entry another value. Its key stays, and so do the tables.
            Arc::new(Chunk {
                elements,
                tables: Arc::clone(&chunk.tables),
            })
        } else {
            Chunk::of(elements)
        };
    }

    /// Inserts before the element at `at`, or at the end.
    pub(super) fn insert(&mut self, at: usize, element: T) {
        let (index, inner) = self.place(at);
        let Some(chunk) = self.chunks.get_mut(index) else {
            return;
        };
        let mut elements = Vec::with_capacity(chunk.elements.len() + 1);
        elements.extend_from_slice(&chunk.elements);
        elements.insert(inner.min(elements.len()), element);
        self.len += 1;

        // Chunks are split but never joined: after removals there are more and smaller ones, which
        // costs a little time in each search and keeps removal simple.
        let is_too_large = elements.len() > 2 * self.size;
        let second_half = is_too_large.then(|| elements.split_off(self.size));
        *chunk = Chunk::of(elements);
        if let Some(second_half) = second_half {
            self.chunks.insert(index + 1, Chunk::of(second_half));
            self.balance();
        }
    }

    pub(super) fn remove(&mut self, at: usize) {
        let (index, inner) = self.place(at);
        let Some(chunk) = self.chunks.get_mut(index) else {
            return;
        };
        if inner >= chunk.elements.len() {
            return;
        }
        let mut elements = chunk.elements.clone();
        elements.remove(inner);
        self.len -= 1;
        if elements.is_empty() {
            self.chunks.remove(index);
        } else {
            *chunk = Chunk::of(elements);
        }
    }

    /// Chooses a new size of chunk if the number of elements has outgrown it, so that there are
    /// never many more chunks than elements in a chunk.
    fn balance(&mut self) {
        if self.chunks.len() > 4 * self.size {
            *self = Chunks::of(&self.to_slice());
        }
    }
}

impl<T> Chunk<T> {
    fn of(elements: Vec<T>) -> Arc<Chunk<T>> {
        Arc::new(Chunk {
            elements,
            tables: Arc::default(),
        })
    }
}

impl<T: Element> Chunk<T> {
    fn positions(&self, field: Option<&str>, text: &str, hash: u64) -> Vec<usize> {
        match self.table(field) {
            // Different texts can have one hash, so the texts decide.
            Some(table) => {
                let candidates = table.with_hash(hash);
                candidates
                    .filter(|&at| self.has_text(at, field, text))
                    .collect()
            }
            None => {
                let all = 0..self.elements.len();
                all.filter(|&at| self.has_text(at, field, text)).collect()
            }
        }
    }

    fn has_text(&self, at: usize, field: Option<&str>, text: &str) -> bool {
        self.elements
            .get(at)
            .is_some_and(|element| element.text(field) == Some(text))
    }

    /// Returns the table of a field, which takes the first free place; `None` if other fields have
    /// all of them.
    fn table(&self, field: Option<&str>) -> Option<&TextTable> {
        for place in &*self.tables {
            let table = place.get_or_init(|| TextTable::of(&self.elements, field));
            if table.field.as_deref() == field {
                return Some(table);
            }
        }
        None
    }
}

impl TextTable {
    fn of(elements: &[impl Element], field: Option<&str>) -> TextTable {
        let mut places = Vec::new();
        for (at, element) in elements.iter().enumerate() {
            if let Some(text) = element.text(field) {
                places.push((hash(text), at));
            }
        }
        places.sort_unstable();
        TextTable {
            field: field.map(Box::from),
            places,
        }
    }

    /// Returns the indices that have a hash, in order.
    fn with_hash(&self, hash: u64) -> impl Iterator<Item = usize> {
        // Sorted by hash and then by index, so equal hashes are side by side and their indices
        // rise.
        let start = self.places.partition_point(|(other, _)| *other < hash);
        let from_start = self.places.get(start..).unwrap_or_default().iter();
        from_start
            .take_while(move |(other, _)| *other == hash)
            .map(|(_, at)| *at)
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
