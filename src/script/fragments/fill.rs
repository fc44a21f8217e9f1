//! Puts the values of expressions into the holes of a pattern.
//!
//! ```text
//! pattern   {b: □, c: [1, □]}     values   2, "x"     node   {b: 2, c: [1, "x"]}
//! ```

use std::sync::Arc;

use starlark::values::{Heap, Value, ValueLike};

use super::annotation::Annotations;
use super::mapping::MappingBuilder;
use super::part::{Built, Pattern};
use crate::provenance::HoleRead;
use crate::script::failure::Failure;
use crate::script::reads;
use crate::script::value::{
    Replacement, ReplacementContent, ScalarKey, SizedNode, to_computed_node,
};
use crate::source::{Location, Source, Span};
use crate::yaml::{CollectionStyle, Content, Entry, Item, Mapping, Node, Sequence};

/// The values that were not put into a hole yet.
pub(super) struct HoleValues<'a, 'v> {
    values: std::slice::Iter<'a, Value<'v>>,
    pub(super) heap: Heap<'v>,
    /// The data values that the expression of each value read, if the build is recorded.
    reads: std::vec::IntoIter<Vec<HoleRead>>,
    /// The approximate number of bytes that the used values take.
    pub(super) made: usize,
}

impl<'a, 'v> HoleValues<'a, 'v> {
    /// Creates the values for the holes of a part, in the order of the holes. `reads` contains the
    /// data values that each of them read, or is empty.
    pub(super) fn new(
        values: &'a [Value<'v>],
        heap: Heap<'v>,
        reads: Vec<Vec<HoleRead>>,
    ) -> HoleValues<'a, 'v> {
        HoleValues {
            values: values.iter(),
            heap,
            reads: reads.into_iter(),
            made: 0,
        }
    }

    /// Returns the values that were not consumed yet.
    pub(super) fn rest(&self) -> &'a [Value<'v>] {
        self.values.as_slice()
    }

    fn node(&mut self, value: Value<'v>) -> starlark::Result<Arc<Node>> {
        let SizedNode { node, made, .. } = to_computed_node(value, self.heap)?;
        self.made = self.made.saturating_add(made);
        Ok(node)
    }

    fn next(&mut self) -> Result<Value<'v>, Failure> {
        self.values
            .next()
            .copied()
            .ok_or_else(|| Failure::new("expected a value for every hole of the part"))
    }

    /// Returns the node of a value. `place` is the place of its expression, at which errors are
    /// shown.
    fn node_at(
        &mut self,
        value: Value<'v>,
        source: &Arc<Source>,
        place: Span,
    ) -> starlark::Result<Arc<Node>> {
        let reads = self.reads.next();
        match self.node(value) {
            Ok(node) => {
                if let Some(reads) = reads {
                    reads::hole(&node, Location::new(source, place), reads);
                }
                Ok(node)
            }
            Err(error) => Err(Failure::locate(error, Location::new(source, place))),
        }
    }

    /// Records the values in a collection whose parts replace the next hole.
    pub(super) fn record_children(&mut self, collection: &Arc<Node>, place: Location) {
        let Some(reads) = self.reads.next() else {
            return;
        };
        for child in collection.resolved().children() {
            reads::hole(child, place.clone(), reads.clone());
        }
    }
}

/// Returns the node of a template's pattern, with the next values in its holes.
///
/// # Errors
/// Fails for a value that YAML cannot represent, and for a replacement where a whole value is
/// expected.
fn fill(
    pattern: &Pattern,
    values: &mut HoleValues<'_, '_>,
    source: &Arc<Source>,
    overriding: Overriding<'_>,
) -> starlark::Result<Arc<Node>> {
    match pattern {
        Pattern::Shared(node) => Ok(Arc::clone(node)),
        Pattern::Hole(place) => {
            let value = values.next()?;
            if value.downcast_ref::<Replacement>().is_some() {
                return Err(misplaced());
            }
            values.node_at(value, source, *place)
        }
        Pattern::Mapping { base, entries } => {
            fill_mapping(base, entries, values, source, overriding)
        }
        Pattern::Sequence { base, items } => fill_sequence(base, items, values, source, overriding),
    }
}

