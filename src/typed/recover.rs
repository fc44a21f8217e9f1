//! Reads a configuration to its end, so that one run reports every mistake in it.
//!
//! serde stops at the first mistake. So [`read`] reports it, removes the wrong part from a copy of
//! the tree, and reads the copy again, until there are no more mistakes:
//!
//! ```text
//! steps:                 steps:                 steps:
//! - run: 1               - {}                   - {}
//! - rum: a               - rum: a               - {}
//!
//! round 1: `1` is not    round 2: `run` is      round 3: `rum` is unknown: reported, its entry cut
//! a string: reported,    missing in `{}`, but
//! its entry cut          only because of the
//!                        cut: not reported,
//!                        the item cut
//! ```
//!
//! Two trees shrink together. `remaining` loses as little as possible, so that the next round still
//! finds the mistakes near the last one. `sound` loses the whole outermost list item (a
//! replacement, a patch), because half an item must not be read as a complete one. The value that
//! can be read from `sound` is returned.

use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::deserializer::{FieldReading, NodeDeserializer, SkippedKeys};
use super::error::ConfigError;
use super::path::{ConfigPath, ConfigStep};
use crate::source::{Code, Diagnostic, Diagnostics, Reported};
use crate::yaml::{Entry, Item, Node};

/// The maximum number of rounds. It is only reached if many mistakes share one node, such as an
/// alias that is used a thousand times. They are reported once, but each of them takes a round.
const ROUND_LIMIT: usize = 64;

/// Reads a value of type `T` from `node`, following aliases, and reports every mistake in it.
///
/// If there are mistakes, the value still contains every outermost list item without a mistake, so
/// that the caller can check these items further and report their mistakes in the same run. So a
/// caller must not apply the value before [`Diagnostics::outcome`], or a comparison of
/// [`Diagnostics::errors`], shows that nothing was reported.
///
/// # Errors
/// Fails if nothing can be read without the wrong parts that were reported, or if there are more
/// mistakes than the error limit.
pub fn read<T: DeserializeOwned>(
    node: &Arc<Node>,
    diagnostics: &mut Diagnostics,
) -> Result<T, Reported> {
    read_with(node, FieldReading::default(), diagnostics)
}

/// Reads a value like [`read`], but accepts the names of fields in any case: `nameprefix` is read
/// as `namePrefix`, as in kustomize.
///
/// # Errors
/// As [`read`].
pub fn read_any_case<T: DeserializeOwned>(
    node: &Arc<Node>,
    diagnostics: &mut Diagnostics,
) -> Result<T, Reported> {
    let reading = FieldReading {
        ignores_case: true,
        ..FieldReading::default()
    };
    read_with(node, reading, diagnostics)
}

/// Reads a value like [`read_any_case`], but as kustomize reads the configurations of its plugins:
/// fields that do not exist are only warnings, and a number may be given for a text.
///
/// # Errors
/// As [`read`].
pub fn read_known_fields<T: DeserializeOwned>(
    node: &Arc<Node>,
    diagnostics: &mut Diagnostics,
) -> Result<T, Reported> {
    let skipped = SkippedKeys::default();
    let reading = FieldReading {
        ignores_case: true,
        skipped: Some(&skipped),
        converts_to_text: true,
    };
    let value = read_with(node, reading, diagnostics);
    let mut reported: Vec<Arc<Node>> = Vec::new();
    for key in skipped.into_inner() {
        // A key may be read several times.
        if reported.iter().any(|known| Arc::ptr_eq(known, &key)) {
            continue;
        }
        let message = format!("unknown field `{}` is ignored", key.text().unwrap_or(""));
        diagnostics.push(Diagnostic::warning(Code::Config, message).at(key.location(), ""));
        reported.push(key);
    }
    value
}

