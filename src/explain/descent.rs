//! Walks down an object of the output, in all of its versions at the same time.
//!
//! `-o annotated` needs the origin of every value of the output, and most values were not changed
//! by any step. To find these quickly, all versions are walked together. From a shared node on, the
//! versions that share it are treated as one:
//!
//! ```text
//! version      the object   at `spec`             at `spec.paused`   at `spec.replicas`
//! 2 labels     C         ┐
//! 1 overlay    B         ┴  {replicas: 5, …}   ┐                     5
//!   file       A            {replicas: 1, …}   ┴  true               1
//!                                                 one node: the      two: the journal
//!                                                 file made it       names the step
//! ```

use std::ops::Range;
use std::sync::Arc;

use super::history::{DEPTH, Explainer, ValueVersion, is_in_file};
use super::link::Link;
use super::versions::{Versions, entry_in, is_changed};
use crate::edit::PathStep;
use crate::provenance::StepKind;
use crate::yaml::{Content, Node};

/// A value of the output, and the path to it from the root of its object.
pub(super) struct Descent<'e> {
    explainer: &'e Explainer,
    /// The nodes of all levels: of the object, and of each value on the path.
    nodes: Vec<VersionNode<'e>>,
    /// Invariant: never empty, `leave` keeps the object.
    levels: Vec<Level>,
    /// Whether a step of the object may have changed a value in a string.
    has_string_edits: bool,
}

/// A value on the path, in the versions of its object.
struct Level {
    /// The index of its first node. The newest node is first, and the last one is before the start
    /// of the next level. Invariant: there is at least one, and neighbours are different nodes.
    start: usize,
    /// The step that created the value, if earlier versions do not have it.
    created_by: Option<usize>,
}

/// A node of a value. Several versions in a row may share it.
#[derive(Clone, Copy)]
struct VersionNode<'e> {
    node: &'e Arc<Node>,
    /// The step that replaced the next node, which is older, by this one.
    made_by: Option<usize>,
    /// Its position in the collection around it, in the newest version that has it.
    newest_position: usize,
    /// Its position in the oldest version that has it.
    oldest_position: usize,
}

