//! Reading a configuration to its end, so that one run tells all that is wrong in it.
//!
//! `serde` stops at the first mistake. So what is mistaken is taken out of the tree and the rest is read again, until it
//! can be read. What follows from taking a part out, such as a field that is missing now, is not told.

use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::deserializer::NodeDeserializer;
use super::error::Error;
use super::path::Segment;
use crate::source::Diagnostics;
use crate::yaml::{Entry, Item, Node};

/// Mistakes that have the same source, such as an alias that stands a thousand times, are looked for this often.
const ROUND_LIMIT: usize = 64;

/// Reads a value of type `T` from `node`, following aliases, and tells every mistake in it.
///
/// With mistakes, the value is what can be read without the entries and the outermost items of lists that hold one;
/// `None` where that is nothing.
pub fn read<T: DeserializeOwned>(node: &Arc<Node>, diagnostics: &mut Diagnostics) -> Option<T> {
    let mut sound = Arc::clone(node);
    let mut rest = Arc::clone(node);
    let mut told: Vec<Arc<Node>> = Vec::new();
    for _ in 0..ROUND_LIMIT {
        let error = match T::deserialize(NodeDeserializer::new(&rest)) {
            Ok(value) if told.is_empty() => return Some(value),
            Ok(_) => break,
            Err(error) => error,
        };
        let way = way(&rest, &error);
        let culprit = error.node().map(Arc::clone);
        let follows = culprit.as_ref().is_some_and(|culprit| {
            let is_told = told.iter().any(|node| Arc::ptr_eq(node, culprit));
            // A collection that is not the one of the whole tree has lost a part.
            is_told || (is_at(&rest, &way, culprit) && !is_at(node, &way, culprit))
        });
        if !follows {
            diagnostics.push(error.at_path(segments(node, &way)).into_diagnostic());
        }
        told.extend(culprit.clone());
        let outermost = way.iter().position(|step| matches!(step, Step::Item(_)));
        sound = match outermost.and_then(|at| way.get(..=at)) {
            Some(item) => without(&sound, item, None)?,
            None => without(&sound, &way, culprit.as_ref())?,
        };
        let Some(smaller) = without(&rest, &way, culprit.as_ref()) else {
            break;
        };
        rest = smaller;
        if diagnostics.is_full() {
            break;
        }
    }
    T::deserialize(NodeDeserializer::new(&sound)).ok()
}

/// A step that leads to the same value whatever was taken out beside it.
enum Step {
    /// Under this key.
    Key(String),
    /// The item that starts here.
    Item(Option<u32>),
}

/// The way that the path of an error leads in `root`.
fn way(root: &Arc<Node>, error: &Error) -> Vec<Step> {
    let mut node = Some(root);
    let mut way = Vec::new();
    for segment in error.segments() {
        let step = match segment {
            Segment::Key(key) => Step::Key(key.clone()),
            Segment::Index(index) => {
                let sequence = node.and_then(|node| node.resolved().as_sequence());
                Step::Item(sequence.and_then(|sequence| sequence.items.get(*index)?.start))
            }
        };
        node = node.and_then(|node| child(node, &step));
        way.push(step);
    }
    way
}

fn child<'n>(node: &'n Arc<Node>, step: &Step) -> Option<&'n Arc<Node>> {
    let node = node.resolved();
    match step {
        Step::Key(key) => node.get(key),
        Step::Item(start) => {
            let mut items = node.as_sequence()?.items.iter();
            items
                .find(|item| item.start == *start)
                .map(|item| &item.value)
        }
    }
}

/// Whether `wanted` is the value at the end of a way.
fn is_at(root: &Arc<Node>, way: &[Step], wanted: &Arc<Node>) -> bool {
    way.iter()
        .try_fold(root, child)
        .is_some_and(|found| Arc::ptr_eq(found.resolved(), wanted))
}

/// The way as a path in the whole tree, for people.
fn segments(root: &Arc<Node>, way: &[Step]) -> Vec<Segment> {
    let mut node = Some(root);
    let mut segments = Vec::new();
    for step in way {
        segments.push(match step {
            Step::Key(key) => Segment::Key(key.clone()),
            Step::Item(start) => {
                let sequence = node.and_then(|node| node.resolved().as_sequence());
                let index = sequence
                    .and_then(|list| list.items.iter().position(|item| item.start == *start));
                Segment::Index(index.unwrap_or_default())
            }
        });
        node = node.and_then(|node| child(node, step));
    }
    segments
}

