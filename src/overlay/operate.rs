//! Finds the elements that a part selects, and applies its operation to them.
//!
//! The parts of one collection are applied one after another, each to the result of the previous
//! ones. A part that fails leaves its elements unchanged, and its siblings are still tried, so that
//! one run reports every mistake.

use std::sync::Arc;

use super::element_kind::ElementKind;
use super::elements::{Insertion, InsertionSides, LeftElement, LeftElements, TargetFile};
use super::error::overlay_error;
use super::instruction::{ExpectedCount, Instruction, MatchTarget, OverlayOperation};
use super::matcher::{ElementMatcher, MatchedElement};
use super::merge::takes_over;
use super::near_miss;
use super::overlaying::{EqualValues, Overlaying};
use super::part::OverlayPart;
use super::prepared::{PreparedChange, PreparedPart, merge_into_each};
use super::trail::OverlayTrail;
use crate::edit::DocumentFormat;
use crate::kubernetes::keep_secrets;
use crate::provenance::OverlayMatch;
use crate::script::Value;
use crate::source::{Code, Reported, Result};
use crate::yaml::Node;

/// The maximum number of elements that are recorded for one match.
const MOST_RECORDED: usize = 100;

/// A part whose operation is applied, and the elements that it matched.
#[derive(Clone, Copy)]
pub(super) struct MatchedPart<'p, 'v> {
    /// The part and the parts around it.
    pub(super) trail: &'p OverlayTrail<'p, 'v>,
    /// The instruction of its annotations.
    pub(super) instruction: &'p Instruction<'v>,
    /// The positions of the matched elements.
    pub(super) matched: &'p [usize],
}

impl<'p, 'v> MatchedPart<'p, 'v> {
    /// Returns the part itself, without the parts around it.
    pub(super) fn right(self) -> &'p OverlayPart<'v> {
        self.trail.part
    }
}

