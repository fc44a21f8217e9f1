//! Where the output of a build goes: standard output, a file, a folder, or a comparison.

use std::path::{Path, PathBuf};

use super::arguments::BuildArguments;
use super::build_input::rendered;
use super::comparison::{self, OutputText};
use super::ending::{CommandFailure, CommandResult};
use super::input_places::InputPlaces;
use super::output;
use super::output_file::Delivery;
use crate::diff::OutputComparison;
use crate::provenance::Recorder;
use crate::source::world::World;
use crate::source::{Code, Diagnostic, Diagnostics, Result, quoted_name};
use crate::workspace::output::{OutputFile, OutputFolder, OutputFormat, check_places};
use crate::workspace::{InputReader, Rendered, bulk};

/// The destination of the output, and the basis of comparisons: the existing files, or another
/// build.
pub(super) struct BuildTarget<'b> {
    pub(super) world: &'b dyn World,
    pub(super) arguments: &'b BuildArguments,
    pub(super) format: OutputFormat,
    pub(super) reader: &'b InputReader<'b>,
}

impl BuildTarget<'_> {
    /// Compares the output with the files that it would replace or, with `--against`, with the
    /// output of another build. Calls `show` with the difference.
    pub(super) fn compare(
        &self,
        rendered: Rendered,
        diagnostics: &mut Diagnostics,
        show: impl FnOnce(&OutputComparison<'_>) -> CommandResult,
    ) -> CommandResult {
        if let Some(file) = &self.arguments.output_file.output_file {
            let text = rendered.text(self.format)?;
            warn_about_texts(&rendered, diagnostics);
            let after = [(file.display().to_string(), text.concat().into_bytes())];
            let here = Path::new("");
            return show(&comparison::compare_with_disk(self.world, here, &after)?);
        }
        let after = output_texts(rendered, self.format)?;
        if let Some(base) = &self.arguments.base.against {
            let before =
                comparison::run_against(self.world, base, diagnostics, |world, diagnostics| {
                    render_files(world, self.arguments, self.format, diagnostics)
                })?;
            return show(&comparison::compare(&before, &after).of_outputs());
        }
        if let Some(folder) = &self.arguments.dangerous_emptied_output_directory {
            let before = in_folder(folder, self.emptied(folder)?.content()?);
            let after = in_folder(folder, after);
            return show(&comparison::compare(&before, &after));
        }
        let folder = self.arguments.output_files.as_deref().unwrap_or_default();
        let folder = Path::new(folder);
        show(&comparison::compare_with_disk(self.world, folder, &after)?)
    }

    /// Prints the output, or writes it into a folder.
    pub(super) fn deliver(
        &self,
        rendered: Rendered,
        delivery: &Delivery<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<()> {
        let (arguments, format) = (self.arguments, self.format);
        if arguments.bulk_out {
            return output::print(bulk::print(rendered.files(format)?)?.as_bytes());
        }
        if let Some(folder) = &arguments.dangerous_emptied_output_directory {
            return write_files(rendered, format, delivery, |_| self.emptied(folder));
        }
        if let Some(folder) = arguments.output_files.as_deref()
            && !folder.is_empty()
        {
            return self.write_into_folder(rendered, folder, delivery, diagnostics);
        }
        if let Some(file) = &arguments.output_file.output_file
            && !excludes_files(arguments)
        {
            self.refuse_file_in_input(file)?;
        }
        print_documents(delivery, rendered, format, diagnostics)
    }

    /// Writes the output into the folder of `--output-files`, and warns if the next build would
    /// read it.
    fn write_into_folder(
        &self,
        rendered: Rendered,
        folder: &str,
        delivery: &Delivery<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<()> {
        let inputs = self.input_places();
        if !excludes_files(self.arguments)
            && let Some(warning) = inputs.warn_about_nesting(self.world, Path::new(folder))
        {
            diagnostics.push(warning);
        }
        write_files(rendered, self.format, delivery, |files| {
            inputs.refuse_replacing_templates(self.world, Path::new(folder), files)?;
            Ok(OutputFolder::kept(self.world, folder))
        })
    }

    /// Checks that the file of `--output-file` is not an input and not in a folder that is searched
    /// for inputs, so that the next build does not read it.
    fn refuse_file_in_input(&self, file: &Path) -> Result<()> {
        let inputs = self.input_places();
        inputs.refuse(self.world, file, "name another file with `--output-file`")?;
        let folders = self.reader.searched_folders();
        InputPlaces::new(self.world, folders.iter().map(PathBuf::as_path)).refuse_inside(
            self.world,
            file,
            "name a file outside of it with `--output-file`",
        )
    }

    /// Returns the places of everything that was read.
    fn input_places(&self) -> InputPlaces {
        let read = self.reader.places();
        InputPlaces::new(self.world, read.iter().map(PathBuf::as_path))
    }

    /// Returns the folder of `--dangerous-emptied-output-directory`. It must not contain anything
    /// else that is named on the command line.
    fn emptied(&self, folder: &str) -> Result<OutputFolder<'_>> {
        let mut named = self.reader.places();
        named.extend_from_slice(self.arguments.input.links.places());
        OutputFolder::emptied(self.world, folder, &named)
    }
}

/// Returns whether file marks exclude files: the user has thought of files that must not be read.
pub(super) fn excludes_files(arguments: &BuildArguments) -> bool {
    let mut marks = arguments.input.file_marks.iter();
    marks.any(|mark| mark.ends_with(":exclude=true"))
}

/// Adds the folder to the names of files, so that the user can find them.
fn in_folder(folder: &str, files: Vec<OutputText>) -> Vec<OutputText> {
    let mut named = Vec::with_capacity(files.len());
    for (name, content) in files {
        named.push((Path::new(folder).join(name).display().to_string(), content));
    }
    named
}

/// Builds, and returns the files of the output.
pub(super) fn render_files(
    world: &dyn World,
    arguments: &BuildArguments,
    format: OutputFormat,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<OutputText>, CommandFailure> {
    let rendered = rendered(world, &arguments.input, Recorder::off(), diagnostics)?;
    Ok(output_texts(rendered, format)?)
}

/// Returns the files of the output with their paths.
///
/// # Errors
/// Fails for a value that cannot be printed in the format, and for files whose paths conflict.
fn output_texts(rendered: Rendered, format: OutputFormat) -> Result<Vec<OutputText>> {
    let files = rendered.files(format)?;
    check_places(&files)?;
    let mut texts = Vec::with_capacity(files.len());
    for file in files {
        texts.push((file.path.to_string(), file.content));
    }
    Ok(texts)
}

/// Returns whether the output is one text, on standard output or in one file.
pub(super) fn prints_documents(arguments: &BuildArguments) -> bool {
    let folder = arguments.output_files.as_deref();
    !arguments.bulk_out
        && !arguments.input.strict
        && arguments.dangerous_emptied_output_directory.is_none()
        && folder.is_none_or(str::is_empty)
}

/// Writes files into the folder that `open` returns for them, and prints their paths.
fn write_files<'w>(
    rendered: Rendered,
    format: OutputFormat,
    delivery: &Delivery<'_>,
    open: impl FnOnce(&[OutputFile]) -> Result<OutputFolder<'w>>,
) -> Result<()> {
    let files = rendered.files(format)?;
    check_places(&files)?;
    let mut list = String::new();
    for place in open(&files)?.write(&files)? {
        let place = place.to_string_lossy();
        list.push_str(&format!("creating: {}\n", quoted_name(&place)));
    }
    delivery.list_written(&list)
}

/// Prints the documents, or writes them to one file. Texts cannot be part of this stream, so they
/// are omitted with a warning.
fn print_documents(
    delivery: &Delivery<'_>,
    rendered: Rendered,
    format: OutputFormat,
    diagnostics: &mut Diagnostics,
) -> Result<()> {
    delivery.deliver(&rendered.text(format)?)?;
    warn_about_texts(&rendered, diagnostics);
    // The process ends here and returns its memory. Freeing a large tree node by node would only
    // take time.
    std::mem::forget(rendered);
    Ok(())
}

/// Warns about texts, which cannot be part of a stream of documents.
pub(super) fn warn_about_texts(rendered: &Rendered, diagnostics: &mut Diagnostics) {
    if rendered.texts.is_empty() {
        return;
    }
    let paths: Vec<&str> = rendered
        .texts
        .iter()
        .map(|text| text.path.as_str())
        .collect();
    let message = format!(
        "texts are not printed on standard output: `{}`",
        paths.join("`, `")
    );
    diagnostics.push(
        Diagnostic::warning(Code::Output, message)
            .help("write them into a folder: `--output-files DIR` or `--dangerous-emptied-output-directory DIR`"),
    );
}
