//! Walks the journal backwards from a value to what made it.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::data_value::{ExpressionInputs, ValueInputs};
use super::link::{ExplainedObject, Explanation, Input, InputKind, Link, LinkKind};
use super::secrets::{has_secret, is_secret_value};
use super::variables::TemplateVariables;
use super::versions::{Versions, child, is_changed, is_shared, string_depth};
use crate::edit::{EditFailure, EditOptions, FieldPath, PathStep, find_places};
use crate::kubernetes::{ObjectPath, Resource, text_fields};
use crate::provenance::{FieldRead, Hole, JournalStep, Records, StepKind};
use crate::source::{Code, Diagnostic, Location, Result};
use crate::yaml::{Node, is_equal};

/// How many inputs of inputs are followed: a field that is copied from a field that is copied …
pub(super) const DEPTH: usize = 16;

/// An object of the output.
#[derive(Clone, Debug)]
pub struct BuiltObject {
    /// Its tree.
    pub root: Arc<Node>,
    /// Its name. Most objects are never asked for it.
    name: OnceCell<ExplainedObject>,
}

impl BuiltObject {
    /// Takes a document of the output, which need not be an object.
    pub fn new(root: &Arc<Node>) -> BuiltObject {
        BuiltObject {
            root: Arc::clone(root),
            name: OnceCell::new(),
        }
    }

    pub(super) fn name(&self) -> &ExplainedObject {
        self.name.get_or_init(|| object_name(&self.root))
    }
}

pub(super) fn object_name(root: &Arc<Node>) -> ExplainedObject {
    // A document that is not a mapping has no name.
    match Resource::new(Arc::clone(root)) {
        Ok(resource) => ExplainedObject {
            api_version: resource.api_version().to_owned(),
            kind: resource.kind().to_owned(),
            namespace: resource.namespace().to_owned(),
            name: resource.name().to_owned(),
        },
        Err(_) => ExplainedObject::default(),
    }
}

/// Answers questions about the output of one build.
#[derive(Debug)]
pub struct Explainer {
    pub(super) records: Records,
    pub(super) versions: Versions,
    /// The steps by the roots that they left, in order.
    steps_by_root: HashMap<usize, Vec<usize>>,
    holes: HashMap<usize, usize>,
    /// The nodes that copies were made from.
    originals: HashMap<usize, Arc<Node>>,
    /// The number of the data values with a root.
    values_by_root: HashMap<usize, usize>,
    pub(super) variables: TemplateVariables,
    pub(super) value_inputs: ValueInputs,
    pub(super) expression_inputs: ExpressionInputs,
}

