//! What a build prints: the flags `--output`, `--faithful` and `--…-inspect`.

use super::arguments::BuildArguments;
use super::schema_inspect::SchemaForm;
use crate::source::{Code, Diagnostic, Result};
use crate::workspace::output::{OutputFormat, print};
use crate::workspace::{InputFile, LibraryTree};
use crate::yaml::Node;

/// The output that the flags request.
#[derive(Clone, Copy)]
pub(super) enum BuildProduct {
    /// `--files-inspect`: the paths of the files. It evaluates nothing.
    FileList(OutputFormat),
    /// A product that requires an evaluation.
    Evaluated(EvaluatedProduct),
}

/// The products of a build for which data values or templates are evaluated.
#[derive(Clone, Copy)]
pub(super) enum EvaluatedProduct {
    /// `--data-values-schema-inspect`: the schema of the data values.
    Schema(SchemaForm),
    /// `--data-values-inspect`: the data values.
    DataValues(OutputFormat),
    /// The rendered files.
    Files(OutputFormat),
}

impl EvaluatedProduct {
    /// Returns whether the output shows the place of each value.
    pub(super) fn shows_places(self) -> bool {
        matches!(
            self,
            EvaluatedProduct::Files(OutputFormat::Positions)
                | EvaluatedProduct::DataValues(OutputFormat::Positions)
        )
    }
}

/// Returns the requested product. As in ytt, `--files-inspect`, `--data-values-schema-inspect` and
/// `--data-values-inspect` have precedence in this order.
///
/// # Errors
/// Fails for flags of the output that contradict each other, as [`output_format`] does.
pub(super) fn product(arguments: &BuildArguments) -> Result<BuildProduct> {
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
pub(super) fn list_files(files: &[InputFile], format: OutputFormat) -> Result<String> {
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
