//! A file of the workspace: the origin of its content, and its role in the build.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::input::STANDARD_INPUT_PATH;
use super::virtual_path::VirtualPath;
use crate::source::world::{STANDARD_INPUT, World, reason, source_of, source_shown_as};
use crate::source::{Code, Diagnostic, Result, Source};

/// A file of the input.
#[derive(Clone, Debug)]
pub struct InputFile {
    /// The path in the workspace. It determines the role, the library and the path of the output,
    /// and code loads the file by it.
    pub path: VirtualPath,
    /// The path before any mark changed it. Marks select the file by this path.
    pub(super) original: VirtualPath,
    /// The role that a mark sets.
    pub(super) marked_role: Option<FileRole>,
    /// Whether the file is output, if a mark says so.
    pub(super) marked_output: Option<bool>,
    origin: FileOrigin,
}

/// The origin of the content.
#[derive(Clone, Debug)]
enum FileOrigin {
    /// A regular file on disk.
    Disk {
        /// The path as the user wrote it.
        place: PathBuf,
        /// The canonical path.
        real: PathBuf,
    },
    /// A pipe, by its path.
    Pipe(PathBuf),
    /// Standard input.
    StandardInput,
    /// The content itself.
    Memory(Arc<str>),
    /// A part of another file, such as a string in a configuration.
    Part(Arc<Source>),
}

/// The role of a file in a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileRole {
    /// YAML that is a template if it contains `#@` comments.
    YamlTemplate,
    /// YAML whose comments are never code.
    YamlPlain,
    /// Text with code in `(@ … @)`.
    TextTemplate,
    /// Text that is copied.
    TextPlain,
    /// A Starlark module.
    Starlark,
    /// Content that is only read by code.
    Data,
}

impl FileRole {
    /// Returns the role for the extension of a file name.
    fn of_name(name: &str) -> FileRole {
        match name.rsplit_once('.').map(|(_, extension)| extension) {
            Some("yaml" | "yml") => FileRole::YamlTemplate,
            Some("txt") => FileRole::TextTemplate,
            Some("star") => FileRole::Starlark,
            _ => FileRole::Data,
        }
    }
}

impl InputFile {
    /// Creates a regular file that is read from disk. `place` is its path as the user wrote it, and
    /// `real` is the canonical path, from which the content is read.
    pub fn on_disk(path: VirtualPath, place: PathBuf, real: PathBuf) -> InputFile {
        InputFile::new(path, FileOrigin::Disk { place, real })
    }

    /// Creates a file that is read from a pipe.
    pub fn pipe(path: VirtualPath, place: PathBuf) -> InputFile {
        InputFile::new(path, FileOrigin::Pipe(place))
    }

    /// Creates a file that is read from standard input.
    pub fn standard_input(path: VirtualPath) -> InputFile {
        InputFile::new(path, FileOrigin::StandardInput)
    }

    /// Creates a file with this content.
    pub fn in_memory(path: VirtualPath, content: impl Into<Arc<str>>) -> InputFile {
        InputFile::new(path, FileOrigin::Memory(content.into()))
    }

    /// Creates a file that is a part of another file. Diagnostics show it there.
    pub fn part(path: VirtualPath, source: Arc<Source>) -> InputFile {
        InputFile::new(path, FileOrigin::Part(source))
    }

    fn new(path: VirtualPath, origin: FileOrigin) -> InputFile {
        InputFile {
            original: path.clone(),
            path,
            marked_role: None,
            marked_output: None,
            origin,
        }
    }

    /// Returns the file at another path of the workspace.
    pub fn renamed(self, path: VirtualPath) -> InputFile {
        InputFile { path, ..self }
    }

    /// Returns the path on disk, if the file is there.
    pub fn place(&self) -> Option<&Path> {
        match &self.origin {
            FileOrigin::Disk { place, .. } | FileOrigin::Pipe(place) => Some(place),
            FileOrigin::StandardInput | FileOrigin::Memory(_) | FileOrigin::Part(_) => None,
        }
    }

    /// Returns the canonical path on disk, if the file is a regular file there.
    pub fn real(&self) -> Option<&Path> {
        match &self.origin {
            FileOrigin::Disk { real, .. } => Some(real),
            _ => None,
        }
    }

    /// Returns the role of the file: that of a mark if there is one, and otherwise that of its
    /// name.
    pub fn role(&self) -> FileRole {
        self.marked_role
            .unwrap_or_else(|| FileRole::of_name(self.path.name()))
    }

    /// Returns whether other files can load this one. That is the case for every Starlark file, and
    /// for every file with `.lib` before its extension (`functions.lib.yml`).
    pub fn is_library(&self) -> bool {
        let mut pieces = self.path.name().rsplit('.');
        let lib = pieces.nth(1) == Some("lib") && pieces.next().is_some();
        lib || self.role() == FileRole::Starlark
    }