fn read_with<T: DeserializeOwned>(
    node: &Arc<Node>,
    reading: FieldReading<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<T, Reported> {
    let first_error = match T::deserialize(NodeDeserializer::new(node, reading)) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    let mut recovery = Recovery::new(node);
    let mut mistake = recovery.locate(&first_error);
    let reported = diagnostics.report(first_error.into_diagnostic());
    for _ in 0..ROUND_LIMIT {
        if !recovery.cut(mistake) || diagnostics.is_full() {
            break;
        }
        let Err(error) = T::deserialize(NodeDeserializer::new(&recovery.remaining, reading)) else {
            break;
        };
        mistake = recovery.locate(&error);
        if !recovery.is_consequence(&mistake) {
            let path = recovery.original_path(&mistake.path);
            diagnostics.push(error.at_path(path).into_diagnostic());
        }
    }
    let sound = recovery.sound.ok_or(reported)?;
    T::deserialize(NodeDeserializer::new(&sound, reading)).map_err(|_| reported)
}

/// The trees that [`read`] works on.
struct Recovery<'a> {
    /// The original tree of the user.
    original: &'a Arc<Node>,
    /// The tree without the smallest parts that contain the known mistakes.
    remaining: Arc<Node>,
    /// The tree without the outermost list items that contain the known mistakes; `None` if nothing
    /// is left.
    sound: Option<Arc<Node>>,
    /// The nodes with mistakes so far.
    known: Vec<Arc<Node>>,
}

/// The place of a mistake in a tree.
struct Mistake {
    /// The path to the wrong value, or to the mapping with a wrong key.
    path: Vec<StableStep>,
    /// The wrong value or key.
    node: Option<Arc<Node>>,
}

/// A step of a path to the same value in all trees of a [`Recovery`].
///
/// An index is not stable: it changes when an earlier item is removed. The offset at which an item
/// starts does not change.
enum StableStep {
    Key(String),
    /// The item that starts at this offset; `None` for an item that was not parsed.
    ItemAt(Option<u32>),
}

impl<'a> Recovery<'a> {
    fn new(original: &'a Arc<Node>) -> Recovery<'a> {
        Recovery {
            original,
            remaining: Arc::clone(original),
            sound: Some(Arc::clone(original)),
            known: Vec::new(),
        }
    }

    /// Returns the place of an error that was found in `remaining`.
    fn locate(&self, error: &ConfigError) -> Mistake {
        let mut node = Some(&self.remaining);
        let mut path = Vec::new();
        for step in error.steps() {
            let step = match step {
                ConfigStep::Key(key) => StableStep::Key(key.clone()),
                ConfigStep::Index(index) => {
                    let sequence = node.and_then(|node| node.resolved().as_sequence());
                    let item = sequence.and_then(|sequence| sequence.items.get(*index));
                    StableStep::ItemAt(item.and_then(|item| item.start))
                }
            };
            node = node.and_then(|node| child(node, &step));
            path.push(step);
        }
        Mistake {
            path,
            node: error.node().cloned(),
        }
    }

    /// Returns whether a mistake would not exist without the removed parts, or was reported
    /// already.
    fn is_consequence(&self, mistake: &Mistake) -> bool {
        let Some(wrong) = &mistake.node else {
            return false;
        };
        if self.known.iter().any(|node| Arc::ptr_eq(node, wrong)) {
            return true;
        }
        // A collection that lost a part is a new node. If the original tree has another node at
        // this place, the mistake (such as a missing field) is caused by the removal.
        is_at(&self.remaining, &mistake.path, wrong) && !is_at(self.original, &mistake.path, wrong)
    }

    /// Removes a mistake from both trees. Returns `false` if one of them becomes empty.
    fn cut(&mut self, mistake: Mistake) -> bool {
        let Mistake { path, node } = mistake;
        let wrong = node.as_ref();
        let outermost_item = path
            .iter()
            .position(|step| matches!(step, StableStep::ItemAt(_)));
        if let Some(sound) = self.sound.take() {
            self.sound = match outermost_item {
                Some(position) => without(&sound, &path[..=position], None),
                None => without(&sound, &path, wrong),
            };
        }
        let remaining = without(&self.remaining, &path, wrong);
        self.known.extend(node);
        match remaining {
            Some(remaining) => self.remaining = remaining,
            None => return false,
        }
        self.sound.is_some()
    }

    /// Converts a path to the indices of the original tree, so that the user can follow it.
    fn original_path(&self, path: &[StableStep]) -> ConfigPath {
        let mut node = Some(self.original);
        let mut steps = Vec::new();
        for step in path {
            steps.push(match step {
                StableStep::Key(key) => ConfigStep::Key(key.clone()),
                StableStep::ItemAt(start) => {
                    let index = node.and_then(|node| item_index(node, *start));
                    ConfigStep::Index(index.unwrap_or_default())
                }
            });
            node = node.and_then(|node| child(node, step));
        }
        ConfigPath::new(steps)
    }
}

/// Returns the value at the end of one step.
fn child<'n>(node: &'n Arc<Node>, step: &StableStep) -> Option<&'n Arc<Node>> {
    match step {
        StableStep::Key(key) => node.resolved().get(key),
        StableStep::ItemAt(start) => {
            let index = item_index(node, *start)?;
            let item = node.resolved().as_sequence()?.items.get(index)?;
            Some(&item.value)
        }
    }
}

