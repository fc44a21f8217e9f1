//! What native functions know of the evaluation that calls them.

#![allow(
    unsafe_code,
    reason = "only the derives of `starlark` write unsafe code here"
)]

use std::cell::RefCell;

use starlark::any::ProvidesStaticType;
use starlark::eval::Evaluator;

use super::failure::Failure;
use super::fragments::Context;
use super::library::Library;
use super::memory::Taken;
use super::session::Session;

/// One file that is being evaluated.
#[derive(ProvidesStaticType)]
pub(super) struct Evaluation<'a> {
    /// Its number in the session.
    pub(super) number: usize,
    pub(super) library: &'a Library<'a>,
    /// What is being built: by the file, and by each function that is being called.
    pub(super) contexts: RefCell<Vec<Context>>,
    /// What its programs took outside of the heap of Starlark.
    pub(super) taken: Taken,
}

impl<'a> Evaluation<'a> {
    pub(super) fn session(&self) -> &'a Session {
        self.library.session
    }

    /// Lets `change` work on the innermost context.
    pub(super) fn with_context<R>(
        &self,
        change: impl FnOnce(&mut Context) -> starlark::Result<R>,
    ) -> starlark::Result<R> {
        match self.contexts.borrow_mut().last_mut() {
            Some(context) => change(context),
            None => Err(Failure::new("expected a template around this node").into()),
        }
    }

    /// Adds to the text of the innermost context.
    pub(super) fn write(&self, text: &str) -> starlark::Result<()> {
        self.session().build(text.len())?;
        self.with_context(|context| {
            context.write(text);
            Ok(())
        })
    }
}

/// The evaluation that an evaluator works on.
pub(super) fn evaluation<'a, 'e>(
    eval: &Evaluator<'_, 'a, 'e>,
) -> starlark::Result<&'a Evaluation<'e>> {
    let extra = eval
        .extra
        .and_then(|extra| extra.downcast_ref::<Evaluation<'e>>());
    extra.ok_or_else(|| Failure::new("expected an evaluation of a file").into())
}
