//! Differences as diagnostics, which repository hosts show next to the lines of a pull request.
//!
//! ```text
//! rendered/app.yml                    diagnostic
//! 5   replicas: 1                     rendered/app.yml:5: the file differs from the output
//!                                       -  replicas: 1
//!                                       +  replicas: 2
//! ```

use std::sync::Arc;

use super::OutputChange;
use super::lines::{DiffGroup, DiffLine, diff_lines};
use super::style::DiffStyle;
use super::text_lines::ShownLines;
use crate::source::{Code, Diagnostic, Location, Source, Span};

/// The maximum number of differences in a file that get a diagnostic. Hosts show at most ten.
const MOST_HUNKS: usize = 10;

/// The maximum number of lines of a difference in its diagnostic.
const MOST_LINES: usize = 20;

/// The printable lines of both texts, with Secrets hidden.
struct ShownTexts<'t> {
    old: ShownLines<'t>,
    new: ShownLines<'t>,
}

impl ShownTexts<'_> {
    /// Returns the lines of a difference with their signs, as in a patch.
    fn lines_of(&self, group: &DiffGroup) -> Vec<String> {
        let mut lines = Vec::new();
        for line in group.lines.iter().take(MOST_LINES) {
            let (sign, shown) = match *line {
                DiffLine::Removed { before } => ('-', self.old.line(before)),
                DiffLine::Added { after } => ('+', self.new.line(after)),
                DiffLine::Unchanged { after } => (' ', self.new.line(after)),
            };
            lines.push(format!("{sign}{}", shown.trim_end_matches('\n')));
        }
        if group.lines.len() > MOST_LINES {
            lines.push(format!("and {} more lines", group.lines.len() - MOST_LINES));
        }
        lines
    }
}

/// Returns a diagnostic for each difference of a file. `is_file` says whether there is a file with
/// this name, and not only an output.
pub(super) fn of_change(
    change: &OutputChange<'_>,
    style: DiffStyle,
    is_file: bool,
) -> Vec<Diagnostic> {
    let source = as_source(change).filter(|_| is_file);
    let at = |span| source.as_ref().map(|source| Location::new(source, span));
    let whole = |message: &str| {
        let message = format!("`{}` {message}", change.name);
        vec![*Diagnostic::error(Code::Difference, message).at(at(Span::at(0)), "")]
    };
    let Some((before, after)) = change.texts() else {
        return whole("differs from the output");
    };
    match (&change.before, &change.after) {
        (None, _) => return whole("does not exist, and is part of the output"),
        (_, None) => return whole("exists, but is not part of the output"),
        (Some(_), Some(_)) => {}
    }
    let shown = ShownTexts {
        old: ShownLines::new(before, style),
        new: ShownLines::new(after, style),
    };
    let groups = diff_lines(before, after, 0);
    let mut differences = Vec::new();
    for group in groups.iter().take(MOST_HUNKS) {
        let message = format!("`{}` differs from the output", change.name);
        let difference = Diagnostic::error(Code::Difference, message);
        let span = source.as_ref().and_then(|source| old_lines(source, group));
        let lines = shown.lines_of(group).join("\n");
        let difference = match span.and_then(at) {
            Some(place) => difference.at(place, lines),
            None => difference.note(lines),
        };
        differences.push(*difference);
    }
    let more = groups.len().saturating_sub(MOST_HUNKS);
    if more > 0
        && let Some(last) = differences.last_mut()
    {
        last.notes
            .push(format!("and {more} more differences in this file"));
    }
    differences
}

/// Returns the existing text, under the name of the file.
fn as_source(change: &OutputChange<'_>) -> Option<Arc<Source>> {
    let (before, _) = change.texts()?;
    Source::new(change.name.as_str(), before).ok()
}

/// Returns the lines of the file that would change, or the line above lines that would be added.
fn old_lines(source: &Source, group: &DiffGroup) -> Option<Span> {
    let (Some(first), Some(last)) = (group.removed().next(), group.removed().last()) else {
        return Some(source.line_span(group.line_above()));
    };
    // Line numbers start at 1 in a source, and at 0 in a diff.
    let (first, last) = (source.line_span(first + 1), source.line_span(last + 1));
    Some(Span::new(first.start(), last.end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn added_lines_are_at_the_line_of_the_file_above_them() {
        let before = "a\nb\nc\nd\ne\nf\n";
        let after = "1\n2\n3\na\nb\nc\nd\ne\nnew\nf\n";
        let style = DiffStyle {
            color: false,
            shows_secrets: true,
        };
        let change = OutputChange::text("a.yml", before, after);
        let lines: Vec<usize> = of_change(&change, style, true)
            .iter()
            .filter_map(|diagnostic| diagnostic.labels.first())
            .map(|label| label.location.line_column().line)
            .collect();
        assert_eq!(lines, [1, 5]);
    }
}