/// Returns the index of the item that starts at the offset `start`.
fn item_index(sequence: &Arc<Node>, start: Option<u32>) -> Option<usize> {
    let items = &sequence.resolved().as_sequence()?.items;
    items.iter().position(|item| item.start == start)
}

/// Returns whether the node `wanted` itself is at the end of `path`, and not only an equal one.
fn is_at(root: &Arc<Node>, path: &[StableStep], wanted: &Arc<Node>) -> bool {
    let found = path.iter().try_fold(root, child);
    found.is_some_and(|found| Arc::ptr_eq(found.resolved(), wanted))
}

/// Returns `node` without the part at the end of `path`. If the path leads to the mapping with the
/// key `wrong`, this is the entry with that key, otherwise the whole value.
///
/// Returns `None` if nothing is left, and the node itself if it does not contain the part.
fn without(node: &Arc<Node>, path: &[StableStep], wrong: Option<&Arc<Node>>) -> Option<Arc<Node>> {
    let node = node.resolved();
    let Some((step, rest)) = path.split_first() else {
        return without_key(node, wrong?);
    };
    match step {
        StableStep::Key(key) => {
            let Some(position) = node.as_mapping().and_then(|mapping| mapping.position(key)) else {
                return Some(Arc::clone(node));
            };
            let mut entries: Vec<Entry> = node.as_mapping()?.entries.to_vec();
            match without(&entries[position].value, rest, wrong) {
                Some(value) => entries[position].value = value,
                None => {
                    entries.remove(position);
                }
            }
            Some(node.with_entries(entries))
        }
        StableStep::ItemAt(start) => {
            let Some(position) = item_index(node, *start) else {
                return Some(Arc::clone(node));
            };
            let mut items: Vec<Item> = node.as_sequence()?.items.to_vec();
            match without(&items[position].value, rest, wrong) {
                Some(value) => items[position].value = value,
                None => {
                    items.remove(position);
                }
            }
            Some(node.with_items(items))
        }
    }
}

