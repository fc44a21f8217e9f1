//! Evaluates private libraries, once for equal inputs.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::inputs::{LibraryInputs, describe};
use super::private::PrivateLibrary;
use crate::script::{Caller, Definitions, Exported};
use crate::source::{Code, Diagnostic, Diagnostics, Limit, Reported, Result};
use crate::workspace::phases::context::BuildContext;
use crate::workspace::phases::instance::LibraryInstance;
use crate::workspace::phases::library_build::LibraryBuild;
use crate::workspace::phases::order::{LibraryOutput, PreparedLibrary, prepare, render};
use crate::workspace::values::ValuesDocument;
use crate::yaml::{Node, is_empty};

/// Gives the programs of a build access to files and private libraries.
///
/// It is the `Loader` of all libraries of the build.
pub(in crate::workspace::phases) struct LibraryLoader<'b> {
    pub(super) context: &'b BuildContext<'b>,
    private_libraries: RefCell<HashMap<LibraryInputs, Rc<KnownLibrary>>>,
}

/// A private library with its inputs, and the results of its phases so far.
struct KnownLibrary {
    instance: Rc<LibraryInstance>,
    prepared: OnceCell<PreparedLibrary>,
    output: OnceCell<Rc<PrivateOutput>>,
    /// The error of the phase that failed, which running it again would only repeat.
    failure: OnceCell<Box<Diagnostic>>,
    /// Whether a phase is running.
    is_busy: Cell<bool>,
}

/// The output of a private library, for the template that evaluates it.
pub(super) struct PrivateOutput {
    /// The documents, in the order of the files.
    pub(super) documents: Vec<Arc<Node>>,
    /// The definitions of its modules, in the order of the tree.
    pub(super) modules: Vec<ModuleDefinitions>,
}

/// The names that a module of a private library defines.
pub(super) struct ModuleDefinitions {
    /// The path of the file, relative to the root of the library.
    pub(super) path: String,
    pub(super) definitions: Definitions,
}

impl<'b> LibraryLoader<'b> {
    pub(in crate::workspace::phases) fn new(context: &'b BuildContext<'b>) -> LibraryLoader<'b> {
        LibraryLoader {
            context,
            private_libraries: RefCell::default(),
        }
    }

    /// Returns the data values of a library.
    ///
    /// # Errors
    /// Returns the first error in the library. The others are set aside in the context.
    pub(super) fn data_values(
        &self,
        library: &PrivateLibrary,
        caller: &mut Caller<'_, '_>,
    ) -> Result<Exported> {
        let known = self.known(library)?;
        let prepared = self.prepared(&known, library, caller)?;
        Ok(prepared.values.exported.clone())
    }

    /// Returns the output of a library.
    ///
    /// # Errors
    /// Fails as [`data_values`](LibraryLoader::data_values) does.
    pub(super) fn output(
        &self,
        library: &PrivateLibrary,
        caller: &mut Caller<'_, '_>,
    ) -> Result<Rc<PrivateOutput>> {
        let known = self.known(library)?;
        if let Some(output) = known.output.get() {
            return Ok(Rc::clone(output));
        }
        let prepared = self.prepared(&known, library, caller)?;
        let output = self.phases(&known, library, |diagnostics| {
            let mut build = LibraryBuild::new(self.context, &known.instance, self, diagnostics);
            render(&mut build, prepared, &[])
        })?;
        let output = Rc::new(self.private_output(output, &known.instance));
        Ok(Rc::clone(known.output.get_or_init(|| output)))
    }

    /// Returns the entry for a library with its inputs, and creates it if necessary.
    fn known(&self, library: &PrivateLibrary) -> Result<Rc<KnownLibrary>> {
        let parent = self.context.instance(library.parent)?;
        // Values that files and flags address to the library come before those that the template
        // passed: the caller has the last word.
        let mut passed = parent.forwarded_to(&library.path, library.alias.as_deref());
        for document in &library.values {
            passed.push(ValuesDocument::clone(document));
        }
        let inputs = LibraryInputs {
            root: library.root,
            options: library.options,
            passed: describe(&passed, &self.context.session.annotations()),
        };
        let mut libraries = self.private_libraries.borrow_mut();
        if let Some(known) = libraries.get(&inputs) {
            return Ok(Rc::clone(known));
        }
        // The output of each library is kept in memory, so limit their number.
        let most = Limit::Libraries.size();
        if libraries.len() >= most {
            let message = format!("libraries are evaluated with more than {most} different inputs");
            return Err(Limit::Libraries
                .exceeded(message)
                .help("evaluate a library once, and use its output several times"));
        }
        // Register it before it runs, so that a library that evaluates itself finds itself busy.
        let instance =
            LibraryInstance::new(library.root, library.options, passed).with_name(library.name());
        let new = Rc::new(KnownLibrary {
            instance: Rc::new(instance),
            prepared: OnceCell::new(),
            output: OnceCell::new(),
            failure: OnceCell::new(),
            is_busy: Cell::new(false),
        });
        libraries.insert(inputs, Rc::clone(&new));
        Ok(new)
    }

    /// Runs the phases up to the data values, unless they have already run.
    fn prepared<'k>(
        &self,
        known: &'k KnownLibrary,
        library: &PrivateLibrary,
        caller: &mut Caller<'_, '_>,
    ) -> Result<&'k PreparedLibrary> {
        if let Some(prepared) = known.prepared.get() {
            return Ok(prepared);
        }
        let prepared = self.phases(known, library, |diagnostics| {
            let build = LibraryBuild::new(self.context, &known.instance, self, diagnostics);
            prepare(&mut build.called_by(caller.reborrow()))
        })?;
        Ok(known.prepared.get_or_init(|| prepared))
    }

    /// Runs phases of a library.
    ///
    /// # Errors
    /// Returns the first error that the phases report, and fails for a library that needs itself.
    fn phases<T>(
        &self,
        known: &KnownLibrary,
        library: &PrivateLibrary,
        work: impl FnOnce(&mut Diagnostics) -> Result<T, Reported>,
    ) -> Result<T> {
        if let Some(failure) = known.failure.get() {
            return Err(failure.clone());
        }
        if known.is_busy.replace(true) {
            let message = format!("the library `{}` evaluates itself", library.name());
            return Err(Diagnostic::error(Code::Library, message)
                .help("move what both need into another library"));
        }
        // The library has its own diagnostics. If the caller catches the failure (`assert.try_to`),
        // none of them is reported.
        let (outcome, error) = self.context.within_library(&library.name(), work);
        known.is_busy.set(false);
        match (outcome, error) {
            (Ok(outcome), None) => Ok(outcome),
            (_, Some(error)) => Err(known.failure.get_or_init(|| error).clone()),
            // Invariant: `Reported` means that the diagnostics contain an error.
            (Err(_), None) => Err(Diagnostic::error(
                Code::Internal,
                "a library failed without reporting an error",
            )),
        }
    }

    fn private_output(&self, output: LibraryOutput, instance: &LibraryInstance) -> PrivateOutput {
        let mut documents = Vec::new();
        for file in output.rendered.yaml {
            documents.extend(file.documents);
        }
        documents.retain(|document| !is_empty(document.resolved()));
        let mut modules = Vec::new();
        for module in output.definitions {
            let path = self.context.tree.path_below(instance.root, module.index);
            modules.push(ModuleDefinitions {
                path: path.to_owned(),
                definitions: module.definitions,
            });
        }
        PrivateOutput { documents, modules }
    }
}
