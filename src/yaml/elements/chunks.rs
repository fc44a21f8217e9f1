//! A sequence of elements in chunks, with a table of texts in each.
//!
//! ```text
//! chunks    [e0 e1 … e99]   [e100 … e199]   [e200 … e255]      about √n chunks, √n elements each
//! tables    text → index    text → index    text → index       built by the first search
//! ```
//!
//! A new version copies the list of chunks and the one chunk that changed: 2√n steps instead of n.
//! A search queries the table of every chunk, and after an edit only the table of the changed chunk
//! is built again.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, OnceLock};

/// The minimum size of a full chunk.
const SMALLEST: usize = 32;

/// The maximum number of tables of a chunk. Searches by any further field compare the elements one
/// by one.
const TABLES: usize = 4;

/// A child of a collection that can be found by a text.
pub trait Element: Clone {
    /// Returns the text by which the element is found. `field` names the entry of an item that has
    /// the text. `None` asks for the text of the element itself.
    fn text(&self, field: Option<&str>) -> Option<&str>;

    /// Returns a hash of the scalar under a key. Returns `None` unless the element is a mapping
    /// without merge keys that has the key exactly once, with a scalar. Equal values have equal
    /// hashes.
    fn only_hash(&self, _key: &str) -> Option<u64> {
        None
    }

    /// Returns whether `self` and `other` are certain to be found by the same texts.
    fn is_found_as(&self, other: &Self) -> bool;

    /// Returns whether the element is an entry whose key is a string and not a merge key. Such keys
    /// are equal if and only if their texts are.
    fn has_string_key(&self) -> bool {
        false
    }
}

/// The property by which elements are searched.
#[derive(Clone, Copy)]
pub(super) enum SearchedBy<'a> {
    /// [`Element::text`] with this field.
    Text(Option<&'a str>),
    /// [`Element::only_hash`] with this key.
    OnlyValue(&'a str),
}

impl SearchedBy<'_> {
    fn hash_of<T: Element>(self, element: &T) -> Option<u64> {
        match self {
            SearchedBy::Text(field) => element.text(field).map(hash),
            SearchedBy::OnlyValue(key) => element.only_hash(key),
        }
    }
}

pub(super) struct Chunks<T> {
    chunks: Vec<Arc<Chunk<T>>>,
    len: usize,
    /// The size of a full chunk. Insertions let a chunk grow to twice that before it is split.
    size: usize,
}

/// A run of consecutive elements.
pub(super) struct Chunk<T> {
    elements: Vec<T>,
    /// The tables. Versions whose elements are found by the same texts share them.
    tables: Arc<Tables>,
}

type Tables = [OnceLock<Arc<HashTable>>; TABLES];

/// An index of one chunk, or of a whole version, by one text or value of its elements.
pub(super) struct HashTable {
    field: Option<Box<str>>,
    /// Whether the table is for [`SearchedBy::OnlyValue`].
    is_of_values: bool,
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

    /// Returns the chunks in order.
    pub(super) fn all(&self) -> &[Arc<Chunk<T>>] {
        &self.chunks
    }

    /// Returns the element at an index.
    pub(super) fn get(&self, at: usize) -> Option<&T> {
        let (chunk, inner) = self.place(at);
        self.chunks.get(chunk)?.elements.get(inner)
    }

    /// Returns the chunk of the element at `at` and its index there. An index after the last
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
    /// Divides elements into about √n chunks of about √n elements.
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

    /// Returns all elements in one slice.
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
        // Different texts can have the same hash, so compare the texts.
        let candidates = self.with_hash(SearchedBy::Text(field), hash(text));
        candidates.filter(move |at| {
            let element = self.get(*at);
            element.is_some_and(|element| element.text(field) == Some(text))
        })
    }

    /// Returns the indices of the elements that have a hash, in order.
    pub(super) fn with_hash<'a>(
        &'a self,
        searched: SearchedBy<'a>,
        hash: u64,
    ) -> impl Iterator<Item = usize> + 'a {
        // One table for all elements would find a text in one step, but each edit would have to
        // build it again. With a table for each chunk, a search and an edit both take about √n
        // steps.
        let mut start = 0;
        self.chunks.iter().flat_map(move |chunk| {
            let offset = start;
            start += chunk.elements.len();
            let inner = chunk.with_hash(searched, hash).into_iter();
            inner.map(move |at| offset + at)
        })
    }

    /// Returns whether every element has the searched property.
    pub(super) fn all_have(&self, searched: SearchedBy<'_>) -> bool {
        self.chunks.iter().all(|chunk| chunk.all_have(searched))
    }

    /// Replaces the element at an index, in a copy of its chunk.
    pub(super) fn replace(&mut self, at: usize, element: T) {
        let (index, inner) = self.place(at);
        let Some(chunk) = self.chunks.get_mut(index) else {
            return;
        };
        let Some(old) = chunk.elements.get(inner) else {
            return;
        };
        let tables = tables_after(&chunk.tables, old, &element);
        // A chunk that no other version shares is changed in place.
        match Arc::get_mut(chunk) {
            Some(own) => {
                own.elements[inner] = element;
                own.tables = tables;
            }
            None => {
                let mut elements = chunk.elements.clone();
                elements[inner] = element;
                *chunk = Arc::new(Chunk { elements, tables });
            }
        }
    }

    /// Inserts before the element at `at`, or at the end.
    pub(super) fn insert(&mut self, at: usize, element: T) {
        let (index, inner) = self.place(at);
        let Some(chunk) = self.chunks.get_mut(index) else {
            return;
        };
        let mut elements = take_elements(chunk);
        elements.insert(inner.min(elements.len()), element);
        self.len += 1;

        // Chunks are split but never joined. Removals leave more and smaller chunks, which costs a
        // little time in each search and keeps removal simple.
        let is_too_large = elements.len() > 2 * self.size;
        let second_half = is_too_large.then(|| elements.split_off(self.size));
        *chunk = Chunk::of(elements);
        if let Some(second_half) = second_half {
            self.chunks.insert(index + 1, Chunk::of(second_half));
            self.balance();
        }
    }

    /// Removes the element at an index, from a copy of its chunk.
    pub(super) fn remove(&mut self, at: usize) {
        let (index, inner) = self.place(at);
        let Some(chunk) = self.chunks.get_mut(index) else {
            return;
        };
        if inner >= chunk.elements.len() {
            return;
        }
        let mut elements = take_elements(chunk);
        elements.remove(inner);
        self.len -= 1;
        if elements.is_empty() {
            self.chunks.remove(index);
        } else {
            *chunk = Chunk::of(elements);
        }
    }

    /// Chooses a new chunk size if the number of elements has outgrown it, so that the number of
    /// chunks stays in proportion to their size.
    fn balance(&mut self) {
        if self.chunks.len() > 4 * self.size {
            *self = Chunks::of(&self.to_slice());
        }
    }
}

