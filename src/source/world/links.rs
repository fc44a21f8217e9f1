//! Which links may be followed.
//!
//! A folder of configuration may come from anywhere, and a link in it could put any file of the
//! machine into the output. So links are refused unless their targets are in places that the user
//! names.

use std::path::{Path, PathBuf};

use super::{World, reason};
use crate::source::{Code, Diagnostic, Result};

/// Where links may lead.
#[derive(Clone, Debug)]
pub enum SymlinkDestinations {
    /// Anywhere.
    All,
    /// To these files and folders, and what is below them.
    ///
    /// Invariant: the paths are canonical. Otherwise `allowed/../secret` would pass as being below
    /// `allowed`.
    Below(Vec<PathBuf>),
}

impl Default for SymlinkDestinations {
    /// Nowhere.
    fn default() -> SymlinkDestinations {
        SymlinkDestinations::Below(Vec::new())
    }
}

impl SymlinkDestinations {
    /// Allows links to `places` and what is below them.
    pub fn below<'p>(
        world: &dyn World,
        places: impl IntoIterator<Item = &'p PathBuf>,
    ) -> SymlinkDestinations {
        let places = places.into_iter();
        // A place that does not exist is the destination of no link.
        SymlinkDestinations::Below(
            places
                .filter_map(|place| world.canonical(place).ok())
                .collect(),
        )
    }

    /// Returns these destinations and `folder`, a canonical path. A link that stays in the folder
    /// in which it is found brings nothing into the output that is not there anyway.
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
    /// chain of links, its end decides.
    ///
    /// # Errors
    /// The link may not be followed, or leads nowhere.
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
                target.display()
            )))
    }
}
