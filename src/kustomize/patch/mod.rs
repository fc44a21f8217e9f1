//! `patches`: changes to the objects that a selector chooses, or that the patch itself names.
//!
//! [`PatchConfig`] is an entry as it is written; [`check`](check()) makes of it a [`Patch`], which [`apply`] carries
//! out. A list is a JSON patch, a mapping a strategic merge patch, unless the options say that it is
//! a plain merge patch. Every patch goes on below strings that hold documents.

mod apply;
mod config;
mod json6902;
mod merge_patch;
mod patcher;
mod read;
mod strategic;

pub use apply::apply;
pub use config::{PatchConfig, PatchOptions, PatchType};
pub use patcher::Patcher;
pub use read::{Content, check, read};

use crate::kubernetes::Selector;
use crate::source::Location;
use crate::typed::Spanned;

/// An entry of `patches`.
#[derive(Clone, Debug)]
pub struct Patch {
    /// What is to change.
    pub content: PatchContent,
    /// In which objects, and how.
    pub settings: Settings,
}

/// Where and how a patch is applied.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Chooses the objects.
    pub target: Option<Spanned<Selector>>,
    /// How to apply it.
    pub options: PatchOptions,
    /// Where the entry stands in the configuration.
    pub location: Option<Location>,
}

/// Where it is said what is to change.
#[derive(Clone, Debug)]
pub enum PatchContent {
    /// In the configuration.
    Inline(Content),
    /// In a file, which [`read`] reads.
    Path(Spanned<String>),
}
