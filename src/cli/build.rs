//! `inlay build`, and the bare call with its flags: what `ytt` does.

use std::time::Instant;

use super::arguments::Build;
use super::{Ending, Outcome, output, schema_inspect};
use crate::source::world::World;
use crate::source::{Code, Diagnostic, DiagnosticFormat, Diagnostics, Renderer, Result};
use crate::workspace::output::{Format, OutputFolder, check_places, print};
use crate::workspace::{
    self, BuildInput, BuildOptions, InputFile, InputReader, LibraryTree, Rendered,
    SymlinkDestinations, apply_marks, bulk,
};
use crate::yaml::Node;

/// Builds and gives out. In bulk mode a failure is output as well, and the call a success.
pub(super) fn build(
    world: &dyn World,
    arguments: &Build,
    diagnostics: &mut Diagnostics,
) -> Outcome {
    let started = Instant::now();
    let mut found = Diagnostics::default();
    let outcome = run(world, arguments, &mut found);
    found.take(outcome);
    if arguments.debug {
        output::remark(&format!("total: {:?}\n", started.elapsed()));
    }
    if arguments.bulk_out && found.failed() {
        let text = Renderer::new(DiagnosticFormat::Human).render(found.as_slice());
        output::print(bulk::print_errors(text)?.as_bytes())?;
    } else {
        *diagnostics = found;
    }
    Ok(Ending::Success)
}

fn run(world: &dyn World, arguments: &Build, diagnostics: &mut Diagnostics) -> Result<()> {
    let reader = reader(world, arguments);
    let files = inputs(&reader, arguments)?;
    let schema_form = arguments
        .data_values_schema_inspect
        .then(|| schema_inspect::form(&arguments.output))
        .transpose()?;
    let format = if schema_form.is_some() {
        Format::default()
    } else {
        output_format(arguments)?
    };
    if arguments.files_inspect {
        return output::print(inspect(&files, format)?.as_bytes());
    }
    if arguments.debug {
        output::remark(&LibraryTree::new(&files).describe());
    }
    let options = BuildOptions {
        strict: arguments.strict,
        ignore_unknown_comments: arguments.ignore_unknown_comments,
        implicit_map_key_overrides: arguments.implicit_map_key_overrides,
        dangerous_data_values_disable_validation: arguments
            .dangerous_data_values_disable_validation,
    };
    let values = arguments
        .values
        .flags()
        .read(&reader, world, options.strict, diagnostics);
    let Ok(values) = values else {
        return Ok(());
    };
    let input = BuildInput {
        files: &files,
        resources: &[],
        data_values: &values,
        world,
        options,
    };
    if let Some((language, format)) = schema_form {
        let Ok(schema) = workspace::schema(&input, diagnostics) else {
            return Ok(());
        };
        return output::print(schema_inspect::text(&schema, language, format)?.as_bytes());
    }
    if arguments.values.data_values_inspect {
        let Ok(values) = workspace::data_values(&input, diagnostics) else {
            return Ok(());
        };
        return output::print(print(&[values], format)?.as_bytes());
    }
    let Ok(rendered) = workspace::build(&input, diagnostics) else {
        return Ok(());
    };
    if arguments.bulk_out {
        output::print(bulk::print(rendered.files(format)?)?.as_bytes())
    } else if let Some(folder) = &arguments.dangerous_emptied_output_directory {
        write(rendered, format, || {
            OutputFolder::emptied(world, folder, &files)
        })
    } else if let Some(folder) = arguments
        .output_files
        .as_ref()
        .filter(|folder| !folder.is_empty())
    {
        write(rendered, format, || OutputFolder::kept(world, folder))
    } else {
        to_standard_output(rendered, format, diagnostics)
    }
}

/// The format of documents.
fn output_format(arguments: &Build) -> Result<Format> {
    let format = arguments
        .output
        .first()
        .map_or(Some(Format::default()), |output| output.format());
    match format {
        Some(Format::Yaml) if arguments.faithful => Ok(Format::Faithful),
        Some(format) if !arguments.faithful => Ok(format),
        Some(_) => Err(Diagnostic::error(
            Code::Flag,
            "expected YAML as the output of `--faithful`, found another format",
        )
        .note("files stay as they are written, which is YAML")
        .help("remove `--output`, or `--faithful`")),
        None => Err(Diagnostic::error(
            Code::Flag,
            "expected a format of documents for `--output`, found a language of schemas",
        )
        .help("print the schema of the data values: `--data-values-schema-inspect`")),
    }
}

fn reader<'w>(world: &'w dyn World, arguments: &Build) -> InputReader<'w> {
    let destinations = match arguments.dangerous_allow_all_symlink_destinations {
        true => SymlinkDestinations::All,
        false => SymlinkDestinations::Below(arguments.symlink_destinations.clone()),
    };
    InputReader::new(world, destinations, arguments.allow_network)
}

fn inputs(reader: &InputReader<'_>, arguments: &Build) -> Result<Vec<InputFile>> {
    let mut files = match arguments.bulk_in.as_ref().filter(|text| !text.is_empty()) {
        Some(text) => bulk::read(text)?,
        None => reader.files(&arguments.files)?,
    };
    apply_marks(&arguments.file_marks, &mut files)?;
    Ok(files)
}

/// The paths of the files that take part, as a list.
fn inspect(files: &[InputFile], format: Format) -> Result<String> {
    let mut order = LibraryTree::new(files).accessible();
    order.sort_unstable();
    let paths = order
        .into_iter()
        .filter_map(|index| files.get(index))
        .map(|file| Node::string(file.path.as_str()));
    print(&[Node::sequence(paths)], format)
}

/// Writes files into a folder that is opened when all is known to be well, and says which.
fn write<'w>(
    rendered: Rendered,
    format: Format,
    open: impl FnOnce() -> Result<OutputFolder<'w>>,
) -> Result<()> {
    let files = rendered.files(format)?;
    check_places(&files)?;
    let folder = open()?;
    for file in &files {
        let place = folder.write(file)?;
        output::print(format!("creating: {}\n", place.display()).as_bytes())?;
    }
    Ok(())
}

fn to_standard_output(
    rendered: Rendered,
    format: Format,
    diagnostics: &mut Diagnostics,
) -> Result<()> {
    let text = rendered.text(format)?;
    output::print(text.as_bytes())?;
    if !rendered.texts.is_empty() {
        let paths: Vec<&str> = rendered
            .texts
            .iter()
            .map(|text| text.path.as_str())
            .collect();
        let message = format!(
            "text is not printed on standard output: `{}`",
            paths.join("`, `")
        );
        diagnostics.push(
            Diagnostic::warning(Code::Output, message)
                .help("write it into a folder: `--output-files DIR` or `--dangerous-emptied-output-directory DIR`"),
        );
    }
    // The process ends here, and with it its memory: to free a large tree node by node takes time and gives nothing.
    std::mem::forget(rendered);
    Ok(())
}
