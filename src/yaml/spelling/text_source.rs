//! The text of a scalar as a source of its own.

use std::sync::Arc;

use super::decode;
use crate::source::{OffsetMap, Outer, Source, Span};
use crate::yaml::node::Node;

/// The text of a scalar as a source, mapped onto the bytes that spell it: a place in it is a place in the file. What is no
/// scalar, and what was made, has a text that stands nowhere.
pub fn text_source(node: &Node) -> Arc<Source> {
    mapped_source(
        node,
        decode(node).map(|spelled| spelled.map).unwrap_or_default(),
    )
}

/// The same with a map that is known: a scalar of another language than YAML and JSON is spelled by rules of its own.
pub fn mapped_source(node: &Node, map: OffsetMap) -> Arc<Source> {
    embedded(node, node.text().unwrap_or(""), map)
}

/// A text that a scalar holds in an encoding of its own: a place in it is the place of the whole scalar.
pub fn encoded_source(node: &Node, text: &str) -> Arc<Source> {
    embedded(node, text, OffsetMap::default())
}

fn embedded(node: &Node, text: &str, map: OffsetMap) -> Arc<Source> {
    let (source, span) = match &node.origin {
        Some(origin) => (Arc::clone(&origin.source), origin.span),
        None => (Source::empty(), Span::at(0)),
    };
    Source::embedded(text, Outer { source, span, map })
}
