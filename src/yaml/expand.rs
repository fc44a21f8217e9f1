//! Expands everything in a tree that refers to something else. The values stay the same, but not
//! their spelling.
//!
//! ```text
//! a: &x {k: 1, l: 2}         a: {k: 1, l: 2}
//! b: *x                      b: {k: 1, l: 2}          an alias becomes its target
//! c: {<<: *x, k: 3}    ->    c: {k: 3, l: 2}          a merge key becomes the merged entries:
//!                                                     the last of equal keys is used,
//!                                                     at the place of the first
//! ```
//!
//! These are the rules of [`canonical`](mod@super::canonical) printing. Nodes that need no change
//! are shared.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::canonical::scalar::scalar;
use super::canonical_node;
use super::elements::Elements;
use super::limits::AliasBudget;
use super::merge_key::is_merge;
use super::node::{Content, Entry, Item, Mapping, Node, Sequence};
use crate::source::Result;

/// Expands the aliases, merge keys and equal keys of a tree.
///
/// # Errors
/// As [`canonical_node`].
pub fn expand(node: &Arc<Node>) -> Result<Arc<Node>> {
    Expander::of_tree(EqualKeys::ByValue).node(node)
}

/// Expands the aliases and merge keys of a tree whose keys are compared by their spelling: `y`,
/// `on` and `true` are three keys. If a spelling is repeated, the last entry is used.
///
/// # Errors
/// As [`expand`].
pub fn expand_by_spelling(node: &Arc<Node>) -> Result<Arc<Node>> {
    Expander::of_tree(EqualKeys::BySpelling).node(node)
}

/// Expands the aliases and merge keys of a tree as kustomize does: a written entry is never
/// replaced by a merged one, and the first of several merged ones is used. Equal keys that are
/// written stay, since they are a mistake. The value of a merge key may be a list of mappings.
///
/// ```text
/// a: 1                          a: 1
/// <<: [{a: 2, b: 3}, {b: 4}]    b: 3
/// ```
///
/// # Errors
/// As [`canonical_node`].
pub fn expand_written_first(node: &Arc<Node>) -> Result<Arc<Node>> {
    Expander::of_tree(EqualKeys::WrittenFirst).node(node)
}

/// Expands the merge keys and equal keys of one mapping. Its keys and values stay as they are.
/// Borrowed if there is nothing to expand, which is nearly always.
///
/// # Errors
/// As [`expand`].
pub fn effective_entries(mapping: &Mapping) -> Result<Cow<'_, Elements<Entry>>> {
    if is_as_written(mapping) {
        return Ok(Cow::Borrowed(&mapping.entries));
    }
    let mut entries = Vec::with_capacity(mapping.entries.len());
    let mut expander = Expander {
        budget: AliasBudget::default(),
        is_deep: false,
        keys: EqualKeys::ByValue,
    };
    expander.collect(mapping, &mut entries)?;
    let entries = last_of_equals(entries)?;
    Ok(Cow::Owned(entries.into()))
}

/// Returns whether a mapping is certain to have no merge key and no equal keys.
///
/// This is the quick check that saves most mappings the expansion. Strings with different texts are
/// different keys. Other keys can be equal although they are written differently (`1` and `0x1`),
/// so only one of them is allowed.
pub(super) fn is_as_written(mapping: &Mapping) -> bool {
    // The result is remembered: a thousand overlays on one large mapping check it once.
    if mapping.entries.are_plain() {
        return true;
    }
    /// Up to this many keys are compared with each other, which is faster than hashing them.
    const FEW: usize = 8;
    let mut other_keys = 0;
    let mut texts: Vec<&str> = Vec::with_capacity(mapping.entries.len());
    for entry in &mapping.entries {
        match entry.key.as_str() {
            // `<<` is a merge key or a string, depending on its quotes and its tag. Both are rare.
            Some("<<") | None => other_keys += 1,
            Some(text) => texts.push(text),
        }
        let is_alias = matches!(entry.key.content, Content::Alias(_));
        if other_keys > 1 || is_alias || is_merge(&entry.key) {
            return false;
        }
    }
    if texts.len() <= FEW {
        let mut places = texts.iter().enumerate();
        return places.all(|(place, text)| !texts[..place].contains(text));
    }
    let mut known = HashSet::with_capacity(texts.len());
    let are_distinct = texts.into_iter().all(|text| known.insert(text));
    if are_distinct && other_keys == 0 {
        mapping.entries.set_plain();
    }
    are_distinct
}

