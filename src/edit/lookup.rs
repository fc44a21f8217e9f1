//! Finds the children of a collection that a segment of a path addresses: entries by key, items by
//! index or by the value of a field.

use std::collections::HashMap;
use std::sync::Arc;

use super::path::PathSegment;
use crate::formats::DocumentFormat;
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::{Content, Entry, Mapping, Node, Sequence, is_merge};

/// Returns the entry of `mapping`, which is in a text of this format, with the key `name`, and its
/// index.
///
/// # Errors
/// Any key of the mapping that is repeated: parsers disagree on the meaning of such a mapping. In a
/// format of lines with text, only a repeated `name`: programs read the lines of `fetch` in a file
/// of git, or of `Environment` in one of systemd, as a list, and the other keys are not concerned.
pub(super) fn entry<'a>(
    mapping: &'a Mapping,
    name: &str,
    format: DocumentFormat,
) -> Result<Option<(usize, &'a Entry)>> {
    if !format.has_only_text() {
        refuse_duplicates(mapping)?;
    } else if let [first, second, ..] = mapping.entries.positions(None, name)[..]
        && let (Some(first), Some(second)) = (mapping.entries.at(first), mapping.entries.at(second))
    {
        return Err(duplicate(name, first, second));
    }
    Ok(mapping
        .position(name)
        .and_then(|at| Some((at, mapping.entries.at(at)?))))
}

/// The maximum size of a mapping whose keys are compared without a table.
const SMALL: usize = 8;

/// Refuses a mapping in which a key is repeated.
///
/// # Errors
/// [`Code::DuplicateKey`] at both entries.
pub fn refuse_duplicates(mapping: &Mapping) -> Result<()> {
    // The result is stored in the mapping: a thousand edits of a large mapping check it once.
    if mapping.entries.are_distinct() {
        return Ok(());
    }
    let keys = || {
        mapping
            .entries
            .iter()
            .filter_map(|entry| Some((entry.key.resolved().text()?, entry)))
    };
    // Most mappings are small, where a hash table costs more than comparing all pairs.
    if mapping.entries.len() <= SMALL {
        for (index, (key, entry)) in keys().enumerate() {
            if let Some((_, first)) = keys().take(index).find(|(earlier, _)| *earlier == key) {
                return Err(duplicate(key, first, entry));
            }
        }
        return Ok(());
    }
    let mut seen = HashMap::with_capacity(mapping.entries.len());
    for (key, entry) in keys() {
        if let Some(first) = seen.insert(key, entry) {
            return Err(duplicate(key, first, entry));
        }
    }
    mapping.entries.set_distinct();
    Ok(())
}

fn duplicate(key: &str, first: &Entry, second: &Entry) -> Box<Diagnostic> {
    Diagnostic::error(
        Code::DuplicateKey,
        format!("key `{key}` is given twice in one mapping"),
    )
    .at(second.key.location(), "given again here")
    .at(first.key.location(), "first given here")
    .help("remove one of the two: some programs use the first, others the last")
}

/// The minimum number of entries for each look-up at which a mapping gets no table of its own.
const ENTRIES_PER_LOOK_UP: usize = 8;

