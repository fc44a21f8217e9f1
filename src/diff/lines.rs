//! The lines in which two texts differ, in groups with the unchanged lines around them.
//!
//! ```text
//! before   after   lines
//! a: 1     a: 1      a: 1     unchanged
//! b: 2     b: 3    - b: 2     removed
//! c: 4     c: 4    + b: 3     added
//!                    c: 4     unchanged
//! ```
//!
//! A line ends with a line feed, so a line has the same index here and in every other list of the
//! lines of its text, such as that of the lines without the values of Secrets.

use std::ops::Range;

use imara_diff::{Algorithm, Diff, Hunk, InternedInput};

use super::line_parts::{self, LinePart};
use crate::source::steps;

/// A line of a difference. An index counts the lines of its text from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DiffLine {
    Removed { before: usize },
    Added { after: usize },
    Unchanged { after: usize },
}

/// Lines that differ and are near each other, with the unchanged lines around them.
pub(super) struct DiffGroup {
    /// The lines of the text before.
    before: Range<usize>,
    /// The lines of the text after.
    after: Range<usize>,
    /// In the order of a patch: removed lines come before the lines that replace them.
    pub(super) lines: Vec<DiffLine>,
}

impl DiffGroup {
    /// Returns the header of the group in a patch: `@@ -12,3 +12,4 @@`.
    pub(super) fn header(&self) -> String {
        format!(
            "@@ -{} +{} @@",
            patch_range(&self.before),
            patch_range(&self.after)
        )
    }

    /// Returns the number, from one, of the line of the text before that is above the group; 1 if
    /// the group is at its start.
    pub(super) fn line_above(&self) -> usize {
        self.before.start.max(1)
    }

    /// Returns the lines of the text before that are removed; empty if lines are only added.
    pub(super) fn removed(&self) -> impl Iterator<Item = usize> {
        self.lines.iter().filter_map(|line| match line {
            DiffLine::Removed { before } => Some(*before),
            _ => None,
        })
    }

    /// Returns the lines of the text after that are added; empty if lines are only removed.
    pub(super) fn added(&self) -> impl Iterator<Item = usize> {
        self.lines.iter().filter_map(|line| match line {
            DiffLine::Added { after } => Some(*after),
            _ => None,
        })
    }
}

/// Returns a range as patches contain it, by the convention of unified diffs: lines count from one,
/// a count of one is left out, and an empty range names the line above it.
fn patch_range(range: &Range<usize>) -> String {
    match range.len() {
        0 => format!("{},0", range.start),
        1 => format!("{}", range.start + 1),
        count => format!("{},{count}", range.start + 1),
    }
}

/// Returns the lines of a text. Each one but the last ends with a line feed.
pub(super) fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive('\n')
}

/// Compares two texts line by line, and returns the lines that differ with at most `context`
/// unchanged lines above and below them. Differences whose unchanged lines touch are one group.
pub(super) fn diff_lines(before: &str, after: &str, context: usize) -> Vec<DiffGroup> {
    let before: Vec<&str> = lines_of(before).collect();
    let after: Vec<&str> = lines_of(after).collect();
    let mut groups: Vec<DiffGroup> = Vec::new();
    for part in line_parts::parts(&before, &after) {
        for (removed, added) in differences(&before, &after, &part) {
            match groups.last_mut() {
                Some(group) if added.start - group.after.end <= 2 * context => {
                    group.continue_to(added.start);
                    group.change(removed, added);
                }
                last => {
                    if let Some(group) = last {
                        group.continue_to((group.after.end + context).min(after.len()));
                    }
                    // Both texts have the same lines above a difference.
                    let above = context.min(added.start);
                    let mut group = DiffGroup {
                        before: removed.start - above..removed.start - above,
                        after: added.start - above..added.start - above,
                        lines: Vec::new(),
                    };
                    group.continue_to(added.start);
                    group.change(removed, added);
                    groups.push(group);
                }
            }
        }
    }
    if let Some(group) = groups.last_mut() {
        group.continue_to((group.after.end + context).min(after.len()));
    }
    groups
}

/// The number of lines up to which the histogram algorithm compares a part. It takes time for each
/// difference and each line after it. A longer part has no line that both sides have once, so its
/// differences would not be easier to read.
const MAX_HISTOGRAM_LINES: usize = 20_000;

