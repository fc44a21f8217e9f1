//! Data Values Files: plain YAML with data values, from `--data-values-file`.
//!
//! They are not templates. A file with annotations is most likely a Data Values Overlay, which
//! belongs to `--file`. It is rejected, because ignoring its annotations would result in values
//! that its author did not intend.

use super::document::ValuesDocument;
use super::reference::LibraryReference;
use super::repeated::report_repeated_keys;
use crate::source::world::World;
use crate::source::{
    Code, Diagnostic, Diagnostics, Location, Reported, Result, Source, collect_all,
};
use crate::template;
use crate::workspace::file::InputFile;
use crate::workspace::input::InputReader;
use crate::yaml::{self, Stream};

/// In ytt, this prefix allows values that the library does not declare. In Inlay, files always may
/// contain such values.
const ADD: &str = "+:";

/// The files for one argument, and the library that their values are for.
struct AddressedFiles {
    target: LibraryReference,
    files: Vec<InputFile>,
}

/// Reads `[LIBRARY:]PATH`, where the path is a file with any name, `-`, or a folder with files that
/// end in `.yml` or `.yaml`.
///
/// A file may contain any number of documents. Empty ones are skipped.
///
/// # Errors
/// Reports the mistakes of every file.
pub(super) fn read(
    argument: &str,
    reader: &InputReader<'_>,
    world: &dyn World,
    strict: bool,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<ValuesDocument>, Reported> {
    let AddressedFiles { target, files } = diagnostics.check(find(argument, reader))?;
    let documents = collect_all(files.iter().map(|file| {
        let own = read_file(file, world, strict, diagnostics);
        diagnostics.check(own)
    }))?;
    let addressed = documents.into_iter().flatten();
    let addressed = addressed.map(|document| ValuesDocument {
        target: target.clone(),
        ..document
    });
    Ok(addressed.collect())
}

fn find(argument: &str, reader: &InputReader<'_>) -> Result<AddressedFiles> {
    // `+:` may be on either side of the library.
    let addressed = LibraryReference::split_from(argument.trim_start_matches(ADD))?;
    let target = addressed.target;
    let path = addressed.rest.trim_start_matches(ADD);
    reader.refuse_url(path, || {
        format!("--data-values-file {}", argument.replace(path, "-"))
    })?;
    if let Some((key, file)) = path.split_once('=')
        && !is_yaml_name(key)
        && !reader.is_there(path)
    {
        // The user most likely meant the flag for the content of one file.
        let message = format!("expected `--data-values-file PATH`, found `{path}`");
        return Err(Diagnostic::error(Code::Flag, message)
            .note("the documents of the file become data values")
            .help(format!(
                "to give the content of `{file}` as the value of `{key}`: `--data-value-file {argument}`"
            )));
    }
    if reader.is_folder(path) {
        let mut files = reader.found_at(path)?;
        // A folder of values may also contain a README. A file that is named explicitly is always
        // read. ytt reads JSON at the top level only.
        files.retain(|file| {
            let name = file.path.name();
            is_yaml_name(name) || name.ends_with(".json") && file.path.folders().next().is_none()
        });
        return Ok(AddressedFiles { target, files });
    }
    // A path that exists is used as it is, so that it may contain `=`.
    let files = if reader.is_there(path) {
        reader.found_at(path)?
    } else {
        reader.files(&[path.to_owned()])?
    };
    Ok(AddressedFiles { target, files })
}

fn is_yaml_name(name: &str) -> bool {
    name.ends_with(".yml") || name.ends_with(".yaml")
}

/// Reads one Data Values File for the root library.
pub(super) fn read_file(
    file: &InputFile,
    world: &dyn World,
    strict: bool,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<ValuesDocument>> {
    let source = file.source(world)?;
    // Comments are only needed where they may contain annotations, and parsing without them is
    // faster.
    let parsed = if template::may_contain_code(&source) {
        yaml::parse(&source)
    } else {
        yaml::parse_data(&source)
    };
    let stream = parsed.map_err(|error| not_yaml(error, &source))?;
    if let Some(annotation) = template::first_code(&stream) {
        return Err(annotated(annotation, &stream, file));
    }
    if strict && let Some(fault) = yaml::strict_faults(&stream).into_iter().next() {
        return Err(Box::new(fault));
    }
    let mut documents = Vec::new();
    for document in &stream.documents {
        // A file with only comments parses as one null document, which would replace all values.
        if document.root.kind() != "null" {
            report_repeated_keys(&document.root, diagnostics);
            documents.push(ValuesDocument::plain(&document.root)?);
        }
    }
    Ok(documents)
}

fn not_yaml(error: Box<Diagnostic>, source: &Source) -> Box<Diagnostic> {
    error
        .note(format!(
            "`{}` is given as a Data Values File, which is always read as YAML",
            source.shown_name()
        ))
        .help("to give its content as one value: `--data-value-file KEY=PATH`")
}

/// Returns the error for a file with annotations.
fn annotated(annotation: Location, stream: &Stream, file: &InputFile) -> Box<Diagnostic> {
    let is_overlay = stream
        .comments
        .iter()
        .any(|comment| is_values_annotation(stream.source.slice(*comment)));
    let error = Diagnostic::error(
        Code::DataValues,
        "expected plain YAML in a Data Values File, found an annotation",
    )
    .at(annotation, "only templates and overlays have annotations");
    let error = if is_overlay {
        let path = file.place().map_or_else(
            || file.path.to_string(),
            |place| place.display().to_string(),
        );
        error
            .note("a file with `@data/values` is a Data Values Overlay: a template among the other files")
            .help(format!("give it with `--file {path}`"))
    } else {
        error
            .note("a file given with `--data-values-file` contains values and nothing else")
            .help("write the comment with `#` alone, or remove it")
    };
    error.help("see docs/data-values.md for the difference between Data Values Files and Overlays")
}

fn is_values_annotation(comment: &str) -> bool {
    comment
        .strip_prefix("#@")
        .is_some_and(|code| code.trim_start().starts_with("data/values"))
}
