//! Converts the keys of YAML for a format whose keys are text.

use std::collections::HashMap;
use std::sync::Arc;

use super::canonical::key_text;
use crate::source::{Result, Source};
use crate::yaml::expand::expand_by_spelling;
use crate::yaml::node::{
    Alias, Content, Entry, Item, Mapping, Node, Scalar, ScalarStyle, Sequence, Text,
};

/// Returns a tree whose keys are all strings. A key of another type becomes its text, as it is
/// spelled.
///
/// ```text
/// {y: 8, 1.5: a, null: b}    ->    {"y": 8, "1.5": a, "null": b}
/// ```
///
/// Unchanged parts are shared, and an alias stays an alias. Keys that `own` contains are kept as
/// they are: they are in the text already, and only an edit of them may change their bytes.
///
/// Parts that the tree shares with `before`, an earlier result of this function, are not visited
/// again.
///
/// # Errors
/// [`Code::ValueDoesNotFit`](crate::source::Code::ValueDoesNotFit) for a key that is a collection.
pub fn with_text_keys(
    node: &Arc<Node>,
    before: Option<&Arc<Node>>,
    own: Option<&Arc<Source>>,
) -> Result<Arc<Node>> {
    let targets = HashMap::new();
    TextKeys { own, targets }.node(node, before)
}

/// Returns a value that is copied into a format whose keys are text. Aliases and merge keys are
/// expanded first, because a merge key would become an ordinary key; `y` and `true` are two keys.
///
/// # Errors
/// As [`with_text_keys`] and [`expand_by_spelling`].
pub fn expand_to_text_keys(node: &Arc<Node>) -> Result<Arc<Node>> {
    with_text_keys(&expand_by_spelling(node)?, None, None)
}

struct TextKeys<'a> {
    own: Option<&'a Arc<Source>>,
    /// The converted targets of aliases, by their address. Without them, nested aliases would take
    /// exponential time.
    targets: HashMap<*const Node, Arc<Node>>,
}

impl TextKeys<'_> {
    fn node(&mut self, node: &Arc<Node>, before: Option<&Arc<Node>>) -> Result<Arc<Node>> {
        if before.is_some_and(|before| Arc::ptr_eq(before, node)) {
            return Ok(Arc::clone(node));
        }
        match &node.content {
            Content::Mapping(mapping) => {
                let old = before.and_then(|before| before.as_mapping());
                let changes = self.entries(mapping, old)?;
                if !changes.is_empty() {
                    return Ok(node.with_entries(mapping.entries.replaced(changes)));
                }
            }
            Content::Sequence(sequence) => {
                let old = before.and_then(|before| before.as_sequence());
                let changes = self.items(sequence, old)?;
                if !changes.is_empty() {
                    return Ok(node.with_items(sequence.items.replaced(changes)));
                }
            }
            Content::Alias(alias) => {
                let target = self.target(&alias.target)?;
                if !Arc::ptr_eq(&target, &alias.target) {
                    let alias = Alias {
                        target,
                        ..alias.clone()
                    };
                    return Ok(node.with_content(Content::Alias(alias)));
                }
            }
            Content::Scalar(_) => {}
        }
        // The same pointer means that nothing changed.
        Ok(Arc::clone(node))
    }

    /// Returns the changed entries, each with its index.
    fn entries(
        &mut self,
        mapping: &Mapping,
        before: Option<&Mapping>,
    ) -> Result<Vec<(usize, Entry)>> {
        let difference = mapping.changed_since(before);
        let mut known: HashMap<*const Node, &Entry> = HashMap::new();
        for entry in &difference.before {
            known.insert(Arc::as_ptr(&entry.key), entry);
        }
        let mut changes = Vec::new();
        for (at, entry) in difference.after {
            let old = known.get(&Arc::as_ptr(&entry.key));
            let key = match old {
                Some(_) => Arc::clone(&entry.key),
                None => self.key(&entry.key)?,
            };
            let value = self.node(&entry.value, old.map(|old| &old.value))?;
            if !Arc::ptr_eq(&key, &entry.key) || !Arc::ptr_eq(&value, &entry.value) {
                changes.push((at, Entry { key, value }));
            }
        }
        Ok(changes)
    }

    /// Returns the changed items, each with its index.
    fn items(
        &mut self,
        sequence: &Sequence,
        before: Option<&Sequence>,
    ) -> Result<Vec<(usize, Item)>> {
        let difference = sequence.changed_since(before);
        let mut changes = Vec::new();
        for (place, (at, item)) in difference.after.into_iter().enumerate() {
            // The earlier version is most likely at the same position.
            let old = difference.before.get(place).map(|item| &item.value);
            let value = self.node(&item.value, old)?;
            if !Arc::ptr_eq(&value, &item.value) {
                let start = item.start;
                changes.push((at, Item { start, value }));
            }
        }
        Ok(changes)
    }

    fn target(&mut self, target: &Arc<Node>) -> Result<Arc<Node>> {
        let address = Arc::as_ptr(target);
        if let Some(known) = self.targets.get(&address) {
            return Ok(Arc::clone(known));
        }
        let changed = self.node(target, None)?;
        self.targets.insert(address, Arc::clone(&changed));
        Ok(changed)
    }

    fn key(&self, key: &Arc<Node>) -> Result<Arc<Node>> {
        let text = key_text(key)?;
        Ok(if key.as_str().is_some() || is_in(key, self.own) {
            Arc::clone(key)
        } else {
            string_key(key.resolved(), text)
        })
    }
}

/// Returns a key as a string at the same place.
fn string_key(key: &Node, text: &str) -> Arc<Node> {
    let scalar = Content::Scalar(Scalar {
        style: ScalarStyle::DoubleQuoted,
        text: Text::Owned(text.into()),
    });
    // A tag such as `!!int` would make the quoted text a number again.
    Arc::new(Node {
        origin: key.origin.clone(),
        properties: None,
        content: scalar,
    })
}

fn is_in(node: &Node, source: Option<&Arc<Source>>) -> bool {
    match (&node.origin, source) {
        (Some(origin), Some(source)) => Arc::ptr_eq(&origin.source, source),
        _ => false,
    }
}
