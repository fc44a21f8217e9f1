//! Computes the value that an element has after the operation of a part.
//!
//! [`merge_children`](Overlaying::merge_children) and
//! [`apply_each`](Overlaying::apply_each) call each other, one level of the tree at a time.

use std::sync::Arc;

use super::element_kind::ElementKind;
use super::elements::{LeftElement, LeftElements, LeftEntries, LeftItems, PlainEntries};
use super::error::{caught_kind, overlay_error};
use super::instruction::{MatchDefaults, OverlayOperation, Structured};
use super::operate::MatchedPart;
use super::overlaying::Overlaying;
use super::part::{OverlayChildren, OverlayPart};
use super::place_in_object::PlaceInObject;
use super::trail::OverlayTrail;
use crate::source::{Diagnostic, Reported, Result};
use crate::yaml::{Content, Mapping, Node, Value as Scalar};

impl<'v> Overlaying<'_, '_, 'v> {
    /// Returns the value of an element after the operation of a part.
    pub(super) fn next_value<E: LeftElements>(
        &mut self,
        element: LeftElement<'_, E>,
        part: MatchedPart<'_, 'v>,
    ) -> Result<Arc<Node>, Reported> {
        let left = Arc::clone(element.value());
        let place = self.place_of(&element);
        self.inside(place, |overlaying| match part.instruction.structured {
            None => overlaying.operate_on_value(&left, &element, part),
            Some(structured) => overlaying.operate_in_string(&left, structured, &element, part),
        })
    }

    /// Returns the place of an element in its object.
    fn place_of<E: LeftElements>(&self, element: &LeftElement<'_, E>) -> PlaceInObject {
        let left = element.value();
        match self.places.last() {
            // A document starts a new object, so the places outside it do not affect its fields.
            Some(outer) if E::KIND != ElementKind::Document => outer.below(element.index(), left),
            _ => PlaceInObject::root(left, self.options.format),
        }
    }

    /// Returns the string `left` after the operation of a part on the document in it
    /// (`@overlay/structured`):
    ///
    /// ```text
    /// left value        opened     operation       closed
    /// '{"a": 1}'   →    a: 1   →   a: 2       →    '{"a": 2}'
    /// ```
    fn operate_in_string<E: LeftElements>(
        &mut self,
        left: &Arc<Node>,
        structured: Structured,
        element: &LeftElement<'_, E>,
        part: MatchedPart<'_, 'v>,
    ) -> Result<Arc<Node>, Reported> {
        let trail = part.trail;
        let document = self.open_string(left, structured, trail)?;
        let root = Arc::clone(document.root());
        let place = PlaceInObject::root(&root, document.format());
        let right = if place.has_text_keys() {
            self.check(trail, part.right().with_text_keys(self.caller))?
        } else {
            part.right()
        };
        let part_inside = MatchedPart {
            trail: &trail.with_part(right),
            ..part
        };
        let changed = self.inside(place, |overlaying| {
            overlaying.operate_on_value(&root, element, part_inside)
        })?;
        self.close_string(left, document, &changed, trail)
    }

    /// Returns `left` after the operation of a part. `left` is the value of `element`, or the
    /// document in it.
    fn operate_on_value<E: LeftElements>(
        &mut self,
        left: &Arc<Node>,
        element: &LeftElement<'_, E>,
        part: MatchedPart<'_, 'v>,
    ) -> Result<Arc<Node>, Reported> {
        let MatchedPart {
            trail, instruction, ..
        } = part;
        match instruction.operation {
            OverlayOperation::Merge => self.merge(left, trail, instruction.defaults),
            OverlayOperation::Replace { via, .. } => {
                let made = self.made_by(via, Some(left), trail)?;
                self.right_value(made, trail, instruction.defaults)
            }
            OverlayOperation::Assert { via } => {
                let outcome = self.assert(left, element.place(), trail.part, via);
                self.check(trail, outcome)?;
                // An assertion about a collection can contain operations on its entries or items.
                // For a scalar, `None` means that a merge would replace it. An assertion only
                // checks, so the left value is kept (as in ytt).
                let merged = self.merge_children(left, trail, instruction.defaults)?;
                Ok(merged.unwrap_or_else(|| Arc::clone(left)))
            }
            // These do not change the value of an element.
            OverlayOperation::Remove
            | OverlayOperation::Insert { .. }
            | OverlayOperation::Append => Ok(Arc::clone(left)),
        }
    }

