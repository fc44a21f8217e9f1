//! The files of the folder that the user has chosen.
//!
//! The files are listed once, when the server starts, and a call identifies a file by its number.
//! So no call can access another file. Links are never followed: not for the list, and not when a
//! file is read or written.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};
use sha2::{Digest, Sha256};

use crate::source::world::{FileKind, Replacement, Walk, World, reason};
use crate::source::{Code, Diagnostic, Result};

/// The maximum number of files of a folder.
const FILES: usize = 2_000;

/// The maximum total size of the files, in bytes. Each render sends all of them.
const BYTES: usize = 4 << 20;

/// A folder whose files the page edits.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProjectFolder {
    name: String,
    is_read_only: bool,
    files: Vec<ProjectFile>,
}

/// A file that was in the folder when the server started.
struct ProjectFile {
    /// The path below the folder, with `/`.
    path: String,
    /// The canonical path.
    real: PathBuf,
}

impl Serialize for ProjectFile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.path.serialize(serializer)
    }
}

/// The content of a file.
#[derive(Serialize)]
pub(super) struct FileContent {
    text: String,
    /// The page sends it back with a change, so that the server can check that the file has not
    /// changed since it was read.
    hash: String,
}

/// What was written.
#[derive(Serialize)]
pub(super) struct WrittenFile {
    hash: String,
}

