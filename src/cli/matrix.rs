//! `inlay build --matrix FILE`: many renders of the same files in one process.
//!
//! The files are read, parsed and compiled once, and the renders run in parallel. A render that
//! fails does not stop the others, and its old output is kept.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::arguments::{BuildArguments, OutputName};
use super::build_input::{FoundInput, ReadInput, build_options, render as render_input};
use super::build_product::output_format;
use super::build_target::{excludes_files, warn_about_texts};
use super::comparison::{self, OutputText};
use super::ending::{CommandFailure, CommandResult, Ending};
use super::input_places::InputPlaces;
use super::output::Reporter;
use super::output_file::write_file;
use crate::provenance::Recorder;
use crate::source::world::{SymlinkDestinations, World, real_place};
use crate::source::{
    Code, Diagnostic, DiagnosticFormat, Diagnostics, Renderer, Reported, Result, parallel,
    quoted_name, visible_line,
};
use crate::workspace::output::{OutputFile, OutputFolder, OutputFormat, check_places};
use crate::workspace::{
    BuildInput, BuildOptions, DataValuesFlags, InputReader, Render, RenderOutput, Rendered,
    SharedContents, ValuesDocument, read_matrix, report_repeated_keys,
};

/// The maximum number of render names in a message.
const NAMES_SHOWN: usize = 5;

/// Builds every render of the matrix at `path`, and writes or compares the outputs.
pub(super) fn build_matrix(
    world: &dyn World,
    arguments: &BuildArguments,
    path: &Path,
    reporter: &Reporter,
    diagnostics: &mut Diagnostics,
) -> CommandResult {
    if arguments.output.first() == Some(&OutputName::Annotated) {
        let message = "`-o annotated` prints documents, and `--matrix` writes files";
        return Err(Diagnostic::error(Code::Flag, message)
            .help("annotate one render: replace `--matrix` by `-d` with its values")
            .into());
    }
    let comparison = arguments.comparison.with_base(&arguments.base);
    if !comparison.is_on() {
        return write_all(world, arguments, path, reporter, diagnostics);
    }
    let after = outputs(world, arguments, path, diagnostics)?;
    if let Some(base) = &arguments.base.against {
        let before = comparison::run_against(world, base, diagnostics, |world, diagnostics| {
            Ok(outputs(world, arguments, path, diagnostics)?)
        })?;
        let compared = comparison::compare(&before, &after).of_outputs();
        return comparison::show(&compared, &comparison, reporter);
    }
    let compared = comparison::compare_with_disk(world, Path::new(""), &after)?;
    comparison::show(&compared, &comparison, reporter)
}

/// The outcome of a render that did not fail.
enum RenderEnding {
    /// These files were written.
    Written(Vec<PathBuf>),
    /// All files already had this content.
    Unchanged,
    /// The output is empty. Nothing is written yet.
    Empty,
}

/// Writes the outputs that differ from the existing files, and prints their paths.
fn write_all(
    world: &dyn World,
    arguments: &BuildArguments,
    path: &Path,
    reporter: &Reporter,
    diagnostics: &mut Diagnostics,
) -> CommandResult {
    let matrix = Matrix::read(world, arguments, path, diagnostics)?;
    let endings = matrix.each(diagnostics, |output| match output.is_empty() {
        true => Ok(RenderEnding::Empty),
        false => write(output, world),
    });
    let is_empty = |ending: &Result<RenderEnding, _>| matches!(ending, Ok(RenderEnding::Empty));
    if endings.iter().all(is_empty) {
        return Err(no_output().into());
    }
    // The data values of one cluster may disable everything. If no render is known to have output,
    // the input is more likely to be wrong.
    let has_content = endings
        .iter()
        .any(|ending| ending.is_ok() && !is_empty(ending));
    let mut counts = RenderCounts::default();
    let mut list = String::new();
    for (render, ending) in matrix.renders.iter().zip(endings) {
        let ending = match is_empty(&ending) && has_content {
            true => diagnostics.check(write_empty(&render.output, world)),
            false => ending,
        };
        match ending {
            Ok(RenderEnding::Written(places)) => {
                counts.written += 1;
                for place in places {
                    let place = place.to_string_lossy();
                    list.push_str(&format!("creating: {}\n", quoted_name(&place)));
                }
            }
            Ok(RenderEnding::Unchanged | RenderEnding::Empty) => counts.unchanged += 1,
            Err(_) => counts.failed.push(render.name.as_str()),
        }
    }
    reporter.list_written(&list)?;
    let summary = counts.summary();
    match counts.failed.is_empty() {
        true => Ok(Ending::Summary(summary)),
        false => Err(CommandFailure::Summary(summary)),
    }
}

