//! Edits of properties and environment files inside a string.

use std::sync::Arc;

use inlay::edit::{EditOptions, FieldPath, find, update};
use inlay::yaml::{Entry, Node};
use proptest::prelude::*;

use crate::document::configuration;

const PIECES: &[&str] = &[
    "a", "b.c", "=", ":", " ", "\t", "\n", "\n", "\r\n", "\\", "\\\n  ", "\\\r\n", "#", "# c\n",
    "!", "\\u00e9", "\\u1", "\u{e9}", "export ", "a=1\n", "b: 2\n", "\"", "\u{c}", "\0", "\r",
];

const TEXTS: &[&str] = &[
    "",
    "a",
    " led",
    "=",
    ":x",
    "two\nlines",
    "\\",
    "\u{e9}\u{1f600}",
    "\t",
    "# no comment",
    "ended ",
    "\r\n",
    "{\"a\": 1}",
];

fn holding(key: &str, text: &str) -> Arc<Node> {
    Node::mapping(vec![Entry::new(key, Node::string(text))])
}

fn pairs(key: &str, text: &str) -> Option<Vec<(String, String)>> {
    let path = FieldPath::parse(&format!("[{key}].")).expect("a path");
    let found = find(&holding(key, text), &path, &EditOptions::default()).ok()?;
    let text = |node: &Arc<Node>| node.text().expect("a text").to_owned();
    let entries = found[0]
        .node
        .as_mapping()
        .expect("a mapping")
        .entries
        .iter();
    Some(
        entries
            .map(|entry| (text(&entry.key), text(&entry.value)))
            .collect(),
    )
}

fn written(key: &str, text: &str, change: &dyn Fn(&Arc<Node>) -> Arc<Node>) -> Option<String> {
    let path = FieldPath::parse(&format!("[{key}].")).expect("a path");
    let changed = update(
        &holding(key, text),
        &path,
        &EditOptions::default(),
        &mut |target| Ok(target.current.map(change)),
    );
    let changed = changed.ok()?.expect("the visitor writes");
    Some(changed.get(key)?.text()?.to_owned())
}

proptest! {
    #![proptest_config(configuration())]

    #[test]
    fn reads_back_what_it_writes_and_keeps_the_rest(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..16), is_env in any::<bool>(), mark in any::<bool>(),
        place in any::<prop::sample::Index>(), new in prop::sample::select(TEXTS), operation in 0..3_usize,
    ) {
        let (key, text) = (if is_env { "x.env" } else { "x.properties" }, format!("{}{}", if mark { "\u{feff}" } else { "" }, pieces.concat()));
        let Some(mut model) = pairs(key, &text) else { return Ok(()) };
        // A duplicate key is an error if a path names it.
        prop_assume!(model.iter().enumerate().all(|(at, (key, _))| model[..at].iter().all(|(other, _)| other != key)));
        let same = written(key, &text, &|root| Arc::clone(root));
        prop_assert_eq!(same.as_deref(), Some(text.as_str()));
        let at = if model.is_empty() { 0 } else { place.index(model.len()) };
        let operation = if model.is_empty() { 2 } else { operation };
        match operation {
            0 => new.clone_into(&mut model[at].1),
            1 => drop(model.remove(at)),
            _ => model.insert(at, ("made".to_owned(), new.to_owned())),
        }
        let change = |root: &Arc<Node>| {
            let mut entries = root.as_mapping().expect("a mapping").entries.to_vec();
            match operation {
                0 => entries[at].value = Node::string(new),
                1 => drop(entries.remove(at)),
                _ => entries.insert(at, Entry::new("made", Node::string(new))),
            }
            root.with_entries(entries)
        };
        // A line of an environment file cannot contain a line break, so that is an error.
        let Some(result) = written(key, &text, &change) else {
            prop_assert!(is_env && new.contains('\n'), "{:?}", text);
            return Ok(());
        };
        prop_assert_eq!(pairs(key, &result), Some(model), "\n{:?}\n---- became ----\n{:?}", text, result);
        prop_assert!(operation != 2 || text.matches("# c").count() <= result.matches("# c").count());
    }
}
