//! Values for the part of a path that does not exist yet.

use std::sync::Arc;

use super::path::Segment;
use crate::yaml::{Entry, Node};

/// The value that has `leaf` at the end of `segments`; `None` where a segment names nothing that could be made: a
/// wildcard, an index other than the first, the document of a string that is not there.
///
/// The next segment decides what is made: a list for an index, `-`, `[name=x]` and `[=x]`, a mapping for a key.
pub(super) fn create(segments: &[Segment], leaf: Arc<Node>) -> Option<Arc<Node>> {
    segments.iter().rev().try_fold(leaf, |inner, segment| match segment {
        Segment::Wildcard | Segment::Document => None,
        Segment::Match { .. } | Segment::Item(_) => item(segment, inner).map(|item| Node::sequence([item])),
        Segment::Key(key) => Some(Node::mapping(vec![Entry::new(key, inner)])),
        Segment::Name(_) if segment.is_last() || segment.as_index() == Some(0) => Some(Node::sequence([inner])),
        Segment::Name(_) if segment.as_index().is_some() => None,
        Segment::Name(key) => Some(Node::mapping(vec![Entry::new(key, inner)])),
    })
}

/// The item that `segment` would have selected, with `inner` in it.
pub(super) fn item(segment: &Segment, inner: Arc<Node>) -> Option<Arc<Node>> {
    match segment {
        Segment::Match { field, value } => {
            let mut entries = vec![Entry::new(field, Node::string(&**value))];
            entries.extend(inner.as_mapping()?.entries.iter().cloned());
            Some(Node::mapping(entries))
        }
        _ => Some(inner),
    }
}