    /// Returns `left` with the last part of `trail` merged into it.
    pub(super) fn merge(
        &mut self,
        left: &Arc<Node>,
        trail: &OverlayTrail<'_, 'v>,
        defaults: MatchDefaults<'v>,
    ) -> Result<Arc<Node>, Reported> {
        match self.merge_children(left, trail, defaults)? {
            Some(merged) => Ok(merged),
            None => self.plain_value(trail, defaults),
        }
    }

    /// Applies the children of the last part of `trail` to the children of `left`.
    ///
    /// Returns `None` if there are no children to merge, because the right is a scalar or the left
    /// is null. The value of the right then replaces `left`.
    fn merge_children(
        &mut self,
        left: &Arc<Node>,
        trail: &OverlayTrail<'_, 'v>,
        defaults: MatchDefaults<'v>,
    ) -> Result<Option<Arc<Node>>, Reported> {
        let left = left.resolved();
        let children = self.check(trail, trail.part.children(defaults, self.caller))?;
        self.recorder.merging(trail.part.place.as_ref(), left);
        match (children, &left.content) {
            (OverlayChildren::None, _) => Ok(None),
            (OverlayChildren::Entries(parts), Content::Mapping(mapping)) => {
                self.merge_entries(left, mapping, parts, trail).map(Some)
            }
            (OverlayChildren::Items(parts), Content::Sequence(sequence)) => {
                let mut items = LeftItems::new(left, sequence);
                self.apply_each(parts, trail, &mut items)?;
                Ok(Some(items.finish()))
            }
            // A null contains no data that a merge could lose, so the collection replaces it. Any
            // other scalar is more likely a mistake in the path, so replacing it requires
            // `@overlay/replace`.
            _ if left.value() == Some(Scalar::Null) => Ok(None),
            _ => {
                // The instruction was read before, so an error here was already reported.
                let instruction = trail.part.instruction(self.caller);
                let is_in_string = instruction.is_ok_and(|own| own.structured.is_some());
                let error = wrong_kind(left, &trail.part.value, is_in_string);
                Err(self.report(trail, error))
            }
        }
    }

    /// Returns the mapping `left`, whose content is `mapping`, after `parts` were applied to its
    /// entries.
    fn merge_entries(
        &mut self,
        left: &Arc<Node>,
        mapping: &Mapping,
        parts: &[OverlayPart<'v>],
        trail: &OverlayTrail<'_, 'v>,
    ) -> Result<Arc<Node>, Reported> {
        let place = self.places.last();
        let has_text_keys = place.is_some_and(PlaceInObject::has_text_keys);
        if let Some(mut entries) = PlainEntries::new(left, mapping, parts, has_text_keys) {
            self.apply_each(parts, trail, &mut entries)?;
            return Ok(entries.finish());
        }
        let mut entries = self.check(trail, LeftEntries::new(left, mapping, has_text_keys))?;
        self.apply_each(parts, trail, &mut entries)?;
        Ok(entries.finish())
    }
}

/// Returns the error for a mapping or list that is applied to a value of another kind.
/// `is_in_string` says that `left` is the document in a string.
fn wrong_kind(left: &Arc<Node>, right: &Arc<Node>, is_in_string: bool) -> Box<Diagnostic> {
    let (wanted, found) = (right.kind(), left.described());
    let mut error = overlay_error(format!(
        "expected a {wanted} to apply a {wanted} to, found {found}"
    ))
    .at(left.location(), found)
    .caught_as(format!(
        "Expected {}, but was {}",
        caught_kind(right),
        caught_kind(left)
    ));
    if is_in_string {
        error = error.note("this is the document in the string");
    } else if let Some(Scalar::String(_)) = left.value() {
        error = error.help(format!(
            "to apply it to the document in the string, annotate the {wanted} with `#@overlay/structured`"
        ));
    }
    error.help(format!(
        "to replace it by the {wanted}, annotate the {wanted} with `#@overlay/replace`"
    ))
}

/// Returns whether a merge replaces `left` with the right value: a scalar replaces any value, and
/// any value replaces null.
pub(super) fn takes_over(left: &Node, right: &Node) -> bool {
    right.as_scalar().is_some() || left.value() == Some(Scalar::Null)
}
