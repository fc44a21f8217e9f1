//! Edits of the tree: the printed text has the values of the tree, and every other byte stays.

use std::sync::Arc;

use inlay::yaml::{Content, Entry, Item, Node, Stream, faithful, relink};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestCaseResult;

use crate::document::{Sample, any_sample, configuration, read, values, with_aliases};
use crate::independent::only_one_value_changed;
use crate::value::{self, Steps, Value};

/// A document and a place in it: the number of the document, and the steps below its root.
#[derive(Clone, Debug)]
struct Spot {
    document: usize,
    steps: Steps,
}

/// Returns all places of a stream that `wanted` accepts.
fn spots(stream: &Stream, wanted: impl Fn(&Value) -> bool) -> Vec<Spot> {
    let roots = stream
        .documents
        .iter()
        .map(|document| Value::of(&document.root))
        .enumerate();
    roots
        .flat_map(|(document, root)| {
            let steps: Vec<Steps> = root
                .places()
                .into_iter()
                .filter(|steps| wanted(root.at(steps)))
                .collect();
            steps.into_iter().map(move |steps| Spot { document, steps })
        })
        .collect()
}

fn roots(stream: &Stream) -> Vec<Arc<Node>> {
    stream
        .documents
        .iter()
        .map(|document| Arc::clone(&document.root))
        .collect()
}

/// Returns a copy of the tree with a new node for each collection and each scalar.
fn copy(node: &Arc<Node>) -> Arc<Node> {
    match &node.content {
        Content::Mapping(mapping) => {
            let copied = |entry: &Entry| Entry {
                key: Arc::clone(&entry.key),
                value: copy(&entry.value),
            };
            node.with_entries(mapping.entries.iter().map(copied).collect::<Vec<_>>())
        }
        Content::Sequence(sequence) => {
            let copied = |item: &Item| Item {
                start: item.start,
                value: copy(&item.value),
            };
            node.with_items(sequence.items.iter().map(copied).collect::<Vec<_>>())
        }
        Content::Scalar(_) => Value::of(node).node().anchored(node.anchor()),
        Content::Alias(_) => node.with_content(node.content.clone()),
    }
}

/// Returns the collection with `change` applied to one child.
fn with_child(
    node: &Arc<Node>,
    index: usize,
    change: impl FnOnce(&Arc<Node>) -> Arc<Node>,
) -> Arc<Node> {
    match &node.content {
        Content::Mapping(mapping) => {
            let Entry { key, value } = &mapping.entries[index];
            let entry = Entry {
                key: Arc::clone(key),
                value: change(value),
            };
            node.with_entries(mapping.entries.replaced(vec![(index, entry)]))
        }
        Content::Sequence(sequence) => {
            let Item { start, value } = &sequence.items[index];
            node.with_items(sequence.items.replaced(vec![(
                index,
                Item {
                    start: *start,
                    value: change(value),
                },
            )]))
        }
        _ => unreachable!("a step leads into a collection"),
    }
}

/// Returns the tree with `change` applied at `steps`.
fn changed(
    node: &Arc<Node>,
    steps: &[usize],
    change: &dyn Fn(&Arc<Node>) -> Arc<Node>,
) -> Arc<Node> {
    match steps.split_first() {
        None => change(node),
        Some((&step, rest)) => {
            let version = with_child(node.resolved(), step, |child| changed(child, rest, change));
            // The replacement of an alias is a copy.
            if matches!(node.content, Content::Alias(_)) {
                version.anchored(None)
            } else {
                version
            }
        }
    }
}

/// Returns the text with `change` applied at `spot`, and checks that it has the values of the
/// changed tree.
fn printed(
    stream: &Stream,
    spot: &Spot,
    change: &dyn Fn(&Arc<Node>) -> Arc<Node>,
) -> std::result::Result<String, TestCaseError> {
    let mut roots = roots(stream);
    roots[spot.document] = relink(&changed(&roots[spot.document], &spot.steps, change));
    let text = faithful::print(stream, &roots);
    let wanted: Vec<Value> = roots.iter().map(Value::of).collect();
    prop_assert_eq!(
        &values(&text, stream.syntax),
        &wanted,
        "\n{}\n---- became ----\n{}",
        stream.source.text(),
        text
    );
    Ok(text)
}