/// Decides which entries may replace an earlier one with the same key.
#[derive(Clone, Copy)]
pub(super) struct Overriding<'a> {
    /// The annotations, which allow it for single entries of a fragment.
    pub(super) annotations: &'a Annotations,
    /// Whether every entry may replace an earlier one.
    pub(super) implicit: bool,
}

/// The content for a hole: a node, or several entries or items that replace the one with the hole.
pub(super) enum Filling {
    Node(Arc<Node>),
    /// A collection whose parts replace the hole's entry or item, and whether all of them may
    /// override earlier keys.
    Replacement(Arc<Node>, bool),
}

/// Fills a pattern that is the whole value of an entry, an item or a document. Only such a value
/// may be a replacement.
pub(super) fn filling(
    pattern: &Pattern,
    values: &mut HoleValues<'_, '_>,
    source: &Arc<Source>,
    overriding: Overriding<'_>,
) -> starlark::Result<Filling> {
    // Only a hole that is the whole value can be replaced by several parts. Inside a pattern,
    // `fill` handles the holes.
    let Pattern::Hole(place) = pattern else {
        return fill(pattern, values, source, overriding).map(Filling::Node);
    };
    let value = values.next()?;
    let Some(replacement) = value.downcast_ref::<Replacement>() else {
        return values.node_at(value, source, *place).map(Filling::Node);
    };
    let place = Location::new(source, *place);
    match replacement.content.collection() {
        Ok((node, is_silent)) => {
            values.record_children(node, place);
            Ok(Filling::Replacement(Arc::clone(node), is_silent))
        }
        Err(failure) => Err(Failure::locate(failure.into(), place)),
    }
}

fn fill_mapping(
    base: &Arc<Node>,
    entries: &[(Arc<Node>, Pattern)],
    values: &mut HoleValues<'_, '_>,
    source: &Arc<Source>,
    overriding: Overriding<'_>,
) -> starlark::Result<Arc<Node>> {
    let mut filled: Vec<FilledEntry> = Vec::with_capacity(entries.len());
    // Only a spliced entry can repeat a key: the keys of the pattern are distinct.
    let mut is_spliced = false;
    for (key, pattern) in entries {
        match filling(pattern, values, source, overriding)? {
            Filling::Node(value) => {
                let key = Arc::clone(key);
                filled.push(FilledEntry::own(Entry { key, value }));
            }
            Filling::Replacement(node, is_silent) => {
                is_spliced = true;
                filled.extend(spliced_entries(&node, is_silent, overriding)?);
            }
        }
    }
    // Checked once, at the end: a spliced entry can collide with a key before or after it.
    let entries = match is_spliced {
        true => distinct(filled, overriding)?.into(),
        false => filled.into_iter().map(|filled| filled.entry).collect(),
    };
    Ok(base.with_content(Content::Mapping(Mapping {
        is_computed: false,
        style: style(base),
        entries,
    })))
}

/// An entry of a mapping that is being made.
struct FilledEntry {
    entry: Entry,
    /// Whether it may replace an earlier entry with the same key.
    overrides: bool,
}

impl FilledEntry {
    /// Returns an entry that the template writes in its own place.
    fn own(entry: Entry) -> FilledEntry {
        FilledEntry {
            entry,
            overrides: false,
        }
    }
}

/// Returns the entries of a mapping that replaces one entry. If `is_silent` is set, all of them may
/// override earlier entries.
///
/// # Errors
/// Fails for a node that is not a mapping.
fn spliced_entries(
    mapping: &Arc<Node>,
    is_silent: bool,
    overriding: Overriding<'_>,
) -> Result<Vec<FilledEntry>, Failure> {
    let mut spliced = Vec::new();
    for entry in entries_to_splice(mapping)? {
        spliced.push(FilledEntry {
            overrides: is_silent || overriding.annotations.overrides(&entry.key),
            entry: entry.clone(),
        });
    }
    Ok(spliced)
}

