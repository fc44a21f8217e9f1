//! `inlay fmt`: rewrites YAML files in one layout, or lists with `--check` those in another layout.

use std::time::Instant;

use super::arguments::FmtArguments;
use super::comparison;
use super::ending::{CommandFailure, CommandResult, Ending};
use super::idle_input::{self, report_idle};
use super::output::{self, FileText, Reporter};
use crate::diff::{OutputChange, OutputComparison};
use crate::source::world::{SymlinkDestinations, World};
use crate::source::{Diagnostics, Reported, Result, Source, quoted_name};
use crate::workspace::{FileRole, InputFile, InputReader};
use crate::yaml::{Stream, differs_from_formatted, formatted, parse, strict_faults};

/// A file before and after formatting.
struct FormattedFile<'f> {
    file: &'f InputFile,
    before: Stream,
    text: String,
}

/// Prints the files in the standard layout, writes them in place, or lists those in another layout.
pub(super) fn fmt(
    world: &dyn World,
    arguments: &FmtArguments,
    reporter: &Reporter,
    diagnostics: &mut Diagnostics,
) -> CommandResult {
    let started = Instant::now();
    let reader = InputReader::new(world, SymlinkDestinations::default());
    let mut files = reader.files(arguments.inputs())?;
    reader.report_warnings(diagnostics);
    let inputs = arguments.inputs();
    report_idle(&idle_input::FMT, &reader, inputs, &files, diagnostics);
    // A folder may contain other files, which are not formatted.
    files.retain(|file| file.role() == FileRole::YamlTemplate);
    let formatted = format_all(world, arguments, &files, diagnostics);
    if arguments.debug {
        for file in &files {
            output::remark(&format!("{}\n", quoted_name(file.path.as_str())));
        }
        output::remark(&format!("total: {:?}\n", started.elapsed()));
    }
    let formatted = formatted?;
    let joined = join(&formatted);
    verify(&formatted, &joined)?;
    if arguments.comparison.is_on() {
        let changes = OutputComparison::new(formatted.iter().map(FormattedFile::change));
        return comparison::show(&changes, &arguments.comparison, reporter);
    }
    if arguments.in_place {
        write_in_place(world, &formatted, diagnostics)?;
    } else {
        output::print(joined.as_bytes())?;
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
    for warning in stream.warnings() {
        diagnostics.push(warning);
    }
    if arguments.strict {
        for fault in strict_faults(&stream) {
            diagnostics.push(Box::new(fault));
        }
    }
    let text = diagnostics.check(formatted(&stream))?;
    Ok(FormattedFile {
        file,
        before: stream,
        text,
    })
}

fn write_in_place(
    world: &dyn World,
    files: &[FormattedFile<'_>],
    diagnostics: &mut Diagnostics,
) -> Result<()> {
    let mut changed: Vec<FileText<'_>> = Vec::new();
    for file in files {
        if file.has_changed()
            && let Some(path) = file.file.place()
        {
            changed.push(FileText {
                path,
                real: file.file.real(),
                before: file.before.source.written_text(),
                text: &file.text,
            });
        }
    }
    output::write_files(world, &changed, diagnostics)
}

/// Parses the text to be written, and compares it with the text that was read: for each file, and
/// for the stream of all files.
///
/// # Errors
/// Fails for a difference, which is a bug. In that case, nothing must be written.
fn verify(files: &[FormattedFile<'_>], joined: &str) -> Result<(), CommandFailure> {
    for file in files {
        verify_text(
            &file.text,
            std::slice::from_ref(file),
            &file.file.path.to_string(),
        )?;
    }
    if files.len() > 1 {
        verify_text(joined, files, "the files together")?;
    }
    Ok(())
}

fn verify_text(text: &str, files: &[FormattedFile<'_>], name: &str) -> Result<(), CommandFailure> {
    let bug = |what: &str| CommandFailure::Bug(format!("formatting {name} would change {what}"));
    let source = Source::new(name, text).map_err(|_| bug("it to one of 4 GiB or more"))?;
    let after = parse(&source)
        .map_err(|error| bug(&format!("it to a text with an error: {}", error.message)))?;
    match differs_from_formatted(files.iter().map(|file| &file.before), &after) {
        Some(what) => Err(bug(what)),
        None => Ok(()),
    }
}

/// Returns the files as one stream of documents.
fn join(files: &[FormattedFile<'_>]) -> String {
    let mut joined = String::new();
    for file in files {
        if !joined.is_empty() {
            joined.push_str(separator(&joined, &file.text));
        }
        joined.push_str(&file.text);
    }
    joined
}

/// Returns the marker that is needed between a text and the next one.
fn separator(text: &str, next: &str) -> &'static str {
    let mut lines = next.lines();
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
    match first {
        // After content, a line with `%` would be content too.
        Some(line) if line.starts_with('%') => "...\n",
        Some(line) if line.starts_with("---") => "",
        Some(_) if !text.ends_with("\n---\n") => "---\n",
        _ => "",
    }
}

impl FormattedFile<'_> {
    fn change(&self) -> OutputChange<'_> {
        let name = match self.file.place() {
            Some(place) => place.display().to_string(),
            None => self.file.path.to_string(),
        };
        OutputChange::text(name, self.before.source.written_text(), &self.text)
    }

    fn has_changed(&self) -> bool {
        self.text != self.before.source.written_text()
    }
}
