//! YAML's keys as JSON can hold them.

use std::sync::Arc;

use super::canonical::key_text;
use crate::source::Result;
use crate::yaml::node::{Content, Entry, Node};

/// A tree whose keys are all strings: a key of another type becomes its text. Aliases are followed;
/// what needs no change is shared.
///
/// # Errors
/// [`Code::ValueDoesNotFit`](crate::source::Code::ValueDoesNotFit) for a key that is a collection.
pub fn with_text_keys(node: &Arc<Node>) -> Result<Arc<Node>> {
    let node = node.resolved();
    match &node.content {
        Content::Mapping(mapping) => {
            let entries = mapping
                .entries
                .iter()
                .map(text_entry)
                .collect::<Result<Vec<_>>>()?;
            let same = |(new, old): (&Entry, &Entry)| {
                Arc::ptr_eq(&new.key, &old.key) && Arc::ptr_eq(&new.value, &old.value)
            };
            let unchanged = entries.iter().zip(&mapping.entries).all(same);
            Ok(if unchanged {
                Arc::clone(node)
            } else {
                Node::mapping(entries)
            })
        }
        Content::Sequence(sequence) => {
            let values = sequence
                .items
                .iter()
                .map(|item| with_text_keys(&item.value))
                .collect::<Result<Vec<_>>>()?;
            let unchanged = values
                .iter()
                .zip(&sequence.items)
                .all(|(new, old)| Arc::ptr_eq(new, &old.value));
            Ok(if unchanged {
                Arc::clone(node)
            } else {
                Node::sequence(values)
            })
        }
        Content::Scalar(_) | Content::Alias(_) => Ok(Arc::clone(node)),
    }
}

fn text_entry(entry: &Entry) -> Result<Entry> {
    let value = with_text_keys(&entry.value)?;
    Ok(match entry.key.as_str() {
        Some(_) => Entry {
            value,
            ..entry.clone()
        },
        None => Entry::new(key_text(&entry.key)?, value),
    })
}
