//! Unified diffs of files, without the values of Secrets.
//!
//! ```text
//! -  password: …      a secret value changed: its line is there, its text is not
//! +  password: …
//! ```

use std::sync::Arc;

use similar::{ChangeTag, TextDiff};

use crate::kubernetes::hide_secrets_of;
use crate::source::{Source, Span, quoted_name};

/// How a diff is printed.
#[derive(Clone, Copy)]
pub(super) struct DiffStyle {
    /// Whether the lines are colored.
    pub(super) color: bool,
    /// Whether the values of Secrets are shown.
    pub(super) shows_secrets: bool,
}

impl DiffStyle {
    /// Returns the unified diff of a file, with three lines around each change. It is empty if
    /// nothing changed.
    pub(super) fn unified(self, name: &str, before: &str, after: &str) -> String {
        if before == after {
            return String::new();
        }
        // The lines are compared as they are: otherwise a changed secret would be no difference.
        let (old, new) = (self.shown_lines(before), self.shown_lines(after));
        let diff = TextDiff::from_lines(before, after);
        let name = quoted_name(name);
        let mut text = self.line(&format!("--- {name}")) + &self.line(&format!("+++ {name}"));
        for hunk in diff.unified_diff().context_radius(3).iter_hunks() {
            text.push_str(&self.line(&hunk.header().to_string()));
            for change in hunk.iter_changes() {
                let (sign, lines, index) = match change.tag() {
                    ChangeTag::Delete => ('-', &old, change.old_index()),
                    ChangeTag::Insert => ('+', &new, change.new_index()),
                    ChangeTag::Equal => (' ', &new, change.new_index()),
                };
                let shown = index.and_then(|index| lines.get(index));
                let shown = shown.map_or(change.value(), String::as_str);
                text.push_str(&self.line(&format!("{sign}{}", shown.trim_end_matches('\n'))));
                if change.missing_newline() {
                    text.push_str("\\ No newline at end of file\n");
                }
            }
        }
        text
    }

    /// Returns the lines of a text, as they are printed.
    fn shown_lines(self, text: &str) -> Vec<String> {
        let source = match Source::new("", text) {
            Ok(source) if !self.shows_secrets => source,
            _ => return text.split_inclusive('\n').map(str::to_owned).collect(),
        };
        hide_secrets_of(&source);
        lines(&source)
    }

    /// Returns a line of the diff with its line break.
    fn line(self, line: &str) -> String {
        let code = match line.as_bytes().first() {
            _ if !self.color => return format!("{line}\n"),
            _ if line.starts_with("---") || line.starts_with("+++") => "1",
            Some(b'+') => "32",
            Some(b'-') => "31",
            Some(b'@') => "36",
            _ => return format!("{line}\n"),
        };
        // The line break stays outside: some pagers would color the next line as well.
        format!("\x1b[{code}m{line}\x1b[0m\n")
    }
}

fn lines(source: &Arc<Source>) -> Vec<String> {
    let hidden = source.hidden();
    let mut start = 0;
    let mut lines = Vec::new();
    for line in source.text().split_inclusive('\n') {
        let span = Span::new(start, start + line.len());
        // Most lines of most files have nothing to hide.
        lines.push(match hidden.is_empty() {
            true => line.to_owned(),
            false => source.shown(span).into_owned(),
        });
        start = span.end();
    }
    lines
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
        style.unified("a\nb.yaml", SECRET, after)
    }

    #[test]
    fn shows_that_a_secret_changed_and_not_what_it_is() {
        let shown = diff(
            &SECRET.replace("czNjcmV0", "bmV3").replace("two", "2"),
            false,
        );
        assert_eq!(
            shown,
            "--- \"a\\nb.yaml\"\n+++ \"a\\nb.yaml\"\n@@ -1,9 +1,9 @@\n kind: Secret\n metadata: {name: a}\n data:\n\
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
