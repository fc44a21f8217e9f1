//! A sequence of elements in chunks of about the square root of their number.
//!
//! A new version copies one chunk and the list of chunks. Each chunk knows which of its elements has which text, so a
//! search asks every chunk, and an edit makes one table anew.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, OnceLock};

use super::Element;

/// The smallest size of a full chunk.
const SMALLEST: usize = 32;

/// How many fields have a table in each chunk; by others the elements are looked through.
const TABLES: usize = 4;

pub(super) struct Chunks<T> {
    chunks: Vec<Arc<Chunk<T>>>,
    len: usize,
    /// How many elements a chunk has at most, but for a factor of two.
    size: usize,
}

struct Chunk<T> {
    elements: Vec<T>,
    /// Shared with the chunks whose elements are found by the same texts.
    tables: Arc<[OnceLock<Table>; TABLES]>,
}

/// Where in a chunk which text is.
struct Table {
    field: Option<Box<str>>,
    /// The hash of a text and the index of its element, in order.
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
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// How many chunks there are.
    pub(super) fn count(&self) -> usize {
        self.chunks.len()
    }

    pub(super) fn get(&self, at: usize) -> Option<&T> {
        let (chunk, inner) = self.place(at);
        self.chunks.get(chunk)?.elements.get(inner)
    }

    /// The chunk that has the element at `at`, and its index there; for what is behind the last one the end of the last
    /// chunk.
    fn place(&self, at: usize) -> (usize, usize) {
        let mut inner = at;
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
        self.chunks
            .iter()
            .for_each(|chunk| all.extend_from_slice(&chunk.elements));
        all.into()
    }
}

impl<T: Element> Chunks<T> {
    /// The indices of the elements that are found by `text`.
    pub(super) fn positions<'a>(
        &'a self,
        field: Option<&'a str>,
        text: &'a str,
    ) -> impl Iterator<Item = usize> + 'a {
        let hash = hash(text);
        let mut start = 0;
        self.chunks.iter().flat_map(move |chunk| {
            let offset = start;
            start += chunk.elements.len();
            chunk
                .positions(field, text, hash)
                .map(move |at| offset + at)
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
            Arc::new(Chunk {
                elements,
                tables: Arc::clone(&chunk.tables),
            })
        } else {
            Chunk::of(elements)
        };
    }

    pub(super) fn insert(&mut self, at: usize, element: T) {
        let (index, inner) = self.place(at);
        let Some(chunk) = self.chunks.get_mut(index) else {
            return;
        };
        let mut elements = Vec::with_capacity(chunk.elements.len() + 1);
        elements.extend_from_slice(&chunk.elements);
        elements.insert(inner.min(elements.len()), element);
        let second = (elements.len() > 2 * self.size).then(|| elements.split_off(self.size));
        *chunk = Chunk::of(elements);
        self.len += 1;
        if let Some(second) = second {
            self.chunks.insert(index + 1, Chunk::of(second));
            self.balance();
        }
    }

    pub(super) fn remove(&mut self, at: usize) {
        let (index, inner) = self.place(at);
        let Some(chunk) = self
            .chunks
            .get_mut(index)
            .filter(|chunk| inner < chunk.elements.len())
        else {
            return;
        };
        let mut elements = chunk.elements.clone();
        elements.remove(inner);
        self.len -= 1;
        if elements.is_empty() {
            self.chunks.remove(index);
        } else {
            *chunk = Chunk::of(elements);
        }
    }

    /// Makes larger chunks when the number of elements has outgrown their size.
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
    fn positions(&self, field: Option<&str>, text: &str, hash: u64) -> impl Iterator<Item = usize> {
        let has_text = |&at: &usize| {
            self.elements
                .get(at)
                .and_then(|element| element.text(field))
                == Some(text)
        };
        let found: Vec<usize> = match self.table(field) {
            Some(table) => table.with(hash).filter(has_text).collect(),
            None => (0..self.elements.len()).filter(has_text).collect(),
        };
        found.into_iter()
    }

    fn table(&self, field: Option<&str>) -> Option<&Table> {
        let mut tables = self
            .tables
            .iter()
            .map(|table| table.get_or_init(|| Table::of(&self.elements, field)));
        tables.find(|table| table.field.as_deref() == field)
    }
}

impl Table {
    fn of(elements: &[impl Element], field: Option<&str>) -> Table {
        let texts = elements
            .iter()
            .enumerate()
            .filter_map(|(at, element)| Some((hash(element.text(field)?), at)));
        let mut places: Vec<_> = texts.collect();
        places.sort_unstable();
        Table {
            field: field.map(Box::from),
            places,
        }
    }

    /// The places of a hash, in order.
    fn with(&self, hash: u64) -> impl Iterator<Item = usize> {
        let start = self.places.partition_point(|(other, _)| *other < hash);
        let all = self.places.get(start..).unwrap_or_default().iter();
        all.take_while(move |(other, _)| *other == hash)
            .map(|(_, at)| *at)
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
