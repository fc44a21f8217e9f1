//! What private libraries gave when they were evaluated, for the next time they are evaluated with equal inputs.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::fmt::Write;
use std::rc::Rc;
use std::sync::Arc;

use super::private::PrivateLibrary;
use crate::script::fragments::Annotations;
use crate::script::{Caller, Definitions, Exported};
use crate::source::{Code, Diagnostic, Diagnostics, Result};
use crate::workspace::library::FolderId;
use crate::workspace::phases::Options;
use crate::workspace::phases::evaluate::{Evaluation, evaluate};
use crate::workspace::phases::instance::{Instance, Prepared};
use crate::workspace::phases::run::Run;
use crate::workspace::values::ValuesDocument;
use crate::yaml::{Content, Node, is_empty};

/// A run may evaluate this many libraries with inputs of their own. What each gave is kept.
const LIMIT: usize = 10_000;

/// The instances of private libraries, each by its inputs.
#[derive(Default)]
pub(in crate::workspace::phases) struct Memory {
    known: RefCell<HashMap<Inputs, Rc<Known>>>,
}

/// What decides what a library gives: the library, how it is read, and what was given to it.
type Inputs = (FolderId, Options, String);

struct Known {
    instance: Rc<Instance>,
    prepared: OnceCell<Prepared>,
    evaluated: OnceCell<Rc<Evaluated>>,
    /// What went wrong. It would again.
    failure: OnceCell<Box<Diagnostic>>,
    /// Whether a phase is going on.
    is_busy: Cell<bool>,
}

/// What the files of a library gave.
pub(super) struct Evaluated {
    /// The documents, in the order of the files.
    pub(super) documents: Vec<Arc<Node>>,
    /// What library files define, by their paths from the root of the library, in the order of the tree.
    pub(super) definitions: Vec<(String, Definitions)>,
}

impl Memory {
    /// The data values of a library.
    ///
    /// # Errors
    /// What is wrong in the library.
    pub(super) fn data_values(
        &self,
        library: &PrivateLibrary,
        run: &Run<'_>,
        caller: &mut Caller<'_, '_>,
    ) -> Result<Exported> {
        let known = self.known(library, run)?;
        known
            .prepared(library, run, caller)
            .map(|prepared| prepared.values.exported.clone())
    }

    /// What the files of a library give.
    ///
    /// # Errors
    /// What is wrong in the library.
    pub(super) fn evaluated(
        &self,
        library: &PrivateLibrary,
        run: &Run<'_>,
        caller: &mut Caller<'_, '_>,
    ) -> Result<Rc<Evaluated>> {
        let known = self.known(library, run)?;
        if let Some(evaluated) = known.evaluated.get() {
            return Ok(Rc::clone(evaluated));
        }
        let prepared = known.prepared(library, run, caller)?;
        let evaluation = known.phase(library, run, |diagnostics| {
            evaluate(run, &known.instance, prepared, &[], diagnostics)
        })?;
        let evaluated = Rc::new(Evaluated::new(evaluation, known.instance.root, run));
        Ok(Rc::clone(known.evaluated.get_or_init(|| evaluated)))
    }

    fn known(&self, library: &PrivateLibrary, run: &Run<'_>) -> Result<Rc<Known>> {
        let parent = run.instance(library.parent)?;
        let mut values = parent.addressed_to(&library.path, library.alias.as_deref());
        values.extend(
            library
                .values
                .iter()
                .map(|document| ValuesDocument::clone(document)),
        );
        let inputs = (
            library.root,
            library.options,
            inputs(&values, &run.session.annotations()),
        );
        let mut known = self.known.borrow_mut();
        if let Some(known) = known.get(&inputs) {
            return Ok(Rc::clone(known));
        }
        if known.len() >= LIMIT {
            let message =
                format!("libraries are evaluated with more than {LIMIT} different inputs");
            return Err(Diagnostic::error(Code::Limit, message)
                .help("evaluate a library once, and use what it gives"));
        }
        let new = Rc::new(Known {
            instance: Instance::new(library.root, library.options, values),
            prepared: OnceCell::new(),
            evaluated: OnceCell::new(),
            failure: OnceCell::new(),
            is_busy: Cell::new(false),
        });
        known.insert(inputs, Rc::clone(&new));
        Ok(new)
    }
}