/// Returns the lines of a part that are removed and added, in order.
fn differences(
    before: &[&str],
    after: &[&str],
    part: &LinePart,
) -> Vec<(Range<usize>, Range<usize>)> {
    let (first_before, first_after) = (part.before.start, part.after.start);
    let mut input = InternedInput::default();
    input.update_before(before[part.before.clone()].iter().copied());
    input.update_after(after[part.after.clone()].iter().copied());
    let algorithm = match part.before.len().max(part.after.len()) {
        0..=MAX_HISTOGRAM_LINES => Algorithm::Histogram,
        _ => Algorithm::Myers,
    };
    let mut diff = Diff::compute(algorithm, &input);
    // Of several places where a difference can start, take the one that git would show.
    diff.postprocess_lines(&input);
    let differences: Vec<_> = diff
        .hunks()
        .map(|hunk| ranges(&hunk, first_before, first_after))
        .collect();
    if algorithm == Algorithm::Histogram {
        steps::count(differences.len() * part.before.len());
    }
    differences
}

fn ranges(hunk: &Hunk, before: usize, after: usize) -> (Range<usize>, Range<usize>) {
    let range =
        |lines: &Range<u32>, first: usize| first + lines.start as usize..first + lines.end as usize;
    (range(&hunk.before, before), range(&hunk.after, after))
}

impl DiffGroup {
    /// Appends the unchanged lines up to a line of the text after.
    fn continue_to(&mut self, end: usize) {
        let unchanged = self.after.end..end;
        self.before.end += unchanged.len();
        self.after.end = end;
        self.lines
            .extend(unchanged.map(|after| DiffLine::Unchanged { after }));
    }

    /// Appends lines that differ. They start where the group ends.
    fn change(&mut self, removed: Range<usize>, added: Range<usize>) {
        self.before.end = removed.end;
        self.after.end = added.end;
        self.lines
            .extend(removed.map(|before| DiffLine::Removed { before }));
        self.lines
            .extend(added.map(|after| DiffLine::Added { after }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the groups as a patch without the names of files.
    fn patch(before: &str, after: &str, context: usize) -> String {
        let (old, new): (Vec<&str>, Vec<&str>) =
            (lines_of(before).collect(), lines_of(after).collect());
        let mut text = String::new();
        for group in diff_lines(before, after, context) {
            text.push_str(&format!("{}\n", group.header()));
            for line in &group.lines {
                text.push_str(&match *line {
                    DiffLine::Removed { before } => format!("-{}", old[before]),
                    DiffLine::Added { after } => format!("+{}", new[after]),
                    DiffLine::Unchanged { after } => format!(" {}", new[after]),
                });
            }
        }
        text
    }

    #[test]
    fn groups_differences_whose_context_touches() {
        let before = "a\nb\nc\nd\ne\nf\ng\nh\ni\n";
        let after = "a\nB\nc\nd\nE\nf\ng\nh\ni\nj\n";
        assert_eq!(
            patch(before, after, 1),
            "@@ -1,6 +1,6 @@\n a\n-b\n+B\n c\n d\n-e\n+E\n f\n@@ -9 +9,2 @@\n i\n+j\n"
        );
        assert_eq!(
            patch(before, after, 0),
            "@@ -2 +2 @@\n-b\n+B\n@@ -5 +5 @@\n-e\n+E\n@@ -9,0 +10 @@\n+j\n"
        );
    }

    #[test]
    fn names_the_line_above_an_empty_range() {
        assert_eq!(patch("", "a\n", 3), "@@ -0,0 +1 @@\n+a\n");
        assert_eq!(patch("a\nb\n", "", 3), "@@ -1,2 +0,0 @@\n-a\n-b\n");
        assert_eq!(patch("a\n", "a\n", 3), "");
    }

    #[test]
    fn starts_an_added_block_where_it_is_indented_least() {
        let before = "list:\n- name: a\n  value: 1\n";
        let after = "list:\n- name: b\n  value: 1\n- name: a\n  value: 1\n";
        assert_eq!(
            patch(before, after, 0),
            "@@ -1,0 +2,2 @@\n+- name: b\n+  value: 1\n"
        );
    }

    #[test]
    fn a_carriage_return_does_not_end_a_line() {
        assert_eq!(
            patch("a: \"x\ry\"\nb: 1\n", "a: \"x\ry\"\nb: 2\n", 0),
            "@@ -2 +2 @@\n-b: 1\n+b: 2\n"
        );
    }
}