/// Checks that each key occurs once, and returns the entries that remain. An entry that may override
/// replaces an earlier one; if `overriding` is implicit, every entry may.
fn distinct(entries: Vec<FilledEntry>, overriding: Overriding<'_>) -> Result<Vec<Entry>, Failure> {
    let mut mapping = MappingBuilder::default();
    for FilledEntry { entry, overrides } in entries {
        let key = ScalarKey::of(&entry.key);
        mapping.claim(key.as_ref(), overrides || overriding.implicit)?;
        mapping.push(key, entry);
    }
    Ok(mapping.finish())
}

fn fill_sequence(
    base: &Arc<Node>,
    items: &[(Option<u32>, Pattern)],
    values: &mut HoleValues<'_, '_>,
    source: &Arc<Source>,
    overriding: Overriding<'_>,
) -> starlark::Result<Arc<Node>> {
    let mut filled: Vec<Item> = Vec::with_capacity(items.len());
    for (start, pattern) in items {
        match filling(pattern, values, source, overriding)? {
            Filling::Node(value) => filled.push(Item {
                start: *start,
                value,
            }),
            Filling::Replacement(node, _) => filled.extend(items_to_splice(&node)?.iter().cloned()),
        }
    }
    Ok(base.with_content(Content::Sequence(Sequence {
        is_computed: false,
        style: style(base),
        items: filled.into(),
    })))
}

/// Replaces the last entry or item inside a value, as deep as the template writes it, by the parts
/// of `by`. Returns `None` if there is nothing inside: the value is a scalar, or code made it.
///
/// ```text
/// value   {b: 1, c: [2, 3]}     by   [4, 5]     new value   {b: 1, c: [2, 4, 5]}
/// ```
///
/// `is_silent` says whether entries of `by` may override earlier ones.
///
/// # Errors
/// Fails for an empty collection, and if `by` does not fit.
pub(super) fn replace_last(
    pattern: &Pattern,
    value: &Arc<Node>,
    by: &Arc<Node>,
    is_silent: bool,
    overriding: Overriding<'_>,
) -> Result<Option<Arc<Node>>, Failure> {
    if matches!(pattern, Pattern::Hole(_)) {
        return Ok(None);
    }
    // A collection without holes is shared, and so is everything inside it.
    let inner = |child: &Arc<Node>| match pattern {
        Pattern::Mapping { entries, .. } => entries.last().map(|(_, pattern)| pattern.clone()),
        Pattern::Sequence { items, .. } => items.last().map(|(_, pattern)| pattern.clone()),
        Pattern::Shared(_) | Pattern::Hole(_) => Some(Pattern::Shared(Arc::clone(child))),
    };
    let replaced = |child: &Arc<Node>| match inner(child) {
        Some(pattern) => replace_last(&pattern, child, by, is_silent, overriding),
        None => Ok(None),
    };
    let base = value.resolved();
    let content = match &base.content {
        Content::Mapping(mapping) => {
            let Some((last, before)) = mapping.entries.split_last() else {
                return Err(nothing_to_replace("an empty mapping"));
            };
            let mut entries: Vec<FilledEntry> =
                before.iter().cloned().map(FilledEntry::own).collect();
            match replaced(&last.value)? {
                Some(value) => {
                    let key = Arc::clone(&last.key);
                    entries.push(FilledEntry::own(Entry { key, value }));
                }
                None => entries.extend(spliced_entries(by, is_silent, overriding)?),
            }
            Content::Mapping(Mapping {
                is_computed: false,
                style: mapping.style,
                entries: distinct(entries, overriding)?.into(),
            })
        }
        Content::Sequence(sequence) => {
            let Some((last, before)) = sequence.items.split_last() else {
                return Err(nothing_to_replace("an empty list"));
            };
            let mut items = before.to_vec();
            match replaced(&last.value)? {
                Some(value) => items.push(Item {
                    start: last.start,
                    value,
                }),
                None => items.extend(items_to_splice(by)?.iter().cloned()),
            }
            Content::Sequence(Sequence {
                is_computed: false,
                style: sequence.style,
                items: items.into(),
            })
        }
        Content::Scalar(_) | Content::Alias(_) => return Ok(None),
    };
    Ok(Some(base.with_content(content)))
}

