//! Edits of INI texts inside a string.

use std::sync::Arc;

use inlay::edit::{DocumentFormat, EditOptions, FieldPath, find, update};
use inlay::yaml::{Entry, Node};
use proptest::prelude::*;

use crate::document::configuration;

const PIECES: &[&str] = &[
    "a",
    "b.c",
    "=",
    ":",
    " ",
    "\t",
    "\n",
    "\n",
    "\r\n",
    "\\",
    ";",
    "# c\n",
    "; d\n",
    "[",
    "]",
    "\"",
    "'",
    "a=1\n",
    "b: 2\n",
    "c = \"x\"\n",
    "d =\n",
    "key\n",
    "  more\n",
    "\t\tdeep\n",
    "  e = 3\n",
    "\n\n",
    "[s]\n",
    "[t]\n",
    "\n[u] ; note\n",
    "  [v]\n",
    "\u{e9}",
    "\u{feff}",
    "\r",
];

const TEXTS: &[&str] = &[
    "",
    "a",
    " led",
    "=",
    ":x",
    "two\nlines",
    "two\n\nparts",
    "one\n  deeper",
    "ended\n",
    "\\",
    "\u{e9}\u{1f600}",
    "\t",
    "# a",
    "; a",
    "x\n; y",
    "\"quoted\"",
    "it's",
    "\"it's\"",
    "[s]",
    "{\"a\": 1}",
    "\r\n",
    "x \ny",
];

/// The content of a text: the keys of each section, sorted by section.
type Model = Vec<(Option<String>, Vec<(String, String)>)>;

fn holding(text: &str) -> Arc<Node> {
    Node::mapping(vec![Entry::new("x.ini", Node::string(text))])
}

fn text_of(node: &Arc<Node>) -> String {
    node.text().expect("a text").to_owned()
}

fn model(root: &Arc<Node>) -> Model {
    let mut globals = Vec::new();
    let mut sections = Vec::new();
    for entry in &root.as_mapping().expect("a mapping").entries {
        match entry.value.as_mapping() {
            None => globals.push((text_of(&entry.key), text_of(&entry.value))),
            Some(section) => {
                let lines = section.entries.iter();
                let lines = lines.map(|line| (text_of(&line.key), text_of(&line.value)));
                sections.push((Some(text_of(&entry.key)), lines.collect()));
            }
        }
    }
    // The order of sections has no meaning: a new section goes below all parts of the section that
    // it follows.
    sections.sort();
    let mut model = vec![(None, globals)];
    model.extend(sections);
    model
}

fn opened(text: &str) -> Option<Arc<Node>> {
    let path = FieldPath::parse("[x.ini].").expect("a path");
    let found = find(&holding(text), &path, &EditOptions::default()).ok()?;
    Some(Arc::clone(&found[0].node))
}

/// Returns the text with another root; `None` if INI cannot represent it.
fn written(text: &str, root: &Arc<Node>) -> Option<String> {
    let path = FieldPath::parse("[x.ini].").expect("a path");
    let options = EditOptions::default();
    let changed = update(&holding(text), &path, &options, &mut |_| {
        Ok(Some(Arc::clone(root)))
    })
    .ok()?;
    Some(text_of(changed.expect("the visitor writes").get("x.ini")?))
}

/// Returns the root after `operation` on the line `line` of the part `part`.
fn changed(root: &Arc<Node>, part: usize, line: usize, operation: usize, value: &str) -> Arc<Node> {
    let mut entries = root.as_mapping().expect("a mapping").entries.to_vec();
    let globals = entries
        .iter()
        .filter(|entry| entry.value.as_mapping().is_none())
        .count();
    match (operation, part.checked_sub(1)) {
        (3, _) => {
            let section = Node::mapping(vec![Entry::new("made", Node::string(value))]);
            let at = globals + part.min(entries.len() - globals);
            entries.insert(at, Entry::new("new section", section));
        }
        (4, Some(section)) => {
            entries.remove(globals + section);
        }
        (_, None) => {
            let mut own: Vec<Entry> = entries.drain(..globals).collect();
            change_line(&mut own, line, operation, value);
            entries.splice(..0, own);
        }
        (_, Some(section)) => {
            let at = globals + section;
            let mut own = entries[at]
                .value
                .as_mapping()
                .expect("a section")
                .entries
                .to_vec();
            change_line(&mut own, line, operation, value);
            entries[at].value = entries[at].value.with_entries(own);
        }
    }
    root.with_entries(entries)
}