pub(super) fn address(node: &Arc<Node>) -> usize {
    Arc::as_ptr(node).addr()
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

    /// Returns the answers for all values that a question is about, in the order of the output. For
    /// an object that has no such value, they are about the values that a step removed.
    ///
    /// # Errors
    /// There is and was no such object, or none of them has or had a value at the path. The message
    /// names the deepest part of the path that exists.
    pub fn answer(
        &self,
        question: &ObjectPath,
        objects: &[BuiltObject],
    ) -> Result<Vec<Explanation>> {
        let mut answers = Vec::new();
        let mut missing: Option<EditFailure> = None;
        let mut is_selected = false;
        for object in objects
            .iter()
            .filter(|object| question.selects(object.name().id()))
        {
            is_selected = true;
            let options = EditOptions {
                text_fields: text_fields(&object.root),
                ..EditOptions::default()
            };
            let places = match find_places(&object.root, &question.path, &options) {
                Ok(places) => places,
                Err(EditFailure::Diagnostic(error)) => return Err(error),
                Err(failure) => {
                    let removed = self.removed_values(object, question);
                    if !removed.is_empty() {
                        answers.extend(removed);
                        continue;
                    }
                    missing = Some(match missing.take() {
                        Some(earlier) => earlier.or_deeper(failure),
                        None => failure,
                    });
                    continue;
                }
            };
            for place in places {
                answers.push(self.explain(object, &place.steps));
            }
        }
        if !answers.is_empty() {
            return Ok(answers);
        }
        if !is_selected {
            let removed = self.values_of_removed_objects(question);
            if !removed.is_empty() {
                return Ok(removed);
            }
            return Err(self.no_object(question, objects));
        }
        match missing {
            Some(missing) => {
                let path = &question.path;
                let error = missing.diagnostic(|| format!("no value at `{path}` in the output"));
                let is_object =
                    question.is_object_alone(objects.iter().map(|object| object.name().id()));
                let help = is_object.then(|| format!("add a path: `{path} metadata.name`"));
                Err(error.help_if(help))
            }
            None => Err(self.no_object(question, objects)),
        }
    }

    /// Returns the error for a question about an object that does not exist.
    fn no_object(&self, question: &ObjectPath, objects: &[BuiltObject]) -> Box<Diagnostic> {
        let error = no_object(question, objects).at(self.removal_place(question), "removed here");
        match self.later_name(question, objects) {
            Some(name) => {
                // The name that is spelled most alike is a guess, and this one is known.
                let name = name.id().without_namespace().short();
                error.only_help(format!("its name in the output is `{name}`"))
            }
            None => error,
        }
    }

    /// Returns the answer for the value that steps lead to.
    fn explain(&self, object: &BuiltObject, steps: &[PathStep]) -> Explanation {
        let root = &object.root;
        let links = self.links(root, steps, self.records.steps.len(), DEPTH);
        Explanation {
            object: object.name().clone(),
            path: FieldPath::of_steps(steps).to_string(),
            value: self.versions.value_at(root, steps),
            is_secret: is_secret_value(root, steps) || has_secret(&links),
            links,
        }
    }

    /// Returns what made a value of `root`, the newest first. Steps from `limit` on came later than
    /// this version.
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

    /// Returns the newest link of a value; `None` if there is no value.
    ///
    /// If a step made the value, the link has no inputs.
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

    /// Goes back from a version of a value to the first one, and calls `visit` for each step that
    /// made the value, the newest first, until that breaks. Steps from `limit` on came later than
    /// the version.
    ///
    /// Returns the first version, unless a step created the value or `visit` ended the way.
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
            let earlier = step.before.as_ref();
            let earlier = earlier.and_then(|before| version.within(&self.versions, before));
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
            let is_made =
                step.kind != StepKind::Rewritten && self.is_made_by(step, earlier, &version);
            if is_made && visit(change).is_break() {
                return None;
            }
            version = earlier.clone();
        }
        Some(version)
    }

    /// Returns the last step before `limit` that left this root.
    pub(super) fn last_step(&self, root: &Arc<Node>, limit: usize) -> Option<usize> {
        let steps = self.steps_by_root.get(&address(root.resolved()))?;
        let behind = steps.partition_point(|&step| step < limit);
        steps.get(behind.checked_sub(1)?).copied()
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
        // What an expression made has the place of the expression, in the overlay.
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

    /// Returns the link of a step that changed a value, if that does not depend on the way to the
    /// value. It has no inputs.
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

    /// Returns whether a step gave a value to this version.
    ///
    /// A string is written again as a whole if a step changes a part of it, and all values in it are
    /// parsed anew. So for values in a string, another place counts only if the string has another
    /// place, or the step contains the value.
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

    /// Returns the link of a value of `root` that no step changed: where it was written. `hole` is
    /// the expression that made it, with the steps from what it made to the value.
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

    /// Returns the expression that made a value, and the steps from what it made to the value.
    ///
    /// A value inside of what an expression made was made by it too, unless it is written in a
    /// file: the text of a function that contains YAML.
    pub(super) fn hole<'s>(
        &self,
        root: &Arc<Node>,
        steps: &'s [PathStep],
    ) -> Option<(&Hole, &'s [PathStep])> {
        if self.holes.is_empty() {
            return None;
        }
        let mut way = vec![root.resolved()];
        for step in steps {
            match way.last().and_then(|node| child(node, step)) {
                Some(node) => way.push(node.resolved()),
                // The rest of the way is below a string.
                None => break,
            }
        }
        let (hole, depth) = self.hole_on(way.iter().copied())?;
        Some((hole, &steps[depth..]))
    }

    /// Returns the expression that made the last node of a chain, and the index of the node in the
    /// chain that is its whole result.
    pub(super) fn hole_on<'w>(
        &self,
        way: impl DoubleEndedIterator<Item = &'w Arc<Node>> + ExactSizeIterator,
    ) -> Option<(&Hole, usize)> {
        if self.holes.is_empty() {
            return None;
        }
        for (depth, node) in way.enumerate().rev() {
            if let Some(hole) = self.hole_of(node) {
                return Some((hole, depth));
            }
            // Copies have a place of their own, which is not that of their text.
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

    /// Returns whether no expression of a template made anything.
    pub(super) fn has_no_holes(&self) -> bool {
        self.holes.is_empty()
    }

    /// Returns the number of the data values with this root.
    pub(super) fn values_of(&self, root: &Arc<Node>) -> Option<usize> {
        self.values_by_root.get(&address(root)).copied()
    }

    /// Returns the fields that a step read, with what made their values before it.
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
            // The value goes on to a field that may be no secret: what made it says that it is one.
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
    /// Its number.
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

/// Returns the place at which a value is written, unless it is the one of the value before: an
/// edited value keeps its place.
fn own_place(before: Option<&Arc<Node>>, value: &Arc<Node>) -> Option<Location> {
    let place = value.location()?.in_file();
    let before = before.and_then(|before| before.location());
    let is_new = before.is_none_or(|before| before.in_file() != place);
    // A text that was made, and parsed to look into it, is in no file.
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

/// Returns the error for a question about an object that does not exist.
fn no_object(question: &ObjectPath, objects: &[BuiltObject]) -> Box<Diagnostic> {
    if question.objects().is_none() {
        return Diagnostic::error(Code::Selector, "the output has no documents");
    }
    question.no_object(
        "the output",
        objects.iter().map(|object| object.name().id()),
    )
}
