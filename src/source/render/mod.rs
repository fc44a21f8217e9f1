//! The printed forms of diagnostics, and the only code that prints them.
//!
//! Whatever the form, a place in an embedded document is told as a place of the file on disk, and text that came from
//! a user cannot steer the terminal: [`visible`] makes every control character plain to see.

mod excerpt;
mod human;
mod json;
mod place;
mod short;
mod visible;

use super::Diagnostic;

/// How to print diagnostics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DiagnosticFormat {
    /// The lines meant, underlined, with notes and help.
    #[default]
    Human,
    /// One line a diagnostic, `file:line:column: error[code]: message`, as editors and CI logs expect it.
    Short,
    /// One JSON object a line.
    Json,
}

impl DiagnosticFormat {
    /// Every format, in the order to offer them.
    pub const ALL: [DiagnosticFormat; 3] = [
        DiagnosticFormat::Human,
        DiagnosticFormat::Short,
        DiagnosticFormat::Json,
    ];

    /// The name that a flag takes.
    pub fn name(self) -> &'static str {
        match self {
            DiagnosticFormat::Human => "human",
            DiagnosticFormat::Short => "short",
            DiagnosticFormat::Json => "json",
        }
    }
}

/// The width of an excerpt where no terminal says otherwise.
pub const DEFAULT_WIDTH: usize = 140;

/// Turns diagnostics into text.
#[derive(Clone, Copy, Debug)]
pub struct Renderer {
    /// The form.
    pub format: DiagnosticFormat,
    /// Whether to colour the human form with ANSI escapes.
    pub color: bool,
    /// How many characters of a line the human form shows; a longer line is cut around the place meant.
    pub width: usize,
}

impl Renderer {
    /// A renderer without colour, for [`DEFAULT_WIDTH`].
    pub fn new(format: DiagnosticFormat) -> Renderer {
        Renderer {
            format,
            color: false,
            width: DEFAULT_WIDTH,
        }
    }

    /// Prints the diagnostics in the order given. Every line ends with a line break; no diagnostics give no text.
    pub fn render(&self, diagnostics: &[Diagnostic]) -> String {
        match self.format {
            DiagnosticFormat::Human => human::render(diagnostics, self.color, self.width),
            DiagnosticFormat::Short => diagnostics.iter().map(short::line).collect(),
            DiagnosticFormat::Json => diagnostics.iter().map(json::line).collect(),
        }
    }
}
