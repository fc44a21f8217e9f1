//! Walks the journal backwards from a value to what made it.

use std::collections::HashMap;
use std::sync::Arc;

use super::link::{ExplainedObject, Explanation, Input, InputKind, Link, LinkKind};
use super::question::Question;
use super::secrets::{has_secret, is_secret_value};
use super::versions::{Versions, child, is_changed, is_shared};
use crate::edit::{EditFailure, EditOptions, FieldPath, PathStep, find_places};
use crate::kubernetes::{Resource, text_fields};
use crate::provenance::{FieldRead, Hole, Records, StepKind, WrittenEdit};
use crate::source::{Code, Diagnostic, Location, Result};
use crate::yaml::Node;

/// How many inputs of inputs are followed: a field that is copied from a field that is copied …
const DEPTH: usize = 16;

/// An object of the output.
#[derive(Clone, Debug)]
pub struct BuiltObject {
    /// Its tree.
    pub root: Arc<Node>,
    pub(super) name: ExplainedObject,
}

impl BuiltObject {
    /// Takes a document of the output, which need not be an object.
    pub fn new(root: &Arc<Node>) -> BuiltObject {
        BuiltObject {
            root: Arc::clone(root),
            name: object_name(root),
        }
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
        }
    }

    /// Returns the answers for all values that a question is about, in the order of the output.
    ///
    /// # Errors
    /// There is no such object, or none of them has a value at the path. The message names the
    /// deepest part of the path that exists.
    pub fn answer(&self, question: &Question, objects: &[BuiltObject]) -> Result<Vec<Explanation>> {
        let mut answers = Vec::new();
        let mut missing: Option<EditFailure> = None;
        let mut is_selected = false;
        for object in objects
            .iter()
            .filter(|object| question.selects(&object.name))
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
            return Err(no_object(question, objects));
        }
        match missing {
            Some(missing) => {
                let path = &question.path;
                Err(missing.diagnostic(|| format!("no value at `{path}` in the output")))
            }
            None => Err(no_object(question, objects)),
        }
    }

    /// Returns the answer for the value that steps lead to.
    fn explain(&self, object: &BuiltObject, steps: &[PathStep]) -> Explanation {
        let root = &object.root;
        let links = self.links(root, steps, self.records.steps.len(), DEPTH);
        Explanation {
            object: object.name.clone(),
            path: FieldPath::of_steps(steps).to_string(),
            value: self
                .versions
                .value_at(root, steps)
                .unwrap_or_else(|| Node::plain("null")),
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
        self.newest_links(root, steps, limit, depth, usize::MAX)
    }

    /// Returns the newest link of a value; `None` if there is no value.
    pub(super) fn newest_link(&self, root: &Arc<Node>, steps: &[PathStep]) -> Option<Link> {
        let links = self.newest_links(root, steps, self.records.steps.len(), DEPTH, 1);
        links.into_iter().next()
    }

    /// Returns at most `most` links.
    fn newest_links(
        &self,
        root: &Arc<Node>,
        steps: &[PathStep],
        limit: usize,
        depth: usize,
        most: usize,
    ) -> Vec<Link> {
        let mut links = Vec::new();
        let Some(mut version) = ValueVersion::at(&self.versions, root, steps) else {
            return links;
        };
        let mut limit = limit;
        while let Some(index) = self.last_step(&version.root, limit) {
            limit = index;
            let step = &self.records.steps[index];
            let Some(before) = &step.before else {
                links.push(self.change(index, None, &version, depth));
                return links;
            };
            if is_shared(before, &version.root, &version.steps) {
                version.root = Arc::clone(before);
                continue;
            }
            let Some(earlier) = version.within(&self.versions, before) else {
                links.push(self.change(index, None, &version, depth));
                return links;
            };
            if is_changed(&earlier.value, &version.value) && step.kind != StepKind::Rewritten {
                links.push(self.change(index, Some(&earlier.value), &version, depth));
            }
            if links.len() == most {
                return links;
            }
            version = earlier;
        }
        links.push(self.base(&version, depth));
        links
    }

    /// Returns the last step before `limit` that left this root.
    fn last_step(&self, root: &Arc<Node>, limit: usize) -> Option<usize> {
        let steps = self.steps_by_root.get(&address(root.resolved()))?;
        let behind = steps.partition_point(|&step| step < limit);
        steps.get(behind.checked_sub(1)?).copied()
    }

    /// Returns the link of the step that changed a value to this version.
    fn change(
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
        let own = own_place(before, &version.value).filter(|_| {
            // A copied value has the place that it was copied from.
            step.kind != StepKind::Replacement
        });
        let written = || {
            let written = step.written.as_ref()?;
            let versions = &self.versions;
            versions
                .deepest_in(written, &version.root, &version.steps)
                .location()
        };
        let edit = || written_edit(&step.edits, &version.steps);
        let place = own.or_else(edit).or_else(written);
        let place = place.or_else(|| step.place.clone());
        link.place = place.map(|place| place.in_file());
        link
    }

    /// Returns the link of a value that no step changed: where it was written.
    fn base(&self, version: &ValueVersion, depth: usize) -> Link {
        let mut link = Link {
            kind: LinkKind::Code,
            place: None,
            text: None,
            before: None,
            after: Some(Arc::clone(&version.value)),
            inputs: Vec::new(),
            is_secret: false,
        };
        if let Some((hole, rest)) = self.hole(&version.root, &version.steps) {
            link.kind = LinkKind::Template;
            link.place = Some(hole.expression.clone());
            link.text = Some(code(hole));
            link.inputs = self.reads(hole, rest, depth);
        } else if let Some(place) = own_place(None, &version.value) {
            link.kind = LinkKind::File;
            link.place = Some(place);
        } else {
            link.place = version.root.location().map(|root| root.in_file());
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
        let mut nodes = vec![Arc::clone(root.resolved())];
        for step in steps {
            match nodes.last().and_then(|node| child(node, step)) {
                Some(node) => nodes.push(Arc::clone(node.resolved())),
                // The rest of the way is below a string.
                None => break,
            }
        }
        for (depth, node) in nodes.iter().enumerate().rev() {
            if let Some(hole) = self.hole_of(node) {
                return Some((hole, &steps[depth..]));
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
            inputs.push(Input {
                kind: InputKind::Field {
                    object: object_name(&read.root),
                    path: FieldPath::of_steps(&place.steps).to_string(),
                },
                value: Some(place.node),
                links: self.links(&read.root, &place.steps, limit, depth),
            });
        }
        inputs
    }
}

/// A value in one version of its object.
struct ValueVersion {
    root: Arc<Node>,
    steps: Vec<PathStep>,
    value: Arc<Node>,
}

impl ValueVersion {
    fn at(versions: &Versions, root: &Arc<Node>, steps: &[PathStep]) -> Option<ValueVersion> {
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

/// Returns the place of the last edit that is at a value, or at one that contains it.
fn written_edit(edits: &[WrittenEdit], steps: &[PathStep]) -> Option<Location> {
    let is_step = |(key, step): (&String, &PathStep)| match step {
        PathStep::Key(own) => **own == **key,
        // `-` is the item behind the last one.
        PathStep::Index(own) => key == "-" || *key == own.to_string(),
    };
    let is_around = |edit: &&WrittenEdit| {
        edit.keys.len() <= steps.len() && edit.keys.iter().zip(steps).all(is_step)
    };
    let edit = edits.iter().rfind(is_around)?;
    Some(edit.place.clone())
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

/// Returns the code of an expression.
fn code(hole: &Hole) -> String {
    let Location { source, span } = &hole.expression;
    source.slice(*span).trim().to_owned()
}

/// Returns the error for a question about an object that does not exist.
fn no_object(question: &Question, objects: &[BuiltObject]) -> Box<Diagnostic> {
    let message = match question.objects() {
        Some(asked) => format!("no object `{asked}` in the output"),
        None => "the output has no documents".to_owned(),
    };
    let mut error = Diagnostic::error(Code::Selector, message);
    const SHOWN: usize = 10;
    let mut names: Vec<String> = Vec::new();
    for object in objects.iter().filter(|object| !object.name.kind.is_empty()) {
        names.push(format!("`{}/{}`", object.name.kind, object.name.name));
    }
    names.dedup();
    let more = names.len().saturating_sub(SHOWN);
    names.truncate(SHOWN);
    if !names.is_empty() {
        let more = match more {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        error = error.note(format!("the output has {}{more}", names.join(", ")));
    }
    error
}
