//! The library tree: the files of a workspace by their folders.
//!
//! A folder is a library. Everything below a folder `_ytt_lib` is private and is not used until a
//! template asks for it. Templates are evaluated in the order of the tree; output is printed in the
//! order in which the files were given.

mod lookup;
mod tree;

pub(super) use lookup::LibraryFile;
pub(super) use tree::{FolderId, ROOT};
pub use tree::{LibraryTree, PRIVATE_FOLDER};
