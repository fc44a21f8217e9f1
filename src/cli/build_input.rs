//! The input of `inlay build`, read: files, kustomizations and data values.
//!
//! Every command that builds reads it here, so that a comparison, a watch and an explanation build
//! what is printed.

use std::sync::Arc;

use super::arguments::BuildInputArguments;
use super::kustomization_input;
use crate::provenance::Recorder;
use crate::source::world::{Recording, World};
use crate::source::{Diagnostics, Reported, Result};
use crate::workspace::bulk::{self, BulkInput};
use crate::workspace::{
    self, BuildInput, BuildOptions, InputFile, InputReader, Rendered, ValuesDocument, apply_marks,
};
use crate::yaml::Node;

/// The input of a build.
pub(super) struct ReadInput {
    pub(super) files: Vec<InputFile>,
    /// The data values of flags.
    pub(super) data_values: Vec<ValuesDocument>,
    /// The objects of kustomizations, which come before those of the files.
    pub(super) resources: Vec<Arc<Node>>,
}

/// Returns the reader of the files that the flags name.
pub(super) fn input_reader<'w>(
    world: &'w dyn World,
    arguments: &BuildInputArguments,
) -> InputReader<'w> {
    InputReader::new(world, arguments.links.destinations(world, &[]))
}

/// Finds the files that the flags name, and the data values beside them in a JSON object.
///
/// # Errors
/// A path that does not exist, a wrong mark, and a JSON object in another form.
pub(super) fn find_files(
    reader: &InputReader<'_>,
    arguments: &BuildInputArguments,
) -> Result<BulkInput> {
    let mut input = match arguments.bulk_in.as_deref() {
        // ytt treats `--bulk-in=` as not given.
        Some(text) if !text.is_empty() => bulk::read(text)?,
        _ => BulkInput {
            files: reader.files(&arguments.files)?,
            data_values: Vec::new(),
        },
    };
    apply_marks(&arguments.file_marks, &mut input.files)?;
    Ok(input)
}

impl ReadInput {
    /// Reads the data values, and builds the kustomizations, for files that were found.
    ///
    /// # Errors
    /// Reports mistakes in the flags, in data values, and in kustomizations.
    pub(super) fn new(
        world: &dyn World,
        reader: &InputReader<'_>,
        found: BulkInput,
        arguments: &BuildInputArguments,
        recorder: Recorder<'_>,
        diagnostics: &mut Diagnostics,
    ) -> std::result::Result<ReadInput, Reported> {
        let BulkInput { files, data_values } = found;
        let flags = arguments.data_values.flags();
        let strict = arguments.strict;
        let data_values = flags.read(&data_values, reader, world, strict, diagnostics)?;
        reader.report_warnings(diagnostics);
        let folders = &arguments.kustomizations;
        // The files that kustomizations include are inputs too, in any folder.
        let recording = Recording::new(world);
        let kustomizations =
            kustomization_input::files(&recording, folders, recorder, diagnostics)?;
        reader.add_places(folders.iter().cloned().chain(recording.files()));
        Ok(ReadInput {
            files,
            data_values,
            resources: kustomization_input::documents(&kustomizations),
        })
    }

    /// Returns the input for the phases of a build.
    pub(super) fn build_input<'i>(
        &'i self,
        world: &'i dyn World,
        options: BuildOptions,
        recorder: Recorder<'i>,
    ) -> BuildInput<'i> {
        BuildInput {
            resources: &self.resources,
            data_values: &self.data_values,
            options,
            recorder,
            ..BuildInput::of_files(&self.files, world)
        }
    }
}

/// Builds. The objects of kustomizations come first. `recorder` gets what made each value.
///
/// # Errors
/// Reports every mistake in the input.
pub(super) fn render(
    input: &BuildInput<'_>,
    diagnostics: &mut Diagnostics,
) -> std::result::Result<Rendered, Reported> {
    let mut rendered = workspace::build(input, diagnostics)?;
    diagnostics.check(kustomization_input::put_first(&mut rendered))?;
    Ok(rendered)
}

/// Reads what the flags name, and builds it, for a command that needs nothing else.
///
/// # Errors
/// Reports every mistake in the input.
pub(super) fn rendered(
    world: &dyn World,
    arguments: &BuildInputArguments,
    recorder: Recorder<'_>,
    diagnostics: &mut Diagnostics,
) -> std::result::Result<Rendered, Reported> {
    let reader = input_reader(world, arguments);
    let found = diagnostics.check(find_files(&reader, arguments))?;
    let input = ReadInput::new(world, &reader, found, arguments, recorder, diagnostics)?;
    let input = input.build_input(world, build_options(arguments), recorder);
    render(&input, diagnostics)
}

/// Returns how the flags let files be read.
pub(super) fn build_options(arguments: &BuildInputArguments) -> BuildOptions {
    BuildOptions {
        strict: arguments.strict,
        ignore_unknown_comments: arguments.ignore_unknown_comments,
        implicit_map_key_overrides: arguments.implicit_map_key_overrides,
        strict_annotations: arguments.strict_annotations,
        dangerous_data_values_disable_validation: arguments
            .dangerous_data_values_disable_validation,
        ..BuildOptions::default()
    }
}
