//! The parts of an overlay as plain data, read from [`OverlayPart`]s. Parts that are not plain are
//! not prepared.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::merge::only_value;
use super::{Prepared, Unprepared};
use crate::overlay::added::{with_entries, with_items};
use crate::overlay::element_kind::ElementKind;
use crate::overlay::instruction::{
    ExpectedCount, Instruction, MatchDefaults, MatchTarget, OverlayOperation,
};
use crate::overlay::matcher::ElementMatcher;
use crate::overlay::part::{OverlayChildren, OverlayPart};
use crate::script::Caller;
use crate::yaml::{Entry, Node};

/// A part without Starlark values.
#[derive(Debug)]
pub(in crate::overlay) struct PreparedPart {
    /// The key of a map item, which is a string, without overlay annotations.
    pub(super) key: Option<Arc<Node>>,
    pub(super) matcher: PreparedMatcher,
    /// The numbers of elements that may match; `None` if they are not counted.
    pub(super) count: Option<PreparedCount>,
    pub(super) operation: PreparedOperation,
    pub(super) children: PreparedChildren,
    /// The value of an element that the part adds.
    pub(super) plain_value: Arc<Node>,
}

/// The parts inside the value of a part.
#[derive(Debug)]
pub(super) enum PreparedChildren {
    None,
    Entries(Vec<PreparedPart>),
    Items(Vec<PreparedPart>),
}

/// The elements that a part selects.
#[derive(Debug)]
pub(super) enum PreparedMatcher {
    /// No element: the part is new.
    New,
    /// The entry with the same key.
    SameKey,
    All,
    Index(i64),
    /// Items that have the same value as the part under a key.
    Key {
        key: Box<str>,
        /// The value of the part, which contains the key once, with a scalar.
        right: Arc<Node>,
    },
    Subset(Arc<Node>),
}

/// The numbers of elements that a part accepts.
#[derive(Debug)]
pub(super) struct PreparedCount {
    accepted: Vec<RangeInclusive<i64>>,
    /// Whether any other number skips the part. Otherwise it is an error.
    pub(super) skips: bool,
    /// Whether it also skips the part inside a part that is added.
    skips_new: bool,
}

/// The operation on the matching elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PreparedOperation {
    Merge,
    Remove,
    Replace { or_add: bool },
    Append,
}

impl PreparedCount {
    /// Returns the numbers of matches that a part accepts.
    ///
    /// # Errors
    /// Fails if a function decides about them.
    pub(super) fn of(count: &ExpectedCount<'_>) -> Prepared<PreparedCount> {
        let mut accepted = Vec::new();
        match count.push_ranges(&mut accepted) {
            true => Ok(PreparedCount {
                accepted,
                skips: count.skips,
                skips_new: count.skips_new,
            }),
            false => Err(Unprepared),
        }
    }

    /// Returns whether a number of matches is accepted.
    pub(super) fn accepts(&self, found: usize) -> bool {
        let found = i64::try_from(found).unwrap_or(i64::MAX);
        self.accepted.iter().any(|range| range.contains(&found))
    }
}