/// Returns the elements of a chunk that is about to be replaced. They are moved if no other version
/// shares the chunk.
fn take_elements<T: Clone>(chunk: &mut Arc<Chunk<T>>) -> Vec<T> {
    match Arc::get_mut(chunk) {
        Some(own) => std::mem::take(&mut own.elements),
        None => chunk.elements.clone(),
    }
}

/// Returns the tables that are still valid after `new` replaces `old`.
fn tables_after<T: Element>(tables: &Arc<Tables>, old: &T, new: &T) -> Arc<Tables> {
    // The usual edit sets another value of an entry. Its key stays the same, so the tables do too.
    if new.is_found_as(old) {
        return Arc::clone(tables);
    }
    // The slots cannot be shared: a version that builds a further table would build it for all
    // versions.
    let kept: Tables = Default::default();
    let mut places = kept.iter();
    for table in tables.iter().filter_map(OnceLock::get) {
        let searched = table.searched();
        if searched.hash_of(old) == searched.hash_of(new)
            && let Some(place) = places.next()
        {
            place.get_or_init(|| Arc::clone(table));
        }
    }
    Arc::new(kept)
}

impl<T> Chunk<T> {
    /// Returns the elements of the chunk.
    pub(super) fn elements(&self) -> &[T] {
        &self.elements
    }

    fn of(elements: Vec<T>) -> Arc<Chunk<T>> {
        Arc::new(Chunk {
            elements,
            tables: Arc::default(),
        })
    }
}

impl<T: Element> Chunk<T> {
    fn with_hash(&self, searched: SearchedBy<'_>, hash: u64) -> Vec<usize> {
        match self.table(searched) {
            Some(table) => table.with_hash(hash).collect(),
            None => {
                let all = self.elements.iter().enumerate();
                all.filter(|(_, element)| searched.hash_of(*element) == Some(hash))
                    .map(|(at, _)| at)
                    .collect()
            }
        }
    }

    fn all_have(&self, searched: SearchedBy<'_>) -> bool {
        match self.table(searched) {
            Some(table) => table.places.len() == self.elements.len(),
            None => {
                let mut all = self.elements.iter();
                all.all(|element| searched.hash_of(element).is_some())
            }
        }
    }

    /// Returns the table for a search, building it in the first free slot. Returns `None` if other
    /// tables occupy all slots.
    fn table(&self, searched: SearchedBy<'_>) -> Option<&HashTable> {
        for place in &*self.tables {
            let table = place.get_or_init(|| Arc::new(HashTable::of(&self.elements, searched)));
            if table.is_for(searched) {
                return Some(table);
            }
        }
        None
    }
}

impl HashTable {
    /// Builds the table of elements. An element without the searched property is not in it.
    pub(super) fn of(elements: &[impl Element], searched: SearchedBy<'_>) -> HashTable {
        let mut places = Vec::new();
        for (at, element) in elements.iter().enumerate() {
            if let Some(hash) = searched.hash_of(element) {
                places.push((hash, at));
            }
        }
        places.sort_unstable();
        let (field, is_of_values) = match searched {
            SearchedBy::Text(field) => (field, false),
            SearchedBy::OnlyValue(key) => (Some(key), true),
        };
        HashTable {
            field: field.map(Box::from),
            is_of_values,
            places,
        }
    }

    /// Returns the property that the table is for.
    fn searched(&self) -> SearchedBy<'_> {
        match (&self.field, self.is_of_values) {
            (Some(key), true) => SearchedBy::OnlyValue(key),
            (field, _) => SearchedBy::Text(field.as_deref()),
        }
    }

    fn is_for(&self, searched: SearchedBy<'_>) -> bool {
        match searched {
            SearchedBy::Text(field) => !self.is_of_values && self.field.as_deref() == field,
            SearchedBy::OnlyValue(key) => self.is_of_values && self.field.as_deref() == Some(key),
        }
    }

    /// Returns the indices that have a hash, in order.
    pub(super) fn with_hash(&self, hash: u64) -> impl Iterator<Item = usize> {
        // The places are sorted by hash and then by index, so equal hashes are side by side and
        // their indices ascend.
        let start = self.places.partition_point(|(other, _)| *other < hash);
        let from_start = self.places.get(start..).unwrap_or_default().iter();
        from_start
            .take_while(move |(other, _)| *other == hash)
            .map(|(_, at)| *at)
    }
}

/// Returns the hash under which tables contain a text.
pub(super) fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
