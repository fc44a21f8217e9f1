//! What the operations of overlays need of the elements of the left.
//!
//! The same operations work on documents, entries and items. So they are written once, against the
//! trait [`LeftElements`], which has an implementation for each of the three.

use std::sync::Arc;

use crate::overlay::element_kind::ElementKind;
use crate::overlay::matcher::{ElementIndex, ElementMatcher};
use crate::overlay::part::OverlayPart;
use crate::script::Caller;
use crate::source::{Location, Result};
use crate::yaml::{Content, Node, Origin, Scalar, Text};

/// Elements that parts are applied to.
///
/// An element is named by its position. Invariant: a position is valid until an element is removed
/// or inserted.
pub(in crate::overlay) trait LeftElements {
    /// The kind of the parts that are applied to them.
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

    /// Returns the positions of the elements that `matcher` can accept for the right `right`, in
    /// order: at least those that it does accept.
    ///
    /// Returns `None` if every element has to be asked. That is also the case if the matcher would
    /// fail for one of them, because the error must be reported.
    fn candidates(
        &mut self,
        _matcher: &ElementMatcher<'_>,
        _right: &Arc<Node>,
    ) -> Option<Vec<usize>> {
        None
    }

    /// Returns the value of an element; of an alias, its target.
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

    /// Sets the value of an element, which keeps its annotations.
    fn set(&mut self, at: usize, value: Arc<Node>, caller: &Caller<'_, '_>) -> Result<()>;

    /// Sets the value of an element, and replaces its annotations by those of `part`.
    fn replace(
        &mut self,
        at: usize,
        value: Arc<Node>,
        part: &OverlayPart<'_>,
        caller: &Caller<'_, '_>,
    ) -> Result<()>;

    /// Renames an entry to the key of `part`, unless another entry has that key. Only entries have
    /// keys.
    fn rename(
        &mut self,
        _at: usize,
        _part: &OverlayPart<'_>,
        _caller: &Caller<'_, '_>,
    ) -> Result<()> {
        Ok(())
    }

    /// Moves an element to the place of the part that replaced it. Documents have the place of
    /// their root.
    fn take_place(&mut self, _at: usize, _place: &Location) {}

    /// Removes the elements at `positions`, which are in order.
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
    /// Returns the value that the element has now.
    pub(in crate::overlay) fn value(&self) -> &Arc<Node> {
        self.elements.value(self.at)
    }

    /// Returns what a matcher is given as the index: a position, or a key.
    pub(in crate::overlay) fn index<'v>(&self) -> ElementIndex<'_, 'v> {
        self.elements.index(self.at)
    }

    /// Returns the place to point at in messages.
    pub(in crate::overlay) fn place(&self) -> Option<Location> {
        self.elements.place(self.at)
    }
}

/// A value that is inserted beside the element at a position.
pub(in crate::overlay) struct Insertion {
    pub(in crate::overlay) at: usize,
    pub(in crate::overlay) value: Arc<Node>,
    pub(in crate::overlay) sides: InsertionSides,
}

/// On which sides of an element a value is inserted.
#[derive(Clone, Copy)]
pub(in crate::overlay) struct InsertionSides {
    pub(in crate::overlay) before: bool,
    pub(in crate::overlay) after: bool,
}

/// The file whose documents a new document follows. It makes no difference for entries and items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::overlay) enum TargetFile {
    First,
    Last,
}

/// Returns the value that takes the place of `old`.
///
/// The copy of the target of an alias must not define its anchor again, so it is left out:
///
/// ```text
/// a: &x {n: 1}            a: &x {n: 1}
/// b: *x            →      b: {n: 2}
/// ```
pub(in crate::overlay) fn next_version(old: &Arc<Node>, value: Arc<Node>) -> Arc<Node> {
    match &old.content {
        // An alias without a name only attaches annotations to an item.
        Content::Alias(alias) if !alias.name.is_empty() => value.anchored(None),
        _ => value,
    }
}

/// Inserts values beside the elements of a list. `make` turns an insertion beside an element into
/// an element.
pub(super) fn inserted<T>(
    elements: Vec<T>,
    values: Vec<Insertion>,
    make: impl Fn(&Insertion, &T) -> Result<T>,
) -> Result<Vec<T>> {
    let mut result = Vec::with_capacity(elements.len() + values.len());
    let mut values = values.into_iter().peekable();
    for (at, element) in elements.into_iter().enumerate() {
        let Some(insertion) = values.next_if(|insertion| insertion.at == at) else {
            result.push(element);
            continue;
        };
        if insertion.sides.before {
            result.push(make(&insertion, &element)?);
        }
        // The element itself is moved into the list between both copies, so the second is made
        // before.
        let after = match insertion.sides.after {
            true => Some(make(&insertion, &element)?),
            false => None,
        };
        result.push(element);
        result.extend(after);
    }
    Ok(result)
}

/// Removes the elements at `positions`, which are in order.
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

/// Returns the node with another place.
pub(super) fn moved(node: &Node, place: &Location) -> Arc<Node> {
    let content = match (&node.content, node.text()) {
        // The text may be at the old place and nowhere else, so it is copied.
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
