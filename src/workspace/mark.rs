//! File marks: what `--file-mark PATH:KEY=VALUE` says about files.

use regex::Regex;

use super::file::{FileRole, InputFile};
use super::virtual_path::VirtualPath;
use crate::source::suggest::{did_you_mean, list};
use crate::source::{Code, Diagnostic, Result};

/// What a mark does to the files that it finds.
enum Change {
    Path(VirtualPath),
    Exclude,
    FileRole(FileRole),
    Output,
    OnlyOutput,
}

/// The roles by the names that `type=` takes.
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

/// Applies marks in order. They find files by the paths that the files were given with, whatever marks before them
/// changed.
///
/// # Errors
/// A mark that cannot be read, or that finds no file.
pub fn apply_marks(marks: &[String], files: &mut Vec<InputFile>) -> Result<()> {
    let mut only: Vec<bool> = vec![false; files.len()];
    let mut excluded: Vec<bool> = vec![false; files.len()];
    for mark in marks {
        let (pattern, change) = parse(mark)?;
        let pattern = matcher(pattern)?;
        let mut found = false;
        for (index, file) in files
            .iter_mut()
            .enumerate()
            .filter(|(_, file)| pattern.is_match(file.original.as_str()))
        {
            found = true;
            match &change {
                Change::Path(path) => file.path = path.clone(),
                Change::Exclude => excluded[index] = true,
                Change::FileRole(role) => file.marked_role = Some(*role),
                Change::Output => file.marked_output = Some(true),
                Change::OnlyOutput => only[index] = true,
            }
        }
        if !found {
            return Err(Diagnostic::error(
                Code::Flag,
                format!("expected the file mark `{mark}` to find a file, found none"),
            )
            .help(
                "a mark finds files by the paths that they have before any is changed: `--files-inspect` prints paths",
            ));
        }
    }
    if only.contains(&true) {
        files
            .iter_mut()
            .zip(&only)
            .for_each(|(file, only)| file.marked_output = Some(*only));
    }
    let mut excluded = excluded.into_iter();
    files.retain(|_| !excluded.next().unwrap_or(false));
    Ok(())
}

fn parse(mark: &str) -> Result<(&str, Change)> {
    let malformed = || {
        Diagnostic::error(
            Code::Flag,
            format!("expected a file mark PATH:KEY=VALUE, found `{mark}`"),
        )
        .help("for instance `--file-mark 'docs/**/*:exclude=true'`")
    };
    let (path, assignment) = mark.split_once(':').ok_or_else(malformed)?;
    let (key, value) = assignment.split_once('=').ok_or_else(malformed)?;
    let change = match (key, value) {
        ("path", path) => Change::Path(VirtualPath::new(path)?),
        ("type", name) => Change::FileRole(role(name, mark)?),
        ("exclude", "true") => Change::Exclude,
        ("for-output", "true") => Change::Output,
        ("exclusive-for-output", "true") => Change::OnlyOutput,
        (key, value) if KEYS.contains(&key) => {
            return Err(Diagnostic::error(
                Code::Flag,
                format!("expected `{key}=true`, found `{key}={value}`"),
            )
            .note(format!("in the file mark `{mark}`")));
        }
        (key, _) => {
            let message = format!("expected a key of file marks, found `{key}`");
            return Err(Diagnostic::error(Code::Flag, message)
                .note(format!("in the file mark `{mark}`"))
                .help_if(did_you_mean(key, KEYS)));
        }
    };
    Ok((path, change))
}

fn role(name: &str, mark: &str) -> Result<FileRole> {
    ROLES
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, role)| *role)
        .ok_or_else(|| {
            let names = ROLES.map(|(known, _)| known);
            Diagnostic::error(
                Code::Flag,
                format!("expected a type of file, found `{name}`"),
            )
            .note(format!("in the file mark `{mark}`"))
            .help(did_you_mean(name, names).unwrap_or_else(|| format!("types are {}", list(names))))
        })
}

/// A pattern as a regular expression: `*` is any text within a part of a path, `**` any text, and `**/*` any path.
fn matcher(pattern: &str) -> Result<Regex> {
    let mut expression = String::from(r"\A");
    let mut rest = pattern;
    while let Some(at) = rest.find('*') {
        let (literal, stars) = rest.split_at(at);
        expression.push_str(&regex::escape(literal));
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
    fn a_pattern_finds_files_by_their_whole_path() {
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
    fn marks_change_paths_and_roles_and_drop_files() {
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
    fn one_exclusive_file_keeps_all_others_from_the_output() {
        let files = marked(&["a.yml", "b.yml"], &["a.yml:exclusive-for-output=true"]).unwrap();
        assert_eq!(
            files.iter().map(InputFile::is_output).collect::<Vec<_>>(),
            [true, false]
        );
    }

    #[test]
    fn what_a_mark_cannot_mean_is_an_error() {
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
            (
                "a.yml:typ=data",
                "expected a key of file marks, found `typ`",
            ),
            ("a.yml:type=yaml", "expected a type of file, found `yaml`"),
            (
                "a.yml:path=../b.yml",
                "expected a path relative to the workspace, found `../b.yml`",
            ),
            (
                "b.yml:exclude=true",
                "expected the file mark `b.yml:exclude=true` to find a file, found none",
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