/// The numbers of renders by their ending.
#[derive(Default)]
struct RenderCounts<'m> {
    written: usize,
    unchanged: usize,
    /// The names of those that failed.
    failed: Vec<&'m str>,
}

impl RenderCounts<'_> {
    /// Returns the numbers on one line: `3 renders: 1 written, 1 unchanged, 1 failed: eu`.
    fn summary(&self) -> String {
        let RenderCounts {
            written,
            unchanged,
            failed,
        } = self;
        let all = written + unchanged + failed.len();
        let count = failed.len();
        let mut summary =
            format!("{all} renders: {written} written, {unchanged} unchanged, {count} failed");
        if !failed.is_empty() {
            summary.push_str(&format!(": {}", names(failed)));
        }
        summary.push('\n');
        summary
    }
}

/// Writes the output of a render, if it differs from the existing files.
fn write(output: &RenderFiles<'_>, world: &dyn World) -> Result<RenderEnding> {
    match output.is_written(world)? {
        true => Ok(RenderEnding::Unchanged),
        false => Ok(RenderEnding::Written(output.write(world)?)),
    }
}

/// Writes the empty output of a render. An empty folder output has no files.
fn write_empty(output: &RenderOutput, world: &dyn World) -> Result<RenderEnding> {
    match output {
        RenderOutput::File(place) => {
            let text = String::new();
            write(&RenderFiles::File { place, text }, world)
        }
        RenderOutput::Folder(_) => Ok(RenderEnding::Unchanged),
    }
}

/// Returns the error for renders that all have no output: their files would be emptied.
fn no_output() -> Box<Diagnostic> {
    Diagnostic::error(
        Code::Output,
        "no render of the matrix gives a document or a text",
    )
    .note("no output is changed")
    .help("name the templates with `-f`; `inlay build -f DIR -d VALUES` prints one render")
}

