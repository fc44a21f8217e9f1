//! A value taken from where it stands, to be written elsewhere.

use std::sync::Arc;

use crate::source::Result;
use crate::yaml::{Content, Entry, Node, expand};

/// The value of `node` as one that was made: it stands nowhere, has no anchors, and is written in the style of whatever it
/// comes to stand among. Aliases and merge keys are written out.
///
/// # Errors
/// As [`expand`].
pub fn remake(node: &Arc<Node>) -> Result<Arc<Node>> {
    Ok(made(&expand(node)?))
}

/// An expanded tree as one that was made.
fn made(node: &Arc<Node>) -> Arc<Node> {
    match &node.content {
        Content::Mapping(mapping) => {
            let entries = mapping.entries.iter();
            Node::mapping(
                entries
                    .map(|entry| Entry {
                        key: made(&entry.key),
                        value: made(&entry.value),
                    })
                    .collect(),
            )
        }
        Content::Sequence(sequence) => {
            Node::sequence(sequence.items.iter().map(|item| made(&item.value)))
        }
        // What a tag says is lost with it.
        _ if node.tag().is_some() => node.anchored(None),
        _ => match (node.as_str(), node.text()) {
            (Some(text), _) => Node::string(text),
            (None, Some(text)) => Node::plain(text),
            (None, None) => node.anchored(None),
        },
    }
}