    /// Returns whether the file is part of the output.
    pub fn is_output(&self) -> bool {
        self.marked_output
            .unwrap_or(match (self.role(), self.marked_role) {
                // A mark with a type turns even a `.lib` file into output, as in ytt.
                (FileRole::YamlTemplate | FileRole::TextTemplate, Some(_)) => true,
                (FileRole::Starlark | FileRole::Data, _) => false,
                _ => !self.is_library(),
            })
    }

    /// Returns whether the file is evaluated for the names that it defines.
    pub(super) fn is_module(&self) -> bool {
        self.is_library()
            && matches!(
                self.role(),
                FileRole::YamlTemplate | FileRole::TextTemplate | FileRole::Starlark
            )
    }

    /// Returns whether the file is evaluated after the data values are known.
    pub fn is_evaluated(&self) -> bool {
        self.is_output() || self.is_module()
    }

    /// Reads the content.
    ///
    /// # Errors
    /// Returns the error of the operating system, with the path.
    pub fn read(&self, world: &dyn World) -> Result<Vec<u8>> {
        let read = match &self.origin {
            FileOrigin::Disk { real, .. } => world.read_regular(real),
            FileOrigin::Pipe(place) => world.read(place),
            FileOrigin::StandardInput => world.standard_input(),
            FileOrigin::Memory(content) => return Ok(content.as_bytes().to_vec()),
            FileOrigin::Part(source) => return Ok(source.text().as_bytes().to_vec()),
        };
        read.map_err(|error| {
            let place = self.place().unwrap_or(Path::new("-")).display();
            Diagnostic::error(
                Code::File,
                format!("cannot read `{place}`: {}", reason(&error)),
            )
        })
    }

    /// Reads the content as a text. Diagnostics show its path on disk as the user wrote it, or its
    /// place in the file that it is a part of.
    ///
    /// # Errors
    /// Fails if the content cannot be read, is not UTF-8, or is too large.
    pub fn source(&self, world: &dyn World) -> Result<Arc<Source>> {
        match &self.origin {
            FileOrigin::Part(source) => Ok(Arc::clone(source)),
            _ => self.shown_source(self.read(world)?),
        }
    }

    /// Converts the content `bytes` to a text.
    ///
    /// # Errors
    /// Fails if the bytes are not UTF-8, or if there are too many.
    pub(super) fn shown_source(&self, bytes: Vec<u8>) -> Result<Arc<Source>> {
        let path = self.path.as_str();
        match &self.origin {
            FileOrigin::Disk { place, .. } | FileOrigin::Pipe(place) => {
                // `-f .` finds `./app.yml`, which is shown without the `./`.
                let shown = place.strip_prefix(".").unwrap_or(place);
                source_shown_as(path, &shown.to_string_lossy(), bytes)
            }
            // With `-f app.yml=-`, the name `app.yml` is more helpful than that of standard input.
            FileOrigin::StandardInput if path == STANDARD_INPUT_PATH => {
                source_shown_as(path, STANDARD_INPUT, bytes)
            }
            FileOrigin::StandardInput | FileOrigin::Memory(_) | FileOrigin::Part(_) => {
                source_of(path.to_owned(), bytes)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str) -> InputFile {
        InputFile::in_memory(VirtualPath::new(path).unwrap(), "")
    }

    #[test]
    fn derives_the_role_from_the_name() {
        let table = [
            ("a.yml", FileRole::YamlTemplate, false, true),
            ("d/a.yaml", FileRole::YamlTemplate, false, true),
            ("a.txt", FileRole::TextTemplate, false, true),
            ("a.star", FileRole::Starlark, true, false),
            ("a.md", FileRole::Data, false, false),
            ("yml", FileRole::Data, false, false),
            ("a.lib.yml", FileRole::YamlTemplate, true, false),
            ("a.lib.txt", FileRole::TextTemplate, true, false),
            ("a.lib.md", FileRole::Data, true, false),
            ("lib.yml", FileRole::YamlTemplate, false, true),
            (".lib.yml", FileRole::YamlTemplate, true, false),
            ("a.YML", FileRole::Data, false, false),
        ];
        for (path, role, library, output) in table {
            let file = file(path);
            assert_eq!(
                (file.role(), file.is_library(), file.is_output()),
                (role, library, output),
                "{path}"
            );
        }
    }

    #[test]
    fn prefers_the_role_of_a_mark_to_that_of_the_name() {
        let marked = |path: &str, role| InputFile {
            marked_role: Some(role),
            ..file(path)
        };
        assert!(
            marked("a.lib.yml", FileRole::YamlTemplate).is_output(),
            "a mark that makes a file a template also makes it output"
        );
        assert!(!marked("a.lib.yml", FileRole::YamlPlain).is_output());
        assert!(marked("README.md", FileRole::TextPlain).is_output());
        assert!(!marked("a.yml", FileRole::Data).is_output());
        assert!(marked("a.yml", FileRole::Starlark).is_library());
        let dropped = InputFile {
            marked_output: Some(false),
            ..marked("a.yml", FileRole::YamlTemplate)
        };
        assert!(!dropped.is_output());
    }
}
