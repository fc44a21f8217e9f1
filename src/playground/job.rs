//! The jobs that the page sends to a worker.

use serde::Deserialize;

use super::values_edit::ValuesEdit;
use crate::source::world::Memory;
use crate::source::{Code, Diagnostic, Result};

/// The commands that the page can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CommandKind {
    /// `inlay build`
    Build,
    /// `inlay run`
    Run,
    /// `inlay kustomize`
    Kustomize,
}

/// A command line and its files; or an edit of a file of data values.
#[derive(Debug, Deserialize)]
pub struct RenderJob {
    /// The command.
    pub kind: CommandKind,
    /// The arguments after the command.
    pub arguments: Vec<String>,
    /// The files by path.
    pub files: Vec<JobFile>,
    /// An edit to make, instead of a render.
    pub edit: Option<ValuesEdit>,
    /// A value whose origin is requested, instead of a render: a question of `inlay explain`.
    pub explain: Option<String>,
}

/// A file of a job.
#[derive(Clone, Debug, Deserialize)]
pub struct JobFile {
    /// The path, relative to the folder in which the command runs.
    pub path: String,
    /// The content.
    pub text: String,
}

impl RenderJob {
    /// Reads a job.
    ///
    /// # Errors
    /// Fails if the text is not a job, or if a path leads out of the folder.
    pub fn read(json: &[u8]) -> Result<RenderJob> {
        let job: RenderJob = serde_json::from_slice(json).map_err(|error| {
            let message = format!("expected a job as JSON: {error}");
            Diagnostic::error(Code::File, message)
        })?;
        for file in &job.files {
            check_path(&file.path)?;
        }
        Ok(job)
    }

    /// Returns the words of the command line.
    pub fn command_line(&self) -> Vec<String> {
        let command = match self.kind {
            CommandKind::Build => "build",
            CommandKind::Run => "run",
            CommandKind::Kustomize => "kustomize",
        };
        let mut words = vec!["inlay".to_owned(), command.to_owned()];
        words.extend(self.arguments.iter().cloned());
        words
    }

    /// Returns a world that contains only the files of the job.
    pub fn world(&self) -> Memory {
        let files = self.files.iter();
        Memory::with_files(files.map(|file| (file.path.as_str(), file.text.as_str())))
    }
}

/// Checks that a path is the path of a file below the folder of the command.
///
/// # Errors
/// It is absolute or empty, or has a part `.` or `..` or `\`, which systems read differently.
fn check_path(path: &str) -> Result<()> {
    let is_name = |name: &str| !name.is_empty() && name != "." && name != "..";
    let is_plain = !path.contains(['\\', '\0', ':']) && path.len() <= 1024;
    if is_plain && path.split('/').all(is_name) {
        return Ok(());
    }
    let message = format!("expected the path of a file below the folder, found `{path}`");
    Err(Diagnostic::error(Code::File, message).help("write it with names and `/` only"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_below_the_folder() {
        for path in ["a.yml", "a/b.yml", "_ytt_lib/app/..x"] {
            assert!(check_path(path).is_ok(), "{path}");
        }
        for path in [
            "", "/a", "../a", "a/../b", "a//b", "./a", "a\\b", "C:/a", "a/",
        ] {
            assert!(check_path(path).is_err(), "{path}");
        }
    }

    #[test]
    fn says_what_is_wrong_with_a_job() {
        let error = RenderJob::read(b"{").unwrap_err();
        assert!(error.message.starts_with("expected a job as JSON: "));
        let json = br#"{"kind": "run", "arguments": [], "files": [{"path": "../a", "text": ""}]}"#;
        let error = RenderJob::read(json).unwrap_err();
        let expected = "expected the path of a file below the folder, found `../a`";
        assert_eq!(error.message, expected);
    }

    #[test]
    fn reads_what_the_page_sends() {
        let json = br#"{"page": 1, "kind": "run", "arguments": ["c.yml", "."],
            "files": [{"path": "c.yml", "text": "a: 1\n"}]}"#;
        let job = RenderJob::read(json).unwrap();
        assert_eq!(job.command_line(), ["inlay", "run", "c.yml", "."]);
        let json = br#"{"kind": "build", "arguments": ["-f", "."], "files": [], "explain": "a.b"}"#;
        let job = RenderJob::read(json).unwrap();
        assert_eq!(job.command_line().join(" "), "inlay build -f .");
        assert_eq!(job.explain.as_deref(), Some("a.b"));
    }
}
