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

/// The files that the flags name, before anything but their names is used.
pub(super) struct FoundInput<'f> {
    world: &'f dyn World,
    arguments: &'f BuildInputArguments,
    reader: InputReader<'f>,
    files: Vec<InputFile>,
    /// The files with data values of a JSON object, which come before those of flags.
    data_values: Vec<InputFile>,
}

impl<'f> FoundInput<'f> {
    /// Finds the files that the flags name, or those of a JSON object with the data values beside
    /// them.
    ///
    /// # Errors
    /// A path that does not exist, a wrong mark, and a JSON object in another form.
    pub(super) fn find(
        world: &'f dyn World,
        arguments: &'f BuildInputArguments,
    ) -> Result<FoundInput<'f>> {
        let reader = InputReader::new(world, arguments.links.destinations(world, &[]));
        let BulkInput {
            mut files,
            data_values,
        } = match arguments.bulk_in.as_deref() {
            // ytt treats `--bulk-in=` as not given.
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

    /// Reads the data values, and builds the kustomizations. Returns the reader as well, which knows
    /// all that the input was read from. `recorder` gets what made the values of kustomizations.
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
        // The files that kustomizations include are inputs too, in any folder.
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
    /// The data values of flags.
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

/// Builds. The objects of kustomizations come first. `recorder` gets what made each value.
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

/// Reads what the flags name, and builds it, for a command that needs nothing else.
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
