//! The algorithm: each part finds the elements that it means and changes them as its annotations
//! say.
//!
//! ```text
//! left          right                                    what happens, part by part
//!
//! - name: a     #@overlay/match by="name"                 matches item 1, so the item is merged:
//!   n: 1        - name: b                                   key `name`: equal, nothing changes
//! - name: b       n: 3                                      key `n`: 2 → 3
//!   n: 2        #@overlay/append                          appended
//!               - name: c
//! ```
//!
//! The parts of one collection are applied one after the other, each to the result of those before
//! it. A part that fails leaves its elements as they were, and its siblings are still tried, so
//! that one run reports every mistake.

use std::sync::Arc;

use super::element_kind::ElementKind;
use super::elements::{
    Insertion, InsertionSides, LeftDocuments, LeftElements, LeftEntries, LeftItems, OverlaidRoot,
    PlainEntries, TargetFile,
};
use super::error::overlay_error;
use super::instruction::{Instruction, MatchDefaults, MatchTarget, OverlayOperation};
use super::matcher::{ElementMatcher, MatchedElement};
use super::near_miss;
use super::overlaying::{EqualValues, Overlaying};
use super::part::{OverlayChildren, OverlayPart};
use super::place_in_object::PlaceInObject;
use super::trail::OverlayTrail;
use crate::edit::DocumentFormat;
use crate::script::fragments::Built;
use crate::script::{Caller, Value};
use crate::source::{Code, Diagnostic, Diagnostics, Reported, Result};
use crate::yaml::{Content, Node, Value as Scalar};

/// The documents of all files, to which overlays are applied one after the other.
#[derive(Debug)]
pub struct DocumentGroups(LeftDocuments);

impl DocumentGroups {
    /// Takes one list for each file, without empty documents.
    pub fn new(files: Vec<Vec<Built>>) -> DocumentGroups {
        DocumentGroups(LeftDocuments::new(files))
    }

    /// Applies one overlay. Its `@overlay/match` selects the documents.
    ///
    /// A document that is appended goes to the last file, one that `or_add` adds to the first. If
    /// there is no file, a list is added for it. `format` is that of the text which contains the
    /// documents.
    ///
    /// # Errors
    /// Reports each part of the overlay that fails.
    pub fn apply(
        &mut self,
        caller: &mut Caller<'_, '_>,
        overlay: &Built,
        equal_values: EqualValues,
        format: DocumentFormat,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        let part = OverlayPart::document(overlay);
        let trail = OverlayTrail::root(&part);
        let mut overlaying = Overlaying::new(caller, equal_values, format, diagnostics);
        let part = overlaying.part_for_format(&trail)?;
        overlaying.apply_part(&mut self.0, &trail.with_part(part))
    }

    /// Returns the same documents, whose changes are recorded from now on.
    pub fn recorded(self) -> DocumentGroups {
        DocumentGroups(self.0.recorded())
    }

    /// Returns the changes since the last call, if they are recorded.
    pub fn take_changes(&mut self) -> Vec<OverlaidRoot> {
        self.0.take_changes()
    }

    /// Returns the number of lists.
    pub fn count(&self) -> usize {
        self.0.files()
    }

    /// Returns the documents of each file.
    pub fn into_files(self) -> Vec<Vec<Built>> {
        self.0.into_files()
    }
}

