//! Every path that a message suggests leads to the key that it was suggested for.

use std::sync::Arc;

use inlay::edit::{EditOptions, FieldPath, PathStep, find};
use inlay::yaml::{Entry, Node};
use proptest::prelude::*;

/// Returns a key from the characters that have a meaning in paths.
fn key() -> impl Strategy<Value = String> {
    let letter = prop::sample::select(vec![
        "a", "b", ".", "[", "]", "\\", "=", "*", "-", "$", "0", "/", "~", "'", "\"", " ", "@",
        "json",
    ]);
    prop::collection::vec(letter, 0..6).prop_map(|letters| letters.concat())
}

/// Returns the ways in which a user may write a key in a path.
fn attempts(key: &str) -> Vec<String> {
    vec![
        key.to_owned(),
        key.replace('.', "\\."),
        key.replace('[', "\\[").replace(']', "\\]"),
        key.replace('.', "\\.")
            .replace('[', "\\[")
            .replace(']', "\\]"),
        format!("{key}x"),
        format!("'{key}'"),
        format!("[\"{key}\"]"),
        format!("[{key}]"),
        key.replace('.', "/"),
    ]
}

/// Returns whether a path is written as in JSON pointers or JavaScript. The suggested one has the
/// same keys, which the document may not have.
fn is_in_another_language(path: &str) -> bool {
    path.starts_with('/') || path.replace("\\[", "").contains('[')
}

/// Returns the texts of a message that it suggests.
fn suggestions(help: &[String]) -> Vec<String> {
    let suggested = help.iter().filter_map(|help| {
        let text = help.strip_prefix("did you mean `")?;
        text.strip_suffix("`?")
    });
    suggested.map(str::to_owned).collect()
}

/// Returns the value of `key` in `root` if the path leads there.
fn leads_to(path: &str, root: &Arc<Node>, wanted: &Arc<Node>) -> bool {
    let Ok(path) = FieldPath::parse(path) else {
        return false;
    };
    let Ok(found) = find(root, &path, &EditOptions::default()) else {
        return false;
    };
    found.len() == 1 && Arc::ptr_eq(&found[0].node, wanted)
}

proptest! {
    #[test]
    fn a_suggested_path_leads_to_a_value(key in key()) {
        let value = Node::plain("1");
        let inner = Node::mapping(vec![Entry::new("field", Arc::clone(&value))]);
        let root = Node::mapping(vec![
            Entry::new(key.as_str(), Arc::clone(&inner)),
            Entry::new("other", Node::plain("2")),
        ]);
        for attempt in attempts(&key) {
            let Ok(path) = FieldPath::parse(&format!("{attempt}.field")) else {
                continue;
            };
            let Err(failure) = find(&root, &path, &EditOptions::default()) else {
                continue;
            };
            for suggested in suggestions(&failure.diagnostic(String::new).help) {
                prop_assert!(FieldPath::parse(&suggested).is_ok(), "{attempt}: `{suggested}`");
                if is_in_another_language(&attempt) {
                    continue;
                }
                let is_path = leads_to(&suggested, &root, &value);
                let is_key = matches!(&*suggested, "other" | "field") || leads_to(&suggested, &root, &inner);
                prop_assert!(is_path || is_key, "{attempt}.field: `{suggested}`");
            }
        }
    }

    #[test]
    fn the_path_of_steps_leads_along_them(keys in prop::collection::vec(key(), 1..4)) {
        let value = Node::plain("1");
        let mut root = Arc::clone(&value);
        for key in keys.iter().rev() {
            root = Node::mapping(vec![Entry::new(key.as_str(), root)]);
        }
        let steps: Vec<PathStep> =
            keys.iter().map(|key| PathStep::Key(key.as_str().into())).collect();
        let path = FieldPath::of_steps(&steps).to_string();
        prop_assert!(leads_to(&path, &root, &value), "{path}");
    }
}
