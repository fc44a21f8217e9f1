//! An output folder. Everything is written below it, and a folder that contains anything but the
//! output of a build is not emptied.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Component, Path, PathBuf};

use super::print::OutputFile;
use super::protected_places::ProtectedPlaces;
use crate::source::world::{FileKind, IGNORES_CASE, NewFile, OtherFiles, Walk, World, reason};
use crate::source::{Code, Diagnostic, Result};

/// A folder that files are written to.
pub struct OutputFolder<'w> {
    world: &'w dyn World,
    root: PathBuf,
    others: OtherFiles,
}

impl<'w> OutputFolder<'w> {
    /// Creates the folder at `path` and keeps its content. It need not exist.
    pub fn kept(world: &'w dyn World, path: &str) -> OutputFolder<'w> {
        OutputFolder {
            world,
            root: clean(path),
            others: OtherFiles::Kept,
        }
    }

    /// Creates the folder at `path`, whose content is deleted when something is written. It need
    /// not exist. `named` contains the paths on the command line.
    ///
    /// # Errors
    /// Fails if the folder contains something that must not be deleted (see [`ProtectedPlaces`]), a
    /// repository or a mount point; if its path contains `..`; or if it cannot be searched.
    pub fn emptied(
        world: &'w dyn World,
        path: &str,
        named: &[PathBuf],
    ) -> Result<OutputFolder<'w>> {
        if path.is_empty() {
            let message = "expected an output folder, found an empty path";
            return Err(Diagnostic::error(Code::Output, message));
        }
        let root = clean(path);
        // The meaning of such a path can change: `nosuch/../in` is `in` as soon as `nosuch` exists,
        // and another folder if `nosuch` is a link.
        if root.components().any(|part| part == Component::ParentDir) {
            return Err(refused(&root, "its path has `..`")
                .help("write the path of the folder without `..`"));
        }
        match world.canonical(&root) {
            // Check the real path, because the folder may be a link to something that must be kept.
            Ok(real) => check_may_be_emptied(world, &root, &real, named)?,
            // A folder that does not exist is empty.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed("empty the folder", &root, &error)),
        }
        Ok(OutputFolder {
            world,
            root,
            others: OtherFiles::Removed,
        })
    }

    /// Writes all files, and returns their paths.
    ///
    /// # Errors
    /// Fails if a file cannot be written, or if a link in the folder would lead out of it. In that
    /// case, nothing is written and nothing is deleted.
    pub fn write(&self, files: &[OutputFile]) -> Result<Vec<PathBuf>> {
        if IGNORES_CASE {
            check_case(files)?;
        }
        let mut places = Vec::with_capacity(files.len());
        let mut contents = Vec::with_capacity(files.len());
        for file in files {
            if self.others == OtherFiles::Kept {
                self.check_folders(file)?;
            }
            places.push(self.root.join(file.path.as_str()));
            contents.push(NewFile {
                path: file.path.as_str(),
                content: &file.content,
            });
        }
        self.world
            .write_folder(&self.root, &contents, self.others)
            .map_err(|failure| {
                let action = match self.world.kind(&failure.place) {
                    Err(_) if failure.place == self.root => "create the folder",
                    _ => "write",
                };
                failed(action, &failure.place, &failure.error)
            })?;
        Ok(places)
    }

    /// Returns the current files of the folder, with their paths below it; none if it does not
    /// exist.
    ///
    /// # Errors
    /// Fails if the folder or a file in it cannot be read.
    pub fn content(&self) -> Result<Vec<(String, Vec<u8>)>> {
        let walk = Walk {
            follow_links: None,
            hidden: true,
        };
        let Ok(root) = self.world.canonical(&self.root) else {
            return Ok(Vec::new());
        };
        let mut files = Vec::new();
        for (place, kind) in walk.files(self.world, &root)? {
            let content = match kind {
                FileKind::File => {
                    let read = self.world.read_regular(&place);
                    read.map_err(|error| failed("read", &place, &error))?
                }
                // A link would be deleted, not followed.
                _ => Vec::new(),
            };
            let below = place.strip_prefix(&root).unwrap_or(&place);
            files.push((below.to_string_lossy().replace('\\', "/"), content));
        }
        Ok(files)
    }

    /// Checks that no file or link is at the place of a folder of the output.
    fn check_folders(&self, file: &OutputFile) -> Result<()> {
        let mut place = self.root.clone();
        for folder in file.path.folders() {
            place.push(folder);
            match self.world.kind(&place) {
                Ok(FileKind::Folder) => {}
                Ok(_) => {
                    let message = format!(
                        "expected a folder at `{}`, found a file or a link",
                        place.display()
                    );
                    return Err(Diagnostic::error(Code::Output, message)
                        .note("output is never written through links in the output folder"));
                }
                // The folder does not exist and will be created.
                Err(_) => break,
            }
        }
        Ok(())
    }
}

/// Rejects two paths that differ only in case: the second file would replace the first.
fn check_case(files: &[OutputFile]) -> Result<()> {
    let mut seen: HashMap<String, &str> = HashMap::with_capacity(files.len());
    for file in files {
        let path = file.path.as_str();
        if let Some(other) = seen.insert(path.to_lowercase(), path)
            && other != path
        {
            let message = format!("the outputs `{other}` and `{path}` are one file on this system");
            return Err(Diagnostic::error(Code::Output, message)
                .help("rename a template, or mark its output: `--file-mark 'PATH:path=NAME'`"));
        }
    }
    Ok(())
}

