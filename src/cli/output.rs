//! Standard output, standard error, and files that are written in place.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use super::arguments::{Color, GlobalArguments};
use crate::source::world::{World, reason};
use crate::source::{Code, Diagnostic, DiagnosticFormat, Renderer, Result};

/// Prints diagnostics on standard error, in the format that the flags ask for.
pub(super) struct Reporter {
    renderer: Renderer,
    colors_output: bool,
}

impl Reporter {
    /// Returns the reporter that the flags ask for.
    pub(super) fn new(global: &GlobalArguments, world: &dyn World) -> Reporter {
        // <https://no-color.org>: any value that is not empty switches color off.
        let no_color = world
            .variable("NO_COLOR")
            .is_some_and(|value| !value.is_empty());
        Reporter {
            renderer: Renderer {
                color: global.color.applies_to(&io::stderr(), no_color),
                ..Renderer::new(global.diagnostics)
            },
            colors_output: global.color.applies_to(&io::stdout(), no_color),
        }
    }

    /// Returns the reporter for calls that have no flags.
    pub(super) fn plain(world: &dyn World) -> Reporter {
        let global = GlobalArguments {
            diagnostics: DiagnosticFormat::Human,
            color: Color::Auto,
        };
        Reporter::new(&global, world)
    }

    /// Prints diagnostics.
    pub(super) fn report(&self, diagnostics: &[Diagnostic]) {
        remark(&self.renderer.render(diagnostics));
    }

    /// Returns whether standard output is colored.
    pub(super) fn colors_output(&self) -> bool {
        self.colors_output
    }
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
    // If standard error is closed, there is nobody left to report that to.
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Writes all of `bytes` to standard output.
///
/// # Errors
/// The write fails or is cut short, for example by a full disk or a closed pipe. Incomplete output
/// is never a success.
pub(super) fn print(bytes: &[u8]) -> Result<()> {
    write(|output| output.write_all(bytes))
}

/// Writes a text in pieces to standard output.
///
/// # Errors
/// As for [`print`].
pub(super) fn print_pieces<'a>(mut pieces: impl Iterator<Item = &'a str>) -> Result<()> {
    write(|output| pieces.try_for_each(|piece| output.write_all(piece.as_bytes())))
}

fn write(fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    // Dropping the writer would flush it too, but ignore the error.
    let written = fill(&mut output).and_then(|()| output.flush());
    written.map_err(|error| {
        let message = format!("cannot write standard output: {}", reason(&error));
        Diagnostic::error(Code::File, message).note("the output is not complete")
    })
}

/// A file, and the text that it gets.
pub(super) struct FileText<'t> {
    pub(super) path: &'t Path,
    pub(super) text: &'t str,
}

/// Replaces files by new ones, if all of them can be written.
///
/// # Errors
/// A file cannot be written. Then no file is changed.
pub(super) fn write_files(world: &dyn World, files: &[FileText<'_>]) -> Result<()> {
    // All new files are complete, beside the old ones, before the first takes its place.
    let mut staged = Vec::with_capacity(files.len());
    for file in files {
        let new = world.stage(file.path, file.text.as_bytes());
        staged.push((
            file.path,
            new.map_err(|error| not_written(file.path, &error))?,
        ));
    }
    for (path, new) in staged {
        // Only renames remain, which rarely fail once the new file exists in the same folder.
        new.commit().map_err(|error| not_written(path, &error))?;
    }
    Ok(())
}

fn not_written(path: &Path, error: &io::Error) -> Box<Diagnostic> {
    let message = format!("cannot write `{}`: {}", path.display(), reason(error));
    Diagnostic::error(Code::File, message)
}
