//! The files that a configuration may name: the files below one folder.
//!
//! Two checks keep a configuration inside its folder. [`RelativePath`] refuses paths whose text
//! leaves the folder (`..`, absolute paths), and [`Folder`] refuses paths that leave it through
//! symbolic links. [`FolderReach`] lists the different rules of a kustomization.

use std::fmt;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::{World, reason, similar_file, source_of, windows_fault};
use crate::source::{Code, Diagnostic, Result, Source};

/// The files that the paths of a configuration may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FolderReach {
    /// Files below the folder, named by paths without `..` at the start.
    Below,
    /// Files that are below the folder after links and `..` are resolved, regardless of their
    /// spelling.
    /// This is `LoadRestrictionsRootOnly` of kustomize.
    BelowWhenResolved,
    /// Every file. This is `LoadRestrictionsNone` of kustomize.
    Anywhere,
}

/// A path relative to a folder.
///
/// Invariant: unless a [`Folder`] with another reach created it, it has no `..` and is not
/// absolute, so joining it to a folder gives a path below that folder (apart from links).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RelativePath(PathBuf);

impl RelativePath {
    /// Parses a path of a configuration. `.` and inner `..` are resolved.
    ///
    /// # Errors
    /// A path that is absolute, leaves its folder, or names no file.
    pub fn new(path: &str) -> Result<RelativePath> {
        let mut clean = PathBuf::new();
        for component in Path::new(path).components() {
            match component {
                Component::Normal(name) => clean.push(name),
                Component::CurDir => {}
                Component::ParentDir if clean.pop() => {}
                Component::ParentDir => return Err(refused(path, "`..` leaves the folder")),
                Component::RootDir | Component::Prefix(_) => {
                    return Err(refused(path, "the path is absolute"));
                }
            }
        }
        let names = clean.iter().map(|part| part.to_string_lossy());
        let fault = names
            .filter(|_| cfg!(windows))
            .find_map(|part| windows_fault(&part));
        if let Some(fault) = fault {
            return Err(refused(path, fault));
        }
        if clean.as_os_str().is_empty() {
            Err(refused(path, "the path names no file"))
        } else {
            Ok(RelativePath(clean))
        }
    }
}

/// Returns a path without `.` and inner `..`, by its text alone.
pub fn cleaned(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => match clean.components().next_back() {
                Some(Component::Normal(_)) => _ = clean.pop(),
                // The parent of the root of the file system is the root itself.
                Some(Component::RootDir) => {}
                _ => clean.push(".."),
            },
            other => clean.push(other),
        }
    }
    if clean.as_os_str().is_empty() {
        clean.push(".");
    }
    clean
}

fn refused(path: &str, why: &str) -> Box<Diagnostic> {
    let message = format!("expected a path below the configuration's folder, found `{path}`");
    Diagnostic::error(Code::File, message).note(why).help(
        "move the file below the folder of the configuration, or call `inlay run --allow-path DIR`",
    )
}

impl RelativePath {
    /// Returns the path.
    pub fn as_path(&self) -> &Path {
        &self.0
    }
}

impl fmt::Display for RelativePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.display().fmt(f)
    }
}

/// The folder of a configuration, which its relative paths refer to.
pub struct Folder<'w> {
    world: &'w dyn World,
    /// The root, or the reason why there is none and no file can be read.
    root: Result<PathBuf>,
    reach: FolderReach,
    /// The canonical paths of further folders that the user allows.
    allowed: Vec<PathBuf>,
}

impl<'w> Folder<'w> {
    /// Creates the folder `root` of `world`. An empty `root` is the working folder.
    pub fn new(world: &'w dyn World, root: impl Into<PathBuf>) -> Folder<'w> {
        let root = root.into();
        let root = if root.as_os_str().is_empty() {
            PathBuf::from(".")
        } else {
            root
        };
        Folder {
            world,
            root: Ok(root),
            reach: FolderReach::Below,
            allowed: Vec::new(),
        }
    }

    /// Sets the files that the paths of a configuration may name.
    pub fn with_reach(self, reach: FolderReach) -> Folder<'w> {
        Folder { reach, ..self }
    }

