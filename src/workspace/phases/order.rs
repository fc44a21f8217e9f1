//! The order of a ytt build, on one page.
//!
//! | phase | from | to |
//! | --- | --- | --- |
//! | [`parse`] | the files of the library | trees and sources |
//! | [`schema`] | files with `@data/values-schema`, passed schemas | types, defaults, validations |
//! | [`values`] | files with `@data/values`, passed values, the schema | the data values |
//! | [`evaluate`] | all other files, the data values | documents, texts, definitions |
//! | [`overlay`](super::overlay) | documents with `@overlay/match`, all other documents | documents |
//!
//! The last step, output, is left to the caller: the root library is printed or written
//! (`workspace::output`), and a private library becomes a value of the template that called it.
//!
//! Invariant: a phase that fails reports the mistakes in all files, and the phases after it do not
//! start.

use std::sync::Arc;

use super::evaluate::{FileDefinitions, evaluate};
use super::library_build::LibraryBuild;
use super::overlay::apply_overlays;
use super::parse::parse;
use super::schema::schema;
use super::values::{LibraryValues, values};
use crate::schema::Schema;
use crate::source::Reported;
use crate::workspace::rendered::Rendered;
use crate::yaml::Node;

/// A library whose data values are known.
pub(super) struct PreparedLibrary {
    pub(super) values: LibraryValues,
    /// The files to evaluate, in the order of the tree.
    files: Vec<usize>,
}

/// The result of evaluating a library.
pub(super) struct LibraryOutput {
    pub(super) rendered: Rendered,
    /// The names that its modules define, in the order of the tree.
    pub(super) definitions: Vec<FileDefinitions>,
}

/// Runs the phases up to the data values.
pub(super) fn prepare(build: &mut LibraryBuild<'_, '_>) -> Result<PreparedLibrary, Reported> {
    let mut files = parse(build)?;
    // One library evaluates both schemas and values, so that a module that both load runs once.
    let library = build.library_without_values()?;

    let schema = schema(build, &library, &files)?;
    files.retain(|index| !schema.files.contains(index));

    let values = values(build, &library, &files, &schema.schema);
    if let Some(findings) = build.context.findings.filter(|_| build.is_root()) {
        let root = values.as_ref().ok().map(|values| &values.root);
        findings.keep(schema.schema, root);
    }
    let values = values?;
    files.retain(|index| !values.files.contains(index));

    // Filter only now: a file that a mark excludes from the output may still contain values.
    let all_files = build.context.files;
    files.retain(|index| {
        all_files
            .get(*index)
            .is_some_and(|file| file.is_evaluated())
    });
    Ok(PreparedLibrary { values, files })
}

/// Runs the phases up to the schema.
pub(super) fn prepare_schema(build: &mut LibraryBuild<'_, '_>) -> Result<Schema, Reported> {
    let files = parse(build)?;
    let library = build.library_without_values()?;
    Ok(schema(build, &library, &files)?.schema)
}

/// Runs the phases after the data values. Overlays are applied to `resources` too.
pub(super) fn render(
    build: &mut LibraryBuild<'_, '_>,
    prepared: &PreparedLibrary,
    resources: &[Arc<Node>],
) -> Result<LibraryOutput, Reported> {
    let library = build.library(&prepared.values.exported);
    let evaluated = evaluate(build, &library, &prepared.files)?;
    let overlaid = apply_overlays(build, &library, resources, evaluated.yaml)?;
    Ok(LibraryOutput {
        rendered: Rendered {
            resources: overlaid.resources,
            yaml: overlaid.yaml,
            texts: evaluated.texts,
            has_overlays: overlaid.has_overlays,
            printed: Vec::new(),
        },
        definitions: evaluated.definitions,
    })
}
