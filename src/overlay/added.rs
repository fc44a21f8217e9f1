//! The values of parts that are added, replace something, or are inserted.
//!
//! A new value must not contain overlay annotations, so the part is carried out as if it were
//! applied to an empty collection, without counting matches:
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
//! What only removes adds nothing, and a part that is skipped without a match (`when=`) is left
//! out. A function gets no left; one that fails without a left is not used.

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
    /// Returns the value of a new element that the last part of `trail` makes, in a string if the
    /// part is structured.
    ///
    /// `made` is the answer of `via`, if the part has one.
    pub(super) fn new_value(
        &mut self,
        made: Option<Arc<Node>>,
        trail: &OverlayTrail<'_, 'v>,
        instruction: &Instruction<'v>,
    ) -> Result<Arc<Node>, Reported> {
        // The place is on the stack while the value is made, because structured parts inside of it
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

    /// Returns the value that the last part of `trail` puts somewhere: what `via` made, or its own.
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

    /// Returns what `via` makes of `left` and of the value of the last part of `trail`; `None`
    /// without `via`.
    pub(super) fn made_by(
        &mut self,
        via: Option<Value<'v>>,
        left: Option<&Arc<Node>>,
        trail: &OverlayTrail<'_, 'v>,
    ) -> Result<Option<Arc<Node>>, Reported> {
        let Some(via) = via else { return Ok(None) };
        match self.answer(via, left, trail.part) {
            Ok(made) => Ok(Some(made)),
            Err(error) => {
                let place = left.and_then(|left| left.location());
                Err(self.report(trail, error.at(place, "called for this")))
            }
        }
    }

    /// As [`made_by`](Self::made_by), for a part inside of one that is added, where ytt would not
    /// call the function.
    ///
    /// A function that needs a left cannot work here, which must not stop a build that ytt renders.
    /// The part then gets its own value, as in ytt, with a warning.
    fn made_without_left(
        &mut self,
        via: Option<Value<'v>>,
        trail: &OverlayTrail<'_, 'v>,
    ) -> Result<Option<Arc<Node>>, Reported> {
        let Some(via) = via else { return Ok(None) };
        let error = match self.answer(via, None, trail.part) {
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

    fn answer(
        &mut self,
        via: Value<'v>,
        left: Option<&Arc<Node>>,
        part: &OverlayPart<'v>,
    ) -> Result<Arc<Node>> {
        let answer = self.call(via, left, part)?;
        self.caller.node(answer)
    }

    /// Calls a function with the left and the value of a part, as `via=` of `@overlay/replace`,
    /// `insert` and `assert`.
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
            OverlayChildren::Entries(parts) => {
                let mut entries = Vec::with_capacity(parts.len());
                for child in parts {
                    let trail = trail.child(child);
                    if let Some(value) = self.plain_child(&trail)? {
                        let key = self.check(&trail, child.clean_key(self.caller))?;
                        entries.push(Entry { key, value });
                    }
                }
                with_entries(&part.value, entries)
            }
            OverlayChildren::Items(parts) => {
                let mut items = Vec::with_capacity(parts.len());
                for child in parts {
                    let trail = trail.child(child);
                    if let Some(value) = self.plain_child(&trail)? {
                        let annotations = child.other_annotations();
                        let item = self.caller.annotated_item(&value, annotations);
                        items.push(self.check(&trail, item)?);
                    }
                }
                with_items(&part.value, items)
            }
        };
        // One part can be added to thousands of documents, so its value is kept. Invariant: a kept
        // value contains no string that was made for a document, since its spelling depends on the
        // place.
        if self.new_strings > strings_before {
            return Ok(value);
        }
        Ok(Arc::clone(part.plain_value.get_or_init(|| value)))
    }

    /// Returns the value of a part inside of one that is added; `None` if it adds nothing.
    fn plain_child(&mut self, trail: &OverlayTrail<'_, 'v>) -> Result<Option<Arc<Node>>, Reported> {
        let instruction = self.check(trail, trail.part.instruction(self.caller))?;
        let count = match &instruction.target {
            MatchTarget::New => None,
            MatchTarget::Key(count) | MatchTarget::By(_, count) => Some(count),
        };
        if let Some(count) = count
            && count.skips
            && !self.accepts_none(count, trail)?
        {
            return Ok(None);
        }
        // Every operation is carried out as on an empty left: a merge adds, a removal removes
        // nothing, a function gets None.
        let via = match instruction.operation {
            OverlayOperation::Merge | OverlayOperation::Append => None,
            OverlayOperation::Replace { via, .. } | OverlayOperation::Insert { via, .. } => via,
            OverlayOperation::Remove => return Ok(None),
            OverlayOperation::Assert { .. } => {
                let is_optional = match count {
                    None => true,
                    Some(count) => self.accepts_none(count, trail)?,
                };
                // An assertion that may match nothing is fulfilled. It checks and adds nothing.
                if is_optional {
                    return Ok(None);
                }
                let one = trail.part.kind.singular();
                let error = overlay_error(format!("expected 1 matching {one} to assert, found 0"))
                    .note("the part around it is new here, so there is nothing to compare with");
                return Err(self.report(trail, error));
            }
        };
        let made = self.made_without_left(via, trail)?;
        self.new_value(made, trail, instruction).map(Some)
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

/// Returns the mapping with other entries, or itself if they are the same nodes.
pub(super) fn with_entries(mapping: &Arc<Node>, entries: Vec<Entry>) -> Arc<Node> {
    if let Some(own) = mapping.as_mapping()
        && own.entries.len() == entries.len()
        && entries.iter().zip(&own.entries).all(is_same_entry)
    {
        // Keeping the node keeps its bytes: most values of overlays have no annotations inside and
        // come out as they are written.
        return Arc::clone(mapping);
    }
    mapping.with_entries(entries)
}

fn is_same_entry((new, old): (&Entry, &Entry)) -> bool {
    Arc::ptr_eq(&new.key, &old.key) && Arc::ptr_eq(&new.value, &old.value)
}

/// Returns the list with other values, or itself if they are the same nodes.
pub(super) fn with_items(list: &Arc<Node>, values: Vec<Arc<Node>>) -> Arc<Node> {
    if let Some(own) = list.as_sequence()
        && own.items.len() == values.len()
        && values
            .iter()
            .zip(&own.items)
            .all(|(new, old)| Arc::ptr_eq(new, &old.value))
    {
        return Arc::clone(list);
    }
    let items: Vec<Item> = values
        .into_iter()
        .map(|value| Item { start: None, value })
        .collect();
    list.with_items(items)
}
