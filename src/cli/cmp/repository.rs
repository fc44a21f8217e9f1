//! The copy of a repository that Argo CD makes for a run, and that the run may not leave.
//!
//! The copies of other requests, which belong to other teams, and the files of the sidecar are
//! next to it. A path in a parameter, a link or a kustomization must not lead there.

use std::io;
use std::path::{Path, PathBuf};

use crate::source::world::{World, WorldLayer, cleaned, reason};
use crate::source::{Code, Diagnostic, Diagnostics, Result};

/// The variable that contains the folder of the application, relative to the root of its
/// repository.
const SOURCE_PATH: &str = "ARGOCD_APP_SOURCE_PATH";

/// The reason for refusing a file. It is the end of the message that the file cannot be read.
const OUTSIDE: &str = "it is outside of the repository of the application";

/// The world of a run: all that can be read is the repository and the environment.
pub(super) struct Repository<'w> {
    world: &'w dyn World,
    /// The canonical path of the folder of the application, which is the working folder.
    application: PathBuf,
    /// The canonical path of the root of the copy.
    root: PathBuf,
}

impl<'w> Repository<'w> {
    /// Returns the repository that contains the working folder.
    ///
    /// # Errors
    /// Fails if the working folder cannot be found.
    pub(super) fn new(world: &'w dyn World) -> Result<Repository<'w>> {
        let application = world.canonical(Path::new(".")).map_err(|error| {
            let reason = reason(&error);
            let message = format!("cannot find the folder of the application: {reason}");
            Diagnostic::error(Code::File, message)
        })?;
        let source_path = world.variable(SOURCE_PATH).unwrap_or_default();
        Ok(Repository {
            world,
            root: root_above(&application, Path::new(&source_path)),
            application,
        })
    }

    /// Returns the canonical path of the root.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns whether a path that is relative to the folder of the application stays in the
    /// repository, by its text alone. Links are checked when a file is read.
    pub(super) fn contains(&self, path: &Path) -> bool {
        !path.is_absolute() && cleaned(&self.application.join(path)).starts_with(&self.root)
    }

    /// Returns `path` unchanged if it leads to a place in the repository.
    fn checked(&self, path: &Path) -> io::Result<PathBuf> {
        let real = self.world.canonical(path)?;
        match real.starts_with(&self.root) {
            true => Ok(real),
            false => Err(io::Error::new(io::ErrorKind::PermissionDenied, OUTSIDE)),
        }
    }
}

impl WorldLayer for Repository<'_> {
    fn beneath(&self) -> &dyn World {
        self.world
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        // The file that was checked is read, even if a part of the path becomes a link. A pipe has
        // no place in a repository, and may never have a writer.
        self.world.read_regular(&self.checked(path)?)
    }

    fn read_regular(&self, real: &Path) -> io::Result<Vec<u8>> {
        self.checked(real)?;
        self.world.read_regular(real)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.checked(path)?;
        self.world.list(path)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.checked(path)
    }

    fn standard_input(&self) -> io::Result<Vec<u8>> {
        // It is empty, and an empty file that nobody notices could prune what is deployed.
        let reason = "Argo CD passes no standard input";
        Err(io::Error::new(io::ErrorKind::Unsupported, reason))
    }
}

/// Returns the root of the copy in which the application has this folder.
///
/// Argo CD copies the whole repository. With the annotation `manifest-generate-paths`, it copies
/// only the folder that contains all of the paths in the annotation:
///
/// ```text
/// source path   working folder                root
/// apps/shop     /tmp/_cmp_server/6f/apps/shop /tmp/_cmp_server/6f
/// apps/shop     /tmp/_cmp_server/6f/shop      /tmp/_cmp_server/6f    a copy of `apps`
/// apps/shop     /tmp/_cmp_server/6f           /tmp/_cmp_server/6f    a copy of `apps/shop`
/// ```
///
/// So the number of folders in the source path does not say how far the root is. The names that
/// both paths have at their ends do, because a copy has a random name.
fn root_above(application: &Path, source_path: &Path) -> PathBuf {
    let source_path = cleaned(source_path);
    let names = source_path.components().rev();
    let mut root = application;
    for (folder, name) in application.ancestors().zip(names) {
        match folder.parent() {
            Some(parent) if folder.file_name() == Some(name.as_os_str()) => root = parent,
            _ => break,
        }
    }
    root.to_owned()
}

/// Replaces help that names a flag, because no user of Argo CD can set one, and adds help to the
/// errors about files outside of the repository.
pub(super) fn fit_help(diagnostics: &mut Diagnostics) {
    for diagnostic in diagnostics.as_mut_slice() {
        let help = if diagnostic.message.contains(OUTSIDE) {
            "copy the file into the repository"
        } else if diagnostic
            .help
            .iter()
            .any(|help| help.contains("`--load-restrictor"))
        {
            "move the file below the folder of the kustomization"
        } else {
            continue;
        };
        diagnostic.remedies.clear();
        diagnostic.help = vec![help.to_owned()];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_root_of_a_whole_and_of_a_partial_copy() {
        let table = [
            ("/tmp/6f/apps/shop", "apps/shop", "/tmp/6f"),
            ("/tmp/6f/apps/shop", "./apps//shop/", "/tmp/6f"),
            ("/tmp/6f/shop", "apps/shop", "/tmp/6f"),
            ("/tmp/6f", "apps/shop", "/tmp/6f"),
            ("/tmp/6f", ".", "/tmp/6f"),
            ("/tmp/6f", "", "/tmp/6f"),
            // The folder of the application is a link to `real/shop` or to `real`.
            ("/tmp/6f/real/shop", "apps/shop", "/tmp/6f/real"),
            ("/tmp/6f/real", "apps/shop", "/tmp/6f/real"),
            ("/tmp/6f/apps/real", "apps/shop", "/tmp/6f/apps/real"),
            ("/tmp/6f/apps/shop", "../shop", "/tmp/6f/apps"),
            ("/", "apps/shop", "/"),
            ("/shop", "apps/shop", "/"),
        ];
        for (application, source_path, root) in table {
            let found = root_above(Path::new(application), Path::new(source_path));
            assert_eq!(found, Path::new(root), "{application} {source_path}");
        }
    }
}
