//! The values of parts that are added, replace an element, or are inserted.
//!
//! A new value must not contain overlay annotations. The part is therefore applied as if to an
//! empty collection, without counting matches:
//!
//! ```text
//! #@overlay/append           - name: c
//! - name: c                    port: 80
//!   #@overlay/remove
//!   old:               →
//!   #@overlay/replace
//!   port: 80
//! ```
//!
//! A part that removes adds nothing. Neither does a part with a `when=` of its own that skips
//! if nothing matches. A function (`via=`) is called with `None` as the left. If that call fails, the part is
//! added as it is written.

use std::sync::Arc;

use super::error::overlay_error;
use super::instruction::{
    ExpectedCount, Instruction, MatchDefaults, MatchTarget, OverlayOperation,
};
use super::overlaying::Overlaying;
use super::part::{OverlayChildren, OverlayPart};
use super::trail::OverlayTrail;
use crate::script::{Arguments, Value};
use crate::source::{Code, Diagnostic, Reported, Result};
use crate::yaml::{Entry, Item, Node};

impl<'v> Overlaying<'_, '_, 'v> {
    /// Returns the value of the new element that the last part of `trail` creates. If the part is
    /// structured, the value is a string that contains the document.
    ///
    /// `made` is the result of `via`, if the part has one.
    pub(super) fn new_value(
        &mut self,
        made: Option<Arc<Node>>,
        trail: &OverlayTrail<'_, 'v>,
        instruction: &Instruction<'v>,
    ) -> Result<Arc<Node>, Reported> {
        // The place is on the stack while the value is created, because structured parts inside it
        // compute their own places from it.
        let place = self.place_of_new(trail.part);
        self.places.push(place);
        let value = self.right_value(made, trail, instruction.defaults);
        let place = self.places.pop();
        match (instruction.structured, place) {
            (Some(structured), Some(place)) => self.new_string(&value?, structured, &place, trail),
            _ => value,
        }
    }

    /// Returns the value of the right without overlay annotations. The right is `made` if the part
    /// has `via`, and otherwise the value of the last part of `trail`.
    pub(super) fn right_value(
        &mut self,
        made: Option<Arc<Node>>,
        trail: &OverlayTrail<'_, 'v>,
        defaults: MatchDefaults<'v>,
    ) -> Result<Arc<Node>, Reported> {
        let Some(made) = made else {
            return self.plain_value(trail, defaults);
        };
        // A function may return a fragment with overlay annotations.
        let part = OverlayPart::value(&made);
        self.plain_value(&trail.child(&part), MatchDefaults::default())
    }

    /// Calls `via` with `left` and the value of the last part of `trail`, and returns its result.
    /// Returns `None` if there is no `via`.
    pub(super) fn made_by(
        &mut self,
        via: Option<Value<'v>>,
        left: Option<&Arc<Node>>,
        trail: &OverlayTrail<'_, 'v>,
    ) -> Result<Option<Arc<Node>>, Reported> {
        let Some(via) = via else { return Ok(None) };
        match self.call_for_node(via, left, trail.part) {
            Ok(made) => Ok(Some(made)),
            Err(error) => {
                let place = left.and_then(|left| left.location());
                Err(self.report(trail, error.at(place, "called for this")))
            }
        }
    }

    /// Like [`made_by`](Self::made_by), for a part inside a part that is added. ytt does not call
    /// the function there.
    ///
    /// A function that needs a left value fails here. That must not stop a build that ytt renders,
    /// so the part is added with its own value, as in ytt, and a warning is reported.
    fn made_without_left(
        &mut self,
        via: Option<Value<'v>>,
        trail: &OverlayTrail<'_, 'v>,
    ) -> Result<Option<Arc<Node>>, Reported> {
        let Some(via) = via else { return Ok(None) };
        let error = match self.call_for_node(via, None, trail.part) {
            Ok(made) => return Ok(Some(made)),
            Err(error) if error.code == Code::Limit => return Err(self.report(trail, error)),
            Err(error) => error,
        };
        let message = format!(
            "the function of `via` needs a left value, and this {} is new",
            trail.part.kind.singular()
        );
        let warning = Diagnostic::warning(Code::Overlay, message)
            .note(format!("called with `None`, it fails: {}", error.message))
            .note("ytt does not call it here, and adds the part as it is written");
        let warned = self.caller.warn(trail.locate(warning));
        self.check(trail, warned)?;
        Ok(None)
    }