/// The tree without the value at the end of the way, or without the entry whose key is `culprit` there. `None` where
/// nothing is left.
fn without(node: &Arc<Node>, way: &[Step], culprit: Option<&Arc<Node>>) -> Option<Arc<Node>> {
    let node = node.resolved();
    match way.split_first() {
        None => {
            let key = culprit?;
            let entries = &node.as_mapping()?.entries;
            let kept: Vec<Entry> = entries
                .iter()
                .filter(|entry| !Arc::ptr_eq(entry.key.resolved(), key))
                .cloned()
                .collect();
            (kept.len() < entries.len()).then(|| node.with_entries(kept))
        }
        Some((Step::Key(key), rest)) => {
            let Some(mapping) = node.as_mapping() else {
                return Some(Arc::clone(node));
            };
            let Some(place) = mapping.position(key) else {
                return Some(Arc::clone(node));
            };
            let mut entries: Vec<Entry> = mapping.entries.to_vec();
            match without(&entries.get(place)?.value, rest, culprit) {
                Some(value) => entries.get_mut(place)?.value = value,
                None => drop(entries.remove(place)),
            }
            Some(node.with_entries(entries))
        }
        Some((Step::Item(start), rest)) => {
            let Some(sequence) = node.as_sequence() else {
                return Some(Arc::clone(node));
            };
            let mut items: Vec<Item> = sequence.items.to_vec();
            let Some(place) = items.iter().position(|item| item.start == *start) else {
                return Some(Arc::clone(node));
            };
            match without(&items.get(place)?.value, rest, culprit) {
                Some(value) => items.get_mut(place)?.value = value,
                None => drop(items.remove(place)),
            }
            Some(node.with_items(items))
        }
    }
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

    fn read_all(text: &str) -> (Option<Config>, Vec<String>) {
        let source = Source::new("config.yaml", text).unwrap();
        let mut diagnostics = Diagnostics::default();
        let value = read(&parse(&source).unwrap().documents[0].root, &mut diagnostics);
        let told = diagnostics.as_slice().iter().map(|error| {
            let place = error.labels[0].location.line_column();
            let within = error
                .notes
                .iter()
                .find(|note| note.starts_with("in "))
                .map_or("", |note| note);
            format!("{}:{} {} {within}", place.line, place.column, error.message)
                .trim_end()
                .to_owned()
        });
        (value, told.collect())
    }

    #[test]
    fn every_mistake_is_told_with_its_place_and_the_rest_is_read() {
        let text = "name: 3\nstep: []\nsteps:\n- {run: [], times: x}\n- {run: a}\n- {runs: b, paths: [1, c, {}]}\n";
        let (value, told) = read_all(text);
        assert_eq!(
            told,
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
            Some(Config {
                name: None,
                steps: Some(vec![run])
            })
        );
    }

    #[test]
    fn what_follows_from_a_mistake_is_not_told() {
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
    fn a_mistake_that_stands_for_many_is_told_once() {
        let (value, told) = read_all("steps: [&a {run: 1}, *a, *a, {run: b}, *a]");
        assert_eq!(told.len(), 1, "{told:?}");
        assert_eq!(value.unwrap().steps.unwrap().len(), 1);
    }

    #[test]
    fn nothing_is_left_of_a_root_that_is_wrong() {
        assert_eq!(
            read_all("[]"),
            (
                None,
                vec!["1:1 expected a mapping, found a list".to_owned()]
            )
        );
    }

    #[test]
    fn no_more_is_looked_for_than_is_told() {
        let text = format!("steps: [{}]", "{run: 1}, ".repeat(5000));
        let source = Source::new("config.yaml", text).unwrap();
        let mut diagnostics = Diagnostics::default();
        read::<Config>(&parse(&source).unwrap().documents[0].root, &mut diagnostics);
        assert_eq!(diagnostics.errors(), crate::source::ERROR_LIMIT);
    }

    #[test]
    fn a_made_tree_is_read_too() {
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
