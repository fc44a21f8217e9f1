//! Answers a question about values of the output, such as `Deployment/web spec.replicas`.

use std::cell::OnceCell;
use std::sync::Arc;

use super::history::{DEPTH, Explainer};
use super::link::{ExplainedObject, Explanation};
use super::secrets::{has_secret, is_secret_value};
use crate::edit::{EditFailure, EditOptions, FieldPath, PathStep, find_places};
use crate::kubernetes::{ObjectPath, Resource, text_fields};
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::Node;

/// An object of the output.
#[derive(Clone, Debug)]
pub struct BuiltObject {
    /// Its tree.
    pub root: Arc<Node>,
    /// Its name, which is computed when it is first needed.
    name: OnceCell<ExplainedObject>,
}

impl BuiltObject {
    /// Creates an object from a document of the output. The document need not be a Kubernetes
    /// object.
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

impl Explainer {
    /// Returns the answers for all values that a question selects, in the order of the output. For
    /// an object without such a value, the answers are about the values that a step removed.
    ///
    /// # Errors
    /// Fails if no object has or had the name, or if none of them has or had a value at the path.
    /// The message names the deepest part of the path that exists.
    pub fn answer(
        &self,
        question: &ObjectPath,
        objects: &[BuiltObject],
    ) -> Result<Vec<Explanation>> {
        let selected: Vec<&BuiltObject> = objects
            .iter()
            .filter(|object| question.selects(object.name().id()))
            .collect();
        if selected.is_empty() {
            let removed = self.values_of_removed_objects(question);
            if removed.is_empty() {
                return Err(self.no_object(question, objects));
            }
            return Ok(removed);
        }

        let mut answers = Vec::new();
        let mut missing: Option<EditFailure> = None;
        for object in selected {
            let options = EditOptions {
                text_fields: text_fields(&object.root),
                ..EditOptions::default()
            };
            match find_places(&object.root, &question.path, &options) {
                Ok(places) => {
                    for place in places {
                        answers.push(self.explain(object, &place.steps));
                    }
                }
                Err(EditFailure::Diagnostic(error)) => return Err(error),
                Err(failure) => {
                    let removed = self.removed_values(object, question);
                    if !removed.is_empty() {
                        answers.extend(removed);
                        continue;
                    }
                    missing = Some(match missing {
                        Some(earlier) => earlier.or_deeper(failure),
                        None => failure,
                    });
                }
            }
        }
        match missing {
            _ if !answers.is_empty() => Ok(answers),
            Some(missing) => Err(no_value(missing, question, objects)),
            None => Err(self.no_object(question, objects)),
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

    /// Returns the error for a question about an object that does not exist.
    fn no_object(&self, question: &ObjectPath, objects: &[BuiltObject]) -> Box<Diagnostic> {
        let error = if question.objects().is_none() {
            Diagnostic::error(Code::Selector, "the output has no documents")
        } else {
            let ids = objects.iter().map(|object| object.name().id());
            question.no_object("the output", ids)
        };
        let error = error.at(self.removal_place(question), "removed here");
        match self.later_name(question, objects) {
            Some(name) => {
                // This name is known, so it replaces the guess of a similarly spelled name.
                let name = name.id().without_namespace().short();
                error.only_help(format!("its name in the output is `{name}`"))
            }
            None => error,
        }
    }
}

/// Returns the error for a question about a value that does not exist.
fn no_value(
    missing: EditFailure,
    question: &ObjectPath,
    objects: &[BuiltObject],
) -> Box<Diagnostic> {
    let path = &question.path;
    let error = missing.diagnostic(|| format!("no value at `{path}` in the output"));
    let ids = objects.iter().map(|object| object.name().id());
    if question.is_object_alone(ids) {
        return error.help(format!("add a path: `{path} metadata.name`"));
    }
    error
}
