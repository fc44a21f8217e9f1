//! `inlay build`, and the call without a command: the equivalent of `ytt`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::arguments::{BuildArguments, OutputName};
use super::build_input::{FoundInput, build_options, render, rendered};
use super::comparison::{self, OutputText};
use super::ending::{CommandFailure, CommandResult, Ending};
use super::explain;
use super::idle_input::{self, is_nothing, report_idle};
use super::input_places::{InputPlaces, check_has_input};
use super::matrix::build_matrix;
use super::output::{self, Reporter};
use super::output_file::{self, Delivery};
use super::schema_inspect::SchemaForm;
use super::watch::watch;
use crate::diff::OutputComparison;
use crate::kubernetes::hide_secrets;
use crate::provenance::{Journal, Recorder};
use crate::source::world::World;
use crate::source::{
    Code, Diagnostic, DiagnosticFormat, Diagnostics, Renderer, Result, quoted_name,
};
use crate::workspace::output::{OutputFile, OutputFolder, OutputFormat, check_places, print};
use crate::workspace::{
    self, BuildInput, BuildOptions, InputFile, InputReader, LibraryTree, Rendered, ValuesFindings,
    bulk,
};
use crate::yaml::Node;

/// The output that the flags request.
#[derive(Clone, Copy)]
enum BuildProduct {
    /// `--files-inspect`: the paths of the files. It evaluates nothing.
    FileList(OutputFormat),
    /// A product that requires an evaluation.
    Evaluated(EvaluatedProduct),
}

/// The products of a build for which data values or templates are evaluated.
#[derive(Clone, Copy)]
enum EvaluatedProduct {
    /// `--data-values-schema-inspect`: the schema of the data values.
    Schema(SchemaForm),
    /// `--data-values-inspect`: the data values.
    DataValues(OutputFormat),
    /// The rendered files.
    Files(OutputFormat),
}

impl EvaluatedProduct {
    /// Returns whether the output shows the place of each value.
    fn shows_places(self) -> bool {
        matches!(
            self,
            EvaluatedProduct::Files(OutputFormat::Positions)
                | EvaluatedProduct::DataValues(OutputFormat::Positions)
        )
    }
}

/// A call of `inlay build`.
#[derive(Clone, Copy)]
pub(super) struct BuildCall<'c> {
    world: &'c dyn World,
    arguments: &'c BuildArguments,
    reporter: &'c Reporter,
    findings: Option<&'c ValuesFindings>,
}

