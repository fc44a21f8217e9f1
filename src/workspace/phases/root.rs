//! The phases of the root library: the entry points for commands and the pipeline.

use std::rc::Rc;
use std::sync::Arc;

use super::context::BuildContext;
use super::input::{BuildInput, BuildOptions};
use super::instance::LibraryInstance;
use super::library_build::LibraryBuild;
use super::library_module::LibraryLoader;
use super::order::{prepare, prepare_schema, render};
use crate::schema::Schema;
use crate::script::recording;
use crate::source::world::reason;
use crate::source::{Code, Diagnostic, Diagnostics, Reported, on_large_stack};
use crate::workspace::library::ROOT;
use crate::workspace::rendered::Rendered;
use crate::yaml::Node;

/// Runs all phases.
///
/// # Errors
/// Reports every mistake that the failing phase finds.
pub fn build(input: &BuildInput<'_>, diagnostics: &mut Diagnostics) -> Result<Rendered, Reported> {
    build_root(input, diagnostics, |build| {
        let rendered = prepare(build).and_then(|prepared| {
            let session = &build.context.session;
            session.print_ahead(input.options.reprints);
            let mut rendered = render(build, &prepared, input.resources)?.rendered;
            rendered.printed = session.take_printed();
            Ok(rendered)
        });
        if rendered.is_err() {
            report_deferred(build);
        }
        rendered
    })
}

/// Replaces the diagnostics of a later phase with the errors of files whose parsing was deferred,
/// if there are any.
fn report_deferred(build: &mut LibraryBuild<'_, '_>) {
    let mistakes = build.context.contents.check_deferred();
    if mistakes.outcome().is_err() {
        *build.diagnostics = mistakes;
    }
}

/// Returns the data values that templates see.
///
/// # Errors
/// Fails as [`build`] does.
pub fn data_values(
    input: &BuildInput<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Arc<Node>, Reported> {
    build_root(input, diagnostics, |build| Ok(prepare(build)?.values.root))
}

/// Returns the schema of the data values.
///
/// # Errors
/// Fails as [`build`] does.
pub fn schema(input: &BuildInput<'_>, diagnostics: &mut Diagnostics) -> Result<Schema, Reported> {
    build_root(input, diagnostics, prepare_schema)
}

/// Lets `work` run phases of the root library.
///
/// It may run on another thread, because code may nest deeper than the stack of this thread allows.
pub(super) fn build_root<T: Send>(
    input: &BuildInput<'_>,
    diagnostics: &mut Diagnostics,
    work: impl FnOnce(&mut LibraryBuild<'_, '_>) -> Result<T, Reported> + Send,
) -> Result<T, Reported> {
    // The phases stop at the first error, so their diagnostics must not contain errors of earlier
    // steps.
    let mut own = Diagnostics::default();
    let outcome = on_large_stack(|| {
        let context = BuildContext::new(input);
        let loader = LibraryLoader::new(&context);
        let options = BuildOptions {
            records: input.recorder.is_on(),
            ..input.options
        };
        let root = LibraryInstance::new(ROOT, options, input.data_values.to_vec());
        let root = Rc::new(root);
        let outcome = recording(input.recorder, || {
            work(&mut LibraryBuild::new(&context, &root, &loader, &mut own))
        });
        context
            .report_warnings(input.options.strict_annotations, &mut own)
            .and(outcome)
    });
    diagnostics.append(own);
    match outcome {
        Ok(outcome) => outcome,
        Err(error) => {
            let message = format!(
                "cannot reserve a stack for running templates: {}",
                reason(&error)
            );
            Err(diagnostics.report(Diagnostic::error(Code::Limit, message)))
        }
    }
}
