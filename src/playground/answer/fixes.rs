//! Edits that correct a mistake, made of a diagnostic and its help.
//!
//! ```text
//! config.yml:3:14: the struct has no field `replcas`
//!   = help: did you mean `replicas`?              ──▶   replace `replcas` at 3:14 by `replicas`
//!
//! unable to find field "…"
//!   = help: to create what is missing, add `--create`   ──▶   add `--create` to the command line
//! ```

use serde::Serialize;
use serde_json::value::Value as Json;

use crate::playground::job::JobFile;
use crate::source::Diagnostic;
use crate::source::suggest::nearest;

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
        /// What is there now. The page looks, as the file may have changed.
        before: String,
        /// What is written there.
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

/// A place on one line of a file, as a diagnostic prints it.
struct PlaceOnLine<'f> {
    file: &'f str,
    line: usize,
    column: usize,
    /// What is written there.
    text: &'f str,
}

/// Returns the fixes of a diagnostic, whose JSON form is `record`.
pub(super) fn fixes(diagnostic: &Diagnostic, record: &Json, files: &[JobFile]) -> Vec<Fix> {
    let place = place_on_line(record, files);
    let mut fixes = Vec::new();
    for help in &diagnostic.help {
        let replacement = place.as_ref().and_then(|place| {
            let meant = meant_name(help);
            let misspelt = meant.and_then(|meant| place.rename(meant, &diagnostic.message));
            misspelt.or_else(|| Some(place.replace(other_spelling(help)?)))
        });
        fixes.extend(replacement);
        if let Some(flag) = flag_to_add(help) {
            fixes.push(Fix::Flag {
                label: format!("add {flag}"),
                flag: flag.to_owned(),
            });
        }
    }
    fixes
}

/// Returns the name in ``did you mean `name`?``.
fn meant_name(help: &str) -> Option<&str> {
    let rest = help.strip_prefix("did you mean `")?;
    let (name, rest) = rest.split_once('`')?;
    rest.starts_with('?').then_some(name)
}

/// Returns the scalar in ``write it in quotes: `"1"` ``.
fn other_spelling(help: &str) -> Option<&str> {
    let spelling = ["write it in quotes: ", "write it without quotes: "]
        .iter()
        .find_map(|beginning| help.strip_prefix(beginning))?;
    Some(spelling.trim_matches('`'))
}

/// Returns the flag in ``…, add `--flag` ``, if it needs no value.
fn flag_to_add(help: &str) -> Option<&str> {
    let (_, rest) = help.split_once("add `--")?;
    let (name, _) = rest.split_once('`')?;
    let is_name = name
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    // With the dashes: the text before `name` in `help` ends with them.
    let end = help.len() - rest.len() + name.len();
    is_name.then(|| &help[end - name.len() - 2..end])
}

/// Returns the place of a diagnostic, if a file of the job has it and it does not go over lines.
fn place_on_line<'f>(record: &Json, files: &'f [JobFile]) -> Option<PlaceOnLine<'f>> {
    let number = |field: &str| usize::try_from(record.get(field)?.as_u64()?).ok();
    let path = record.get("file")?.as_str()?;
    let file = files.iter().find(|file| file.path == path)?;
    let (line, column) = (number("line")?, number("column")?);
    if number("endLine")? != line {
        return None;
    }
    let written = file.text.lines().nth(line.checked_sub(1)?)?;
    Some(PlaceOnLine {
        file: &file.path,
        line,
        column,
        text: characters(
            written,
            column.checked_sub(1)?,
            number("endColumn")?.checked_sub(1)?,
        )?,
    })
}

/// Returns the characters of a line from the one at `start` to before the one at `end`.
fn characters(line: &str, start: usize, end: usize) -> Option<&str> {
    let mut offsets = line.char_indices().map(|(offset, _)| offset);
    let first = offsets.nth(start)?;
    let last = match end.checked_sub(start + 1) {
        Some(further) => offsets.nth(further).unwrap_or(line.len()),
        None => first,
    };
    line.get(first..last)
}

/// Returns the names in an expression, with their offsets: `data`, `values` and `nmae`.
fn parts(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_in_name = |character: char| character.is_alphanumeric() || "_-".contains(character);
    let mut offset = 0;
    text.split_inclusive(move |character| !is_in_name(character))
        .map(move |part| {
            let start = offset;
            offset += part.len();
            (
                start,
                part.trim_end_matches(|character| !is_in_name(character)),
            )
        })
}

