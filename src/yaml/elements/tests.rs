//! Checks that versions of a collection equal a plain list with the same edits, and share nothing
//! that changes.

use proptest::prelude::*;

use super::*;
use crate::yaml::{Entry, Item, Node};

fn entry(key: u32, value: u32) -> Entry {
    Entry::new(&format!("k{key}"), Node::plain(value.to_string()))
}

fn texts(entries: &[Entry]) -> Vec<(String, String)> {
    let text = |node: &Node| node.text().unwrap_or_default().to_owned();
    entries
        .iter()
        .map(|entry| (text(&entry.key), text(&entry.value)))
        .collect()
}

proptest! {
    #[test]
    fn edits_have_the_same_effect_as_on_a_list(
        count in 0_u32..200,
        edits in proptest::collection::vec((0_u8..3, 0_usize..250, 0_u32..300), 0..120),
    ) {
        let mut list: Vec<Entry> = (0..count).map(|key| entry(key, key)).collect();
        let first: Elements<Entry> = list.clone().into();
        let before = texts(&first);
        let mut elements = first.clone();
        for (kind, at, key) in edits {
            match kind {
                0 if at < list.len() => {
                    let new = Entry { key: std::sync::Arc::clone(&list[at].key), value: Node::plain("x") };
                    list[at] = new.clone();
                    elements = elements.replaced(vec![(at, new)]);
                }
                1 if at < list.len() => {
                    list.remove(at);
                    elements = elements.removed(at);
                }
                _ => {
                    let at = at.min(list.len());
                    list.insert(at, entry(key, 0));
                    elements = elements.inserted(at, entry(key, 0));
                }
            }
            let wanted = format!("k{key}");
            let has = |entry: &Entry| entry.key.text() == Some(&*wanted);
            prop_assert_eq!(elements.len(), list.len());
            prop_assert_eq!(elements.position(None, &wanted), list.iter().position(has));
            let all: Vec<usize> = (0..list.len()).filter(|&at| has(&list[at])).collect();
            prop_assert_eq!(elements.positions(None, &wanted), all);
        }
        // What two versions do not report as changed is the same node in both.
        let changed = elements.changed_since(&first);
        for (at, entry) in elements.iter().enumerate() {
            let is_reported = changed.after.iter().any(|(place, _)| *place == at);
            let is_shared = first.iter().any(|old| std::sync::Arc::ptr_eq(&old.value, &entry.value));
            prop_assert!(is_reported || is_shared);
        }
        prop_assert_eq!(texts(&elements), texts(&list));
        prop_assert_eq!(texts(&first), before);
    }
}

#[test]
fn finds_items_by_more_fields_than_there_are_tables() {
    let item = |n: usize| {
        let entries = (0..6)
            .map(|field| Entry::new(&format!("f{field}"), Node::string(format!("{}", n * field))));
        Item {
            start: None,
            value: Node::mapping(entries.collect()),
        }
    };
    let items: Elements<Item> = (0..200).map(item).collect();
    for field in 1..6 {
        let name = format!("f{field}");
        assert_eq!(
            items.positions(Some(&name), &format!("{}", 70 * field)),
            [70],
            "{name}"
        );
    }
    assert_eq!(items.positions(Some("f0"), "0").len(), 200);
    let changed = items.replaced(vec![(70, item(300))]);
    assert_eq!(
        (
            changed.position(Some("f1"), "70"),
            changed.position(Some("f1"), "300")
        ),
        (None, Some(70))
    );
    assert_eq!(items.position(Some("f1"), "70"), Some(70));
}

#[test]
fn a_version_that_is_searched_often_finds_the_same() {
    let mut entries: Elements<Entry> = (0..900).map(|n| entry(n % 700, n)).collect();
    let key = |n: u32| format!("k{n}");
    for round in 0..3 {
        for n in 0..700 {
            assert_eq!(
                entries.position(None, &key(n)),
                Some(n as usize),
                "{round} {n}"
            );
        }
        assert_eq!(entries.position(None, "none"), None);
    }
    // An edit in place, after which the table of all texts is out of date.
    entries.set(20, entry(5000, 0));
    assert_eq!(entries.position(None, &key(5000)), Some(20));
    assert_eq!(entries.position(None, &key(20)), Some(720));
    let shorter = entries.removed(0);
    assert_eq!(shorter.position(None, &key(0)), Some(699));
    assert_eq!(entries.position(None, &key(0)), Some(0));
}

#[test]
fn knows_whether_the_texts_of_a_version_are_distinct() {
    let entries: Elements<Entry> = (0..100).map(|key| entry(key, 0)).collect();
    assert!(!entries.are_distinct());
    entries.set_distinct();
    assert!(entries.removed(3).inserted(3, entry(3, 1)).are_distinct());
    assert!(!entries.inserted(0, entry(3, 1)).are_distinct());
    assert!(!entries.replaced(vec![(0, entry(3, 1))]).are_distinct());
}

#[test]
fn finds_the_items_that_can_have_a_value_under_a_key() {
    let item = |n: i64| Item {
        start: None,
        value: Node::mapping(vec![Entry::new("port", Node::plain(n.to_string()))]),
    };
    let like = |text: &str| Node::mapping(vec![Entry::new("port", Node::plain(text))]);
    for count in [10, 200] {
        let items: Elements<Item> = (0..count).map(item).collect();
        assert_eq!(items.candidates("port", &like("0x7")), Some(vec![7]));
        assert_eq!(items.candidates("port", &like("-1")), Some(vec![]));
        let changed = items.replaced(vec![(7, item(300))]);
        assert_eq!(changed.candidates("port", &like("300")), Some(vec![7]));
        assert_eq!(changed.candidates("port", &like("7")), Some(vec![]));
        // An item without the key, or with it twice, can mean anything.
        let other = Item {
            start: None,
            value: Node::mapping(vec![Entry::new("name", Node::string("x"))]),
        };
        assert_eq!(
            items.inserted(3, other).candidates("port", &like("7")),
            None
        );
    }
}

#[test]
fn knows_whether_all_keys_of_a_version_are_strings() {
    let entries: Elements<Entry> = (0..100).map(|key| entry(key, 0)).collect();
    entries.set_plain();
    assert!(entries.inserted(0, entry(200, 1)).are_plain());
    assert!(!entries.inserted(0, entry(3, 1)).are_plain());
    for key in ["1", "<<", "true"] {
        let other = Entry {
            key: Node::plain(key),
            value: Node::plain("0"),
        };
        let version = entries.inserted(0, other);
        assert!(!version.are_plain() && version.are_distinct(), "{key}");
    }
}
