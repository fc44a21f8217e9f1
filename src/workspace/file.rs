//! A file of the workspace: where its content comes from, and what it is for.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::virtual_path::VirtualPath;
use crate::source::world::{World, reason, source_of};
use crate::source::{Code, Diagnostic, Result, Source};

/// A file that was given as input.
#[derive(Clone, Debug)]
pub struct InputFile {
    /// The path in the workspace. It decides the role, the library and the place of the output, and diagnostics name the
    /// file by it.
    pub path: VirtualPath,
    /// The path before any mark changed it, by which marks find the file.
    pub(super) original: VirtualPath,
    /// The role that a mark gave.
    pub(super) marked_role: Option<Role>,
    /// What a mark said about the output.
    pub(super) marked_output: Option<bool>,
    origin: Origin,
}

/// Where the content is.
#[derive(Clone, Debug)]
enum Origin {
    /// In a file on disk.
    Disk(PathBuf),
    /// On standard input.
    StandardInput,
    /// Here.
    Memory(Arc<str>),
    /// In a part of another file.
    Part(Arc<Source>),
}

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// YAML, with templates where it has `#@` comments.
    YamlTemplate,
    /// YAML whose comments mean nothing.
    YamlPlain,
    /// Text with code in `(@ … @)`.
    TextTemplate,
    /// Text that is copied.
    TextPlain,
    /// A Starlark module.
    Starlark,
    /// Content that only code reads.
    Data,
}

impl Role {
    /// The role that the end of a file's name gives.
    fn of_name(name: &str) -> Role {
        match name.rsplit_once('.').map(|(_, ending)| ending) {
            Some("yaml" | "yml") => Role::YamlTemplate,
            Some("txt") => Role::TextTemplate,
            Some("star") => Role::Starlark,
            _ => Role::Data,
        }
    }
}

impl InputFile {
    /// A file on disk.
    pub fn on_disk(path: VirtualPath, place: PathBuf) -> InputFile {
        InputFile::new(path, Origin::Disk(place))
    }

    /// What stands on standard input.
    pub fn standard_input(path: VirtualPath) -> InputFile {
        InputFile::new(path, Origin::StandardInput)
    }

    /// A file with this content.
    pub fn in_memory(path: VirtualPath, content: impl Into<Arc<str>>) -> InputFile {
        InputFile::new(path, Origin::Memory(content.into()))
    }

    /// A file that is written in a part of another file, which diagnostics show.
    pub fn part(path: VirtualPath, source: Arc<Source>) -> InputFile {
        InputFile::new(path, Origin::Part(source))
    }

    fn new(path: VirtualPath, origin: Origin) -> InputFile {
        InputFile {
            original: path.clone(),
            path,
            marked_role: None,
            marked_output: None,
            origin,
        }
    }

    /// The file with another path, as by a mark.
    pub fn renamed(self, path: VirtualPath) -> InputFile {
        InputFile { path, ..self }
    }

    /// The place on disk, if the file comes from there.
    pub fn place(&self) -> Option<&Path> {
        match &self.origin {
            Origin::Disk(place) => Some(place),
            Origin::StandardInput | Origin::Memory(_) | Origin::Part(_) => None,
        }
    }

    /// What the file is for.
    pub fn role(&self) -> Role {
        self.marked_role
            .unwrap_or_else(|| Role::of_name(self.path.name()))
    }

    /// Whether the file is a module that others load: any Starlark file, and one with `lib` before its ending
    /// (`functions.lib.yml`).
    pub fn is_library(&self) -> bool {
        let mut pieces = self.path.name().rsplit('.');
        let lib = pieces.nth(1) == Some("lib") && pieces.next().is_some();
        lib || self.role() == Role::Starlark
    }

    /// Whether the outcome of the file is part of the output.
    pub fn is_output(&self) -> bool {
        self.marked_output
            .unwrap_or(match (self.role(), self.marked_role) {
                (Role::YamlTemplate | Role::TextTemplate, Some(_)) => true,
                (Role::Starlark | Role::Data, _) => false,
                _ => !self.is_library(),
            })
    }

    /// Reads the content.
    ///
    /// # Errors
    /// As the operating system says.
    pub fn read(&self, world: &dyn World) -> Result<Vec<u8>> {
        let read = match &self.origin {
            Origin::Disk(place) => world.read(place),
            Origin::StandardInput => world.standard_input(),
            Origin::Memory(content) => return Ok(content.as_bytes().to_vec()),
            Origin::Part(source) => return Ok(source.text().as_bytes().to_vec()),
        };
        read.map_err(|error| {
            let place = self.place().unwrap_or(Path::new("-")).display();
            Diagnostic::error(
                Code::File,
                format!("cannot read `{place}`: {}", reason(&error)),
            )
        })
    }

    /// Reads the content as a text that diagnostics call by the path in the workspace, or by the file that it is a part of.
    ///
    /// # Errors
    /// Content that cannot be read, that is not UTF-8, or too large.
    pub fn source(&self, world: &dyn World) -> Result<Arc<Source>> {
        match &self.origin {
            Origin::Part(source) => Ok(Arc::clone(source)),
            _ => source_of(self.path.as_str().to_owned(), self.read(world)?),
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
    fn the_name_says_what_a_file_is_for() {
        let table = [
            ("a.yml", Role::YamlTemplate, false, true),
            ("d/a.yaml", Role::YamlTemplate, false, true),
            ("a.txt", Role::TextTemplate, false, true),
            ("a.star", Role::Starlark, true, false),
            ("a.md", Role::Data, false, false),
            ("yml", Role::Data, false, false),
            ("a.lib.yml", Role::YamlTemplate, true, false),
            ("a.lib.txt", Role::TextTemplate, true, false),
            ("a.lib.md", Role::Data, true, false),
            ("lib.yml", Role::YamlTemplate, false, true),
            (".lib.yml", Role::YamlTemplate, true, false),
            ("a.YML", Role::Data, false, false),
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
    fn a_mark_outweighs_the_name() {
        let marked = |path: &str, role| InputFile {
            marked_role: Some(role),
            ..file(path)
        };
        assert!(
            marked("a.lib.yml", Role::YamlTemplate).is_output(),
            "a template that a mark makes one is output"
        );
        assert!(!marked("a.lib.yml", Role::YamlPlain).is_output());
        assert!(marked("README.md", Role::TextPlain).is_output());
        assert!(!marked("a.yml", Role::Data).is_output());
        assert!(marked("a.yml", Role::Starlark).is_library());
        let dropped = InputFile {
            marked_output: Some(false),
            ..marked("a.yml", Role::YamlTemplate)
        };
        assert!(!dropped.is_output());
    }
}
