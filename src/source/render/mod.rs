//! Prints diagnostics. No other module does.
//!
//! The forms are human (annotated source lines), short (one line), JSON, GitHub's and SARIF. Each
//! diagnostic goes through the same two steps:
//!
//! ```text
//! Location in the innermost source          line 2 of the JSON in a string of app.yaml
//!   │ PrintedPlace::of (place.rs)           through the offset maps of all strings around it
//! place in the file                         app.yaml:7:12
//!   │ human.rs, json.rs, short_line
//! text
//! ```
//!
//! Invariants of all forms:
//!
//! - A place in an embedded document is printed as a place in the file.
//! - Text from outside cannot control the terminal: `visible` replaces every control character.
//! - The time and size of a report depend on the number of labels and the width, not on the size of
//!   the file (see `excerpt`).

mod excerpt;
mod github;
mod human;
mod json;
mod place;
mod repository;
mod sarif;
mod visible;

use super::{Diagnostic, Remedy};
use place::PrintedPlace;
pub use repository::RepositoryPaths;
pub use visible::{quoted_name, visible_line};

/// The form in which diagnostics are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DiagnosticFormat {
    /// The source lines, underlined, with notes and help.
    #[default]
    Human,
    /// One line per diagnostic, `file:line:column: error[code]: message`, as editors and CI logs
    /// expect it.
    Short,
    /// One JSON object per line.
    Json,
    /// One workflow command per line, for GitHub Actions.
    Github,
    /// One SARIF 2.1.0 log, for code scanning.
    Sarif,
}

impl DiagnosticFormat {
    /// Every format, in the order in which flags offer them.
    pub const ALL: [DiagnosticFormat; 5] = [
        DiagnosticFormat::Human,
        DiagnosticFormat::Short,
        DiagnosticFormat::Json,
        DiagnosticFormat::Github,
        DiagnosticFormat::Sarif,
    ];

    /// Returns the name that a flag takes.
    pub fn name(self) -> &'static str {
        match self {
            DiagnosticFormat::Human => "human",
            DiagnosticFormat::Short => "short",
            DiagnosticFormat::Json => "json",
            DiagnosticFormat::Github => "github",
            DiagnosticFormat::Sarif => "sarif",
        }
    }
}

/// The width of an excerpt if there is no terminal.
pub const DEFAULT_WIDTH: usize = 140;

/// Converts diagnostics to text.
#[derive(Clone, Copy, Debug)]
pub struct Renderer {
    /// The form.
    pub format: DiagnosticFormat,
    /// Whether the human form is colored with ANSI escapes.
    pub color: bool,
    /// The maximum number of characters of a line in the human form. Longer lines are cut around
    /// the labels.
    pub width: usize,
}

impl Renderer {
    /// Creates a renderer without color, with [`DEFAULT_WIDTH`].
    pub fn new(format: DiagnosticFormat) -> Renderer {
        Renderer {
            format,
            color: false,
            width: DEFAULT_WIDTH,
        }
    }

    /// Returns the text for the diagnostics, in their order. Every line ends with a line break;
    /// without diagnostics the text is empty, except for SARIF.
    pub fn render(&self, diagnostics: &[Diagnostic]) -> String {
        self.render_in(diagnostics, &RepositoryPaths::default())
    }

    /// Returns the text as [`render`](Self::render) does. The forms for GitHub use the paths of
    /// files in the repository.
    pub fn render_in(&self, diagnostics: &[Diagnostic], paths: &RepositoryPaths) -> String {
        match self.format {
            DiagnosticFormat::Human => human::render(diagnostics, self.color, self.width),
            DiagnosticFormat::Short => diagnostics.iter().map(short_line).collect(),
            DiagnosticFormat::Json => diagnostics.iter().map(json::line).collect(),
            DiagnosticFormat::Github => {
                let lines = diagnostics
                    .iter()
                    .map(|diagnostic| github::line(diagnostic, paths));
                lines.collect()
            }
            DiagnosticFormat::Sarif => sarif::log(diagnostics, paths),
        }
    }
}

/// Returns the line of the short form. Notes and help are left out, except for the name that was
/// meant. So is the origin of a diagnostic without a label.
fn short_line(diagnostic: &Diagnostic) -> String {
    let (severity, code) = (diagnostic.severity.name(), diagnostic.code.name());
    let mut message = visible_line(&diagnostic.message);
    for remedy in &diagnostic.remedies {
        if let Remedy::Rename(meant) = remedy {
            message.push_str(&format!("; did you mean `{}`?", visible_line(meant)));
        }
    }
    match diagnostic.labels.first() {
        Some(label) => {
            let origin = PrintedPlace::of(&label.location).origin();
            format!("{origin}: {severity}[{code}]: {message}\n")
        }
        None => format!("{severity}[{code}]: {message}\n"),
    }
}
