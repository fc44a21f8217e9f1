//! Edits that correct a mistake, derived from a diagnostic and its help.
//!
//! ```text
//! config.yml:3:14: the struct has no field `replcas`
//!   = help: did you mean `replicas`?              ──▶   replace `replcas` at 3:14 by `replicas`
//!
//! unable to find field "…"
//!   = help: to create what is missing, add `--create`   ──▶   add `--create` to the command line
//! ```

use serde::Serialize;

use crate::playground::job::JobFile;
use crate::source::{Diagnostic, Remedy, TextFix};

/// An edit that the page offers.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", tag = "type")]
pub(super) enum Fix {
    /// Replace a part of a file.
    #[serde(rename_all = "camelCase")]
    Replace {
        /// What the page writes on the button.
        label: String,
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The first column in characters, from 1.
        column: usize,
        /// The current text. The page compares it, because the file may have changed.
        before: String,
        /// The new text.
        after: String,
    },
    /// Add a flag to the command line.
    Flag {
        /// What the page writes on the button.
        label: String,
        /// The flag.
        flag: String,
    },
}

/// Returns the fixes of a diagnostic: those of files that the page has, on one line, and flags.
pub(super) fn fixes(diagnostic: &Diagnostic, files: &[JobFile]) -> Vec<Fix> {
    let mut fixes = Vec::new();
    for fix in diagnostic.fixes() {
        fixes.extend(replacement(&fix, files));
    }
    for remedy in &diagnostic.remedies {
        if let Remedy::AddFlag(flag) = remedy {
            fixes.push(Fix::Flag {
                label: format!("add {flag}"),
                flag: flag.clone(),
            });
        }
    }
    fixes
}

fn replacement(fix: &TextFix, files: &[JobFile]) -> Option<Fix> {
    let source = &fix.place.source;
    let file = files.iter().find(|file| file.path == source.shown_name())?;
    let before = source.slice(fix.place.span);
    let start = fix.place.line_column();
    (!before.contains('\n')).then(|| Fix::Replace {
        label: fix.title().replace('`', ""),
        file: file.path.clone(),
        line: start.line,
        column: start.column,
        before: before.to_owned(),
        after: fix.text.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Code, Location, Source, Span};

    fn of(help: &str) -> Vec<Fix> {
        let text = "é: #@ values.nmae\n";
        let source = Source::new("a.yml", text).unwrap();
        let place = Location::new(&source, Span::new(7, text.len() - 1));
        let diagnostic = Diagnostic::error(Code::File, "struct has no .nmae field")
            .at(place, "")
            .help(help);
        let file = JobFile {
            path: "a.yml".to_owned(),
            text: text.to_owned(),
        };
        fixes(&diagnostic, &[file])
    }

    #[test]
    fn names_the_line_the_column_and_what_is_there() {
        let expected = Fix::Replace {
            label: "change to name".to_owned(),
            file: "a.yml".to_owned(),
            line: 1,
            column: 14,
            before: "nmae".to_owned(),
            after: "name".to_owned(),
        };
        assert_eq!(of("did you mean `name`?"), [expected]);
    }

    #[test]
    fn adds_a_flag() {
        let expected = Fix::Flag {
            label: "add --create".to_owned(),
            flag: "--create".to_owned(),
        };
        assert_eq!(of("to create what is missing, add `--create`"), [expected]);
    }
}