/// Applies overlays, one after the other, to one document, and ignores their `@overlay/match`.
/// Schemas and data values are combined this way.
///
/// Overlay annotations do not come out. Other annotations do: those of the left where parts are
/// merged, those of the right where it replaces or adds something.
///
/// # Errors
/// Reports each part of the first overlay that fails, and an overlay that removes the document.
pub fn apply_to_one(
    caller: &mut Caller<'_, '_>,
    left: Built,
    overlays: &[Built],
    equal_values: EqualValues,
    format: DocumentFormat,
    diagnostics: &mut Diagnostics,
) -> Result<Built, Reported> {
    // Invariant: each overlay sees the result of those before it, and its positions are its own.
    // The single document therefore becomes a collection again for each of them.
    let mut left = left;
    for overlay in overlays {
        let part = OverlayPart::document(overlay);
        let trail = OverlayTrail::root(&part);
        let mut documents = LeftDocuments::new(vec![vec![left]]);
        let mut overlaying = Overlaying::new(caller, equal_values, format, diagnostics);
        let trail = trail.with_part(overlaying.part_for_format(&trail)?);
        // This reads the annotations without `@overlay/match` and keeps the result in the part, so
        // later calls of `part.instruction` do not fail for the missing annotation.
        let instruction = trail.part.unmatched_instruction(overlaying.caller);
        let instruction = overlaying.check(&trail, instruction)?;
        overlaying.operate(&mut documents, &trail, instruction, &[0])?;
        left = match documents.into_files().into_iter().flatten().next() {
            Some(document) => document,
            None => {
                let error = overlay_error(
                    "expected an overlay that keeps the document, found one that removes it",
                );
                return Err(diagnostics.report(error.at(overlay.place.clone(), "")));
            }
        };
    }
    Ok(left)
}

/// Applies an overlay that is a mapping or a list to a value.
///
/// # Errors
/// Reports each part of the overlay that fails.
pub(super) fn apply_to_value(
    caller: &mut Caller<'_, '_>,
    left: &Arc<Node>,
    right: &Arc<Node>,
    diagnostics: &mut Diagnostics,
) -> Result<Arc<Node>, Reported> {
    let part = OverlayPart::value(right);
    let trail = OverlayTrail::root(&part);
    let format = DocumentFormat::YAML;
    let mut overlaying = Overlaying::new(caller, EqualValues::KeepLeft, format, diagnostics);
    overlaying.places.push(PlaceInObject::root(left, format));
    overlaying.merge(left, &trail, MatchDefaults::default())
}

