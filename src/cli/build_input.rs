//! Reads the input of `inlay build`: files, kustomizations and data values.
//!
//! All commands that build use this module, so that a comparison, a watch and an explanation build
//! exactly the printed output.

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

/// The files for the flags. Only their names have been used so far.
pub(super) struct FoundInput<'f> {
    world: &'f dyn World,
    arguments: &'f BuildInputArguments,
    reader: InputReader<'f>,
    files: Vec<InputFile>,
    /// The data values files of a JSON object, which come before those of flags.
    data_values: Vec<InputFile>,
}

impl<'f> FoundInput<'f> {
    /// Finds the files for the flags, or those in a JSON object, together with its data values.
    ///
    /// # Errors
    /// Fails for a path that does not exist, an invalid mark, and an invalid JSON object.
    pub(super) fn find(
        world: &'f dyn World,
        arguments: &'f BuildInputArguments,
    ) -> Result<FoundInput<'f>> {
        let reader = InputReader::new(world, arguments.links.destinations(world, &[]));
        let BulkInput {
            mut files,
            data_values,
        } = match arguments.bulk_in.as_deref() {
            // ytt treats `--bulk-in=` as if the flag were missing.
            Some(text) if !text.is_empty() => bulk::read(text)?,
            _ => BulkInput {
                files: reader.files(&arguments.files)?,
                data_values: Vec::new(),
            },
        };
        apply_marks(&arguments.file_marks, &mut files)?;
        Ok(FoundInput {
            world,
            arguments,
            reader,
            files,
            data_values,
        })
    }

    /// Returns the files in the order of the flags.
    pub(super) fn files(&self) -> &[InputFile] {
        &self.files
    }

    /// Reads the data values, and builds the kustomizations. Also returns the reader, which knows
    /// every place that was read. `recorder` records the origins of values in kustomizations.
    ///
    /// # Errors
    /// Reports mistakes in the flags, in data values, and in kustomizations.
    pub(super) fn read(
        self,
        recorder: Recorder<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<(ReadInput, InputReader<'f>), Reported> {
        let FoundInput {
            world,
            arguments,
            reader,
            files,
            data_values,
        } = self;
        let flags = arguments.data_values.flags();
        let strict = arguments.strict;
        let data_values = flags.read(&data_values, &reader, world, strict, diagnostics)?;
        reader.report_warnings(diagnostics);
        let folders = &arguments.kustomizations;
        // Files that kustomizations include are inputs too, even outside of the named folders.
        let recording = Recording::new(world);
        let kustomizations =
            kustomization_input::files(&recording, folders, recorder, diagnostics)?;
        reader.add_places(folders.iter().cloned().chain(recording.files()));
        let input = ReadInput {
            files,
            data_values,
            resources: kustomization_input::documents(&kustomizations),
        };
        Ok((input, reader))
    }
}

/// The input of a build.
pub(super) struct ReadInput {
    files: Vec<InputFile>,
    /// The data values from flags.
    pub(super) data_values: Vec<ValuesDocument>,
    /// The objects of kustomizations, which come before those of the files.
    pub(super) resources: Vec<Arc<Node>>,
}

impl ReadInput {
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

/// Builds, with the objects of kustomizations first. `recorder` records the origin of each value.
///
/// # Errors
/// Reports every mistake in the input.
pub(super) fn render(
    input: &BuildInput<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Rendered, Reported> {
    let mut rendered = workspace::build(input, diagnostics)?;
    diagnostics.check(kustomization_input::put_first(&mut rendered))?;
    Ok(rendered)
}

/// Reads and builds the input of the flags, for a command that needs only the result.
///
/// # Errors
/// Reports every mistake in the input.
pub(super) fn rendered(
    world: &dyn World,
    arguments: &BuildInputArguments,
    recorder: Recorder<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Rendered, Reported> {
    let found = diagnostics.check(FoundInput::find(world, arguments))?;
    let (input, _) = found.read(recorder, diagnostics)?;
    let input = input.build_input(world, build_options(arguments), recorder);
    render(&input, diagnostics)
}

/// Returns the options for reading files that the flags select.
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