    /// Allows the paths of a configuration to name files in other folders too.
    ///
    /// # Errors
    /// A folder that does not exist, or is the root of the file system.
    pub fn with_allowed(mut self, folders: &[PathBuf]) -> Result<Folder<'w>> {
        for folder in folders {
            let real = self.canonical(folder, folder)?;
            if !self.world.is_folder(&real) || real.parent().is_none() {
                let message = format!(
                    "expected a folder below `/` for `--allow-path`, found `{}`",
                    folder.display()
                );
                return Err(Diagnostic::error(Code::Flag, message));
            }
            self.allowed.push(real);
        }
        Ok(self)
    }

    /// Parses a path of the configuration in this folder.
    ///
    /// # Errors
    /// A path that does not name a file, or whose text leaves a folder that it may not leave.
    pub fn path(&self, path: &str) -> Result<RelativePath> {
        if self.reach == FolderReach::Below {
            return match RelativePath::new(path) {
                // Links and `..` are resolved when the file is read, and the file has to exist at
                // that time.
                Err(_) if !self.allowed.is_empty() && !path.is_empty() => {
                    Ok(RelativePath(cleaned(Path::new(path))))
                }
                result => result,
            };
        }
        if path.is_empty() {
            return Err(refused(path, "the path names no file"));
        }
        Ok(RelativePath(cleaned(Path::new(path))))
    }

    /// Creates the folder of a configuration that may not read any file for the given reason.
    pub fn without_files(world: &'w dyn World, reason: Box<Diagnostic>) -> Folder<'w> {
        Folder {
            world,
            root: Err(reason),
            reach: FolderReach::Below,
            allowed: Vec::new(),
        }
    }

    /// Returns the world of the folder.
    pub fn world(&self) -> &'w dyn World {
        self.world
    }

    /// Returns the path of a file as a user would write it.
    ///
    /// # Errors
    /// A file that does not exist, or a link that leads out of the folder.
    pub fn place(&self, path: &RelativePath) -> Result<PathBuf> {
        let root = self.root.as_ref().map_err(Clone::clone)?;
        let place = if root == Path::new(".") {
            path.0.clone()
        } else {
            let joined = root.join(&path.0);
            match self.reach {
                FolderReach::Below if self.allowed.is_empty() => joined,
                _ => cleaned(&joined),
            }
        };
        self.real(&place)?;
        Ok(place)
    }

    /// Returns the canonical path of the file at `place`.
    ///
    /// # Errors
    /// A file that does not exist, or is outside of the folder after all links are followed.
    pub fn real(&self, place: &Path) -> Result<PathBuf> {
        let root = self.limit(place)?;
        let real = self.canonical(place, place)?;
        match root {
            Some(root) if !self.contains(&root, &real) => Err(self.leaves(place)),
            _ => Ok(real),
        }
    }

    /// Checks that a file is in the folder: `real` is the canonical path of `place`.
    ///
    /// # Errors
    /// A link that leads out of the folder.
    pub fn check(&self, place: &Path, real: &Path) -> Result<()> {
        match self.limit(place)? {
            Some(root) if !self.contains(&root, real) => Err(self.leaves(place)),
            _ => Ok(()),
        }
    }

    /// Returns whether a canonical path is in the folder `root`, or in an allowed folder.
    fn contains(&self, root: &Path, real: &Path) -> bool {
        real.starts_with(root) || self.allowed.iter().any(|allowed| real.starts_with(allowed))
    }

    /// Returns the canonical path of the folder that paths may not leave, if there is one. An error
    /// names `place`, the file to be read.
    fn limit(&self, place: &Path) -> Result<Option<PathBuf>> {
        if self.reach == FolderReach::Anywhere {
            return Ok(None);
        }
        let root = self.root.as_ref().map_err(Clone::clone)?;
        let root = self.canonical(root, place)?;
        // At the root of the file system, "below the folder" would include every file of the
        // machine: the keys of the host, its processes, its devices.
        if root.has_root() && root.parent().is_none() {
            let message = format!(
                "cannot read `{}`: the configuration's folder is the root of the file system",
                place.display()
            );
            return Err(Diagnostic::error(Code::File, message)
                .help("call it in the folder that contains the configuration"));
        }
        Ok(Some(root))
    }

    fn leaves(&self, place: &Path) -> Box<Diagnostic> {
        let shown = place.display();
        if self.reach == FolderReach::Below && !self.allowed.is_empty() {
            let message = format!(
                "`{shown}` is neither in the configuration's folder nor in one of `--allow-path`"
            );
            return Diagnostic::error(Code::File, message)
                .help("allow its folder too: `--allow-path DIR`");
        }
        if self.reach == FolderReach::Below {
            let message = format!("`{shown}` is a link that leaves the configuration's folder");
            return Diagnostic::error(Code::File, message)
                .help("copy the file below the folder of the configuration");
        }
        let root = match &self.root {
            Ok(root) => root.display().to_string(),
            Err(_) => String::new(),
        };
        let message = format!("security; file `{shown}` is not in or below `{root}`");
        Diagnostic::error(Code::File, message).help(
            "move the file below the folder of the kustomization, or add `--load-restrictor LoadRestrictionsNone`",
        )
    }

    /// Returns the canonical form of `path`. An error names `place`, the file that the user
    /// requested.
    fn canonical(&self, path: &Path, place: &Path) -> Result<PathBuf> {
        self.world.canonical(path).map_err(|error| {
            let message = format!("cannot read `{}`: {}", place.display(), reason(&error));
            let help = match error.kind() {
                io::ErrorKind::NotFound => similar_file(self.world, place),
                _ => None,
            };
            Diagnostic::error(Code::File, message).help_if(help)
        })
    }

    /// Reads a text file of the folder.
    ///
    /// # Errors
    /// The errors of [`place`](Self::place), and a file that cannot be read or is not UTF-8.
    pub fn read(&self, path: &RelativePath) -> Result<Arc<Source>> {
        let (name, bytes) = self.read_bytes(path)?;
        source_of(name, bytes)
    }

    /// Reads a file of the folder that need not be text. Returns its path as a user would write it,
    /// and its bytes.
    ///
    /// # Errors
    /// The errors of [`place`](Self::place), and a file that cannot be read.
    pub fn read_bytes(&self, path: &RelativePath) -> Result<(String, Vec<u8>)> {
        let place = self.place(path)?;
        let name = place.to_string_lossy().into_owned();
        match self.world.read_regular(&self.real(&place)?) {
            Ok(bytes) => Ok((name, bytes)),
            Err(error) => {
                let message = format!("cannot read `{name}`: {}", reason(&error));
                Err(Diagnostic::error(Code::File, message))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::world::Memory;

    #[test]
    fn refuses_a_path_that_leaves_its_folder() {
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
    fn names_files_as_a_user_would() {
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
    fn reaches_files_as_a_kustomization_does() {
        let world = Memory::with_files([("a.yml", "x: 1\n"), ("base/b.yml", "y: 2\n")]);
        let read = |reach, path: &str| {
            let folder = Folder::new(&world, "base").with_reach(reach);
            let source = folder.path(path).and_then(|path| folder.read(&path));
            source.map(|source| source.name().to_owned())
        };
        let below = FolderReach::BelowWhenResolved;
        assert_eq!(read(below, "../base/b.yml").unwrap(), "base/b.yml");
        let error = read(below, "../a.yml").unwrap_err();
        assert!(
            error.message.starts_with("security; file `a.yml`"),
            "{}",
            error.message
        );
        assert_eq!(read(FolderReach::Anywhere, "../a.yml").unwrap(), "a.yml");
        assert!(read(FolderReach::Below, "../base/b.yml").is_err());
        assert_eq!(
            cleaned(Path::new("../../a/./b/../c")),
            Path::new("../../a/c")
        );
        assert_eq!(cleaned(Path::new("/../a/..")), Path::new("/"));
        assert_eq!(cleaned(Path::new("a/..")), Path::new("."));
    }

    #[test]
    fn names_a_missing_file_in_the_error() {
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
