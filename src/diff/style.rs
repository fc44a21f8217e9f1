//! How differences are printed: color, and what must not be shown.

/// How a diff is printed.
#[derive(Clone, Copy, Debug)]
pub struct DiffStyle {
    /// Whether the lines are colored.
    pub color: bool,
    /// Whether the values of Secrets are shown.
    pub shows_secrets: bool,
}

/// The role of a line, which decides its color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineRole {
    Title,
    Hunk,
    Added,
    Removed,
    Changed,
    Context,
}

impl DiffStyle {
    /// Returns a line of the diff with its line break.
    pub(super) fn line(self, role: LineRole, line: &str) -> String {
        let code = match role {
            _ if !self.color => return format!("{line}\n"),
            LineRole::Title => "1",
            LineRole::Hunk => "36",
            LineRole::Added => "32",
            LineRole::Removed => "31",
            LineRole::Changed => "33",
            LineRole::Context => return format!("{line}\n"),
        };
        // The line break stays outside: some pagers would color the next line as well.
        format!("\x1b[{code}m{line}\x1b[0m\n")
    }
}
