//! Standard output, standard error, and files that are written in place.

use std::cell::RefCell;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use super::arguments::{Color, GlobalArguments};
use super::ending::end_without_reader;
use super::progress;
use crate::diff::DiffStyle;
use crate::kubernetes::hide_secrets;
use crate::source::world::{Replacement, World, folder_of, reason};
use crate::source::{
    Code, Diagnostic, DiagnosticFormat, Diagnostics, Renderer, RepositoryPaths, Result,
};

/// Prints diagnostics on standard error, in the format that the flags select.
pub(super) struct Reporter {
    renderer: Renderer,
    repository: RepositoryPaths,
    colors_output: bool,
    shows_secrets: bool,
    is_quiet: bool,
}

impl Reporter {
    /// Creates the reporter for the flags.
    pub(super) fn new(global: &GlobalArguments, world: &dyn World) -> Reporter {
        let no_color = refuses_color(world);
        Reporter {
            renderer: Renderer {
                color: global.color.applies_to(&io::stderr(), no_color),
                ..Renderer::new(global.diagnostics)
            },
            repository: repository(world),
            colors_output: global.color.applies_to(&io::stdout(), no_color),
            shows_secrets: global.show_secrets,
            is_quiet: global.quiet,
        }
    }

    /// Creates the reporter for calls without flags.
    pub(super) fn plain(world: &dyn World) -> Reporter {
        let global = GlobalArguments {
            diagnostics: DiagnosticFormat::Human,
            color: Color::Auto,
            show_secrets: false,
            quiet: false,
            limits: Vec::new(),
            threads: None,
        };
        Reporter::new(&global, world)
    }

    /// Prints diagnostics, without the values of Secrets.
    pub(super) fn report(&self, diagnostics: &mut Diagnostics) {
        if !self.shows_secrets {
            hide_secrets(diagnostics);
        }
        let diagnostics = diagnostics.as_slice();
        remark(&self.renderer.render_in(diagnostics, &self.repository));
    }

    /// Returns whether programs read the diagnostics, such as editors and repository hosts.
    pub(super) fn is_for_programs(&self) -> bool {
        self.renderer.format != DiagnosticFormat::Human
    }

    /// Prints a text on standard error, after the diagnostics, unless a program reads these.
    pub(super) fn summarize(&self, text: &str) {
        if !self.is_for_programs() {
            remark(text);
        }
    }

    /// Prints the list of the files that a build has written, unless the user asked for quiet.
    ///
    /// # Errors
    /// Fails if standard output cannot be written.
    pub(super) fn list_written(&self, list: &str) -> Result<()> {
        match self.is_quiet {
            true => Ok(()),
            false => print(list.as_bytes()),
        }
    }

    /// Returns the style for printing diffs.
    pub(super) fn diff_style(&self) -> DiffStyle {
        DiffStyle {
            color: self.colors_output,
            shows_secrets: self.shows_secrets,
        }
    }
}

/// Returns the place where GitHub Actions has checked out the repository, if this is such a run.
fn repository(world: &dyn World) -> RepositoryPaths {
    let root = world.variable("GITHUB_WORKSPACE");
    let root = root.and_then(|root| world.canonical(Path::new(&root)).ok());
    match (root, world.canonical(Path::new("."))) {
        (Some(root), Ok(working_folder)) => RepositoryPaths {
            root,
            working_folder,
        },
        _ => RepositoryPaths::default(),
    }
}

/// Returns whether the environment asks for output without color.
fn refuses_color(world: &dyn World) -> bool {
    // <https://no-color.org>: any value that is not empty turns color off.
    let no_color = world.variable("NO_COLOR");
    // A dumb terminal prints the escape sequences of colors as characters.
    no_color.is_some_and(|value| !value.is_empty())
        || world.variable("TERM").as_deref() == Some("dumb")
}

impl Color {
    fn applies_to(self, stream: &impl IsTerminal, no_color: bool) -> bool {
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => stream.is_terminal() && !no_color,
        }
    }
}

/// Writes a text to standard error.
pub(super) fn remark(text: &str) {
    progress::end();
    // If standard error is closed, there is no way to report it.
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Writes all of `bytes` to standard output.
///
/// # Errors
/// Fails if the write fails or is incomplete, for example because the disk is full. Incomplete
/// output is never a success. If a pipe is not read any more, the process ends.
pub(super) fn print(bytes: &[u8]) -> Result<()> {
    write(|output| output.write_all(bytes))
}

/// Writes a text in pieces to standard output.
///
/// # Errors
/// Fails as [`print()`] does.
pub(super) fn print_pieces<'a>(mut pieces: impl Iterator<Item = &'a str>) -> Result<()> {
    write(|output| pieces.try_for_each(|piece| output.write_all(piece.as_bytes())))
}

