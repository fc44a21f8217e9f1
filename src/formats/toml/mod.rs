//! TOML: a text as a tree, and changes of the tree as changes of the text.
//!
//! A TOML table may be spread over a text: a header, dotted keys, tables below it that stand elsewhere. So beside the tree
//! there is a second one, of [`Table`]s, which knows for each key where it stands and in which form. The writer goes
//! through both, and through the tree as it is to be, key by key: the order of keys says nothing in TOML, so what is the
//! same under the same key stays where it is.
//!
//! The crate `toml` says what is TOML and what is not; the tables are built from the events of `toml_parser`, the parser
//! below it, since no tree of theirs keeps where the parts of a dotted key and the commas stand.

mod bracket;
mod check;
mod document;
mod edit;
mod read;
mod scalar;
mod string;
mod write;

pub(super) use check::check;
pub(super) use document::Toml;
pub(super) use read::read;
pub use scalar::{Kind, kind};
pub(super) use string::offsets;
pub(in crate::formats) use write::{excerpt, write};

/// The deepest nesting of tables and lists, as in the crate `toml`.
const NESTING_LIMIT: usize = 80;