impl<'v> Overlaying<'_, '_, 'v> {
    /// Returns the last part of `trail` with the keys that the format of the documents has.
    fn part_for_format<'t>(
        &mut self,
        trail: &OverlayTrail<'t, 'v>,
    ) -> Result<&'t OverlayPart<'v>, Reported> {
        if self.format == DocumentFormat::YAML {
            return Ok(trail.part);
        }
        self.check(trail, trail.part.with_text_keys(self.caller))
    }

    /// Applies the last part of `trail` to the elements that it matches.
    fn apply_part<E: LeftElements>(
        &mut self,
        elements: &mut E,
        trail: &OverlayTrail<'_, 'v>,
    ) -> Result<(), Reported> {
        let part = trail.part;
        let instruction = self.check(trail, part.instruction(self.caller))?;
        // All matches are found before the first is changed, as in ytt: a matcher never sees an
        // element that its own part has already changed.
        let matched = self.find_matches(elements, part, &instruction.target);
        let matched = self.check(trail, matched)?;
        if let MatchTarget::Key(count) | MatchTarget::By(_, count) = &instruction.target {
            let is_accepted = count.accepts(matched.len(), self.caller);
            if !self.check(trail, is_accepted)? {
                // `when=` turns a wrong number into "this part does not apply here".
                if count.skips {
                    return Ok(());
                }
                return Err(self.report_with(trail, || {
                    near_miss::wrong_count(elements, part, instruction, count, &matched)
                }));
            }
        }
        self.operate(elements, trail, instruction, &matched)
    }

    /// Returns the positions of the elements that a part means.
    fn find_matches<E: LeftElements>(
        &mut self,
        elements: &mut E,
        part: &OverlayPart<'v>,
        target: &MatchTarget<'v>,
    ) -> Result<Vec<usize>> {
        let matcher = match target {
            MatchTarget::New => return Ok(Vec::new()),
            MatchTarget::Key(_) => {
                return Ok(match &part.key {
                    Some(key) => elements.with_key(key),
                    None => Vec::new(),
                });
            }
            MatchTarget::By(matcher, _) => matcher,
        };
        match matcher {
            ElementMatcher::All => Ok(elements.positions()),
            // A number means one element, so there is no need to ask the others. In a mapping, a
            // number is a key.
            ElementMatcher::Index(index) if E::KIND != ElementKind::Entry => {
                match usize::try_from(*index) {
                    Ok(at) if at < elements.count() => Ok(vec![at]),
                    _ => Ok(Vec::new()),
                }
            }
            _ => self.ask_matcher(elements, part, matcher),
        }
    }

    fn ask_matcher<E: LeftElements>(
        &mut self,
        elements: &mut E,
        part: &OverlayPart<'v>,
        matcher: &ElementMatcher<'v>,
    ) -> Result<Vec<usize>> {
        // Without candidates, a thousand parts that each mean one of a thousand elements would ask
        // a million times.
        let candidates = elements.candidates(matcher, &part.value);
        let candidates = candidates.unwrap_or_else(|| elements.positions());
        let mut matched = Vec::new();
        for at in candidates {
            let element = MatchedElement {
                index: elements.index(at),
                left: elements.value(at),
                right: &part.value,
            };
            match matcher.accepts(element, self.caller) {
                Ok(true) => matched.push(at),
                Ok(false) => {}
                // Our own matchers already show the element.
                Err(error) if error.code == Code::Overlay && !error.labels.is_empty() => {
                    return Err(error);
                }
                Err(error) => {
                    return Err(error.at(elements.place(at), "while matching this"));
                }
            }
        }
        Ok(matched)
    }

    /// Carries out the operation of a part on the elements that it matched.
    fn operate<E: LeftElements>(
        &mut self,
        elements: &mut E,
        trail: &OverlayTrail<'_, 'v>,
        instruction: &Instruction<'v>,
        matched: &[usize],
    ) -> Result<(), Reported> {
        match instruction.operation {
            OverlayOperation::Merge => {
                self.check_document_in_string(trail, instruction)?;
                // A part that may match nothing is added then, except a document, which is only
                // added on request.
                if matched.is_empty() && E::KIND != ElementKind::Document {
                    return self.add(elements, trail, instruction, None, TargetFile::Last);
                }
                self.update_each(elements, trail, instruction, matched)
            }
            OverlayOperation::Assert { .. } => {
                self.update_each(elements, trail, instruction, matched)
            }
            OverlayOperation::Remove => {
                elements.remove(matched);
                Ok(())
            }
            OverlayOperation::Replace { via, or_add } => {
                self.replace_each(elements, trail, instruction, matched)?;
                if matched.is_empty() && or_add {
                    return self.add(elements, trail, instruction, via, TargetFile::First);
                }
                Ok(())
            }
            OverlayOperation::Insert { before, after, via } => {
                let sides = InsertionSides { before, after };
                self.insert_beside(elements, trail, instruction, via, sides, matched)
            }
            OverlayOperation::Append => {
                self.add(elements, trail, instruction, None, TargetFile::Last)
            }
        }
    }

    /// Refuses to merge a scalar into a document in a string: it would replace the whole document.
    fn check_document_in_string(
        &mut self,
        trail: &OverlayTrail<'_, 'v>,
        instruction: &Instruction<'v>,
    ) -> Result<(), Reported> {
        let right = &trail.part.value;
        if instruction.structured.is_none() || right.as_scalar().is_none() {
            return Ok(());
        }
        let error = overlay_error(format!(
            "expected a mapping or a list for the document in a string, found {}",
            right.described()
        ))
        .help("to replace the whole document, add `#@overlay/replace`");
        Err(self.report(trail, error))
    }

    /// Gives each matched element its new value; an element that does not change is not touched.
    fn update_each<E: LeftElements>(
        &mut self,
        elements: &mut E,
        trail: &OverlayTrail<'_, 'v>,
        instruction: &Instruction<'v>,
        matched: &[usize],
    ) -> Result<(), Reported> {
        for &at in matched {
            let value = self.next_value(elements, at, trail, instruction)?;
            // Asked only if it counts: the text of a string with an edited document is printed for it.
            let is_replaced = self.takes_places()
                && matches!(instruction.operation, OverlayOperation::Merge)
                && takes_over(elements.value(at), &trail.part.value);
            if self.is_change(elements.value(at), &value) {
                self.check(trail, elements.set(at, value, self.caller))?;
            }
            if is_replaced {
                self.take_place(elements, at, trail.part);
            }
        }
        Ok(())
    }

    /// Moves an element to the place of a part, if places are asked for.
    fn take_place<E: LeftElements>(&mut self, elements: &mut E, at: usize, part: &OverlayPart<'v>) {
        if let Some(place) = part.place.as_ref().filter(|_| self.takes_places()) {
            elements.take_place(at, place);
        }
    }

    fn replace_each<E: LeftElements>(
        &mut self,
        elements: &mut E,
        trail: &OverlayTrail<'_, 'v>,
        instruction: &Instruction<'v>,
        matched: &[usize],
    ) -> Result<(), Reported> {
        let part = trail.part;
        for &at in matched {
            let value = self.next_value(elements, at, trail, instruction)?;
            // An equal value still brings the annotations of the right.
            if self.is_change(elements.value(at), &value) || !part.other_annotations().is_empty() {
                self.check(trail, elements.replace(at, value, part, self.caller))?;
            }
            self.take_place(elements, at, part);
        }
        // ytt gives a replaced map item the key of the overlay. Several cannot have one key, so
        // each keeps its own.
        if let [only] = *matched {
            self.check(trail, elements.rename(only, part, self.caller))?;
        }
        Ok(())
    }

    fn insert_beside<E: LeftElements>(
        &mut self,
        elements: &mut E,
        trail: &OverlayTrail<'_, 'v>,
        instruction: &Instruction<'v>,
        via: Option<Value<'v>>,
        sides: InsertionSides,
        matched: &[usize],
    ) -> Result<(), Reported> {
        if !sides.before && !sides.after {
            return Ok(());
        }
        let mut values = Vec::with_capacity(matched.len());
        for &at in matched {
            let left = Arc::clone(elements.value(at));
            let made = self.made_by(via, Some(&left), trail)?;
            let value = self.new_value(made, trail, instruction)?;
            values.push(Insertion { at, value, sides });
        }
        self.check(trail, elements.insert(values, trail.part, self.caller))
    }

    fn add<E: LeftElements>(
        &mut self,
        elements: &mut E,
        trail: &OverlayTrail<'_, 'v>,
        instruction: &Instruction<'v>,
        via: Option<Value<'v>>,
        file: TargetFile,
    ) -> Result<(), Reported> {
        let made = self.made_by(via, None, trail)?;
        let value = self.new_value(made, trail, instruction)?;
        self.check(trail, elements.add(value, file, trail.part, self.caller))
    }

    /// Returns the value of an element after the operation of a part.
    ///
    /// With `@overlay/structured`, the operation works on the document in the string:
    ///
    /// ```text
    /// left value        opened     operation       closed
    /// '{"a": 1}'   →    a: 1   →   a: 2       →    '{"a": 2}'
    /// ```
    fn next_value<E: LeftElements>(
        &mut self,
        elements: &E,
        at: usize,
        trail: &OverlayTrail<'_, 'v>,
        instruction: &Instruction<'v>,
    ) -> Result<Arc<Node>, Reported> {
        let left = Arc::clone(elements.value(at));
        let place = match self.places.last() {
            // A document starts a new object, so the places outside of it do not matter for its
            // fields.
            Some(outer) if E::KIND != ElementKind::Document => {
                outer.below(elements.index(at), &left)
            }
            _ => PlaceInObject::root(&left, self.format),
        };
        // Invariant: every place that is pushed is popped, also after an error, because siblings go
        // on.
        self.places.push(place);
        let value = match instruction.structured {
            None => self.operate_on_value(&left, elements, at, trail, instruction),
            Some(structured) => match self.open_string(&left, structured, trail) {
                Err(reported) => Err(reported),
                Ok(document) => {
                    let root = Arc::clone(document.root());
                    let place = PlaceInObject::root(&root, document.format());
                    let part = match place.has_text_keys() {
                        true => trail.part.with_text_keys(self.caller),
                        false => Ok(trail.part),
                    };
                    self.places.push(place);
                    let changed = self.check(trail, part).and_then(|part| {
                        let trail = trail.with_part(part);
                        self.operate_on_value(&root, elements, at, &trail, instruction)
                    });
                    self.places.pop();
                    changed.and_then(|changed| self.close_string(&left, document, &changed, trail))
                }
            },
        };
        self.places.pop();
        value
    }

    /// Returns what the operation of a part makes of `left`: the value of an element, or the
    /// document in it.
    fn operate_on_value<E: LeftElements>(
        &mut self,
        left: &Arc<Node>,
        elements: &E,
        at: usize,
        trail: &OverlayTrail<'_, 'v>,
        instruction: &Instruction<'v>,
    ) -> Result<Arc<Node>, Reported> {
        match instruction.operation {
            OverlayOperation::Merge => self.merge(left, trail, instruction.defaults),
            OverlayOperation::Replace { via, .. } => {
                let made = self.made_by(via, Some(left), trail)?;
                self.right_value(made, trail, instruction.defaults)
            }
            OverlayOperation::Assert { via } => {
                let kept = self.assert(left, elements.place(at), trail.part, via);
                self.check(trail, kept)?;
                // An assertion about a collection can contain operations on its entries or items.
                // For a scalar, `None` means that it would be replaced. An assertion checks only,
                // so the left stays (ytt does the same).
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
    fn merge(
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

    /// Applies the children of the last part of `trail` to those of `left`.
    ///
    /// Returns `None` if there is nothing to merge: the right is a scalar, or the left is null. Its
    /// value then takes the place of `left`.
    fn merge_children(
        &mut self,
        left: &Arc<Node>,
        trail: &OverlayTrail<'_, 'v>,
        defaults: MatchDefaults<'v>,
    ) -> Result<Option<Arc<Node>>, Reported> {
        let left = left.resolved();
        let children = self.check(trail, trail.part.children(defaults, self.caller))?;
        match (children, &left.content) {
            (OverlayChildren::None, _) => Ok(None),
            (OverlayChildren::Entries(parts), Content::Mapping(mapping)) => {
                let place = self.places.last();
                let text_keys = place.is_some_and(PlaceInObject::has_text_keys);
                if let Some(mut entries) = PlainEntries::new(left, mapping, parts, text_keys) {
                    self.apply_each(parts, trail, &mut entries)?;
                    return Ok(Some(entries.finish()));
                }
                let mut entries = self.check(trail, LeftEntries::new(left, mapping, text_keys))?;
                self.apply_each(parts, trail, &mut entries)?;
                Ok(Some(entries.finish()))
            }
            (OverlayChildren::Items(parts), Content::Sequence(sequence)) => {
                let mut items = LeftItems::new(left, sequence);
                self.apply_each(parts, trail, &mut items)?;
                Ok(Some(items.finish()))
            }
            // A null contains nothing that a merge could lose, so a collection takes its place. Any
            // other scalar is more likely a mistake in the path, and replacing it has to be asked
            // for.
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

    /// Applies each of `parts`, the children of the last part of `trail`, also after one has
    /// failed.
    fn apply_each<E: LeftElements>(
        &mut self,
        parts: &[OverlayPart<'v>],
        trail: &OverlayTrail<'_, 'v>,
        elements: &mut E,
    ) -> Result<(), Reported> {
        // The parts after a failed one still run. Their changes are discarded with the error, but
        // their mistakes are reported in the same run.
        let mut outcome = Ok(());
        for part in parts {
            if let Err(reported) = self.apply_part(elements, &trail.child(part)) {
                outcome = Err(reported);
            }
        }
        outcome
    }
}

/// Returns the error for a mapping or list that is applied to something else.
fn wrong_kind(left: &Arc<Node>, right: &Arc<Node>, is_in_string: bool) -> Box<Diagnostic> {
    let (wanted, found) = (right.kind(), left.described());
    let mut error = overlay_error(format!(
        "expected a {wanted} to apply a {wanted} to, found {found}"
    ))
    .at(left.location(), found);
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

/// Returns whether merging gives the left the value of the right: a scalar replaces anything, and
/// null is replaced by anything.
fn takes_over(left: &Node, right: &Node) -> bool {
    right.as_scalar().is_some() || left.value() == Some(Scalar::Null)
}