    fn call_for_node(
        &mut self,
        via: Value<'v>,
        left: Option<&Arc<Node>>,
        part: &OverlayPart<'v>,
    ) -> Result<Arc<Node>> {
        let answer = self.call(via, left, part)?;
        self.caller.node(answer)
    }

    /// Calls `via` of `@overlay/replace`, `insert` or `assert` with the left value and the value of
    /// the part.
    pub(super) fn call(
        &mut self,
        via: Value<'v>,
        left: Option<&Arc<Node>>,
        part: &OverlayPart<'v>,
    ) -> Result<Value<'v>> {
        let left = match left {
            Some(left) => self.caller.value(left),
            None => Value::none(),
        };
        let arguments = Arguments {
            positional: vec![left, self.caller.value(&part.value)],
            named: Vec::new(),
        };
        self.caller.call(via, &arguments)
    }

    /// Returns the value of the last part of `trail` without overlay annotations.
    pub(super) fn plain_value(
        &mut self,
        trail: &OverlayTrail<'_, 'v>,
        defaults: MatchDefaults<'v>,
    ) -> Result<Arc<Node>, Reported> {
        let part = trail.part;
        if let Some(value) = part.plain_value.get() {
            return Ok(Arc::clone(value));
        }
        let strings_before = self.new_strings;
        let children = self.check(trail, part.children(defaults, self.caller))?;
        let value = match children {
            OverlayChildren::None => Arc::clone(&part.value),
            OverlayChildren::Entries(parts) => self.plain_mapping(parts, trail)?,
            OverlayChildren::Items(parts) => self.plain_list(parts, trail)?,
        };
        // One part can be added to thousands of documents, so its value is kept. Invariant: a kept
        // value contains no string that was made for a document, since its spelling depends on the
        // place.
        if self.new_strings > strings_before {
            return Ok(value);
        }
        Ok(Arc::clone(part.plain_value.get_or_init(|| value)))
    }

    /// Returns the mapping of the last part of `trail`, whose entries are `parts`, without overlay
    /// annotations.
    fn plain_mapping(
        &mut self,
        parts: &[OverlayPart<'v>],
        trail: &OverlayTrail<'_, 'v>,
    ) -> Result<Arc<Node>, Reported> {
        let mut entries = Vec::with_capacity(parts.len());
        for child in parts {
            let child_trail = trail.child(child);
            if let Some(value) = self.plain_child(&child_trail)? {
                let key = self.check(&child_trail, child.clean_key(self.caller))?;
                entries.push(Entry { key, value });
            }
        }
        Ok(with_entries(&trail.part.value, entries))
    }

    /// Returns the list of the last part of `trail`, whose items are `parts`, without overlay
    /// annotations.
    fn plain_list(
        &mut self,
        parts: &[OverlayPart<'v>],
        trail: &OverlayTrail<'_, 'v>,
    ) -> Result<Arc<Node>, Reported> {
        let mut items = Vec::with_capacity(parts.len());
        for child in parts {
            let child_trail = trail.child(child);
            if let Some(value) = self.plain_child(&child_trail)? {
                let item = self
                    .caller
                    .annotated_item(&value, child.other_annotations());
                items.push(self.check(&child_trail, item)?);
            }
        }
        Ok(with_items(&trail.part.value, items))
    }

    /// Returns the value of a part inside a part that is added; `None` if it adds nothing.
    fn plain_child(&mut self, trail: &OverlayTrail<'_, 'v>) -> Result<Option<Arc<Node>>, Reported> {
        let instruction = match trail.part.instruction(self.caller) {
            Ok(instruction) => instruction,
            Err(mistake) => return self.added_despite(*mistake, trail).map(Some),
        };
        let count = match &instruction.target {
            MatchTarget::New => None,
            MatchTarget::Key(count) | MatchTarget::By(_, count) => Some(count),
        };
        if let Some(count) = count
            && count.skips_new
            && !self.accepts_none(count, trail)?
        {
            return Ok(None);
        }
        // There is no left value here: a merge adds, a removal removes nothing, and a function is
        // called with `None`.
        let via = match instruction.operation {
            OverlayOperation::Merge | OverlayOperation::Append => None,
            OverlayOperation::Replace { via, .. } | OverlayOperation::Insert { via, .. } => via,
            OverlayOperation::Remove => return Ok(None),
            OverlayOperation::Assert { .. } => {
                self.check_assertion_without_left(count, trail)?;
                return Ok(None);
            }
        };
        let made = self.made_without_left(via, trail)?;
        self.new_value(made, trail, instruction).map(Some)
    }

    /// Returns the value of a part inside a part that is added, whose annotations contain a mistake.
    ///
    /// ytt does not read overlay annotations here. The mistake must not stop a build that ytt
    /// renders, so it is a warning, and the part is added as it is written.
    fn added_despite(
        &mut self,
        mistake: Diagnostic,
        trail: &OverlayTrail<'_, 'v>,
    ) -> Result<Arc<Node>, Reported> {
        if mistake.code != Code::Overlay {
            return Err(self.report(trail, mistake.into()));
        }
        let message = format!(
            "the overlay annotations of this {} have no effect, because a part around it is new",
            trail.part.kind.singular()
        );
        let warning = Diagnostic::warning(Code::Overlay, message)
            .note(format!("elsewhere they fail: {}", mistake.message))
            .note("ytt does not read them here, and adds the part as it is written");
        let warned = self.caller.warn(trail.locate(warning));
        self.check(trail, warned)?;
        let place = self.place_of_new(trail.part);
        self.places.push(place);
        let value = self.plain_value(trail, MatchDefaults::default());
        self.places.pop();
        value
    }

    /// Reports an assertion that has no element to check, unless `count` allows no match.
    fn check_assertion_without_left(
        &mut self,
        count: Option<&ExpectedCount<'v>>,
        trail: &OverlayTrail<'_, 'v>,
    ) -> Result<(), Reported> {
        let is_optional = match count {
            None => true,
            Some(count) => self.accepts_none(count, trail)?,
        };
        if is_optional {
            return Ok(());
        }
        let one = trail.part.kind.singular();
        let error = overlay_error(format!("expected 1 matching {one} to assert, found 0"))
            .note("the part around it is new here, so there is nothing to compare with");
        Err(self.report(trail, error))
    }

    fn accepts_none(
        &mut self,
        count: &ExpectedCount<'v>,
        trail: &OverlayTrail<'_, 'v>,
    ) -> Result<bool, Reported> {
        let accepts = count.accepts(0, self.caller);
        self.check(trail, accepts)
    }
}

/// Returns the mapping with `entries`, or the same node if these are already its entries.
pub(super) fn with_entries(mapping: &Arc<Node>, entries: Vec<Entry>) -> Arc<Node> {
    if let Some(own) = mapping.as_mapping()
        && own.entries.len() == entries.len()
        && entries.iter().zip(&own.entries).all(is_same_entry)
    {
        // Keeping the node keeps its bytes. Most values of overlays have no annotations inside, and
        // are printed as they are written.
        return Arc::clone(mapping);
    }
    mapping.with_entries(entries)
}

fn is_same_entry((new, old): (&Entry, &Entry)) -> bool {
    Arc::ptr_eq(&new.key, &old.key) && Arc::ptr_eq(&new.value, &old.value)
}

/// Returns the list with `values`, or the same node if these are already its values.
pub(super) fn with_items(list: &Arc<Node>, values: Vec<Arc<Node>>) -> Arc<Node> {
    if let Some(own) = list.as_sequence()
        && own.items.len() == values.len()
        && values.iter().zip(&own.items).all(is_same_item)
    {
        return Arc::clone(list);
    }
    let mut items = Vec::with_capacity(values.len());
    for value in values {
        items.push(Item { start: None, value });
    }
    list.with_items(items)
}

fn is_same_item((new, old): (&Arc<Node>, &Item)) -> bool {
    Arc::ptr_eq(new, &old.value)
}