impl PreparedPart {
    /// Prepares the parts below a document of an overlay. Returns `None` if one of them needs
    /// functions or cannot be read. In that case, reading it again reports the mistake.
    pub(in crate::overlay) fn document<'v>(
        part: &OverlayPart<'v>,
        instruction: &Instruction<'v>,
        caller: &Caller<'_, 'v>,
    ) -> Option<PreparedPart> {
        if !matches!(instruction.operation, OverlayOperation::Merge) {
            return None;
        }
        let children = PreparedChildren::of(part, instruction.defaults, caller).ok()?;
        Some(PreparedPart {
            key: None,
            matcher: PreparedMatcher::New,
            count: None,
            operation: PreparedOperation::Merge,
            plain_value: children.plain_value(&part.value),
            children,
        })
    }

    /// Prepares a part and its children.
    ///
    /// # Errors
    /// Fails if the part needs Starlark while it is applied (a function, an insertion, an
    /// assertion), or has annotations or keys that are not plain.
    fn of<'v>(part: &OverlayPart<'v>, caller: &Caller<'_, 'v>) -> Prepared<PreparedPart> {
        let instruction = part.instruction(caller).map_err(|_| Unprepared)?;
        // Other annotations stay on the result, and are kept in a table that threads cannot change.
        if instruction.structured.is_some() || !part.other_annotations().is_empty() {
            return Err(Unprepared);
        }
        let (matcher, count) = match &instruction.target {
            MatchTarget::New => (PreparedMatcher::New, None),
            MatchTarget::Key(count) => (PreparedMatcher::SameKey, Some(PreparedCount::of(count)?)),
            MatchTarget::By(matcher, count) => (
                PreparedMatcher::of(matcher, part)?,
                Some(PreparedCount::of(count)?),
            ),
        };
        let operation = match instruction.operation {
            OverlayOperation::Merge => PreparedOperation::Merge,
            OverlayOperation::Remove => PreparedOperation::Remove,
            OverlayOperation::Replace { via: None, or_add } => {
                PreparedOperation::Replace { or_add }
            }
            OverlayOperation::Append => PreparedOperation::Append,
            OverlayOperation::Replace { via: Some(_), .. }
            | OverlayOperation::Insert { .. }
            | OverlayOperation::Assert { .. } => return Err(Unprepared),
        };
        let key = match &part.key {
            None => None,
            Some(key) if is_string_key(key) => {
                Some(part.clean_key(caller).map_err(|_| Unprepared)?)
            }
            Some(_) => return Err(Unprepared),
        };
        let children = PreparedChildren::of(part, instruction.defaults, caller)?;
        Ok(PreparedPart {
            key,
            matcher,
            count,
            operation,
            plain_value: children.plain_value(&part.value),
            children,
        })
    }

    /// Returns the text of the key of a map item.
    pub(super) fn key_text(&self) -> Prepared<&str> {
        let key = self.key.as_deref().ok_or(Unprepared)?;
        key.text().ok_or(Unprepared)
    }

    /// Returns whether the part adds an element if the collection around it is new; see `added`.
    fn adds(&self) -> bool {
        let is_skipped = self
            .count
            .as_ref()
            .is_some_and(|count| count.skips_new && !count.accepts(0));
        !is_skipped && self.operation != PreparedOperation::Remove
    }
}

impl PreparedChildren {
    fn of<'v>(
        part: &OverlayPart<'v>,
        defaults: MatchDefaults<'v>,
        caller: &Caller<'_, 'v>,
    ) -> Prepared<PreparedChildren> {
        let children = part.children(defaults, caller).map_err(|_| Unprepared)?;
        let prepared = |parts: &[OverlayPart<'v>]| {
            let parts = parts.iter().map(|part| PreparedPart::of(part, caller));
            parts.collect::<Prepared<Vec<_>>>()
        };
        Ok(match children {
            OverlayChildren::None => PreparedChildren::None,
            OverlayChildren::Entries(parts) => PreparedChildren::Entries(prepared(parts)?),
            OverlayChildren::Items(parts) => PreparedChildren::Items(prepared(parts)?),
        })
    }

    /// Returns `value` without overlay annotations. `self` are the children of that value.
    fn plain_value(&self, value: &Arc<Node>) -> Arc<Node> {
        match self {
            PreparedChildren::None => Arc::clone(value),
            PreparedChildren::Entries(parts) => {
                let mut entries = Vec::with_capacity(parts.len());
                for part in parts.iter().filter(|part| part.adds()) {
                    if let Some(key) = &part.key {
                        entries.push(Entry {
                            key: Arc::clone(key),
                            value: Arc::clone(&part.plain_value),
                        });
                    }
                }
                with_entries(value, entries)
            }
            PreparedChildren::Items(parts) => {
                let adding = parts.iter().filter(|part| part.adds());
                let values = adding.map(|part| Arc::clone(part.plain_value.resolved()));
                with_items(value, values.collect())
            }
        }
    }
}

impl PreparedMatcher {
    fn of(matcher: &ElementMatcher<'_>, part: &OverlayPart<'_>) -> Prepared<PreparedMatcher> {
        // Matchers on entries, such as `overlay.all`, are rare and therefore not prepared.
        if part.kind != ElementKind::Item {
            return Err(Unprepared);
        }
        Ok(match matcher {
            ElementMatcher::All => PreparedMatcher::All,
            ElementMatcher::Index(index) => PreparedMatcher::Index(*index),
            ElementMatcher::Key(key) => {
                only_value(&part.value, key)?;
                PreparedMatcher::Key {
                    key: key.as_str().into(),
                    right: Arc::clone(&part.value),
                }
            }
            ElementMatcher::Subset(target) => PreparedMatcher::Subset(Arc::clone(target)),
            ElementMatcher::And(_)
            | ElementMatcher::Or(_)
            | ElementMatcher::Not(_)
            | ElementMatcher::Function(_) => return Err(Unprepared),
        })
    }
}

/// Returns whether a key is a string that is not spelled like a merge key.
fn is_string_key(key: &Arc<Node>) -> bool {
    let text = key.text();
    text.is_some() && text == key.as_str() && text != Some("<<")
}
