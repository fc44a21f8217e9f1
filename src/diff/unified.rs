//! Unified diffs of files, without the values of Secrets.
//!
//! ```text
//! @@ -12,3 +12,3 @@ apps/v1 Deployment shop/web · spec     the object, and the field around it
//! -  replicas: 2
//! +  replicas: 5
//! -  password: …      a secret value changed: its line is shown, its text is not
//! +  password: …
//! ```

use std::cell::LazyCell;

use super::OutputChange;
use super::lines::{DiffGroup, DiffLine, diff_lines};
use super::outline::Outline;
use super::style::{DiffStyle, LineRole};
use super::text_lines::ShownLines;
use crate::source::{quoted_name, visible_line};

/// The name for a file that does not exist, which `diff` and `patch` use.
const NO_FILE: &str = "/dev/null";

/// The number of unchanged lines around each change.
const CONTEXT: usize = 3;

/// Returns the unified diff of a file that differs, with three lines around each change. Unless it
/// is in color, and thus for people, `patch` can apply it.
pub(super) fn print(change: &OutputChange<'_>, style: DiffStyle) -> String {
    let is_for_patch = !style.color;
    print_lines(change, style, is_for_patch)
}

/// Returns the unified diff of a file for people: its lines do not control a terminal, and
/// are not commands to a CI system.
pub(super) fn print_for_people(change: &OutputChange<'_>, style: DiffStyle) -> String {
    print_lines(change, style, false)
}

fn print_lines(change: &OutputChange<'_>, style: DiffStyle, is_for_patch: bool) -> String {
    let name = quoted_name(&change.name);
    let before_name = change.before.as_ref().map_or(NO_FILE, |_| &*name);
    let after_name = change.after.as_ref().map_or(NO_FILE, |_| &*name);
    let Some((before, after)) = change.texts() else {
        return format!("Binary files {before_name} and {after_name} differ\n");
    };
    // Compare the original lines: otherwise a changed secret would not be a difference.
    let (old, new) = (
        ShownLines::new(before, style),
        ShownLines::new(after, style),
    );
    // Each is a tree of the whole text, and the old one is rarely needed.
    let (old_outline, new_outline) = (
        LazyCell::new(|| Outline::new(before)),
        LazyCell::new(|| Outline::new(after)),
    );
    // Without a tab at the end, `patch` reads a name with a space as a name and a date. git does
    // the same.
    let end = |name: &str| if name.contains(' ') { "\t" } else { "" };
    let mut text = style.line(
        LineRole::Title,
        &format!("--- {before_name}{}", end(before_name)),
    );
    text.push_str(&style.line(
        LineRole::Title,
        &format!("+++ {after_name}{}", end(after_name)),
    ));
    for group in diff_lines(before, after, CONTEXT) {
        let header = match place(&group, &old_outline, &new_outline) {
            Some(place) => format!("{} {}", group.header(), visible_line(&place)),
            None => group.header(),
        };
        text.push_str(&style.line(LineRole::Hunk, &header));
        for line in group.lines {
            let (sign, role, lines, line) = match line {
                DiffLine::Removed { before: line } => ('-', LineRole::Removed, &old, line),
                DiffLine::Added { after: line } => ('+', LineRole::Added, &new, line),
                DiffLine::Unchanged { after: line } => (' ', LineRole::Context, &new, line),
            };
            let shown = lines.line(line);
            let mut signed = format!("{sign}{}", shown.trim_end_matches('\n'));
            if !is_for_patch {
                signed = visible_line(&signed);
            }
            text.push_str(&style.line(role, &signed));
            if lines.is_unended(line) {
                text.push_str("\\ No newline at end of file\n");
            }
        }
    }
    text
}

/// Returns the place that a hunk header names: that of the first added line or, if lines are only
/// removed, of the first removed one.
fn place(
    group: &DiffGroup,
    old_outline: &LazyCell<Outline, impl FnOnce() -> Outline>,
    new_outline: &LazyCell<Outline, impl FnOnce() -> Outline>,
) -> Option<String> {
    match group.added().next() {
        Some(line) => new_outline.describe_line(line),
        None => old_outline.describe_line(group.removed().next()?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "kind: Secret\nmetadata: {name: a}\ndata:\n  token: czNjcmV0\n  other: b3RoZXI=\n\
                          stringData:\n  text: |\n    line one\n    line two\n";

    fn diff(after: &str, shows_secrets: bool) -> String {
        let style = DiffStyle {
            color: false,
            shows_secrets,
        };
        print(&OutputChange::text("a\nb.yaml", SECRET, after), style)
    }

    #[test]
    fn shows_that_a_secret_changed_and_not_what_it_is() {
        let shown = diff(
            &SECRET.replace("czNjcmV0", "bmV3").replace("two", "2"),
            false,
        );
        assert_eq!(
            shown,
            "--- \"a\\nb.yaml\"\n+++ \"a\\nb.yaml\"\n@@ -1,9 +1,9 @@ Secret a · data\n kind: Secret\n \
             metadata: {name: a}\n data:\n\
             -  token: …\n+  token: …\n   other: …\n stringData:\n   text: …\n     …\n-    …\n+    …\n"
        );
    }

    #[test]
    fn hides_a_secret_below_a_line_with_a_carriage_return() {
        let before = "kind: Secret\nmetadata: {name: \"a\rb\"}\ndata:\n  token: czNjcmV0";
        let after = before.replace("czNjcmV0", "bmV3");
        let style = DiffStyle {
            color: false,
            shows_secrets: false,
        };
        let shown = print(&OutputChange::text("a.yaml", before, &after), style);
        assert!(!shown.contains("czNjcmV0"), "{shown}");
        assert!(
            shown.ends_with(
                "-  token: …\n\\ No newline at end of file\n\
                 +  token: …\n\\ No newline at end of file\n"
            ),
            "{shown}"
        );
    }

    #[test]
    fn only_lines_for_patch_are_printed_as_they_are() {
        let change = OutputChange::text("a.txt", "::error::b\n", "::error::b\n\x1b[31m\n");
        let style = |color| DiffStyle {
            color,
            shows_secrets: false,
        };
        assert!(print(&change, style(false)).ends_with(" ::error::b\n+\x1b[31m\n"));
        for shown in [
            print(&change, style(true)),
            print_for_people(&change, style(false)),
        ] {
            assert!(shown.contains(" \\u{3a}:error::b"), "{shown}");
            assert!(shown.contains("+␛[31m"), "{shown}");
        }
    }

    #[test]
    fn shows_secrets_if_the_user_asks_for_them() {
        let shown = diff(&SECRET.replace("czNjcmV0", "bmV3"), true);
        assert!(
            shown.contains("-  token: czNjcmV0\n+  token: bmV3\n"),
            "{shown}"
        );
    }
}