/// Returns whether a large mapping is certain to have no merge key and no equal keys, and only
/// string keys. The answer is remembered, also for versions of the mapping that add only such keys.
pub fn has_plain_keys(mapping: &Mapping) -> bool {
    is_as_written(mapping) && mapping.entries.are_plain()
}

/// Returns the entries of a mapping whose keys are text, as in JSON. If a spelling is repeated, the
/// last entry is used, at the place of the first. There are no merge keys, and `y` and `on` are two
/// keys.
pub fn effective_text_entries(mapping: &Mapping) -> Cow<'_, Elements<Entry>> {
    if mapping.entries.are_distinct() {
        return Cow::Borrowed(&mapping.entries);
    }
    match last_of_same_spelling(&mapping.entries) {
        Some(kept) => Cow::Owned(kept.into()),
        None => {
            mapping.entries.set_distinct();
            Cow::Borrowed(&mapping.entries)
        }
    }
}

/// Keeps the last of the entries whose keys have the same text, at the place of the first. Returns
/// `None` if all entries are kept.
fn last_of_same_spelling<'e>(entries: impl IntoIterator<Item = &'e Entry>) -> Option<Vec<Entry>> {
    let mut count = 0;
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut kept: Vec<&Entry> = Vec::new();
    for entry in entries {
        count += 1;
        // A key that is a collection has no text and equals no other key.
        let place = entry
            .key
            .resolved()
            .text()
            .map(|text| *places.entry(text).or_insert(kept.len()));
        match place {
            Some(place) if place < kept.len() => kept[place] = entry,
            _ => kept.push(entry),
        }
    }
    if kept.len() == count {
        return None;
    }
    Some(kept.into_iter().cloned().collect())
}

/// The rule that decides which keys are equal, and which of their entries is used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EqualKeys {
    /// Keys with the same value, such as `y` and `true`. The last one is used.
    ByValue,
    /// Keys with the same text. The last one is used.
    BySpelling,
    /// Keys with the same text. A written one is used, or else the one that is merged first.
    WrittenFirst,
}

struct Expander {
    keys: EqualKeys,
    budget: AliasBudget,
    /// Whether keys and values are expanded too.
    is_deep: bool,
}

impl Expander {
    /// Creates an expander that expands everything in a tree.
    fn of_tree(keys: EqualKeys) -> Expander {
        Expander {
            keys,
            budget: AliasBudget::default(),
            is_deep: true,
        }
    }

    fn node(&mut self, node: &Arc<Node>) -> Result<Arc<Node>> {
        let target = node.resolved();
        let is_alias = !Arc::ptr_eq(node, target);
        if is_alias {
            self.budget.enter_alias();
        }
        // Spend the budget before anything is built: a bomb of aliases must fail while it is still
        // small.
        let bytes = target.text().map_or(0, str::len);
        self.budget.spend(bytes, || node.location())?;
        let expanded = match &target.content {
            Content::Scalar(_) | Content::Alias(_) => Arc::clone(target),
            Content::Sequence(sequence) => {
                self.budget.enter(|| node.location())?;
                let items = self.items(sequence)?;
                self.budget.leave();
                match items {
                    Some(items) => target.with_items(items),
                    None => Arc::clone(target),
                }
            }
            Content::Mapping(mapping) => {
                self.budget.enter(|| node.location())?;
                let entries = self.entries(mapping)?;
                self.budget.leave();
                match entries {
                    Some(entries) => target.with_entries(entries),
                    None => Arc::clone(target),
                }
            }
        };
        if is_alias {
            self.budget.leave_alias();
        }
        Ok(expanded)
    }

