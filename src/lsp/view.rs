//! The view of a request: one file as the editor shows it, and the last build of its target.

use std::cell::OnceCell;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::analysis::{Analysis, TargetFile};
use super::code::{CodeReader, Load, loads};
use super::locals::{LocalName, LocalValue, locals_at};
use super::position::LineIndex;
use super::vocabulary::{Module, find_module};
use crate::kubernetes::Resource;
use crate::schema::ValueOutline;
use crate::workspace::PRIVATE_FOLDER;

/// A file with the results of builds.
pub(super) struct View<'v> {
    pub(super) path: &'v Path,
    pub(super) text: &'v str,
    pub(super) lines: LineIndex<'v>,
    /// The parts of the text that are code, computed when they are first needed.
    pub(super) reader: OnceCell<CodeReader>,
    /// The last build; nothing is known before the first one has ended.
    pub(super) analysis: Option<&'v Analysis>,
    /// The last builds of all targets: a file may also be the input of other ones.
    pub(super) analyses: &'v [&'v Analysis],
    /// The Data Values Files of the target.
    pub(super) data_values_files: &'v [PathBuf],
    /// Reads another file, as the editor shows it.
    pub(super) read: &'v dyn Fn(&Path) -> Option<Arc<str>>,
    /// Lists a folder, in the order of the names; nothing is in a folder that does not exist.
    pub(super) list: &'v dyn Fn(&Path) -> Vec<FolderEntry>,
}

/// A file or folder in a folder.
pub(super) struct FolderEntry {
    pub(super) path: PathBuf,
    pub(super) is_folder: bool,
}

/// The meaning of a name in code.
pub(super) enum Meaning<'v> {
    /// A module: `overlay`.
    Module(&'static Module),
    /// The data values, or one of them.
    Value(&'v ValueOutline),
    /// Something that a file of the build defines.
    Symbol { path: &'v str, name: &'v str },
}

impl<'v> View<'v> {
    /// Returns the parts of the text that are code.
    pub(super) fn code(&self) -> &CodeReader {
        self.reader
            .get_or_init(|| CodeReader::new(self.path, self.text))
    }

    /// Returns the files of the target that share data values and names with this one. The files of
    /// a private library share nothing with those around it:
    ///
    /// ```text
    /// app.yml                      data.values.name
    /// _ytt_lib/redis/redis.yml     data.values.name, which is another value
    /// ```
    pub(super) fn files(&self) -> impl Iterator<Item = &'v TargetFile> {
        let folder = self.private_folder();
        self.target_files()
            .iter()
            .filter(move |file| private_folder(&file.path) == folder)
    }

    fn target_files(&self) -> &'v [TargetFile] {
        self.analysis.map_or(&[], |analysis| &analysis.files)
    }

    /// Returns the folder of private libraries that the file is in; empty for a file of the target
    /// itself.
    fn private_folder(&self) -> &'v str {
        let mut files = self.target_files().iter();
        let own = files.find(|file| file.place == self.path);
        own.map_or("", |file| private_folder(&file.path))
    }

    /// Returns the objects that the target edits.
    pub(super) fn objects(&self) -> &'v [Resource] {
        self.analysis.map_or(&[], |analysis| &analysis.objects)
    }

    /// Returns whether the file is one of plain data values.
    pub(super) fn is_data_values_file(&self) -> bool {
        self.is_data_values_place(self.path)
    }

    /// Returns whether a path is that of a file of plain data values.
    pub(super) fn is_data_values_place(&self, path: &Path) -> bool {
        self.data_values_files
            .iter()
            .any(|file| path.starts_with(file))
    }

    /// Returns the data values. For a private library, they are known only if it is a separate
    /// target: in another build it may be evaluated several times, with different values.
    pub(super) fn values(&self) -> Option<&'v ValueOutline> {
        let values = self.analysis?.values.as_ref();
        values.filter(|_| self.private_folder().is_empty())
    }

    pub(super) fn loads(&self) -> Vec<Load<'v>> {
        loads(self.code(), self.text)
    }

    /// Returns the meaning of a path of names in the code at an offset: `["data", "values",
    /// "app"]`.
    pub(super) fn meaning(&self, names: &[&'v str], offset: usize) -> Option<Meaning<'v>> {
        let (first, rest) = names.split_first()?;
        let mut locals = locals_at(self.code(), self.text, offset).into_iter().rev();
        if let Some(local) = locals.find(|local| local.name == **first) {
            return self.value_of_local(&local, rest).map(Meaning::Value);
        }
        for load in self.loads() {
            let Some((_, symbol)) = load.symbols.iter().find(|(local, _)| local == first) else {
                continue;
            };
            let Some(module) = load.path.strip_prefix("@ytt:") else {
                return rest.is_empty().then_some(Meaning::Symbol {
                    path: load.path,
                    name: symbol,
                });
            };
            return match rest {
                [] => find_module(module).map(Meaning::Module),
                ["values", keys @ ..] if module == "data" => {
                    self.values()?.find(keys).map(Meaning::Value)
                }
                _ => None,
            };
        }
        None
    }

    /// Returns the data value that keys of a local name lead to. The value of the name may contain
    /// another local name, which a line above defines.
    fn value_of_local(&self, local: &LocalName<'v>, keys: &[&str]) -> Option<&'v ValueOutline> {
        let (chain, is_item) = match &local.value {
            LocalValue::Chain(chain) => (chain, false),
            LocalValue::ItemOf(chain) => (chain, true),
            LocalValue::Unknown => return None,
        };
        let Meaning::Value(value) = self.meaning(chain, local.line)? else {
            return None;
        };
        let value = if is_item {
            value.item.as_deref()?
        } else {
            value
        };
        value.find(keys)
    }

    /// Returns the file of the build that `load` means by a path: relative to this file, or with a
    /// slash before it to the library.
    pub(super) fn loaded(&self, path: &str) -> Option<PathBuf> {
        let own = self.files().find(|file| file.place == self.path)?;
        let folder = own.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let wanted = match path.strip_prefix('/') {
            Some(path) => joined("", path)?,
            None => joined(folder, path)?,
        };
        let found = self.files().find(|file| file.path == wanted)?;
        Some(found.place.clone())
    }
}

/// Returns the part of a path of a build up to the innermost folder of private libraries:
/// `app/_ytt_lib/` of `app/_ytt_lib/redis/redis.yml`.
fn private_folder(path: &str) -> &str {
    let marker = format!("{PRIVATE_FOLDER}/");
    let mut found = path.rmatch_indices(&marker);
    let inner = found.find(|(at, _)| *at == 0 || path[..*at].ends_with('/'));
    inner.map_or("", |(at, _)| &path[..at + marker.len()])
}

/// Joins paths of the workspace; `None` if the result would be outside.
fn joined(folder: &str, path: &str) -> Option<String> {
    let mut names: Vec<&str> = folder.split('/').filter(|name| !name.is_empty()).collect();
    for component in Path::new(path).components() {
        match component {
            Component::Normal(name) => names.push(name.to_str()?),
            Component::ParentDir => drop(names.pop()?),
            _ => {}
        }
    }
    Some(names.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_folder_of_private_libraries() {
        let table = [
            ("app.yml", ""),
            ("my_ytt_lib/app.yml", ""),
            ("_ytt_lib/redis/redis.yml", "_ytt_lib/"),
            (
                "a/_ytt_lib/org/b/_ytt_lib/c.yml",
                "a/_ytt_lib/org/b/_ytt_lib/",
            ),
        ];
        for (path, expected) in table {
            assert_eq!(private_folder(path), expected, "{path}");
        }
    }
}
