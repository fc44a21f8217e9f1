//! Data Values Files: plain YAML that gives data values, with `--data-values-file`.
//!
//! They are no templates. A file that holds annotations is most likely a Data Values Overlay, which belongs to `--file`;
//! it is refused, since to ignore its annotations would give other values than its author meant.

use super::ValuesDocument;
use super::reference::LibraryReference;
use crate::source::world::World;
use crate::source::{Code, Diagnostic, Diagnostics, Location, Result, Source};
use crate::template;
use crate::workspace::{InputFile, InputReader};
use crate::yaml::{self, Stream};

/// What asks to add the values that are not there yet.
const ADD: &str = "+:";

/// Reads `[LIBRARY:]PATH`: a file of any name, `-`, or a folder, in which files that end in `.yml` or `.yaml` count. A file
/// may hold any number of documents; those that say nothing at all are left out.
///
/// What is wrong goes to `diagnostics`.
pub(super) fn read(
    argument: &str,
    reader: &InputReader<'_>,
    world: &dyn World,
    strict: bool,
    documents: &mut Vec<ValuesDocument>,
    diagnostics: &mut Diagnostics,
) {
    let Some((target, files)) = diagnostics.take(find(argument, reader)) else {
        return;
    };
    for file in files {
        let Some(roots) = diagnostics.take(read_file(&file, world, strict)) else {
            continue;
        };
        documents.extend(roots.into_iter().map(|document| ValuesDocument {
            target: target.clone(),
            ..document
        }));
    }
}

fn find(argument: &str, reader: &InputReader<'_>) -> Result<(LibraryReference, Vec<InputFile>)> {
    // `+:` asks to add what is not there, which is done anyway; it may stand on either side of the library.
    let (target, path) = LibraryReference::divide(argument.trim_start_matches(ADD))?;
    let path = path.trim_start_matches(ADD);
    reader.refuse_url(path, || {
        format!("--data-values-file {}", argument.replace(path, "-"))
    })?;
    if let Some((key, file)) = path
        .split_once('=')
        .filter(|(key, _)| !is_yaml_name(key) && !reader.is_there(path))
    {
        return Err(Diagnostic::error(Code::Flag, format!("expected `--data-values-file PATH`, found `{path}`"))
            .note("the documents of the file become data values")
            .help(format!("to give the content of `{file}` as the value of `{key}`: `--data-value-file {argument}`")));
    }
    if reader.is_folder(path) {
        let mut files = reader.found_at(path)?;
        files.retain(|file| is_yaml_name(file.path.name()));
        return Ok((target, files));
    }
    let files = if reader.is_there(path) {
        reader.found_at(path)?
    } else {
        reader.files(&[path.to_owned()])?
    };
    Ok((target, files))
}

fn is_yaml_name(name: &str) -> bool {
    name.ends_with(".yml") || name.ends_with(".yaml")
}

fn read_file(file: &InputFile, world: &dyn World, strict: bool) -> Result<Vec<ValuesDocument>> {
    let source = file.source(world)?;
    // Only a file that may hold annotations needs its comments.
    let may_hold_code = source.text().contains("#@");
    let parse = if may_hold_code {
        yaml::parse
    } else {
        yaml::parse_data
    };
    let stream = parse(&source).map_err(|error| not_yaml(error, &source))?;
    if let Some(annotation) = template::first_code(&stream) {
        return Err(annotated(annotation, &stream, file));
    }
    if strict && let Some(fault) = yaml::strict_faults(&stream).into_iter().next() {
        return Err(Box::new(fault));
    }
    let telling = stream
        .documents
        .iter()
        .filter(|document| document.root.kind() != "null");
    telling
        .map(|document| ValuesDocument::plain(&document.root))
        .collect()
}

fn not_yaml(error: Box<Diagnostic>, source: &Source) -> Box<Diagnostic> {
    error
        .note(format!(
            "`{}` is given as a Data Values File, which is YAML whatever its name",
            source.name()
        ))
        .help("to give its content as one value: `--data-value-file KEY=PATH`")
}

/// The complaint about a file that is no plain YAML.
fn annotated(annotation: Location, stream: &Stream, file: &InputFile) -> Box<Diagnostic> {
    let place = file.place().map_or_else(
        || file.path.to_string(),
        |place| place.display().to_string(),
    );
    let is_overlay = stream
        .comments
        .iter()
        .any(|comment| is_values_annotation(stream.source.slice(*comment)));
    let diagnostic = Diagnostic::error(
        Code::DataValues,
        "expected plain YAML in a Data Values File, found an annotation",
    )
    .at(annotation, "only templates and overlays have annotations");
    let diagnostic = match is_overlay {
        true => diagnostic
            .note("a file with `@data/values` is a Data Values Overlay: a template among the other files")
            .help(format!("give it with `--file {place}`")),
        false => diagnostic
            .note("the file given with `--data-values-file` holds values and nothing else")
            .help("write the comment with `#` alone, or remove it"),
    };
    diagnostic.help("docs/data-values.md tells Data Values Files from Data Values Overlays")
}

fn is_values_annotation(comment: &str) -> bool {
    comment
        .strip_prefix("#@")
        .is_some_and(|code| code.trim_start().starts_with("data/values"))
}