impl ProjectFolder {
    /// Lists the text files of a folder, at any depth, without hidden ones.
    ///
    /// # Errors
    /// The folder cannot be read, or is too large for a page.
    pub fn open(world: &dyn World, folder: &Path, is_read_only: bool) -> Result<ProjectFolder> {
        let walk = Walk {
            follow_links: None,
            hidden: false,
        };
        let mut files = Vec::new();
        let mut bytes = 0;
        for (path, kind) in walk.files(world, folder)? {
            if kind != FileKind::File {
                continue;
            }
            let real = world
                .canonical(&path)
                .map_err(|error| unreadable(&path, &error))?;
            // The folder may contain files of any size, such as disk images.
            let most = BYTES - bytes + 1;
            let content = world
                .read_start(&real, most)
                .map_err(|error| unreadable(&path, &error))?;
            if !begins_as_text(&content, content.len() == most) {
                continue;
            }
            bytes += content.len();
            if files.len() == FILES || bytes > BYTES {
                let message = format!(
                    "`{}` has more than {FILES} files, or more than {BYTES} bytes in them",
                    folder.display()
                );
                return Err(Diagnostic::error(Code::Limit, message)
                    .help("give a folder that contains only the files to edit"));
            }
            files.push(ProjectFile {
                path: path_below(folder, &path),
                real,
            });
        }
        Ok(ProjectFolder {
            name: folder.display().to_string(),
            is_read_only,
            files,
        })
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Fails for an unknown number, and for a file that cannot be read.
    pub(super) fn read(&self, world: &dyn World, id: usize) -> Result<FileContent> {
        let file = self.file(id)?;
        let bytes = world
            .read_regular(&file.real)
            .map_err(|error| unreadable(Path::new(&file.path), &error))?;
        let hash = hash(&bytes);
        let text = String::from_utf8(bytes).map_err(|_| {
            let message = format!("expected UTF-8 text in `{}`", file.path);
            Diagnostic::error(Code::File, message)
        })?;
        Ok(FileContent { text, hash })
    }

    /// Replaces the content of a file, if it still has the content with this hash; `None` if it has
    /// another one.
    ///
    /// # Errors
    /// Fails for an unknown number, for a read-only folder, and for a file that cannot be written.
    pub(super) fn write(
        &self,
        world: &dyn World,
        id: usize,
        seen: &str,
        text: &str,
    ) -> Result<Option<WrittenFile>> {
        let file = self.file(id)?;
        if self.is_read_only {
            return Err(Diagnostic::error(
                Code::Flag,
                "the playground was started with `--read-only`",
            ));
        }
        let before = world
            .read_regular(&file.real)
            .map_err(|error| unreadable(Path::new(&file.path), &error))?;
        if hash(&before) != seen {
            return Ok(None);
        }
        // This compares the file with `before` again, immediately before it is replaced.
        let replacement = Replacement {
            place: &file.real,
            before: &before,
            after: text.as_bytes(),
        };
        // The user can save again, and a request that waits would keep the page from answering.
        let on_wait = |_: &Path| Err(io::Error::other("another process has locked its folder"));
        world.replace(&[replacement], &on_wait).map_err(|failure| {
            let message = format!("cannot write `{}`: {}", file.path, reason(&failure.error));
            Diagnostic::error(Code::File, message)
        })?;
        let hash = hash(text.as_bytes());
        Ok(Some(WrittenFile { hash }))
    }

    fn file(&self, id: usize) -> Result<&ProjectFile> {
        self.files
            .get(id)
            .ok_or_else(|| Diagnostic::error(Code::File, "the folder has no file of this number"))
    }
}

/// Returns whether the start of a file is text. If the file is too large for the page, the last
/// character may be cut off.
fn begins_as_text(bytes: &[u8], is_cut: bool) -> bool {
    match std::str::from_utf8(bytes) {
        Ok(_) => true,
        Err(error) => is_cut && error.error_len().is_none(),
    }
}

/// Returns the path of a file below a folder, with `/` on every system.
fn path_below(folder: &Path, path: &Path) -> String {
    let below = path.strip_prefix(folder).unwrap_or(path);
    let names = below
        .components()
        .map(|name| name.as_os_str().to_string_lossy());
    names.collect::<Vec<_>>().join("/")
}

fn unreadable(path: &Path, error: &std::io::Error) -> Box<Diagnostic> {
    let message = format!("cannot read `{}`: {}", path.display(), reason(error));
    Diagnostic::error(Code::File, message)
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::world::Memory;

    #[test]
    fn a_file_is_written_only_as_it_was_read() {
        let world = Memory::with_files([("dir/a.yml", "a: 1\n"), ("other.yml", "b: 1\n")]);
        let project = ProjectFolder::open(&world, Path::new("dir"), false).unwrap();
        assert_eq!(
            serde_json::to_string(&project.files).unwrap(),
            r#"["a.yml"]"#
        );
        let read = project.read(&world, 0).unwrap();
        assert_eq!(read.text, "a: 1\n");
        let error = project.read(&world, 1).err().unwrap();
        assert_eq!(error.message, "the folder has no file of this number");

        let written = project
            .write(&world, 0, &read.hash, "a: 2\n")
            .unwrap()
            .unwrap();
        assert_ne!(written.hash, read.hash);
        // The page has not seen this content.
        assert!(
            project
                .write(&world, 0, &read.hash, "a: 3\n")
                .unwrap()
                .is_none()
        );
        assert_eq!(project.read(&world, 0).unwrap().text, "a: 2\n");
    }

    #[test]
    fn a_read_only_folder_is_not_written() {
        let world = Memory::with_files([("dir/a.yml", "a: 1\n")]);
        let project = ProjectFolder::open(&world, Path::new("dir"), true).unwrap();
        let read = project.read(&world, 0).unwrap();
        let error = project
            .write(&world, 0, &read.hash, "a: 2\n")
            .err()
            .unwrap();
        assert_eq!(
            error.message,
            "the playground was started with `--read-only`"
        );
    }

    #[test]
    fn text_may_be_cut_within_a_character() {
        assert!(begins_as_text(b"a\xc3", true));
        assert!(!begins_as_text(b"a\xc3", false), "a whole file");
        assert!(!begins_as_text(b"a\xc3x", true));
    }

    #[test]
    fn a_folder_with_too_many_files_is_refused() {
        let names: Vec<String> = (0..=FILES)
            .map(|number| format!("dir/{number}.yml"))
            .collect();
        let world = Memory::with_files(names.iter().map(|name| (name.as_str(), "")));
        let error = ProjectFolder::open(&world, Path::new("dir"), true)
            .err()
            .unwrap();
        let expected = "`dir` has more than 2000 files, or more than 4194304 bytes in them";
        assert_eq!(error.message, expected);
    }
}