/// Returns the files that would be written; none if a render of the matrix fails.
///
/// # Errors
/// Reports every mistake of every render.
fn outputs(
    world: &dyn World,
    arguments: &BuildArguments,
    path: &Path,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<OutputText>, Reported> {
    let matrix = Matrix::read(world, arguments, path, diagnostics)?;
    let files = matrix.each(diagnostics, |output| {
        let mut files = Vec::new();
        for (place, content) in output.contents() {
            files.push((place.display().to_string(), content.to_vec()));
        }
        Ok(files)
    });
    let mut all = Vec::new();
    for files in files {
        all.extend(files?);
    }
    if all.iter().all(|(_, content)| content.is_empty()) {
        return Err(diagnostics.report(no_output()));
    }
    Ok(all)
}

/// Checks that no link leads from the folder of the matrix to an output outside of it.
///
/// # Errors
/// Fails for the first output that would be outside.
fn refuse_links_out(world: &dyn World, matrix: &Path, renders: &[Render]) -> Result<()> {
    let Some(folder) = real_place(world, matrix.parent().unwrap_or(matrix)) else {
        return Ok(());
    };
    for render in renders {
        let (RenderOutput::File(place) | RenderOutput::Folder(place)) = &render.output;
        if real_place(world, place).is_some_and(|real| !real.starts_with(&folder)) {
            let message = format!(
                "a link leads from the output `{}` out of the folder of the matrix",
                place.display()
            );
            return Err(Diagnostic::error(Code::Output, message).help(
                "remove the link, or move the matrix to a folder that contains the outputs",
            ));
        }
    }
    Ok(())
}

/// The output of one render.
enum RenderFiles<'r> {
    /// All documents in one file.
    File { place: &'r Path, text: String },
    /// Files below a folder.
    Folder {
        place: &'r Path,
        files: Vec<OutputFile>,
    },
}

impl<'r> RenderFiles<'r> {
    /// Prints the output of a render.
    ///
    /// # Errors
    /// Fails for a value that cannot be printed in the format, and for files whose paths conflict.
    fn new(
        rendered: &mut Rendered,
        output: &'r RenderOutput,
        format: OutputFormat,
        diagnostics: &mut Diagnostics,
    ) -> Result<RenderFiles<'r>> {
        match output {
            RenderOutput::File(place) => {
                warn_about_texts(rendered, diagnostics);
                let text = rendered.text(format)?.concat();
                Ok(RenderFiles::File { place, text })
            }
            RenderOutput::Folder(place) => {
                let files = std::mem::take(rendered).files(format)?;
                check_places(&files)?;
                Ok(RenderFiles::Folder { place, files })
            }
        }
    }

    /// Returns the places and contents of the files.
    fn contents(&self) -> Vec<(PathBuf, &[u8])> {
        match self {
            RenderFiles::File { place, text } => vec![(place.to_path_buf(), text.as_bytes())],
            RenderFiles::Folder { place, files } => files
                .iter()
                .map(|file| (place.join(file.path.as_str()), file.content.as_slice()))
                .collect(),
        }
    }

    /// Returns whether all files are empty.
    fn is_empty(&self) -> bool {
        self.contents()
            .iter()
            .all(|(_, content)| content.is_empty())
    }

    /// Returns whether all files already exist with these contents.
    ///
    /// # Errors
    /// Fails if an existing file cannot be read.
    fn is_written(&self, world: &dyn World) -> Result<bool> {
        for (place, content) in self.contents() {
            if comparison::read_if_there(world, &place)?.as_deref() != Some(content) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Writes the files, and returns their places.
    ///
    /// # Errors
    /// Fails if a file cannot be written.
    fn write(&self, world: &dyn World) -> Result<Vec<PathBuf>> {
        match self {
            RenderFiles::File { place, text } => {
                write_file(world, place, text)?;
                Ok(vec![place.to_path_buf()])
            }
            RenderFiles::Folder { place, files } => {
                OutputFolder::kept(world, &place.to_string_lossy()).write(files)
            }
        }
    }
}

/// A matrix with its input.
struct Matrix<'m> {
    world: &'m dyn World,
    options: BuildOptions,
    format: OutputFormat,
    /// The input of the flags. Its data values override those of the matrix.
    input: ReadInput,
    renders: Vec<Render>,
    /// All places that the renders read.
    inputs: InputPlaces,
    /// The folders of the input, in which no output may be. Empty if file marks exclude files: they
    /// may be the outputs.
    folders: InputPlaces,
}

impl<'m> Matrix<'m> {
    /// Reads the matrix at `path`, and the input of the flags.
    ///
    /// # Errors
    /// Reports every mistake in them.
    fn read(
        world: &'m dyn World,
        arguments: &BuildArguments,
        path: &Path,
        diagnostics: &mut Diagnostics,
    ) -> Result<Matrix<'m>, Reported> {
        let found = diagnostics.check(FoundInput::find(world, &arguments.input))?;
        let format = diagnostics.check(output_format(arguments))?;
        let (input, reader) = found.read(Recorder::off(), diagnostics)?;
        let renders = read_matrix(world, path, &reader, diagnostics)?;
        diagnostics.check(refuse_links_out(world, path, &renders))?;
        reader.report_warnings(diagnostics);
        let mut inputs = reader.places();
        inputs.push(path.to_owned());
        let folders = match excludes_files(arguments) {
            true => Vec::new(),
            false => reader.searched_folders(),
        };
        Ok(Matrix {
            inputs: InputPlaces::new(world, inputs.iter().map(PathBuf::as_path)),
            folders: InputPlaces::new(world, folders.iter().map(PathBuf::as_path)),
            world,
            options: build_options(&arguments.input),
            format,
            input,
            renders,
        })
    }

    /// Renders on all cores, calls `finish` with each output, and returns its results in the order
    /// of the renders. The diagnostics of all renders are reported together.
    fn each<T: Send>(
        &self,
        diagnostics: &mut Diagnostics,
        finish: impl Fn(&RenderFiles<'_>) -> Result<T> + Sync,
    ) -> Vec<Result<T, Reported>> {
        let shared = SharedContents::default();
        let outcomes = parallel::map(&self.renders, |render| {
            let mut own = Diagnostics::default();
            let result = self.render(render, &shared, &finish, &mut own);
            (result, own)
        });
        let mut results = Vec::with_capacity(outcomes.len());
        let mut all = RenderDiagnostics::default();
        for (render, (result, own)) in self.renders.iter().zip(outcomes) {
            results.push(result);
            all.add(&render.name, &own, diagnostics);
        }
        all.report(self.renders.len(), diagnostics);
        results
    }

    fn render<T>(
        &self,
        render: &Render,
        shared: &SharedContents,
        finish: impl Fn(&RenderFiles<'_>) -> Result<T>,
        diagnostics: &mut Diagnostics,
    ) -> Result<T, Reported> {
        let mut data_values = self.data_values(render, diagnostics)?;
        data_values.extend(self.input.data_values.iter().cloned());
        let input = BuildInput {
            data_values: &data_values,
            shared: Some(shared),
            ..self
                .input
                .build_input(self.world, self.options, Recorder::off())
        };
        let mut rendered = render_input(&input, diagnostics)?;
        let output = RenderFiles::new(&mut rendered, &render.output, self.format, diagnostics);
        let output = diagnostics.check(output)?;
        diagnostics.check(self.check_no_input(&output))?;
        diagnostics.check(finish(&output))
    }

    /// Checks that an output does not replace a file that any render reads, or that the next run
    /// reads. Otherwise their input would depend on their order, and on how often the matrix is
    /// built.
    fn check_no_input(&self, output: &RenderFiles<'_>) -> Result<()> {
        for (place, _) in output.contents() {
            let help = "write to another folder: `output: rendered/{name}.yaml`";
            self.inputs.refuse(self.world, &place, help)?;
            self.folders.refuse_inside(self.world, &place, help)?;
        }
        Ok(())
    }

    /// Reads the data values of one render.
    ///
    /// # Errors
    /// Reports files that cannot be read, or are not plain YAML.
    fn data_values(
        &self,
        render: &Render,
        diagnostics: &mut Diagnostics,
    ) -> Result<Vec<ValuesDocument>, Reported> {
        // The links do not matter here, because the files are already found.
        let reader = InputReader::new(self.world, SymlinkDestinations::default());
        let files = &render.values_files;
        let strict = self.options.strict;
        let flags = DataValuesFlags::default();
        let mut values = flags.read(files, &reader, self.world, strict, diagnostics)?;
        if let Some(node) = &render.values {
            report_repeated_keys(node, diagnostics);
            values.push(diagnostics.check(ValuesDocument::plain(node))?);
        }
        Ok(values)
    }
}

/// The diagnostics of all renders. A mistake in a shared file occurs in each of them, but is shown
/// once.
#[derive(Default)]
struct RenderDiagnostics<'r> {
    /// Each diagnostic, with the names of the renders in which it occurred.
    found: Vec<(Diagnostic, Vec<&'r str>)>,
    /// The index of each diagnostic, by its text.
    known: HashMap<String, usize>,
}

impl<'r> RenderDiagnostics<'r> {
    /// Adds the diagnostics of one render. The sources and secrets that they refer to are added to
    /// `diagnostics`.
    fn add(&mut self, name: &'r str, own: &Diagnostics, diagnostics: &mut Diagnostics) {
        for source in own.watched() {
            diagnostics.watch(source);
        }
        for secret in own.secrets() {
            diagnostics.keep_secret(secret.clone());
        }
        let renderer = Renderer::new(DiagnosticFormat::Short);
        for diagnostic in own.as_slice() {
            let text = renderer.render(std::slice::from_ref(diagnostic));
            let index = *self.known.entry(text).or_insert(self.found.len());
            match self.found.get_mut(index) {
                Some((_, names)) => names.push(name),
                None => self.found.push((diagnostic.clone(), vec![name])),
            }
        }
    }

    /// Reports each diagnostic once, with the renders in which it occurred.
    fn report(self, renders: usize, diagnostics: &mut Diagnostics) {
        for (diagnostic, mut occurrences) in self.found {
            occurrences.dedup();
            let note = match occurrences.len() {
                1 => format!("in the render `{}`", occurrences.concat()),
                count if count == renders => format!("in all {renders} renders"),
                _ => format!("in the renders {}", names(&occurrences)),
            };
            diagnostics.push(Box::new(diagnostic).note(note));
        }
    }
}

/// Lists the first names of renders, and the number of the others.
fn names(names: &[&str]) -> String {
    let mut text = String::new();
    for name in names.iter().take(NAMES_SHOWN) {
        if !text.is_empty() {
            text.push_str(", ");
        }
        text.push_str(&format!("`{}`", visible_line(name)));
    }
    if names.len() > NAMES_SHOWN {
        text.push_str(&format!(" and {} more", names.len() - NAMES_SHOWN));
    }
    text
}