thread_local! {
    /// The output of the command that this thread runs for [`captured`].
    static CAPTURED: RefCell<Option<Vec<u8>>> = const { RefCell::new(None) };
}

/// Runs a command, and returns its result together with its standard output.
///
/// The playground shows exactly what the command line prints, so it runs the same commands.
/// Commands print from the thread that runs them.
pub(super) fn captured<R>(command: impl FnOnce() -> R) -> (R, String) {
    CAPTURED.replace(Some(Vec::new()));
    let result = command();
    let printed = CAPTURED.replace(None).unwrap_or_default();
    (result, String::from_utf8_lossy(&printed).into_owned())
}

/// Writes to the captured output; returns `None` if the output is not captured.
fn write_captured(
    fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> Option<io::Result<()>> {
    CAPTURED.with_borrow_mut(|captured| captured.as_mut().map(|text| fill(text)))
}

fn write(mut fill: impl FnMut(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    // Writing to memory cannot fail.
    if let Some(Ok(())) = write_captured(&mut fill) {
        return Ok(());
    }
    progress::end();
    let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    // Dropping the writer would also flush it, but ignore the error.
    let written = fill(&mut output).and_then(|()| output.flush());
    written.map_err(|error| {
        if error.kind() == io::ErrorKind::BrokenPipe {
            end_without_reader();
        }
        let message = format!("cannot write standard output: {}", reason(&error));
        Diagnostic::error(Code::File, message).note("the output is not complete")
    })
}

/// A file and its new text.
pub(super) struct FileText<'t> {
    /// The path as the user wrote it.
    pub(super) path: &'t Path,
    /// The canonical path, if it is a regular file.
    pub(super) real: Option<&'t Path>,
    /// The text that was read.
    pub(super) before: &'t str,
    pub(super) text: &'t str,
}

/// Replaces files by new ones, if all of them can be written. Reports files whose other hard links
/// keep the old text.
///
/// # Errors
/// Fails if a file cannot be written, or was changed since it was read. In that case, no file is
/// changed.
pub(super) fn write_files(
    world: &dyn World,
    files: &[FileText<'_>],
    diagnostics: &mut Diagnostics,
) -> Result<()> {
    let mut replacements = Vec::with_capacity(files.len());
    for file in files {
        let Some(place) = file.real else {
            return Err(not_written(file.path, "it is not a regular file"));
        };
        replacements.push(Replacement {
            place,
            before: file.before.as_bytes(),
            after: file.text.as_bytes(),
        });
    }
    // Messages show the path of a file as the user wrote it.
    let named = |real: &Path| {
        let found = files.iter().find(|file| file.real == Some(real));
        found.map_or(real, |file| file.path).to_owned()
    };
    let on_wait = |folder: &Path| {
        let is_in = |file: &&FileText<'_>| file.real.and_then(Path::parent) == Some(folder);
        progress::show_wait(
            files
                .iter()
                .find(is_in)
                .map_or(folder, |file| folder_of(file.path)),
        );
        Ok(())
    };
    let replaced = world.replace(&replacements, &on_wait).map_err(|failure| {
        not_written(&named(&failure.place), &reason(&failure.error)).note("no file is changed")
    })?;
    for place in replaced.separated {
        let place = named(&place);
        let message = format!("`{}` had further names (hard links)", place.display());
        diagnostics.push(
            Diagnostic::warning(Code::File, message)
                .note("they are another file now, with the old content"),
        );
    }
    Ok(())
}

fn not_written(path: &Path, reason: &str) -> Box<Diagnostic> {
    let message = format!("cannot write `{}`: {reason}", path.display());
    Diagnostic::error(Code::File, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::world::Memory;

    #[test]
    fn the_environment_turns_color_off() {
        let table = [
            ("TERM", "xterm", false),
            ("TERM", "dumb", true),
            ("NO_COLOR", "", false),
            ("NO_COLOR", "1", true),
        ];
        for (name, value, expected) in table {
            let mut world = Memory::default();
            world.variables.insert(name.to_owned(), value.to_owned());
            assert_eq!(refuses_color(&world), expected, "{name}={value}");
        }
    }
}
