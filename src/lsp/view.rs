//! What a request sees: one file as the editor shows it, and the last build of its target.

use std::cell::OnceCell;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::analysis::{Analysis, TargetFile};
use super::code::{CodeReader, Load, loads};
use super::position::LineIndex;
use super::vocabulary::{Module, find_module};
use crate::kubernetes::Resource;
use crate::schema::ValueOutline;

/// A file, and what is known about it.
pub(super) struct View<'v> {
    pub(super) path: &'v Path,
    pub(super) text: &'v str,
    pub(super) lines: LineIndex<'v>,
    /// Which parts of the text are code, as soon as that was asked.
    pub(super) reader: OnceCell<CodeReader>,
    /// The last build; nothing is known before the first one has ended.
    pub(super) analysis: Option<&'v Analysis>,
    /// The last builds of all targets: a file may also be the input of other ones.
    pub(super) analyses: &'v [&'v Analysis],
    /// The Data Values Files of the target.
    pub(super) data_values_files: &'v [PathBuf],
    /// Reads another file, as the editor shows it.
    pub(super) read: &'v dyn Fn(&Path) -> Option<Arc<str>>,
}

/// What a name in code refers to.
pub(super) enum Meaning<'v> {
    /// A module: `overlay`.
    Module(&'static Module),
    /// The data values, or one of them.
    Value(&'v ValueOutline),
    /// Something that a file of the build defines.
    Symbol { path: &'v str, name: &'v str },
}

impl<'v> View<'v> {
    /// Returns which parts of the text are code.
    pub(super) fn code(&self) -> &CodeReader {
        self.reader
            .get_or_init(|| CodeReader::new(self.path, self.text))
    }

    /// Returns the files of the target.
    pub(super) fn files(&self) -> &'v [TargetFile] {
        self.analysis.map_or(&[], |analysis| &analysis.files)
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

    /// Returns the data values.
    pub(super) fn values(&self) -> Option<&'v ValueOutline> {
        self.analysis?.values.as_ref()
    }

    pub(super) fn loads(&self) -> Vec<Load<'v>> {
        loads(self.code(), self.text)
    }

    /// Returns what a path of names means in this file: `["data", "values", "app"]`.
    pub(super) fn meaning(&self, names: &[&'v str]) -> Option<Meaning<'v>> {
        let (first, rest) = names.split_first()?;
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

    /// Returns the file of the build that `load` means by a path: relative to this file, or with a slash before it to
    /// the library.
    pub(super) fn loaded(&self, path: &str) -> Option<PathBuf> {
        let own = self.files().iter().find(|file| file.place == self.path)?;
        let folder = own.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let wanted = match path.strip_prefix('/') {
            Some(path) => joined("", path)?,
            None => joined(folder, path)?,
        };
        let found = self.files().iter().find(|file| file.path == wanted)?;
        Some(found.place.clone())
    }
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