fn change_line(lines: &mut Vec<Entry>, at: usize, operation: usize, value: &str) {
    match operation {
        0 if at < lines.len() => lines[at].value = Node::string(value),
        1 if at < lines.len() => {
            lines.remove(at);
        }
        _ => lines.insert(at.min(lines.len()), Entry::new("made", Node::string(value))),
    }
}

/// Returns the number of keys in a section of the tree; section 0 is the part before the first
/// header.
fn root_lines(root: &Arc<Node>, part: usize) -> usize {
    let entries = &root.as_mapping().expect("a mapping").entries;
    let mut sections = entries.iter().filter_map(|entry| entry.value.as_mapping());
    let count = sections.clone().count();
    match part.checked_sub(1) {
        None => entries.len() - count,
        Some(section) => sections
            .nth(section)
            .map_or(0, |section| section.entries.len()),
    }
}

/// Returns whether no key and no section occurs twice in one mapping; a path would reject a
/// duplicate.
fn is_distinct(root: &Arc<Node>) -> bool {
    let entries = &root.as_mapping().expect("a mapping").entries;
    let mut keys: Vec<&str> = entries
        .iter()
        .filter_map(|entry| entry.key.text())
        .collect();
    let count = keys.len();
    keys.sort_unstable();
    keys.dedup();
    let nested = entries
        .iter()
        .filter(|entry| entry.value.as_mapping().is_some());
    keys.len() == count && nested.into_iter().all(|entry| is_distinct(&entry.value))
}

proptest! {
    #![proptest_config(configuration())]

    #[test]
    fn reads_back_what_it_writes_to_ini_and_keeps_the_rest(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..20),
        part in any::<prop::sample::Index>(), line in any::<prop::sample::Index>(),
        value in prop::sample::select(TEXTS), operation in 0..5_usize,
    ) {
        let text = pieces.concat();
        let Some(root) = opened(&text) else { return Ok(()) };
        if !is_distinct(&root) {
            return Ok(());
        }
        let unchanged = written(&text, &root);
        prop_assert_eq!(unchanged.as_deref(), Some(text.as_str()));

        let before = model(&root);
        let part = part.index(before.len());
        let line = line.index(root_lines(&root, part) + 1);
        let after = changed(&root, part, line, operation, value);
        let Some(result) = written(&text, &after) else {
            // INI can represent every other text.
            let impossible = ["ended\n", "x\n; y", "\"it's\"", "\r\n", "x \ny", "one\n  deeper"];
            prop_assert!(impossible.contains(&value), "{:?}\n{:?}", text, value);
            return Ok(());
        };
        let seen = opened(&result).expect("what was written is INI");
        prop_assert_eq!(model(&seen), model(&after), "\n{}\n---- became ----\n{}", text, result);
        // If nothing is removed, no comment is lost. A comment between the lines of a value is part
        // of the value.
        if matches!(operation, 2 | 3) {
            prop_assert_eq!(text.matches("; d").count(), result.matches("; d").count());
            prop_assert_eq!(text.matches("# c").count(), result.matches("# c").count());
        }
    }

    #[test]
    fn reads_back_a_new_ini_document(
        globals in prop::collection::vec(prop::sample::select(TEXTS), 0..4),
        sections in prop::collection::vec(prop::collection::vec(prop::sample::select(TEXTS), 0..4), 0..4),
    ) {
        let lines = |values: &[&str]| -> Vec<Entry> {
            let numbered = values.iter().enumerate();
            numbered.map(|(at, value)| Entry::new(&format!("key {at}"), Node::string(*value))).collect()
        };
        let mut entries = lines(&globals);
        for (at, section) in sections.iter().enumerate() {
            entries.push(Entry::new(&format!("section {at}"), Node::mapping(lines(section))));
        }
        let root = Node::mapping(entries);
        let ini = DocumentFormat::named("ini").expect("a format");
        if let Ok(text) = ini.write(&root) {
            let seen = opened(&text).expect("what was written is INI");
            prop_assert_eq!(model(&seen), model(&root), "{}", text);
        }
    }
}
