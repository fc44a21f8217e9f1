//! Standard output and standard error.

use std::io::{self, IsTerminal, Write};

use super::arguments::{Color, Diagnostics, Global};

use crate::source::{Code, Diagnostic, DiagnosticFormat, Renderer, Result};

/// Prints diagnostics on standard error, in the form asked for.
pub(super) struct Reporter {
    renderer: Renderer,
    color: Color,
}

impl Default for Reporter {
    fn default() -> Reporter {
        Reporter::new(&Global { diagnostics: Diagnostics::Human, color: Color::Auto })
    }
}

impl Reporter {
    pub(super) fn new(global: &Global) -> Reporter {
        let format = match global.diagnostics {
            Diagnostics::Human => DiagnosticFormat::Human,
            Diagnostics::Short => DiagnosticFormat::Short,
            Diagnostics::Json => DiagnosticFormat::Json,
        };
        let color = use_color(global.color, io::stderr().is_terminal());
        Reporter { renderer: Renderer { color, ..Renderer::new(format) }, color: global.color }
    }

    /// Prints diagnostics. Nothing can be done where standard error itself is gone.
    pub(super) fn report(&self, diagnostics: &[Diagnostic]) {
        let text = self.renderer.render(diagnostics);
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    /// Whether standard output takes colour.
    pub(super) fn colors_output(&self) -> bool {
        use_color(self.color, io::stdout().is_terminal())
    }
}

/// <https://no-color.org>: a value that is not empty switches colour off.
fn use_color(color: Color, terminal: bool) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
    }
}

/// Writes all of `bytes` to standard output.
///
/// # Errors
/// A write that fails or is cut short, a full disk and a closed pipe among them: what was not written is never taken
/// for success.
pub(super) fn print(bytes: &[u8]) -> Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(bytes).and_then(|()| output.flush()).map_err(|error| {
        Diagnostic::error(Code::File, format!("cannot write standard output: {error}"))
            .note("the output is not complete")
    })
}
