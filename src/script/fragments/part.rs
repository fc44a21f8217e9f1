//! The parts of a template, which its compiler creates and its instructions refer to by number.

use std::sync::Arc;

use super::Annotation;
use crate::script::value::ScalarKey;
use crate::source::{Location, Span};
use crate::yaml::Node;

/// All parts of one template, by number, with the texts and annotations that its instructions refer
/// to.
#[derive(Debug, Default)]
pub struct Parts {
    /// The parts.
    pub parts: Vec<Part>,
    /// The pieces of a text template.
    pub texts: Vec<Box<str>>,
    /// The names of annotations, each with the place of its comment.
    pub annotations: Vec<(Arc<str>, Location)>,
    /// Whether every entry may override an earlier one with the same key, without an annotation.
    pub implicit_overrides: bool,
}

/// A document, an entry of a mapping, or an item of a sequence.
#[derive(Debug)]
pub struct Part {
    /// The kind of the part, with the data that only this kind has.
    pub kind: PartKind,
    /// The number of the enclosing part.
    pub parent: Option<usize>,
    /// The value, for an instruction that builds the part at once.
    pub pattern: Pattern,
    /// The value before inner parts are added, for an instruction that opens the part.
    pub shape: Shape,
    /// Whether the entry may override an earlier one with the same key.
    pub overrides: bool,
    /// The place in the template.
    pub place: Location,
    /// The approximate number of bytes written for the part, without the values of its holes and
    /// without the inner parts that have their own instructions.
    pub size: usize,
}

/// The kinds of parts.
#[derive(Debug)]
pub enum PartKind {
    /// A document.
    Document,
    /// An entry, with its key as it was written.
    Entry {
        /// The node of the key.
        key: Arc<Node>,
        /// The key for comparisons; `None` for a collection.
        says: Option<PartKey>,
    },
    /// An item, with the place of its dash.
    Item {
        /// The offset of the dash; see [`Item::start`](crate::yaml::Item).
        start: Option<u32>,
    },
}

/// A key for comparisons: the number 1, the number 1.0 and the text "1" are three different keys.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PartKey(pub(in crate::script) ScalarKey);

impl PartKey {
    /// Returns the key of a node; `None` for a collection.
    pub fn of(node: &Node) -> Option<PartKey> {
        ScalarKey::of(node).map(PartKey)
    }
}

/// A value with holes.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// A value without holes, shared as it was parsed.
    Shared(Arc<Node>),
    /// A value that the program computes, and the place of its expression.
    Hole(Span),
    /// A mapping with a hole somewhere inside.
    Mapping {
        /// The mapping as it was parsed.
        base: Arc<Node>,
        /// Its keys and values.
        entries: Vec<(Arc<Node>, Pattern)>,
    },
    /// A sequence with a hole somewhere inside.
    Sequence {
        /// The sequence as it was parsed.
        base: Arc<Node>,
        /// The offset of each dash, and each value.
        items: Vec<(Option<u32>, Pattern)>,
    },
}

/// The value of a part before its inner parts are added.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A value without inner parts.
    Scalar,
    /// The parsed mapping.
    Mapping(Arc<Node>),
    /// The parsed sequence.
    Sequence(Arc<Node>),
}

/// A document that was built.
#[derive(Clone, Debug)]
pub struct Built {
    /// The content.
    pub root: Arc<Node>,
    /// The place in the template; `None` for a document that code created from values.
    pub place: Option<Location>,
    /// The annotations, in the order of their evaluation.
    pub annotations: Vec<Annotation>,
}
