//! Follows a path through mappings and lists, into strings, and on to values that are to be
//! created.
//!
//! A walk visits every value that the path leads to and replaces it by the result of the visitor.
//! Each collection and each string around a changed value gets a new node. Of the branches that
//! lead to no value, the walk remembers the deepest.

mod children;
mod compare;
mod create;
mod dead_end;
mod descend;
mod filter;
mod item_patterns;
#[cfg(test)]
mod json_path_tests;
mod misspelt;
mod place;
mod removal;
mod select;
mod session;
mod strings;

use std::rc::Rc;
use std::sync::Arc;

use self::children::fields;
pub use self::item_patterns::LooseMatch;
use self::misspelt::MisspeltKey;
use self::place::WalkPlace;
pub(super) use self::removal::{is_removed, removed, whole_document};
use self::removal::{merged_value, with_values};
use self::session::PathSession;
use super::failure::{EditFailure, EditResult, Missing};
use super::lookup;
use super::options::{EditOptions, EditTarget, Visit};
use super::path::{FieldPath, PathSegment, PathStep};
use crate::source::Location;
use crate::yaml::{Content, Entry, Mapping, Node, Sequence};

/// The result of an update.
#[derive(Debug)]
pub struct Updated {
    /// The new root; `None` if nothing changed.
    pub root: Option<Arc<Node>>,
    /// A list that is too short for an index of the path, if the path leads to values elsewhere.
    pub short_list: Option<ShortList>,
    /// Items that a segment of the path chooses only as a pattern.
    pub loose_match: Option<LooseMatch>,
}

/// A list that is too short for an index.
#[derive(Clone, Debug)]
pub struct ShortList {
    /// The message with the index and the number of items.
    pub reason: String,
    /// The place of the list.
    pub location: Option<Location>,
}

/// A walk along one path.
pub(super) struct PathWalk<'w, 'v> {
    path: &'w FieldPath,
    options: &'w EditOptions,
    visit: &'w mut Visit<'v>,
    /// The number of values that were visited.
    hits: usize,
    /// The deepest dead end.
    missing: Option<Missing>,
    /// The last list that is too short for an index of the path.
    short_list: Option<ShortList>,
    /// The first items that are chosen only by a pattern.
    loose_match: Option<LooseMatch>,
    mode: WalkMode,
    /// The steps from the root to the current node, if the visitor needs them.
    trail: Option<Vec<PathStep>>,
    /// The state that this walk shares with the walks for the filters of its path.
    session: Rc<PathSession>,
}

/// Whether a walk changes values, which decides the order in which a descent visits them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WalkMode {
    Read,
    Change,
}

impl<'w, 'v> PathWalk<'w, 'v> {
    /// Creates a walk from `root`.
    pub(super) fn new(
        root: &Arc<Node>,
        path: &'w FieldPath,
        options: &'w EditOptions,
        mode: WalkMode,
        visit: &'w mut Visit<'v>,
    ) -> PathWalk<'w, 'v> {
        let session = Rc::new(PathSession::new(root));
        PathWalk::in_session(session, path, options, mode, visit)
    }

    /// Creates a walk that shares the state of another one.
    fn in_session(
        session: Rc<PathSession>,
        path: &'w FieldPath,
        options: &'w EditOptions,
        mode: WalkMode,
        visit: &'w mut Visit<'v>,
    ) -> PathWalk<'w, 'v> {
        PathWalk {
            path,
            options,
            visit,
            hits: 0,
            missing: None,
            short_list: None,
            loose_match: None,
            mode,
            trail: None,
            session,
        }
    }

    /// Passes the steps to each value to the visitor.
    pub(super) fn with_trail(self) -> PathWalk<'w, 'v> {
        PathWalk {
            trail: Some(Vec::new()),
            ..self
        }
    }

