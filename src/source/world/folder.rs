//! Files that a configuration names: below one folder, and nowhere else.

use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::{World, reason, similar_file, source_of};
use crate::source::{Code, Diagnostic, Result, Source};

/// A path that stays below the folder it is read in. It cannot be built with `..` above its start, nor absolute.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RelativePath(PathBuf);

impl RelativePath {
    /// Reads a path as a configuration gives it. `.` and an inner `..` are worked out.
    ///
    /// # Errors
    /// An absolute path, one that leaves its folder, and one that names no file.
    pub fn new(path: &str) -> Result<RelativePath> {
        let refuse = |why: &str| {
            Err(Diagnostic::error(
                Code::File,
                format!("expected a path below the configuration's folder, found `{path}`"),
            )
            .note(why)
            .help("move the file below the folder of the configuration"))
        };
        let mut clean = PathBuf::new();
        for component in Path::new(path).components() {
            match component {
                Component::Normal(name) => clean.push(name),
                Component::CurDir => {}
                Component::ParentDir if clean.pop() => {}
                Component::ParentDir => return refuse("`..` leaves the folder"),
                Component::RootDir | Component::Prefix(_) => return refuse("the path is absolute"),
            }
        }
        if clean.as_os_str().is_empty() {
            refuse("the path names no file")
        } else {
            Ok(RelativePath(clean))
        }
    }
}

impl fmt::Display for RelativePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.display().fmt(f)
    }
}

/// A folder that relative paths are read in.
pub struct Folder<'w> {
    world: &'w dyn World,
    root: PathBuf,
}

impl<'w> Folder<'w> {
    /// The folder `root` of `world`.
    pub fn new(world: &'w dyn World, root: impl Into<PathBuf>) -> Folder<'w> {
        let root = root.into();
        let root = if root.as_os_str().is_empty() {
            PathBuf::from(".")
        } else {
            root
        };
        Folder { world, root }
    }

    /// The world that the folder is in.
    pub fn world(&self) -> &'w dyn World {
        self.world
    }

    /// Where `path` leads, as a user would name it.
    ///
    /// # Errors
    /// What is not there, and what a link takes out of the folder.
    pub fn place(&self, path: &RelativePath) -> Result<PathBuf> {
        let place = if self.root == Path::new(".") {
            path.0.clone()
        } else {
            self.root.join(&path.0)
        };
        self.check(&place)?;
        Ok(place)
    }

    /// Makes sure that what stands at `place` is in the folder, whatever links lead there.
    ///
    /// # Errors
    /// What is not there, and what a link takes out of the folder.
    pub fn check(&self, place: &Path) -> Result<()> {
        let failed = |error: std::io::Error| {
            Diagnostic::error(
                Code::File,
                format!("cannot read `{}`: {}", place.display(), reason(&error)),
            )
            .help_if(
                (error.kind() == std::io::ErrorKind::NotFound)
                    .then(|| similar_file(self.world, place))
                    .flatten(),
            )
        };
        let root = self.world.canonical(&self.root).map_err(failed)?;
        if self
            .world
            .canonical(place)
            .map_err(failed)?
            .starts_with(root)
        {
            return Ok(());
        }
        let message = format!(
            "`{}` is a link that leaves the configuration's folder",
            place.display()
        );
        Err(Diagnostic::error(Code::File, message)
            .help("copy the file below the folder of the configuration"))
    }

    /// Reads a file of the folder.
    ///
    /// # Errors
    /// As [`place`](Self::place), and a file that cannot be read or is not UTF-8.
    pub fn read(&self, path: &RelativePath) -> Result<Arc<Source>> {
        let (name, bytes) = self.read_bytes(path)?;
        source_of(name, bytes)
    }

    /// Reads a file of the folder, of whatever bytes, with its name as a user would name it.
    ///
    /// # Errors
    /// As [`place`](Self::place), and a file that cannot be read.
    pub fn read_bytes(&self, path: &RelativePath) -> Result<(String, Vec<u8>)> {
        let place = self.place(path)?;
        let name = place.to_string_lossy().into_owned();
        let failed = |error: std::io::Error| {
            Diagnostic::error(
                Code::File,
                format!("cannot read `{name}`: {}", reason(&error)),
            )
        };
        let bytes = self.world.read(&place).map_err(failed)?;
        Ok((name, bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::world::Memory;

    #[test]
    fn a_path_that_leaves_its_folder_cannot_be_built() {
        for path in ["../a", "a/../../b", "/etc/passwd", "", ".", "a/.."] {
            assert_eq!(
                RelativePath::new(path).unwrap_err().code,
                Code::File,
                "{path}"
            );
        }
        assert_eq!(
            RelativePath::new("./a/../b//c.yml").unwrap().to_string(),
            "b/c.yml"
        );
    }

    #[test]
    fn files_are_named_as_the_user_would_name_them() {
        let world = Memory::with_files([("a.yml", "x: 1\n"), ("base/b.yml", "y: 2\n")]);
        let read = |root: &str, path: &str| {
            Folder::new(&world, root)
                .read(&RelativePath::new(path).unwrap())
                .unwrap()
        };
        assert_eq!(read("", "a.yml").name(), "a.yml");
        assert_eq!(read("base", "b.yml").name(), "base/b.yml");
        assert_eq!(read("base", "b.yml").text(), "y: 2\n");
    }

    #[test]
    fn a_missing_file_is_an_error_that_names_it() {
        let world = Memory::default();
        let error = Folder::new(&world, "base")
            .read(&RelativePath::new("b.yml").unwrap())
            .unwrap_err();
        assert!(
            error.message.starts_with("cannot read `base/b.yml`"),
            "{}",
            error.message
        );
    }
}
