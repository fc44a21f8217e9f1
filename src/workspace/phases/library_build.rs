//! One instance of a library on its way through the phases.

use std::rc::Rc;
use std::sync::Arc;

use super::content::TemplateFile;
use super::context::BuildContext;
use super::instance::LibraryInstance;
use crate::script::{Caller, Exported, Library, Loader, Program};
use crate::source::{Diagnostics, Reported, Result};
use crate::workspace::library::LibraryFile;
use crate::yaml::Node;

/// The state that every phase works on.
pub(super) struct LibraryBuild<'b, 'v> {
    pub(super) context: &'b BuildContext<'b>,
    pub(super) instance: &'b Rc<LibraryInstance>,
    pub(super) diagnostics: &'b mut Diagnostics,
    /// Finds files for programs, and evaluates the private libraries that they call.
    loader: &'b dyn Loader,
    /// The evaluation that called this library, if a template called it.
    outer: Option<Caller<'b, 'v>>,
}

impl<'b, 'v> LibraryBuild<'b, 'v> {
    /// Creates the build of an instance that was not called by a template.
    pub(super) fn new(
        context: &'b BuildContext<'b>,
        instance: &'b Rc<LibraryInstance>,
        loader: &'b dyn Loader,
        diagnostics: &'b mut Diagnostics,
    ) -> LibraryBuild<'b, 'v> {
        LibraryBuild {
            context,
            instance,
            diagnostics,
            loader,
            outer: None,
        }
    }

    /// Returns the build of a library that was called by the evaluation of `outer`.
    pub(super) fn called_by(self, outer: Caller<'b, 'v>) -> LibraryBuild<'b, 'v> {
        LibraryBuild {
            outer: Some(outer),
            ..self
        }
    }

    /// Returns whether this is the root library and not one that a template called.
    pub(super) fn is_root(&self) -> bool {
        self.instance.name.is_none()
    }

    /// Creates a library whose programs see these data values.
    pub(super) fn library(&self, data_values: &Exported) -> Library<'b> {
        let library = Library::seeing(&self.context.session, self.loader, data_values);
        self.context.register(library.id(), self.instance);
        library
    }

    /// Creates the library that evaluates the files with schemas and data values. Its programs see
    /// no data values, because they are not known yet.
    pub(super) fn library_without_values(&mut self) -> Result<Library<'b>, Reported> {
        let none = Exported::data_values(&Node::mapping(Vec::new()), &self.context.session);
        let none = self.diagnostics.check(none)?;
        Ok(self.library(&none))
    }

    /// Returns the program of a file of the library.
    ///
    /// # Errors
    /// Fails if the file cannot be compiled, or if its role does not allow code.
    pub(super) fn program(&self, index: usize) -> Result<Arc<Program>> {
        self.context.contents.program(TemplateFile {
            file: LibraryFile {
                index,
                root: self.instance.root,
            },
            options: self.instance.options.template(),
        })
    }

    /// Lets `work` call the functions that annotations contain.
    ///
    /// If a template called this library, the template's evaluation makes the calls. It has not
    /// ended yet, and until then no other evaluation can read the annotations of the values that
    /// the template passed in.
    pub(super) fn with_caller<T>(
        &mut self,
        library: &Library<'_>,
        work: impl FnOnce(&mut Caller<'_, '_>, &mut Diagnostics) -> Result<T, Reported>,
    ) -> Result<T, Reported> {
        let diagnostics = &mut *self.diagnostics;
        if let Some(outer) = &mut self.outer {
            return work(outer, diagnostics);
        }
        let outcome = library.with_caller(|caller| Ok(work(caller, diagnostics)));
        diagnostics.check(outcome)?
    }
}
