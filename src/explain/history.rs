//! Follows a value back through the journal, to the steps and files that made it.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::answer::object_name;
use super::data_value::{ExpressionInputs, ValueInputs};
use super::link::{Input, InputKind, Link, LinkKind};
use super::secrets::is_secret_value;
use super::variables::TemplateVariables;
use super::versions::{Versions, address, child, is_changed, is_shared, string_depth};
use crate::edit::{EditOptions, FieldPath, PathStep, find_places};
use crate::kubernetes::text_fields;
use crate::provenance::{FieldRead, Hole, JournalStep, Records, StepKind};
use crate::source::Location;
use crate::yaml::{Node, is_equal};

/// The maximum depth of inputs: a field may be copied from a field that was itself copied.
pub(super) const DEPTH: usize = 16;

/// Answers questions about the output of one build.
#[derive(Debug)]
pub struct Explainer {
    pub(super) records: Records,
    pub(super) versions: Versions,
    /// The indices of the steps that produced each root, in order.
    steps_by_root: HashMap<usize, Vec<usize>>,
    /// The indices of the expressions of templates, by the node that each one produced.
    holes: HashMap<usize, usize>,
    /// The original node of each copy.
    originals: HashMap<usize, Arc<Node>>,
    /// The index of the data values with each root.
    values_by_root: HashMap<usize, usize>,
    pub(super) variables: TemplateVariables,
    pub(super) value_inputs: ValueInputs,
    pub(super) expression_inputs: ExpressionInputs,
}

impl Explainer {
    /// Prepares answers from the records of a build.
    pub fn new(records: Records) -> Explainer {
        let mut steps_by_root: HashMap<usize, Vec<usize>> = HashMap::new();
        for (index, step) in records.steps.iter().enumerate() {
            if let Some(after) = &step.after {
                let root = address(after.resolved());
                steps_by_root.entry(root).or_default().push(index);
            }
        }
        let holes = records.holes.iter().enumerate();
        let copies = records.copies.iter();
        let values = records.values.iter().enumerate();
        Explainer {
            steps_by_root,
            holes: holes
                .map(|(index, hole)| (address(&hole.node), index))
                .collect(),
            originals: copies
                .map(|copy| (address(&copy.copy), Arc::clone(&copy.original)))
                .collect(),
            values_by_root: values
                .map(|(index, values)| (address(&values.root), index))
                .collect(),
            records,
            versions: Versions::default(),
            variables: TemplateVariables::default(),
            value_inputs: ValueInputs::default(),
            expression_inputs: ExpressionInputs::default(),
        }
    }

    /// Returns the links of a value of `root`, the newest first. Only steps before `limit` are
    /// considered: the others came later than this version.
    pub(super) fn links(
        &self,
        root: &Arc<Node>,
        steps: &[PathStep],
        limit: usize,
        depth: usize,
    ) -> Vec<Link> {
        let mut links = Vec::new();
        let Some(version) = ValueVersion::at(&self.versions, root, steps) else {
            return links;
        };
        let first = self.follow(version, limit, |change| {
            links.push(self.change(change.step, change.before_value(), change.after, depth));
            ControlFlow::Continue(())
        });
        links.extend(first.map(|first| self.first_link(&first, depth)));
        links
    }

    /// Returns the newest link of a value; `None` if there is no value. The link of a step has no
    /// inputs.
    pub(super) fn newest_link(&self, root: &Arc<Node>, steps: &[PathStep]) -> Option<Link> {
        let version = ValueVersion::at(&self.versions, root, steps)?;
        let mut newest = None;
        let first = self.follow(version, self.records.steps.len(), |change| {
            newest = Some(self.change(change.step, change.before_value(), change.after, 0));
            ControlFlow::Break(())
        });
        newest.or_else(|| Some(self.first_link(&first?, DEPTH)))
    }

    /// Returns the link of a value that no step changed.
    pub(super) fn first_link(&self, version: &ValueVersion, depth: usize) -> Link {
        let hole = self.hole(&version.root, &version.steps);
        self.base(&version.root, &version.value, hole, depth)
    }