/// Returns a mapping without the entries whose key is the node `key`. `None` if there is no such
/// entry, because then the whole value is wrong.
fn without_key(mapping: &Arc<Node>, key: &Arc<Node>) -> Option<Arc<Node>> {
    let entries = &mapping.as_mapping()?.entries;
    let mut kept: Vec<Entry> = Vec::new();
    for entry in entries {
        if !Arc::ptr_eq(entry.key.resolved(), key) {
            kept.push(entry.clone());
        }
    }
    (kept.len() < entries.len()).then(|| mapping.with_entries(kept))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::source::Source;
    use crate::yaml::parse;

    #[derive(Debug, Default, Deserialize, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Config {
        name: Option<String>,
        steps: Option<Vec<Step>>,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Step {
        run: String,
        times: Option<u8>,
        paths: Option<Vec<String>>,
    }

    fn read_all(text: &str) -> (Result<Config, Reported>, Vec<String>) {
        let source = Source::new("config.yaml", text).unwrap();
        let mut diagnostics = Diagnostics::default();
        let value = read(&parse(&source).unwrap().documents[0].root, &mut diagnostics);
        let mut reported = Vec::new();
        for error in diagnostics.as_slice() {
            let place = error.labels[0].location.line_column();
            let path = error.notes.iter().find(|note| note.starts_with("in "));
            let path = path.map_or("", |note| note);
            let line = format!("{}:{} {} {path}", place.line, place.column, error.message);
            reported.push(line.trim_end().to_owned());
        }
        (value, reported)
    }

    #[test]
    fn shows_a_number_that_is_too_large_as_it_is_written() {
        let range = "expected a whole number from 0 to 255, found";
        for number in [
            "123456789012345678901234567890",
            "1e30",
            "300.0",
            "0x1FF",
            "1_000",
        ] {
            let source = Source::new("config.yaml", number).unwrap();
            let mut diagnostics = Diagnostics::default();
            let root = &parse(&source).unwrap().documents[0].root;
            assert!(read_any_case::<u8>(root, &mut diagnostics).is_err());
            let message = &diagnostics.as_slice()[0].message;
            assert_eq!(*message, format!("{range} {number}"));
        }
    }

    #[test]
    fn reports_every_mistake_with_its_place_and_reads_the_rest() {
        let text = "\
name: 3
step: []
steps:
- {run: [], times: x}
- {run: a}
- {runs: b, paths: [1, c, {}]}
";
        let (value, reported) = read_all(text);
        assert_eq!(
            reported,
            [
                "1:7 expected a string, found a number in `name`",
                "2:1 unknown field `step`",
                "4:9 expected a string, found a list in `steps[0].run`",
                "4:20 expected a whole number, found a string in `steps[0].times`",
                "6:4 unknown field `runs` in `steps[2]`",
                "6:21 expected a string, found a number in `steps[2].paths[0]`",
                "6:27 expected a string, found a mapping in `steps[2].paths[2]`",
            ]
        );
        let run = Step {
            run: "a".to_owned(),
            times: None,
            paths: None,
        };
        assert_eq!(
            value,
            Ok(Config {
                name: None,
                steps: Some(vec![run])
            })
        );
    }

    #[test]
    fn does_not_report_consequences_of_a_cut() {
        assert_eq!(
            read_all("steps: [{run: 1}]").1,
            ["1:15 expected a string, found a number in `steps[0].run`"]
        );
        assert_eq!(
            read_all("steps: [{times: 1}]").1,
            ["1:9 missing field `run` in `steps[0]`"]
        );
        assert_eq!(read_all("name: a\nname: b\nname: c").1.len(), 2);
    }

    #[test]
    fn reports_a_mistake_in_an_anchored_value_once() {
        let (value, reported) = read_all("steps: [&a {run: 1}, *a, *a, {run: b}, *a]");
        assert_eq!(reported.len(), 1, "{reported:?}");
        assert_eq!(value.unwrap().steps.unwrap().len(), 1);
    }

    #[test]
    fn fails_if_the_root_has_the_wrong_type() {
        let (value, reported) = read_all("[]");
        assert!(value.is_err());
        assert_eq!(reported, ["1:1 expected a mapping, found a list"]);
    }

    #[test]
    fn stops_at_the_error_limit() {
        let text = format!("steps: [{}]", "{run: 1}, ".repeat(5000));
        let source = Source::new("config.yaml", text).unwrap();
        let mut diagnostics = Diagnostics::default();
        let value: Result<Config, Reported> =
            read(&parse(&source).unwrap().documents[0].root, &mut diagnostics);
        assert!(value.is_err(), "mistakes beyond the limit are left");
        assert_eq!(diagnostics.errors(), crate::source::ERROR_LIMIT);
    }

    #[test]
    fn reads_a_tree_that_was_not_parsed() {
        let node = Node::mapping(vec![Entry::new("name", Node::string("a"))]);
        assert_eq!(
            read::<Config>(&node, &mut Diagnostics::default())
                .unwrap()
                .name
                .as_deref(),
            Some("a")
        );
    }
}
