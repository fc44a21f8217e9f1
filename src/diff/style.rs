//! The printing style of differences: color, and whether Secrets are shown.

/// The style in which a diff is printed.
#[derive(Clone, Copy, Debug)]
pub struct DiffStyle {
    /// Whether the lines are colored.
    pub color: bool,
    /// Whether the values of Secrets are shown.
    pub shows_secrets: bool,
}

/// The role of a line, which determines its color.
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
    /// Returns a line of the diff, including its line break.
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
        // Keep the line break outside, because some pagers would color the next line as well.
        format!("\x1b[{code}m{line}\x1b[0m\n")
    }
}