impl Known {
    fn prepared(
        &self,
        library: &PrivateLibrary,
        run: &Run<'_>,
        caller: &mut Caller<'_, '_>,
    ) -> Result<&Prepared> {
        if let Some(prepared) = self.prepared.get() {
            return Ok(prepared);
        }
        let prepared = self.phase(library, run, |diagnostics| {
            self.instance.prepare(run, Some(caller), diagnostics)
        })?;
        Ok(self.prepared.get_or_init(|| prepared))
    }

    /// Runs a phase, and makes one error of what goes wrong in it.
    fn phase<T>(
        &self,
        library: &PrivateLibrary,
        run: &Run<'_>,
        work: impl FnOnce(&mut Diagnostics) -> Option<T>,
    ) -> Result<T> {
        if let Some(failure) = self.failure.get() {
            return Err(failure.clone());
        }
        if self.is_busy.replace(true) {
            let message = format!(
                "expected the library `{}` to need other libraries, found that it needs itself",
                library.name()
            );
            return Err(Diagnostic::error(Code::Library, message));
        }
        let mut diagnostics = Diagnostics::default();
        let outcome = work(&mut diagnostics);
        self.is_busy.set(false);
        let error = run.set_aside(&diagnostics, &library.name());
        match (outcome, error) {
            (Some(outcome), None) => Ok(outcome),
            (_, Some(error)) => Err(self.failure.get_or_init(|| error).clone()),
            (None, None) => Err(Diagnostic::error(
                Code::Internal,
                "a library failed without a reason",
            )),
        }
    }
}

impl Evaluated {
    fn new(evaluation: Evaluation, root: FolderId, run: &Run<'_>) -> Evaluated {
        let documents = evaluation
            .rendered
            .yaml
            .into_iter()
            .flat_map(|file| file.documents);
        let documents = documents
            .filter(|document| !is_empty(document.resolved()))
            .collect();
        let path = |index| run.tree.path_below(root, index).to_owned();
        let definitions = evaluation.definitions.into_iter();
        Evaluated {
            documents,
            definitions: definitions
                .map(|(index, found)| (path(index), found))
                .collect(),
        }
    }
}

/// A text that is the same for documents that say the same.
fn inputs(documents: &[ValuesDocument], annotations: &Annotations) -> String {
    let mut text = String::new();
    for document in documents {
        let _ = write!(text, "{:?} {} ", document.merge, document.is_last);
        if !document.target.is_here() {
            let _ = write!(text, "{:?} ", document.target);
        }
        describe(&document.document.root, annotations, &mut text);
    }
    text
}

/// Writes what a node says. It calls itself for each level, which the parser bounds.
fn describe(node: &Arc<Node>, annotations: &Annotations, text: &mut String) {
    let node = node.resolved();
    match &node.content {
        Content::Mapping(mapping) => {
            text.push('{');
            for entry in &mapping.entries {
                describe_part(&entry.key, annotations, text);
                text.push(':');
                describe(&entry.value, annotations, text);
            }
            text.push('}');
        }
        Content::Sequence(sequence) => {
            text.push('[');
            sequence
                .items
                .iter()
                .for_each(|item| describe_part(&item.value, annotations, text));
            text.push(']');
        }
        Content::Scalar(_) | Content::Alias(_) => {
            let _ = write!(text, "{:?}{:?} ", node.tag(), node.value());
        }
    }
}

/// A key or an item. Annotations hold functions, which are equal only if they are the same.
fn describe_part(part: &Arc<Node>, annotations: &Annotations, text: &mut String) {
    if annotations.of(part).is_some() {
        let _ = write!(text, "@{:p}", Arc::as_ptr(part));
    }
    describe(part, annotations, text);
}
