//! Unified diffs of files, without the values of Secrets.
//!
//! ```text
//! @@ -12,3 +12,3 @@ apps/v1 Deployment shop/web · spec     the object, and the field around it
//! -  replicas: 2
//! +  replicas: 5
//! -  password: …      a secret value changed: its line is shown, its text is not
//! +  password: …
//! ```

use similar::{Change, ChangeTag, TextDiff};

use super::OutputChange;
use super::outline::Outline;
use super::style::{DiffStyle, LineRole};
use super::text_lines::shown_lines;
use crate::source::{quoted_name, visible_line};

/// The name for a file that does not exist, which `diff` and `patch` use.
const NO_FILE: &str = "/dev/null";

/// Returns the unified diff of a file that differs, with three lines around each change.
pub(super) fn print(change: &OutputChange<'_>, style: DiffStyle) -> String {
    let name = quoted_name(&change.name);
    let before_name = change.before.as_ref().map_or(NO_FILE, |_| &*name);
    let after_name = change.after.as_ref().map_or(NO_FILE, |_| &*name);
    let Some((before, after)) = change.texts() else {
        return format!("Binary files {before_name} and {after_name} differ\n");
    };
    // Compare the original lines: otherwise a changed secret would not be a difference.
    let (old, new) = (shown_lines(before, style), shown_lines(after, style));
    let (old_outline, new_outline) = (Outline::new(before), Outline::new(after));
    let diff = TextDiff::from_lines(before, after);
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
    for hunk in diff.unified_diff().context_radius(3).iter_hunks() {
        let changes: Vec<Change<&str>> = hunk.iter_changes().collect();
        let place = first_change(&changes).and_then(|change| match change.tag() {
            ChangeTag::Delete => old_outline.describe_line(change.old_index()?),
            _ => new_outline.describe_line(change.new_index()?),
        });
        let header = match place {
            Some(place) => format!("{} {}", hunk.header(), visible_line(&place)),
            None => hunk.header().to_string(),
        };
        text.push_str(&style.line(LineRole::Hunk, &header));
        for change in changes {
            let (sign, role, lines, index) = match change.tag() {
                ChangeTag::Delete => ('-', LineRole::Removed, &old, change.old_index()),
                ChangeTag::Insert => ('+', LineRole::Added, &new, change.new_index()),
                ChangeTag::Equal => (' ', LineRole::Context, &new, change.new_index()),
            };
            let shown = index.and_then(|index| lines.get(index));
            let shown = shown.map_or(change.value(), String::as_str);
            text.push_str(&style.line(role, &format!("{sign}{}", shown.trim_end_matches('\n'))));
            if change.missing_newline() {
                text.push_str("\\ No newline at end of file\n");
            }
        }
    }
    text
}

/// Returns the change that a hunk header is based on: the first inserted line or, if lines are only
/// deleted, the first deleted one.
fn first_change<'c, 't>(changes: &'c [Change<&'t str>]) -> Option<&'c Change<&'t str>> {
    let first = |tag| changes.iter().find(|change| change.tag() == tag);
    first(ChangeTag::Insert).or_else(|| first(ChangeTag::Delete))
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
    fn shows_secrets_if_the_user_asks_for_them() {
        let shown = diff(&SECRET.replace("czNjcmV0", "bmV3"), true);
        assert!(
            shown.contains("-  token: czNjcmV0\n+  token: bmV3\n"),
            "{shown}"
        );
    }
}