/// Returns whether the template writes entries or items inside a value.
pub(super) fn has_parts_inside(pattern: &Pattern, value: &Arc<Node>) -> bool {
    let is_written = !matches!(pattern, Pattern::Hole(_));
    let content = &value.resolved().content;
    is_written && matches!(content, Content::Mapping(_) | Content::Sequence(_))
}

/// The failure of `template.replace` below a node that was replaced.
pub(super) fn already_replaced() -> Failure {
    Failure::new(
        "expected a node above `template.replace` that is not replaced yet, found the place of a \
         replaced one",
    )
    .help("pass all entries, items or documents to one call of `template.replace`")
}

/// The failure of a result of `template.replace` that has replaced another node.
pub(super) fn replaces_another() -> Failure {
    Failure::new(
        "expected a value, found a result of `template.replace` that has already replaced the node \
         above its call",
    )
    .help("keep the value in the variable, and call `template.replace` here")
}

/// The failure of `template.replace` in text.
pub(super) fn no_node_in_text() -> Failure {
    Failure::new("expected `template.replace` in a template of nodes, found it in a text")
        .help("write the text with `(@= … @)`")
}

/// The failure of `template.replace` as a statement at a place where no node ends.
pub(super) fn nothing_to_replace(found: &str) -> Failure {
    Failure::new(format!(
        "expected a document, an entry or an item above `template.replace`, found {found}"
    ))
    .help("write it as the value of the node to replace: `_: #@ template.replace(…)`")
}

/// Returns the style of a parsed collection.
pub(super) fn style(base: &Node) -> CollectionStyle {
    match &base.content {
        Content::Mapping(mapping) => mapping.style,
        Content::Sequence(sequence) => sequence.style,
        _ => CollectionStyle::Block,
    }
}

/// Returns the entries that replace an entry.
pub(super) fn entries_to_splice(node: &Arc<Node>) -> Result<&[Entry], Failure> {
    match node.as_mapping() {
        Some(mapping) => Ok(&mapping.entries),
        None => Err(unfit("mapping", "an entry of a mapping", node)),
    }
}

/// Returns the items that replace an item.
pub(super) fn items_to_splice(node: &Arc<Node>) -> Result<&[Item], Failure> {
    match node.as_sequence() {
        Some(sequence) => Ok(&sequence.items),
        None => Err(unfit("list", "an item of a list", node)),
    }
}

/// Returns the documents of a list or a document set that replace a document.
pub(super) fn documents_to_splice(content: &ReplacementContent) -> Result<Vec<Built>, Failure> {
    if let ReplacementContent::Documents(documents) = content {
        return Ok(documents.to_vec());
    }
    let (node, _) = content.collection()?;
    let Some(sequence) = node.as_sequence() else {
        return Err(unfit("list or a document set", "a document", node));
    };
    let documents = sequence.items.iter().map(|item| Built {
        root: Arc::clone(&item.value),
        place: None,
        annotations: Vec::new(),
    });
    Ok(documents.collect())
}

fn unfit(expected: &str, place: &str, found: &Node) -> Failure {
    Failure::new(format!(
        "expected a {expected} to replace {place}, found {}",
        found.described()
    ))
}

fn misplaced() -> starlark::Error {
    Failure::new("expected `template.replace` as the value of a document, an entry or an item")
        .into()
}