/// Generates streams without aliases, in which an edit changes the value at a single place.
fn plain_sample() -> impl Strategy<Value = Sample> {
    any_sample().prop_filter("a document without aliases", |sample| {
        let stream = sample.parse();
        !stream.has_aliases && !stream.documents.is_empty()
    })
}

/// Returns the lines of the entry or item at `spot`, as offsets in the whole text.
fn lines_of(stream: &Stream, spot: &Spot) -> (usize, usize) {
    let text = stream.source.text();
    let mut node = &stream.documents[spot.document].root;
    let mut start = node.origin.as_ref().map_or(0, |origin| origin.span.start());
    for &step in &spot.steps {
        let resolved = node.resolved();
        match &resolved.content {
            Content::Mapping(mapping) => {
                start = mapping.entries[step]
                    .key
                    .location()
                    .map_or(start, |location| location.span.start());
                node = &mapping.entries[step].value;
            }
            Content::Sequence(sequence) => {
                start = sequence.items[step]
                    .start
                    .map_or(start, |start| start as usize);
                node = &sequence.items[step].value;
            }
            _ => unreachable!("a step leads into a collection"),
        }
    }
    let end = node
        .origin
        .as_ref()
        .map_or(start, |origin| origin.span.end())
        .max(start);
    let end = if text[..end].ends_with('\n') && end > start {
        end - 1
    } else {
        end
    };
    (
        text[..start].rfind('\n').map_or(0, |at| at + 1),
        text[end..].find('\n').map_or(text.len(), |at| end + at),
    )
}

/// Checks that the text outside the lines of `spot` is the same in `edited`.
fn check_outside(stream: &Stream, spot: &Spot, edited: &str) -> TestCaseResult {
    let text = stream.source.text();
    let (start, end) = lines_of(stream, spot);
    prop_assert!(
        edited.starts_with(&text[..start]),
        "before:\n{text}\n---- became ----\n{edited}"
    );
    prop_assert!(
        edited.ends_with(text[end..].trim_start_matches('\r')),
        "after:\n{text}\n---- became ----\n{edited}"
    );
    Ok(())
}

fn check_replacement(sample: &Sample, at: Index, new: &Arc<Node>) -> TestCaseResult {
    let stream = sample.parse();
    let spots = spots(&stream, |_| true);
    let spot = at.get(&spots);
    let text = printed(&stream, spot, &|_| Arc::clone(new))?;
    check_outside(&stream, spot, &text)?;
    only_one_value_changed(
        stream.syntax,
        (&sample.text, &text),
        (spot.document, &spot.steps),
        &Value::of(new),
    )
}

/// Generates values from another document, with their own styles.
fn parsed_value() -> impl Strategy<Value = Arc<Node>> {
    let sample =
        any_sample().prop_filter("a document", |sample| !sample.parse().documents.is_empty());
    (sample, any::<Index>()).prop_map(|(sample, at)| {
        let stream = sample.parse();
        let spot = at.get(&spots(&stream, |_| true)).clone();
        let root = Arc::clone(&stream.documents[spot.document].root);
        spot.steps
            .iter()
            .fold(root, |node, &step| match &node.resolved().content {
                Content::Mapping(mapping) => Arc::clone(&mapping.entries[step].value),
                Content::Sequence(sequence) => Arc::clone(&sequence.items[step].value),
                _ => unreachable!("a step leads into a collection"),
            })
    })
}

fn is_collection(value: &Value) -> bool {
    matches!(value, Value::List(_) | Value::Map(_))
}

/// Returns the collection without the child `index`.
fn without(node: &Arc<Node>, index: usize) -> Arc<Node> {
    let node = node.resolved();
    if let Some(mapping) = node.as_mapping() {
        let mut entries = mapping.entries.to_vec();
        entries.remove(index);
        return node.with_entries(entries);
    }
    let mut items = node
        .as_sequence()
        .expect("only collections have children")
        .items
        .to_vec();
    items.remove(index);
    node.with_items(items)
}

