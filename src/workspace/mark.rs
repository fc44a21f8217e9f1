//! File marks: `--file-mark PATH:KEY=VALUE` changes the role, the path or the output of files.

use regex::Regex;

use super::file::{FileRole, InputFile};
use super::virtual_path::VirtualPath;
use crate::source::suggest::{did_you_mean, list};
use crate::source::{Code, Diagnostic, Result};

/// A mark: a pattern that selects files by their paths, and a change of these files.
struct FileMark {
    pattern: Regex,
    change: MarkChange,
}

enum MarkChange {
    Path(VirtualPath),
    Exclude,
    Role(FileRole),
    Output,
    OnlyOutput,
}

/// The values for `type=`.
const ROLES: [(&str, FileRole); 6] = [
    ("yaml-template", FileRole::YamlTemplate),
    ("yaml-plain", FileRole::YamlPlain),
    ("text-template", FileRole::TextTemplate),
    ("text-plain", FileRole::TextPlain),
    ("starlark", FileRole::Starlark),
    ("data", FileRole::Data),
];

const KEYS: [&str; 5] = [
    "path",
    "exclude",
    "type",
    "for-output",
    "exclusive-for-output",
];

/// Applies marks in order.
///
/// A mark selects files by the paths that they were given with, even if earlier marks changed them.
/// Files with `exclude=true` are removed.
///
/// # Errors
/// Fails if a mark cannot be parsed, or selects no file.
pub fn apply_marks(marks: &[String], files: &mut Vec<InputFile>) -> Result<()> {
    let mut is_excluded = vec![false; files.len()];
    let mut is_exclusive = vec![false; files.len()];
    for mark in marks {
        let FileMark { pattern, change } = FileMark::parse(mark)?;
        let mut found = false;
        for (index, file) in files.iter_mut().enumerate() {
            // Compare the original path: otherwise a mark that renames a file would hide it from
            // later marks.
            if !pattern.is_match(file.original.as_str()) {
                continue;
            }
            found = true;
            match &change {
                MarkChange::Path(path) => file.path = path.clone(),
                // Remove it only at the end. A mark may select files that an earlier one excludes;
                // this is not a mistake.
                MarkChange::Exclude => is_excluded[index] = true,
                MarkChange::Role(role) => file.marked_role = Some(*role),
                MarkChange::Output => file.marked_output = Some(true),
                MarkChange::OnlyOutput => is_exclusive[index] = true,
            }
        }
        if !found {
            let message = format!("the file mark `{mark}` finds no file");
            return Err(Diagnostic::error(Code::Flag, message).help(
                "a mark selects files by their original paths; `--files-inspect` without marks prints them",
            ));
        }
    }
    // A single exclusive file keeps all others out of the output.
    if is_exclusive.contains(&true) {
        for (file, is_exclusive) in files.iter_mut().zip(is_exclusive) {
            file.marked_output = Some(is_exclusive);
        }
    }
    let mut is_excluded = is_excluded.into_iter();
    files.retain(|_| !is_excluded.next().unwrap_or(false));
    Ok(())
}

impl FileMark {
    /// Parses `PATH:KEY=VALUE`.
    fn parse(mark: &str) -> Result<FileMark> {
        let Some((path, key, value)) = split(mark) else {
            let message = format!("expected a file mark PATH:KEY=VALUE, found `{mark}`");
            return Err(Diagnostic::error(Code::Flag, message)
                .help("for instance `--file-mark 'docs/**/*:exclude=true'`"));
        };
        let change = match (key, value) {
            ("path", path) => MarkChange::Path(VirtualPath::new(path)?),
            ("type", name) => MarkChange::Role(role(name, mark)?),
            ("exclude", "true") => MarkChange::Exclude,
            ("for-output", "true") => MarkChange::Output,
            ("exclusive-for-output", "true") => MarkChange::OnlyOutput,
            // A known key with a value other than `true`, such as `exclude=false`.
            (key, value) if KEYS.contains(&key) => {
                let message = format!("expected `{key}=true`, found `{key}={value}`");
                return Err(Diagnostic::error(Code::Flag, message)
                    .note(format!("in the file mark `{mark}`")));
            }
            (key, _) => {
                let message = format!("file marks have no key `{key}`");
                let help =
                    did_you_mean(key, KEYS).unwrap_or_else(|| format!("keys are {}", list(KEYS)));
                return Err(Diagnostic::error(Code::Flag, message)
                    .note(format!("in the file mark `{mark}`"))
                    .help(help));
            }
        };
        Ok(FileMark {
            pattern: matcher(path)?,
            change,
        })
    }
}

fn split(mark: &str) -> Option<(&str, &str, &str)> {
    let (path, assignment) = mark.split_once(':')?;
    let (key, value) = assignment.split_once('=')?;
    Some((path, key, value))
}

fn role(name: &str, mark: &str) -> Result<FileRole> {
    for (known, role) in ROLES {
        if known == name {
            return Ok(role);
        }
    }
    let names = ROLES.map(|(known, _)| known);
    let help = did_you_mean(name, names).unwrap_or_else(|| format!("types are {}", list(names)));
    let message = format!("expected a type of file, found `{name}`");
    Err(Diagnostic::error(Code::Flag, message)
        .note(format!("in the file mark `{mark}`"))
        .help(help))
}

