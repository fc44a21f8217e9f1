//! The state of an evaluation that native functions can access: its session, its loader, and the
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
use super::limits::watch::Watch;
use super::limits::work::StepsTaken;
use super::loader::Loader;
use super::session::Session;

/// The evaluation of one file.
///
/// It is attached to the crate's `Evaluator`, which passes it to native functions; see
/// [`evaluation`].
#[derive(ProvidesStaticType)]
pub(super) struct Evaluation<'a> {
    /// The number of the evaluation in the session, which annotations refer to.
    pub(super) number: usize,
    pub(super) session: &'a Session,
    pub(super) loader: &'a dyn Loader,
    /// Loads files for the program; `None` if only functions of other files are called.
    loads: Option<&'a dyn FileLoader>,
    /// The contexts that are being built. The first one belongs to the file. Each further one
    /// belongs to a call that has not returned yet, of a function that builds nodes.
    pub(super) contexts: RefCell<Vec<Context>>,
    /// The bytes that its programs allocated outside the Starlark heap.
    pub(super) taken: TakenBytes,
    /// The steps that its programs took inside native operations.
    pub(super) steps: StepsTaken,
    /// Whether it exceeds a limit.
    pub(super) watch: Watch,
}

impl<'a> Evaluation<'a> {
    /// Starts an evaluation. `context` is the context of its file, if it builds anything.
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
            taken: TakenBytes::start(),
            steps: StepsTaken::default(),
            watch: Watch::start(),
        }
    }

    /// Returns the same evaluation, which can load other files while it runs.
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

    /// Returns the innermost context, which collects the nodes or the text.
    ///
    /// # Errors
    /// Fails if nothing is being built, because no template is running.
    pub(super) fn context(&self) -> starlark::Result<RefMut<'_, Context>> {
        let contexts = self.contexts.borrow_mut();
        RefMut::filter_map(contexts, |contexts| contexts.last_mut())
            .map_err(|_| Failure::new("expected a template around this node").into())
    }

    /// Adds to the text of the innermost context.
    ///
    /// # Errors
    /// Fails if the text exceeds the limit of a build, or as [`context`](Self::context) does.
    pub(super) fn write(&self, text: &str) -> starlark::Result<()> {
        self.session.build(text.len())?;
        self.context()?.write(text);
        Ok(())
    }
}

/// Returns the evaluation that is attached to an evaluator.
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
