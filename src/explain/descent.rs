//! The way down an object of the output, in all its versions at once.
//!
//! `-o annotated` asks what made every value of the output, and the answer for most of them is that
//! no step touched them. To see that, all versions are walked together. Those that share a node are
//! one from there on:
//!
//! ```text
//! version      the object   at `spec`             at `spec.paused`   at `spec.replicas`
//! 2 labels     C         ┐
//! 1 overlay    B         ┴  {replicas: 5, …}   ┐                     5
//!   file       A            {replicas: 1, …}   ┴  true               1
//!                                                 one node: the      two: the journal
//!                                                 file made it       says who made it
//! ```

use std::sync::Arc;

use super::history::{DEPTH, Explainer, is_in_file};
use super::link::Link;
use super::versions::{Versions, entry_in};
use crate::edit::PathStep;
use crate::yaml::{Content, Node};

/// A value of the output, and the way to it from the root of its object.
pub(super) struct Descent<'e> {
    explainer: &'e Explainer,
    /// The object, and each value on the way. Invariant: never empty, `leave` keeps the object.
    levels: Vec<Level<'e>>,
}

/// A value on the way, in the versions of its object.
struct Level<'e> {
    /// The nodes of the value, the newest first. Invariant: there is at least one, and neighbours
    /// are different nodes.
    nodes: Vec<&'e Arc<Node>>,
    /// Whether the versions before lack the value, because a step created it.
    is_created: bool,
    /// The position of the value in the newest of the collections around it.
    newest_position: usize,
    /// The position in the oldest of those that contain it.
    oldest_position: usize,
}

impl<'e> Descent<'e> {
    /// Begins at the root of an object of the output.
    pub(super) fn new(explainer: &'e Explainer, root: &'e Arc<Node>) -> Descent<'e> {
        let mut object = Level {
            nodes: vec![root.resolved()],
            is_created: false,
            newest_position: 0,
            oldest_position: 0,
        };
        let mut limit = explainer.records.steps.len();
        let mut version = root;
        while let Some(index) = explainer.last_step(version, limit) {
            let Some(before) = &explainer.records.steps[index].before else {
                object.is_created = true;
                break;
            };
            object.add(before.resolved());
            (version, limit) = (before, index);
        }
        Descent {
            explainer,
            levels: vec![object],
        }
    }

    fn value(&self) -> &Level<'e> {
        &self.levels[self.levels.len() - 1]
    }

    /// Returns the root of the object in the output.
    pub(super) fn root(&self) -> &'e Arc<Node> {
        self.levels[0].nodes[0]
    }

    /// Returns the node of the value in the output.
    pub(super) fn node(&self) -> &'e Arc<Node> {
        self.value().nodes[0]
    }

    /// Goes on to an entry of the mapping, or an item of the list; returns whether there is one.
    pub(super) fn enter(&mut self, position: usize) -> bool {
        let level = self.value();
        let Some(newest) = child_at(level.nodes[0], position) else {
            return false;
        };
        let mut entered = Level {
            nodes: vec![newest],
            is_created: level.is_created,
            newest_position: position,
            oldest_position: position,
        };
        for pair in level.nodes.windows(2) {
            let &[newer, older] = pair else { break };
            let position = entered.oldest_position;
            let earlier = position_in(&self.explainer.versions, older, newer, position);
            let found = earlier.and_then(|at| Some((at, child_at(older, at)?)));
            let Some((at, node)) = found else {
                entered.is_created = true;
                break;
            };
            entered.oldest_position = at;
            entered.add(node);
        }
        self.levels.push(entered);
        true
    }

    /// Goes back to the collection around the value.
    pub(super) fn leave(&mut self) {
        if self.levels.len() > 1 {
            self.levels.pop();
        }
    }

    /// Returns the steps to the value in the output.
    pub(super) fn steps(&self) -> Vec<PathStep> {
        self.steps_by(|around, value| (around.nodes[0], value.newest_position))
    }

    /// Returns the steps to the value in the oldest version that has it.
    fn oldest_steps(&self) -> Vec<PathStep> {
        self.steps_by(|around, value| (around.oldest(), value.oldest_position))
    }

    fn steps_by(
        &self,
        place: impl Fn(&Level<'e>, &Level<'e>) -> (&'e Arc<Node>, usize),
    ) -> Vec<PathStep> {
        let mut steps = Vec::with_capacity(self.levels.len());
        for pair in self.levels.windows(2) {
            if let [around, value] = pair {
                let (collection, position) = place(around, value);
                steps.push(step_to(collection, position));
            }
        }
        steps
    }

    /// Returns what made the value, the newest first; nothing if it is written in a file, and no
    /// step changed it.
    pub(super) fn links(&self) -> Vec<Link> {
        let value = self.value();
        let object = &self.levels[0];
        if value.nodes.len() > 1 || value.is_created {
            let limit = self.explainer.records.steps.len();
            return self
                .explainer
                .links(self.root(), &self.steps(), limit, DEPTH);
        }
        let way: Vec<&Arc<Node>> = self.levels.iter().map(Level::oldest).collect();
        let hole = self.explainer.hole_on(&way);
        if hole.is_none() && is_in_file(value.oldest()) {
            return Vec::new();
        }
        let steps = self.oldest_steps();
        let hole = hole.map(|(hole, depth)| (hole, &steps[depth..]));
        let base = self
            .explainer
            .base(object.oldest(), value.oldest(), hole, DEPTH);
        vec![base]
    }
}

impl<'e> Level<'e> {
    /// Adds the node of an earlier version, unless it is the same.
    fn add(&mut self, node: &'e Arc<Node>) {
        if !Arc::ptr_eq(self.oldest(), node) {
            self.nodes.push(node);
        }
    }

    fn oldest(&self) -> &'e Arc<Node> {
        self.nodes[self.nodes.len() - 1]
    }
}

/// Returns the child of a collection at a position.
fn child_at(collection: &Arc<Node>, position: usize) -> Option<&Arc<Node>> {
    let child = match &collection.content {
        Content::Mapping(mapping) => &mapping.entries.at(position)?.value,
        Content::Sequence(sequence) => &sequence.items.at(position)?.value,
        Content::Scalar(_) | Content::Alias(_) => return None,
    };
    Some(child.resolved())
}

/// Returns the position of a child in an older version of its collection; `None` if it is not there.
fn position_in(
    versions: &Versions,
    older: &Arc<Node>,
    newer: &Arc<Node>,
    position: usize,
) -> Option<usize> {
    // The usual case: nothing moved.
    let (one, other) = (child_at(older, position), child_at(newer, position));
    if let (Some(one), Some(other)) = (one, other)
        && Arc::ptr_eq(one, other)
    {
        return Some(position);
    }
    match &newer.content {
        Content::Mapping(_) => entry_in(older, newer, position),
        Content::Sequence(_) if older.as_sequence().is_some() => {
            versions.item_in(older, newer, position)
        }
        _ => None,
    }
}

fn step_to(collection: &Arc<Node>, position: usize) -> PathStep {
    let entry = collection
        .as_mapping()
        .and_then(|mapping| mapping.entries.at(position));
    match entry.and_then(|entry| entry.key.resolved().text()) {
        Some(key) => PathStep::Key(key.into()),
        None => PathStep::Index(position),
    }
}