    /// Goes back from a version of a value to its first version. Calls `visit` for each step that
    /// changed the value, the newest first, until `visit` breaks. Only steps before `limit` are
    /// considered.
    ///
    /// ```text
    /// version of the object   replicas   step that produced it
    /// C                       5          overlay: changed the value, so it is visited
    /// B                       2          labels: shares the node with A, so it is skipped
    /// A                       2          none: the first version, which is returned
    /// ```
    ///
    /// Returns `None` if a step created the value, or if `visit` broke.
    pub(super) fn follow(
        &self,
        mut version: ValueVersion,
        mut limit: usize,
        mut visit: impl FnMut(ValueChange<'_>) -> ControlFlow<()>,
    ) -> Option<ValueVersion> {
        while let Some(index) = self.last_step(&version.root, limit) {
            limit = index;
            let step = &self.records.steps[index];
            if let Some(before) = &step.before
                && is_shared(before, &version.root, &version.steps)
            {
                version.root = Arc::clone(before);
                continue;
            }
            let earlier = match &step.before {
                Some(before) => version.within(&self.versions, before),
                None => None,
            };
            let change = ValueChange {
                step: index,
                before: earlier.as_ref(),
                after: &version,
            };
            let Some(earlier) = &earlier else {
                // The step created the value, so there is nothing older.
                let _ = visit(change);
                return None;
            };
            let is_change =
                step.kind != StepKind::Rewritten && self.is_made_by(step, earlier, &version);
            if is_change && visit(change).is_break() {
                return None;
            }
            version = earlier.clone();
        }
        Some(version)
    }

    /// Returns the last step before `limit` that produced this root.
    pub(super) fn last_step(&self, root: &Arc<Node>, limit: usize) -> Option<usize> {
        let steps = self.steps_by_root.get(&address(root.resolved()))?;
        let count = steps.partition_point(|&step| step < limit);
        steps.get(count.checked_sub(1)?).copied()
    }

    /// Returns the link of the step that changed a value to this version.
    pub(super) fn change(
        &self,
        index: usize,
        before: Option<&Arc<Node>>,
        version: &ValueVersion,
        depth: usize,
    ) -> Link {
        let step = &self.records.steps[index];
        let mut link = Link {
            kind: LinkKind::Step(step.kind),
            place: None,
            text: None,
            before: before.map(Arc::clone),
            after: Some(Arc::clone(&version.value)),
            inputs: self.fields(&step.reads, index, depth),
            is_secret: false,
        };
        // The result of an expression in an overlay has the place of the expression.
        if let Some((hole, rest)) = self.hole(&version.root, &version.steps) {
            link.place = Some(hole.expression.clone());
            link.text = Some(code(hole));
            link.inputs.extend(self.reads(hole, rest, depth));
            return link;
        }
        if let Some(hole) = self.written_hole(step, &version.root, &version.steps) {
            link.place = Some(hole.expression.clone());
            link.text = Some(code(hole));
            link.inputs.extend(self.reads(hole, &[], depth));
            return link;
        }
        let own = own_place(before, &version.value).filter(|_| {
            // A copied value has the place that it was copied from.
            step.kind != StepKind::Replacement
        });
        let place = own.or_else(|| self.written_place(step, &version.root, &version.steps));
        link.place = place.map(|place| place.in_file());
        link
    }

    /// Returns the link of a step that changed a value, without inputs. Returns `None` if the place
    /// of the link depends on the path to the value, as in [`Explainer::change`].
    pub(super) fn change_at_known_place(
        &self,
        index: usize,
        before: Option<&Arc<Node>>,
        value: &Arc<Node>,
    ) -> Option<Link> {
        let step = &self.records.steps[index];
        let is_written = step.written.is_some() || !step.edits.is_empty();
        if !self.has_no_holes() {
            return None;
        }
        // A copied value has the place that it was copied from.
        let own = own_place(before, value).filter(|_| step.kind != StepKind::Replacement);
        let place = match own {
            None if is_written => return None,
            None => step.place.clone(),
            own => own,
        };
        Some(Link {
            kind: LinkKind::Step(step.kind),
            place: place.map(|place| place.in_file()),
            text: None,
            before: before.map(Arc::clone),
            after: Some(Arc::clone(value)),
            inputs: Vec::new(),
            is_secret: false,
        })
    }

    /// Returns whether a step made the value of this version.
    ///
    /// An equal value at another place was made again. Values in a string are an exception: if a
    /// step changes one of them, the whole string is printed and parsed again, and all of them get
    /// new places. So they count only if the string itself has a new place, or if the step contains
    /// the value.
    fn is_made_by(
        &self,
        step: &JournalStep,
        earlier: &ValueVersion,
        version: &ValueVersion,
    ) -> bool {
        if !is_equal(&earlier.value, &version.value) {
            return true;
        }
        let string_place = |version: &ValueVersion| {
            let depth = string_depth(&version.root, &version.steps)?;
            let steps = version.steps.get(..depth)?;
            Some(self.versions.value_at(&version.root, steps)?.location())
        };
        match (string_place(earlier), string_place(version)) {
            (Some(Some(before)), Some(Some(after))) => before.in_file() != after.in_file(),
            (Some(None), Some(Some(_))) => true,
            (Some(_), Some(None)) => self.is_written(step, &version.root, &version.steps),
            _ => is_changed(&earlier.value, &version.value),
        }
    }

    /// Returns the link of a value of `root` that no step changed: the place where it was written.
    /// `hole` is the expression that made it, with the steps from the expression's result to the
    /// value.
    pub(super) fn base(
        &self,
        root: &Arc<Node>,
        value: &Arc<Node>,
        hole: Option<(&Hole, &[PathStep])>,
        depth: usize,
    ) -> Link {
        let mut link = Link {
            kind: LinkKind::Code,
            place: None,
            text: None,
            before: None,
            after: Some(Arc::clone(value)),
            inputs: Vec::new(),
            is_secret: false,
        };
        if let Some((hole, rest)) = hole {
            link.kind = LinkKind::Template;
            link.place = Some(hole.expression.clone());
            link.text = Some(code(hole));
            link.inputs = self.reads(hole, rest, depth);
        } else if let Some(place) = own_place(None, value) {
            link.kind = LinkKind::File;
            link.place = Some(place);
        } else {
            link.place = root.location().map(|root| root.in_file());
        }
        link
    }

    /// Returns the expression that made a value, and the steps from its result to the value.
    ///
    /// An expression also made the values inside its result, except for those that are written in a
    /// file: a function may contain YAML.
    pub(super) fn hole<'s>(
        &self,
        root: &Arc<Node>,
        steps: &'s [PathStep],
    ) -> Option<(&Hole, &'s [PathStep])> {
        if self.holes.is_empty() {
            return None;
        }
        let mut node = root.resolved();
        let mut chain = vec![node];
        for step in steps {
            // The rest of the steps is below a string.
            let Some(next) = child(node, step) else {
                break;
            };
            node = next.resolved();
            chain.push(node);
        }
        let (hole, depth) = self.hole_on(chain.iter().copied())?;
        Some((hole, &steps[depth..]))
    }