    /// Returns the values that another path leads to from `node`. The result is empty if there are
    /// none.
    fn read(
        &self,
        path: &FieldPath,
        node: &Arc<Node>,
        place: &WalkPlace<'_>,
    ) -> EditResult<Vec<Arc<Node>>> {
        let mut found = Vec::new();
        let mut visit = |target: EditTarget<'_>| {
            found.extend(target.current.map(Arc::clone));
            Ok(None)
        };
        let options = EditOptions {
            create: false,
            ..*self.options
        };
        let session = Rc::clone(&self.session);
        let mut walk = PathWalk::in_session(session, path, &options, WalkMode::Read, &mut visit);
        walk.node(node, 0, place)?;
        Ok(found)
    }

    /// Walks from `root`, which must be the root that was passed to `new`. Returns the new root, or
    /// `None` if the visitor changed nothing.
    ///
    /// # Errors
    /// [`EditFailure::Missing`] if the path leads to no value.
    pub(super) fn run(mut self, root: &Arc<Node>) -> EditResult<Updated> {
        let changed = self.node(
            root,
            0,
            &WalkPlace::root(self.options.text_format, self.options.text_fields),
        )?;
        // A path with branches is found if one branch is: `*.name` skips the items without a name.
        match self.missing {
            Some(missing) if self.hits == 0 => Err(EditFailure::Missing(Box::new(missing))),
            _ => Ok(Updated {
                root: changed,
                short_list: self.short_list,
                loose_match: self.loose_match,
            }),
        }
    }

    /// Follows the path from the segment `index` on.
    fn node(
        &mut self,
        node: &Arc<Node>,
        index: usize,
        place: &WalkPlace<'_>,
    ) -> EditResult<Option<Arc<Node>>> {
        let changed = self.resolved(node.resolved(), index, place)?;
        // Aliases follow a node that changes. A value that replaces an alias is a separate node.
        Ok(changed.map(|changed| match is_removed(&changed) {
            true => changed,
            false => changed.anchored(node.anchor()),
        }))
    }

    /// Follows the path from a node that is not an alias.
    fn resolved(
        &mut self,
        node: &Arc<Node>,
        index: usize,
        place: &WalkPlace<'_>,
    ) -> EditResult<Option<Arc<Node>>> {
        let Some(segment) = self.path.segments().get(index) else {
            return self.visit(Some(node), place);
        };
        // Only a JSONPath can take more than linear time, so only its steps are counted as work.
        if let PathSegment::Query(query) = segment {
            self.session.spend(1)?;
            if query.descends() && node.as_scalar().is_none() {
                return self.descend(node, query, index, place);
            }
        }
        match &node.content {
            Content::Mapping(mapping) => self.mapping(node, mapping, segment, index, place),
            Content::Sequence(sequence) => self.sequence(node, sequence, segment, index, place),
            Content::Scalar(_) => self.scalar(node, index, place),
            Content::Alias(_) => Ok(None),
        }
    }

    /// Calls `walk`, which continues at a child, with the step to this child added to the trail.
    /// The step is only created if there is a trail.
    fn step<T>(
        &mut self,
        step: impl FnOnce() -> PathStep,
        walk: impl FnOnce(&mut Self) -> EditResult<T>,
    ) -> EditResult<T> {
        if let Some(trail) = &mut self.trail {
            trail.push(step());
        }
        let outcome = walk(self);
        if let Some(trail) = &mut self.trail {
            trail.pop();
        }
        outcome
    }

    /// Calls the visitor for the value at the end of the path. `None` if the path ends at a place
    /// without a value.
    fn visit(
        &mut self,
        current: Option<&Arc<Node>>,
        place: &WalkPlace<'_>,
    ) -> EditResult<Option<Arc<Node>>> {
        self.hits += 1;
        let wanted = self.wanted(place.key);
        Ok((self.visit)(EditTarget {
            wanted,
            trail: self.trail.as_deref().unwrap_or_default(),
            ..place.target(current, &[])
        })?)
    }

    /// Follows the segment `index` from a mapping: to its entry, to an entry from a merge key, or
    /// to a created entry.
    fn mapping(
        &mut self,
        node: &Arc<Node>,
        mapping: &Mapping,
        segment: &PathSegment,
        index: usize,
        place: &WalkPlace<'_>,
    ) -> EditResult<Option<Arc<Node>>> {
        match segment {
            PathSegment::Wildcard => return self.every_entry(node, mapping, index, place),
            PathSegment::Query(query) => {
                return self.queried_mapping(node, mapping, query, index, place);
            }
            _ => {}
        }
        let Some(name) = segment.as_key() else {
            return self.miss(index, place, node, |found| match segment {
                PathSegment::Document => {
                    format!("{found} is a mapping, and a dot at the end opens a string")
                }
                _ => format!("{found} is a mapping, and `{segment}` selects items of a list"),
            });
        };
        if let Some((at, entry)) = lookup::entry(mapping, name, place.format)? {
            let inner = place.below(Some(name), Some(&entry.key));
            let value = self.field(name, &entry.value, index, &inner)?;
            return Ok(value.and_then(|value| with_values(node, vec![(at, value)])));
        }
        // The mapping itself has no such key. The value that is written becomes a new entry of it.
        // Messages still point at the mapping, because the new entry has no place yet.
        let inner = place.below(Some(name), place.label);
        let value = match lookup::merged(mapping, name) {
            Some(merged) => self.overridden(name, merged, index, &inner)?,
            None if self.options.create => match self.not_to_create(mapping, index, &inner) {
                Some(corrected) => {
                    let misspelt = MisspeltKey {
                        corrected: Some(corrected),
                        help: None,
                    };
                    self.no_entry(node, name, index, place, misspelt)?
                }
                None => self.create(index + 1, &inner)?,
            },
            None => {
                let misspelt = self.misspelt(mapping, index, place);
                self.no_entry(node, name, index, place, misspelt)?
            }
        };
        Ok(value.map(|value| with_new_entry(node, mapping, name, value)))
    }

    /// Follows the path from the value of the field `name`, which is at `inner`.
    fn field(
        &mut self,
        name: &str,
        value: &Arc<Node>,
        index: usize,
        inner: &WalkPlace<'_>,
    ) -> EditResult<Option<Arc<Node>>> {
        self.step(
            || PathStep::Key(name.into()),
            |walk| walk.node(value, index + 1, inner),
        )
    }

    /// Follows the path from a value that a mapping gets from a merge key. Returns the value of a
    /// new key that overrides it in this mapping alone:
    ///
    /// ```text
    /// base: &base {port: 1}     ->     base: &base {port: 1}
    /// web: {<<: *base}                 web: {<<: *base, port: 2}
    /// ```
    ///
    /// # Errors
    /// The value is to be removed: even without the key, the mapping would still have it.
    fn overridden(
        &mut self,
        name: &str,
        merged: &Arc<Node>,
        index: usize,
        inner: &WalkPlace<'_>,
    ) -> EditResult<Option<Arc<Node>>> {
        match self.field(name, merged, index, inner)? {
            Some(value) if is_removed(&value) => Err(merged_value(merged).into()),
            // The anchor stays with the merged value.
            value => Ok(value.map(|value| value.anchored(None))),
        }
    }

    /// Records that a mapping does not have the key `name`.
    fn no_entry(
        &mut self,
        node: &Arc<Node>,
        name: &str,
        index: usize,
        place: &WalkPlace<'_>,
        misspelt: MisspeltKey,
    ) -> EditResult<Option<Arc<Node>>> {
        self.miss_with(index, place, node, misspelt.help, |found| {
            format!("{found} has no field `{name}`")
        })?;
        if let Some(missing) = self.deepest(index)
            && missing.help.is_none()
        {
            missing.corrected = misspelt.corrected;
        }
        Ok(None)
    }

    /// Follows the path from every entry of a mapping. Merge keys do not count as entries.
    fn every_entry(
        &mut self,
        node: &Arc<Node>,
        mapping: &Mapping,
        index: usize,
        place: &WalkPlace<'_>,
    ) -> EditResult<Option<Arc<Node>>> {
        lookup::refuse_duplicates(mapping)?;
        let positions: Vec<usize> = fields(mapping).map(|(at, _)| at).collect();
        if positions.is_empty() {
            return self.miss(index, place, node, |found| {
                format!("{found} is an empty mapping")
            });
        }
        self.children_at(node, positions, index, place)
    }

    /// Returns the indices of the items that a segment addresses.
    fn items(&mut self, sequence: &Sequence, segment: &PathSegment) -> EditResult<Vec<usize>> {
        let chosen = match self.options.has_item_patterns {
            true => item_patterns::chosen(sequence, segment)?,
            false => None,
        };
        let Some((selected, loose)) = chosen else {
            return Ok(lookup::items(sequence, segment));
        };
        self.session.spend(sequence.items.len() as u64)?;
        self.loose_match = self.loose_match.take().or(loose);
        Ok(selected)
    }

    /// Follows the segment `index` from a list: to the items that it selects, or to a created item.
    fn sequence(
        &mut self,
        node: &Arc<Node>,
        sequence: &Sequence,
        segment: &PathSegment,
        index: usize,
        place: &WalkPlace<'_>,
    ) -> EditResult<Option<Arc<Node>>> {
        // `-` is the last item for a reader, and the place after it for a writer that may create.
        let appends = self.options.create && segment.is_last();
        let selected = match segment {
            _ if appends => Vec::new(),
            PathSegment::Query(query) => self.chosen_items(sequence, query, place)?,
            _ => self.items(sequence, segment)?,
        };
        if selected.is_empty() {
            return self.no_item(node, sequence, segment, index, place);
        }
        self.children_at(node, selected, index, place)
    }
}

/// Returns a mapping with one more entry, at its end.
fn with_new_entry(node: &Node, mapping: &Mapping, name: &str, value: Arc<Node>) -> Arc<Node> {
    let end = mapping.entries.len();
    node.with_entries(mapping.entries.inserted(end, Entry::new(name, value)))
}