impl PlaceOnLine<'_> {
    /// Returns the replacement of the name at the place by the one that is meant.
    ///
    /// The place may be a longer expression: for `data.values.nmae`, the part that is most similar
    /// to `name` is the wrong one. The message names it, too. If a string spells it with escapes,
    /// it is not written as in the message, and there is no fix.
    fn rename(&self, meant: &str, message: &str) -> Option<Fix> {
        let names: Vec<(usize, &str)> = std::iter::once((0, self.text))
            .chain(parts(self.text))
            .filter(|(_, name)| !name.is_empty() && *name != meant && message.contains(name))
            .collect();
        let wrong = nearest(meant, names.iter().map(|(_, name)| *name))?;
        let (at, _) = *names.iter().find(|(_, name)| *name == wrong)?;
        Some(Fix::Replace {
            label: format!("change to {meant}"),
            file: self.file.to_owned(),
            line: self.line,
            column: self.column + self.text.get(..at)?.chars().count(),
            before: wrong.to_owned(),
            after: meant.to_owned(),
        })
    }

    /// Returns the replacement of everything at the place.
    fn replace(&self, after: &str) -> Fix {
        Fix::Replace {
            label: format!("change to {after}"),
            file: self.file.to_owned(),
            line: self.line,
            column: self.column,
            before: self.text.to_owned(),
            after: after.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Code;

    /// The fixes of a diagnostic at the first `wrong` of a line.
    fn of(message: &str, help: &str, line: &str, wrong: &str) -> Vec<Fix> {
        let diagnostic = Diagnostic::error(Code::File, message).help(help);
        let column = line[..line.find(wrong).unwrap()].chars().count() + 1;
        let record = serde_json::json!({
            "file": "a.yml", "line": 1, "column": column,
            "endLine": 1, "endColumn": column + wrong.chars().count(),
        });
        let file = JobFile {
            path: "a.yml".to_owned(),
            text: line.to_owned(),
        };
        fixes(&diagnostic, &record, &[file])
    }

    fn replace(column: usize, before: &str, after: &str) -> Fix {
        Fix::Replace {
            label: format!("change to {after}"),
            file: "a.yml".to_owned(),
            line: 1,
            column,
            before: before.to_owned(),
            after: after.to_owned(),
        }
    }

    #[test]
    fn replaces_the_name_that_is_wrong() {
        let help = "did you mean `name`?";
        let fixes = of(
            "struct has no .nmae field",
            help,
            "é: #@ values.nmae\n",
            "values.nmae",
        );
        assert_eq!(fixes, [replace(14, "nmae", "name")]);
        let fixes = of("found `nmae`", help, "nmae: 1\n", "nmae");
        assert_eq!(fixes, [replace(1, "nmae", "name")]);
        let path = "did you mean `metadata.name`?";
        let fixes = of(
            "no field `metadata.nmae`",
            path,
            "- metadata.nmae\n",
            "metadata.nmae",
        );
        assert_eq!(fixes, [replace(3, "metadata.nmae", "metadata.name")]);
    }

    #[test]
    fn offers_nothing_where_the_name_is_not_written() {
        let help = "did you mean `name`?";
        assert_eq!(
            of(
                "there is no `nmae`",
                help,
                "\"nm\\x61e\": 1\n",
                "\"nm\\x61e\""
            ),
            []
        );
        assert_eq!(of("there is no `nmae`", help, "other: 1\n", "other"), []);
        assert_eq!(of("there is nothing", help, "nmae: 1\n", "nmae"), []);
    }

    #[test]
    fn replaces_a_scalar_by_another_spelling() {
        let fixes = of(
            "expected a string",
            "write it in quotes: `\"1\"`",
            "a: 1\n",
            "1",
        );
        assert_eq!(fixes, [replace(4, "1", "\"1\"")]);
    }

    #[test]
    fn adds_a_flag_without_a_value() {
        let expected = Fix::Flag {
            label: "add --create".to_owned(),
            flag: "--create".to_owned(),
        };
        let help = "to create what is missing, add `--create`";
        assert_eq!(of("x", help, "a", "a"), [expected]);
        assert_eq!(of("x", "add `--limit nodes=1`", "a", "a"), []);
    }
}