impl<'c> BuildCall<'c> {
    pub(super) fn new(
        world: &'c dyn World,
        arguments: &'c BuildArguments,
        reporter: &'c Reporter,
    ) -> BuildCall<'c> {
        BuildCall {
            world,
            arguments,
            reporter,
            findings: None,
        }
    }

    /// Returns the call that stores its schema and data values in `findings`, for the form of the
    /// playground.
    pub(super) fn with_findings(self, findings: &'c ValuesFindings) -> BuildCall<'c> {
        BuildCall {
            findings: Some(findings),
            ..self
        }
    }

    /// Builds, and prints or writes the output.
    pub(super) fn run(self, diagnostics: &mut Diagnostics) -> CommandResult {
        let BuildCall {
            world,
            arguments,
            reporter,
            ..
        } = self;
        check_has_input(arguments)?;
        if let Some(path) = &arguments.matrix {
            return build_matrix(world, arguments, path, reporter, diagnostics);
        }
        let started = Instant::now();
        if arguments.watch.watch {
            let format = output_format(arguments)?;
            let form = arguments.comparison.diff;
            return watch(
                world,
                &arguments.watch,
                form,
                reporter,
                |world, diagnostics| render_files(world, arguments, format, diagnostics),
            );
        }
        let result = output_file::with_depfile(
            world,
            &arguments.output_file,
            reporter,
            |world, delivery| {
                let call = BuildCall { world, ..self };
                match arguments.bulk_out {
                    true => call.build_in_bulk(delivery, diagnostics),
                    false => call.build_once(delivery, diagnostics),
                }
            },
        );
        if arguments.debug {
            output::remark(&format!("total: {:?}\n", started.elapsed()));
        }
        result
    }

    /// Builds for a program that reads one JSON object. As in ytt, a failure is output too: the
    /// program finds it in the object, and the exit code is 0.
    fn build_in_bulk(
        self,
        delivery: &Delivery<'_>,
        diagnostics: &mut Diagnostics,
    ) -> CommandResult {
        // Errors of the build must not reach the caller's diagnostics, which would make the process
        // fail.
        let mut own = Diagnostics::default();
        match self.build_once(delivery, &mut own) {
            Ok(ending) => {
                diagnostics.append(own);
                return Ok(ending);
            }
            Err(CommandFailure::Reported | CommandFailure::Summary(_)) => {}
            Err(CommandFailure::Error(error)) => own.push(error),
            Err(other @ (CommandFailure::Usage(_) | CommandFailure::Bug(_))) => return Err(other),
        }
        hide_secrets(&mut own);
        let text = Renderer::new(DiagnosticFormat::Human).render(own.as_slice());
        output::print(bulk::print_errors(text)?.as_bytes())?;
        Ok(Ending::Success)
    }

    /// Builds, and prints or writes the requested output.
    fn build_once(self, delivery: &Delivery<'_>, diagnostics: &mut Diagnostics) -> CommandResult {
        let BuildCall {
            world, arguments, ..
        } = self;
        if arguments.output.first() == Some(&OutputName::Annotated) {
            return self.build_annotated(delivery, diagnostics);
        }
        let found = FoundInput::find(world, &arguments.input)?;
        let product = match product(arguments)? {
            // Do this before the data values are read: the list helps to find mistakes in flags, so
            // it must not fail because of one.
            BuildProduct::FileList(format) => {
                delivery.deliver(&[list_files(found.files(), format)?.into()])?;
                return Ok(Ending::Success);
            }
            BuildProduct::Evaluated(product) => product,
        };
        if arguments.debug {
            output::remark(&LibraryTree::new(found.files()).describe());
        }
        let recorder = Recorder::off();
        let (input, reader) = found.read(recorder, diagnostics)?;
        let options = BuildOptions {
            overlay_places: product.shows_places(),
            reprints: input.resources.is_empty() && prints_one_stream(product, arguments),
            ..build_options(&arguments.input)
        };
        let input = BuildInput {
            findings: self.findings,
            ..input.build_input(world, options, recorder)
        };
        match product {
            EvaluatedProduct::Schema(form) => {
                let schema = workspace::schema(&input, diagnostics)?;
                delivery.deliver(&[form.print(&schema)?.into()])?;
                Ok(Ending::Success)
            }
            EvaluatedProduct::DataValues(format) => {
                let values = workspace::data_values(&input, diagnostics)?;
                delivery.deliver(&[print(&[values], format)?.into()])?;
                Ok(Ending::Success)
            }
            EvaluatedProduct::Files(format) => {
                let target = BuildTarget {
                    world,
                    arguments,
                    format,
                    reader: &reader,
                };
                build_files(&input, target, delivery, self.reporter, diagnostics)
            }
        }
    }

    /// Prints the documents, with a comment after each value that was not set by its own file.
    fn build_annotated(
        self,
        delivery: &Delivery<'_>,
        diagnostics: &mut Diagnostics,
    ) -> CommandResult {
        let BuildCall {
            world, arguments, ..
        } = self;
        check_prints_documents(arguments)?;
        let journal = Journal::default();
        let recorder = journal.recorder();
        let found = FoundInput::find(world, &arguments.input)?;
        let (input, _) = found.read(recorder, diagnostics)?;
        let input = BuildInput {
            findings: self.findings,
            ..input.build_input(world, build_options(&arguments.input), recorder)
        };
        let rendered = render(&input, diagnostics)?;
        let format = match arguments.faithful {
            true => OutputFormat::Faithful,
            false => OutputFormat::Yaml,
        };
        let text = rendered.text(format)?.concat();
        let documents = rendered.yaml.into_iter().flat_map(|file| file.documents);
        let text = explain::annotated(&text, documents, journal)?;
        delivery.deliver(&[text.into()])?;
        Ok(Ending::Success)
    }
}

/// Renders the files, and delivers them or compares them with the existing files.
fn build_files(
    input: &BuildInput<'_>,
    target: BuildTarget<'_>,
    delivery: &Delivery<'_>,
    reporter: &Reporter,
    diagnostics: &mut Diagnostics,
) -> CommandResult {
    let arguments = target.arguments;
    let rendered = render(input, diagnostics)?;
    if is_nothing(&rendered) {
        report_idle(
            &idle_input::BUILD,
            target.reader,
            &arguments.input.files,
            input.files,
            diagnostics,
        );
    }
    let comparison = arguments.comparison.with_base(&arguments.base);
    if comparison.is_on() {
        return target.compare(rendered, diagnostics, |compared| {
            comparison::show(compared, &comparison, reporter)
        });
    }
    target.deliver(rendered, delivery, diagnostics)?;
    Ok(Ending::Success)
}

/// Returns whether the documents are only printed one after another. A large file without code can
/// then be copied without a tree of its nodes.
fn prints_one_stream(product: EvaluatedProduct, arguments: &BuildArguments) -> bool {
    let comparison = arguments.comparison.with_base(&arguments.base);
    matches!(product, EvaluatedProduct::Files(OutputFormat::Yaml))
        && prints_documents(arguments)
        && !comparison.is_on()
}

/// Checks that the other flags of a build with `-o annotated` request documents.
///
/// # Errors
/// Fails if one of them requests another output.
fn check_prints_documents(arguments: &BuildArguments) -> Result<()> {
    let folder = arguments.output_files.as_ref();
    let other = [
        (
            "--output-files",
            folder.is_some_and(|folder| !folder.is_empty()),
        ),
        (
            "--dangerous-emptied-output-directory",
            arguments.dangerous_emptied_output_directory.is_some(),
        ),
        ("--bulk-out", arguments.bulk_out),
        ("--files-inspect", arguments.files_inspect),
        ("--data-values-inspect", arguments.data_values_inspect),
        (
            "--data-values-schema-inspect",
            arguments.data_values_schema_inspect,
        ),
    ];
    let Some((flag, _)) = other.into_iter().find(|(_, is_given)| *is_given) else {
        return Ok(());
    };
    let message = format!("`-o annotated` prints documents, and `{flag}` does not");
    Err(Diagnostic::error(Code::Flag, message)
        .help(format!("remove one of the two: `-o annotated` or `{flag}`")))
}

