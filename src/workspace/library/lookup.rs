//! Resolves the paths in code: in `load`, `data.read`, `data.list` and `library.get`.
//!
//! | path | starts in |
//! | --- | --- |
//! | `path` | the folder of the file that contains it |
//! | `/path` | the root of that file's library |
//! | `@library:path` | a library below `_ytt_lib` of the folder of the file |
//!
//! This is the only way for a path to enter a private library.

use super::tree::{FolderId, LibraryTree, PRIVATE_FOLDER};
use crate::source::suggest::did_you_mean;
use crate::source::{Code, Diagnostic, Result};

/// A file as a part of a library. The same file may be a part of several libraries, and its
/// absolute paths then start at different folders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::workspace) struct LibraryFile {
    /// The index of the file.
    pub(in crate::workspace) index: usize,
    /// The root of the library.
    pub(in crate::workspace) root: FolderId,
}

/// A folder as a part of a library.
#[derive(Clone, Copy)]
struct FolderInLibrary {
    folder: FolderId,
    root: FolderId,
}

impl LibraryTree<'_> {
    /// Returns the private library at `path` below `_ytt_lib` of the folder of `from`.
    ///
    /// # Errors
    /// Fails if no folder has this path.
    pub(in crate::workspace) fn private_library(
        &self,
        path: &str,
        from: LibraryFile,
    ) -> Result<FolderId> {
        Ok(self.library(path, self.folder_of(from.index))?.root)
    }

    /// Returns the library file for `load("path", …)` in `from`.
    ///
    /// # Errors
    /// Fails if there is no file at this path, or if it is not a library file.
    pub(in crate::workspace) fn load(&self, path: &str, from: LibraryFile) -> Result<LibraryFile> {
        let found = self.read(path, from)?;
        match self.files.get(found.index) {
            Some(file) if file.is_library() => Ok(found),
            _ => {
                let message = format!("expected a library file, found `{path}`");
                Err(Diagnostic::error(Code::File, message).help(
                    "only files that end in `.star`, or have `.lib` before their ending, can be loaded; `data.read` reads any file",
                ))
            }
        }
    }

    /// Returns the file for `data.read("path")` in `from`.
    ///
    /// # Errors
    /// Fails if there is no file at this path.
    pub(in crate::workspace) fn read(&self, path: &str, from: LibraryFile) -> Result<LibraryFile> {
        let (start, rest) = self.start(path, from)?;
        let (folders, name) = rest.rsplit_once('/').unwrap_or(("", rest));
        let found = self.descend(start, folders, path)?;
        let folder = self.folder(found.folder);
        if let Some(&index) = folder.file_by_name.get(name) {
            return Ok(LibraryFile {
                index,
                root: found.root,
            });
        }
        let mut names = Vec::new();
        for &index in &folder.files {
            names.extend(self.files.get(index).map(|file| file.path.name()));
        }
        let help = did_you_mean(name, names)
            .unwrap_or_else(|| "only files that are given as input can be read".to_owned());
        let message = format!("expected a file at `{path}`, found none");
        let caught = format!(
            "Expected to find file '{path}' (hint: only files included via -f flag are available)"
        );
        Err(Diagnostic::error(Code::File, message)
            .help(help)
            .caught_as(caught))
    }

    /// Returns the paths of the files for `data.list(path)` in `from`: all files in the folder and
    /// below it that are not private, relative to the folder. Without a path, the folder is that of
    /// `from`.
    ///
    /// If `path` begins with a slash, so do the results, as in ytt: what `data.list("/")` returns are
    /// paths for `data.read` in any folder.
    ///
    /// # Errors
    /// Fails if no folder has this path.
    pub(in crate::workspace) fn list(
        &self,
        path: Option<&str>,
        from: LibraryFile,
    ) -> Result<Vec<String>> {
        let path = path.unwrap_or("");
        let (start, rest) = self.start(path, from)?;
        let folder = self.descend(start, rest, path)?.folder;
        let slash = if path.starts_with('/') { "/" } else { "" };
        let files = self.accessible_below(folder).into_iter();
        Ok(files
            .map(|file| format!("{slash}{}", self.path_below(folder, file)))
            .collect())
    }

    /// Returns the folder where a path starts, and the rest of the path.
    fn start<'p>(&self, path: &'p str, from: LibraryFile) -> Result<(FolderInLibrary, &'p str)> {
        let folder = self.folder_of(from.index);
        let root = from.root;
        if let Some(reference) = path.strip_prefix('@') {
            let Some((name, rest)) = reference.split_once(':') else {
                let message = format!("expected `@library:path`, found `{path}`");
                return Err(Diagnostic::error(Code::File, message)
                    .help("for instance `@github.com/org/library:functions.star` or `@ytt:data`"));
            };
            let library = self.library(name, folder)?;
            return Ok((library, rest.strip_prefix('/').unwrap_or(rest)));
        }
        Ok(match path.strip_prefix('/') {
            Some(rest) => (FolderInLibrary { folder: root, root }, rest),
            None => (FolderInLibrary { folder, root }, path),
        })
    }

    /// Returns the private library with this name that the files of a folder can use.
    fn library(&self, name: &str, from: FolderId) -> Result<FolderInLibrary> {
        // As in ytt, an empty name is no folder. Otherwise `/` would be a library of all others.
        if name.split('/').any(str::is_empty) {
            let message = format!("expected the library `{name}`, found an empty name in its path");
            let meant: Vec<&str> = name.split('/').filter(|name| !name.is_empty()).collect();
            let help = (!meant.is_empty()).then(|| format!("write `{}`", meant.join("/")));
            return Err(Diagnostic::error(Code::File, message).help_if(help));
        }
        let Some(&private) = self.folder(from).folder_by_name.get(PRIVATE_FOLDER) else {
            let message =
                format!("expected the library `{name}`, found no folder `{PRIVATE_FOLDER}`");
            return Err(Diagnostic::error(Code::File, message).help(format!(
                "put libraries into `{PRIVATE_FOLDER}` beside the file that uses them"
            )));
        };
        let start = FolderInLibrary {
            folder: private,
            root: private,
        };
        match self.descend(start, name, name) {
            // Absolute paths in the files of a library start at the library's folder.
            Ok(found) => Ok(FolderInLibrary {
                root: found.folder,
                ..found
            }),
            Err(error) => {
                let message = format!(
                    "expected the library `{name}`, found no such folder below `{PRIVATE_FOLDER}`"
                );
                Err(Box::new(Diagnostic { message, ..*error }))
            }
        }
    }

    /// Returns the folder at the end of the names in `folders`. `path` is the whole path, for
    /// messages.
    fn descend(
        &self,
        start: FolderInLibrary,
        folders: &str,
        path: &str,
    ) -> Result<FolderInLibrary> {
        let mut found = start;
        for name in folders.split('/').filter(|name| !name.is_empty()) {
            // Without this check, `/_ytt_lib/x/file.star` would load a file of a library without
            // evaluating it as a part of that library.
            if name == PRIVATE_FOLDER {
                let message = format!("expected no private folder in the path `{path}`");
                return Err(Diagnostic::error(Code::File, message)
                    .help("name a private library: `@library:path`"));
            }
            let folder = self.folder(found.folder);
            let Some(&next) = folder.folder_by_name.get(name) else {
                let names = folder.folders.iter().map(|&inner| self.folder(inner).name);
                let public = names.filter(|name| *name != PRIVATE_FOLDER);
                let message =
                    format!("expected a folder `{name}` in the path `{path}`, found none");
                return Err(
                    Diagnostic::error(Code::File, message).help_if(did_you_mean(name, public))
                );
            };
            found.folder = next;
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::library::ROOT;
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

    /// Loads the files at `paths`, each from the previous one, and returns the path of the last.
    fn load(start: &str, paths: &[&str]) -> std::result::Result<&'static str, String> {
        let files = files();
        let tree = LibraryTree::new(&files);
        let start = LibraryFile {
            index: PATHS.iter().position(|path| *path == start).unwrap(),
            root: ROOT,
        };
        let mut file = start;
        for path in paths {
            file = tree.load(path, file).map_err(|error| error.message)?;
        }
        Ok(PATHS[file.index])
    }

    #[test]
    fn starts_in_the_folder_of_the_file_or_the_root_of_its_library() {
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
    fn refuses_a_path_that_leads_to_no_library_file() {
        let table = [
            ("g.star", "expected a file at `g.star`, found none"),
            (
                "x/g.star",
                "expected a folder `x` in the path `x/g.star`, found none",
            ),
            ("d/b.yml", "expected a library file, found `d/b.yml`"),
            (
                "../a.star",
                "expected a folder `..` in the path `../a.star`, found none",
            ),
            (
                "_ytt_lib/one/h.star",
                "expected no private folder in the path `_ytt_lib/one/h.star`",
            ),
            ("@one", "expected `@library:path`, found `@one`"),
            (
                "@/one:h.star",
                "expected the library `/one`, found an empty name in its path",
            ),
            (
                "@:one/h.star",
                "expected the library ``, found an empty name in its path",
            ),
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
    fn lists_files_by_paths_below_the_folder() {
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
            ("d/b.yml", Some("/d/e"), &["/g.star"]),
            ("d/b.yml", Some("e"), &["g.star"]),
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
            ("a.yml", Some("@one:"), &["h.star", "i/j.star"]),
        ];
        let files = files();
        let tree = LibraryTree::new(&files);
        for (start, path, expected) in table {
            let start = LibraryFile {
                index: PATHS.iter().position(|path| *path == start).unwrap(),
                root: ROOT,
            };
            let listed = tree.list(path, start).unwrap();
            assert_eq!(listed, expected, "{path:?}");
        }
    }
}
