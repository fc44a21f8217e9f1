//! The parts of a template, as the compiler found them.

use std::sync::Arc;

use super::Annotation;
use crate::script::value::Key;
use crate::source::{Location, Span};
use crate::yaml::Node;

/// All parts of one template, by number, and the texts and annotations that its instructions mention.
#[derive(Debug, Default)]
pub struct Parts {
    /// The parts.
    pub parts: Vec<Part>,
    /// Pieces of text templates.
    pub texts: Vec<Box<str>>,
    /// The names of annotations, each with the place of its comment.
    pub annotations: Vec<(Arc<str>, Location)>,
    /// Whether a key that stands twice replaces the first without being told so.
    pub implicit_overrides: bool,
}

/// A document, an entry of a mapping, or an item of a sequence.
#[derive(Debug)]
pub struct Part {
    /// Which of them, and what is particular to it.
    pub kind: PartKind,
    /// The number of the document, entry or item around it.
    pub parent: Option<usize>,
    /// What its value is, if it is complete as it stands or has holes for values alone.
    pub pattern: Pattern,
    /// What its value is before its own parts come.
    pub shape: Shape,
    /// Whether it may replace an entry with the same key.
    pub overrides: bool,
    /// Where it stands.
    pub place: Location,
    /// About how many bytes are written for it, but for the values of its holes and for the parts inside it that have
    /// instructions of their own.
    pub size: usize,
}

/// The kinds of part.
#[derive(Debug)]
pub enum PartKind {
    /// A document.
    Document,
    /// An entry, with its key as it is written.
    Entry {
        /// The node of the key.
        key: Arc<Node>,
        /// What the key says; `None` for a collection.
        says: Option<PartKey>,
    },
    /// An item, with the place of its dash.
    Item {
        /// See [`Item::start`](crate::yaml::Item).
        start: Option<u32>,
    },
}

/// What a key says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PartKey(pub(in crate::script) Key);

impl PartKey {
    /// What the key `node` says; `None` for a collection.
    pub fn of(node: &Node) -> Option<PartKey> {
        Key::of(node).map(PartKey)
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

/// What the value of a part starts as.
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
    /// What it says.
    pub root: Arc<Node>,
    /// Where it stands in the template; `None` for one that was made from values.
    pub place: Option<Location>,
    /// Its annotations, in the order in which they were evaluated.
    pub annotations: Vec<Annotation>,
}
