//! Explains values that are not in the output because a step removed them.
//!
//! A question about a missing value is answered from the last version of the object that has it:
//!
//! ```text
//! Deployment web  spec.paused  removed
//! ├─ overlay  overlay.yml:7    true → removed       the step whose `after` lacks the value
//! └─ file     deploy.yml:8     true                 its links in the version before
//! ```

use std::collections::HashSet;
use std::sync::Arc;

use super::answer::{BuiltObject, object_name};
use super::history::{DEPTH, Explainer};
use super::link::{ExplainedObject, Explanation, Link, LinkKind};
use super::secrets::{has_secret, is_secret_value};
use super::versions::address;
use crate::edit::{EditOptions, FieldPath, PathStep, find_places};
use crate::kubernetes::{ObjectPath, text_fields};
use crate::provenance::StepKind;
use crate::source::Location;
use crate::yaml::Node;

impl Explainer {
    /// Returns the answers for the values at a path that an object of the output had, in its last
    /// version with any.
    pub(super) fn removed_values(
        &self,
        object: &BuiltObject,
        question: &ObjectPath,
    ) -> Vec<Explanation> {
        let mut limit = self.records.steps.len();
        let mut root = Arc::clone(&object.root);
        while let Some(index) = self.last_step(&root, limit) {
            limit = index;
            let Some(before) = &self.records.steps[index].before else {
                break;
            };
            let removed = self.last_values(object.name(), before, index, question);
            if !removed.is_empty() {
                return removed;
            }
            root = Arc::clone(before);
        }
        Vec::new()
    }

    /// Returns the answers for values of objects that a step removed as a whole.
    pub(super) fn values_of_removed_objects(&self, question: &ObjectPath) -> Vec<Explanation> {
        let mut answers = Vec::new();
        let mut seen = HashSet::new();
        for (index, step) in self.records.steps.iter().enumerate().rev() {
            let (Some(before), None) = (&step.before, &step.after) else {
                continue;
            };
            let name = object_name(before);
            if question.selects(name.id()) && seen.insert(address(before.resolved())) {
                answers.extend(self.last_values(&name, before, index, question));
            }
        }
        answers.reverse();
        answers
    }

    /// Returns the place of the last step that removed an object that a question is about.
    pub(super) fn removal_place(&self, question: &ObjectPath) -> Option<Location> {
        let step = self.records.steps.iter().rfind(|step| {
            let before = step.before.as_ref().filter(|_| step.after.is_none());
            before.is_some_and(|before| question.selects(object_name(before).id()))
        })?;
        self.written_place(step, step.before.as_ref()?, &[])
    }

    /// Returns the name that an object of the question has in the output, if a step renamed it.
    pub(super) fn later_name<'o>(
        &self,
        question: &ObjectPath,
        objects: &'o [BuiltObject],
    ) -> Option<&'o ExplainedObject> {
        let had_name = |object: &&BuiltObject| {
            let mut limit = self.records.steps.len();
            let mut root = Arc::clone(&object.root);
            while let Some(index) = self.last_step(&root, limit) {
                limit = index;
                let Some(before) = &self.records.steps[index].before else {
                    return false;
                };
                if question.selects(object_name(before).id()) {
                    return true;
                }
                root = Arc::clone(before);
            }
            false
        };
        objects.iter().find(had_name).map(|object| object.name())
    }

    /// Returns the answers for the values at the path of a question in a version of an object,
    /// which the step `index` removed.
    fn last_values(
        &self,
        object: &ExplainedObject,
        root: &Arc<Node>,
        index: usize,
        question: &ObjectPath,
    ) -> Vec<Explanation> {
        let options = EditOptions {
            text_fields: text_fields(root),
            ..EditOptions::default()
        };
        let Ok(places) = find_places(root, &question.path, &options) else {
            return Vec::new();
        };
        let answer = |steps: &[PathStep]| {
            let mut links = vec![self.removal(index, root, steps)];
            links.extend(self.links(root, steps, index, DEPTH));
            Explanation {
                object: object.clone(),
                path: FieldPath::of_steps(steps).to_string(),
                value: None,
                is_secret: is_secret_value(root, steps) || has_secret(&links),
                links,
            }
        };
        places.iter().map(|place| answer(&place.steps)).collect()
    }

    /// Returns the link of the step that removed a value of `root`.
    fn removal(&self, index: usize, root: &Arc<Node>, steps: &[PathStep]) -> Link {
        let step = &self.records.steps[index];
        let place = self.written_place(step, root, steps);
        Link {
            kind: match step.kind {
                // A version that is the same object in another tree removes nothing.
                StepKind::Rewritten => LinkKind::Code,
                kind => LinkKind::Step(kind),
            },
            place: place.map(|place| place.in_file()),
            text: None,
            before: self.versions.value_at(root, steps),
            after: None,
            inputs: Vec::new(),
            is_secret: false,
        }
    }
}