/// Rejects emptying a folder with content that must be kept. `real` is the canonical path.
fn check_may_be_emptied(
    world: &dyn World,
    root: &Path,
    real: &Path,
    named: &[PathBuf],
) -> Result<()> {
    let canonical = |places: &[PathBuf]| -> Vec<PathBuf> {
        let places = places.iter().flat_map(|place| real_places(world, place));
        places.collect()
    };
    let mut homes = world.homes();
    homes.extend(world.variable("HOME").map(PathBuf::from));
    homes.retain(|home| home.is_absolute());
    let protected_places = ProtectedPlaces {
        working_folder: world
            .canonical(Path::new("."))
            .map_err(|error| failed("empty the folder", root, &error))?,
        homes: canonical(&homes),
        named: canonical(named),
    };
    if let Some(content) = protected_places.in_folder(real) {
        return Err(refused(root, &content).help(KEEP));
    }
    if world.is_mount_point(real) {
        return Err(refused(root, "it is a mount point").help(KEEP));
    }
    if let Some(content) = found_below(world, real)? {
        return Err(refused(root, &content).help(KEEP));
    }
    Ok(())
}

const KEEP: &str = "name a separate folder, or keep its content: `--output-files`";

/// Returns the canonical path of a place. For a link, also returns the path of the link itself,
/// which would be deleted.
fn real_places(world: &dyn World, place: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = world.canonical(place).ok().into_iter().collect();
    if let (Some(folder), Some(name)) = (place.parent(), place.file_name()) {
        let folder = match folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => folder,
        };
        found.extend(world.canonical(folder).ok().map(|folder| folder.join(name)));
    }
    found
}

/// Searches a folder at any depth for a repository and for a mount point, whose files are those of
/// another place. Returns the reason why the folder must not be emptied, if there is one.
fn found_below(world: &dyn World, real: &Path) -> Result<Option<String>> {
    let repository =
        |place: &Path| Some(format!("it contains the repository `{}`", place.display()));
    let own = real.join(".git");
    if world.kind(&own).is_ok() {
        return Ok(repository(&own));
    }
    if is_bare_repository(world, real) {
        return Ok(repository(real));
    }
    let mut seen = HashSet::new();
    let walk = Walk {
        follow_links: None,
        hidden: true,
    };
    for (file, _) in walk.files(world, real)? {
        if let Some(git) = file.ancestors().find(|place| place.ends_with(".git"))
            && git.starts_with(real)
        {
            return Ok(repository(git));
        }
        if file.ends_with("HEAD")
            && let Some(folder) = file.parent()
            && is_bare_repository(world, folder)
        {
            return Ok(repository(folder));
        }
        // An empty folder loses nothing, so only folders with files matter.
        let folders = file.ancestors().skip(1);
        for folder in folders.take_while(|folder| *folder != real) {
            if !seen.insert(folder.to_owned()) {
                break;
            }
            if world.is_mount_point(folder) {
                let content = format!("it contains the mount point `{}`", folder.display());
                return Ok(Some(content));
            }
        }
    }
    Ok(None)
}

/// Returns whether a folder contains the files that git expects of a bare repository.
fn is_bare_repository(world: &dyn World, folder: &Path) -> bool {
    let is = |name, kind| {
        world
            .kind(&folder.join(name))
            .is_ok_and(|found| found == kind)
    };
    is("HEAD", FileKind::File) && is("objects", FileKind::Folder) && is("refs", FileKind::Folder)
}

fn refused(root: &Path, why: &str) -> Box<Diagnostic> {
    let message = format!("the folder `{}` cannot be emptied: {why}", root.display());
    Diagnostic::error(Code::Output, message)
}

/// Returns the path without `.` in it.
fn clean(path: &str) -> PathBuf {
    let clean: PathBuf = Path::new(path)
        .components()
        .filter(|part| part.as_os_str() != ".")
        .collect();
    if clean.as_os_str().is_empty() {
        PathBuf::from(".")
    } else {
        clean
    }
}

fn failed(action: &str, place: &Path, error: &io::Error) -> Box<Diagnostic> {
    Diagnostic::error(
        Code::Output,
        format!("cannot {action} `{}`: {}", place.display(), reason(error)),
    )
    .note("the output folder is unchanged")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::VirtualPath;

    #[test]
    fn outputs_whose_names_differ_in_case_only_are_refused_where_they_are_one_file() {
        let table: [(&[&str], Option<&str>); 4] = [
            (&["a.yml", "b.yml", "a.yml"], None),
            (&["a.yml", "x/A.yml"], None),
            (
                &["a.yml", "b.yml", "A.yml"],
                Some("the outputs `a.yml` and `A.yml` are one file on this system"),
            ),
            (
                &["Ä/a.yml", "ä/a.yml"],
                Some("the outputs `Ä/a.yml` and `ä/a.yml` are one file on this system"),
            ),
        ];
        for (paths, expected) in table {
            let mut files = Vec::new();
            for path in paths {
                files.push(OutputFile {
                    path: VirtualPath::new(path).unwrap(),
                    content: Vec::new(),
                });
            }
            let message = check_case(&files).err().map(|error| error.message);
            assert_eq!(message.as_deref(), expected, "{paths:?}");
        }
    }
}
