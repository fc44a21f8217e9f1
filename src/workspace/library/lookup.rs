//! What a path means that code names: in `load`, `data.read` and `data.list`.
//!
//! `path` starts in the folder of the file that names it, `/path` in the root of its library, and `@library:path` in a
//! library below `_ytt_lib` of the folder of the file. A path never leads into a private library by itself.

use super::{FolderId, LibraryTree, PRIVATE_FOLDER, ROOT};
use crate::source::suggest::did_you_mean;
use crate::source::{Code, Diagnostic, Result};

/// A file as a part of a library. The same file is another one where another library is the root of its paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The index of the file.
    pub file: usize,
    /// The root of the library.
    pub root: FolderId,
}

/// A folder that a path leads to, and the root of the library that it is in.
#[derive(Clone, Copy)]
struct Found {
    folder: FolderId,
    root: FolderId,
}

impl LibraryTree<'_> {
    /// The private library at `path` below `_ytt_lib` of the folder of the file at `from`.
    ///
    /// # Errors
    /// A path that leads to no folder.
    pub fn private_library(&self, path: &str, from: Place) -> Result<FolderId> {
        let own = Found {
            folder: self.places.get(from.file).copied().unwrap_or(ROOT),
            root: from.root,
        };
        self.library(path, own).map(|found| found.root)
    }

    /// The library file that `load("path", …)` means in the file at `from`.
    ///
    /// # Errors
    /// A path that leads to nothing, or to a file that is no library file.
    pub fn load(&self, path: &str, from: Place) -> Result<Place> {
        let place = self.read(path, from)?;
        match self.files.get(place.file) {
            Some(file) if file.is_library() => Ok(place),
            _ => Err(Diagnostic::error(Code::File, format!("expected a library file, found `{path}`")).help(
                "only files that end in `.star`, or have `.lib` before their ending, can be loaded; `data.read` reads any file",
            )),
        }
    }

    /// The file that `data.read("path")` means in the file at `from`.
    ///
    /// # Errors
    /// A path that leads to nothing.
    pub fn read(&self, path: &str, from: Place) -> Result<Place> {
        let (start, rest) = self.start(path, from)?;
        let (folders, name) = rest.rsplit_once('/').unwrap_or(("", rest));
        let found = self.descend(start, folders, path)?;
        let folder = &self.folders[found.folder.0];
        folder
            .file_by_name
            .get(name)
            .map(|&file| Place {
                file,
                root: found.root,
            })
            .ok_or_else(|| {
                let names = folder
                    .files
                    .iter()
                    .filter_map(|&index| Some(self.files.get(index)?.path.name()));
                Diagnostic::error(
                    Code::File,
                    format!("expected a file at `{path}`, found none"),
                )
                .help(
                    did_you_mean(name, names)
                        .unwrap_or_else(|| "only files that are given as input can be read".into()),
                )
            })
    }

    /// The paths of the files that `data.list(path)` means in the file at `from`: all that are not private in the folder
    /// and below it, each as `data.read` takes it there. Without a path it is the folder of the file.
    ///
    /// # Errors
    /// A path that leads to no folder.
    pub fn list(&self, path: Option<&str>, from: Place) -> Result<Vec<String>> {
        let path = path.unwrap_or("");
        let (start, rest) = self.start(path, from)?;
        let found = self.descend(start, rest, path)?;
        let prefix = match path {
            "" => String::new(),
            _ if path.ends_with(['/', ':']) => path.to_owned(),
            _ => format!("{path}/"),
        };
        let files = self.accessible_below(found.folder).into_iter();
        let below = files.map(|file| self.path_below(found.folder, file));
        Ok(below.map(|path| format!("{prefix}{path}")).collect())
    }

    /// Where a path starts, and the rest of it.
    fn start<'p>(&self, path: &'p str, from: Place) -> Result<(Found, &'p str)> {
        let own = Found {
            folder: self.places.get(from.file).copied().unwrap_or(ROOT),
            root: from.root,
        };
        if let Some(reference) = path.strip_prefix('@') {
            let (name, rest) = reference.split_once(':').ok_or_else(|| {
                Diagnostic::error(
                    Code::File,
                    format!("expected `@library:path`, found `{path}`"),
                )
                .help("for instance `@github.com/org/library:functions.star` or `@ytt:data`")
            })?;
            let library = self.library(name, own)?;
            return Ok((library, rest.strip_prefix('/').unwrap_or(rest)));
        }
        Ok(match path.strip_prefix('/') {
            Some(rest) => (
                Found {
                    folder: from.root,
                    ..own
                },
                rest,
            ),
            None => (own, path),
        })
    }

    /// The private library with this name that the files of a folder see.
    fn library(&self, name: &str, from: Found) -> Result<Found> {
        let private = self.folders[from.folder.0]
            .by_name
            .get(PRIVATE_FOLDER)
            .copied();
        let folder = private.ok_or_else(|| {
            Diagnostic::error(
                Code::File,
                format!("expected the library `{name}`, found no folder `{PRIVATE_FOLDER}`"),
            )
            .help(format!(
                "libraries stand in `{PRIVATE_FOLDER}` beside the file that uses them"
            ))
        })?;
        let found = self
            .descend(
                Found {
                    folder,
                    root: folder,
                },
                name,
                name,
            )
            .map_err(|error| {
                let message = format!(
                    "expected the library `{name}`, found no such folder below `{PRIVATE_FOLDER}`"
                );
                Box::new(Diagnostic { message, ..*error })
            })?;
        Ok(Found {
            root: found.folder,
            ..found
        })
    }

    /// The folder that the names in `folders` lead to.
    fn descend(&self, start: Found, folders: &str, path: &str) -> Result<Found> {
        let mut found = start;
        for name in folders.split('/').filter(|name| !name.is_empty()) {
            if name == PRIVATE_FOLDER {
                return Err(Diagnostic::error(
                    Code::File,
                    format!("expected no private folder in the path `{path}`"),
                )
                .help("name a private library: `@library:path`"));
            }
            let folder = &self.folders[found.folder.0];
            found.folder = folder.by_name.get(name).copied().ok_or_else(|| {
                let names = folder
                    .folders
                    .iter()
                    .map(|inner| self.folders[inner.0].name);
                Diagnostic::error(
                    Code::File,
                    format!("expected a folder `{name}` on the way of `{path}`, found none"),
                )
                .help_if(did_you_mean(
                    name,
                    names.filter(|name| *name != PRIVATE_FOLDER),
                ))
            })?;
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::{InputFile, VirtualPath};

    const PATHS: [&str; 10] = [
        "a.yml",
        "f.star",
        "d/b.yml",
        "d/f.lib.yml",
        "d/data",
        "d/e/g.star",
        "_ytt_lib/one/h.star",
        "_ytt_lib/one/i/j.star",
        "_ytt_lib/org/two/_ytt_lib/three/k.star",
        "_ytt_lib/org/two/l.lib.txt",
    ];

    fn files() -> Vec<InputFile> {
        PATHS
            .iter()
            .map(|path| InputFile::in_memory(VirtualPath::new(path).unwrap(), ""))
            .collect()
    }

    /// Goes from file to file by `paths`, and returns the path of the last.
    fn load(start: &str, paths: &[&str]) -> std::result::Result<&'static str, String> {
        let files = files();
        let tree = LibraryTree::new(&files);
        let start = Place {
            file: PATHS.iter().position(|path| *path == start).unwrap(),
            root: ROOT,
        };
        let end = paths
            .iter()
            .try_fold(start, |place, path| tree.load(path, place));
        end.map(|place| PATHS[place.file])
            .map_err(|error| error.message)
    }

    #[test]
    fn a_path_starts_in_the_folder_of_the_file_or_the_root_of_its_library() {
        let table: [(&str, &[&str], &str); 9] = [
            ("a.yml", &["f.star"], "f.star"),
            ("a.yml", &["d/f.lib.yml"], "d/f.lib.yml"),
            ("a.yml", &["d/f.lib.yml", "e/g.star", "/f.star"], "f.star"),
            ("d/b.yml", &["/d/f.lib.yml"], "d/f.lib.yml"),
            ("a.yml", &["@one:h.star"], "_ytt_lib/one/h.star"),
            (
                "a.yml",
                &["@one:/h.star", "i/j.star"],
                "_ytt_lib/one/i/j.star",
            ),
            (
                "a.yml",
                &["@one:i/j.star", "/h.star"],
                "_ytt_lib/one/h.star",
            ),
            (
                "a.yml",
                &["@org/two:l.lib.txt", "@three:k.star"],
                "_ytt_lib/org/two/_ytt_lib/three/k.star",
            ),
            (
                "a.yml",
                &["@org/two:l.lib.txt", "@three:k.star", "/k.star"],
                "_ytt_lib/org/two/_ytt_lib/three/k.star",
            ),
        ];
        for (start, paths, expected) in table {
            assert_eq!(
                load(start, paths).as_deref(),
                Ok(expected),
                "{start} {paths:?}"
            );
        }
    }

    #[test]
    fn a_path_that_leads_to_no_library_file_is_an_error() {
        let table = [
            ("g.star", "expected a file at `g.star`, found none"),
            (
                "x/g.star",
                "expected a folder `x` on the way of `x/g.star`, found none",
            ),
            ("d/b.yml", "expected a library file, found `d/b.yml`"),
            (
                "../a.star",
                "expected a folder `..` on the way of `../a.star`, found none",
            ),
            (
                "_ytt_lib/one/h.star",
                "expected no private folder in the path `_ytt_lib/one/h.star`",
            ),
            ("@one", "expected `@library:path`, found `@one`"),
            (
                "@four:h.star",
                "expected the library `four`, found no such folder below `_ytt_lib`",
            ),
            (
                "@one:x.star",
                "expected a file at `@one:x.star`, found none",
            ),
            ("", "expected a file at ``, found none"),
        ];
        for (path, expected) in table {
            assert_eq!(load("a.yml", &[path]).unwrap_err(), expected, "{path}");
        }
        let nested = load("d/b.yml", &["@one:h.star"]).unwrap_err();
        assert_eq!(
            nested,
            "expected the library `one`, found no folder `_ytt_lib`"
        );
    }

    #[test]
    fn files_are_listed_as_they_can_be_read_from_there() {
        let table: [(&str, Option<&str>, &[&str]); 6] = [
            (
                "a.yml",
                None,
                &[
                    "a.yml",
                    "f.star",
                    "d/b.yml",
                    "d/f.lib.yml",
                    "d/data",
                    "d/e/g.star",
                ],
            ),
            ("d/b.yml", None, &["b.yml", "f.lib.yml", "data", "e/g.star"]),
            ("d/b.yml", Some("/d/e"), &["/d/e/g.star"]),
            ("d/b.yml", Some("e/"), &["e/g.star"]),
            (
                "d/b.yml",
                Some("/"),
                &[
                    "/a.yml",
                    "/f.star",
                    "/d/b.yml",
                    "/d/f.lib.yml",
                    "/d/data",
                    "/d/e/g.star",
                ],
            ),
            ("a.yml", Some("@one:"), &["@one:h.star", "@one:i/j.star"]),
        ];
        let files = files();
        let tree = LibraryTree::new(&files);
        for (start, path, expected) in table {
            let start = Place {
                file: PATHS.iter().position(|path| *path == start).unwrap(),
                root: ROOT,
            };
            let listed = tree.list(path, start).unwrap();
            assert_eq!(listed, expected, "{path:?}");
            for path in listed {
                assert!(tree.read(&path, start).is_ok(), "{path} can be read");
            }
        }
    }
}
