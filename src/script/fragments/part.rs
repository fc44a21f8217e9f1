//! The parts of a template: what its compiler found, and what its instructions refer to by number.

use std::sync::Arc;

use super::Annotation;
use crate::script::value::ScalarKey;
use crate::source::{Location, Span};
use crate::yaml::Node;

/// All parts of one template, by number, and the texts and annotations that its instructions
/// mention.
#[derive(Debug, Default)]
pub struct Parts {
    /// The parts.
    pub parts: Vec<Part>,
    /// Pieces of text templates.
    pub texts: Vec<Box<str>>,
    /// The names of annotations, each with the place of its comment.
    pub annotations: Vec<(Arc<str>, Location)>,
    /// Whether every entry may override an earlier one with the same key, without an annotation.
    pub implicit_overrides: bool,
}

/// A document, an entry of a mapping, or an item of a sequence.
#[derive(Debug)]
pub struct Part {
    /// Which of the three, with what only this kind has.
    pub kind: PartKind,
    /// The number of the part around it.
    pub parent: Option<usize>,
    /// Its value, for an instruction that builds the part at once.
    pub pattern: Pattern,
    /// Its value before its own parts are added, for an instruction that opens the part.
    pub shape: Shape,
    /// Whether it may override an earlier entry with the same key.
    pub overrides: bool,
    /// Its place in the template.
    pub place: Location,
    /// Roughly how many bytes are written for it, without the values of its holes and without the
    /// parts inside it that have instructions of their own.
    pub size: usize,
}

/// The kinds of part.
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
        /// See [`Item::start`](crate::yaml::Item).
        start: Option<u32>,
    },
}

/// A key for comparisons: the number 1, the number 1.0 and the text "1" are three keys.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PartKey(pub(in crate::script) ScalarKey);

impl PartKey {
    /// Returns the key that `node` is; `None` for a collection.
    pub fn of(node: &Node) -> Option<PartKey> {
        ScalarKey::of(node).map(PartKey)
    }
}

/// A value with holes.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// No hole: shared as it was parsed.
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
        /// The place of each dash, and each value.
        items: Vec<(Option<u32>, Pattern)>,
    },
}

/// The value of a part before its own parts are added.
#[derive(Clone, Debug)]
pub enum Shape {
    /// Nothing may be added to it.
    Scalar,
    /// A mapping: the one that was parsed.
    Mapping(Arc<Node>),
    /// A sequence: the one that was parsed.
    Sequence(Arc<Node>),
}

/// A document that was built.
#[derive(Clone, Debug)]
pub struct Built {
    /// Its content.
    pub root: Arc<Node>,
    /// Its place in the template; `None` for one that code made from values.
    pub place: Option<Location>,
    /// Its annotations, in the order in which they were evaluated.
    pub annotations: Vec<Annotation>,
}
