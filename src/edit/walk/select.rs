//! Finds the children of a collection that a JSONPath segment selects: by name, by index, by slice
//! or by filter.

use std::sync::Arc;

use super::PathWalk;
use super::children::fields;
use super::place::WalkPlace;
use crate::edit::failure::EditResult;
use crate::edit::lookup::refuse_duplicates;
use crate::edit::path::{Query, QuerySelector, SubQuery};
use crate::yaml::{Mapping, Node, Sequence};

impl PathWalk<'_, '_> {
    /// Returns the entries of a mapping that `query` selects, in their order.
    pub(super) fn chosen_entries(
        &self,
        mapping: &Mapping,
        query: &Query,
        place: &WalkPlace<'_>,
    ) -> EditResult<Vec<usize>> {
        refuse_duplicates(mapping)?;
        let mut chosen = Vec::new();
        for (at, entry) in fields(mapping) {
            self.session.spend(1)?;
            let key = entry.key.resolved().text();
            let inner = place.below(key, Some(&entry.key));
            for selector in &query.selectors {
                let chooses = match selector {
                    QuerySelector::Name(name) => key == Some(name),
                    QuerySelector::Wildcard => true,
                    QuerySelector::Index(_) | QuerySelector::Slice { .. } => false,
                    QuerySelector::Filter(expression) => {
                        self.satisfies(expression, &entry.value, &inner)?
                    }
                };
                if chooses {
                    chosen.push(at);
                    break;
                }
            }
        }
        Ok(chosen)
    }

    /// Returns the items of a list that `query` selects, in their order.
    pub(super) fn chosen_items(
        &self,
        sequence: &Sequence,
        query: &Query,
        place: &WalkPlace<'_>,
    ) -> EditResult<Vec<usize>> {
        if let Some(found) = self.items_with_text(sequence, query, place)? {
            return Ok(found);
        }
        let count = sequence.items.len();
        self.session.spend(count as u64)?;
        let mut is_chosen = vec![false; count];
        for selector in &query.selectors {
            match selector {
                QuerySelector::Name(_) => {}
                QuerySelector::Wildcard => is_chosen.fill(true),
                QuerySelector::Index(index) => {
                    let chosen = from_end(*index, count).filter(|at| *at < count);
                    if let Some(at) = chosen {
                        is_chosen[at] = true;
                    }
                }
                QuerySelector::Slice { start, end, step } => {
                    for at in slice(*start, *end, *step, count) {
                        is_chosen[at] = true;
                    }
                }
                QuerySelector::Filter(expression) => {
                    for (item, is_chosen) in sequence.items.iter().zip(&mut is_chosen) {
                        if !*is_chosen {
                            let inner = place.below_item(&item.value);
                            *is_chosen = self.satisfies(expression, &item.value, &inner)?;
                        }
                    }
                }
            }
        }
        let chosen = is_chosen.iter().enumerate().filter(|(_, chosen)| **chosen);
        Ok(chosen.map(|(at, _)| at).collect())
    }

    /// Returns the items that the most common filter selects, `[?@.name == "web"]`, without testing
    /// all of them. Otherwise a thousand such paths into a list of a thousand items would need a
    /// million tests.
    ///
    /// `None` for any other query, and for a list in which some items do not have exactly one
    /// scalar at the end of the keys.
    fn items_with_text(
        &self,
        sequence: &Sequence,
        query: &Query,
        place: &WalkPlace<'_>,
    ) -> EditResult<Option<Vec<usize>>> {
        let [QuerySelector::Filter(expression)] = &query.selectors[..] else {
            return Ok(None);
        };
        let Some((keys, text)) = expression.wanted_text() else {
            return Ok(None);
        };
        let Some(candidates) = sequence.items.candidates_below(&keys, text) else {
            return Ok(None);
        };
        self.session.spend(candidates.len() as u64)?;
        let mut found = Vec::new();
        for at in candidates {
            if let Some(item) = sequence.items.at(at)
                && self.satisfies(expression, &item.value, &place.below_item(&item.value))?
            {
                found.push(at);
            }
        }
        Ok(Some(found))
    }

    /// Returns the values that a path in a filter leads to.
    pub(super) fn values(
        &self,
        query: &SubQuery,
        node: &Arc<Node>,
        place: &WalkPlace<'_>,
    ) -> EditResult<Arc<[Arc<Node>]>> {
        if !query.absolute {
            return Ok(self.read(&query.path, node, place)?.into());
        }
        let address = std::ptr::from_ref(query) as usize;
        if let Some(known) = self.session.absolute.borrow().get(&address) {
            return Ok(Arc::clone(known));
        }
        let root = Arc::clone(&self.session.root);
        let values: Arc<[Arc<Node>]> = self
            .read(
                &query.path,
                &root,
                &WalkPlace::root(self.options.text_format, self.options.text_fields),
            )?
            .into();
        self.session
            .absolute
            .borrow_mut()
            .insert(address, Arc::clone(&values));
        Ok(values)
    }
}

/// Returns the position of an index, which counts from the end if it is negative.
fn from_end(index: i64, count: usize) -> Option<usize> {
    match usize::try_from(index) {
        Ok(index) => Some(index),
        Err(_) => count.checked_sub(usize::try_from(index.unsigned_abs()).ok()?),
    }
}

/// Returns the indices of a slice (RFC 9535, 2.3.4.2), which are all below `count`.
fn slice(
    start: Option<i64>,
    end: Option<i64>,
    step: i64,
    count: usize,
) -> Box<dyn Iterator<Item = usize>> {
    let length = i64::try_from(count).unwrap_or(i64::MAX);
    let normal = |index: i64| {
        if index >= 0 {
            index
        } else {
            length.saturating_add(index)
        }
    };
    let stride = usize::try_from(step.unsigned_abs()).unwrap_or(usize::MAX);
    let at = |index: i64| usize::try_from(index).unwrap_or(0);
    match step {
        0 => Box::new(std::iter::empty()),
        1.. => {
            let lower = normal(start.unwrap_or(0)).clamp(0, length);
            let upper = normal(end.unwrap_or(length)).clamp(0, length);
            Box::new((at(lower)..at(upper)).step_by(stride))
        }
        _ => {
            // Both bounds are one higher here, so that 0 means the place before the first item.
            let upper = start
                .map_or(length, |start| normal(start).saturating_add(1))
                .clamp(0, length);
            let lower = end
                .map_or(0, |end| normal(end).saturating_add(1))
                .clamp(0, length);
            Box::new((at(lower)..at(upper)).rev().step_by(stride))
        }
    }
}
