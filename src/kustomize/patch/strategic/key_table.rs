//! A table of the merge keys of many items. A query finds the items with certain keys in one step.
//!
//! ```text
//! position   port    protocol
//! 0          80      -            [Text("80"), Any]        finds 0 and 1
//! 1          80      TCP          [Text("80"), Missing]    finds 0
//! 2          81      TCP          [Any, Text("TCP")]       finds 1 and 2
//! ```

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::source::steps;

/// The texts of the merge keys of an item; `None` for a missing key.
pub(super) type KeyRow = Vec<Option<Box<str>>>;

/// The condition of a query for one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WantedKey<'t> {
    /// The key may have any text, or be missing.
    Any,
    /// The item has the key, with any text.
    Present,
    /// The item does not have the key.
    Missing,
    /// The key has this text.
    Text(&'t str),
}

impl WantedKey<'_> {
    fn accepts(self, text: Option<&str>) -> bool {
        match self {
            WantedKey::Any => true,
            WantedKey::Present => text.is_some(),
            WantedKey::Missing => text.is_none(),
            WantedKey::Text(wanted) => text == Some(wanted),
        }
    }
}

/// The maximum number of keys of an index. There is one index for each set of keys that queries
/// use. Further keys are compared row by row. Kubernetes' own lists have at most four keys.
const INDEXED_KEYS: usize = 4;

/// The merge keys of items by position, with an index for each set of keys that a query has used.
#[derive(Debug, Default)]
pub(super) struct KeyTable {
    rows: Vec<Option<KeyRow>>,
    indexes: BTreeMap<Vec<usize>, HashMap<KeyRow, BTreeSet<usize>>>,
}

impl KeyTable {
    /// Returns the table of these rows.
    pub(super) fn new(rows: impl Iterator<Item = KeyRow>) -> KeyTable {
        KeyTable {
            rows: rows.map(Some).collect(),
            indexes: BTreeMap::new(),
        }
    }

    /// Adds a row at the end.
    pub(super) fn push(&mut self, row: KeyRow) {
        self.rows.push(None);
        self.put(self.rows.len() - 1, Some(row));
    }

    /// Replaces the row at a position, or removes it. The positions of the others stay.
    pub(super) fn put(&mut self, position: usize, row: Option<KeyRow>) {
        let old = std::mem::replace(&mut self.rows[position], row);
        for (keys, index) in &mut self.indexes {
            if let Some(old) = &old
                && let Some(positions) = index.get_mut(&projected(old, keys))
            {
                positions.remove(&position);
            }
            if let Some(row) = &self.rows[position] {
                index
                    .entry(projected(row, keys))
                    .or_default()
                    .insert(position);
            }
        }
    }

    /// Returns the positions of the rows that meet the conditions, in order.
    pub(super) fn matches<'s>(
        &'s mut self,
        wanted: &'s [WantedKey<'s>],
    ) -> impl Iterator<Item = usize> + 's {
        let (keys, texts) = indexed(wanted);
        if !self.indexes.contains_key(&keys) {
            let index = self.new_index(&keys);
            self.indexes.insert(keys.clone(), index);
        }
        let positions = self.indexes.get(&keys).and_then(|index| index.get(&texts));
        let rows = &self.rows;
        let positions = positions.into_iter().flatten().copied();
        positions.filter(move |position| {
            steps::count(1);
            rows[*position]
                .as_ref()
                .is_some_and(|row| is_wanted(row, wanted))
        })
    }

    fn new_index(&self, keys: &[usize]) -> HashMap<KeyRow, BTreeSet<usize>> {
        let mut index: HashMap<KeyRow, BTreeSet<usize>> = HashMap::new();
        for (position, row) in self.rows.iter().enumerate() {
            if let Some(row) = row {
                index
                    .entry(projected(row, keys))
                    .or_default()
                    .insert(position);
            }
        }
        index
    }
}

/// Returns the keys of the index for a query, and the texts that they must have.
fn indexed(wanted: &[WantedKey<'_>]) -> (Vec<usize>, KeyRow) {
    let exact = wanted
        .iter()
        .enumerate()
        .filter_map(|(key, wanted)| match wanted {
            WantedKey::Any | WantedKey::Present => None,
            WantedKey::Missing => Some((key, None)),
            WantedKey::Text(text) => Some((key, Some(Box::from(*text)))),
        });
    exact.take(INDEXED_KEYS).unzip()
}

fn projected(row: &KeyRow, keys: &[usize]) -> KeyRow {
    keys.iter().map(|key| row[*key].clone()).collect()
}

fn is_wanted(row: &KeyRow, wanted: &[WantedKey<'_>]) -> bool {
    let mut pairs = row.iter().zip(wanted);
    pairs.all(|(text, wanted)| wanted.accepts(text.as_deref()))
}

#[cfg(test)]
mod tests {
    use super::WantedKey::{Any, Missing, Present, Text};
    use super::*;

    fn row(texts: &[&str]) -> KeyRow {
        let text = |text: &&str| (*text != "-").then(|| Box::from(*text));
        texts.iter().map(text).collect()
    }

    #[test]
    fn finds_rows_by_any_of_their_keys() {
        let rows = [["80", "-"], ["80", "TCP"], ["81", "TCP"]];
        let mut table = KeyTable::new(rows.iter().map(|texts| row(texts)));
        let mut found =
            |wanted: [WantedKey<'static>; 2]| table.matches(&wanted).collect::<Vec<_>>();
        assert_eq!(found([Text("80"), Any]), [0, 1]);
        assert_eq!(found([Text("80"), Missing]), [0]);
        assert_eq!(found([Text("80"), Present]), [1]);
        assert_eq!(found([Any, Text("TCP")]), [1, 2]);
        assert_eq!(found([Any, Any]), [0, 1, 2]);
        table.put(0, Some(row(&["81", "UDP"])));
        table.put(1, None);
        table.push(row(&["80", "-"]));
        let mut found =
            |wanted: [WantedKey<'static>; 2]| table.matches(&wanted).collect::<Vec<_>>();
        assert_eq!(found([Text("80"), Any]), [3]);
        assert_eq!(found([Text("81"), Any]), [0, 2]);
        assert_eq!(found([Any, Text("TCP")]), [2]);
        assert_eq!(found([Any, Any]), [0, 2, 3]);
    }

    #[test]
    fn checks_the_keys_that_have_no_index() {
        let rows = [["a", "b", "c", "d", "e"], ["a", "b", "c", "d", "f"]];
        let mut table = KeyTable::new(rows.iter().map(|texts| row(texts)));
        let wanted = ["a", "b", "c", "d", "f"].map(Text);
        assert_eq!(table.matches(&wanted).collect::<Vec<_>>(), [1]);
    }
}