impl<'e> Descent<'e> {
    /// Starts at the root of an object of the output.
    pub(super) fn new(explainer: &'e Explainer, root: &'e Arc<Node>) -> Descent<'e> {
        let mut descent = Descent {
            explainer,
            nodes: vec![VersionNode::new(root.resolved(), 0)],
            levels: Vec::new(),
            has_string_edits: false,
        };
        let mut created_by = None;
        let mut limit = explainer.records.steps.len();
        let mut version = root;
        while let Some(index) = explainer.last_step(version, limit) {
            let step = &explainer.records.steps[index];
            descent.has_string_edits |=
                step.kind != StepKind::Rewritten && step.kind.edits_strings();
            let Some(before) = &step.before else {
                created_by = Some(index);
                break;
            };
            descent.add(before.resolved(), 0, index);
            (version, limit) = (before, index);
        }
        descent.levels.push(Level {
            start: 0,
            created_by,
        });
        descent
    }

    /// Returns the root of the object in the output.
    pub(super) fn root(&self) -> &'e Arc<Node> {
        self.nodes[0].node
    }

    /// Returns the node of the value in the output.
    pub(super) fn node(&self) -> &'e Arc<Node> {
        self.nodes[self.value().start].node
    }

    /// Returns the number of entries or items of the value.
    pub(super) fn child_count(&self) -> usize {
        match &self.node().content {
            Content::Mapping(mapping) => mapping.entries.len(),
            Content::Sequence(sequence) => sequence.items.len(),
            Content::Scalar(_) | Content::Alias(_) => 0,
        }
    }

    /// Returns whether the whole object is written in its file: no step changed it, and no code
    /// created a part of it.
    pub(super) fn is_untouched(&self) -> bool {
        let is_only_version = self.nodes.len() == 1 && self.levels[0].created_by.is_none();
        is_only_version && self.explainer.has_no_holes() && is_in_file(self.root())
    }

    /// Returns whether a step of the object may have changed a value in a string.
    pub(super) fn has_string_edits(&self) -> bool {
        self.has_string_edits
    }

    /// Goes down to an entry of the mapping or an item of the list. Returns whether it exists.
    pub(super) fn enter(&mut self, position: usize) -> bool {
        let around = self.range(self.levels.len() - 1);
        let Some(newest) = child_at(self.nodes[around.start].node, position) else {
            return false;
        };
        let mut entered = Level {
            start: self.nodes.len(),
            created_by: self.value().created_by,
        };
        self.nodes.push(VersionNode::new(newest, position));
        let mut position = position;
        for index in around.start..around.end - 1 {
            let (newer, older) = (self.nodes[index], self.nodes[index + 1]);
            let Some(step) = newer.made_by else { break };
            let versions = &self.explainer.versions;
            let earlier = position_in(versions, older.node, newer.node, position);
            let found = earlier.and_then(|at| Some((at, child_at(older.node, at)?)));
            let Some((at, node)) = found else {
                entered.created_by = Some(step);
                break;
            };
            position = at;
            self.add(node, position, step);
        }
        self.levels.push(entered);
        true
    }

    /// Goes back up to the collection that contains the value.
    pub(super) fn leave(&mut self) {
        if self.levels.len() > 1
            && let Some(left) = self.levels.pop()
        {
            self.nodes.truncate(left.start);
        }
    }

    /// Adds the node of the version before `step` to the last level, unless it is the same.
    fn add(&mut self, node: &'e Arc<Node>, position: usize, step: usize) {
        if let Some(newer) = self.nodes.last_mut() {
            if Arc::ptr_eq(newer.node, node) {
                newer.oldest_position = position;
                return;
            }
            newer.made_by = Some(step);
        }
        self.nodes.push(VersionNode::new(node, position));
    }

    fn value(&self) -> &Level {
        &self.levels[self.levels.len() - 1]
    }

    /// Returns the indices of a level's nodes.
    fn range(&self, level: usize) -> Range<usize> {
        let next = self.levels.get(level + 1);
        self.levels[level].start..next.map_or(self.nodes.len(), |next| next.start)
    }

    /// Returns the oldest node of each level.
    fn oldest(&self) -> impl DoubleEndedIterator<Item = &VersionNode<'e>> + ExactSizeIterator {
        (0..self.levels.len()).map(|level| &self.nodes[self.range(level).end - 1])
    }

    /// Returns the key at the root of the object that leads to the value.
    pub(super) fn first_key(&self) -> Option<&'e str> {
        let position = self.nodes[self.levels.get(1)?.start].newest_position;
        let entry = self.root().as_mapping()?.entries.at(position)?;
        entry.key.resolved().text()
    }

    /// Returns the steps to the value in the output.
    pub(super) fn steps(&self) -> Vec<PathStep> {
        let newest = self.levels.iter().map(|level| &self.nodes[level.start]);
        steps_along(newest.map(|node| (node.node, node.newest_position)))
    }

    /// Returns the steps to the value in the oldest version that has it.
    fn oldest_steps(&self) -> Vec<PathStep> {
        steps_along(self.oldest().map(|node| (node.node, node.oldest_position)))
    }

    /// Returns the steps to the value in the version after `step`, which changed or created it.
    fn steps_after(&self, step: usize) -> Vec<PathStep> {
        let nodes = (0..self.levels.len()).map(|level| {
            let nodes = &self.nodes[self.range(level)];
            // Below the value that the step created, there is nothing older.
            let made = nodes.iter().find(|node| node.made_by == Some(step));
            made.unwrap_or(&nodes[nodes.len() - 1])
        });
        steps_along(nodes.map(|node| (node.node, node.oldest_position)))
    }

    /// Returns the newest link of the value; `None` if the value is written in a file and no step
    /// changed it. The link of a step has no inputs.
    pub(super) fn newest_link(&self) -> Option<Link> {
        let nodes = &self.nodes[self.value().start..];
        for pair in nodes.windows(2) {
            let [newer, older] = pair else { break };
            let step = newer.made_by?;
            let kind = self.explainer.records.steps[step].kind;
            if kind != StepKind::Rewritten && is_changed(older.node, newer.node) {
                return self.change(step, Some(older.node), newer.node);
            }
        }
        let oldest = nodes[nodes.len() - 1].node;
        if let Some(step) = self.value().created_by {
            return self.change(step, None, oldest);
        }
        let hole = self.explainer.hole_on(self.oldest().map(|node| node.node));
        if hole.is_none() && is_in_file(oldest) {
            return None;
        }
        // The result of most expressions is the value itself, so that no steps are left.
        let is_value_made = hole.is_none_or(|(_, depth)| depth + 1 == self.levels.len());
        let steps = match is_value_made {
            true => Vec::new(),
            false => self.oldest_steps(),
        };
        let hole = hole.map(|(hole, depth)| (hole, steps.get(depth..).unwrap_or_default()));
        let root = self.oldest().next()?.node;
        Some(self.explainer.base(root, oldest, hole, DEPTH))
    }

    /// Returns the link of a step that changed or created the value.
    fn change(&self, step: usize, before: Option<&Arc<Node>>, after: &Arc<Node>) -> Option<Link> {
        if let Some(link) = self.explainer.change_at_known_place(step, before, after) {
            return Some(link);
        }
        let root = self.explainer.records.steps[step].after.as_ref()?;
        let version = ValueVersion {
            root: Arc::clone(root),
            steps: self.steps_after(step),
            value: Arc::clone(after),
        };
        Some(self.explainer.change(step, before, &version, 0))
    }
}

impl<'e> VersionNode<'e> {
    fn new(node: &'e Arc<Node>, position: usize) -> VersionNode<'e> {
        VersionNode {
            node,
            made_by: None,
            newest_position: position,
            oldest_position: position,
        }
    }
}

/// Returns the steps from the first to the last node of a chain. Each node comes with its position
/// in the node before it.
fn steps_along<'e>(way: impl Iterator<Item = (&'e Arc<Node>, usize)>) -> Vec<PathStep> {
    let mut steps = Vec::new();
    let mut around: Option<&Arc<Node>> = None;
    for (node, position) in way {
        steps.extend(around.map(|around| step_to(around, position)));
        around = Some(node);
    }
    steps
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

/// Returns the position of a child in an older version of its collection; `None` if it is not
/// there.
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
            versions.lists.item_in(older, newer, position)
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
