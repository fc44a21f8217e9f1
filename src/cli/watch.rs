//! `--watch`: runs a command again whenever its input changes, and shows the changes of its output.
//!
//! Only changed files are read and parsed again. The texts and trees of the others are kept between
//! runs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::arguments::{ComparisonArguments, DiffForm, WatchArguments};
use super::comparison::{self, OutputText};
use super::ending::{CommandFailure, CommandResult, Ending};
use super::output::{self, Reporter};
use crate::source::world::{FileWatcher, Recording, WatchedPlaces, World};
use crate::source::{
    Code, Diagnostic, DiagnosticFormat, Diagnostics, KeptFiles, Renderer, Result, Severity,
    visible_line,
};
use crate::yaml::{keep_parsed, parses};

/// Runs a command until it is interrupted. `render` returns its output.
///
/// # Errors
/// Fails if the system cannot watch the files. Errors of the command are reported, and it runs
/// again.
pub(super) fn watch(
    world: &dyn World,
    arguments: &WatchArguments,
    form: Option<DiffForm>,
    reporter: &Reporter,
    render: impl Fn(&dyn World, &mut Diagnostics) -> Result<Vec<OutputText>, CommandFailure>,
) -> CommandResult {
    let kept = KeptFiles::new(world);
    let mut watcher = FileWatcher::new().map_err(not_watched)?;
    let parsed = parses();
    rehearse(world, &render, &mut watcher)?;
    let mut watched = Watched {
        render,
        reporter,
        shown: ComparisonArguments {
            diff: Some(form.unwrap_or(DiffForm::Unified)),
            ..ComparisonArguments::default()
        },
        last: None,
        parsed,
        known: BTreeMap::new(),
        last_places: WatchedPlaces::default(),
    };
    let mut runs: u64 = 0;
    loop {
        watched.run(&kept, &mut watcher)?;
        runs += 1;
        if arguments.watch_runs == Some(runs) {
            return Ok(Ending::Success);
        }
        let changed = watcher.wait().map_err(not_watched)?;
        kept.forget(&changed);
        print_changed(world, changed);
    }
}

/// Runs the command once to determine the files to watch. A file could change between this run and
/// the first look at its folder, so the result of this run is not used for anything else.
fn rehearse(
    world: &dyn World,
    render: impl Fn(&dyn World, &mut Diagnostics) -> Result<Vec<OutputText>, CommandFailure>,
    watcher: &mut FileWatcher,
) -> Result<()> {
    keep_parsed();
    let recording = Recording::without_input(world);
    let _ = render(&recording, &mut Diagnostics::default());
    watcher.watch(recording.places()).map_err(not_watched)?;
    Ok(())
}

/// A run of the command, for the line that ends its report.
struct FinishedRun {
    /// The files and folders to watch.
    places: WatchedPlaces,
    /// The number of files that were read.
    files: usize,
    /// The number of files that were parsed.
    parsed: u64,
    time: Duration,
}

/// A watched command, and the results of its last runs.
struct Watched<'w, R> {
    render: R,
    reporter: &'w Reporter,
    /// The form in which changes of the output are shown.
    shown: ComparisonArguments,
    /// The number of files that were parsed up to the end of the last run. The files that the
    /// rehearsal parsed count for the first run.
    parsed: u64,
    /// The output of the last run that succeeded.
    last: Option<Vec<OutputText>>,
    /// The messages of the last run.
    known: BTreeMap<String, Severity>,
    /// The files and folders that the last successful run read.
    last_places: WatchedPlaces,
}

impl<R> Watched<'_, R>
where
    R: Fn(&dyn World, &mut Diagnostics) -> Result<Vec<OutputText>, CommandFailure>,
{
    /// Runs the command, shows the changes, and watches the files that it read.
    fn run(&mut self, kept: &KeptFiles<'_>, watcher: &mut FileWatcher) -> CommandResult {
        let mut run = self.run_once(kept)?;
        // A folder that was not watched may have changed after it was read, so it is read again.
        while watcher.watch(run.places).map_err(not_watched)? {
            let again = self.run_once(kept)?;
            run = FinishedRun {
                parsed: run.parsed + again.parsed,
                time: run.time + again.time,
                ..again
            };
        }
        let files = match run.files {
            1 => "1 file".to_owned(),
            count => format!("{count} files"),
        };
        output::remark(&format!(
            "-- {files}, {} parsed, {} ms; watching\n",
            run.parsed,
            run.time.as_millis(),
        ));
        Ok(Ending::Success)
    }

    /// Runs the command, and shows what is new.
    fn run_once(&mut self, kept: &KeptFiles<'_>) -> Result<FinishedRun, CommandFailure> {
        keep_parsed();
        let started = Instant::now();
        let recording = Recording::without_input(kept);
        let mut diagnostics = Diagnostics::default();
        let result = (self.render)(&recording, &mut diagnostics);
        let time = started.elapsed();
        // Before the comparison, which parses the two outputs.
        let parsed = parses() - self.parsed;
        match result {
            Ok(output) => {
                self.show(output)?;
            }
            Err(CommandFailure::Error(error)) => diagnostics.push(error),
            Err(CommandFailure::Reported | CommandFailure::Summary(_)) => {}
            Err(other @ (CommandFailure::Usage(_) | CommandFailure::Bug(_))) => return Err(other),
        }
        self.parsed = parses();
        let failed = diagnostics.failed();
        let known = std::mem::take(&mut self.known);
        self.known = report_new(diagnostics, known, self.reporter);
        let mut places = recording.places();
        let files = places.files.len();
        match failed {
            // The run may have stopped before it read the files of the last successful run.
            true => places.extend(self.last_places.clone()),
            false => self.last_places = places.clone(),
        }
        Ok(FinishedRun {
            places,
            files,
            parsed,
            time,
        })
    }

    /// Prints the differences from the last output.
    fn show(&mut self, output: Vec<OutputText>) -> CommandResult {
        if let Some(last) = &self.last {
            let changes = comparison::compare(last, &output);
            comparison::show(&changes, &self.shown, self.reporter)?;
        }
        self.last = Some(output);
        Ok(Ending::Success)
    }
}

/// Prints the names of changed files, as short as the user would type them.
fn print_changed(world: &dyn World, changed: BTreeSet<PathBuf>) {
    let here = world.canonical(Path::new(".")).unwrap_or_default();
    for path in changed {
        let path = path.strip_prefix(&here).unwrap_or(&path);
        let line = visible_line(&path.display().to_string());
        output::remark(&format!("-- changed: {line}\n"));
    }
}

/// Prints the messages that the previous run did not have, and those that are gone. Returns the
/// current ones, each on one line with its severity.
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
        // A run that stops at an error may not have reached the place of a warning.
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
