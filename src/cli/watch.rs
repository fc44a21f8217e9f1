//! `--watch`: runs a command again whenever its input changes, and shows what that changes.
//!
//! Only files that changed are parsed again: parsed files are kept from run to run, and the others are
//! recognized by their text.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use super::arguments::{ComparisonArguments, DiffForm, WatchArguments};
use super::comparison::{self, OutputText};
use super::ending::{CommandFailure, CommandResult, Ending};
use super::output::{self, Reporter};
use crate::source::world::{FileWatcher, Recording, WatchedPlaces, World};
use crate::source::{
    Code, Diagnostic, DiagnosticFormat, Diagnostics, Renderer, Result, Severity, visible_line,
};
use crate::yaml::{keep_parsed, parses};

/// Runs a command until it is interrupted. `render` returns its output.
///
/// # Errors
/// The system cannot watch the files. Errors of the command are reported, and it runs again.
pub(super) fn watch(
    world: &dyn World,
    arguments: &WatchArguments,
    form: Option<DiffForm>,
    reporter: &Reporter,
    render: impl Fn(&dyn World, &mut Diagnostics) -> Result<Vec<OutputText>, CommandFailure>,
) -> CommandResult {
    let mut watcher = FileWatcher::new().map_err(not_watched)?;
    let here = world.canonical(Path::new(".")).unwrap_or_default();
    let shown = ComparisonArguments {
        diff: Some(form.unwrap_or(DiffForm::Unified)),
        ..ComparisonArguments::default()
    };
    let mut last: Option<Vec<OutputText>> = None;
    let mut known = BTreeMap::new();
    let mut runs: u64 = 0;
    let mut parsed = parses();
    // What is read is known only after a run, and a file could change between a run and the first
    // look at its folder. So there is one more run, whose files are kept.
    keep_parsed();
    let rehearsal = Recording::without_input(world);
    let _ = render(&rehearsal, &mut Diagnostics::default());
    watcher.watch(rehearsal.places()).map_err(not_watched)?;
    let mut last_places = WatchedPlaces::default();
    loop {
        keep_parsed();
        let started = Instant::now();
        let recording = Recording::without_input(world);
        let mut diagnostics = Diagnostics::default();
        let result = render(&recording, &mut diagnostics);
        let time = started.elapsed();
        // Before the comparison, which parses the two outputs.
        let count = parses() - parsed;
        if let Err(CommandFailure::Error(error)) = result {
            diagnostics.push(error);
        } else if let Ok(output) = result {
            if let Some(last) = &last {
                let changes = comparison::compare(last, &output);
                comparison::show(&changes, &shown, reporter)?;
            }
            last = Some(output);
        } else if let Err(other @ (CommandFailure::Usage(_) | CommandFailure::Bug(_))) = result {
            return Err(other);
        }
        let failed = diagnostics.failed();
        known = report_new(diagnostics, known, reporter);
        let mut places = recording.places();
        let files = places.files.len();
        match failed {
            // It may have stopped before it looked at what the last good run had read.
            true => places.extend(last_places.clone()),
            false => last_places = places.clone(),
        }
        watcher.watch(places).map_err(not_watched)?;
        output::remark(&format!(
            "-- {files} files, {count} parsed, {} ms; watching\n",
            time.as_millis(),
        ));
        parsed = parses();
        runs += 1;
        if arguments.watch_runs == Some(runs) {
            return Ok(Ending::Success);
        }
        let changed = watcher.wait().map_err(not_watched)?;
        for path in changed {
            // As short as the user would type it.
            let path = path.strip_prefix(&here).unwrap_or(&path);
            let line = visible_line(&path.display().to_string());
            output::remark(&format!("-- changed: {line}\n"));
        }
    }
}

/// Prints the messages that the run before did not have, and those that are gone. Returns those that
/// there are now, each on one line with its severity.
fn report_new(
    mut diagnostics: Diagnostics,
    known: BTreeMap<String, Severity>,
    reporter: &Reporter,
) -> BTreeMap<String, Severity> {
    crate::kubernetes::hide_secrets(&mut diagnostics);
    let renderer = Renderer::new(DiagnosticFormat::Short);
    let mut now = BTreeMap::new();
    let mut new = Diagnostics::default();
    for diagnostic in diagnostics.as_slice() {
        let line = renderer.render(std::slice::from_ref(diagnostic));
        if !known.contains_key(&line) && !now.contains_key(&line) {
            new.push(Box::new(diagnostic.clone()));
        }
        now.insert(line, diagnostic.severity);
    }
    let failed = diagnostics.failed();
    for (line, severity) in known {
        if now.contains_key(&line) {
            continue;
        }
        // A run that stops at an error has not come to what a warning was about.
        if failed && severity != Severity::Error {
            now.insert(line, severity);
        } else {
            output::remark(&format!("-- fixed: {line}"));
        }
    }
    reporter.report(&mut new);
    if failed && new.as_slice().is_empty() {
        output::remark("-- the errors above remain\n");
    }
    now
}

fn not_watched(reason: String) -> Box<Diagnostic> {
    Diagnostic::error(Code::File, format!("cannot watch files: {reason}"))
}
