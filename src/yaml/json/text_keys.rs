//! YAML's keys as a format whose keys are text can hold them.

use std::collections::HashMap;
use std::sync::Arc;

use super::canonical::key_text;
use crate::source::{Result, Source};
use crate::yaml::node::{Alias, Content, Entry, Item, Node, Scalar, ScalarStyle, Text};

/// Returns a tree whose keys are all strings: a key of another type becomes its text, as it is
/// spelled.
///
/// ```text
/// {y: 8, 1.5: a, null: b}    ->    {"y": 8, "1.5": a, "null": b}
/// ```
///
/// What needs no change is shared, and an alias stays one. Keys that `own` contains are kept as
/// they are: they are in the text already, and only an edit of them may change their bytes.
///
/// # Errors
/// [`Code::ValueDoesNotFit`](crate::source::Code::ValueDoesNotFit) for a key that is a collection.
pub fn with_text_keys(node: &Arc<Node>, own: Option<&Arc<Source>>) -> Result<Arc<Node>> {
    let targets = HashMap::new();
    TextKeys { own, targets }.node(node)
}

struct TextKeys<'a> {
    own: Option<&'a Arc<Source>>,
    /// The targets of aliases that were converted, by their address. Aliases within aliases would
    /// otherwise take exponential time.
    targets: HashMap<*const Node, Arc<Node>>,
}

impl TextKeys<'_> {
    fn node(&mut self, node: &Arc<Node>) -> Result<Arc<Node>> {
        let changed = match &node.content {
            Content::Mapping(mapping) => {
                let mut entries = Vec::with_capacity(mapping.entries.len());
                let mut is_changed = false;
                for entry in &mapping.entries {
                    let new = Entry {
                        key: self.key(&entry.key)?,
                        value: self.node(&entry.value)?,
                    };
                    is_changed |= !Arc::ptr_eq(&new.key, &entry.key)
                        || !Arc::ptr_eq(&new.value, &entry.value);
                    entries.push(new);
                }
                is_changed.then(|| node.with_entries(entries))
            }
            Content::Sequence(sequence) => {
                let mut items = Vec::with_capacity(sequence.items.len());
                let mut is_changed = false;
                for item in &sequence.items {
                    let value = self.node(&item.value)?;
                    is_changed |= !Arc::ptr_eq(&value, &item.value);
                    items.push(Item {
                        start: item.start,
                        value,
                    });
                }
                is_changed.then(|| node.with_items(items))
            }
            Content::Alias(alias) => {
                let target = self.target(&alias.target)?;
                (!Arc::ptr_eq(&target, &alias.target)).then(|| {
                    node.with_content(Content::Alias(Alias {
                        target,
                        ..alias.clone()
                    }))
                })
            }
            Content::Scalar(_) => None,
        };
        Ok(changed.unwrap_or_else(|| Arc::clone(node)))
    }

    fn target(&mut self, target: &Arc<Node>) -> Result<Arc<Node>> {
        let address = Arc::as_ptr(target);
        if let Some(known) = self.targets.get(&address) {
            return Ok(Arc::clone(known));
        }
        let changed = self.node(target)?;
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

/// Returns a key as a string with the same place.
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
