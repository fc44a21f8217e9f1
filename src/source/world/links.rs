//! Decides which links may be followed.
//!
//! A folder of configuration may come from anywhere, and a link in it could put any file of the
//! machine into the output. So links are refused unless their targets are in places that the user
//! names.

use std::path::{Path, PathBuf};

use super::{World, reason};
use crate::source::{Code, Diagnostic, Result};

/// The places that links may lead to.
#[derive(Clone, Debug)]
pub enum SymlinkDestinations {
    /// Anywhere.
    All,
    /// These files and folders, and everything below them.
    ///
    /// Invariant: the paths are canonical. Otherwise `allowed/../secret` would pass as being below
    /// `allowed`.
    Below(Vec<PathBuf>),
}

impl Default for SymlinkDestinations {
    /// Returns an empty list of places, so that no link may be followed.
    fn default() -> SymlinkDestinations {
        SymlinkDestinations::Below(Vec::new())
    }
}

impl SymlinkDestinations {
    /// Allows links to `places` and everything below them.
    pub fn below<'p>(
        world: &dyn World,
        places: impl IntoIterator<Item = &'p PathBuf>,
    ) -> SymlinkDestinations {
        let places = places.into_iter();
        // No link can lead to a place that does not exist.
        SymlinkDestinations::Below(
            places
                .filter_map(|place| world.canonical(place).ok())
                .collect(),
        )
    }

    /// Returns these destinations extended by `folder`, a canonical path. A link that stays in its
    /// own folder adds nothing to the output that is not there anyway.
    pub fn and_below(&self, folder: &Path) -> SymlinkDestinations {
        match self {
            SymlinkDestinations::All => SymlinkDestinations::All,
            SymlinkDestinations::Below(allowed) => {
                let folder = std::iter::once(folder.to_owned());
                SymlinkDestinations::Below(allowed.iter().cloned().chain(folder).collect())
            }
        }
    }

    /// Returns the canonical path of the file or folder at `place`, which may be a link. For a
    /// chain of links, its end is decisive.
    ///
    /// # Errors
    /// A link that may not be followed, or whose target does not exist.
    pub fn follow(&self, world: &dyn World, place: &Path) -> Result<PathBuf> {
        let target = world.canonical(place).map_err(|error| {
            Diagnostic::error(
                Code::File,
                format!(
                    "cannot follow the link `{}`: {}",
                    place.display(),
                    reason(&error)
                ),
            )
        })?;
        let is_allowed = match self {
            SymlinkDestinations::All => true,
            SymlinkDestinations::Below(allowed) => {
                allowed.iter().any(|place| target.starts_with(place))
            }
        };
        if is_allowed {
            return Ok(target);
        }
        let message = format!(
            "the link `{}` points to `{}`, which is not allowed",
            place.display(),
            target.display()
        );
        Err(Diagnostic::error(Code::File, message)
            .note("a link could bring any file of the machine into the output")
            .help(format!(
                "allow it with `--allow-symlink-destination {}`",
                suggested_destination(world, place, &target).display()
            )))
    }
}

/// Returns the place that allows a link, for the help of an error: the folder of the link if the
/// link stays in it, and the target otherwise. The links of a volume of Kubernetes lead to a folder
/// in it that has another name after each update.
fn suggested_destination(world: &dyn World, link: &Path, target: &Path) -> PathBuf {
    let folder = link.parent().map_or(Path::new("."), |folder| {
        match folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => folder,
        }
    });
    match world.canonical(folder) {
        Ok(real) if target.starts_with(&real) => folder.to_owned(),
        _ => target.to_owned(),
    }
}