    /// Expands the items; `None` if none of them changes.
    fn items(&mut self, sequence: &Sequence) -> Result<Option<Vec<Item>>> {
        let mut is_changed = false;
        let mut items = Vec::with_capacity(sequence.items.len());
        for item in &sequence.items {
            let value = self.node(&item.value)?;
            is_changed |= !Arc::ptr_eq(&value, &item.value);
            items.push(Item {
                start: item.start,
                value,
            });
        }
        Ok(is_changed.then_some(items))
    }

    /// Expands the entries; `None` if none of them changes.
    fn entries(&mut self, mapping: &Mapping) -> Result<Option<Vec<Entry>>> {
        let mut entries = Vec::with_capacity(mapping.entries.len());
        let entries = match self.keys {
            EqualKeys::ByValue => {
                self.collect(mapping, &mut entries)?;
                last_of_equals(entries)?
            }
            EqualKeys::BySpelling => {
                self.collect(mapping, &mut entries)?;
                last_of_same_spelling(&entries).unwrap_or(entries)
            }
            EqualKeys::WrittenFirst => {
                let mut known = HashSet::new();
                self.collect_written_first(mapping, &mut known, &mut entries)?;
                entries
            }
        };
        let is_unchanged = entries.len() == mapping.entries.len()
            && entries.iter().zip(&mapping.entries).all(is_same_entry);
        Ok((!is_unchanged).then_some(entries))
    }

    /// Adds the entries of a mapping, with the merged entries in the place of each merge key.
    fn collect(&mut self, mapping: &Mapping, entries: &mut Vec<Entry>) -> Result<()> {
        for entry in &mapping.entries {
            if is_merge(&entry.key) {
                self.merge(&entry.value, entries)?;
            } else if self.is_deep {
                entries.push(Entry {
                    key: self.node(&entry.key)?,
                    value: self.node(&entry.value)?,
                });
            } else {
                // Keys and values are shared, but the list of entries grows by each merged alias.
                self.budget.spend(0, || entry.key.location())?;
                entries.push(entry.clone());
            }
        }
        Ok(())
    }

    /// Adds the entries of a mapping whose keys are not in `known`, and then its merged entries.
    fn collect_written_first<'n>(
        &mut self,
        mapping: &'n Mapping,
        known: &mut HashSet<&'n str>,
        entries: &mut Vec<Entry>,
    ) -> Result<()> {
        let entries_of_mapping = mapping.entries.iter();
        let (merges, written): (Vec<&Entry>, Vec<&Entry>) =
            entries_of_mapping.partition(|entry| is_merge(&entry.key));
        for entry in &written {
            let text = entry.key.resolved().text();
            if text.is_none_or(|text| !known.contains(text)) {
                entries.push(Entry {
                    key: self.node(&entry.key)?,
                    value: self.node(&entry.value)?,
                });
            }
        }
        // Not earlier, because equal keys that are written in this mapping are all kept.
        let texts = written.iter().map(|entry| entry.key.resolved().text());
        known.extend(texts.flatten());
        for merge in merges {
            let values = match &merge.value.resolved().content {
                Content::Sequence(list) => list.items.iter().map(|item| &item.value).collect(),
                _ => vec![&merge.value],
            };
            for value in values {
                let merged = self.budget.enter_merged(value)?;
                self.collect_written_first(merged.mapping, known, entries)?;
                self.budget.leave_merged(&merged);
            }
        }
        Ok(())
    }

    /// Adds the entries of the mapping that a merge key refers to.
    fn merge(&mut self, value: &Arc<Node>, entries: &mut Vec<Entry>) -> Result<()> {
        let merged = self.budget.enter_merged(value)?;
        self.collect(merged.mapping, entries)?;
        self.budget.leave_merged(&merged);
        Ok(())
    }
}

fn is_same_entry((new, old): (&Entry, &Entry)) -> bool {
    Arc::ptr_eq(&new.key, &old.key) && Arc::ptr_eq(&new.value, &old.value)
}

