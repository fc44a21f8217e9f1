//! `inlay fmt`

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::arguments::Fmt;
use super::output;
use super::{Ending, Outcome};
use crate::source::world::World;
use crate::source::{Diagnostics, Source};
use crate::workspace::{FileRole, InputFile, InputReader, SymlinkDestinations};
use crate::yaml::{formatted, parse, strict_faults};

/// A file before and after.
struct Formatted<'f> {
    file: &'f InputFile,
    source: Arc<Source>,
    text: String,
}

/// Prints the files in the one layout, writes them in place, or names those that have another.
pub(super) fn fmt(world: &dyn World, arguments: &Fmt, diagnostics: &mut Diagnostics) -> Outcome {
    let started = Instant::now();
    let files =
        InputReader::new(world, SymlinkDestinations::default(), false).files(&arguments.files)?;
    let files: Vec<InputFile> = files
        .into_iter()
        .filter(|file| file.role() == FileRole::YamlTemplate)
        .collect();
    let formatted: Vec<Formatted<'_>> = files
        .iter()
        .filter_map(|file| format(world, arguments, file, diagnostics))
        .collect();
    if arguments.debug {
        let paths: String = files
            .iter()
            .map(|file| format!("{}\n", file.path))
            .collect();
        output::remark(&format!("{paths}total: {:?}\n", started.elapsed()));
    }
    if diagnostics.failed() {
        Ok(Ending::Success)
    } else {
        give_out(world, arguments, &formatted)
    }
}

fn format<'f>(
    world: &dyn World,
    arguments: &Fmt,
    file: &'f InputFile,
    diagnostics: &mut Diagnostics,
) -> Option<Formatted<'f>> {
    let source = diagnostics.take(file.source(world))?;
    let stream = diagnostics.take(parse(&source))?;
    if arguments.strict {
        strict_faults(&stream)
            .into_iter()
            .for_each(|fault| diagnostics.push(Box::new(fault)));
    }
    let text = diagnostics.take(formatted(&stream))?;
    Some(Formatted { file, source, text })
}

fn give_out(world: &dyn World, arguments: &Fmt, files: &[Formatted<'_>]) -> Outcome {
    if !arguments.check && !arguments.in_place {
        output::print(join(files).as_bytes())?;
        return Ok(Ending::Success);
    }
    let changed: Vec<&Formatted<'_>> = files
        .iter()
        .filter(|file| file.text != file.source.text())
        .collect();
    if arguments.check {
        let names: String = changed
            .iter()
            .map(|file| format!("would change {}\n", name(file.file)))
            .collect();
        output::print(names.as_bytes())?;
        return Ok(if changed.is_empty() {
            Ending::Success
        } else {
            Ending::Difference
        });
    }
    let places: Vec<(&Path, &str)> = changed
        .iter()
        .filter_map(|file| Some((file.file.place()?, &*file.text)))
        .collect();
    output::write_files(world, &places)?;
    Ok(Ending::Success)
}

/// The files as one stream of documents.
fn join(files: &[Formatted<'_>]) -> String {
    let mut joined = String::new();
    for file in files.iter().filter(|file| !file.text.is_empty()) {
        if !joined.is_empty() && !file.text.starts_with("---") && !joined.ends_with("\n---\n") {
            joined.push_str("---\n");
        }
        joined.push_str(&file.text);
    }
    joined
}

fn name(file: &InputFile) -> String {
    file.place().map_or_else(
        || file.path.to_string(),
        |place| place.display().to_string(),
    )
}