/// Finds the entries of a mapping by their keys.
pub enum KeyPositions<'a> {
    /// For few look-ups: uses the tables that versions of the mapping share.
    Shared(&'a Mapping),
    /// For many look-ups: a table of all keys.
    Own(HashMap<&'a str, usize>),
}

impl<'a> KeyPositions<'a> {
    /// Creates the positions of a mapping without equal keys, for `times` look-ups.
    pub fn new(mapping: &'a Mapping, times: usize) -> KeyPositions<'a> {
        if times * ENTRIES_PER_LOOK_UP <= mapping.entries.len() {
            return KeyPositions::Shared(mapping);
        }
        let mut positions = HashMap::with_capacity(mapping.entries.len());
        for (at, entry) in mapping.entries.iter().enumerate() {
            if let Some(key) = entry.key.resolved().text() {
                positions.insert(key, at);
            }
        }
        KeyPositions::Own(positions)
    }

    /// Returns the position of the entry with this key.
    pub fn get(&self, key: &str) -> Option<usize> {
        match self {
            KeyPositions::Shared(mapping) => mapping.position(key),
            KeyPositions::Own(positions) => positions.get(key).copied(),
        }
    }
}

/// Returns the value of the key `name` that `mapping` gets from its merge keys (`<<`).
pub fn merged<'a>(mapping: &'a Mapping, name: &str) -> Option<&'a Arc<Node>> {
    for position in mapping.entries.positions(None, "<<") {
        let entry = mapping.entries.at(position)?;
        if !is_merge(&entry.key) {
            continue;
        }
        let found = match &entry.value.resolved().content {
            Content::Mapping(source) => own_or_merged(source, name),
            Content::Sequence(sources) => sources.items.iter().find_map(|item| {
                let source = item.value.resolved().as_mapping()?;
                own_or_merged(source, name)
            }),
            Content::Scalar(_) | Content::Alias(_) => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

fn own_or_merged<'a>(mapping: &'a Mapping, name: &str) -> Option<&'a Arc<Node>> {
    mapping.get(name).or_else(|| merged(mapping, name))
}

/// Returns the indices of the items of `sequence` that `segment` addresses.
pub(super) fn items(sequence: &Sequence, segment: &PathSegment) -> Vec<usize> {
    let count = sequence.items.len();
    match segment {
        PathSegment::Wildcard => (0..count).collect(),
        // The walk evaluates queries.
        PathSegment::Query(_) => Vec::new(),
        PathSegment::Match { field, value } => sequence.items.positions(Some(field), value),
        PathSegment::Item(value) => sequence.items.positions(None, value),
        _ if segment.is_last() => count.checked_sub(1).into_iter().collect(),
        _ => segment
            .as_index()
            .filter(|&index| index < count)
            .into_iter()
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::{EditOptions, FieldPath, find};
    use crate::formats::Documents;
    use crate::source::Source;

    /// Returns the values of a path in a text, or the message.
    fn found(format: &str, text: &str, path: &str) -> Result<Vec<String>, String> {
        let source = Source::new("a", text).unwrap();
        let documents = Documents::read(&source, DocumentFormat::named(format)).unwrap();
        let options = EditOptions {
            text_format: documents.format(),
            ..EditOptions::default()
        };
        let path = FieldPath::parse(path).unwrap();
        match find(&documents.roots()[0], &path, &options) {
            Ok(found) => Ok(found
                .iter()
                .map(|found| found.node.text().unwrap_or_default().to_owned())
                .collect()),
            Err(failure) => Err(failure.diagnostic(String::new).message),
        }
    }

    #[test]
    fn a_repeated_key_of_lines_concerns_only_itself() {
        let twice = |key: &str| Err(format!("key `{key}` is given twice in one mapping"));
        let ini = "k = 1\nk = 2\nz = 3\n[remote]\nfetch = a\nfetch = b\nurl = c\n[z]\n";
        for (format, text, path, expected) in [
            ("ini", ini, "remote.url", Ok(vec!["c".to_owned()])),
            ("ini", ini, "remote.fetch", twice("fetch")),
            ("ini", ini, "k", twice("k")),
            ("ini", ini, "z", twice("z")),
            ("ini", ini, "remote.*", twice("fetch")),
            ("env", "a=1\na=2\nb=3\n", "b", Ok(vec!["3".to_owned()])),
            ("properties", "a=1\na=2\nb=3\n", "a", twice("a")),
            ("yaml", "a: 1\na: 2\nb: 3\n", "b", twice("a")),
            ("json", "{\"a\": 1, \"a\": 2, \"b\": 3}", "b", twice("a")),
        ] {
            assert_eq!(found(format, text, path), expected, "{format}: {path}");
        }
    }
}