/// Keeps the last of the entries with equal keys, at the place of the first. Keys are equal if they
/// are printed equally, except for a float and an integer: `1.0` and `1` are two keys.
fn last_of_equals(entries: Vec<Entry>) -> Result<Vec<Entry>> {
    // `order` has the index of the entry to keep for each different key. `places` has the position
    // of each key in `order`.
    let mut places: HashMap<(Cow<'_, str>, bool), usize> = HashMap::with_capacity(entries.len());
    let mut order = Vec::with_capacity(entries.len());
    for (index, entry) in entries.iter().enumerate() {
        // The printed text of a key, with a mark for floats, which would otherwise equal integers.
        let key = match entry.key.as_scalar() {
            Some(_) => {
                let spelling = scalar(&entry.key, 0)?;
                (spelling.text, spelling.is_float)
            }
            None => (Cow::Owned(canonical_node(&entry.key)?), false),
        };
        let place = *places.entry(key).or_insert(order.len());
        match order.get_mut(place) {
            Some(last) => *last = index,
            None => order.push(index),
        }
    }
    if order.len() == entries.len() {
        return Ok(entries);
    }
    let mut kept = Vec::with_capacity(order.len());
    for index in order {
        kept.push(entries[index].clone());
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Code, Source};
    use crate::yaml::parse;

    fn root(text: &str) -> Arc<Node> {
        Arc::clone(
            &parse(&Source::new("test.yml", text).unwrap())
                .unwrap()
                .documents[0]
                .root,
        )
    }

    #[test]
    fn an_expanded_tree_prints_as_the_original() {
        let table = [
            "a: &x {b: 1, c: [1, *y]}\nd: *x".replace("*y", "2"),
            "a: &x {b: 1}\nc: {<<: *x, d: 2, b: 3}\n".to_owned(),
            "a: &x {b: 1}\nc: {<<: {<<: *x}}\n".to_owned(),
            "a: 1\nb: 2\na: 3\n'1': x\n1: y\n1.0: z\n".to_owned(),
            "[&k a, *k]: 1\n[a, a]: 2\n".to_owned(),
        ];
        for text in table {
            let tree = root(&text);
            let expanded = expand(&tree).unwrap();
            assert_eq!(
                canonical_node(&expanded).unwrap(),
                canonical_node(&tree).unwrap(),
                "{text}"
            );
            assert!(!has_aliases(&expanded), "{text}");
        }
    }

    fn has_aliases(node: &Node) -> bool {
        match &node.content {
            Content::Alias(_) => true,
            Content::Scalar(_) => false,
            Content::Sequence(sequence) => {
                sequence.items.iter().any(|item| has_aliases(&item.value))
            }
            Content::Mapping(mapping) => mapping
                .entries
                .iter()
                .any(|entry| has_aliases(&entry.key) || has_aliases(&entry.value)),
        }
    }

    #[test]
    fn shares_a_tree_with_nothing_to_expand() {
        let tree = root("a: [1, {b: 2}]\nc: x\n");
        assert!(Arc::ptr_eq(&tree, &expand(&tree).unwrap()));
    }

    #[test]
    fn written_entries_come_before_merged_ones() {
        let table = [
            ("a: 1\n<<: {a: 2, b: 3}\n", "a: 1\nb: 3\n"),
            (
                "<<: [{a: 2, b: 3}, {b: 4, c: 5}]\na: 1\n",
                "a: 1\nb: 3\nc: 5\n",
            ),
            (
                "x: &x {a: {<<: {b: 1}}}\nz: *x\n",
                "x:\n  a:\n    b: 1\nz:\n  a:\n    b: 1\n",
            ),
        ];
        for (text, expected) in table {
            let expanded = expand_written_first(&root(text)).unwrap();
            assert_eq!(canonical_node(&expanded).unwrap(), expected, "{text}");
        }
        let tree = root("a: 1\na: 2\n");
        assert!(Arc::ptr_eq(&tree, &expand_written_first(&tree).unwrap()));
    }

    #[test]
    fn bounds_the_nodes_that_aliases_expand_to() {
        let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..7 {
            let before = format!("*a{}, ", level - 1).repeat(10);
            text.push_str(&format!("a{level}: &a{level} [{before}]\n"));
        }
        let parsed = parse(&Source::new("test.yml", text).unwrap());
        let outcome = parsed.and_then(|stream| expand(&stream.documents[0].root));
        assert_eq!(outcome.unwrap_err().code, Code::Limit);
    }
}
