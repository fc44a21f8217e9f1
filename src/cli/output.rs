//! Standard output and standard error.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use super::arguments::{Color, Global};
use crate::source::world::{World, reason};
use crate::source::{Code, Diagnostic, DiagnosticFormat, Renderer, Result};

/// Prints diagnostics on standard error, in the form asked for.
pub(super) struct Reporter {
    renderer: Renderer,
    colors_output: bool,
}

impl Reporter {
    /// The reporter that the flags ask for.
    pub(super) fn new(global: &Global, world: &dyn World) -> Reporter {
        let allowed = world
            .variable("NO_COLOR")
            .is_none_or(|value| value.is_empty());
        let color = |terminal: bool| match global.color {
            Color::Always => true,
            Color::Never => false,
            // <https://no-color.org>: a value that is not empty switches colour off.
            Color::Auto => terminal && allowed,
        };
        let renderer = Renderer {
            color: color(io::stderr().is_terminal()),
            ..Renderer::new(global.diagnostics)
        };
        Reporter {
            renderer,
            colors_output: color(io::stdout().is_terminal()),
        }
    }

    /// The reporter where no flags can be given.
    pub(super) fn plain(world: &dyn World) -> Reporter {
        Reporter::new(
            &Global {
                diagnostics: DiagnosticFormat::Human,
                color: Color::Auto,
            },
            world,
        )
    }

    /// Prints diagnostics. Nothing can be done where standard error itself is gone.
    pub(super) fn report(&self, diagnostics: &[Diagnostic]) {
        let text = self.renderer.render(diagnostics);
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    /// Whether standard output takes colour.
    pub(super) fn colors_output(&self) -> bool {
        self.colors_output
    }
}

/// Writes a remark to standard error. Nothing can be done where that is gone.
pub(super) fn remark(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Writes all of `bytes` to standard output.
///
/// # Errors
/// A write that fails or is cut short, a full disk and a closed pipe among them: what was not written is never taken
/// for success.
pub(super) fn print(bytes: &[u8]) -> Result<()> {
    write(|output| output.write_all(bytes))
}

/// Writes a text in pieces to standard output.
///
/// # Errors
/// As [`print`].
pub(super) fn print_pieces<'a>(mut pieces: impl Iterator<Item = &'a str>) -> Result<()> {
    write(|output| pieces.try_for_each(|piece| output.write_all(piece.as_bytes())))
}

fn write(fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    fill(&mut output)
        .and_then(|()| output.flush())
        .map_err(|error| {
            Diagnostic::error(
                Code::File,
                format!("cannot write standard output: {}", reason(&error)),
            )
            .note("the output is not complete")
        })
}

/// Puts all files in their places, if all of them can be written.
///
/// # Errors
/// A file that cannot be written; then no file is changed.
pub(super) fn write_files(world: &dyn World, files: &[(&Path, &str)]) -> Result<()> {
    let cannot = |path: &Path, error: io::Error| {
        Diagnostic::error(
            Code::File,
            format!("cannot write `{}`: {}", path.display(), reason(&error)),
        )
    };
    let mut staged = Vec::with_capacity(files.len());
    for &(path, text) in files {
        staged.push((
            path,
            world
                .stage(path, text.as_bytes())
                .map_err(|error| cannot(path, error))?,
        ));
    }
    staged
        .into_iter()
        .try_for_each(|(path, file)| file.commit().map_err(|error| cannot(path, error)))
}
