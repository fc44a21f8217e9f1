//! The folders of a build: where each kustomization is, and which folder it may include.

use std::path::{Path, PathBuf};

use super::remote;
use crate::kubernetes::KUSTOMIZATION_FILES;
use crate::source::world::{Folder, FolderReach, World, cleaned, reason};
use crate::source::{Code, Diagnostic, Result};

/// The maximum depth of kustomizations that include each other. Each level is a recursive call.
const DEPTH_LIMIT: usize = 128;

/// The folder of a kustomization in a build.
#[derive(Clone)]
pub(super) struct Place {
    /// The folder as a user would write it, such as `overlay/../base` cleaned to `base`.
    pub(super) shown: PathBuf,
    /// The folders of the kustomizations from the root to this one, without links.
    visited: Vec<PathBuf>,
    reach: FolderReach,
    /// The `namespace` of the kustomization here, or of the nearest one that includes it and has
    /// one. Charts are rendered for it.
    pub(super) namespace: Option<String>,
}

impl Place {
    /// Returns the folder that a build starts in.
    ///
    /// # Errors
    /// The path is not a folder, or an address on the network.
    pub(super) fn root(world: &dyn World, path: &Path, reach: FolderReach) -> Result<Place> {
        // A folder may have such a name, and a path on the command line is typed by hand.
        if let Some(error) = path.to_str().and_then(remote::refused)
            && !world.is_folder(path)
        {
            return Err(error);
        }
        let shown = cleaned(path);
        let root = canonical_folder(world, &shown).map_err(|why| {
            let error = must_build_at_folder(&shown.display().to_string(), &why);
            let is_file = KUSTOMIZATION_FILES.iter().any(|name| shown.ends_with(name));
            error.help_if(is_file.then(|| match shown.parent() {
                Some(parent) if parent != Path::new("") => {
                    format!("name its folder: `{}`", parent.display())
                }
                _ => "name its folder: `.`".to_owned(),
            }))
        })?;
        Ok(Place {
            shown,
            visited: vec![root],
            reach,
            namespace: None,
        })
    }

    /// Returns the folder that a kustomization here includes as `path`.
    ///
    /// # Errors
    /// Fails if the path is empty, absolute or not a folder, or if the folder contains a folder of
    /// a kustomization that led here.
    pub(super) fn child(&self, world: &dyn World, path: &str) -> Result<Place> {
        if path.is_empty() {
            return Err(error("new root cannot be empty".to_owned()));
        }
        if Path::new(path).is_absolute() {
            return Err(error(format!("new root '{path}' cannot be absolute"))
                .help("write the path relative to the folder of the kustomization"));
        }
        let shown = cleaned(&self.shown.join(path));
        let root =
            canonical_folder(world, &shown).map_err(|why| must_build_at_folder(path, &why))?;
        if self.visited.iter().any(|seen| seen.starts_with(&root)) {
            let message = format!(
                "cycle detected: candidate root '{path}' contains the folder of a kustomization that includes it"
            );
            return Err(error(message).help("a kustomization cannot include a folder it is in"));
        }
        if self.visited.len() >= DEPTH_LIMIT {
            let message = format!("more than {DEPTH_LIMIT} kustomizations include each other");
            return Err(Diagnostic::error(Code::Limit, message));
        }
        let mut visited = self.visited.clone();
        visited.push(root);
        Ok(Place {
            shown,
            visited,
            reach: self.reach,
            namespace: self.namespace.clone(),
        })
    }

    /// Returns the place with the namespace that the kustomization here has, if it has one.
    pub(super) fn in_namespace(mut self, namespace: Option<&str>) -> Place {
        if let Some(namespace) = namespace.filter(|namespace| !namespace.is_empty()) {
            self.namespace = Some(namespace.to_owned());
        }
        self
    }

    /// Returns the folder in which the kustomization here reads its files.
    pub(super) fn folder<'w>(&self, world: &'w dyn World) -> Folder<'w> {
        Folder::new(world, &self.shown).with_reach(self.reach)
    }
}

fn canonical_folder(world: &dyn World, path: &Path) -> std::result::Result<PathBuf, String> {
    match world.canonical(path) {
        Ok(_) if !world.is_folder(path) => Err("file is not directory".to_owned()),
        Ok(root) => Ok(root),
        Err(error) => Err(format!("not a valid directory: {}", reason(&error))),
    }
}

fn must_build_at_folder(path: &str, why: &str) -> Box<Diagnostic> {
    error(format!("must build at directory: '{path}': {why}"))
}

fn error(message: String) -> Box<Diagnostic> {
    Diagnostic::error(Code::File, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::world::Memory;

    #[test]
    fn limits_how_many_kustomizations_include_each_other() {
        let names: Vec<String> = (0..=DEPTH_LIMIT).map(|n| format!("b{n}/a.yaml")).collect();
        let world = Memory::with_files(names.iter().map(|name| (name.as_str(), "")));
        let mut place = Place::root(&world, Path::new("b0"), FolderReach::Anywhere).unwrap();
        for number in 1..DEPTH_LIMIT {
            place = place.child(&world, &format!("../b{number}")).unwrap();
        }
        let Err(error) = place.child(&world, &format!("../b{DEPTH_LIMIT}")) else {
            unreachable!("there is a limit");
        };
        assert_eq!(
            error.message,
            "more than 128 kustomizations include each other"
        );
    }
}