/// Returns the collection with one more child.
fn with(node: &Arc<Node>, index: usize, value: &Arc<Node>) -> Arc<Node> {
    let (node, value) = (node.resolved(), Arc::clone(value));
    if let Some(mapping) = node.as_mapping() {
        let mut entries = mapping.entries.to_vec();
        entries.insert(index, Entry::new("new key", value));
        return node.with_entries(entries);
    }
    let mut items = node
        .as_sequence()
        .expect("only collections have children")
        .items
        .to_vec();
    items.insert(index, Item { start: None, value });
    node.with_items(items)
}

/// Generates streams with at least two scalars.
fn with_scalars() -> impl Strategy<Value = Sample> {
    plain_sample().prop_filter("two scalars", |sample| {
        spots(&sample.parse(), |value| !is_collection(value)).len() > 1
    })
}

/// Generates streams with a collection that is not empty.
fn with_children() -> impl Strategy<Value = Sample> {
    let has_children =
        |sample: &Sample| !spots(&sample.parse(), |value| !value.children().is_empty()).is_empty();
    plain_sample().prop_filter("a child", has_children)
}

proptest! {
    #![proptest_config(configuration())]

    #[test]
    fn a_document_is_read_as_it_was_written(sample in any_sample()) {
        if sample.text.ends_with('\n') {
            prop_assert_eq!(&values(&sample.text, sample.syntax), &sample.values, "{}", sample.text);
        }
    }

    #[test]
    fn printing_an_unedited_tree_is_the_identity(sample in any_sample()) {
        let stream = sample.parse();
        prop_assert_eq!(faithful::print(&stream, &roots(&stream)), &*sample.text);
        let copies: Vec<_> = roots(&stream).iter().map(copy).collect();
        prop_assert_eq!(faithful::print(&stream, &copies), &*sample.text);
    }

    #[test]
    fn a_new_scalar_can_replace_any_value(sample in plain_sample(), at in any::<Index>(), new in value::scalar()) {
        check_replacement(&sample, at, &new.node())?;
    }

    #[test]
    fn a_new_collection_can_replace_any_value(sample in plain_sample(), at in any::<Index>(), new in value::collection()) {
        check_replacement(&sample, at, &new.node())?;
    }

    #[test]
    fn a_value_of_another_document_can_replace_any_value(sample in plain_sample(), at in any::<Index>(), new in parsed_value()) {
        check_replacement(&sample, at, &new)?;
    }

    #[test]
    fn aliases_follow_their_value(sample in with_aliases(), at in any::<Index>(), new in value::value()) {
        let stream = sample.parse();
        let spots = spots(&stream, |_| true);
        printed(&stream, at.get(&spots), &|_| new.node())?;
    }

    #[test]
    fn removing_an_entry_keeps_the_others(sample in with_children(), at in any::<Index>(), which in any::<Index>()) {
        let stream = sample.parse();
        let spots = spots(&stream, |value| !value.children().is_empty());
        let spot = at.get(&spots);
        printed(&stream, spot, &|node| without(node, which.index(Value::of(node).children().len())))?;
    }

    #[test]
    fn adding_an_entry_keeps_the_others(sample in with_children(), at in any::<Index>(), which in any::<Index>(), new in value::value()) {
        let stream = sample.parse();
        let spots = spots(&stream, is_collection);
        let spot = at.get(&spots);
        printed(&stream, spot, &|node| with(node, which.index(Value::of(node).children().len() + 1), &new.node()))?;
    }

    #[test]
    fn edits_of_disjoint_values_commute(sample in with_scalars(), one in any::<Index>(), other in any::<Index>(), new in value::scalar(), more in value::scalar()) {
        let stream = sample.parse();
        let spots = spots(&stream, |value| !is_collection(value));
        let (one, more_spots) = (one.index(spots.len()), other.index(spots.len() - 1));
        let (one, other) = (&spots[one], &spots[if more_spots < one { more_spots } else { more_spots + 1 }]);
        let both = |first: (&Spot, &Value), second: (&Spot, &Value)| {
            let text = printed(&stream, first.0, &|_| first.1.node())?;
            printed(&read(&text, stream.syntax), second.0, &|_| second.1.node())
        };
        prop_assert_eq!(both((one, &new), (other, &more))?, both((other, &more), (one, &new))?);
    }
}