/// Returns the requested product. As in ytt, `--files-inspect`, `--data-values-schema-inspect` and
/// `--data-values-inspect` have precedence in this order.
fn product(arguments: &BuildArguments) -> Result<BuildProduct> {
    if arguments.data_values_schema_inspect {
        // `--output` is the language of the schema, so it does not apply to the list of files.
        let form = SchemaForm::from_flags(&arguments.output)?;
        return Ok(match arguments.files_inspect {
            true => BuildProduct::FileList(OutputFormat::default()),
            false => BuildProduct::Evaluated(EvaluatedProduct::Schema(form)),
        });
    }
    let format = output_format(arguments)?;
    if arguments.files_inspect {
        return Ok(BuildProduct::FileList(format));
    }
    Ok(BuildProduct::Evaluated(
        match arguments.data_values_inspect {
            true => EvaluatedProduct::DataValues(format),
            false => EvaluatedProduct::Files(format),
        },
    ))
}

/// Returns the format of the printed documents.
///
/// # Errors
/// Fails for a schema language, and for `--faithful` with a format other than YAML.
pub(super) fn output_format(arguments: &BuildArguments) -> Result<OutputFormat> {
    let format = match arguments.output.first() {
        Some(name) => name.format(),
        None => Some(OutputFormat::default()),
    };
    match format {
        Some(OutputFormat::Yaml) if arguments.faithful => Ok(OutputFormat::Faithful),
        Some(format) if !arguments.faithful => Ok(format),
        Some(_) => Err(
            Diagnostic::error(Code::Flag, "`--faithful` prints YAML only")
                .note("it keeps files as they are written, which is YAML")
                .help("remove `--output`, or `--faithful`"),
        ),
        None => Err(Diagnostic::error(
            Code::Flag,
            "expected a format of documents for `--output`, found a language of schemas",
        )
        .help("to print the schema of the data values, add `--data-values-schema-inspect`")),
    }
}

/// Prints a list of the paths of the files that are part of the build.
fn list_files(files: &[InputFile], format: OutputFormat) -> Result<String> {
    // The tree omits private libraries, which are not part of the output.
    let mut order = LibraryTree::new(files).accessible();
    // Sort in the order of the flags, which the user knows, instead of the order of the tree.
    order.sort_unstable();
    let mut paths = Vec::with_capacity(order.len());
    for index in order {
        paths.extend(
            files
                .get(index)
                .map(|file| Node::string(file.path.as_str())),
        );
    }
    print(&[Node::sequence(paths)], format)
}

/// The destination of the output, and the basis of comparisons: the existing files, or another
/// build.
struct BuildTarget<'b> {
    world: &'b dyn World,
    arguments: &'b BuildArguments,
    format: OutputFormat,
    reader: &'b InputReader<'b>,
}

impl BuildTarget<'_> {
    /// Compares the output, and calls `show` with the difference.
    fn compare(
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
        match &self.arguments.dangerous_emptied_output_directory {
            Some(folder) => {
                let output = self.emptied(folder)?;
                show(&comparison::compare(
                    &in_folder(folder, output.content()?),
                    &in_folder(folder, after),
                ))
            }
            None => {
                let folder = self.arguments.output_files.as_deref().unwrap_or_default();
                let folder = Path::new(folder);
                show(&comparison::compare_with_disk(self.world, folder, &after)?)
            }
        }
    }

    /// Prints the output, or writes it into a folder.
    fn deliver(
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
        match arguments.output_files.as_deref() {
            Some(folder) if !folder.is_empty() => {
                let inputs = self.input_places();
                if !excludes_files(arguments)
                    && let Some(warning) = inputs.warn_about_nesting(self.world, Path::new(folder))
                {
                    diagnostics.push(warning);
                }
                write_files(rendered, format, delivery, |files| {
                    inputs.refuse_replacing_templates(self.world, Path::new(folder), files)?;
                    Ok(OutputFolder::kept(self.world, folder))
                })
            }
            _ => {
                if let Some(file) = &arguments.output_file.output_file
                    && !excludes_files(arguments)
                {
                    let help = "name a file outside of it with `--output-file`";
                    let inputs = self.input_places();
                    inputs.refuse(self.world, file, "name another file with `--output-file`")?;
                    let folders = self.reader.searched_folders();
                    InputPlaces::new(self.world, folders.iter().map(PathBuf::as_path))
                        .refuse_inside(self.world, file, help)?;
                }
                print_documents(delivery, rendered, format, diagnostics)
            }
        }
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
fn render_files(
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
fn prints_documents(arguments: &BuildArguments) -> bool {
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
