//! The interface between the operations of overlays and the elements of the left.
//!
//! The same operations work on documents, entries and items. They are written once, against the
//! trait [`LeftElements`], which is implemented for each of the three.

use std::sync::Arc;

use crate::overlay::element_kind::ElementKind;
use crate::overlay::matcher::{ElementIndex, ElementMatcher};
use crate::overlay::part::OverlayPart;
use crate::script::Caller;
use crate::source::{Limit, Location, Result};
use crate::yaml::{Content, Node, Origin, Scalar, Text};

/// Elements that parts are applied to.
///
/// An element is identified by its position. Invariant: a position is valid until an element is
/// removed or inserted.
pub(in crate::overlay) trait LeftElements {
    /// The kind of these elements, and of the parts that are applied to them.
    const KIND: ElementKind;

    /// Returns the place of the whole collection.
    fn whole(&self) -> Option<Location>;

    /// Returns the positions of all elements, in order.
    fn positions(&self) -> Vec<usize>;

    /// Returns the number of elements.
    fn count(&self) -> usize;

    /// Returns the positions of the elements with a key. Only entries have keys.
    fn with_key(&mut self, _key: &Node) -> Vec<usize> {
        Vec::new()
    }

    /// Returns the positions of the elements that `matcher` may accept for the right value `right`,
    /// in order. They include every element that it does accept.
    ///
    /// Returns `None` if every element must be tested. That includes the case that the matcher
    /// would fail for one of them, because that error must be reported.
    fn candidates(
        &mut self,
        _matcher: &ElementMatcher<'_>,
        _right: &Arc<Node>,
    ) -> Option<Vec<usize>> {
        None
    }

    /// Returns the value of an element. For an alias, this is its target.
    fn value(&self, at: usize) -> &Arc<Node>;

    /// Returns the number or key of an element.
    fn index<'v>(&self, at: usize) -> ElementIndex<'_, 'v>;

    /// Returns the key of an entry.
    fn key(&self, at: usize) -> Option<&Arc<Node>> {
        match self.index(at) {
            ElementIndex::Key(key) => Some(key),
            _ => None,
        }
    }

    /// Returns the place of an element.
    fn place(&self, at: usize) -> Option<Location>;

    /// Sets the value of an element, and keeps its annotations.
    fn set(&mut self, at: usize, value: Arc<Node>, caller: &Caller<'_, '_>) -> Result<()>;

    /// Sets the value of an element, and replaces its annotations with those of `part`.
    fn replace(
        &mut self,
        at: usize,
        value: Arc<Node>,
        part: &OverlayPart<'_>,
        caller: &Caller<'_, '_>,
    ) -> Result<()>;

    /// Renames an entry to the key of `part`, unless another entry already has that key. Only
    /// entries have keys.
    fn rename(
        &mut self,
        _at: usize,
        _part: &OverlayPart<'_>,
        _caller: &Caller<'_, '_>,
    ) -> Result<()> {
        Ok(())
    }

    /// Moves an element to the place of the part that replaced it. Does nothing for documents,
    /// which have the place of their root.
    fn take_place(&mut self, _at: usize, _place: &Location) {}

    /// Removes the elements at `positions`, which are in ascending order.
    fn remove(&mut self, positions: &[usize]);

    /// Inserts values of `part`, in the order of their positions. Parts never insert entries.
    fn insert(
        &mut self,
        _values: Vec<Insertion>,
        _part: &OverlayPart<'_>,
        _caller: &Caller<'_, '_>,
    ) -> Result<()> {
        Ok(())
    }

    /// Adds a value of `part` at the end.
    fn add(
        &mut self,
        value: Arc<Node>,
        file: TargetFile,
        part: &OverlayPart<'_>,
        caller: &Caller<'_, '_>,
    ) -> Result<()>;
}

/// One element of a collection.
pub(in crate::overlay) struct LeftElement<'e, E> {
    pub(in crate::overlay) elements: &'e E,
    pub(in crate::overlay) at: usize,
}