impl<'v> Overlaying<'_, '_, 'v> {
    /// Applies each of `parts`, the children of the last part of `trail`. Continues after a part
    /// has failed.
    pub(super) fn apply_each<E: LeftElements>(
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

    /// Applies the last part of `trail` to the elements that it matches.
    pub(super) fn apply_part<E: LeftElements>(
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
        self.recorder.matched(|| recorded(elements, part, &matched));
        let part = MatchedPart {
            trail,
            instruction,
            matched: &matched,
        };
        if let MatchTarget::Key(count) | MatchTarget::By(_, count) = &instruction.target {
            let is_accepted = count.accepts(matched.len(), self.caller);
            if !self.check(trail, is_accepted)? {
                return self.handle_wrong_count(elements, part, count);
            }
        }
        self.operate(elements, part)
    }

    /// Skips a part with `when=`, for which a wrong number of matches means that it does not apply
    /// here. For any other part, reports the wrong number.
    fn handle_wrong_count<E: LeftElements>(
        &mut self,
        elements: &E,
        part: MatchedPart<'_, 'v>,
        count: &ExpectedCount<'v>,
    ) -> Result<(), Reported> {
        if count.skips {
            return Ok(());
        }
        // The message compares the elements with the subset, which can be a Secret.
        if let MatchTarget::By(matcher, _) = &part.instruction.target
            && let Some(target) = matcher.target()
        {
            keep_secrets(target, self.diagnostics);
        }
        Err(self.report_with(part.trail, || near_miss::wrong_count(elements, part, count)))
    }

    /// Returns the positions of the elements that a part selects.
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
            // A number selects one element, so the others need not be tested. In a mapping, a
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

    /// Returns the positions of the elements that `matcher` accepts.
    fn ask_matcher<E: LeftElements>(
        &mut self,
        elements: &mut E,
        part: &OverlayPart<'v>,
        matcher: &ElementMatcher<'v>,
    ) -> Result<Vec<usize>> {
        // Without candidates, a thousand parts that each select one of a thousand elements would
        // need a million tests.
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
                // The errors of our own matchers already show the element.
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

    /// Applies the operation of a part to the elements that it matched.
    pub(super) fn operate<E: LeftElements>(
        &mut self,
        elements: &mut E,
        part: MatchedPart<'_, 'v>,
    ) -> Result<(), Reported> {
        let matched = part.matched;
        match part.instruction.operation {
            OverlayOperation::Merge => {
                self.check_document_in_string(part)?;
                // A part that matches nothing, which `missing_ok=True` allows, is added. A document
                // is not: it is only added on request (`or_add=True`).
                if matched.is_empty() && E::KIND != ElementKind::Document {
                    return self.add(elements, part, None, TargetFile::Last);
                }
                self.update_each(elements, part)
            }
            OverlayOperation::Assert { .. } => self.update_each(elements, part),
            OverlayOperation::Remove => {
                elements.remove(matched);
                Ok(())
            }
            OverlayOperation::Replace { via, or_add } => {
                self.replace_each(elements, part)?;
                if matched.is_empty() && or_add {
                    return self.add(elements, part, via, TargetFile::First);
                }
                Ok(())
            }
            OverlayOperation::Insert { before, after, via } => {
                let sides = InsertionSides { before, after };
                self.insert_beside(elements, part, via, sides)
            }
            OverlayOperation::Append => self.add(elements, part, None, TargetFile::Last),
        }
    }

    /// Rejects merging a scalar into a document in a string: it would replace the whole document.
    fn check_document_in_string(&mut self, part: MatchedPart<'_, 'v>) -> Result<(), Reported> {
        let right = &part.right().value;
        if part.instruction.structured.is_none() || right.as_scalar().is_none() {
            return Ok(());
        }
        let error = overlay_error(format!(
            "expected a mapping or a list for the document in a string, found {}",
            right.described()
        ))
        .help("to replace the whole document, add `#@overlay/replace`");
        Err(self.report(part.trail, error))
    }

    /// Sets the new value of each matched element. An element that does not change keeps its node.
    fn update_each<E: LeftElements>(
        &mut self,
        elements: &mut E,
        part: MatchedPart<'_, 'v>,
    ) -> Result<(), Reported> {
        let Some(changes) = self.prepared_changes(elements, part)? else {
            for &at in part.matched {
                self.update(elements, at, part)?;
            }
            return Ok(());
        };
        for (&at, change) in part.matched.iter().zip(changes) {
            match change {
                PreparedChange::None => {}
                PreparedChange::Root(root) => {
                    self.check(part.trail, elements.set(at, root, self.caller))?;
                }
                PreparedChange::Unknown => self.update(elements, at, part)?,
            }
        }
        Ok(())
    }

    /// Sets the new value of one element, if it changes.
    fn update<E: LeftElements>(
        &mut self,
        elements: &mut E,
        at: usize,
        part: MatchedPart<'_, 'v>,
    ) -> Result<(), Reported> {
        let value = self.next_value(LeftElement { elements, at }, part)?;
        // The value is only read if `takes_places` requires it: reading the value of a string whose
        // document was edited prints the document.
        let is_replaced = self.takes_places()
            && matches!(part.instruction.operation, OverlayOperation::Merge)
            && takes_over(elements.value(at), &part.right().value);
        if self.is_change(elements.value(at), &value) {
            self.check(part.trail, elements.set(at, value, self.caller))?;
        }
        if is_replaced {
            self.take_place(elements, at, part.right());
        }
        Ok(())
    }

    /// Merges a part into the documents that it matched, on several threads.
    ///
    /// Returns one change for each document. Returns `None` if the part calls functions or the
    /// elements are not documents of a build; the caller then uses [`update`](Self::update).
    fn prepared_changes<E: LeftElements>(
        &mut self,
        elements: &E,
        part: MatchedPart<'_, 'v>,
    ) -> Result<Option<Vec<PreparedChange>>, Reported> {
        let is_plain = E::KIND == ElementKind::Document
            && self.options.equal_values == EqualValues::KeepLeft
            && self.options.format == DocumentFormat::YAML;
        // Preparing a part for a single document is not worth the effort. A prepared part also does
        // not record the matches of the parts inside it.
        if !is_plain || part.matched.len() < 2 || self.recorder.takes_matches() {
            return Ok(None);
        }
        let Some(prepared) = PreparedPart::document(part.right(), part.instruction, self.caller)
        else {
            return Ok(None);
        };
        let roots = part.matched.iter().map(|&at| elements.value(at));
        let roots: Vec<&Arc<Node>> = roots.collect();
        let changes = self
            .caller
            .with_annotations(|annotations| merge_into_each(&prepared, &roots, annotations));
        self.check(part.trail, changes).map(Some)
    }

    /// Moves an element to the place of a part, if the result must show places.
    fn take_place<E: LeftElements>(&mut self, elements: &mut E, at: usize, part: &OverlayPart<'v>) {
        if self.takes_places()
            && let Some(place) = &part.place
        {
            elements.take_place(at, place);
        }
    }

    /// Replaces each matched element with the value of the part and its annotations.
    fn replace_each<E: LeftElements>(
        &mut self,
        elements: &mut E,
        part: MatchedPart<'_, 'v>,
    ) -> Result<(), Reported> {
        let right = part.right();
        for &at in part.matched {
            let value = self.next_value(LeftElement { elements, at }, part)?;
            // Even an equal value brings the annotations of the right.
            if self.is_change(elements.value(at), &value) || !right.other_annotations().is_empty() {
                let replaced = elements.replace(at, value, right, self.caller);
                self.check(part.trail, replaced)?;
            }
            self.take_place(elements, at, right);
        }
        // In ytt, a replaced map item takes the key of the overlay. Several items cannot have the
        // same key, so each of them keeps its own.
        if let [only] = *part.matched {
            self.check(part.trail, elements.rename(only, right, self.caller))?;
        }
        Ok(())
    }

    /// Inserts the value of the part before or after each matched element, or on both sides.
    fn insert_beside<E: LeftElements>(
        &mut self,
        elements: &mut E,
        part: MatchedPart<'_, 'v>,
        via: Option<Value<'v>>,
        sides: InsertionSides,
    ) -> Result<(), Reported> {
        if !sides.before && !sides.after {
            return Ok(());
        }
        // All values are computed before the first is inserted: an insertion shifts the positions
        // of the elements after it, and `via` must see the elements that were matched.
        let mut values = Vec::with_capacity(part.matched.len());
        for &at in part.matched {
            let left = Arc::clone(elements.value(at));
            let made = self.made_by(via, Some(&left), part.trail)?;
            let value = self.new_value(made, part.trail, part.instruction)?;
            values.push(Insertion { at, value, sides });
        }
        let inserted = elements.insert(values, part.right(), self.caller);
        self.check(part.trail, inserted)
    }

    /// Adds the value of the part at the end.
    fn add<E: LeftElements>(
        &mut self,
        elements: &mut E,
        part: MatchedPart<'_, 'v>,
        via: Option<Value<'v>>,
        file: TargetFile,
    ) -> Result<(), Reported> {
        let made = self.made_by(via, None, part.trail)?;
        let value = self.new_value(made, part.trail, part.instruction)?;
        let added = elements.add(value, file, part.right(), self.caller);
        self.check(part.trail, added)
    }
}

/// Returns the record of the elements that a part matched; `None` if the part has no place.
fn recorded<E: LeftElements>(
    elements: &E,
    part: &OverlayPart<'_>,
    matched: &[usize],
) -> Option<OverlayMatch> {
    let mut found = Vec::new();
    for &at in matched.iter().take(MOST_RECORDED) {
        let value = elements.value(at);
        let place = match E::KIND {
            // The place of a document is its marker, which does not show the matched content.
            ElementKind::Document => value.location(),
            _ => elements.place(at),
        };
        found.extend(place.map(|place| (Arc::clone(value), place)));
    }
    Some(OverlayMatch {
        part: part.place.clone()?,
        count: matched.len(),
        elements: found,
    })
}
