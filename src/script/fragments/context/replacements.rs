//! The replacements of a context: which node each result of `template.replace` replaces.

use std::sync::Arc;

use super::super::annotation::Annotations;
use super::super::fill::{
    Overriding, already_replaced, documents_to_splice, entries_to_splice, has_parts_inside,
    items_to_splice, no_node_in_text, nothing_to_replace, replace_last, replaces_another,
};
use super::super::part::Parts;
use super::{Collector, Context, part};
use crate::provenance::HoleRead;
use crate::script::failure::Failure;
use crate::script::reads;
use crate::script::value::{MADE_NODE, Replacement, ReplacementContent, ScalarKey};
use crate::source::Location;

/// A result of `template.replace`, until it is clear which node it replaces.
///
/// ```text
/// a: #@ template.replace(x)      the hole of `a` takes it: it replaces `a`
///
/// b: 1
/// #@ template.replace(x)         no hole takes it: it replaces the node that was written last
/// ```
///
/// A call does not know where its result goes. The instruction behind the code does: `set` takes the
/// results in its holes, and what is left belongs to the last node.
#[derive(Debug)]
pub(in crate::script) struct PendingReplacement {
    pub(in crate::script) content: Arc<ReplacementContent>,
    /// The place of the call.
    pub(in crate::script) place: Option<Location>,
    /// The data values that were read for it, if the build is recorded.
    pub(in crate::script) reads: Vec<HoleRead>,
}

/// The part that `template.replace` as a statement replaces.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum LastPart {
    /// There is none.
    #[default]
    Nothing,
    /// Other parts took its place.
    Replaced,
    /// A part that is open for the parts inside it.
    Open,
    /// A complete part, the last one in the innermost collector.
    Complete(usize),
}

impl Context {
    /// Keeps a result of `template.replace` until a hole takes it, or it replaces the last node.
    pub(in crate::script) fn expect_replacement(&mut self, replacement: PendingReplacement) {
        self.replacements.push(replacement);
    }

    /// Removes a result of `template.replace` from those that no hole has taken.
    pub(in crate::script::fragments) fn take_replacement(
        &mut self,
        taken: &Replacement,
    ) -> Option<PendingReplacement> {
        let mut pending = self.replacements.iter();
        let index = pending.position(|other| Arc::ptr_eq(&other.content, &taken.content))?;
        Some(self.replacements.remove(index))
    }

    /// Refuses a result of `template.replace` that has replaced the last node, in a hole. In ytt, it
    /// sets nothing there, and the node becomes null.
    ///
    /// ```text
    /// a: 1
    /// #@ x = template.replace(v)     replaces `a`
    /// b: 2
    /// c: #@ x                        is refused
    /// ```
    pub(super) fn refuse_applied(&self, used: &Replacement) -> Result<(), Failure> {
        let mut applied = self.applied.iter();
        match applied.any(|content| Arc::ptr_eq(content, &used.content)) {
            true => Err(replaces_another()),
            false => Ok(()),
        }
    }

    /// Returns the number of results of `template.replace` that no hole has taken.
    pub(in crate::script) fn untaken_replacements(&self) -> usize {
        self.replacements.len()
    }

    /// Forgets the results of `template.replace` after the first `kept` ones.
    pub(in crate::script) fn forget_replacements(&mut self, kept: usize) {
        self.replacements.truncate(kept);
    }

    /// Replaces the last node by each result of `template.replace` that no hole has taken. Returns
    /// the approximate number of bytes that the new parts take.
    ///
    /// # Errors
    /// Fails as [`replace_last`](Self::replace_last) does, at the place of the call.
    pub(in crate::script::fragments) fn apply_replacements(
        &mut self,
        parts: &Parts,
        table: &Annotations,
    ) -> starlark::Result<usize> {
        // This runs after each part, and few templates replace any.
        if self.replacements.is_empty() {
            return Ok(0);
        }
        let mut made = 0usize;
        for pending in std::mem::take(&mut self.replacements) {
            self.applied.push(Arc::clone(&pending.content));
            match (
                self.replace_last(parts, &pending.content, table),
                pending.place,
            ) {
                (Ok(added), place) => {
                    made = made.saturating_add(added);
                    if let (ReplacementContent::Node { node, .. }, Some(place)) =
                        (&*pending.content, place)
                    {
                        for child in node.resolved().children() {
                            reads::hole(child, place.clone(), pending.reads.clone());
                        }
                    }
                }
                (Err(error), Some(place)) => return Err(Failure::locate(error, place)),
                (Err(error), None) => return Err(error),
            }
        }
        Ok(made)
    }

    /// Replaces the last node by the entries, items or documents of `content`, for
    /// `template.replace(value)` as a statement. Returns the approximate number of bytes that they
    /// take.
    ///
    /// ```text
    /// a:                                            a:
    ///   b: 1                                          c: 2
    /// #@ template.replace({"c": 2, "d": 3})           d: 3
    /// ```
    ///
    /// # Errors
    /// Fails if no node is complete before it, for a value that does not fit, and for a duplicate
    /// key.
    fn replace_last(
        &mut self,
        parts: &Parts,
        content: &ReplacementContent,
        table: &Annotations,
    ) -> starlark::Result<usize> {
        if self.text.is_some() {
            return Err(no_node_in_text().into());
        }
        let id = match self.last {
            LastPart::Complete(id) => id,
            LastPart::Open => return Err(nothing_to_replace("a collection that begins").into()),
            LastPart::Replaced => return Err(already_replaced().into()),
            LastPart::Nothing => return Err(nothing_to_replace("none").into()),
        };
        self.last = LastPart::Replaced;
        let pattern = &part(parts, id)?.pattern;
        let Some(last) = self.top().and_then(Collector::last_mut) else {
            return Err(nothing_to_replace("none").into());
        };
        if has_parts_inside(pattern, last) {
            let (node, is_silent) = content.collection()?;
            let overriding = Overriding {
                annotations: table,
                implicit: parts.implicit_overrides,
            };
            if let Some(replaced) = replace_last(pattern, last, node, is_silent, overriding)? {
                *last = replaced;
            }
            let spliced = node.resolved().children().len();
            return Ok(spliced.saturating_mul(MADE_NODE));
        }
        if let Some(collector) = self.top() {
            collector.pop();
        }
        self.add_all(parts, content, table)
    }

    /// Adds the entries, items or documents of `content` to the innermost collector. Returns the
    /// approximate number of bytes that they take.
    pub(super) fn add_all(
        &mut self,
        parts: &Parts,
        content: &ReplacementContent,
        table: &Annotations,
    ) -> starlark::Result<usize> {
        // The nodes are shared, but each of them takes a separate place in this collection.
        let spliced = match self.top() {
            Some(Collector::Documents(documents)) => {
                let more = documents_to_splice(content)?;
                let count = more.len();
                documents.extend(more);
                count
            }
            Some(Collector::Mapping(_, mapping)) => {
                let (node, is_silent) = content.collection()?;
                let entries = entries_to_splice(node.resolved())?;
                for entry in entries {
                    let key = ScalarKey::of(&entry.key);
                    let overrides =
                        is_silent || parts.implicit_overrides || table.overrides(&entry.key);
                    mapping.claim(key.as_ref(), overrides)?;
                    mapping.push(key, entry.clone());
                }
                entries.len()
            }
            Some(Collector::Sequence(_, items)) => {
                let (node, _) = content.collection()?;
                let more = items_to_splice(node.resolved())?;
                items.extend(more.iter().cloned());
                more.len()
            }
            Some(Collector::Scalar) | None => 0,
        };
        Ok(spliced.saturating_mul(MADE_NODE))
    }
}
