//! `inlay build`, and the call without a command: the equivalent of `ytt`.

use std::time::Instant;

use super::arguments::{BuildArguments, OutputName};
use super::build_input::{FoundInput, build_options, render};
use super::build_product::{BuildProduct, EvaluatedProduct, list_files, output_format, product};
use super::build_target::{BuildTarget, prints_documents, render_files};
use super::comparison;
use super::ending::{CommandFailure, CommandResult, Ending};
use super::explain;
use super::idle_input::{self, is_nothing, report_idle};
use super::input_places::check_has_input;
use super::matrix::build_matrix;
use super::output::{self, Reporter};
use super::output_file::{self, Delivery};
use super::watch::watch;
use crate::kubernetes::hide_secrets;
use crate::provenance::{Journal, Recorder};
use crate::source::world::World;
use crate::source::{Code, Diagnostic, DiagnosticFormat, Diagnostics, Renderer, Result};
use crate::workspace::output::{OutputFormat, print};
use crate::workspace::{self, BuildInput, BuildOptions, LibraryTree, ValuesFindings, bulk};

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