impl<E: LeftElements> LeftElement<'_, E> {
    /// Returns the current value of the element.
    pub(in crate::overlay) fn value(&self) -> &Arc<Node> {
        self.elements.value(self.at)
    }

    /// Returns the index that is passed to a matcher: a position or a key.
    pub(in crate::overlay) fn index<'v>(&self) -> ElementIndex<'_, 'v> {
        self.elements.index(self.at)
    }

    /// Returns the place that messages show.
    pub(in crate::overlay) fn place(&self) -> Option<Location> {
        self.elements.place(self.at)
    }
}

/// A value that is inserted next to the element at a position.
pub(in crate::overlay) struct Insertion {
    pub(in crate::overlay) at: usize,
    pub(in crate::overlay) value: Arc<Node>,
    pub(in crate::overlay) sides: InsertionSides,
}

/// The sides of an element on which a value is inserted.
#[derive(Clone, Copy)]
pub(in crate::overlay) struct InsertionSides {
    pub(in crate::overlay) before: bool,
    pub(in crate::overlay) after: bool,
}

/// The file that a new document is added to. It is ignored for entries and items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::overlay) enum TargetFile {
    First,
    Last,
}

/// Returns the value that replaces `old`.
///
/// If `old` is an alias, the new value is a modified copy of its target. The copy loses the anchor,
/// which must not be defined twice:
///
/// ```text
/// a: &x {n: 1}            a: &x {n: 1}
/// b: *x            →      b: {n: 2}
/// ```
pub(in crate::overlay) fn next_version(old: &Arc<Node>, value: Arc<Node>) -> Arc<Node> {
    match &old.content {
        // An alias without a name is only a carrier for the annotations of an item.
        Content::Alias(alias) if !alias.name.is_empty() => value.anchored(None),
        _ => value,
    }
}

/// Inserts values next to the elements of a list. `make` creates the new element from an insertion
/// and the element next to it.
///
/// # Errors
/// Fails if the list becomes too long: overlays that insert next to each element double it each
/// time. Returns the errors of `make`.
pub(super) fn inserted<T>(
    elements: Vec<T>,
    values: Vec<Insertion>,
    make: impl Fn(&Insertion, &T) -> Result<T>,
) -> Result<Vec<T>> {
    let mut length = elements.len();
    for insertion in &values {
        length += usize::from(insertion.sides.before) + usize::from(insertion.sides.after);
    }
    let limit = Limit::ListLength;
    if length > limit.size() {
        let most = limit.value();
        let message = format!("expected overlays that insert up to {most} items, found {length}");
        return Err(limit.exceeded_by(length as u64, message));
    }
    let mut result = Vec::with_capacity(length);
    let mut values = values.into_iter().peekable();
    for (at, element) in elements.into_iter().enumerate() {
        let Some(insertion) = values.next_if(|insertion| insertion.at == at) else {
            result.push(element);
            continue;
        };
        if insertion.sides.before {
            result.push(make(&insertion, &element)?);
        }
        // Create the second copy before `element` is moved into the list.
        let after = match insertion.sides.after {
            true => Some(make(&insertion, &element)?),
            false => None,
        };
        result.push(element);
        result.extend(after);
    }
    Ok(result)
}

/// Removes the elements at `positions`, which are in ascending order.
pub(super) fn without<T>(elements: Vec<T>, positions: &[usize]) -> Vec<T> {
    let mut positions = positions.iter().copied().peekable();
    let mut kept = Vec::with_capacity(elements.len());
    for (at, element) in elements.into_iter().enumerate() {
        if positions.next_if_eq(&at).is_none() {
            kept.push(element);
        }
    }
    kept
}

/// Returns a copy of the node at another place.
pub(super) fn moved(node: &Node, place: &Location) -> Arc<Node> {
    let content = match (&node.content, node.text()) {
        // The text may be stored only as a span of the old source, so it is copied.
        (Content::Scalar(scalar), Some(text)) => Content::Scalar(Scalar {
            style: scalar.style,
            text: Text::Owned(text.into()),
        }),
        (content, _) => content.clone(),
    };
    Arc::new(Node {
        origin: Some(Origin {
            source: Arc::clone(&place.source),
            span: place.span,
        }),
        properties: node.properties.clone(),
        content,
    })
}
