//! `inlay fmt`

use std::sync::Arc;
use std::time::Instant;

use super::arguments::FmtArguments;
use super::ending::{CommandResult, Ending};
use super::output::{self, FileText};
use crate::source::world::World;
use crate::source::{Diagnostics, Reported, Result, Source};
use crate::workspace::{FileRole, InputFile, InputReader, SymlinkDestinations};
use crate::yaml::{formatted, parse, strict_faults};

/// A file before and after.
struct FormattedFile<'f> {
    file: &'f InputFile,
    source: Arc<Source>,
    text: String,
}

/// Prints the files in the standard layout, writes them in place, or lists those that have another
/// layout.
pub(super) fn fmt(
    world: &dyn World,
    arguments: &FmtArguments,
    diagnostics: &mut Diagnostics,
) -> CommandResult {
    let started = Instant::now();
    let reader = InputReader::new(world, SymlinkDestinations::default(), false);
    let mut files = reader.files(&arguments.files)?;
    files.retain(|file| file.role() == FileRole::YamlTemplate);
    let formatted = format_all(world, arguments, &files, diagnostics);
    if arguments.debug {
        for file in &files {
            output::remark(&format!("{}\n", file.path));
        }
        output::remark(&format!("total: {:?}\n", started.elapsed()));
    }
    let formatted = formatted?;
    if arguments.check {
        return check(&formatted);
    }
    if arguments.in_place {
        write_in_place(world, &formatted)?;
    } else {
        output::print(join(&formatted).as_bytes())?;
    }
    Ok(Ending::Success)
}

/// Formats all files.
///
/// # Errors
/// Reports the mistakes of all files.
fn format_all<'f>(
    world: &dyn World,
    arguments: &FmtArguments,
    files: &'f [InputFile],
    diagnostics: &mut Diagnostics,
) -> Result<Vec<FormattedFile<'f>>, Reported> {
    let mut all = Vec::with_capacity(files.len());
    for file in files {
        all.extend(format(world, arguments, file, diagnostics));
    }
    diagnostics.outcome()?;
    Ok(all)
}

fn format<'f>(
    world: &dyn World,
    arguments: &FmtArguments,
    file: &'f InputFile,
    diagnostics: &mut Diagnostics,
) -> Result<FormattedFile<'f>, Reported> {
    let source = diagnostics.check(file.source(world))?;
    let stream = diagnostics.check(parse(&source))?;
    if arguments.strict {
        for fault in strict_faults(&stream) {
            diagnostics.push(Box::new(fault));
        }
    }
    let text = diagnostics.check(formatted(&stream))?;
    Ok(FormattedFile { file, source, text })
}

/// Lists the files that would change.
fn check(files: &[FormattedFile<'_>]) -> CommandResult {
    let mut list = String::new();
    for file in files {
        if file.has_changed() {
            let name = match file.file.place() {
                Some(place) => place.display().to_string(),
                None => file.file.path.to_string(),
            };
            list.push_str(&format!("would change {name}\n"));
        }
    }
    output::print(list.as_bytes())?;
    Ok(if list.is_empty() {
        Ending::Success
    } else {
        Ending::Difference
    })
}

fn write_in_place(world: &dyn World, files: &[FormattedFile<'_>]) -> Result<()> {
    let mut changed: Vec<FileText<'_>> = Vec::new();
    for file in files {
        if file.has_changed()
            && let Some(path) = file.file.place()
        {
            changed.push(FileText {
                path,
                text: &file.text,
            });
        }
    }
    output::write_files(world, &changed)
}

/// Returns the files as one stream of documents.
fn join(files: &[FormattedFile<'_>]) -> String {
    let mut joined = String::new();
    for file in files {
        if file.text.is_empty() {
            continue;
        }
        if !joined.is_empty() && !file.text.starts_with("---") && !joined.ends_with("\n---\n") {
            joined.push_str("---\n");
        }
        joined.push_str(&file.text);
    }
    joined
}

impl FormattedFile<'_> {
    fn has_changed(&self) -> bool {
        self.text != self.source.text()
    }
}
