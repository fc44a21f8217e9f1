//! What native functions know of the evaluation that calls them: its session, its loader, and the
//! nodes that it builds.

#![allow(
    unsafe_code,
    reason = "only the derives of `starlark` write unsafe code here"
)]

use std::cell::{RefCell, RefMut};

use starlark::any::ProvidesStaticType;
use starlark::environment::FrozenModule;
use starlark::eval::{Evaluator, FileLoader};

use super::failure::Failure;
use super::fragments::Context;
use super::limits::memory::TakenBytes;
use super::limits::work::StepsTaken;
use super::loader::Loader;
use super::session::Session;

/// The evaluation of one file.
///
/// It hangs on the crate's `Evaluator`, which hands it to native functions: see [`evaluation`].
#[derive(ProvidesStaticType)]
pub(super) struct Evaluation<'a> {
    /// Its number in the session, which annotations refer to.
    pub(super) number: usize,
    pub(super) session: &'a Session,
    pub(super) loader: &'a dyn Loader,
    /// What the program of the file loads; `None` if only functions of other files are called.
    loads: Option<&'a dyn FileLoader>,
    /// What is being built. The first context belongs to the file, each further one to a call of a
    /// function that builds nodes and has not returned yet.
    pub(super) contexts: RefCell<Vec<Context>>,
    /// What its programs took outside of the heap of Starlark.
    pub(super) taken: TakenBytes,
    /// The time that its programs spent inside of native operations.
    pub(super) steps: StepsTaken,
}

impl<'a> Evaluation<'a> {
    /// Starts an evaluation, with the context of its file if it builds anything.
    pub(super) fn new(
        number: usize,
        session: &'a Session,
        loader: &'a dyn Loader,
        context: Option<Context>,
    ) -> Evaluation<'a> {
        Evaluation {
            number,
            session,
            loader,
            loads: None,
            contexts: RefCell::new(context.into_iter().collect()),
            taken: TakenBytes::default(),
            steps: StepsTaken::default(),
        }
    }

    /// Lets the program of the file load others while it runs.
    pub(super) fn loading(self, loads: &'a dyn FileLoader) -> Evaluation<'a> {
        Evaluation {
            loads: Some(loads),
            ..self
        }
    }

    /// Returns the module that the program loads as `path`.
    pub(super) fn load(&self, path: &str) -> starlark::Result<FrozenModule> {
        self.loads.ok_or_else(no_file)?.load(path)
    }

    /// Returns the innermost context: the nodes or the text that are being built.
    ///
    /// # Errors
    /// Nothing is being built, because no template is running.
    pub(super) fn context(&self) -> starlark::Result<RefMut<'_, Context>> {
        let contexts = self.contexts.borrow_mut();
        RefMut::filter_map(contexts, |contexts| contexts.last_mut())
            .map_err(|_| Failure::new("expected a template around this node").into())
    }

    /// Adds to the text of the innermost context.
    ///
    /// # Errors
    /// The text is more than a build may create, and those of [`context`](Self::context).
    pub(super) fn write(&self, text: &str) -> starlark::Result<()> {
        self.session.build(text.len())?;
        self.context()?.write(text);
        Ok(())
    }
}

/// Returns the evaluation that an evaluator works on.
pub(super) fn evaluation<'a, 'e>(
    eval: &Evaluator<'_, 'a, 'e>,
) -> starlark::Result<&'a Evaluation<'e>> {
    let extra = eval
        .extra
        .and_then(|extra| extra.downcast_ref::<Evaluation<'e>>());
    Ok(extra.ok_or_else(no_file)?)
}

fn no_file() -> Failure {
    Failure::new("expected an evaluation of a file")
}