    /// Returns the expression that made the last node of a chain, and the index of the node in the
    /// chain that is its whole result.
    pub(super) fn hole_on<'n>(
        &self,
        chain: impl DoubleEndedIterator<Item = &'n Arc<Node>> + ExactSizeIterator,
    ) -> Option<(&Hole, usize)> {
        if self.holes.is_empty() {
            return None;
        }
        for (depth, node) in chain.enumerate().rev() {
            if let Some(hole) = self.hole_of(node) {
                return Some((hole, depth));
            }
            // A node with a place was written in a file. The place of a copy is different: it is
            // not the place of its text.
            if node.origin.is_some() && !self.originals.contains_key(&address(node)) {
                return None;
            }
        }
        None
    }

    /// Returns the expression that made a node.
    fn hole_of(&self, node: &Arc<Node>) -> Option<&Hole> {
        let mut address = address(node);
        loop {
            if let Some(hole) = self.holes.get(&address) {
                return self.records.holes.get(*hole);
            }
            address = self::address(self.originals.get(&address)?);
        }
    }

    /// Returns whether no expression of a template was recorded.
    pub(super) fn has_no_holes(&self) -> bool {
        self.holes.is_empty()
    }

    /// Returns the index of the data values with this root.
    pub(super) fn values_of(&self, root: &Arc<Node>) -> Option<usize> {
        self.values_by_root.get(&address(root)).copied()
    }

    /// Returns the fields that a step read, with the links that their values had before the step.
    fn fields(&self, reads: &[FieldRead], limit: usize, depth: usize) -> Vec<Input> {
        let Some(depth) = depth.checked_sub(1) else {
            return Vec::new();
        };
        let mut inputs = Vec::with_capacity(reads.len());
        for read in reads {
            let options = EditOptions {
                text_fields: text_fields(&read.root),
                ..EditOptions::default()
            };
            // The path was followed when the step ran.
            let Ok(path) = FieldPath::parse(&read.path) else {
                continue;
            };
            let Ok(places) = find_places(&read.root, &path, &options) else {
                continue;
            };
            let Some(place) = places.into_iter().next() else {
                continue;
            };
            let mut links = self.links(&read.root, &place.steps, limit, depth);
            // The value is copied to a field that need not be a secret, so its links are marked.
            if is_secret_value(&read.root, &place.steps) {
                links.iter_mut().for_each(|link| link.is_secret = true);
            }
            inputs.push(Input {
                kind: InputKind::Field {
                    object: object_name(&read.root),
                    path: FieldPath::of_steps(&place.steps).to_string(),
                },
                value: Some(place.node),
                links: links.into(),
            });
        }
        inputs
    }
}

