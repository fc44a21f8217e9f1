//! `patches`: changes to the objects that a selector chooses, or that the patch itself names.
//!
//! An entry passes through three types:
//! 1. [`PatchConfig`] is the entry as written (`config`).
//! 2. [`Patch`] is the entry with its text parsed and checked (`model`, `check`). A list is a JSON
//!    patch, a mapping is a strategic merge patch, unless the options say that it is a plain merge
//!    patch.
//! 3. [`apply`] applies it to the objects of a [`PatchRun`]: `json6902`, `strategic` and
//!    `merge_patch` each implement one language.
//!
//! Every patch continues below strings that contain documents.

mod apply;
mod check;
mod config;
mod json6902;
mod merge_patch;
mod metadata_texts;
mod model;
mod run;
mod strategic;

pub use apply::apply;
pub use check::check;
pub use config::{PatchConfig, PatchOptions, PatchType};
pub use model::Patch;
pub use run::PatchRun;