/// Converts a pattern to a regular expression: `*` matches any text within a part of a path, `**`
/// any text, and `**/*` any path.
fn matcher(pattern: &str) -> Result<Regex> {
    // Use `\A` and `\z` instead of `^` and `$`, because a path may contain line breaks.
    let mut expression = String::from(r"\A");
    let mut rest = pattern;
    while let Some(at) = rest.find('*') {
        let (literal, stars) = rest.split_at(at);
        expression.push_str(&regex::escape(literal));
        // `**/*` is one wildcard, and not `**` followed by `/*`: it also matches files in the
        // folder itself, so `d/**/*` matches `d/a.yml`.
        let (wildcard, length) = match stars {
            _ if stars.starts_with("**/*") => (".+", 4),
            _ if stars.starts_with("**") => (".+", 2),
            _ => ("[^/]+", 1),
        };
        expression.push_str(wildcard);
        rest = &stars[length..];
    }
    expression.push_str(&regex::escape(rest));
    expression.push_str(r"\z");
    regex::RegexBuilder::new(&expression)
        .dot_matches_new_line(true)
        .build()
        .map_err(|_| Diagnostic::error(Code::Flag, "the pattern of a file mark is too long"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(paths: &[&str]) -> Vec<InputFile> {
        paths
            .iter()
            .map(|path| InputFile::in_memory(VirtualPath::new(path).unwrap(), ""))
            .collect()
    }

    fn marked(paths: &[&str], marks: &[&str]) -> Result<Vec<InputFile>> {
        let mut files = files(paths);
        let marks: Vec<String> = marks.iter().map(ToString::to_string).collect();
        apply_marks(&marks, &mut files).map(|()| files)
    }

    #[test]
    fn matches_the_whole_path() {
        let table = [
            ("a.yml", "a.yml", true),
            ("a.yml", "d/a.yml", false),
            ("a.yml", "axyml", false),
            ("*", "a.yml", true),
            ("*", "d/a.yml", false),
            ("*.yml", "a.yml", true),
            ("*.yml", ".yml", false),
            ("d/*", "d/a.yml", true),
            ("d/*", "d/e/a.yml", false),
            ("**/*", "a.yml", true),
            ("**/*", "d/e/a.yml", true),
            ("d/**/*", "d/e/a.yml", true),
            ("d/**/*", "d/a.yml", true),
            ("d/**/*.yml", "d/e/a.yml", true),
            ("d/**", "d/e/a.yml", true),
            ("*/*/a.*", "d/e/a.yml", true),
            ("d.(x)+", "d.(x)+", true),
        ];
        for (pattern, path, expected) in table {
            assert_eq!(
                matcher(pattern).unwrap().is_match(path),
                expected,
                "{pattern} on {path}"
            );
        }
    }

    #[test]
    fn changes_paths_and_roles_and_removes_files() {
        let files = marked(
            &["a.yml", "b.yml", "c.md", "d/e.md"],
            &[
                "b.yml:exclude=true",
                "*.md:type=text-plain",
                "a.yml:path=out/a.txt",
                "a.yml:type=yaml-plain",
            ],
        )
        .unwrap();
        let found: Vec<_> = files
            .iter()
            .map(|file| (file.path.as_str(), file.role(), file.is_output()))
            .collect();
        assert_eq!(
            found,
            [
                ("out/a.txt", FileRole::YamlPlain, true),
                ("c.md", FileRole::TextPlain, true),
                ("d/e.md", FileRole::Data, false)
            ]
        );
    }

    #[test]
    fn keeps_all_others_from_the_output_if_one_file_is_exclusive() {
        let files = marked(&["a.yml", "b.yml"], &["a.yml:exclusive-for-output=true"]).unwrap();
        assert_eq!(
            files.iter().map(InputFile::is_output).collect::<Vec<_>>(),
            [true, false]
        );
    }

    #[test]
    fn refuses_marks_that_mean_nothing() {
        let table = [
            (
                "a.yml",
                "expected a file mark PATH:KEY=VALUE, found `a.yml`",
            ),
            (
                "a.yml:exclude",
                "expected a file mark PATH:KEY=VALUE, found `a.yml:exclude`",
            ),
            (
                "a.yml:exclude=yes",
                "expected `exclude=true`, found `exclude=yes`",
            ),
            ("a.yml:typ=data", "file marks have no key `typ`"),
            ("a.yml:type=yaml", "expected a type of file, found `yaml`"),
            (
                "a.yml:path=../b.yml",
                "expected a path relative to the workspace, found `../b.yml`",
            ),
            (
                "b.yml:exclude=true",
                "the file mark `b.yml:exclude=true` finds no file",
            ),
        ];
        for (mark, expected) in table {
            assert_eq!(
                marked(&["a.yml"], &[mark]).unwrap_err().message,
                expected,
                "{mark}"
            );
        }
    }
}