/// A step that made a value.
pub(super) struct ValueChange<'c> {
    /// The index of the step.
    pub(super) step: usize,
    /// The value before the step; `None` if it created the value.
    pub(super) before: Option<&'c ValueVersion>,
    /// The value after it.
    pub(super) after: &'c ValueVersion,
}

impl<'c> ValueChange<'c> {
    fn before_value(&self) -> Option<&'c Arc<Node>> {
        self.before.map(|before| &before.value)
    }
}

/// A value in one version of its object.
#[derive(Clone)]
pub(super) struct ValueVersion {
    pub(super) root: Arc<Node>,
    pub(super) steps: Vec<PathStep>,
    pub(super) value: Arc<Node>,
}

impl ValueVersion {
    pub(super) fn at(
        versions: &Versions,
        root: &Arc<Node>,
        steps: &[PathStep],
    ) -> Option<ValueVersion> {
        Some(ValueVersion {
            root: Arc::clone(root),
            steps: steps.to_vec(),
            value: versions.value_at(root, steps)?,
        })
    }

    /// Returns the same value in another version; `None` if it is not there.
    fn within(&self, versions: &Versions, root: &Arc<Node>) -> Option<ValueVersion> {
        let steps = versions.steps_in(root, &self.root, &self.steps)?;
        ValueVersion::at(versions, root, &steps)
    }
}

/// Returns the place where a value is written, unless the value before has the same place: an
/// edited value keeps its place.
fn own_place(before: Option<&Arc<Node>>, value: &Arc<Node>) -> Option<Location> {
    let place = value.location()?.in_file();
    let before = before.and_then(|before| before.location());
    let is_new = before.is_none_or(|before| before.in_file() != place);
    // A generated text that was parsed to inspect it is not in a file.
    (is_new && !place.source.name().is_empty()).then_some(place)
}

/// Returns whether a value is written in a file.
pub(super) fn is_in_file(value: &Arc<Node>) -> bool {
    own_place(None, value).is_some()
}

/// Returns the code of an expression.
fn code(hole: &Hole) -> String {
    let Location { source, span } = &hole.expression;
    source.slice(*span).trim().to_owned()
}
